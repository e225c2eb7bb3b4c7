"""Sums of sizes and of squares of floats, added in the order in which PyTorch's norms add them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..fma import fma
from .ordered_sum import AT_ONCE, REGISTER, in_lanes, in_sequence, innermost_first

SINGLE = np.dtype("f4")


def ordered_norm(values: np.ndarray, p: float, dims: tuple[int, ...]) -> Any:
    """The norm over some dimensions of float32 or float64, with `p` of 1 or 2, in the same dtype.

    >>> ordered_norm(np.full(100, 0.1, "f4"), 2, (0,))
    np.float32(0.99999994)
    """
    if values.ndim == 1 and dims and values.flags.c_contiguous and values.size:
        if p == 1:
            return np.add.accumulate(np.abs(values))[-1]
        if values.dtype == SINGLE and values.size < AT_ONCE * REGISTER // SINGLE.itemsize:
            return np.sqrt(_of_few(values))
        return np.sqrt(_of_registers(values[None]))[0]
    gone = innermost_first(values.shape, values.strides, dims)
    if not values.size or not gone and p == 1:
        return np.add.reduce(np.abs(values), dims)
    left = [d for d in range(values.ndim) if d not in gone]
    length = 1
    neighbours = values.itemsize
    for d in gone:
        neighbours = neighbours * values.shape[d] if values.strides[d] == neighbours else 0
        length *= values.shape[d]
    rows = np.ascontiguousarray(values.transpose([*left, *reversed(gone)])).reshape(-1, length)
    if p == 1:
        sums = in_sequence(np.abs(rows)[..., None])[:, 0]
    else:
        sums = _of_registers(rows) if neighbours else in_sequence(np.multiply(rows, rows)[..., None])[:, 0]
        sums = np.sqrt(sums)
    return sums.reshape([n for d, n in enumerate(values.shape) if d not in dims])[()]


def _of_few(values: np.ndarray) -> Any:
    """The sum of the squares of a few float32, which takes less time than calls of NumPy; see `_of_registers`."""
    sums, rest = in_lanes(list(np.multiply(values, values)), REGISTER // SINGLE.itemsize)
    squared = len(rest) - len(rest) % AT_ONCE
    total = np.float32(0)
    for number in [*sums, *rest[:squared]]:
        total = total + number
    for x in values[len(values) - len(rest) + squared :].tolist():
        total = np.float32(x * x + float(total))
    return total


def _of_registers(rows: np.ndarray) -> np.ndarray:
    """The sum of the squares of each row, register by register.

    Of the last numbers, four are squared at once; what is left is multiplied and added with one rounding.
    """
    count, length = rows.shape
    lanes = REGISTER // rows.itemsize
    whole = length - length % lanes
    sums = np.zeros(count, rows.dtype)
    if whole:
        squares = np.multiply(rows[:, :whole], rows[:, :whole]).reshape(count, -1, lanes)
        sums = in_sequence(in_sequence(squares)[..., None])[:, 0]
    if length - whole >= AT_ONCE:
        four = np.square(rows[:, whole : whole + AT_ONCE])
        sums = in_sequence(np.concatenate([sums[:, None], four], 1)[..., None])[:, 0]
        whole += AT_ONCE
    for x in rows[:, whole:].T:
        if rows.dtype == SINGLE:
            wide = x.astype(np.float64)
            sums = (wide * wide + sums).astype(SINGLE)  # the product is exact, and nearly always one rounding decides
        else:
            sums = fma(x, x, sums)
    return sums
