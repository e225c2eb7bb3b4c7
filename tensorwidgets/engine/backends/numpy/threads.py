"""How many threads compute: BLAS and LAPACK by threadpoolctl, Fourier transforms by their workers.

`set_num_threads` sets all of them; libraries are loaded when it is first called.
"""

from __future__ import annotations

import os
from functools import cache
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
