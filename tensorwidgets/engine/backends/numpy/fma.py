"""a*b + c with one rounding, as processors do it and NumPy does not.

PyTorch's kernels are compiled for processors that multiply and add in one step, so its `linspace` differs in last bits
from what separate steps give. The product and the sums are split into a rounded part and an exact rest; the rests are
rounded to odd, so that the last rounding is the only one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...memory.places import as_array
from .in_double import DOUBLE, SINGLE
from .without_warnings import quietly

_SPLITTER = float(2**27 + 1)
_HALF, _HALF_MASK = 1 << 28, (1 << 29) - 1
"""The highest of the bits that float64 has more than float32, and a mask of all of them."""


def fused(a: np.ndarray, b: Any, c: Any) -> np.ndarray:
    """a*b + c of float32 with one rounding, but for one case in a billion, where a second one follows.

    >>> fused(np.array([3], "f4"), np.array([2], "f4"), np.array([1], "f4"))
    array([7.], dtype=float32)
    """
    # Arrays are converted before, which takes less time than NumPy's conversions on the way.
    return (a.astype(DOUBLE) * b.astype(DOUBLE) + c.astype(DOUBLE)).astype(SINGLE)  # type: ignore[no-any-return]


def fused_sum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The sum of the rows of a*b, one after the other; each product is rounded once with its sum.

    >>> fused_sum(np.ones((2, 3), "f4"), np.ones((2, 3), "f4"))
    array([2., 2., 2.], dtype=float32)
    """
    total, rounded = np.zeros(a.shape[1:], DOUBLE), np.zeros(a.shape[1:], SINGLE)
    for product in a.astype(DOUBLE) * b.astype(DOUBLE):
        np.add(product, total, total)
        rounded[...] = total
        total[...] = rounded
    return rounded


def once_rounded(a: np.ndarray, b: Any, c: Any) -> np.ndarray:
    """a*b + c of float32 or float64, rounded once to their dtype.

    >>> a = np.array(1 + 2**-12, "f4")
    >>> float(once_rounded(a, a, np.array(-1, "f4"))) == 2**-11 + 2**-24, float(a * a - 1) == 2**-11
    (True, True)
    """
    if a.dtype != np.float32:
        return fma(a, b, c)
    wide = [np.asarray(each, np.float64) for each in (a, b, c)]
    return quietly(np.ndarray.astype, as_array(quietly(fma_for_float32, *wide)), np.float32)  # type: ignore[no-any-return]


def fma(a: np.ndarray, b: Any, c: Any) -> np.ndarray:
    """a*b + c for float64, rounded once. Meant for numbers far from the ends of float64's range.

    >>> a = np.array(1 + 2**-30)
    >>> float(fma(a, a, np.array(-1.0))) == 2**-29 + 2**-60, float(a * a - 1.0) == 2**-29
    (True, True)
    """
    return quietly(_rounded_once, a, b, c)  # the parts of a large number may be infinite


def _rounded_once(a: np.ndarray, b: Any, c: Any) -> np.ndarray:
    product, product_rest = _two_product(a, b)
    low, low_rest = _two_sum(c, product_rest)
    high, high_rest = _two_sum(product, low)
    result = high + _sum_to_odd(low_rest, high_rest)
    return np.where(np.isfinite(result), result, a * b + c)


def fma_for_float32(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a*b + c of float32 numbers, in float64, such that rounding it to float32 is the only rounding.

    >>> tie = 1 + 2.0**-24  # half way between two float32
    >>> result = fma_for_float32(np.array(tie), np.array(1.0), np.array(2.0**-80))
    >>> float(np.float32(result)) > 1, float(np.float32(tie + 2.0**-80)) > 1
    (True, False)
    """
    product = a * b
    total = product + c
    # A second rounding can only go wrong where the first one ended half way between two float32.
    if ((as_array(total).view(np.int64) & _HALF_MASK) == _HALF).any():
        return _sum_to_odd(product, c)
    return total


def _two_sum(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _two_product(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    product = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


def _halves(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scaled = _SPLITTER * a
    high = scaled - (scaled - a)
    return high, a - high


def _sum_to_odd(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a + b; where that is inexact, the neighbour whose last bit is odd."""
    total, rest = _two_sum(as_array(a), as_array(b))
    bits = as_array(total).view(np.int64)
    inexact_and_even = (rest != 0) & (bits % 2 == 0)
    outwards = (rest > 0) == (total > 0)
    return np.where(inexact_and_even, (bits + np.where(outwards, 1, -1)).view(np.float64), total)
