"""The bytes of a file as memory: the system reads them when they are used, and writes them back if they are shared."""

from __future__ import annotations

import mmap
import os
from typing import Any, NoReturn

import numpy as np

_BYTE = np.dtype(np.uint8)


class MappedFile(mmap.mmap):
    """A file that is mapped into memory; its name is kept if writes reach the file."""

    filename: str | None = None


def map_file(filename: str, shared: bool, nbytes: int) -> np.ndarray:
    """So many bytes from the beginning of a file. Shared ones are those of the file, which is made or grows for them.

    The others are read from the file, and written to memory alone.
    """
    way, flags = ("read-write", os.O_RDWR | os.O_CREAT) if shared else ("read-only", os.O_RDONLY)
    try:
        descriptor = os.open(filename, flags | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        _refuse(f"unable to open file <{filename or 'filename not specified'}> in {way} mode", error)
    try:
        return _mapped(descriptor, filename, shared, nbytes)
    finally:
        os.close(descriptor)


def _mapped(descriptor: int, filename: str, shared: bool, nbytes: int) -> np.ndarray:
    length = os.fstat(descriptor).st_size
    if nbytes > length:
        if not shared:
            raise RuntimeError(
                f"file <{filename}> size <{length}> is smaller than the required mapping size <{nbytes}>"
            )
        os.truncate(descriptor, nbytes)
    if nbytes == 0:
        return np.empty(0, _BYTE)
    try:
        access = mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY
        whole = MappedFile(descriptor, nbytes, access=access)
    except (OSError, OverflowError, ValueError) as error:
        _refuse(f"unable to mmap {nbytes} bytes from file <{filename}>", error)
    whole.filename = filename if shared else None
    return np.frombuffer(whole, _BYTE)


def _refuse(message: str, error: Exception) -> NoReturn:
    """Raise what the system answered, in PyTorch's words."""
    number = error.errno if isinstance(error, OSError) and error.errno is not None else 12
    raise RuntimeError(f"{message}: {os.strerror(number)} ({number})") from None


def file_of(array: Any) -> str | None:
    """The name of the file that an array's memory is; None if it is of no file.

    >>> file_of(np.zeros(2))
    """
    while isinstance(array, (np.ndarray, memoryview)):
        array = array.base if isinstance(array, np.ndarray) else array.obj
    return array.filename if isinstance(array, MappedFile) else None
