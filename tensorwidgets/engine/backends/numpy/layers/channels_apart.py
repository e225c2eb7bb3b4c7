"""Batch normalization of float32 that lie neither row by row nor with the channels last, as PyTorch rounds each step.

Its kernel for such numbers goes from one to the next: it adds squares and products up in float64, and rounds each
product before it adds.
"""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..in_double import DOUBLE, SINGLE
from ..sums.ordered_sum import MOST, ordered_sum
from .few_channels import inverse_deviation


def lie_apart(x: ndarray) -> bool:
    """Whether examples, channels and places take these steps.

    >>> x = np.zeros((2, 3, 4), "f4")
    >>> lie_apart(x), lie_apart(x.transpose(0, 2, 1))
    (False, True)
    """
    if type(x) is not ndarray or x.dtype != SINGLE or not x.size or x.ndim < 2 or x.flags.c_contiguous:
        return False
    return x.ndim not in (4, 5) or not np.moveaxis(x, 1, -1).flags.c_contiguous


def statistics(x: ndarray) -> tuple[ndarray, ndarray]:
    """The mean of each channel, and in float64 the sum of the squares of the distances to it.

    >>> mean, squares = statistics(np.array([[1, 3], [5, 7]], "f4").T)
    >>> mean, squares
    (array([2., 6.], dtype=float32), array([2., 2.]))
    """
    mean = sums(x) / SINGLE.type(x.size // x.shape[1])
    distances = x.astype(DOUBLE)
    distances -= _beside(mean, x)
    return mean, np.add.reduce(np.square(distances, distances), _others(x))


def sums(x: ndarray) -> ndarray:
    """The sum of each channel, in the order in which the numbers lie."""
    if x.size > MOST:
        return np.add.reduce(x, _others(x), DOUBLE).astype(SINGLE)
    found: ndarray = ordered_sum(x, _others(x))
    return found


def normalize(
    result: ndarray, x: ndarray, mean: ndarray, scale: ndarray, weight: ndarray | None, bias: ndarray | None
) -> None:
    """Write the normalized numbers, times the weight of their channel and plus its bias."""
    normal = np.subtract(x, _beside(mean, x))
    normal *= _beside(scale, x)
    if weight is not None:
        normal *= _beside(weight, x)
    normal += 0 if bias is None else _beside(bias, x)  # a factor below 0 makes a negative zero of 0
    np.copyto(result, normal)


def gradients(
    grad: ndarray,
    x: ndarray,
    mean: ndarray,
    scale: ndarray,
    weight: ndarray | None,
    needed: tuple[bool, bool, bool],
    eps: float | None,
) -> tuple[ndarray | None, ndarray | None, ndarray | None]:
    """The gradients of the numbers, of the weight and of the bias.

    `scale` is the inverse of a batch's deviation; with an `eps` it is a variance that does not depend on the numbers.
    """
    if eps is not None:
        scale = inverse_deviation(scale, eps)
    distances = np.subtract(x, _beside(mean, x))
    along, total = np.add.reduce(distances * grad, _others(x), DOUBLE), sums(grad)
    of_x = None
    if needed[0]:
        of_x = grad
        if eps is None:
            count = SINGLE.type(x.size // x.shape[1])
            of_x = grad - _beside(total / count, x)
            of_x -= distances * _beside(along.astype(SINGLE) * scale * scale / count, x)
        of_x = of_x * _beside(scale, x)
        if weight is not None:
            of_x *= _beside(weight, x)
    return of_x, (along * scale).astype(SINGLE) if needed[1] else None, total if needed[2] else None


def _others(x: ndarray) -> tuple[int, ...]:
    """The dimensions beside that of the channels."""
    return (0, *range(2, x.ndim))


def _beside(of_channels: ndarray, x: ndarray) -> ndarray:
    """One number for each channel, with as many dimensions as what it is used with."""
    return of_channels.reshape(-1, *(1,) * (x.ndim - 2))
