"""Kernels of pointwise ops where NumPy differs from PyTorch: signs of zeros, division by 0, shifts past the width.

Each takes arrays and an array to write to, as NumPy's own functions do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends.numpy import complex_powers, in_double
from ...errors.reasons import refuse
from ...memory.places import as_array


def add(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
    return np.add(a, times(b, 1), out) if as_array(b).dtype.kind == "c" else np.add(a, b, out)


def subtract(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
    return np.add(a, times(b, -1), out) if as_array(b).dtype.kind == "c" else np.subtract(a, b, out)


def _negative_of_reals(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    # NumPy (2.4.6) reads the wrong elements where both are strided, the input by as many elements as one has bytes.
    result = np.negative(a)
    if out is None:
        return result
    out[...] = result
    return out


def negative(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    result = as_array(np.negative(a))
    if result.dtype.kind == "c" and result.ndim and type(result) is np.ndarray:
        _lose_signs(result)
    if out is None:
        return result
    out[...] = result
    return out


def _lose_signs(negated: np.ndarray) -> None:
    """PyTorch subtracts complex numbers from 0 where it takes 64 bytes at once, so zeros there have no sign. It negates
    those that are left over at the end.
    """
    at_once = 64 // negated.itemsize
    if negated.flags.f_contiguous:
        negated = negated.T
    if negated.flags.c_contiguous:
        negated = negated.reshape(-1)
    whole = negated[..., : negated.shape[-1] // at_once * at_once]
    np.add(whole, 0, whole)


add.on_reals, subtract.on_reals = np.add, np.subtract  # type: ignore[attr-defined]
negative.on_reals = _negative_of_reals  # type: ignore[attr-defined]


def times(b: np.ndarray, alpha: Any) -> np.ndarray:
    """PyTorch's sum multiplies by alpha, also by 1; with complex numbers signs of zeros and infinities show it."""
    return np.multiply(as_array(b).dtype.type(alpha), b)


def no_zero_divisor(b: np.ndarray, size: int) -> None:
    if b.dtype.kind in "iu" and not np.all(b) and size:
        refuse(RuntimeError, "ZeroDivisionError", "an integer cannot be divided by 0", "x / y", rule="division.zero")


