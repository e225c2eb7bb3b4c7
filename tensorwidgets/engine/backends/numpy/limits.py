"""Limits from one side that keep the sign of a zero, as PyTorch's do.

Of two zeros NumPy's maximum gives the second operand, but the first where it computes in float16.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LARGE = 2048
"""From this many elements on a range without an end is faster: NumPy's clip is vectorised, and its maximum is not."""


def at_least(a: np.ndarray, low: Any, out: np.ndarray | None = None) -> Any:
    """The elements, or `low` where they are smaller.

    >>> at_least(np.array([-0.0, -3.0, 2.0]), 0.0)
    array([-0.,  0.,  2.])
    """
    if a.dtype.char in "fd":
        return np.clip(a, low, np.inf, out=out) if a.size >= LARGE else np.maximum(low, a, out=out)
    return np.maximum(a, low, out=out) if a.dtype.char == "e" else np.maximum(low, a, out=out)


def at_most(a: np.ndarray, high: Any, out: np.ndarray | None = None) -> Any:
    """The elements, or `high` where they are larger.

    >>> at_most(np.array([-0.0, -3.0, 2.0]), 0.0)
    array([-0., -3.,  0.])
    """
    if a.dtype.char in "fd":
        return np.clip(a, -np.inf, high, out=out) if a.size >= LARGE else np.minimum(high, a, out=out)
    return np.minimum(a, high, out=out) if a.dtype.char == "e" else np.minimum(high, a, out=out)


at_least.one_pass = at_most.one_pass = True  # type: ignore[attr-defined]
