"""The values of arange, linspace and logspace, bit for bit as PyTorch's CPU kernels compute them.

Three things decide the last bits. Processors multiply and add with one rounding (`fma`). `arange` fills blocks of as
many elements as fit into a register: the first of a block is computed from the start, the others from the first.
`linspace` goes from both ends towards the middle.

Each function fills an array of the dtype, piece by piece, so that what it computes with stays in the processor's cache.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends.numpy.casts import cast
from ...backends.numpy.fma import fma, fma_for_float32
from ...backends.numpy.without_warnings import quietly
from ...memory.places import as_array, number_of
from ...tensor.scalars import fill_number
from ...types import dtypes
from ...types.dtypes import dtype

_LANES = {dtypes.float64: 4, dtypes.float32: 8, dtypes.float16: 16, dtypes.bfloat16: 16}
"""Elements that fit into a register of 32 bytes; PyTorch takes two registers at a time."""
_PIECE = 1 << 14

Piece = Callable[[int, int], np.ndarray]
"""A function that returns the values from one index up to another."""


class _Beside(threading.local):
    array: Any = None


_beside = _Beside()
"""An array on the device where this thread fills a sequence; None in main memory."""


def fill(into: np.ndarray, piece: Piece) -> np.ndarray:
    """Fill a one-dimensional array piece by piece; on a device in one piece, which is computed there."""
    if type(into) is not np.ndarray:
        before, _beside.array = _beside.array, into
        try:
            into[...] = quietly(piece, 0, into.size)
        finally:
            _beside.array = before
        return into
    for at in range(0, into.size, _PIECE):
        end = min(at + _PIECE, into.size)
        into[at:end] = quietly(piece, at, end)
    return into


# -- from the start ----------------------------------------------------------------------------------------------


def fill_arange(into: np.ndarray, start: float, step: float, d: dtype) -> np.ndarray:
    """Fill with start, start + step, and so on.

    >>> fill_arange(np.empty(3, np.int16), 1, 2, dtypes.int16)
    array([1, 3, 5], dtype=int16)
    """
    if d._kind == dtypes.INTEGER:
        return fill(into, lambda at, end: _whole_numbers(start, step, at, end, d))
    if d.itemsize == 2:
        start, step = _as_float32(start), _as_float32(step)
    if _exact(start, step, into.size, d):
        return fill(into, lambda at, end: cast(_places(at, end) * step + start, d))
    whole = into.size // (2 * _LANES[d]) * (2 * _LANES[d])
    return fill(into, lambda at, end: _in_registers(start, step, at, end, whole, d))


def fill_range(into: np.ndarray, start: float, step: float, d: dtype) -> np.ndarray:
    """Numbers from start on, by step, each computed from the start: the way of the old `range`."""
    if d._kind == dtypes.INTEGER:
        return fill_arange(into, start, step, d)
    if d.itemsize == 2:
        start, step = _as_float32(start), _as_float32(step)
    return fill(into, lambda at, end: _rounded(start + step * _places(at, end), d))


def _places(at: int, end: int) -> np.ndarray:
    return np.arange(at, end, dtype=np.float64, like=_beside.array)


def _whole_numbers(start: Any, step: Any, at: int, end: int, d: dtype) -> np.ndarray:
    return cast(np.arange(at, end, dtype=np.int64, like=_beside.array) * np.int64(step) + np.int64(start), d)


def _in_registers(start: float, step: float, at: int, end: int, whole: int, d: dtype) -> np.ndarray:
    """Floats as registers compute them, up to the place where no two of them are filled any more."""
    result = _rounded(_line(start, step, _places(at, end), d), d)
    lanes = _LANES[d]
    inside = min(end, whole) - at
    if inside > 0:
        first = result[:inside:lanes].astype(np.float64)[:, None]
        rest = _places(0, lanes)[None, :]
        result[:inside] = _rounded(_line(first, step, rest, d), d).reshape(-1)
    return result


def _exact(start: float, step: float, count: int, d: dtype) -> bool:
    """Returns whether float64 holds every value exactly, so that the order of operations does not matter."""
    scale = float(1 << 20)
    most = (abs(start) + abs(step) * count) * scale
    return d.itemsize > 2 and most < 2.0**53 and (start * scale).is_integer() and (step * scale).is_integer()


def _line(start: float | np.ndarray, step: float, index: np.ndarray, d: dtype) -> np.ndarray:
    """start + step*index with one rounding in float64; for smaller dtypes, float64 is exact enough as it is."""
    if d is dtypes.float64:
        return fma(number_of(as_array(step)), index, number_of(as_array(start)))
    return start + step * index


def _rounded(x: np.ndarray, d: dtype) -> np.ndarray:
    return cast(x.astype(np.float32), d) if d.itemsize == 2 else cast(x, d)


def _as_float32(x: float) -> float:
    return float(np.float32(x))


# -- from both ends ----------------------------------------------------------------------------------------------


def fill_linspace(into: np.ndarray, start: complex, end: complex, d: dtype) -> np.ndarray:
    """Fill with evenly spaced numbers from start to end (inclusive).

    >>> fill_linspace(np.empty(5, np.float32), 0, 1, dtypes.float32).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    count = into.size
    if count == 1:
        into[...] = fill_number(start, d, 1)
    if count < 2:
        return into
    if d._kind == dtypes.COMPLEX:
        start, end = complex(start), complex(end)
        fill_linspace(into.real, start.real, end.real, d.to_real())
        fill_linspace(into.imag, start.imag, end.imag, d.to_real())
        return into
    first, last = _element(start, d), _element(end, d)
    if d.itemsize == 2 and d._kind == dtypes.FLOAT:
        return fill(into, lambda at, end: _small_steps(first, last, count, at, end, d))
    step = quietly(_step, first, last, count, d)
    multiply_add = fma_for_float32 if d is dtypes.float32 else fma

    def piece(at: int, end: int) -> np.ndarray:
        index, lower = _from_the_nearer_end(count, at, end)
        steps, ends = np.where(lower, step, -step), np.where(lower, first, last)
        return cast(multiply_add(steps, index, ends), d)

    return fill(into, piece)


