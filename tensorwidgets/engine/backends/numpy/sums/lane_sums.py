"""Sums of short rows of float32 as the gradients of PyTorch's layers add them: in eight lanes, which are added last."""

from __future__ import annotations

import numpy as np

from ..in_double import DOUBLE

LANES = 8
"""How many float32 lie in a register of AVX2, for which PyTorch's kernels are compiled."""


def lane_sums(rows: np.ndarray) -> np.ndarray:
    """The sum of each row.

    >>> lane_sums(np.ones((2, 20), "f4"))
    array([20., 20.], dtype=float32)
    """
    count, length = rows.shape
    if length < LANES:
        return _one_by_one(rows)
    whole = length - length % LANES
    lanes = np.add.reduce(rows[:, :whole].reshape(count, -1, LANES), 1)
    if whole < length:
        lanes[:, : length - whole] += rows[:, whole:]
    return _folded(lanes)


def lane_sums_of_products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The sum of the products of each row; those that fill no register are rounded once with the sum.

    >>> lane_sums_of_products(np.full((1, 9), 2, "f4"), np.ones((1, 9), "f4"))
    array([18.], dtype=float32)
    """
    count, length = a.shape
    whole = length - length % LANES
    if not whole:
        return _one_by_one(a * b)
    lanes = np.add.reduce((a[:, :whole] * b[:, :whole]).reshape(count, -1, LANES), 1)
    if whole < length:
        rest = a[:, whole:].astype(DOUBLE) * b[:, whole:].astype(DOUBLE)
        lanes[:, : length - whole] = rest + lanes[:, : length - whole].astype(DOUBLE)
    return _folded(lanes)


def _one_by_one(rows: np.ndarray) -> np.ndarray:
    columns = np.ascontiguousarray(rows.T)
    if len(columns) < 2:
        return np.add.reduce(columns, 0)  # type: ignore[no-any-return]
    total: np.ndarray = columns[0] + columns[1]
    for column in columns[2:]:
        total += column
    return total


def _folded(lanes: np.ndarray) -> np.ndarray:
    """The sums of eight lanes: first those that lie four apart, then two, then one."""
    four = lanes[:, :4] + lanes[:, 4:]
    two = four[:, :2] + four[:, 2:]
    return two[:, 0] + two[:, 1]  # type: ignore[no-any-return]
