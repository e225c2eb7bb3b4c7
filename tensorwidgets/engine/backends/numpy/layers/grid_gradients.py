"""How do gradients go back from values at the points of a grid: to the pixels, and to the points?

A value is a sum of taps, each by its share. Its gradient goes to each tap by that share, and to the point by the
derivatives of the shares.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from .grid_places import ZEROS, Side, cubic_slopes
from .grid_samples import blocks, by_dimension, shares_along, weights
from .grid_taps import CUBIC, LINEAR, NEAREST, Planes, Taps


def sample_back(
    of_input: np.ndarray | None, of_grid: np.ndarray | None, grad: np.ndarray, x: np.ndarray, grid: np.ndarray,
    mode: int, padding: int, align: bool,
) -> None:  # fmt: skip
    """Fill the gradients of an image and of a grid that an image was sampled at."""
    dims, channels = x.ndim - 2, x.shape[1]
    if of_grid is not None:
        of_grid[...] = 0
    if not grad.size:
        if of_input is not None:
            of_input[...] = 0
        return
    sides = [Side(n, padding, align, dims) for n in x.shape[2:]]
    points = by_dimension(grid)
    planes = Planes(x, sides, mode, len(points[0]) // len(x), keep=mode == CUBIC and padding != ZEROS)
    grads = grad.swapaxes(0, 1).reshape(channels, -1)
    sums = None
    if of_input is not None:
        sums = np.zeros_like(x, shape=(channels, len(x) * planes.plane), dtype=_wide(x.dtype), order="C")
    for block in blocks(len(points[0])):
        along = [shares_along(side, each[block], mode) for side, each in zip(sides, points, strict=True)]
        taps = Taps(planes, [first for first, _ in along], block.start)
        shares = [share for _, share in along]
        if sums is not None:
            _to_pixels(sums, taps, grads[:, block], shares)
        if of_grid is not None and mode != NEAREST:
            found = _to_points(taps, grads[:, block], shares, [each[block] for each in points], mode)
            for k, values in enumerate(found):
                of_grid.reshape(-1, dims)[block, dims - 1 - k] = values
    if of_input is not None and sums is not None:
        size = [n + 2 * border for n, border in zip(x.shape[2:], planes.border, strict=True)]
        inner: Any = (..., *(slice(b, b + n) for n, b in zip(x.shape[2:], planes.border, strict=True)))
        of_input[...] = sums.reshape(channels, len(x), *size)[inner].swapaxes(0, 1)


def _to_pixels(sums: np.ndarray, taps: Taps, grads: np.ndarray, shares: list[Any]) -> None:
    """Add each gradient to the pixels that its value was made of."""
    if not shares[0]:
        taps.add(sums, (0,) * len(shares), grads, np.ones_like(grads, shape=grads.shape[1:]))
        return
    for tap, weight in weights(shares):
        taps.add(sums, tap, grads, weight)


def _wide(d: np.dtype) -> Any:
    """What gradients are added up in."""
    return np.float32 if d.itemsize < 4 else d


def _to_points(taps: Taps, grads: np.ndarray, shares: list[Any], points: list[Any], mode: int) -> list[Any]:
    """The gradients of the points along each dimension of the image."""
    wide = _wide(grads.dtype)
    dots = {}
    for tap in product(range(len(shares[0])), repeat=len(shares)):
        total: Any = None
        for values, grad in zip(taps.read(tap), grads, strict=True):
            part = np.multiply(values, grad, dtype=wide)
            total = part if total is None else np.add(total, part, out=total)
        dots[tap] = total
    shares = [tuple(share.astype(wide, copy=False) for share in along) for along in shares]
    found = []
    for k, side in enumerate(taps.sides):
        places = side.places(points[k])
        if mode == LINEAR:
            slope = side.inside_with_slope(places)[1]
            found.append(_differences(dots, shares, k) * slope)
        else:
            slopes = tuple(s.astype(wide, copy=False) for s in cubic_slopes(places - np.floor(places)))
            curved = [slopes if i == k else along for i, along in enumerate(shares)]
            found.append(sum(dots[tap] * weight for tap, weight in weights(curved)) * side.scale(points[k].dtype.type))
    return found


def _differences(dots: dict[tuple[int, ...], Any], shares: list[Any], k: int) -> Any:
    """How much more there is on the far side of each point than on the near one, along a dimension."""
    total: Any = None
    for tap in product((0, 1), repeat=len(shares) - 1):
        part = dots[(*tap[:k], 1, *tap[k:])] - dots[(*tap[:k], 0, *tap[k:])]
        for i, at in enumerate(tap):
            part = part * shares[i + (i >= k)][at]
        total = part if total is None else total + part
    return total
