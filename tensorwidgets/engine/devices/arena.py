"""Where do the bytes of a simulated GPU lie? In an arena: one run of main memory, with addresses that are pretended.

A driver hands out segments of it, as `cudaMalloc` does, and PyTorch's caching allocator hands out blocks of these.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from ..memory.caching import CachingAllocator, SimulatedDriver, read_settings
from ..memory.caching.by_device import ALLOCATORS
from ..memory.caching.forking import outer_lock
from ..memory.caching.history import History
from .simulated_streams import SimulatedStreams

FIRST_ADDRESS = 0x7000_0000_0000
"""Where pretended addresses begin: no program has memory of its own there."""

MOST_EVENTS = 100_000
"""How many of the latest events the allocator remembers for pictures."""

SETTINGS = "PYTORCH_CUDA_ALLOC_CONF"
"""The environment's variable with the settings of the allocator."""

OVERWRITTEN_BY = 0xCB
"""What tests write over freed bytes, so that a read of them shows."""


class Block:
    """A run of bytes of an arena. It goes back to the allocator when nothing refers to it."""

    __slots__ = ("arena", "address", "size", "nbytes", "writes", "handle", "__weakref__")

    def __init__(self, arena: Arena, address: int, size: int, nbytes: int, handle: Any):
        self.arena, self.address, self.size, self.nbytes, self.handle = arena, address, size, nbytes, handle
        self.writes = 0
        """How often an array over it was written to."""

    def __del__(self, ends: Callable[[], bool] = sys.is_finalizing) -> None:
        if not ends():  # while Python ends, the functions that would take it back may be gone
            self.arena.give_back(self.handle)


class Driver(SimulatedDriver):
    """Hands out runs of the arena. Their addresses may leave gaps, as on a GPU, so there is room for twice as many."""

    def __init__(self, total: int, streams: SimulatedStreams):
        super().__init__(total, FIRST_ADDRESS)
        self.room, self.streams = 2 * total, streams

    def malloc(self, nbytes: int) -> int:
        address = super().malloc(nbytes)
        if address + nbytes > self.first + self.room:
            self.free(address)
            raise MemoryError
        return address

    def is_done(self, stream: int) -> bool:
        return self.streams.is_done(self.streams.record(stream))

    def synchronize(self) -> None:
        self.streams.synchronize()


class Arena:
    """The memory of one simulated GPU."""

    overwrites = False
    """Whether freed bytes are overwritten, which tests ask for."""

    def __init__(self, index: int, total: int):
        self.index, self.total = index, total
        self.streams = SimulatedStreams()
        self.driver = Driver(total, self.streams)
        self.allocator = CachingAllocator(self.driver, read_settings(os.environ.get(SETTINGS, "")), index)
        self.allocator.record, self.allocator.what = History(max_entries=MOST_EVENTS), "simulated GPU"
        ALLOCATORS[index] = self.allocator
        self._bytes = np.zeros(self.driver.room, np.uint8)  # the system provides what is written to
        self._begin = self._bytes.ctypes.data
        self._freed: deque[Any] = deque()
        self._lock = outer_lock(self)
        self.live = 0
        """How many blocks there are."""

    def block(self, nbytes: int) -> Block:
        """A block of at least this many bytes."""
        if not nbytes:
            return Block(self, self.driver.first, 0, 0, None)
        with self._lock:
            self._take_back()
            found = self.allocator.allocate(nbytes, self.streams.current)
            self.live += 1
        return Block(self, found.address, found.size, nbytes, found)

    def give_back(self, handle: Any) -> None:
        """Called when a block ends. If that is in the middle of an allocation, the next one takes it back."""
        if handle is None:
            return
        self._freed.append(handle)
        if self._lock.acquire(blocking=False):
            try:
                self._take_back()
            finally:
                self._lock.release()

    def _take_back(self) -> None:
        while self._freed:
            block = self._freed.popleft()
            if self.overwrites:
                first = block.address - self.driver.first
                self._bytes[first : first + block.size] = OVERWRITTEN_BY
            self.allocator.free(block)
            self.live -= 1

    def record_stream(self, block: Block, number: int) -> None:
        """Note that a stream uses a block: when the block ends, it waits for that stream."""
        if block.handle is not None:
            self.allocator.record_stream(block.handle, number)

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
        return 0 <= int(numbers.__array_interface__["data"][0]) - self._begin < len(self._bytes)
