"""Large arrays without the pool, for a while: each has memory of its own, so that every allocation can be recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod

import numpy as np

from . import main_memory
from .interface import Statistics, start_of, system_memory


class Unpooled:
    """An allocator that keeps nothing: each array has fresh memory, which goes back to the system with it."""

    def __init__(self, tell: Callable[[int], None]):
        self.tell = tell
        self.fresh = 0

    def array(self, size: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """An array over fresh memory. Before it is made, `tell` gets its bytes, without those for alignment."""
        nbytes = prod(size) * dtype.itemsize
        self.fresh += 1
        self.tell(nbytes)
        memory = system_memory(nbytes)
        return np.ndarray(size, dtype, memory, start_of(memory))

    def empty(self) -> None:
        """There is nothing to return."""

    def statistics(self) -> Statistics:
        """Only how many arrays there were: where they are now is not known."""
        return Statistics(0, 0, 0, 0, self.fresh)


@contextmanager
def unpooled(tell: Callable[[int], None]) -> Iterator[None]:
    """Large arrays come from the system and not from the pool. The caching allocator stays where it is in use.

    >>> told = []
    >>> with unpooled(told.append):
    ...     a = main_memory.MAIN_MEMORY.zeros((1 << 20,), np.dtype("f4"))
    >>> told
    [4194304]
    """
    before = main_memory._in_use
    if before is not main_memory.shared_pool:
        yield
        return
    main_memory._in_use = Unpooled(tell)
    try:
        yield
    finally:
        main_memory._in_use = before
