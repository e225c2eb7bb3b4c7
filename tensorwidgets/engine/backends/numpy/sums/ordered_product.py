"""Products of floats, multiplied in PyTorch's order."""

from __future__ import annotations

from typing import Any

import numpy as np

from .ordered_sum import AT_ONCE, REGISTER, innermost_first


def ordered_product(values: np.ndarray, dims: tuple[int, ...]) -> Any:
    """The product over some dimensions of float32 or float64, in the same dtype.

    Rows of neighbours are multiplied in four registers at a time, and what these hold, last.

    >>> ordered_product(np.full(40, 1.1, "f4"), (0,))
    np.float32(45.259293)
    """
    gone = innermost_first(values.shape, values.strides, dims)
    if not values.size or not gone:
        return np.multiply.reduce(values, dims)
    left = [d for d in range(values.ndim) if d not in gone]
    length, total, step = 1, 1, values.itemsize
    for d in gone:
        if values.strides[d] == step * length and length == total:
            length *= values.shape[d]
        total *= values.shape[d]
    size = [n for d, n in enumerate(values.shape) if d not in dims]
    rows = np.ascontiguousarray(values.transpose([*left, *reversed(gone)])).reshape(-1, total)
    lanes = AT_ONCE * REGISTER // values.itemsize
    if length >= lanes:
        rows = rows.reshape(-1, length)
        whole = length - length % lanes
        four = np.multiply.reduce(rows[:, :whole].reshape(len(rows), -1, AT_ONCE, lanes // AT_ONCE), 1)
        of_lanes = (four[:, 0] * four[:, 1]) * (four[:, 2] * four[:, 3])
        first = _in_sequence(of_lanes)[:, None]
        rows = np.concatenate([first, rows[:, whole:]], 1).reshape(-1, total // length * (1 + length - whole))
    return _in_sequence(rows).reshape(size)[()]


def _in_sequence(rows: np.ndarray) -> np.ndarray:
    """The product of each row, from left to right."""
    return np.multiply.reduce(np.ascontiguousarray(rows.T), 0)  # type: ignore[no-any-return]
