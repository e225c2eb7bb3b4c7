"""How does the caching allocator serve main memory? Arrays over its blocks, which go back when nothing sees them."""

from __future__ import annotations

from collections import deque
from math import prod
from weakref import ref

import numpy as np

from ...errors.out_of_memory import OutOfMemoryError
from ..interface import Memory, Statistics
from .allocator import CachingAllocator
from .blocks import Block
from .drivers import MainMemoryDriver
from .forking import outer_lock
from .history import History

_BYTE = np.dtype(np.uint8)
MOST_EVENTS = 100_000


class Lent(Memory):
    """The bytes of a block. It is the base of every array over them, and when it ends the block is free."""

    __slots__ = ()


class _Loan(ref):
    """A weak reference to the bytes of a block, with the block."""

    __slots__ = ("block",)
    block: Block
    # By identity: other weak references compare and hash the arrays that they refer to.
    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__  # type: ignore[assignment]


class CachingMemory:
    """PyTorch's caching allocator, of main memory.

    >>> cached = CachingMemory(total=64 << 20)
    >>> array = cached.array((1000, 1000), np.dtype("f4"))
    >>> array.ctypes.data % 64, cached.allocator.allocated
    (0, 4000256)
    >>> row = array[0]
    >>> del array
    >>> cached.statistics().allocated    # the row keeps the block
    4000256
    >>> del row
    >>> cached.statistics().allocated, cached.statistics().kept
    (0, 20971520)
    """

    def __init__(self, total: int) -> None:
        self.driver = MainMemoryDriver(total)
        self.allocator = CachingAllocator(self.driver)
        self.allocator.record, self.allocator.what = History(max_entries=MOST_EVENTS), "main memory"
        self._loans: set[_Loan] = set()
        self._freed: deque[_Loan] = deque()
        self._lock = outer_lock(self)

    def array(self, size: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """An array in row-major order with arbitrary elements."""
        nbytes = prod(size) * dtype.itemsize
        with self._lock:
            self._take_back()
            try:
                block = self.allocator.allocate(max(nbytes, 1))
            except OutOfMemoryError:  # its words are about a GPU
                raise MemoryError(f"no run of {nbytes:,} bytes of main memory is left to the allocator") from None
        segment = self.driver.memory_at(self.allocator.segments[block.segment].address)
        lent = np.ndarray.__new__(Lent, (block.size,), _BYTE, segment, block.address - segment.ctypes.data)
        loan = _Loan(lent, self._ended)
        loan.block = block
        self._loans.add(loan)
        return np.ndarray(size, dtype, lent)

    def _ended(self, loan: _Loan) -> None:
        """Called when nothing sees a block any more, perhaps in the middle of an allocation."""
        self._freed.append(loan)
        if self._lock.acquire(blocking=False):
            try:
                self._take_back()
            finally:
                self._lock.release()

    def _take_back(self) -> None:
        while self._freed:
            loan = self._freed.popleft()
            self._loans.discard(loan)
            self.allocator.free(loan.block)

    def empty(self) -> None:
        """Return the segments that nothing refers to to the system."""
        with self._lock:
            self._take_back()
            self.allocator.empty_cache()

    def statistics(self) -> Statistics:
        """How much is in use, and how much is kept."""
        with self._lock:
            self._take_back()
        counts = self.allocator.statistics
        bytes_in_use = counts.all.allocated_bytes
        kept = counts.all.reserved_bytes.current - bytes_in_use.current
        fresh = counts.num_device_alloc
        return Statistics(bytes_in_use.current, bytes_in_use.peak, kept, counts.all.allocation.allocated - fresh, fresh)
