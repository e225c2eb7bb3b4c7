"""A pool: it keeps memory that nothing refers to any more for the next result of the same size.

Most of the time of a large operation goes into its result's memory, which the system hands out page by page as it is
first written to. Memory that was written to before has its pages already.

The pool keeps at most `limit` bytes, and what it keeps never lifts the whole above the most that was in use at one time
(or a small `slack`): before it asks the system for more it gives back as much of what it has. No code runs when an
array dies, so the pool bounds what may come back: memory of the latest arrays, `limit` bytes in all. Memory of older
ones goes to the system when they die.

Other threads, signal handlers, finalisers that compute, Ctrl-C and a fork may come between any two steps. There is no
lock. Every step that changes the pool is one call of C on a set, a deque or a dict, and after each of them the state is
right: an interrupted call can lose a memory to the system, and no more. Statistics are read off the containers.
"""

from __future__ import annotations

from itertools import count
from math import prod
from operator import itemgetter

import numpy as np

from .highest import Events, Highest
from .interface import ALIGNMENT, Memory, Statistics, start_of, system_memory
from .shelf import Shelf

SLACK = 64 << 20


class Pool:
    """An allocator that reuses memory.

    >>> pool = Pool(limit=1 << 20)
    >>> array = pool.array((10, 25), np.dtype("f4"))
    >>> array.ctypes.data % 64, pool.statistics().allocated >= 1000
    (0, True)
    >>> del array
    >>> again = pool.array((1000,), np.dtype("u1"))
    >>> pool.statistics().reused
    1
    """

    def __init__(self, limit: int, slack: int = SLACK):
        self.limit, self.slack = limit, slack
        self._shelves: dict[int, Shelf] = {}
        self._next_number = count().__next__
        self._most, self._reused, self._fresh = Highest(), Events(), Events()
        self._whole = Highest()
        """The highest number of bytes in use and kept together."""

    def array(self, size: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """An array over reused memory, or over fresh memory."""
        nbytes = rounded(prod(size) * dtype.itemsize)
        shelf = self._shelves.get(nbytes) or self._shelves.setdefault(nbytes, Shelf(nbytes))
        taken = shelf.take()
        if taken is None:
            return self._fresh_array(size, dtype, shelf)
        memory, start = taken
        array = np.ndarray(size, dtype, memory, start)
        shelf.lend(array, memory, start, self._next_number())
        self._reused.count()
        if max(self._whole.seen) > max(self._most.seen):  # else what is in use cannot exceed its highest
            self._most.add(self._sums()[0])
        return array

    def _fresh_array(self, size: tuple[int, ...], dtype: np.dtype, shelf: Shelf) -> np.ndarray:
        """An array over memory from the system."""
        self._make_room(shelf.size)
        memory = self._request(shelf.size)
        start = start_of(memory)
        array = np.ndarray(size, dtype, memory, start)
        if shelf.size <= self.limit:
            shelf.lend(array, memory, start, self._next_number())
        else:
            shelf.lend_apart(array)
        self._fresh.count()
        in_use, to_come, back = self._sums()
        self._most.add(in_use)
        self._whole.add(in_use + back)
        if to_come + back > self.limit:
            self._forget_oldest(self.limit)
        return array

    def empty(self) -> None:
        """Return the memory that nothing refers to to the system."""
        for shelf in list(self._shelves.values()):
            shelf.back.clear()

    def keep_at_most(self, nbytes: int) -> None:
        """Set the limit of bytes to keep; 0 turns the pool off."""
        self.limit = nbytes
        self._forget_oldest(nbytes)

    def statistics(self) -> Statistics:
        """How much is in use, and how much is kept."""
        allocated, kept = self._sums()[0], 0
        for shelf in list(self._shelves.values()):
            free, held = shelf.kept_and_held()
            kept += shelf.size * free
            allocated += shelf.size * held
        self._most.add(allocated)
        return Statistics(allocated, self._most.value, kept, self._reused.value, self._fresh.value)

    def _sums(self) -> tuple[int, int, int]:
        """Bytes in use, how many of these will return to the pool, and bytes that the pool keeps."""
        in_use = to_come = back = 0
        for shelf in list(self._shelves.values()):
            size, lent = shelf.size, len(shelf.lent)
            in_use += size * (lent + len(shelf.apart))
            to_come += size * lent
            back += size * len(shelf.back)
        return in_use, to_come, back

    def _request(self, nbytes: int) -> Memory:
        """Memory from the system; if it refuses, return everything that is kept and try again."""
        try:
            return system_memory(nbytes)
        except MemoryError:
            self.empty()
            return system_memory(nbytes)

    def _make_room(self, nbytes: int) -> None:
        """Return the oldest kept memory until `nbytes` more do not exceed the highest use."""
        highest = max(self._most.value, self.slack)
        while True:
            in_use, _, back = self._sums()
            if not back or in_use + back + nbytes <= highest:
                break
            backs = filter(None, map(Shelf.oldest, list(self._shelves.values())))
            for _, shelf, loan in sorted(backs, key=itemgetter(0))[:1]:
                shelf.forget(loan)
        self._whole.add(in_use + back + nbytes)

    def _forget_oldest(self, limit: int) -> None:
        """Release the oldest memories until at most `limit` bytes are kept or will return.

        If there are many, release an eighth more than needed, so that sorting them is rare.
        """
        line = sorted([each for shelf in list(self._shelves.values()) for each in shelf.line()], key=itemgetter(0))
        spare = len(line) // 8
        for _, shelf, which in line:
            if sum(self._sums()[1:]) <= limit:
                if not spare:
                    return
                spare -= 1
            shelf.forget(which)


def rounded(nbytes: int) -> int:
    """The size of the memory for a number of bytes, rounded up by at most an eighth so that similar sizes share it.

    >>> rounded(1000), rounded(1025), rounded(1 << 20)
    (1024, 1152, 1048576)
    """
    step = ALIGNMENT if nbytes < 1024 else 1 << nbytes.bit_length() - 4
    return -(-nbytes // step) * step
