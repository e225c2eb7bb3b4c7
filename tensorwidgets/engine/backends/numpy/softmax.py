"""Softmax and its logarithm, a few rows at a time, so that each step finds its numbers in the cache.

The largest element of a row is subtracted first, so that nothing overflows. In float32 the subtraction rounds, which
changes the exponential by the rounding error times the result. So that error is computed and the exponential corrected.
NumPy's float32 exponential is then exact enough, and takes a fifth of the time that float64 needs.
"""

from __future__ import annotations

import numpy as np

from . import chunks
from .float_sum import ROW, of_rows, total
from .in_double import DOUBLE, SINGLE
from .without_warnings import quietly

EXACT = 1 << 16
"""The number of elements up to which all steps of a softmax are in float64."""

EXACT_LOGARITHM = 1 << 12
"""The same for the logarithm, in which only the sum of the exponentials is rounded."""

PIECE = 1 << 17
"""Elements in a piece."""


def softmax(values: np.ndarray, axis: int, logarithm: bool, out: np.ndarray) -> None:
    """Write softmax along an axis, or its logarithm, to an array that shares no memory with the values.

    >>> out = np.empty(2, "f4")
    >>> softmax(np.array([0, np.log(3)], "f4"), 0, False, out)
    >>> out.tolist()
    [0.25, 0.75]
    """
    if values.size <= (EXACT_LOGARITHM if logarithm else EXACT) and values.dtype == SINGLE:
        quietly(_in_double, values.astype(DOUBLE), axis, logarithm, out)
        return
    others = [d for d in range(values.ndim) if d != axis and values.shape[d] > 1]
    if values.size < 2 * PIECE or not others or type(values) is not np.ndarray:
        quietly(_part, values, axis, logarithm, out)
        return
    cut = max(others, key=lambda d: out.strides[d])
    before = (slice(None),) * cut
    rows = max(1, PIECE * values.shape[cut] // values.size)
    if out.strides[cut] < out.strides[axis]:
        rows = max(rows, 256)  # neighbours: few of them at a time would be read from far apart
    pieces = chunks.spans(values.shape[cut], rows)
    if values.size < chunks.FROM:
        for s in pieces:
            quietly(_part, values[(*before, s)], axis, logarithm, out[(*before, s)])
    else:
        chunks.run_parallel(lambda s: quietly(_part, values[(*before, s)], axis, logarithm, out[(*before, s)]), pieces)


def _in_double(values: np.ndarray, axis: int, logarithm: bool, out: np.ndarray) -> None:
    """All steps in float64, in the memory of the values; the result is rounded where it is written."""
    values -= values.max(axis, keepdims=True)
    powers = np.exp(values)
    sums = powers.sum(axis, keepdims=True)
    if logarithm:
        values -= np.log(sums)
    else:
        np.divide(powers, sums, values)
    np.copyto(out, values, casting="same_kind")


def _part(values: np.ndarray, axis: int, logarithm: bool, out: np.ndarray) -> None:
    most = np.max(values, axis, keepdims=True)
    np.subtract(values, most, out)
    if logarithm:
        powers = np.exp(out)
    else:
        powers = out
        rounded = None if values.dtype != SINGLE else _rounded_off(values, most, out)
        np.exp(out, out)
        if rounded is not None:
            rounded *= out
            out += rounded
    if axis == powers.ndim - 1 and powers.flags.c_contiguous and powers.shape[-1] >= ROW:
        sums = of_rows(powers.reshape(-1, powers.shape[-1])).reshape(*powers.shape[:-1], 1)
    else:
        sums = np.expand_dims(total(powers, (axis,)), axis)
    if logarithm:
        np.subtract(out, np.log(sums).astype(out.dtype), out)
    elif axis == powers.ndim - 1 and out.dtype == DOUBLE:  # PyTorch divides once in a row
        np.multiply(out, np.reciprocal(sums), out)
    else:
        np.divide(out, sums.astype(out.dtype), out)


def _rounded_off(values: np.ndarray, most: np.ndarray, differences: np.ndarray) -> np.ndarray:
    """What the subtraction of the largest elements has rounded off."""
    rest = np.add(differences, most)
    np.subtract(values, rest, rest)
    if not np.isfinite(np.add.reduce(rest, None)):
        rest[~np.isfinite(rest)] = 0
    return rest


def softmax_slope(grad: np.ndarray, result: np.ndarray, axis: int) -> np.ndarray:
    """The gradient of softmax.

    >>> softmax_slope(np.array([1.0, 0.0]), np.array([0.25, 0.75]), 0).tolist()
    [0.1875, -0.1875]
    """
    slope = np.empty_like(result)
    for key in _rows(result, axis):
        g, r = grad[key], result[key]
        if axis < result.ndim - 1:
            sums = np.expand_dims(total(np.multiply(g, r), (axis,)).astype(r.dtype, copy=False), axis)
        elif g.shape[axis] < 8:  # few products are summed one after the other, each rounded by itself
            sums = np.add.reduce(np.multiply(g, r), axis, keepdims=True)
        else:
            sums = np.einsum("...j,...j->...", g, r)[..., None]
        np.multiply(np.subtract(g, sums), r, slope[key])
    return slope


def log_softmax_slope(grad: np.ndarray, result: np.ndarray, axis: int) -> np.ndarray:
    """The gradient of the logarithm of softmax.

    >>> log_softmax_slope(np.array([1.0, 0.0]), np.log(np.array([0.25, 0.75])), 0).tolist()
    [0.75, -0.75]
    """
    slope = np.empty_like(result)
    for key in _rows(result, axis):
        g = grad[key]
        part = np.exp(result[key], slope[key])
        if axis == result.ndim - 1:
            sums = np.einsum("...j->...", g)[..., None]
        else:
            sums = np.expand_dims(total(g, (axis,)).astype(g.dtype, copy=False), axis)
        part *= sums
        np.subtract(g, part, part)
    return slope


def _rows(array: np.ndarray, axis: int) -> list[tuple]:
    """Keys of pieces, cut along another axis than this one; one for all where there is nothing to cut."""
    if array.size < 2 * PIECE or array.ndim < 2 or axis == 0:
        return [()]
    return [(s,) for s in chunks.spans(len(array), max(1, PIECE * len(array) // array.size))]
