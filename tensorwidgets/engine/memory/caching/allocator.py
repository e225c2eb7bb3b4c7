"""PyTorch's caching allocator of GPU memory, rule by rule.

It requests segments from a driver, hands out blocks of them, and keeps what is freed for the next request. The rules
are those of PyTorch 2.13; `tests/allocator` holds them against 150 programs that its own allocator ran.

>>> from tensorwidgets.engine.memory.caching import CachingAllocator, SimulatedDriver
>>> gpu = CachingAllocator(SimulatedDriver(total=44 << 20))
>>> block = gpu.allocate(6 << 20)
>>> block.size >> 20, gpu.reserved >> 20
(6, 20)
>>> gpu.free(block)
>>> gpu.allocated, gpu.reserved >> 20
(0, 20)
>>> gpu.empty_cache()
>>> gpu.reserved
0
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import count

from .blocks import Block, FreeBlocks
from .drivers import Driver
from .forking import inner_lock
from .messages import refuse_out_of_memory
from .rules import LARGEST_SMALL, is_split, rounded, segment_size
from .settings import Settings
from .statistics import Counts, Statistics

Record = Callable[[str, int, int, int, "Block | None"], None]
"""Called with every event: PyTorch's name of it, address, bytes, stream, block."""


class CachingAllocator:
    """Hands out blocks of the segments that it requested from a driver, and keeps what is freed."""

    def __init__(self, driver: Driver, settings: Settings | None = None, device: int = 0) -> None:
        self.driver, self.device = driver, device
        self.what = ""
        """What it is the memory of, in words for pictures."""
        self.record: Record | None = None
        self.allowed: int | None = None
        """The most bytes to request from the driver; None: as many as it has."""
        self.fraction = 1.0
        self.small, self.large = FreeBlocks("small"), FreeBlocks("large")
        self.segments: dict[int, Block] = {}
        """The first block of every segment, by the segment's number."""
        self.statistics = Statistics()
        self.use(settings or Settings())
        self._nothing = Block(0, 0, 0, self.small, -1)
        self._next_number = count().__next__
        self._waiting: dict[int, deque[Block]] = {}
        """Freed blocks that a stream still uses, for each such stream."""
        self._lock = inner_lock(self)

    # -- what users call ---------------------------------------------------------------------------------------------

    @property
    def allocated(self) -> int:
        """The bytes of all blocks that are in use."""
        return self.statistics.all.allocated_bytes.current

    @property
    def reserved(self) -> int:
        """The bytes of all segments."""
        return self.statistics.all.reserved_bytes.current

    def allocate(self, nbytes: int, stream: int = 0) -> Block:
        """A block of at least `nbytes` bytes; raises `OutOfMemoryError` if there is none."""
        if not nbytes:
            return self._nothing
        with self._lock:
            if self._waiting:
                self._free_what_is_done()
            size = rounded(nbytes, self.settings)
            pool = self.small if size <= LARGEST_SMALL else self.large
            block = self._cached(pool, stream, size) or self._from_new_segment(pool, stream, size)
            return self._hand_out(block, pool, size, nbytes)

    def free(self, block: Block) -> None:
        """Take a block back. It is free at once, unless another stream uses it."""
        if block is self._nothing:
            return
        with self._lock:
            block.allocated = False
            for counts in self._counts(block.pool):
                counts.allocation.down(1)
                counts.allocated_bytes.down(block.size)
            if block.size >= self.settings.max_split_size:
                self.statistics.oversize_allocations.down(1)
            if self.record:
                self.record("free_requested", block.address, block.requested, block.stream, block)
            if block.used_by:
                block.waits_for = len(block.used_by)
                for stream in sorted(block.used_by):
                    self._waiting.setdefault(stream, deque()).append(block)
                block.used_by = None
            else:
                self._make_free(block)

    def record_stream(self, block: Block, stream: int) -> None:
        """Note that another stream uses a block: after `free`, it waits for that stream."""
        if stream != block.stream and block is not self._nothing:
            block.used_by = (block.used_by or set()) | {stream}

    def empty_cache(self) -> None:
        """Return every segment without a block in use to the driver."""
        with self._lock:
            self._return_whole_segments()

    def allow(self, fraction: float) -> None:
        """Request no more than this part of the driver's memory; 1.0 lifts the bound."""
        self.fraction = fraction
        self.allowed = int(fraction * self.driver.total) if fraction < 1 else None

    def use(self, settings: Settings) -> None:
        """Follow other settings from now on."""
        self.settings, limit = settings, settings.max_split_size
        self.statistics.max_split_size = -1 if limit == Settings.max_split_size else limit

    def blocks(self) -> Iterator[list[Block]]:
        """The blocks of each segment in the order of addresses; the oldest segment first."""
        for first in list(self.segments.values()):
            row, block = [], first
            while block is not None:
                row.append(block)
                block = block.after  # type: ignore[assignment]
            yield row

    # -- from request to block ---------------------------------------------------------------------------------------

    def _cached(self, pool: FreeBlocks, stream: int, size: int) -> Block | None:
        """The best free block, taken out of the pool."""
        if self.allowed is not None and self.settings.garbage_collection_threshold:
            pool.searches += 1
        block = pool.best(stream, size)
        if block is None:
            return None
        limit = self.settings.max_split_size
        if block.size >= limit and (size < limit or block.size >= size + self.settings.max_non_split_rounding):
            return None
        pool.remove(block)
        return block

    def _from_new_segment(self, pool: FreeBlocks, stream: int, size: int) -> Block:
        """A segment from the driver. If it refuses: give back what is cached, and ask again."""
        nbytes = segment_size(size, self.settings)
        if self.allowed is not None and self.settings.garbage_collection_threshold:
            self._return_old_segments()
        block = self._new_segment(pool, stream, nbytes)
        if block is None and self._return_large_blocks(pool, stream, size):
            block = self._new_segment(pool, stream, nbytes)
        if block is None:
            self._return_whole_segments()
            self.statistics.num_alloc_retries += 1
            block = self._new_segment(pool, stream, nbytes)
        if block is None:
            self.statistics.num_ooms += 1
            if self.record:
                self.record("oom", self.driver.free_bytes, size, stream, None)
            refuse_out_of_memory(self, nbytes, size, stream)
        return block

    def _new_segment(self, pool: FreeBlocks, stream: int, nbytes: int) -> Block | None:
        """A new segment, as one block; None if the driver has no more or the bound is reached."""
        if self.allowed is not None and self.reserved + nbytes > self.allowed:
            return None
        try:
            address = self.driver.malloc(nbytes)
        except MemoryError:
            return None
        block = Block(address, nbytes, stream, pool, self._next_number())
        self.segments[block.segment] = block
        for counts in self._counts(pool):
            counts.segment.up(1)
            counts.reserved_bytes.up(nbytes)
        if nbytes >= self.settings.max_split_size:
            self.statistics.oversize_segments.up(1)
        self.statistics.num_device_alloc += 1
        if self.record:
            self.record("segment_alloc", address, nbytes, stream, None)
        return block

    def _hand_out(self, block: Block, pool: FreeBlocks, size: int, nbytes: int) -> Block:
        """Split a block if enough is left over, and hand out its front."""
        was_split, rest = not block.is_whole, block.size - size
        if is_split(rest, size, pool is self.small, self.settings):
            self._split(block, size)
            pieces, inactive = (0, -size) if was_split else (1, rest)
        else:
            pieces, inactive = (-1, -block.size) if was_split else (0, 0)
        block.allocated, block.requested = True, nbytes
        size = block.size
        for counts in self._counts(pool):
            counts.inactive_split.changed(pieces)
            counts.inactive_split_bytes.changed(inactive)
            counts.allocation.up(1)
            counts.allocated_bytes.up(size)
            counts.active.up(1)
            counts.active_bytes.up(size)
            counts.requested_bytes.up(nbytes)
        if size >= self.settings.max_split_size:
            self.statistics.oversize_allocations.up(1)
        if self.record:
            self.record("alloc", block.address, nbytes, block.stream, block)
        return block

    def _split(self, block: Block, size: int) -> None:
        """Cut a block after `size` bytes. What is behind becomes a free block."""
        rest = Block(block.address + size, block.size - size, block.stream, block.pool, block.segment)
        rest.requested = block.requested
        rest.before, rest.after = block, block.after
        if rest.after is not None:
            rest.after.before = rest
        block.after, block.size = rest, size
        block.pool.add(rest)

    # -- from block to cache -----------------------------------------------------------------------------------------

    def _make_free(self, block: Block) -> None:
        """Merge a block with free neighbours and put it into its pool."""
        if self.record:
            self.record("free_completed", block.address, block.requested, block.stream, block)
        pool, size, requested = block.pool, block.size, block.requested
        block.where = None
        pieces = inactive = 0
        for neighbor in (block.before, block.after):
            if neighbor is not None and not neighbor.allocated and not neighbor.waits_for:
                pieces, inactive = pieces - 1, inactive - neighbor.size
                block = self._merged(block, neighbor)
        pool.add(block)
        if not block.is_whole:
            pieces, inactive = pieces + 1, inactive + block.size
        for counts in self._counts(pool):
            counts.inactive_split.changed(pieces)
            counts.inactive_split_bytes.changed(inactive)
            counts.active.down(1)
            counts.active_bytes.down(size)
            counts.requested_bytes.down(requested)

    def _merged(self, block: Block, neighbor: Block) -> Block:
        """One block of two that touch; it keeps what was last requested from the first argument."""
        neighbor.pool.remove(neighbor)
        if neighbor is block.before:
            block.address, block.before = neighbor.address, neighbor.before
            if block.before is not None:
                block.before.after = block
            else:
                self.segments[block.segment] = block
        else:
            block.after = neighbor.after
            if block.after is not None:
                block.after.before = block
        block.size += neighbor.size
        return block

    def _free_what_is_done(self, wait: bool = False) -> None:
        """Free the blocks whose other streams are done; `wait` for all of them."""
        for stream, line in list(self._waiting.items()):
            while line and (wait or self.driver.is_done(stream)):
                block = line.popleft()
                block.waits_for -= 1
                if not block.waits_for:
                    self._make_free(block)
            if not line:
                del self._waiting[stream]

    # -- from cache to driver ----------------------------------------------------------------------------------------

    def _return_segment(self, block: Block) -> None:
        """Return a segment that is one free block."""
        self.driver.free(block.address)
        for counts in self._counts(block.pool):
            counts.segment.down(1)
            counts.reserved_bytes.down(block.size)
        if block.size >= self.settings.max_split_size:
            self.statistics.oversize_segments.down(1)
        self.statistics.num_device_free += 1
        if self.record:
            self.record("segment_free", block.address, block.size, block.stream, None)
        block.pool.remove(block)
        del self.segments[block.segment]

    def _return_whole_segments(self) -> None:
        """Wait for all streams, then return every segment that is one free block, the large pool's first."""
        self.statistics.num_sync_all_streams += 1
        self.driver.synchronize()
        self._free_what_is_done(wait=True)
        for pool in (self.large, self.small):
            for block in pool:
                if block.is_whole:
                    self._return_segment(block)

    def _return_large_blocks(self, pool: FreeBlocks, stream: int, size: int) -> bool:
        """Under `max_split_size`: return one block that is large enough, or the largest until their sum is."""
        limit = self.settings.max_split_size
        if limit == Settings.max_split_size:
            return False
        wanted = max(size, limit)
        block = pool.best(stream, wanted)
        if block is not None:
            self._return_segment(block)
            return True
        for block in reversed(pool.of_stream(stream)):
            if wanted <= 0 or block.size < limit:
                break
            wanted -= block.size
            self._return_segment(block)
        return wanted <= 0

    def _return_old_segments(self) -> None:
        """Above the threshold: return free large segments of at least average age, until enough is returned."""
        assert self.allowed is not None
        excess = self.reserved - int(self.settings.garbage_collection_threshold * self.allowed)
        searches = self.large.searches
        whole = [block for block in self.large if block.is_whole]
        while excess > 0 and whole:
            average = sum(searches - block.age for block in whole) / len(whole)
            old = [block for block in whole if searches - block.age >= average]
            for block in old:
                excess -= block.size
                whole.remove(block)
                self._return_segment(block)

    def _counts(self, pool: FreeBlocks) -> tuple[Counts, Counts]:
        statistics = self.statistics
        return statistics.all, statistics.small_pool if pool is self.small else statistics.large_pool
