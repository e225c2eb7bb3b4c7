"""What is there that ranks could leave: processes, descriptors, shared memory, folders."""

from __future__ import annotations

import gc
import glob
import os
import tempfile
from multiprocessing import active_children, forkserver, resource_tracker


def left() -> dict[str, object]:
    """Counts, and names of files."""
    gc.collect()
    children = [pid for task in os.listdir("/proc/self/task") for pid in _children(task)]
    patterns = {f"{folder}/ranks-{os.getpid()}-*" for folder in ("/dev/shm", "/tmp", tempfile.gettempdir())}
    return {
        "descriptors": len(os.listdir("/proc/self/fd")),
        "children": sorted(children),
        "started": active_children(),
        "files": sorted(path for pattern in patterns for path in glob.glob(pattern)),
    }


def _children(task: str) -> list[str]:
    """The processes that a thread started; Python's own helpers of multiprocessing stay until it ends."""
    try:
        with open(f"/proc/self/task/{task}/children") as file:
            found = file.read().split()
    except FileNotFoundError:  # the thread has ended since it was listed
        return []
    known = (resource_tracker._resource_tracker._pid, forkserver._forkserver._forkserver_pid)  # type: ignore
    return [pid for pid in found if int(pid) not in known]
