"""How does PyTorch divide complex numbers? By Smith's way, in which each sum of a product is rounded once.

NumPy has no fused multiply-add of its own, but its product of complex numbers is made of them, where the processor has
such an instruction. Quotients of large arrays may differ in their last digit.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ...memory.places import as_array
from .fma import once_rounded
from .in_double import to_out

EXACT = 1 << 12
"""The number of elements up to which quotients are rounded as PyTorch rounds them. NumPy's own take less time."""


def fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c of arrays of one size, rounded once.

    >>> print(fused(np.array([2.0]), np.array([3.0]), np.array([1.0])))
    [7.]
    """
    if not _products_are_fused(c.dtype):
        return once_rounded(a, b, c)
    return _by_complex_product(a, b, c)


def _by_complex_product(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    first = np.full(c.shape, 1j, f"c{2 * c.dtype.itemsize}")
    second = np.empty(c.shape, first.dtype)
    first.real, second.real, second.imag = a, b, c
    return as_array(np.multiply(first, np.conjugate(second)).real)


@cache
def _products_are_fused(dtype: np.dtype) -> bool:
    """Whether this processor multiplies complex numbers with sums that are rounded once."""
    small = dtype.type(np.finfo(dtype).eps)
    one = np.full(9, 1 + small)
    return bool(_by_complex_product(one, one, -1 - 2 * small + np.zeros_like(one)).all())


def divide(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """The quotient of two arrays.

    >>> print(divide(np.array([1 + 2j]), np.array([2 - 1j])))
    [0.+1.j]
    """
    if not isinstance(a, _HERE) or not isinstance(b, _HERE) or a.dtype.kind != "c" or a.dtype != b.dtype:
        return np.true_divide(a, b, out)  # type: ignore[no-any-return]
    if max(a.size, b.size) > EXACT:
        return np.true_divide(a, b, out)  # type: ignore[no-any-return]
    a, b = as_array(a), as_array(b)
    if a.shape != b.shape:
        a, b = np.broadcast_arrays(a, b)
    c, d, x, y = b.real, b.imag, a.real, a.imag
    first = np.abs(c) >= np.abs(d)
    if not first.all():  # where the second part of the divisor is larger, both numbers are turned by a quarter
        c, d, x, y = np.where(first, c, d), np.where(first, d, -c), np.where(first, x, y), np.where(first, y, -x)
    ratio = np.true_divide(d, c)
    scale = np.true_divide(c.dtype.type(1), fused(d, ratio, c))
    parts = fused(np.array((y, -x)), ratio, np.array((x, y)))
    result = np.empty(a.shape, a.dtype) if out is None or out.dtype != a.dtype else out
    zero = None if c.all() else b == 0
    if zero is None:
        np.multiply(parts, scale, parts)
    else:
        both = np.abs(np.array((b.real, b.imag)))
        parts = np.where(zero, np.true_divide(np.array((a.real, a.imag)), both), parts * scale)
    result.real, result.imag = parts
    return result if out is None or result is out else to_out(result, out)


_HERE = (np.ndarray, np.generic)
"""What has its numbers in main memory."""

divide.on_reals = np.true_divide  # type: ignore[attr-defined]
