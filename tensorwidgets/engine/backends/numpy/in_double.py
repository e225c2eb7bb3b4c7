"""Functions of float32 numbers, computed in float64 and rounded once: as exact as float32 can be.

NumPy's own float32 loops are quick, and wrong in the last bit of every third result: `exp(12)` comes out as 162754.77
where PyTorch prints 162754.80. A float64 result errs by so little that its rounding is right but for one case in
hundreds of millions. NumPy converts as it goes, a thousand numbers at a time, so that nothing leaves the cache.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy import ndarray

from ...memory.places import as_array, empty, number_of
from .few_in_double import FEW, ZERO, has_loop, loop_of

SINGLE, DOUBLE = np.dtype("f4"), np.dtype("f8")

SMALL = 512
"""Up to this many elements two conversions cost less than NumPy's buffered conversion."""

CHUNK = 1 << 13
"""Elements that a function of several steps computes at a time."""


def in_double(ufunc: np.ufunc) -> Callable:
    """A function of one operand as a kernel: float32 by way of float64, all else as NumPy does it.

    >>> exp = in_double(np.exp)
    >>> exp(np.array([12], "f4"))
    array([162754.8], dtype=float32)
    """

    for_few = has_loop(ufunc.__name__)
    loop: list[Any] = []  # filled by the first call

    def kernel(a: np.ndarray, out: ndarray | None = None) -> Any:
        if a.dtype is not SINGLE:
            return ufunc(a) if out is None else ufunc(a, out)
        if out is None and a.size <= SMALL:
            if for_few and a.size <= FEW and type(a) is ndarray:
                if not loop:
                    loop.append(loop_of(ufunc.__name__))
                return loop[0](a, ZERO)
            return ufunc(a.astype(DOUBLE)).astype(SINGLE)
        if out is None or out.dtype is not SINGLE:
            return to_out(ufunc(a, np.empty_like(a), dtype=DOUBLE, casting="same_kind"), out)
        return ufunc(a, out, dtype=DOUBLE, casting="same_kind")

    return _named(kernel, ufunc)


