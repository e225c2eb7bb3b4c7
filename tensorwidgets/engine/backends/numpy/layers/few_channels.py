"""Batch normalization of few float32, with every rounding of PyTorch's kernels.

Where a channel's numbers lie side by side, they are added in float64. Where channels lie side by side, rows of channels
are added one after the other in float32, as if PyTorch ran in one thread: with more, each adds rows of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import ndarray

from ..fma import fused, fused_sum
from ..in_double import DOUBLE, SINGLE
from ..sums.lane_sums import LANES, lane_sums, lane_sums_of_products
from ..sums.ordered_sum import in_sequence, ordered_sum

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
    distances = rows - mean
    return mean, fused_sum(distances, distances)


def scale_in_training(squares: ndarray, count: int, eps: float) -> ndarray:
    """The inverse of the deviation of a batch."""
    return inverse_deviation(squares / SINGLE.type(count), eps)


def inverse_deviation(variance: ndarray, eps: float) -> ndarray:
    """1 / sqrt(variance + eps), in float64 and rounded once."""
    return (1 / np.sqrt(variance.astype(DOUBLE) + eps)).astype(SINGLE)  # type: ignore[no-any-return]


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
    return columns.astype(DOUBLE) * factor[:, None] + shift.astype(SINGLE).astype(DOUBLE)[:, None]  # type: ignore[no-any-return]


def gradients(
    grad: ndarray,
    x: ndarray,
    mean: ndarray,
    scale: ndarray,
    weight: ndarray | None,
    needed: tuple[bool, bool, bool],
    eps: float | None,
) -> tuple[ndarray | None, ndarray | None, ndarray | None]:
    """The gradients of examples, channels and places, of the weight and of the bias.

    `scale` is the inverse of a batch's deviation; with an `eps` it is a variance that does not depend on the numbers.

    >>> x = np.array([[[1, 2, 4]]], "f4")
    >>> found = gradients(np.ones_like(x), x, x.mean((0, 2)), 1 / x.std((0, 2)), None, (False, True, True), None)
    >>> found[2]
    array([3.], dtype=float32)
    """
    if eps is not None:
        scale = inverse_deviation(scale, eps)
    distances = x - mean[:, None]
    sums = _sums(grad, distances, scale)
    of_x = None
    if needed[0]:
        of_x = grad
        if eps is None:
            count = SINGLE.type(x.size // x.shape[1])
            of_x = grad - sums.mean[:, None]
            slope = (sums.along * scale * scale / count)[:, None]
            whole = sums.fused
            before = of_x[:, whole:] - distances[:, whole:] * slope[whole:]
            of_x = fused(-distances, slope, of_x)
            of_x[:, whole:] = before
        of_x = of_x * scale[:, None]
        if weight is not None:
            of_x *= weight[:, None]
    return of_x, sums.of_weight if needed[1] else None, sums.of_bias if needed[2] else None


class _Sums(NamedTuple):
    """The sums of the gradients of each channel."""

    of_bias: ndarray
    mean: ndarray
    along: ndarray
    """The sum of the products with the distances to the mean."""
    of_weight: ndarray
    fused: int
    """In how many channels a product and its sum are rounded once."""


def _sums(grad: ndarray, distances: ndarray, scale: ndarray) -> _Sums:
    examples, channels, places = grad.shape
    count = SINGLE.type(examples * places)
    if not grad.flags.c_contiguous:  # those of a sum, for example, are one number
        total = ordered_sum(grad, (0, 2))
        products = np.add.reduce(distances * grad, (0, 2), DOUBLE)
        return _Sums(total, total / count, products.astype(SINGLE), (products * scale).astype(SINGLE), 0)
    if places > 1:
        flat = grad.reshape(-1, places)
        sums = np.add.reduce(lane_sums(flat).reshape(examples, channels), 0, DOUBLE)
        each = lane_sums_of_products(distances.reshape(-1, places), flat).reshape(examples, channels)
        products = np.add.reduce(each, 0, DOUBLE)
        mean = (sums / count.astype(DOUBLE)).astype(SINGLE)
        return _Sums(sums.astype(SINGLE), mean, products.astype(SINGLE), (products * scale).astype(SINGLE), channels)
    total, along = in_sequence(grad[None, :, :, 0])[0], fused_sum(distances[:, :, 0], grad[:, :, 0])
    return _Sums(total, total / count, along, along * scale, channels - channels % LANES)