def _small_steps(first: float, last: float, count: int, at: int, end: int, d: dtype) -> np.ndarray:
    """linspace for 16-bit floats, rounded after every operation."""
    index, lower = _from_the_nearer_end(count, at, end)
    step = _small(_small(last - first, d) / _small(float(count - 1), d), d)
    shift = cast(step * cast(index.astype(np.float32), d).astype(np.float64), d).astype(np.float64)
    return cast(np.where(lower, first + shift, last - shift), d)


def _element(x: complex, d: dtype) -> float:
    """A number as the dtype holds it, as a float of 64 bits."""
    return float(fill_number(x, d))


def _small(x: float, d: dtype) -> float:
    return float(cast(np.asarray(np.float32(x)), d))


def _step(first: float, last: float, count: int, d: dtype) -> float:
    kind = np.float32 if d is dtypes.float32 else np.float64
    return float((kind(last) - kind(first)) / kind(count - 1))


def _from_the_nearer_end(count: int, at: int, end: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns each index's distance from the nearer end, and whether that end is the start."""
    index = _places(at, end)
    lower = index < count // 2
    return np.where(lower, index, count - 1 - index), lower


def fill_logspace(into: np.ndarray, start: complex, end: complex, base: float, d: dtype) -> np.ndarray:
    """Fill with powers of `base` whose exponents are evenly spaced from start to end.

    >>> fill_logspace(np.empty(3, np.int64), 0, 2, 10.0, dtypes.int64)
    array([  1,  10, 100])
    """
    count = into.size
    if d._kind == dtypes.COMPLEX:
        if count == 1:
            into[...] = _complex_power(base, complex(start))
            return into
        return _fill_complex_logspace(into, d._in_numpy.type(start), d._in_numpy.type(end), d._in_numpy.type(base))
    if count < 2:
        if count:
            into[...] = fill_number(_power(base, float(start.real)), d, 1)
        return into
    first, last, difference = _exponents(start, end, d)
    step = difference / max(count - 1, 1)

    def piece(at: int, end: int) -> np.ndarray:
        index, lower = _from_the_nearer_end(count, at, end)
        result = powers(base, np.where(lower, first + step * index, last - step * index))
        return cast(_as_registers_cut(result, d) if d._kind == dtypes.INTEGER else result, d)

    return fill(into, piece)


def _fill_complex_logspace(into: np.ndarray, first: Any, last: Any, base: Any) -> np.ndarray:
    """logspace for complex numbers, computed in their own dtype throughout."""
    count = into.size
    step = quietly(lambda: (last - first) / first.real.dtype.type(max(count - 1, 1)))

    def piece(at: int, end: int) -> np.ndarray:
        index, lower = _from_the_nearer_end(count, at, end)
        steps = step * index.astype(into.dtype)
        return np.exp(np.where(lower, first + steps, last - steps) * np.log(base))

    return fill(into, piece)


def _complex_power(base: float, x: complex) -> complex:
    """A real number to a complex power, by absolute value and angle."""
    if base <= 0:
        return complex(quietly(np.power, complex(base), x))
    length, angle = _power(base, x.real), x.imag * math.log(base)
    return complex(length * math.cos(angle), length * math.sin(angle))


def _exponents(start: complex, end: complex, d: dtype) -> tuple[Any, Any, Any]:
    """The first and the last exponent as a dtype holds them, and how far they are apart in it."""
    if d._kind == dtypes.INTEGER:
        first, last = _element(start, dtypes.int64), _element(end, dtypes.int64)
        fill_number(start, d), fill_number(end, d)
        return first, last, last - first
    first, last = _element(start, d), _element(end, d)
    return first, last, float(cast(np.asarray(last - first), d))


def _as_registers_cut(x: np.ndarray, d: dtype) -> np.ndarray:
    """Floats on their way to whole numbers of up to 32 bits: what 32 bits do not hold becomes the least number."""
    if d.itemsize == 8:
        return x
    return np.where(np.abs(x) < 2.0**31, x, -(2.0**31))


def powers(base: float, exponents: np.ndarray) -> np.ndarray:
    """base to each exponent, by the C library as in PyTorch (NumPy's own differs in the last bit).

    >>> powers(-2.0, np.array([2.0, 0.5]))
    array([ 4., nan])
    """
    if type(exponents) is not np.ndarray:
        return np.power(base, exponents)
    try:
        return np.array([math.pow(base, x) for x in exponents.tolist()], np.float64)
    except (ValueError, OverflowError):
        return np.array([_power(base, x) for x in exponents.tolist()], np.float64)


def _power(base: float, x: float) -> float:
    """math.pow that returns inf or nan instead of raising."""
    try:
        return math.pow(base, x)
    except (ValueError, OverflowError):
        return float(quietly(np.power, np.float64(base), np.float64(x)))
