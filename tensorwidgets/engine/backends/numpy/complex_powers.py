"""Powers of complex numbers with complex exponents, as the library of C computes them: exp(b log a)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .without_warnings import silent


@silent
def power(a: Any, b: Any) -> Any:
    """The power of complex arrays of one dtype; NumPy would multiply where the exponent is a small whole number.

    >>> power(np.array([-2 + 0j]), np.array([-2 + 0j]))
    array([0.25+6.123234e-17j])
    """
    if not a.ndim and not b.ndim:
        return power(a.reshape(1), b.reshape(1)).reshape(())
    return np.exp(_product(b, np.log(a)))


def _product(x: Any, y: Any) -> Any:
    """A product by the rules of C (Annex G), which is infinite where a factor is; NumPy may round it once less."""
    x, y = np.broadcast_arrays(x, y)
    a, b, c, d = x.real, x.imag, y.real, y.imag
    result = np.empty_like(x)
    result.real, result.imag = a * c - b * d, a * d + b * c
    lost = np.isnan(result.real) & np.isnan(result.imag)
    if lost.any():
        result[lost] = _recovered(x[lost], y[lost])
    return result


def _recovered(x: Any, y: Any) -> Any:
    """Products that came out as NaN: what is infinite is taken for 1, and what is NaN beside it for 0."""
    a, b, c, d = x.real, x.imag, y.real, y.imag
    overflowed = np.logical_or.reduce([np.isinf(part) for part in (a * c, b * d, a * d, b * c)])
    first = np.isinf(a) | np.isinf(b)
    a, b, c, d = _unit(a, first), _unit(b, first), _nothing(c, first), _nothing(d, first)
    second = np.isinf(c) | np.isinf(d)
    a, b, c, d = _nothing(a, second), _nothing(b, second), _unit(c, second), _unit(d, second)
    overflowed &= ~first & ~second
    a, b, c, d = (_nothing(each, overflowed) for each in (a, b, c, d))
    scale = np.where(first | second | overflowed, np.inf, np.nan).astype(a.dtype)
    result = np.empty_like(x)
    result.real, result.imag = scale * (a * c - b * d), scale * (a * d + b * c)
    return result


def _unit(part: Any, where: Any) -> Any:
    return np.where(where, np.copysign(np.isinf(part).astype(part.dtype), part), part)


def _nothing(part: Any, where: Any) -> Any:
    return np.where(where & np.isnan(part), np.copysign(part.dtype.type(0), part), part)
