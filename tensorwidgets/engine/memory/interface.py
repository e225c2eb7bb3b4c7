"""The interface of an allocator of CPU memory.

An allocator hands out arrays that begin at a multiple of 64 bytes. Each lies over a *memory*: an array of bytes that
owns them and is the base of everything that looks at them. A view, a memoryview or a DLPack capsule keeps the array
alive, the array keeps the memory alive, and below the memory there is nothing. So there is no `free`: a memory that
nothing refers to can be used again, and one that something still refers to cannot.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

ALIGNMENT = 64
"""Arrays begin at multiples of a cache line, as PyTorch's do."""

_BYTE = np.dtype(np.uint8)


class Statistics(NamedTuple):
    """What an allocator holds, in bytes, and what it did since it was made, in memories."""

    allocated: int
    """Bytes in use."""
    most_allocated: int
    """The highest number of bytes in use."""
    kept: int
    """Bytes that nothing refers to, kept for later."""
    reused: int
    """How many memories were reused."""
    fresh: int
    """How many memories came from the system."""


class Allocator(Protocol):
    """Anything that hands out arrays."""

    def array(self, size: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """An array in row-major order with arbitrary elements."""

    def empty(self) -> None:
        """Return the memory that nothing refers to to the system."""

    def statistics(self) -> Statistics:
        """How much is in use, and how much is kept."""


class Memory(np.ndarray):
    """Bytes from the system, owned by this object, which is the last base of every array over them.

    A class of its own: NumPy replaces a plain array by its base where it can, and here the order matters: a view's base
    is the array that the allocator handed out, and that array's base is the memory. Without slots, for then the garbage
    collector, like that of plain arrays, takes no notice of it.
    """

    __slots__ = ()


def system_memory(nbytes: int) -> Memory:
    """A number of bytes from the system, and enough more to begin at a multiple of 64."""
    return np.ndarray.__new__(Memory, (nbytes + ALIGNMENT,), _BYTE)


def start_of(memory: Memory) -> int:
    """The offset of the first byte at a multiple of 64.

    >>> memory = system_memory(10)
    >>> (memory.ctypes.data + start_of(memory)) % 64
    0
    """
    return -memory.ctypes.data % ALIGNMENT
