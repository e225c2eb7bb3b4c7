"""Which sums of 16-bit floats and a multiple round the multiple first? Those that fill no registers, in PyTorch.

Its loops take 32 elements at a time, in float32, and round each sum once. The rest of a row, and arrays that do not lie
side by side, are computed number by number in 16 bits, where the product is rounded as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key, partial
from math import prod
from typing import Any

import numpy as np

from ..chunks import FROM

AT_ONCE = 32
"""How many 16-bit floats lie in two registers of AVX2, for which PyTorch's kernels are compiled."""


def one_by_one(arrays: Sequence[np.ndarray]) -> np.ndarray | bool:
    """Where PyTorch computes number by number: everywhere, nowhere, or in the places of a mask that broadcasts.

    >>> one_by_one([np.zeros(34, "f2"), np.zeros(34, "f2")]).nonzero()[0]
    array([32, 33])
    >>> one_by_one([np.zeros(80, "f2")[::2]]), one_by_one([np.zeros((2, 16), "f2")])
    (True, False)
    """
    shape = np.broadcast_shapes(*(a.shape for a in arrays))
    steps = [
        [s // a.itemsize for s in np.broadcast_to(a, shape).strides] for a in arrays if a.size > 1 or prod(shape) == 1
    ]
    axes = [axis for axis, size in enumerate(shape) if size > 1]
    axes.sort(key=cmp_to_key(partial(_order, steps)))
    if not axes or any(s[axes[0]] > 1 for s in steps):
        return True
    row = axes[:1]  # from the inside
    for axis in axes[1:]:
        if any(s[axis] != s[row[-1]] * shape[row[-1]] for s in steps):
            break
        row.append(axis)
    length = prod(shape[axis] for axis in row)
    if not length % AT_ONCE:
        return False
    if length < AT_ONCE:
        return True
    mask = np.arange(length) >= length - length % AT_ONCE
    row.reverse()
    mask = mask.reshape([shape[axis] for axis in row]).transpose(np.argsort(row))
    return mask.reshape([shape[axis] if axis in row else 1 for axis in range(len(shape))])


def _order(steps: list[list[int]], i: int, j: int) -> int:
    """Which of two dimensions is walked inside the other: the one of shorter steps, in the first operand that tells."""
    for step in steps:
        if step[i] and step[j] and step[i] != step[j]:
            return step[i] - step[j]
    return j - i


def round_products(total: Any, arrays: Sequence[np.ndarray], ufunc: Callable, a: Any, product: Any) -> Any:
    """A sum in float32 of two 16-bit operands: products are rounded to 16 bits where PyTorch rounds them.

    Pieces of large arrays stay as they are.
    """
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    where = prod(shape) < FROM and shape == np.shape(total) and one_by_one(arrays)
    if where is False:
        return total
    narrow = next(array.dtype for array in arrays if array.itemsize == 2)
    again = ufunc(a, np.asarray(product).astype(narrow).astype(np.float32))
    if not isinstance(total, np.ndarray):
        return again
    np.copyto(total, again, where=where)
    return total
