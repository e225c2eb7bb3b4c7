"""Group normalization of few float32, with every rounding of PyTorch's kernels."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..fma import fused
from ..in_double import DOUBLE, SINGLE
from ..sums.lane_sums import LANES, lane_sums
from .moments import moments

FOUR = 4
"""How many products a compiler rounds at a time, where PyTorch's source has a loop over single numbers."""


def normalize(
    planes: ndarray, groups: int, weight: ndarray | None, bias: ndarray | None, eps: float
) -> tuple[ndarray, ndarray, ndarray]:
    """The normalized examples, channels and places; the mean, and the inverse of the deviation, of each group.

    >>> result, mean, scale = normalize(np.array([[[1], [3]]], "f4"), 1, None, None, 0.0)
    >>> result.tolist(), mean.tolist(), scale.tolist()
    ([[[-1.0], [1.0]]], [[2.0]], [[1.0]])
    """
    examples, channels, places = planes.shape
    mean, variance = (each.reshape(examples, groups) for each in moments(planes.reshape(examples * groups, -1)))
    scale = (1 / np.sqrt(variance.astype(DOUBLE) + eps)).astype(SINGLE)
    of_channels = channels // groups
    center, factor = (np.repeat(each, of_channels, 1)[..., None] for each in (mean, scale))
    if weight is None and bias is None:
        return (planes - center) * factor, mean, scale
    if weight is not None:
        factor = factor * weight[:, None]
    shift = fused(-factor, center, SINGLE.type(0) if bias is None else bias[:, None])
    return fused(planes, factor, shift), mean, scale


def gradients(
    grad: ndarray, planes: ndarray, mean: ndarray, scale: ndarray, weight: ndarray | None, needed: tuple[bool, ...]
) -> tuple[ndarray | None, ndarray | None, ndarray | None]:
    """The gradients of examples, channels and places, of the weight and of the bias.

    >>> planes = np.array([[[1], [3]]], "f4")
    >>> found = gradients(np.ones_like(planes), planes, *normalize(planes, 1, None, None, 0.0)[1:], None, (1, 1, 1))
    >>> [each.tolist() for each in found]
    [[[[0.0], [0.0]]], [-1.0, 1.0], [1.0, 1.0]]
    """
    examples, channels, places = planes.shape
    groups = mean.shape[1]
    size = (examples, groups, channels // groups)
    x, g = planes.reshape(-1, places), grad.reshape(-1, places)
    along, total = lane_sums(g * x).reshape(size), lane_sums(g).reshape(size)
    of_planes = of_weight = of_bias = None
    if needed[0]:
        factors = np.ones(size[1:], SINGLE) if weight is None else weight.reshape(size[1:])
        along_all, total_all = _weighted(along, factors), _weighted(total, factors)
        share = SINGLE.type(1) / SINGLE.type(size[2] * places)
        slope = fused(total_all, mean, -along_all) * scale * scale * scale * share
        shift = fused(-(total_all * scale), share, -slope * mean)
        steep = (scale[..., None] * factors)[..., None]
        rest = slope[..., None, None] * x.reshape(*size, places)
        of_planes = (fused(g.reshape(*size, places), steep, rest) + shift[..., None, None]).reshape(planes.shape)
    if needed[1]:
        of_weight = np.zeros(size[1:], SINGLE)
        for a, t, m, s in zip(along, total, mean[..., None], scale[..., None], strict=True):
            of_weight = fused(fused(-t, m, a), s, of_weight)
        of_weight = of_weight.reshape(channels)
    if needed[2]:
        of_bias = np.zeros(size[1:], SINGLE)
        for t in total:
            of_bias = of_bias + t
        of_bias = of_bias.reshape(channels)
    return of_planes, of_weight, of_bias


def _weighted(sums: ndarray, factors: ndarray) -> ndarray:
    """The sum over the channels of each group, of the sums of channels times their factors."""
    width = sums.shape[2]
    whole = width - width % LANES
    total = np.zeros(sums.shape[:2], SINGLE)
    if whole:
        lanes = np.zeros((*sums.shape[:2], LANES), SINGLE)
        for start in range(0, whole, LANES):
            lanes = fused(sums[..., start : start + LANES], factors[:, start : start + LANES], lanes)
        for lane in range(LANES):
            total = total + lanes[..., lane]
    together = width - width % FOUR
    for at in range(whole, width):
        if at < together:
            total = total + sums[..., at] * factors[:, at]
        else:
            total = fused(sums[..., at], factors[:, at], total)
    return total
