"""torch.cuda.nvtx: labels for a profiler of NVIDIA. None looks at a simulated GPU; without a GPU labels are refused.

>>> import tensorwidgets as torch
>>> with torch.cuda.simulate(memory="1 MiB"), torch.cuda.nvtx.range("step {}", 3):
...     print(torch.cuda.nvtx.range_push("loss"), torch.cuda.nvtx.range_pop())
tensorwidgets simulates 1 GPU of 1 MiB: 'cuda' is a part of main memory, and NumPy computes there.
1 1
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from ..engine.compat.streams import _gpus

__all__ = ["mark", "range", "range_end", "range_pop", "range_push", "range_start"]


class _Open(threading.local):
    ranges = 0


_open, _numbers = _Open(), count(1)


def mark(msg: str) -> None:
    """Labels a moment."""
    _gpus().present("nvtx")


def range_push(msg: str) -> int:
    """Begins a range inside the one that this thread began last; returns how many are around it."""
    _gpus().present("nvtx")
    _open.ranges += 1
    return _open.ranges - 1


def range_pop() -> int:
    """Ends the range that this thread began last; returns how many are around it."""
    _gpus().present("nvtx")
    _open.ranges -= 1
    return _open.ranges


def range_start(msg: str) -> int:
    """Begins a range that any thread may end by the number that is returned."""
    _gpus().present("nvtx")
    return next(_numbers)


def range_end(range_id: int) -> None:
    """Ends the range with a number."""
    _gpus().present("nvtx")


@contextmanager
def range(msg: str, *args: Any, **kwargs: Any) -> Iterator[None]:
    """Labels what a block or a function does."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
