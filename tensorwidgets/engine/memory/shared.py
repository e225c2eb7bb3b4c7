"""How do several processes read and write the same bytes? Memory with a file descriptor and without a name.

A segment has no name that could stay behind in the file system: the system frees it when the last process has closed
it, however that process ended. Other processes get it by inheriting it, or by being sent its file descriptor.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from contextlib import suppress
from typing import Any

import numpy as np

LARGE = 1 << 20
"""From this many bytes on, sharing memory costs less than writing the bytes to a pipe."""

CAN_SHARE = hasattr(os, "memfd_create") or os.name == "posix"
"""Whether this system sends file descriptors from process to process."""

_BYTE = np.dtype(np.uint8)


class Descriptor:
    """A file descriptor that is closed when nothing refers to it any more."""

    __slots__ = ("number", "_close", "__weakref__")

    def __init__(self, number: int):
        self.number, self._close = number, os.close

    def __del__(self) -> None:
        with suppress(OSError):
            self._close(self.number)


class Segment(mmap.mmap):
    """Shared bytes that are mapped into this process, and their file descriptor if it is kept."""

    descriptor: Descriptor | None = None


def new_descriptor(nbytes: int) -> Descriptor:
    """The file descriptor of new shared memory, all zeros. The system finds its pages when they are written to."""
    if hasattr(os, "memfd_create"):
        descriptor = Descriptor(os.memfd_create("tensorwidgets", os.MFD_CLOEXEC))
    else:
        with tempfile.TemporaryFile() as file:  # it has no name any more when this returns
            descriptor = Descriptor(os.dup(file.fileno()))
    os.ftruncate(descriptor.number, nbytes)
    return descriptor


def mapped(
    descriptor: Descriptor, nbytes: int, keep: bool = True, ready: bool = False, kind: type[Segment] = Segment
) -> np.ndarray:
    """The bytes of a segment, as an array; `ready` asks for all its pages at once."""
    flags = mmap.MAP_SHARED | (getattr(mmap, "MAP_POPULATE", 0) if ready else 0)
    segment = kind(descriptor.number, nbytes, flags=flags)
    segment.descriptor = descriptor if keep else None
    return np.ndarray((nbytes,), _BYTE, segment)


def shared_array(nbytes: int) -> np.ndarray | None:
    """New shared bytes; None where this system shares none.

    >>> a = shared_array(10)
    >>> a[3] = 7
    >>> segment_of(a[2:]) is segment_of(a), segment_of(np.ones(3))
    (True, None)
    """
    return mapped(new_descriptor(nbytes), nbytes) if CAN_SHARE and nbytes else None


def segment_of(array: Any) -> Segment | None:
    """The segment that an array lies in; None if it lies in no shared memory."""
    while isinstance(array, np.ndarray):
        array = array.base
    return array if isinstance(array, Segment) else None
