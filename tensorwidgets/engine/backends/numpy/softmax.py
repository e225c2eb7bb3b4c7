"""Softmax and its logarithm.

The largest element of a row is subtracted first, so that nothing overflows.

Of few float32, every step is rounded where PyTorch rounds it, and sums are added in the order of its kernels for
AVX-512: so the loss of a model that is nearly sure, 4.5418e-05, is printed as there, and shares add up to 1 or to
1.0000 as there. Only the exponential differs, in the last bit of one number in twenty: ours is the exact one, rounded.

Of many, a few rows are taken at a time, so that each step finds its numbers in the cache. The subtraction rounds, which
changes the exponential by the rounding error times the result. So that error is computed and the exponential corrected.
NumPy's float32 exponential is then exact enough, and takes a fifth of the time that float64 needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import chunks
from .in_double import DOUBLE, SINGLE, exp, log
from .sums.float_sum import ROW, of_rows, total
from .without_warnings import quietly

FEW = 1 << 16
"""Up to this many float32 every step of a softmax is rounded as in PyTorch."""

FEW_LOGARITHMS = 1 << 14
"""The same for the logarithm."""

LANES = 16
"""How many sums of a row PyTorch's kernels keep in a register of AVX-512."""

PAIRED = np.array([0, 4, 2, 6, 1, 5, 3, 7, 8, 12, 10, 14, 9, 13, 11, 15])
"""The order in which NumPy adds sixteen numbers as PyTorch does. Both first add those that lie eight apart; then NumPy
adds neighbours, and PyTorch those that lie four apart."""

PIECE = 1 << 17
"""Elements in a piece."""


def softmax(values: np.ndarray, axis: int, logarithm: bool, out: np.ndarray) -> None:
    """Write softmax along an axis, or its logarithm, to an array that shares no memory with the values.

    >>> out = np.empty(2, "f4")
    >>> softmax(np.array([0, np.log(3)], "f4"), 0, False, out)
    >>> print(out)
    [0.25       0.75000006]
    """
    if values.size <= (FEW_LOGARITHMS if logarithm else FEW) and values.dtype == SINGLE:
        quietly(_step_by_step, values, axis, logarithm, out)
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


def _step_by_step(values: np.ndarray, axis: int, logarithm: bool, out: np.ndarray) -> None:
    """All steps as PyTorch rounds them."""
    rest = np.subtract(values, np.max(values, axis, keepdims=True))
    powers = exp(rest)
    if axis < values.ndim - 1:
        sums = np.add.reduce(powers, axis, keepdims=True)  # one after the other
        if logarithm:
            np.subtract(rest, log(sums), out)
        else:
            np.divide(powers, sums, out)
        return
    sums = sums_of_rows(powers)[..., None]
    if logarithm:
        np.subtract(rest, log(sums), out)
    else:  # PyTorch divides once in a row
        np.multiply(powers, np.reciprocal(sums), out)


def sums_of_rows(values: np.ndarray) -> np.ndarray:
    """The sums along the last dimension of float32, added in PyTorch's order.

    >>> sums_of_rows(np.ones((2, 20), "f4"))
    array([20., 20.], dtype=float32)
    """
    length = values.shape[-1]
    if length == 2:
        return values[..., 0] + values[..., 1]  # type: ignore[no-any-return]  # in half of the time of a sum
    if length < 8 or type(values) is not np.ndarray:
        return np.add.reduce(values, -1)  # type: ignore[no-any-return]
    if length < LANES:
        return np.add.accumulate(values, -1)[..., -1]  # type: ignore[no-any-return]
    whole = length - length % LANES
    lanes = np.add.reduce(values[..., :whole].reshape(*values.shape[:-1], whole // LANES, LANES), -2)
    if whole < length:
        lanes[..., : length - whole] += values[..., whole:]
    return np.add.reduce(lanes.take(PAIRED, -1), -1)  # type: ignore[no-any-return]


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
        if axis == result.ndim - 1 and _are_few(g, r):
            sums = sums_of_rows(np.multiply(g, r))[..., None]
        elif axis < result.ndim - 1:
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
    if _are_few(grad, result):
        last = axis == result.ndim - 1
        sums = sums_of_rows(grad)[..., None] if last else np.add.reduce(grad, axis, keepdims=True)
        slope[...] = less(grad, exp(result), sums)
        return slope
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


def less(grad: np.ndarray, powers: np.ndarray, sums: Any) -> np.ndarray:
    """`grad - powers * sums` of float32 with one rounding, as processors do it.

    >>> less(np.float32([1]), np.float32([1.0000001]), np.float32([1.0000001]))
    array([-2.3841858e-07], dtype=float32)
    """
    wide = powers.astype(DOUBLE)
    wide *= sums.astype(DOUBLE)
    return np.subtract(grad.astype(DOUBLE), wide, wide).astype(SINGLE)


def _are_few(grad: np.ndarray, result: np.ndarray) -> bool:
    """Whether every step of a gradient is rounded as in PyTorch."""
    plain = type(grad) is type(result) is np.ndarray
    return plain and grad.dtype == result.dtype == SINGLE and result.size <= FEW_LOGARITHMS


def _rows(array: np.ndarray, axis: int) -> list[tuple]:
    """Keys of pieces, cut along another axis than this one; one for all where there is nothing to cut."""
    if array.size < 2 * PIECE or array.ndim < 2 or axis == 0:
        return [()]
    return [(s,) for s in chunks.spans(len(array), max(1, PIECE * len(array) // array.size))]
