"""What an allocator of CPU memory promises, whoever it is.

An allocator hands out *blocks*: rows of bytes that begin at a multiple of 64. Whoever needs memory lays an array over a
block (`np.ndarray(size, dtype, block)`) and forgets the block: NumPy keeps it alive as the array's base, and so does
every view, capsule or memoryview made of that array, however many hands it goes through. When the last of them is gone
the block dies, and tells its allocator. So nobody ever says `free`, and nothing is reused while somebody can see it.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

ALIGNMENT = 64
"""Blocks begin at multiples of a cache line, as PyTorch's do."""


class Statistics(NamedTuple):
    """How an allocator stands, in bytes and in blocks since it was made."""

    allocated: int
    """Bytes that somebody holds."""
    most_allocated: int
    """The most that somebody held at one time."""
    kept: int
    """Bytes that nobody holds, kept for later."""
    reused: int
    """How many blocks were handed out again."""
    fresh: int
    """How many blocks had to be asked of the system."""


class Allocator(Protocol):
    """Who hands out blocks."""

    def block(self, nbytes: int) -> Block:
        """So many bytes, holding anything, until nobody sees them any more."""

    def take_back(self, memory: Memory) -> None:
        """Called by a block that dies, from whichever thread it dies in."""

    def empty(self) -> None:
        """Give back to the system what nobody holds."""

    def statistics(self) -> Statistics:
        """How it stands."""


class Memory(np.ndarray):
    """Bytes as the system gave them, owned by this object. It outlives the blocks that are laid over it in turn.

    A class of its own, for NumPy lets an array skip bases that are plain arrays, and it must not skip the block.
    """

    __slots__ = ("start",)
    start: int
    """The first byte at a multiple of 64."""


class Block(np.ndarray):
    """Aligned bytes of a memory, on loan to those who see them."""

    __slots__ = ("allocator",)
    allocator: Allocator

    def __del__(self) -> None:
        memory = self.base
        if type(memory) is Memory:
            self.allocator.take_back(memory)


def system_memory(nbytes: int) -> Memory:
    """Bytes asked of the system, with room to begin at a multiple of 64."""
    memory = np.ndarray.__new__(Memory, (nbytes + ALIGNMENT,), np.uint8)
    memory.start = -memory.ctypes.data % ALIGNMENT
    return memory


def block_over(memory: Memory, nbytes: int, allocator: Allocator) -> Block:
    """The block of so many bytes that begins at the first aligned byte of a memory."""
    block = np.ndarray.__new__(Block, (nbytes,), np.uint8, memory, memory.start)
    block.allocator = allocator
    return block
