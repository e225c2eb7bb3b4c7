"""The hidden temporary file that a save writes first, and the removal of those that killed processes left behind.

Next to each hidden file (`.x.pt.1a2b3c4d-0.part`) is an empty one (`.x.pt.1a2b3c4d-0.lock`), which its process keeps
locked as long as it lives. A later save to the same name tries those locks: if it gets one, the process is gone, and
both files are removed. The names contain the kernel's boot id, so files of another computer that shares the folder, and
whose locks are invisible here, are left alone.
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
except ImportError:  # Windows has no fcntl: leftover files are not removed there
    fcntl = None  # type: ignore[assignment]

_PROBED, _MOST = 8, 100
"""How many lock names every save tries, and how many it tries at most before it falls back to a random name."""


@contextmanager
def hidden_file_beside(target: str) -> Iterator[str]:
    """Yield the path of a new, empty, hidden file in the folder of `target`; remove it at the end if it still exists.

    >>> with tempfile.TemporaryDirectory() as folder, hidden_file_beside(f"{folder}/x.pt") as path:
    ...     sorted(name.rpartition(".")[2] for name in os.listdir(folder))
    ['lock', 'part']
    """
    folder, name = os.path.split(target)
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
                os.unlink(hidden)  # left behind by a process that ended
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
    """Lock a lock file; None if another process holds the lock or the file system has no locks."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | create, 0o600)
    except OSError:
        return None
    try:
        facts = os.fstat(handle)
        if stat.S_ISREG(facts.st_mode) and facts.st_uid == os.geteuid():
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(facts, os.lstat(path)):  # its previous owner may have removed it by now
                return handle, path
    except OSError:
        pass  # another process holds it, or the file system has no locks: either way this name is not available
    os.close(handle)
    return None


def _part(lock: tuple[int, str]) -> str:
    return lock[1].removesuffix(".lock") + ".part"


def _remove(lock: tuple[int, str]) -> None:
    """Remove a lock file and the hidden file that belongs to it."""
    for path in (_part(lock), lock[1]):
        with suppress(OSError):
            os.unlink(path)
    os.close(lock[0])


@cache
def _boot_id() -> str:
    """An id of this boot of the kernel; empty if it is unknown or there are no locks."""
    if fcntl is None:
        return ""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")[:8]
    except OSError:
        return ""
