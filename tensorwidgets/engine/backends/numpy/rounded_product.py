"""Products of 16-bit floats, which PyTorch rounds after each factor.

Numbers that lie next to each other are multiplied in 64 rows of their own, and the rows at the end; others one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .rounded_steps import rounding

LANES = 16
ROWS = 4 * LANES


def rounded_product(numbers: np.ndarray, wide: np.ndarray, dims: tuple[int, ...]) -> np.ndarray:
    """The product over one dimension or over all; `wide` are the numbers as float32, and so is the product.

    >>> a = np.array([1.001, 1.001, 1.001], np.float16)
    >>> rounded_product(a, a.astype(np.float32), (0,)).item()
    1.0029296875
    """
    rounded = rounding(numbers.dtype, wide.dtype)
    if len(dims) == 1 and numbers.ndim > 1:
        along = np.moveaxis(wide, dims[0], -1)
        side_by_side = numbers.strides[dims[0]] == numbers.itemsize
        return _times(np.ones(along.shape[:-1], wide.dtype), along, side_by_side, rounded)
    order = sorted(range(numbers.ndim), key=lambda d: -abs(numbers.strides[d]))
    ordered, lying = wide.transpose(order), numbers.transpose(order)
    if lying.flags.c_contiguous:
        ordered = ordered.reshape(1, -1)
    rows = ordered.reshape(-1, ordered.shape[-1])
    side_by_side = bool(lying.flags.c_contiguous or lying.strides[-1] == numbers.itemsize)
    product = np.ones((), wide.dtype)
    for row in rows:
        product = _times(product, row, side_by_side, rounded)
    return product


def _times(product: np.ndarray, factors: np.ndarray, side_by_side: bool, rounded: Callable[[Any], Any]) -> Any:
    """A product times the factors along the last dimension."""
    count = factors.shape[-1] // ROWS if side_by_side else 0
    if count:
        blocks = factors[..., : count * ROWS].reshape(*factors.shape[:-1], count, 4, LANES)
        four = blocks[..., 0, :, :]
        for i in range(1, count):
            four = rounded(four * blocks[..., i, :, :])
        one = rounded(rounded(four[..., 0, :] * four[..., 1, :]) * rounded(four[..., 2, :] * four[..., 3, :]))
        total = one[..., 0]
        for lane in range(1, LANES):
            total = rounded(total * one[..., lane])
        product = rounded(product * total)
    for i in range(count * ROWS, factors.shape[-1]):
        product = rounded(product * factors[..., i])
    return product
