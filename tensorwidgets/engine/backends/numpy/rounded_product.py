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
WIDE = np.dtype(np.float32)
PIECE = 1 << 16
"""Numbers that are float32 at the same time."""


def rounded_product(numbers: np.ndarray, dims: tuple[int, ...]) -> np.ndarray:
    """The product over one dimension or over all, as float32.

    >>> rounded_product(np.array([1.001, 1.001, 1.001], np.float16), (0,)).item()
    1.0029296875
    """
    rounded = rounding(numbers.dtype, WIDE)
    if len(dims) == 1 and numbers.ndim > 1:
        along = np.moveaxis(numbers, dims[0], -1)
        side_by_side = numbers.strides[dims[0]] == numbers.itemsize
        return _times(np.ones(along.shape[:-1], WIDE), along, side_by_side, rounded)
    order = sorted(range(numbers.ndim), key=lambda d: -abs(numbers.strides[d]))
    ordered = numbers.transpose(order)
    side_by_side = bool(ordered.flags.c_contiguous or ordered.strides[-1] == numbers.itemsize)
    if ordered.flags.c_contiguous:
        ordered = ordered.reshape(1, -1)
    product = np.ones((), WIDE)
    for row in ordered.reshape(-1, ordered.shape[-1]):
        product = _times(product, row, side_by_side, rounded)
    return product


def _times(product: np.ndarray, numbers: np.ndarray, side_by_side: bool, rounded: Callable[[Any], Any]) -> Any:
    """A product times the numbers along the last dimension, of which a piece at a time is wide."""
    if numbers.size <= PIECE:
        return _of_piece(product, numbers.astype(WIDE), side_by_side, rounded)
    count = numbers.shape[-1] // ROWS if side_by_side else 0
    if not count:
        for i in range(numbers.shape[-1]):
            product = rounded(product * numbers[..., i].astype(WIDE))
        return product
    step = max(1, PIECE // (numbers.size // numbers.shape[-1] * ROWS)) * ROWS
    whole = numbers[..., : count * ROWS]
    four = None
    for start in range(0, count * ROWS, step):
        four = _four_rows(four, whole[..., start : start + step].astype(WIDE), rounded)
    assert four is not None
    product = rounded(product * _of_rows(four, rounded))
    for i in range(count * ROWS, numbers.shape[-1]):
        product = rounded(product * numbers[..., i].astype(WIDE))
    return product


def _of_piece(product: np.ndarray, factors: np.ndarray, side_by_side: bool, rounded: Callable[[Any], Any]) -> Any:
    count = factors.shape[-1] // ROWS if side_by_side else 0
    if count:
        product = rounded(product * _of_rows(_four_rows(None, factors[..., : count * ROWS], rounded), rounded))
    for i in range(count * ROWS, factors.shape[-1]):
        product = rounded(product * factors[..., i])
    return product


def _four_rows(four: np.ndarray | None, factors: np.ndarray, rounded: Callable[[Any], Any]) -> np.ndarray:
    """Rows of so many lanes, times the factors that follow."""
    blocks = factors.reshape(*factors.shape[:-1], -1, 4, LANES)
    for i in range(blocks.shape[-3]):
        block = blocks[..., i, :, :]
        four = block if four is None else rounded(four * block)
    assert four is not None
    return four


def _of_rows(four: np.ndarray, rounded: Callable[[Any], Any]) -> np.ndarray:
    one = rounded(rounded(four[..., 0, :] * four[..., 1, :]) * rounded(four[..., 2, :] * four[..., 3, :]))
    total = one[..., 0]
    for lane in range(1, LANES):
        total = rounded(total * one[..., lane])
    return np.asarray(total)