def two_in_double(ufunc: np.ufunc) -> Callable:
    """The same for a function of two operands; a Python number is a float32 first, as it is in PyTorch.

    >>> print(two_in_double(np.power)(np.array([3], "f4"), 0.1)[0])
    1.1161232
    """

    def kernel(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
        if type(a) is not type(b):
            a, b = number_of(a), number_of(b)
        if np.result_type(a, b) is not SINGLE:
            return ufunc(a, b) if out is None else ufunc(a, b, out)
        a, b = as_array(a).astype(SINGLE, copy=False), as_array(b).astype(SINGLE, copy=False)
        if type(a) is not type(b):  # a number, and an array on a device
            return to_out(ufunc(number_of(a), number_of(b), dtype=DOUBLE).astype(SINGLE), out)
        if out is None and max(a.size, b.size) <= SMALL:
            return ufunc(a.astype(DOUBLE), b.astype(DOUBLE)).astype(SINGLE)
        if out is None or out.dtype is not SINGLE:
            result = empty(np.broadcast_shapes(a.shape, b.shape), SINGLE, a)
            return to_out(ufunc(a, b, result, dtype=DOUBLE, casting="same_kind"), out)
        return ufunc(a, b, out, dtype=DOUBLE, casting="same_kind")

    return _named(kernel, ufunc)


def to_out(value: Any, out: np.ndarray | None) -> Any:
    """Return a result, or copy it to `out` and convert it."""
    if out is None:
        return value
    np.copyto(out, value, casting="unsafe")
    return out


def stepped(function: Callable, ufunc: np.ufunc) -> Callable:
    """What a ufunc computes, for float32 by a quicker function of float64 numbers that takes several steps.

    The function is called with its operands and an array for its result.
    """

    def compute(arrays: tuple, out: Any) -> Any:
        size = arrays[0].shape if len(arrays) == 1 else np.broadcast_shapes(*[a.shape for a in arrays])
        if prod(size) <= SMALL or not all([type(a) is np.ndarray for a in arrays]):
            return to_out(ufunc(*[a.astype(DOUBLE) for a in arrays]).astype(SINGLE), out)
        straight = out is not None and out.dtype is SINGLE
        into = out if straight else empty(size, SINGLE, arrays[0])
        in_chunks(function, arrays, into)
        return into if straight else to_out(into, out)

    def one(a: np.ndarray, out: ndarray | None = None) -> Any:
        if a.dtype is SINGLE:
            if out is None and a.size <= SMALL:
                return ufunc(a.astype(DOUBLE)).astype(SINGLE)
            return compute((a,), out)
        return ufunc(a) if out is None else ufunc(a, out)

    def two(a: ndarray, b: ndarray, out: ndarray | None = None) -> Any:
        if np.result_type(a, b) is SINGLE:
            return compute((as_array(a).astype(SINGLE, copy=False), as_array(b).astype(SINGLE, copy=False)), out)
        return ufunc(a, b) if out is None else ufunc(a, b, out)

    return _named(one if ufunc.nin == 1 else two, ufunc)


def in_chunks(function: Callable, arrays: tuple, into: np.ndarray) -> None:
    """A function of float64 numbers for all elements of float32 arrays, in chunks.

    >>> result = np.empty(3, "f4")
    >>> in_chunks(np.square, (np.array([1, 2, 3], "f4"),), result)  # as np.square(numbers, out)
    >>> result.tolist()
    [1.0, 4.0, 9.0]
    """
    read: Any = ["readonly", "overlap_assume_elementwise"]
    write: Any = ["writeonly", "overlap_assume_elementwise"]
    walk = np.nditer(
        [*arrays, into],
        ["external_loop", "buffered", "delay_bufalloc", "copy_if_overlap", "zerosize_ok"],
        [*[read] * len(arrays), write],
        [DOUBLE] * (len(arrays) + 1),
        casting="same_kind",
        buffersize=CHUNK,
    )
    with walk:
        walk.reset()
        for values in walk:
            function(*values)


def _named(kernel: Callable, ufunc: np.ufunc) -> Callable:
    """The kernel under the name of the ufunc that it stands for."""
    kernel.__name__ = ufunc.__name__
    return kernel


# NumPy computes the float64 tangent and its inverse eight at a time, the others one by one.


def _sine(x: np.ndarray, out: np.ndarray) -> None:
    half = np.multiply(x, 0.5)
    np.tan(half, half)
    square = np.multiply(half, half)
    square += 1.0
    half += half
    np.divide(half, square, out)


def _cosine(x: np.ndarray, out: np.ndarray) -> None:
    square = np.multiply(x, 0.5)
    np.tan(square, square)
    square *= square
    less = np.subtract(1.0, square)
    square += 1.0
    np.divide(less, square, out)
    # Next to a zero of the cosine the tangent of the half is 1, and what is left of it too short.
    size = np.abs(out, less)
    if np.fmin.reduce(size) < NEAR_ZERO:
        near = size < NEAR_ZERO
        out[near] = np.cos(x[near])


NEAR_ZERO = 2.0**-20


def _angle(y: np.ndarray, x: np.ndarray, out: np.ndarray) -> None:
    np.arctan(np.divide(y, x), out)
    out += np.multiply(np.copysign(np.pi, y), np.signbit(x))
    # Two zeros and two infinities have an angle and no quotient.
    none = np.isnan(out)
    if none.any():
        out[none] = np.arctan2(y[none], x[none])


def magnitude(a: np.ndarray, out: ndarray | None = None) -> Any:
    """The size of complex64 numbers, squared and summed in float64; all other sizes are NumPy's.

    >>> float(magnitude(np.array([3 + 4j], "c8"))[0])
    5.0
    """
    if a.dtype != np.complex64:
        return np.abs(a) if out is None else np.abs(a, out)
    if type(a) is not np.ndarray:
        return to_out(np.abs(a.astype(np.complex128)).astype(SINGLE), out)
    into = out if out is not None and out.dtype is SINGLE else np.empty(a.shape, SINGLE)
    in_chunks(_length, (a.real, a.imag), into)
    return into if out is None or into is out else to_out(into, out)


def _length(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    np.sqrt(np.multiply(x, x) + np.multiply(y, y), out)
    none = np.isnan(out)  # an infinite part makes the size infinite, whatever the other is
    if none.any():
        out[none] = np.hypot(x[none], y[none])


magnitude.__name__, magnitude.on_reals = "absolute", np.abs  # type: ignore[attr-defined]

sin, cos, arctan2 = stepped(_sine, np.sin), stepped(_cosine, np.cos), stepped(_angle, np.arctan2)
exp, exp2, expm1, log, log1p = (in_double(f) for f in (np.exp, np.exp2, np.expm1, np.log, np.log1p))
power = two_in_double(np.power)
