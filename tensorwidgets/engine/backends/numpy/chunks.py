"""Large work in pieces: on several threads, and each piece small enough to stay in a core's cache.

NumPy releases the interpreter lock while it computes, so threads work on different pieces of one result at the same
time. The numbers are the same for any number of threads: sums use pieces that do not depend on it.
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
"""From this many elements on, work with temporary arrays is cut, so that these stay in the cache."""

THREADED = 1 << 20
"""From this many elements on, NumPy's own functions are cut: waking a thread (24 µs) costs more than fewer save."""

PIECE = 1 << 16
"""Elements in a piece, about: they and their temporary arrays fit into a core's cache."""


def cuts(size: tuple[int, ...], strides: tuple[int, ...], piece: int | None = None) -> list[tuple[slice, ...]]:
    """Keys that cut an array into pieces of nearly equal length, along the dimension of the largest stride.

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


def elements_per_piece(count: int, function: Any = None) -> int:
    """The number of elements in a piece if only threads need pieces: a few pieces for each thread.

    A function that is not one of NumPy's takes several steps, or many instructions for each element.
    """
    threads = get_num_threads()
    least = THREADED if function is None or isinstance(function, np.ufunc) else FROM
    return count if threads == 1 or count < least else max(PIECE, -(-count // (4 * threads)))


def spans(length: int, piece: int) -> list[slice]:
    """Slices that cut `length` elements into pieces of `piece` elements.

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

    A signal, an interrupt, a finaliser that computes or a fork may come between any two steps. There is no
    lock and no counter that an interrupt could leave wrong: each helper notes its arrival before its first piece, and
    its end. When no piece is left, the job is done as soon as all helpers that arrived have left.
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
        """Invite helpers, work on pieces, and wait for the helpers. After an error no thread takes a new piece."""
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
            raise RuntimeError("this process was forked in the middle of an operation, and has none of its threads")

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
                self.bell.get(timeout=1)  # in a process that was forked meanwhile no helper rings

    def _fail(self, error: BaseException) -> None:
        self.errors.append(error)
        self.todo.clear()


def _is_ordinary(error: BaseException) -> bool:
    """Whether an error is less urgent than an interrupt."""
    return isinstance(error, Exception)


def _done(piece: Any) -> None:
    """The function of a finished job."""


class _Workers:
    """Threads that wait for jobs. They are started when they are first needed."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[_Job] = SimpleQueue()
        self.started: deque[None] = deque()

    def invite(self, job: _Job, helpers: int) -> None:
        """Ask for help. An interrupt or another thread may leave a surplus thread or invitation, which is harmless."""
        try:
            for _ in range(helpers - len(self.started)):
                start_new_thread(self.work, ())  # `threading` would take locks of its own, which a signal may find held
                self.started.append(None)
        except RuntimeError:  # the system has no thread to spare: the existing ones help
            pass
        for _ in range(helpers):
            self.jobs.put(job)

    def work(self) -> None:
        """Help with jobs forever."""
        np.seterr(all="ignore")  # these hold in this thread alone
        np.setbufsize(CONVERTED)
        while True:
            self.jobs.get().help()


_workers = _Workers()


def _reset_after_fork() -> None:
    """Forget the workers: a child process has only the thread that forked."""
    global _workers
    _workers = _Workers()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)
