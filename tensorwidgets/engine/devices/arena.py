"""Where do the bytes of a simulated GPU lie? In an arena: one run of main memory, with addresses that are pretended.

A driver hands out whole runs of it, as `cudaMalloc` does, and an allocator hands out blocks of these runs.
"""

from __future__ import annotations

import threading
from bisect import insort
from collections import deque
from typing import Any

import numpy as np

from ..errors.reasons import refuse

FIRST_ADDRESS = 0x7000_0000_0000
"""Where pretended addresses begin: no program has memory of its own there."""

OVERWRITTEN_BY = 0xCB
"""What tests write over freed bytes, so that a read of them shows."""


class Driver:
    """Memory as the driver of a GPU hands it out: in whole grains, at the lowest free address."""

    def __init__(self, total: int, grain: int = 512, first: int = FIRST_ADDRESS):
        self.total, self.grain, self.first = total, grain, first
        self._holes: list[tuple[int, int]] = [(first, total)]
        self._taken: dict[int, int] = {}

    @property
    def free_bytes(self) -> int:
        """How many bytes are not handed out."""
        return sum(length for _, length in self._holes)

    def malloc(self, nbytes: int) -> int:
        """The address of a run of bytes; MemoryError if no hole is long enough.

        >>> driver = Driver(4096)
        >>> [driver.malloc(n) - driver.first for n in (1, 513, 512)]
        [0, 512, 1536]
        """
        length = -(-nbytes // self.grain) * self.grain
        for i, (address, hole) in enumerate(self._holes):
            if hole >= length:
                self._holes[i : i + 1] = [(address + length, hole - length)] if hole > length else []
                self._taken[address] = length
                return address
        raise MemoryError(nbytes)

    def free(self, address: int) -> None:
        """Take a run back. Neighbouring holes become one."""
        insort(self._holes, (address, self._taken.pop(address)))
        i = self._holes.index((address, next(n for a, n in self._holes if a == address)))
        for j in (i, i - 1):
            if 0 <= j < len(self._holes) - 1:
                (a, n), (b, m) = self._holes[j : j + 2]
                if a + n == b:
                    self._holes[j : j + 2] = [(a, n + m)]


class Block:
    """A run of bytes of an arena. It goes back to the allocator when nothing refers to it."""

    __slots__ = ("arena", "address", "size", "nbytes", "writes", "handle", "__weakref__")

    def __init__(self, arena: Arena, address: int, size: int, nbytes: int, handle: Any):
        self.arena, self.address, self.size, self.nbytes, self.handle = arena, address, size, nbytes, handle
        self.writes = 0
        """How often an array over it was written to."""

    def __del__(self) -> None:
        self.arena.give_back(self.handle, self.address, self.size)


class Arena:
    """The memory of one simulated GPU."""

    overwrites = False
    """Whether freed bytes are overwritten, which tests ask for."""

    def __init__(self, index: int, total: int):
        self.index, self.total = index, total
        self.driver = Driver(total)
        self._bytes = np.zeros(total, np.uint8)
        self._begin = self._bytes.ctypes.data
        self._freed: deque[Any] = deque()
        self._lock = threading.Lock()
        self.live = 0
        """How many blocks there are."""

    def block(self, nbytes: int) -> Block:
        """A block of at least so many bytes."""
        with self._lock:
            self._take_back()
            try:
                address = self.driver.malloc(max(nbytes, 1))
            except MemoryError:
                refuse_memory(self, nbytes)
            size = -(-max(nbytes, 1) // 512) * 512
            self.live += 1
        return Block(self, address, size, nbytes, address)

    def give_back(self, handle: Any, address: int, size: int) -> None:
        """Called when a block ends, perhaps in the middle of an allocation: what is to be done, is done at the next."""
        self._freed.append((handle, address, size))

    def _take_back(self) -> None:
        while self._freed:
            handle, address, size = self._freed.popleft()
            if self.overwrites:
                first = address - self.driver.first
                self._bytes[first : first + size] = OVERWRITTEN_BY
            self.driver.free(handle)
            self.live -= 1

    def live_blocks(self) -> int:
        """How many blocks something refers to."""
        with self._lock:
            self._take_back()
        return self.live

    def numbers(
        self, block: Block, size: tuple[int, ...], strides: tuple[int, ...] | None, kind: np.dtype, offset: int
    ) -> np.ndarray:
        """NumPy's array over a block: what the simulated processor computes on."""
        begin = block.address - self.driver.first + offset
        return np.ndarray(size, kind, self._bytes, begin if 0 not in size else 0, strides)

    def address(self, numbers: np.ndarray) -> int:
        """The pretended address of an array's first element."""
        return int(numbers.__array_interface__["data"][0]) - self._begin + self.driver.first

    def holds(self, numbers: np.ndarray) -> bool:
        """Whether an array lies in this arena."""
        return 0 <= int(numbers.__array_interface__["data"][0]) - self._begin < self.total


class OutOfMemoryError(RuntimeError):
    """A GPU has no block of memory that is long enough."""


def refuse_memory(arena: Arena, nbytes: int) -> None:
    """Refuse an allocation."""
    free = arena.driver.free_bytes
    refuse(
        OutOfMemoryError,
        f"CUDA out of memory. Tried to allocate {mebibytes(nbytes)}. GPU {arena.index} has a total capacity of "
        f"{mebibytes(arena.total)} of which {mebibytes(free)} is free.",
        f"the simulated GPU has {arena.total} bytes, and no free run of {nbytes}",
        "del x, for tensors that are not needed any more",
        rule="device.memory",
        nbytes=nbytes,
        free=free,
    )


def mebibytes(nbytes: int) -> str:
    """A number of bytes as PyTorch's messages have it.

    >>> mebibytes(10 << 20)
    '10.00 MiB'
    """
    for unit, name in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if nbytes >= 1 << unit:
            return f"{nbytes / (1 << unit):.2f} {name}"
    return f"{nbytes} bytes"
