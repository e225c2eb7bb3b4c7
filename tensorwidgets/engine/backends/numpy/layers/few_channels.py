"""Batch normalization of few float32, with every rounding of PyTorch's kernels.

Where a channel's numbers lie side by side, they are added in float64. Where channels lie side by side, rows of channels
are added one after the other in float32, as if PyTorch ran in one thread: with more, each adds rows of its own.
"""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..in_double import DOUBLE, SINGLE
from ..sums.ordered_sum import in_sequence

FEW = 1 << 14
"""Up to this many numbers take PyTorch's steps."""

FEW_ROWS = 64
"""Up to this many rows of channels do: their squares are added one after the other."""


def are_few(columns: ndarray, side_by_side: bool) -> bool:
    """Whether these examples, channels and places take PyTorch's steps."""
    few = 0 < columns.size <= FEW and columns.dtype == SINGLE and type(columns) is ndarray
    return few and (not side_by_side or columns.shape[0] * columns.shape[2] <= FEW_ROWS)


def statistics(columns: ndarray, side_by_side: bool) -> tuple[ndarray, ndarray]:
    """The mean of each channel, and the sum of the squares of the distances to it.

    >>> statistics(np.array([[[1, 3]], [[5, 7]]], "f4"), False)
    (array([4.], dtype=float32), array([20.], dtype=float32))
    """
    channels = columns.shape[1]
    count = columns.size // channels
    if not side_by_side:
        mean = (np.add.reduce(columns, (0, 2), DOUBLE) / count).astype(SINGLE)
        distances = columns - mean[:, None]
        return mean, np.add.reduce(np.square(distances), (0, 2), DOUBLE).astype(SINGLE)
    rows = np.ascontiguousarray(columns.swapaxes(1, 2)).reshape(count, channels)
    mean = in_sequence(rows[None])[0] / SINGLE.type(count)
    squares = np.zeros(channels, SINGLE)
    for square in np.square((rows - mean).astype(DOUBLE)):
        squares = (square + squares.astype(DOUBLE)).astype(SINGLE)
    return mean, squares


def scale_in_training(squares: ndarray, count: int, eps: float) -> ndarray:
    """The inverse of the deviation of a batch."""
    variance = squares / SINGLE.type(count)
    return (1 / np.sqrt(variance.astype(DOUBLE) + eps)).astype(SINGLE)


def follow(running: ndarray | None, value: ndarray, momentum: float, once: bool) -> None:
    """Move a running statistic towards the batch's, in place; the new share is rounded once with the sum, or before."""
    if running is None:
        return
    kept = SINGLE.type(1 - momentum) * running
    share = SINGLE.type(momentum)
    running[...] = value.astype(DOUBLE) * DOUBLE.type(share) + kept if once else share * value + kept


def normalized(
    columns: ndarray, mean: ndarray, scale: ndarray, weight: ndarray | None, bias: ndarray | None
) -> ndarray:
    """Each channel multiplied by a number and added to another, in float64, to be rounded once."""
    factor = (scale if weight is None else scale * weight).astype(DOUBLE)
    shift = -mean.astype(DOUBLE) * factor
    if bias is not None:
        shift += bias
    wide = np.multiply(columns, factor[:, None], dtype=DOUBLE)
    wide += shift.astype(SINGLE).astype(DOUBLE)[:, None]
    return wide
