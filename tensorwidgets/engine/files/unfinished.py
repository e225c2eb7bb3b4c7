"""The hidden file that a save writes before it takes the old one's place, and what killed processes left of theirs.

Beside each hidden file (`.x.pt.1a2b3c4d-0.part`) lies an empty one (`.x.pt.1a2b3c4d-0.lock`), which its process holds a
lock on for as long as it lives. Whoever saves to the same name tries those locks: where one can be had, the process is
gone, and both files are removed. The names hold the kernel's boot id, so that another computer with the same folder,
whose locks are not seen here, keeps its files.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has other locks, and there nothing is cleared
    fcntl = None  # type: ignore[assignment]

_PROBED, _MOST = 8, 100
"""So many places are looked at in any case; so many processes may save to one name at once before names are random."""


@contextmanager
def hidden_beside(wanted: str) -> Iterator[str]:
    """The path of a new, empty, hidden file in the folder of a path. What is left of it at the end is removed.

    >>> with tempfile.TemporaryDirectory() as folder, hidden_beside(f"{folder}/x.pt") as path:
    ...     sorted(name.rpartition(".")[2] for name in os.listdir(folder))
    ['lock', 'part']
    """
    folder, name = os.path.split(wanted)
    head = f".{os.fsdecode(os.fsencode(name)[:100])}."
    lock: tuple[int, str] | None = None
    for number in range(_MOST if _boot_id() else 0):
        if lock is not None and number >= _PROBED:
            break
        path = os.path.join(folder, f"{head}{_boot_id()}-{number}.lock")
        if lock is None:
            lock = _locked(path, os.O_CREAT)
        elif (left := _locked(path, 0)) is not None:
            _remove(left)
    try:
        if lock is None:
            handle, hidden = tempfile.mkstemp(".part", head, folder)
        else:
            hidden = _part(lock)
            with suppress(FileNotFoundError):
                os.unlink(hidden)  # left by a process that is gone
            handle = os.open(hidden, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        os.close(handle)
        try:
            yield hidden
        finally:
            with suppress(OSError):
                os.unlink(hidden)
    finally:
        if lock is not None:
            _remove(lock)


def _locked(path: str, create: int) -> tuple[int, str] | None:
    """A lock file with the lock held; None where another process holds it, or where there are no locks."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | create, 0o600)
    except OSError:
        return None
    try:
        facts = os.fstat(handle)
        if stat.S_ISREG(facts.st_mode) and facts.st_uid == os.geteuid():
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(facts, os.lstat(path)):  # the one who had it before may have removed it
                return handle, path
    except OSError:
        pass  # it is another's, or the file system has no locks: both mean that this place is not ours
    os.close(handle)
    return None


def _part(lock: tuple[int, str]) -> str:
    return lock[1].removesuffix(".lock") + ".part"


def _remove(lock: tuple[int, str]) -> None:
    """Remove a lock, and the hidden file that it stood for."""
    for path in (_part(lock), lock[1]):
        with suppress(OSError):
            os.unlink(path)
    os.close(lock[0])


@cache
def _boot_id() -> str:
    """What tells this run of the kernel from all others; empty where that is not known, or there are no locks."""
    if fcntl is None:
        return ""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text()[:8]
    except OSError:
        return ""
