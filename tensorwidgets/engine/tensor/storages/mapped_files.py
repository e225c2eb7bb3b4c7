"""A file mapped into memory as the bytes of a storage: safetensors and other libraries read their files by it."""

from __future__ import annotations

import errno
import mmap
import operator
import os
from typing import Any

import numpy as np

from ...errors.reasons import refuse

_BYTE = np.dtype(np.uint8)


class MappedFile(mmap.mmap):
    """The pages of a file, and its name if what is written to them reaches the file."""

    filename: str | None = None


def map_file(filename: Any, shared: bool, nbytes: Any) -> np.ndarray:
    """The first bytes of a file. If they are not shared, what is written to them stays in memory."""
    if not isinstance(filename, str):
        message = f"argument 1 must be str, not {type(filename).__name__}"
        refuse(TypeError, message, "a file is mapped by its path", "str(path)", rule="storage.file")
    nbytes = operator.index(nbytes)
    descriptor = _opened(filename, shared)
    try:
        there = os.fstat(descriptor).st_size
        if there < nbytes and not shared:
            message = f"file <{filename}> size <{there}> is smaller than the required mapping size <{nbytes}>"
            refuse(RuntimeError, message, "only the bytes of the file can be read", rule="storage.file")
        if there < nbytes:
            os.ftruncate(descriptor, nbytes)
        if nbytes < 0:
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
        if nbytes == 0:
            return np.empty((0,), _BYTE)
        pages = MappedFile(descriptor, nbytes, access=mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY)
    except OSError as error:
        message = f"unable to mmap {nbytes} bytes from file <{filename}>: {error.strerror} ({error.errno})"
        refuse(RuntimeError, message, "so many bytes of it cannot be mapped", rule="storage.file")
    finally:
        os.close(descriptor)
    pages.filename = filename if shared else None
    return np.ndarray((nbytes,), _BYTE, pages)


def _opened(filename: str, shared: bool) -> int:
    """The descriptor of a file; it is made if its bytes are shared and it is not there."""
    flags = (os.O_RDWR | os.O_CREAT if shared else os.O_RDONLY) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(filename, flags, 0o600)
    except OSError as error:
        how = "read-write" if shared else "read-only"
        name = filename or "filename not specified"
        message = f"unable to open file <{name}> in {how} mode: {error.strerror} ({error.errno})"
        refuse(RuntimeError, message, "its bytes cannot be mapped into memory", rule="storage.file")


def file_of(array: Any) -> str | None:
    """The path of the file that bytes are written to; None if they are a part of it, or lie in memory only."""
    pages = array.base if isinstance(array, np.ndarray) else None
    return pages.filename if isinstance(pages, MappedFile) else None
