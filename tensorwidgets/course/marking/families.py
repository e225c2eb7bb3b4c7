"""Families of processes, as Linux reports them: who started whom, and what they use together."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_SET_CHILD_SUBREAPER = 36


_adopters: Counter[int] = Counter()
"""How many in each process ask for its orphans: a fork does not inherit what its parent asked for."""
_adopting = threading.Lock()


def adopt_orphans() -> None:
    """Children of children that lose their parent become ours, so that none gets away, until `release_orphans`."""
    with _adopting:
        _adopters[os.getpid()] += 1
        _set_subreaper(True)


def release_orphans() -> None:
    """Take back one `adopt_orphans`. After the last, orphans go where they went before."""
    with _adopting:
        _adopters[os.getpid()] -= 1
        _set_subreaper(_adopters[os.getpid()] > 0)


def _set_subreaper(on: bool) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, int(on), 0, 0, 0)


def orphans() -> list[int]:
    """Children of ours in a session of their own: a box, and what its processes left to us."""
    return [pid for pid in children(os.getpid()) if _leads_a_session_of_its_own(pid)]


def end_orphans() -> None:
    """End what was left to us. Forks of forks may come while we look, so look until there is none."""
    for _ in range(200):
        mine = orphans()
        if not mine:
            return
        end(mine)
        for pid in mine:
            with contextlib.suppress(OSError):
                os.waitpid(pid, 0)


def end(pids: Iterable[int]) -> None:
    """Kill these processes; ignore those that have ended already."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _leads_a_session_of_its_own(pid: int) -> bool:
    try:
        return os.getsid(pid) != os.getsid(0)
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """The processes that a process started and that are still there."""
    if not _lists_children():
        return [child for child, parent in _parents().items() if parent == pid]
    listed = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as listing:
                listed += [int(child) for child in listing.read().split()]
    return listed


@cache
def _lists_children() -> bool:
    """Whether the kernel lists the children of a process; where it does not, every process is looked at."""
    return Path(f"/proc/self/task/{os.getpid()}/children").is_file()


def _parents() -> dict[int, int]:
    """Every process with its parent; empty where there is no /proc."""
    parent_of = {}
    for entry in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if entry.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                parent_of[int(entry)] = int(_stat(int(entry))[1])
    return parent_of


def _stat(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat that follow the name, which may hold anything."""
    with open(f"/proc/{pid}/stat", "rb") as stat:
        return stat.read().rpartition(b")")[2].split()


def descendants(pid: int) -> list[int]:
    """A process and all that it started."""
    family = [pid]
    for one in family:
        family += [child for child in children(one) if child not in family]
    return family


def resident_bytes(pids: Iterable[int]) -> int:
    """How much memory processes hold now, pages that several of them map counted for each."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", "rb") as statm:
            total += int(statm.read().split()[1])
    return total * os.sysconf("SC_PAGE_SIZE")


def memory_bytes(pids: Iterable[int], most: int) -> int:
    """How much memory processes hold together. Pages that they share are counted once where that decides."""
    pids = list(pids)
    rough = resident_bytes(pids)
    return rough if rough <= most else sum(map(_own_bytes, pids))


def _own_bytes(pid: int) -> int:
    """The memory of one process, with its part of what it shares."""
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/smaps_rollup", "rb") as rollup:
        for line in rollup:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) << 10
    return resident_bytes([pid])


def cpu_seconds(pids: Iterable[int]) -> float:
    """The time that processes, and those children that they waited for, have computed."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            ticks += sum(map(int, _stat(pid)[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def is_busy(pids: Iterable[int]) -> bool:
    """Whether one of these processes computes, or would if the machine had time for it."""
    for pid in pids:
        with contextlib.suppress(OSError, IndexError):
            if _stat(pid)[0] == b"R":
                return True
    return False


def written_bytes(folder: Path, most: int) -> int:
    """What the files of a folder take, each at least a block: so that many small files count."""
    total = 0
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            with contextlib.suppress(OSError):
                total += max(4096, os.lstat(os.path.join(place, name)).st_blocks * 512)
        if total > most:
            break
    return total
