"""A new file in an old one's place, whole or not at all.

The bytes go to a temporary file in the same folder, are sent to the disk, and only then is the file given its name: a
crash or a full disk leaves what was there before.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from .unfinished import hidden_beside


def final_path(path: str | os.PathLike[str]) -> str:
    """Where the bytes are to lie in the end: behind links."""
    return os.path.realpath(os.fspath(path))


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when all has been written.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a")
    ...     with written_whole(path) as file:
    ...         _ = file.write(b"new"), path.exists()
    ...     path.read_bytes()
    b'new'
    """
    wanted = final_path(path)
    if is_special(wanted):  # a pipe or a device has no place to take
        with open(wanted, "wb", buffering=0) as file:
            yield file
        return
    with temporary_beside(wanted) as temporary:
        with open(temporary, "r+b", buffering=0) as file:
            yield file
            os.fsync(file.fileno())


@contextmanager
def temporary_beside(wanted: str) -> Iterator[str]:
    """The path of an empty file in the same folder, which is renamed at the end, or removed after an error.

    Who writes it answers for its bytes being on the disk when the block ends.
    """
    if is_special(wanted):
        raise OSError(errno.EINVAL, "is a pipe or a device, whose place a file cannot take", wanted)
    if os.path.isdir(wanted):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), wanted)
    _forget_cached(wanted)
    with hidden_beside(wanted) as temporary:
        os.chmod(temporary, _mode(wanted))
        yield temporary
        os.replace(temporary, wanted)
    _sync_folder(os.path.dirname(wanted))


def sync(path: str) -> None:
    """Wait until the bytes of a file are on the disk."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def is_special(path: str) -> bool:
    """Whether a path is a pipe, a device or the like: bytes go through it, and no file may take its place."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _mode(path: str) -> int:
    """The permissions of the file that is replaced, or those of any new file."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _forget_cached(path: str) -> None:
    """Let go of the old file's pages in memory, which the new file's can then have. On the disk it stays as it is."""
    with suppress(OSError, AttributeError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(handle)


def _sync_folder(folder: str) -> None:
    """The name lies in the folder, which is sent to the disk as well, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
