"""Limits from one side, and the larger and the smaller of two elements: zeros have the sign that PyTorch's have.

Of two zeros NumPy's maximum gives the second operand, but the first where it computes in float16.
"""

from __future__ import annotations

from collections.abc import Callable
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


BLOCK = 64
"""Bytes that PyTorch's kernels for AVX2 compute at a time, in two registers. What fills no block, and what does not lie
side by side, is computed one by one, and then zeros have other signs: of two, the first one is the result."""


def _choosing(ufunc: np.ufunc) -> Callable:
    def choose(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
        kind = a.dtype.char
        if kind not in "fd" or b.dtype.char != kind:
            return ufunc(a, b, out=out)
        if a.size < 8 > b.size:  # too few for a block of either dtype
            return ufunc(b, a, out=out)
        return _by_blocks(ufunc, a, b, out)

    choose.__name__, choose.one_pass = ufunc.__name__, True  # type: ignore[attr-defined]
    return choose


def _by_blocks(ufunc: np.ufunc, a: np.ndarray, b: np.ndarray, out: np.ndarray | None) -> Any:
    if type(a) is not np.ndarray or type(b) is not np.ndarray:
        return ufunc(a, b, out=out)
    if out is None and a.shape == b.shape and not a.nbytes % BLOCK and a.flags.c_contiguous and b.flags.c_contiguous:
        return ufunc(a, b)
    pair = [x.reshape(-1)[0] if x.size == 1 else x.reshape(-1) for x in (a, b) if x.flags.c_contiguous]
    alike = a.shape == b.shape or 1 in (a.size, b.size) or a.size == b.size == np.broadcast(a, b).size
    length = max(a.size, b.size)
    whole = length - length % (BLOCK // a.itemsize)
    if not whole or not alike or len(pair) < 2 or out is not None and not out.flags.c_contiguous:
        return ufunc(b, a, out=out)
    if whole == length:
        return ufunc(a, b, out=out)
    rest = ufunc(*[x[whole:] if x.ndim else x for x in reversed(pair)])  # before they are written over
    result = ufunc(a, b, out=out)
    result.reshape(-1)[whole:] = rest
    return result


larger, smaller = _choosing(np.maximum), _choosing(np.minimum)
"""The larger and the smaller of two elements.

>>> larger(np.array([0.0, -0.0]), np.array([-0.0, 0.0]))
array([ 0., -0.])
"""
