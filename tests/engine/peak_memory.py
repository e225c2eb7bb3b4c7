"""How much memory a call takes, as Python and NumPy count it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any


def peak(call: Callable[[], Any]) -> int:
    """The most bytes that a call held beyond what was there before."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
