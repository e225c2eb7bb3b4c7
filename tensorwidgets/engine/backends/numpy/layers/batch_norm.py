"""Batch normalization of many numbers, and its gradients, with few passes over the numbers.

Dimensions are examples, channels and places.
"""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..sums.scaled_rows import add_scaled_rows, are_scalable

NEAR = 4.0
"""Means up to this many deviations away from zero may be subtracted from sums, instead of from each number."""


def statistics(x: ndarray) -> tuple[ndarray, ndarray] | None:
    """The mean of each channel, and the sum of the squares of the distances to it, in float64.

    None if a mean is larger than the deviation: the difference of two large numbers would lose digits.

    >>> statistics(np.array([[[1.0, 2.0, 3.0], [-1.0, 0.0, 1.0]]])[:, 1:])
    (array([0.]), array([2.]))
    """
    examples, channels, places = x.shape
    rows = x.reshape(-1, places)
    sums = np.matmul(rows, np.ones(places, x.dtype)).reshape(examples, channels)
    squares = np.matmul(rows[:, None], rows[:, :, None]).reshape(examples, channels)
    sums, squares = np.add.reduce(sums, 0, np.float64), np.add.reduce(squares, 0, np.float64)
    mean = sums / (examples * places)
    spread = squares - mean * sums
    if not (spread + spread >= squares).all() or not np.maximum.reduce(spread) < np.inf:
        return None
    return mean, spread


def normalize(
    x: ndarray, mean: ndarray, scale: ndarray, weight: ndarray | None, bias: ndarray | None, out: ndarray
) -> None:
    """Write normalized numbers, each by one product and one sum as in PyTorch. `scale` is the inverse of the deviation.

    >>> x, out = np.array([[[1.0, 3.0]]]), np.empty((1, 1, 2))
    >>> normalize(x, np.array([2.0]), np.array([1.0]), np.array([10.0]), None, out)
    >>> out.tolist()
    [[[-10.0, 10.0]]]
    """
    factor = scale if weight is None else scale * weight
    shift = -mean * factor if bias is None else bias - mean * factor
    np.copyto(out, shift[:, None])
    _add(out, factor, x)


def gradients(
    grad: ndarray, x: ndarray, mean: ndarray, scale: ndarray, weight: ndarray | None, needed: tuple[bool, bool, bool]
) -> tuple[ndarray | None, ndarray | None, ndarray | None]:
    """The gradients of the numbers, of the weight and of the bias; None for those that are not needed.

    >>> x = np.array([[[1.0, 2.0, 4.0]]])
    >>> mean, scale = x.mean((0, 2)), 1 / x.std((0, 2))
    >>> of_x, of_weight, of_bias = gradients(np.ones((1, 1, 3)), x, mean, scale, None, (True, True, True))
    >>> abs(of_x.round(9)).tolist(), abs(of_weight.round(9)).tolist(), of_bias.tolist()
    ([[[0.0, 0.0, 0.0]]], [0.0], [3.0])
    """
    examples, channels, places = x.shape
    number, count = x.dtype.type, examples * places
    centered, offset = x, mean.astype(np.float64)
    if not (np.abs(mean) * scale).max() < NEAR:
        centered, offset = np.subtract(x, mean[:, None]), np.zeros(channels)
    sums = np.matmul(grad.reshape(-1, places), np.ones(places, x.dtype)).reshape(examples, channels)
    sums = np.add.reduce(sums, 0, np.float64)
    along = np.matmul(grad.reshape(-1, 1, places), centered.reshape(-1, places, 1)).reshape(examples, channels)
    along = (np.add.reduce(along, 0, np.float64) - offset * sums) * scale
    of_x = None
    if needed[0]:
        factor = scale.astype(np.float64) if weight is None else np.multiply(scale, weight, dtype=np.float64)
        slope = -factor * scale * along / count
        shift = -factor * sums / count - offset * slope
        of_x = np.empty(x.shape, x.dtype)
        np.copyto(of_x, shift.astype(number)[:, None])
        _add(of_x, slope.astype(number), centered)
        _add(of_x, factor.astype(number), grad)
    return of_x, along.astype(number) if needed[1] else None, sums.astype(number) if needed[2] else None


def _add(target: ndarray, factors: ndarray, x: ndarray) -> None:
    """Add numbers, times the factor of their channel."""
    if are_scalable(target, x):
        length = x.shape[2]
        of_rows = np.empty(x.shape[:2], x.dtype)
        of_rows[...] = factors
        add_scaled_rows(target.reshape(-1, length), of_rows.reshape(-1), x.reshape(-1, length))
    else:
        target += np.multiply(x, factors[:, None])
