"""Threads that help to read and write a file, where there are any to spare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future


@contextmanager
def begun(calls: Sequence[Callable[[], int]]) -> Iterator[list[Future[int]]]:
    """Begin each call in a thread, and wait for all at the end. The list is empty where no thread can be started: under
    a limit of the system, in a browser, and at the end of a program, where not even the library can be imported.

    >>> with begun([lambda: 3, lambda: 4]) as results:
    ...     [result.result() for result in results]
    [3, 4]
    """
    try:
        from concurrent.futures.thread import ThreadPoolExecutor

        pool = ThreadPoolExecutor(len(calls))
    except RuntimeError:
        yield []
        return
    with pool:
        try:
            results = [pool.submit(call) for call in calls]
        except RuntimeError:
            results = []
        yield results