def floor_divide(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
    no_zero_divisor(as_array(b), as_array(a).size)
    d = as_array(a).dtype
    if d.kind in "fV":
        result = np.floor_divide(a, b) if d.itemsize > 2 else _floor_divide_by_steps(a, b)
        # NumPy answers nan for a division by zero where PyTorch goes on with the quotient.
        result = np.where(np.equal(b, 0), np.true_divide(a, b), result)
        if out is None:
            return result.astype(np.result_type(a, b), copy=False)
        out[...] = result
        return out
    return np.floor_divide(a, b) if out is None else np.floor_divide(a, b, out)


def _floor_divide_by_steps(a: np.ndarray, b: np.ndarray) -> Any:
    """The quotient of 16-bit floats, rounded down; each step is rounded to 16 bits, as in PyTorch."""
    left = np.fmod(a, b)
    quotient = (a - left) / b
    one = quotient.dtype.type(1)
    quotient = np.where((left != 0) & ((b < 0) != (left < 0)), quotient - one, quotient)
    whole = np.floor(quotient)
    whole = np.where(quotient - whole > 0.5, whole + one, whole)
    return np.where(quotient == 0, np.copysign(quotient, a / b), whole)


def trunc_divide(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
    no_zero_divisor(as_array(b), as_array(a).size)
    if as_array(a).dtype.kind in "fV":
        result = np.trunc(np.true_divide(a, b))
    else:
        result = np.floor_divide(a, b)
        result = result + ((np.remainder(a, b) != 0) & (result < 0)).astype(result.dtype)
    if out is None:
        return result
    out[...] = result
    return out


def remainder(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
    no_zero_divisor(as_array(b), as_array(a).size)
    if as_array(a).dtype.kind not in "iub":
        # A remainder of 0 keeps the sign of the dividend; NumPy's has that of the divisor.
        left = np.fmod(a, b)
        result = np.where((left != 0) & ((b < 0) != (left < 0)), left + b, left).astype(left.dtype, copy=False)
        if out is None:
            return result
        out[...] = result
        return out
    return np.remainder(a, b) if out is None else np.remainder(a, b, out)


def fmod(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
    no_zero_divisor(as_array(b), as_array(a).size)
    return np.fmod(a, b) if out is None else np.fmod(a, b, out)


_EASY_POWERS: dict[float, Callable] = {
    2.0: lambda a, out=None: np.multiply(a, a, out),
    3.0: lambda a, out=None: np.multiply(np.multiply(a, a), a, out),
    -0.5: lambda a, out=None: np.true_divide(a.dtype.type(1), np.sqrt(a), out),
    -1.0: lambda a, out=None: np.true_divide(a.dtype.type(1), a, out),
    -2.0: lambda a, out=None: np.true_divide(a.dtype.type(1), np.multiply(a, a), out),
}
"""Exponents for which PyTorch multiplies, divides or takes roots instead of calling pow."""

_EASY_COMPLEX_POWERS: dict[complex, Callable] = {
    0.5: lambda a, out=None: np.sqrt(a, out),
    **{power: _EASY_POWERS[power] for power in (2.0, 3.0, -0.5, -1.0, -2.0)},
}


def power(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
    a, b = as_array(a), as_array(b)
    if a.dtype.kind == "i" and b.dtype.kind == "i" and (b < 0).any():
        # PyTorch's answer for whole numbers: 1 and -1 keep their size, everything else is cut to 0.
        even = b % 2 == 0
        small = np.where(a == 1, 1, np.where(a == -1, np.where(even, 1, -1), 0)).astype(a.dtype)
        result = np.where(b < 0, small, np.power(a, np.where(b < 0, 0, b)))
        if out is None:
            return result
        out[...] = result
        return out
    if a.dtype.kind != "c":
        return in_double.power(a, b, out)
    return _complex_power(a, b, out)


def _complex_power(a: np.ndarray, b: np.ndarray, out: np.ndarray | None) -> Any:
    result = as_array(complex_powers.power(a, b))
    return result if out is None else in_double.to_out(result, out)


def _power_of_number(a: np.ndarray, b: Any, out: np.ndarray | None = None) -> Any:
    """Powers with one number as their exponent; bfloat16 is rounded after each step where there are several."""
    a, b = as_array(a), as_array(b)
    if a.dtype.kind == "b":
        return np.logical_or(a, ~b, out)  # the power of True is the bool, that of False is one
    if a.dtype.kind == "c":
        easy = _EASY_COMPLEX_POWERS.get(complex(b))
        return in_double.power(a, b, out) if b in (0, 1) else easy(a, out) if easy else _complex_power(a, b, out)
    easy = _EASY_POWERS.get(float(b)) if a.dtype.kind in "fV" else None
    if easy is not None and (a.dtype.kind == "f" or float(b) in (3.0, -2.0)):
        return easy(a, out)
    if a.dtype.kind == "V":
        result = power(a.astype(np.float32), b.astype(np.float32)).astype(a.dtype)
        return in_double.to_out(result, out)
    return power(a, b, out) if a.dtype.kind == "i" else in_double.power(a, b, out)


power.by_number = _power_of_number  # type: ignore[attr-defined]


def log1p(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    """log(1 + x); the size of a complex 1 + x by way of what it is more than 1, which no rounding takes away."""
    if a.dtype.kind != "c":
        return in_double.log1p(a, out)
    x, y = a.real.astype(np.float64), a.imag.astype(np.float64)
    more = x * (2 + x) + y * y
    length = np.where((more > -0.5) & np.isfinite(more), 0.5 * np.log1p(more), np.log(np.hypot(1 + x, y)))
    result = np.empty(a.shape, a.dtype, like=a) if out is None or out.dtype != a.dtype else out
    angle = np.arctan2(y, 1 + x)
    length = np.where((more == 0) & (np.abs(x) < 1), x, length)
    if not np.isfinite(more).all():  # PyTorch multiplies by what rounding took from z, which is 0 / 0 there
        one = a.real.dtype.type(1)
        lost = (np.isinf(x) | np.isinf(y)) & ((a.real + one) - one != a.real) | np.isnan(a)
        length, angle = np.where(lost, np.nan, length), np.where(lost, np.nan, angle)
    result.real, result.imag = length, angle
    return result if out is None or result is out else in_double.to_out(result, out)


_acos = in_double.in_double(np.arccos)


def acos(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    """The arccosine; of complex numbers with 64-bit parts what the arcsine leaves of a right angle, as in PyTorch."""
    if a.dtype != np.complex128:
        return _acos(a, out)
    return np.subtract(a.dtype.type(np.pi / 2), np.arcsin(a), out)


def reciprocal(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    """1 / x. Of complex numbers by Smith's way, with the sum rounded once (a fused multiply-add), as PyTorch does."""
    if a.dtype.kind != "c":
        return np.reciprocal(a, out)
    x, y = as_array(a.real), as_array(a.imag)
    first = np.abs(x) >= np.abs(y)
    large, small = np.where(first, x, y), np.where(first, y, x)
    wide = np.float64 if x.dtype == np.float32 else np.longdouble
    # Both parts are divided by the larger one; where both are 0, by that.
    ratio = np.where(large == 0, 0, np.true_divide(small, large)).astype(x.dtype)
    total = (large.astype(wide) + small.astype(wide) * ratio.astype(wide)).astype(x.dtype)
    scale = np.true_divide(x.dtype.type(1), total)
    result = np.empty(a.shape, a.dtype, like=a)
    result.real = np.where(first, scale, (ratio + 0) * scale)
    result.imag = np.where(first, (0 - ratio) * scale, -scale)
    zero = (x == 0) & (y == 0)
    if zero.any():
        result[zero] = complex("inf+nanj")
    return result if out is None else in_double.to_out(result, out)


def shift_within(ufunc: Callable, past: str) -> Callable:
    """Shifts by the whole width or more, and by negative amounts, which C leaves open."""

    def shift(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
        a, b = as_array(a), as_array(b)
        width = a.dtype.itemsize * 8
        outside = (b < 0) | (b >= width)
        result = ufunc(a, np.where(outside, 0, b).astype(a.dtype))
        if outside.any():
            # An arithmetic shift leaves the sign bit everywhere; a left shift leaves nothing.
            result = np.where(outside, np.where(a < 0, -1, 0) if past == "sign" else 0, result).astype(a.dtype)
        if out is None:
            return result
        out[...] = result
        return out

    return shift


def sign(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    if a.dtype.kind == "b":
        return np.positive(a) if out is None else np.copyto(out, a)
    result = np.sign(a)
    if a.dtype.kind == "f" or a.dtype.kind == "V":
        result = np.where(np.isnan(a), a.dtype.type(0), result).astype(a.dtype, copy=False)
    if out is None:
        return result
    out[...] = result
    return out


def integers_stay(ufunc: Callable) -> Callable:
    """Make a rounding kernel that returns integers unchanged."""

    def rounded(a: np.ndarray, out: np.ndarray | None = None) -> Any:
        if a.dtype.kind in "iu":
            return a.copy() if out is None else np.copyto(out, a)
        return ufunc(a) if out is None else ufunc(a, out)

    rounded.__name__ = getattr(ufunc, "__name__", "rounded")
    return rounded


def square(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    return np.multiply(a, a) if out is None else np.multiply(a, a, out)


for _kernel in (floor_divide, trunc_divide, remainder, fmod):
    _kernel.may_refuse = True  # type: ignore[attr-defined]
