"""Large work in pieces: on several threads, and each piece small enough to stay in a core's cache.

NumPy lets go of the interpreter while it computes, so threads that work on different pieces of one result run side by
side. The numbers are the same with any count of threads: where a piece is summed up, which pieces there are does not
depend on it.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable
from math import prod
from queue import SimpleQueue
from typing import Any

import numpy as np

from .quiet import CONVERTED
from .threads import get_num_threads

FROM = 1 << 18
"""From so many elements on work that makes arrays on its way is cut, so that these stay in the cache."""

THREADED = 1 << 20
"""From so many on work of one step is cut: below, waking another thread (24 µs) costs more than it brings."""

PIECE = 1 << 16
"""About so many elements make a piece: they and what is computed on the way fit into a core's cache."""


def cuts(size: tuple[int, ...], strides: tuple[int, ...], piece: int | None = None) -> list[tuple[slice, ...]]:
    """Keys that cut an array into pieces of nearly one length, along the dimension whose steps are the longest.

    >>> cuts((4, 3), (12, 4), 6)
    [(slice(0, 2, None),), (slice(2, 4, None),)]
    """
    piece = piece or PIECE
    count = -(-prod(size) // piece)
    axis = max(range(len(size)), key=lambda d: (size[d] > 1, strides[d]))
    if size[axis] < count:
        axis = max(range(len(size)), key=size.__getitem__)
    count = max(1, min(size[axis], count))
    edges = [size[axis] * i // count for i in range(count + 1)]
    before = (slice(None),) * axis
    return [(*before, slice(start, stop)) for start, stop in zip(edges, edges[1:], strict=False)]


def share(count: int) -> int:
    """How many elements a piece has where pieces are for the threads' sake alone: a few for each of them."""
    threads = get_num_threads()
    return count if threads == 1 or count < THREADED else max(PIECE, -(-count // (4 * threads)))


def spans(length: int, piece: int) -> list[slice]:
    """A row of so many elements in pieces of so many.

    >>> spans(5, 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return [slice(start, min(start + piece, length)) for start in range(0, length, piece)]


def each(function: Callable[[Any], object], pieces: Iterable[Any]) -> None:
    """Call a function with every piece, on as many threads as `set_num_threads` allows. The caller works, too.

    >>> found = []
    >>> each(found.append, range(3))
    >>> sorted(found)
    [0, 1, 2]
    """
    job = _Job(function, pieces)
    _workers.invite(job, min(get_num_threads(), len(job.todo)) - 1)
    job.lead()


class _Job:
    """Pieces of one call, taken one after the other by whoever has time."""

    def __init__(self, function: Callable[[Any], object], pieces: Iterable[Any]):
        self.function = function
        self.todo = deque(pieces)
        self.total = len(self.todo)
        self.done: SimpleQueue[BaseException | None] = SimpleQueue()

    def help(self) -> None:
        """Work on pieces until none is left."""
        while True:
            try:
                piece = self.todo.popleft()
            except IndexError:
                return
            self.done.put(self._outcome(piece))

    def lead(self) -> None:
        """Work as all others do, then wait for the pieces that they still work on."""
        own = 0
        failed: BaseException | None = None
        try:
            while True:
                try:
                    piece = self.todo.popleft()
                except IndexError:
                    break
                own += 1
                self.function(piece)
        except BaseException as error:
            failed = error
        self._drop_the_rest()
        # Those who were invited and never came are not waited for: only pieces count.
        for _ in range(self.total - own):
            failed = self.done.get() or failed
        self.function = _done  # one who comes late finds nothing to do, and must not keep the arrays alive till then
        if failed is not None:
            raise failed

    def _outcome(self, piece: Any) -> BaseException | None:
        try:
            self.function(piece)
        except BaseException as error:
            self._drop_the_rest()
            return error
        return None

    def _drop_the_rest(self) -> None:
        """Take what is left, and count it as done, so that nobody waits for it."""
        while True:
            try:
                self.todo.popleft()
            except IndexError:
                return
            self.done.put(None)


def _done(piece: Any) -> None:
    """What is left of a job that is finished."""


class _Workers:
    """Threads that wait for jobs. They are started when they are first needed."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[_Job] = SimpleQueue()
        self.count = 0
        self.lock = threading.Lock()

    def invite(self, job: _Job, helpers: int) -> None:
        if helpers > self.count:
            with self.lock:
                for n in range(self.count, helpers):
                    threading.Thread(target=self.work, name=f"tensorwidgets-{n}", daemon=True).start()
                self.count = max(self.count, helpers)
        for _ in range(helpers):
            self.jobs.put(job)

    def work(self) -> None:
        np.seterr(all="ignore")  # these hold in this thread alone
        np.setbufsize(CONVERTED)
        while True:
            self.jobs.get().help()


_workers = _Workers()


def _start_anew() -> None:
    """In a child process there are no threads but the one that forked."""
    global _workers
    _workers = _Workers()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
