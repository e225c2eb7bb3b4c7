"""How many threads compute: BLAS and LAPACK by threadpoolctl, Fourier transforms by their workers.

`set_num_threads` sets all of them; libraries are loaded when it is first called.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import Any

from ...errors.reasons import refuse

_threads: int | None = None
_interop: int | None = None
_limits: Any = None


def get_num_threads() -> int:
    """How many threads an operation may use.

    >>> get_num_threads() >= 1
    True
    """
    return _threads or _cores()


@cache
def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def set_num_threads(n: int) -> None:
    """Set the number of threads that an operation may use, in BLAS, LAPACK and Fourier transforms."""
    global _threads, _limits
    _threads = _checked_count("set_num_threads", n)
    from threadpoolctl import threadpool_limits

    # The limits hold as long as this object lives.
    _limits = threadpool_limits(_threads)


class _Restraint:
    """Who wants BLAS on one thread at this moment, and how many threads it had before the first of them."""

    def __init__(self) -> None:
        self.lock = RLock()  # a finaliser or a signal may come while it is held, and compute
        self.users: set[object] = set()
        self.before: list[tuple[Any, int]] = []

    def add(self, user: object) -> None:
        with self.lock:
            first = not self.users
            self.users.add(user)
            if first:
                self.before = [(library, library.num_threads) for library in _blas()]
                for library, _ in self.before:
                    library.set_num_threads(1)

    def remove(self, user: object) -> None:
        with self.lock:
            self.users.discard(user)
            if not self.users:
                for library, count in self.before:
                    library.set_num_threads(_threads or count)
                self.before = []


_restraint = _Restraint()


@cache
def _blas() -> tuple[Any, ...]:
    from threadpoolctl import ThreadpoolController

    return tuple(ThreadpoolController().select(user_api="blas").lib_controllers)


@contextmanager
def one_thread_of_blas() -> Iterator[None]:
    """BLAS computes on one thread as long as this lasts: several of ours call it, and would wait for each other.

    >>> with one_thread_of_blas():
    ...     {library.num_threads for library in _blas()}
    {1}
    """
    user = object()
    try:
        _restraint.add(user)
        yield
    finally:
        _restraint.remove(user)


def get_num_interop_threads() -> int:
    """The number that `set_num_interop_threads` set. It has no effect: operations run one after the other."""
    return _interop or 1


def set_num_interop_threads(n: int) -> None:
    """Store the number for `get_num_interop_threads`. It has no effect: operations run one after the other."""
    global _interop
    number = _checked_count("set_num_interop_threads", n)
    if _interop is not None:
        refuse(
            RuntimeError,
            "Error: cannot set number of interop threads after parallel work has started or set_num_interop_threads "
            "called",
            "as in PyTorch, the number can be set only once",
            rule="threads.interop",
        )
    _interop = number


def _checked_count(name: str, n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int):
        kind = type(n).__name__
        refuse(
            RuntimeError,
            f"{name} expects an int, but got {kind}",
            "pass an integer",
            rule="threads.count",
        )
    if n < 1:
        refuse(RuntimeError, f"{name} expects a positive integer", "one thread at least", rule="threads.count")
    return n


def parallel_info() -> str:
    """What computes in parallel, and with how many threads."""
    from threadpoolctl import threadpool_info

    lines = [
        "ATen/Parallel:",
        f"\tat::get_num_threads() : {get_num_threads()}",
        f"\tat::get_num_interop_threads() : {get_num_interop_threads()}",
        f"\tstd::thread::hardware_concurrency() : {os.cpu_count()}",
        "Libraries:",
    ]
    for pool in sorted(threadpool_info(), key=lambda p: (p["user_api"], p["internal_api"])):
        lines.append(f"\t{pool['user_api']}: {pool['internal_api']}, {pool['num_threads']} threads")
    lines.append(f"\tfft: pocketfft, rows on {get_num_threads()} threads")
    return "\n".join(lines) + "\n"
