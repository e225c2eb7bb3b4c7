"""The gradients of batch normalization, with few passes over the numbers."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

NEAR = 4.0
"""Means up to this many deviations away from zero may be subtracted from sums, instead of from each number."""


def gradients(
    grad: ndarray, x: ndarray, mean: ndarray, scale: ndarray, weight: ndarray | None, needed: tuple[bool, bool, bool]
) -> tuple[ndarray | None, ndarray | None, ndarray | None]:
    """The gradients of the numbers, of the weight and of the bias; None for those that are not needed.

    Dimensions are examples, channels and places. `scale` is the inverse of the deviation of each channel.

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
        of_x = np.multiply(centered, slope.astype(number)[:, None])
        of_x += shift.astype(number)[:, None]
        of_x += np.multiply(grad, factor.astype(number)[:, None])
    return of_x, along.astype(number) if needed[1] else None, sums.astype(number) if needed[2] else None
