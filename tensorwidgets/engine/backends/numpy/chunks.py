"""Large work in pieces: on several threads, and each piece small enough to stay in a core's cache.

NumPy lets go of the interpreter while it computes, so threads that work on different pieces of one result run side by
side. The numbers are the same with any count of threads: where a piece is summed up, which pieces there are does not
depend on it.
"""

from __future__ import annotations

import os
from _thread import start_new_thread
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from math import prod
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from .threads import get_num_threads
from .without_warnings import CONVERTED

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


def elements_per_piece(count: int) -> int:
    """How many elements a piece has where pieces are for the threads' sake alone: a few for each of them."""
    threads = get_num_threads()
    return count if threads == 1 or count < THREADED else max(PIECE, -(-count // (4 * threads)))


def spans(length: int, piece: int) -> list[slice]:
    """A row of so many elements in pieces of so many.

    >>> spans(5, 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return [slice(start, min(start + piece, length)) for start in range(0, length, piece)]


def run_parallel(function: Callable[[Any], object], pieces: Iterable[Any]) -> None:
    """Call a function with every piece, on as many threads as `set_num_threads` allows. The caller works, too.

    >>> made = []
    >>> run_parallel(made.append, range(3))
    >>> sorted(made)
    [0, 1, 2]
    """
    _Job(function, pieces).lead()


class _Job:
    """Pieces of one call. The thread that calls leads: it works, too, and waits for its helpers at the end.

    A signal, an interrupt, a finaliser that computes or a fork may come between any two steps. Nothing is locked, and
    nothing is counted that an interrupt could leave uncounted: each helper notes that it came, before its first piece,
    and that it left. When no piece is left to take, the job is done as soon as all who came have left.
    """

    __slots__ = ("function", "todo", "came", "left", "bell", "errors", "process")

    def __init__(self, function: Callable[[Any], object], pieces: Iterable[Any]):
        self.function = function
        self.todo = deque(pieces)
        self.came: deque[None] = deque()
        self.left: deque[None] = deque()
        self.bell: SimpleQueue[None] = SimpleQueue()
        self.errors: deque[BaseException] = deque()
        self.process = os.getpid()

    def help(self) -> None:
        """Work on pieces until none is left."""
        self.came.append(None)
        try:
            self._work()
        except BaseException as error:
            self._fail(error)
        finally:
            self.left.append(None)
            self.bell.put(None)

    def lead(self) -> None:
        """Ask others to help, work as they do, and wait for those who came. After an error nobody takes a new piece."""
        helpers = min(get_num_threads(), len(self.todo)) - 1
        while True:
            try:
                if helpers > 0:
                    _workers.invite(self, helpers)
                self._work()
                self._wait()
                break
            except BaseException as error:
                helpers = 0
                self._fail(error)
        self.function = _done  # a helper that comes now has nothing to do, and must not keep the arrays alive
        if self.errors:
            failure = min(self.errors, key=_is_ordinary)
            self.errors.clear()
            try:
                raise failure
            finally:
                del failure  # else error, traceback and this frame hold each other, and the arrays
        if os.getpid() != self.process:
            raise RuntimeError("this process was forked in the middle of an operation; its other threads are not here")

    def _work(self) -> None:
        while True:
            try:
                piece = self.todo.popleft()
            except IndexError:
                return
            self.function(piece)

    def _wait(self) -> None:
        while len(self.left) < len(self.came) and os.getpid() == self.process:
            with suppress(Empty):
                self.bell.get(timeout=1)  # in a process that was forked meanwhile nobody rings

    def _fail(self, error: BaseException) -> None:
        self.errors.append(error)
        self.todo.clear()


def _is_ordinary(error: BaseException) -> bool:
    """Whether an error is less urgent than an interrupt."""
    return isinstance(error, Exception)


def _done(piece: Any) -> None:
    """What remains of a job that is done."""


class _Workers:
    """Threads that wait for jobs. They are started when they are first needed."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[_Job] = SimpleQueue()
        self.started: deque[None] = deque()

    def invite(self, job: _Job, helpers: int) -> None:
        """Ask for help. If an interrupt or another thread comes between, some thread or invitation is one too many."""
        try:
            for _ in range(helpers - len(self.started)):
                start_new_thread(self.work, ())  # `threading` would take locks of its own, which a signal may find held
                self.started.append(None)
        except RuntimeError:  # the system has no thread to spare: those that there are help
            pass
        for _ in range(helpers):
            self.jobs.put(job)

    def work(self) -> None:
        """What a thread does."""
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
