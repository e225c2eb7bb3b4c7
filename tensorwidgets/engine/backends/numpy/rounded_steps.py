"""What rounds a step of a computation with 16-bit floats, where PyTorch keeps its result in 16 bits on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .without_warnings import quietly


def rounding(small: np.dtype, wide: np.dtype) -> Callable[[Any], Any]:
    """A function that rounds wide numbers to those of a small dtype; it changes nothing where the dtype is not small.

    >>> rounding(np.dtype("f2"), np.dtype("f4"))(np.array([2049], "f4")).tolist()
    [2048.0]
    """
    if small.itemsize > 2 or small == wide:
        return unchanged

    def rounded(x: Any) -> Any:
        numbers = x if hasattr(x, "astype") else np.asarray(x)  # they may lie on a device
        return quietly(numbers.astype, small).astype(wide)

    return rounded


def unchanged(x: Any) -> Any:
    """What `rounding` is for dtypes that PyTorch computes in."""
    return x


def cascade_sum(values: Any, rounded: Callable[[Any], Any]) -> Any:
    """The sum of 16-bit floats by levels of sixteen partial sums, as PyTorch's losses of classes add up.

    The first element has a level of its own; of the others sixteen at a time go one level up.

    >>> cascade_sum(np.array([2048, 1, 1], "f4"), rounding(np.dtype("f2"), np.dtype("f4"))).item()
    2050.0
    """
    items, partial_sums = np.asarray(values).reshape(-1), []
    zero = items.dtype.type(0)
    for _ in range(7):
        if not len(items):
            break
        full = (len(items) - 1) // 16 * 16
        groups = items[1 : 1 + full].reshape(-1, 16)
        partial_sums.append(_one_by_one(items[1 + full :, None].T, zero, rounded)[0])
        items = np.concatenate([items[:1], _one_by_one(groups, zero, rounded)])
        if len(items) == 1:
            break
    partial_sums.append(_one_by_one(items[None], zero, rounded)[0])
    return _one_by_one(np.array([partial_sums], items.dtype), zero, rounded)[0]


def _one_by_one(rows: Any, zero: Any, rounded: Callable[[Any], Any]) -> Any:
    """The sum of each row, rounded after each element."""
    total = np.full(len(rows), zero)
    for column in rows.T:
        total = rounded(total + column)
    return total
