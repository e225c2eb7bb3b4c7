"""A pool: memory that nobody sees any more is kept for the next result of its size.

Most of the time of a large operation goes into its result's memory, which the system hands out page by page as it is
first written to. Memory that was written to before has its pages already.

The pool keeps at most `limit` bytes; and what it keeps never lifts the whole above the most that was in use at one time
(or a small `slack`): before it asks the system for more it gives back as much of what it has.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque

from .interface import ALIGNMENT, Block, Memory, Statistics, block_over, system_memory

SLACK = 64 << 20


class Pool:
    """An allocator that keeps what comes back.

    >>> pool = Pool(limit=1 << 20)
    >>> block = pool.block(1000)
    >>> block.ctypes.data % 64, pool.statistics().allocated >= 1000
    (0, True)
    >>> del block
    >>> again = pool.block(1000)
    >>> pool.statistics().reused
    1
    """

    def __init__(self, limit: int, slack: int = SLACK):
        self.limit, self.slack = limit, slack
        self._shelves: dict[int, deque[Memory]] = {}
        self._ages: dict[int, Memory] = {}  # by id, the oldest first
        self._allocated = self._most = self._kept = self._reused = self._fresh = 0
        # A block may die at any time, also while its own thread is in here: what comes back waits at the door.
        self._door: deque[Memory] = deque()
        self._lock = threading.Lock()
        _pools.add(self)

    def block(self, nbytes: int) -> Block:
        """So many bytes: of a memory that was kept, or a fresh one."""
        size = rounded(nbytes)
        with self._lock:
            if self._door:
                self._settle()
            shelf = self._shelves.get(size)
            if shelf:
                memory = shelf.pop()
                del self._ages[id(memory)]
                self._kept -= size
                self._reused += 1
            else:
                self._make_room(size)
                memory = self._asked_for(size)
                self._fresh += 1
            self._allocated += size
            if self._allocated > self._most:
                self._most = self._allocated
        return block_over(memory, nbytes, self)

    def take_back(self, memory: Memory) -> None:
        """Keep a memory that nobody sees any more, or let it go."""
        self._door.append(memory)
        while self._door and self._lock.acquire(blocking=False):
            try:
                self._settle()
            finally:
                self._lock.release()

    def empty(self) -> None:
        """Give back to the system what nobody holds."""
        with self._lock:
            self._settle()
            self._let_go(0)

    def keep_at_most(self, nbytes: int) -> None:
        """Another bound on what is kept; 0 turns the pool off."""
        with self._lock:
            self.limit = nbytes
            self._settle()
            self._let_go(nbytes)

    def statistics(self) -> Statistics:
        """How the pool stands."""
        with self._lock:
            self._settle()
            return Statistics(self._allocated, self._most, self._kept, self._reused, self._fresh)

    # -- with the lock held --------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Take in what waits at the door."""
        while self._door:
            memory = self._door.popleft()
            size = memory.shape[0] - ALIGNMENT
            self._allocated -= size
            if size <= self.limit:
                self._shelves.setdefault(size, deque()).append(memory)
                self._ages[id(memory)] = memory
                self._kept += size
                self._let_go(self.limit)

    def _asked_for(self, size: int) -> Memory:
        """Memory from the system; if it has none, after it got back all that is kept."""
        try:
            return system_memory(size)
        except MemoryError:
            self._let_go(0)
            return system_memory(size)

    def _make_room(self, size: int) -> None:
        """Before the system is asked for more."""
        highest = max(self._most, self.slack)
        if self._allocated + self._kept + size > highest:
            self._let_go(max(0, highest - self._allocated - size))

    def _let_go(self, limit: int) -> None:
        """Give back the oldest until no more than so much is kept."""
        while self._kept > limit:
            oldest = self._ages.pop(next(iter(self._ages)))
            size = oldest.shape[0] - ALIGNMENT
            self._shelves[size].popleft()
            self._kept -= size

    def _after_fork(self) -> None:
        """In a child process: another thread of the parent may have held the lock."""
        self._lock = threading.Lock()


def rounded(nbytes: int) -> int:
    """The size of the memory for so many bytes: an eighth of a power of two more at most, so that sizes meet again.

    >>> rounded(1000), rounded(1025), rounded(1 << 20)
    (1024, 1152, 1048576)
    """
    step = max(ALIGNMENT, 1 << max(0, nbytes.bit_length() - 4))
    return -(-nbytes // step) * step


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


def _renew_locks() -> None:
    for pool in _pools:
        pool._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)
