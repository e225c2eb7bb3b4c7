"""Atomic writes: a file is replaced completely or not at all.

The bytes go to a temporary file in the same folder, which is flushed to disk and then renamed. A crash or a full disk
leaves the old file as it was.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from .temporary_file import hidden_file_beside


def final_path(path: str | os.PathLike[str]) -> str:
    """The path with all symbolic links resolved."""
    return os.path.realpath(os.fspath(path))


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces `path` when the block ends without an error.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a")
    ...     with atomic_write(path) as file:
    ...         _ = file.write(b"new"), path.exists()
    ...     path.read_bytes()
    b'new'
    """
    path = final_path(path)
    if is_special(path):  # a pipe or a device cannot be replaced
        with open(path, "wb", buffering=0) as file:
            yield file
        return
    with atomic_replace(path) as temporary:
        with open(temporary, "r+b", buffering=0) as file:
            yield file
            os.fsync(file.fileno())


@contextmanager
def atomic_replace(path: str) -> Iterator[str]:
    """Yield the path of an empty file in the same folder; rename it to `path` at the end, or remove it after an error.

    The caller must flush its bytes to disk before the block ends.
    """
    if is_special(path):
        raise OSError(errno.EINVAL, "is a pipe or a device, which a file cannot replace", path)
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "the folder to save in does not exist", folder)
    _forget_cached(path)
    with hidden_file_beside(path) as temporary:
        os.chmod(temporary, _mode(path))
        yield temporary
        os.replace(temporary, path)
    _sync_folder(folder)


def sync(path: str) -> None:
    """Flush a file to disk."""
    with open(path, "r+b") as file:  # Windows flushes only what is open for writing
        os.fsync(file.fileno())


def is_special(path: str) -> bool:
    """Whether a path is a pipe, a device or a socket: neither a regular file nor a folder."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _mode(path: str) -> int:
    """The permissions of the file to be replaced, or the default ones for a new file."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _forget_cached(path: str) -> None:
    """Drop the old file's pages from the page cache, which frees memory for the new file's pages."""
    with suppress(OSError, AttributeError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(handle)


def _sync_folder(folder: str) -> None:
    """Flush the folder, which holds the new name, if the system supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
