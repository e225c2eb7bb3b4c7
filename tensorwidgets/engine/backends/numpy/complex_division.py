"""How does PyTorch divide complex numbers? By Smith's way, in which each sum of a product is rounded once.

NumPy has no fused multiply-add of its own, but its product of complex numbers is made of them. Where it is not, on a
processor without such an instruction, a quotient may differ in its last digit.
"""

from __future__ import annotations

import numpy as np

from ...memory.places import as_array
from .in_double import to_out


def fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c, rounded once.

    >>> x = np.array([0.1])
    >>> print(fused(x, x, -x * x))
    [9.0205621e-19]
    """
    size = np.broadcast_shapes(a.shape, b.shape, c.shape)
    kind = np.dtype(f"c{2 * a.dtype.itemsize}")
    first, second = np.empty(size, kind, like=as_array(a)), np.empty(size, kind, like=as_array(a))
    first.real, first.imag, second.real, second.imag = a, 1, b, -c
    return as_array(np.multiply(first, second).real)


def divide(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """The quotient of two arrays.

    >>> print(divide(np.array([1 + 2j]), np.array([2 - 1j])))
    [0.+1.j]
    """
    a, b = as_array(a), as_array(b)
    if a.dtype.kind != "c" or b.dtype.kind != "c":
        return np.true_divide(a, b, out)  # type: ignore[no-any-return]
    c, d = b.real, b.imag
    first = np.abs(c) >= np.abs(d)
    # Where the second part of the divisor is larger, both numbers are turned by a quarter.
    large, small = np.where(first, c, d), np.where(first, d, -c)
    x, y = np.where(first, a.real, a.imag), np.where(first, a.imag, -a.real)
    ratio = small / large
    scale = c.dtype.type(1) / fused(small, ratio, large)
    size = np.broadcast_shapes(a.shape, b.shape)
    result = np.empty(size, a.dtype, like=x) if out is None or out.dtype != a.dtype else out
    zero = (c == 0) & (d == 0)
    parts = fused(y, ratio, x) * scale, fused(-x, ratio, y) * scale
    if zero.any():
        parts = np.where(zero, a.real / np.abs(c), parts[0]), np.where(zero, a.imag / np.abs(d), parts[1])
    result.real, result.imag = parts
    return result if out is None or result is out else to_out(result, out)


divide.on_reals = np.true_divide  # type: ignore[attr-defined]
