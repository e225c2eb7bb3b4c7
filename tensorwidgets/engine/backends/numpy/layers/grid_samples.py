"""How is an image read at the points of a grid? Each value is a sum of a few pixels around its point, its taps, each by
its share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from .grid_places import ZEROS, Side, cubic_shares
from .grid_taps import CUBIC, LINEAR, NEAREST, Planes, Taps

BLOCK = 1 << 16
"""So many points are computed at a time, which bounds what is between the steps."""


def shares_along(side: Side, points: np.ndarray, mode: int) -> tuple[Any, tuple[Any, ...]]:
    """The first tap of each point along one dimension, before it is brought inside, and the share of each tap."""
    places = side.places(points)
    one = points.dtype.type(1)
    if mode == CUBIC:
        before = np.floor(places)
        return before, cubic_shares(places - before)
    places = side.inside(places)
    if mode == NEAREST:
        return np.rint(places), ()
    if side.dims == 3 and side.padding == ZEROS:  # a tap outside is left out there, also if its share is no number
        places = np.where(np.isfinite(places), places, -one - one)
    before = np.floor(places)
    share = places - before
    return before, (one - share if side.dims == 2 else before + one - places, share)


def blocks(points: int) -> Iterator[slice]:
    return (slice(start, min(start + BLOCK, points)) for start in range(0, points, BLOCK))


def by_dimension(grid: np.ndarray) -> list[Any]:
    """The points along each dimension of the images; the last number of each point is along the first."""
    return [grid[..., k].copy().reshape(-1) for k in range(grid.shape[-1] - 1, -1, -1)]


def sample(target: np.ndarray, x: np.ndarray, grid: np.ndarray, mode: int, padding: int, align: bool) -> None:
    """Fill each place of the target with the value of the image at its point of the grid."""
    dims, channels = x.ndim - 2, x.shape[1]
    if not target.size:
        return
    sides = [Side(n, padding, align, dims) for n in x.shape[2:]]
    points = by_dimension(grid)
    planes = Planes(x, sides, mode, len(points[0]) // len(x))
    alone = len(x) == 1 and target.flags.c_contiguous
    found = target.reshape(channels, -1) if alone else np.empty_like(x, shape=(channels, len(points[0])), order="C")
    for block in blocks(len(points[0])):
        along = [shares_along(side, each[block], mode) for side, each in zip(sides, points, strict=True)]
        taps = Taps(planes, [first for first, _ in along], block.start)
        _FILL[mode](found[:, block], taps, [shares for _, shares in along])
    if not alone:
        target[...] = found.reshape(channels, len(x), *target.shape[2:]).swapaxes(0, 1)


def _nearest(found: np.ndarray, taps: Taps, shares: list[Any]) -> None:
    for values, part in zip(found, taps.read((0,) * len(taps.sides)), strict=True):
        values[...] = part


def _linear(found: np.ndarray, taps: Taps, shares: list[Any]) -> None:
    for tap, weight in weights(shares):
        _add(found, taps.read(tap), weight, not any(tap))


def weights(shares: list[Any]) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Each tap of several dimensions, and its share: the product of those along each."""
    for tap in product(range(len(shares[0])), repeat=len(shares)):
        weight = None
        for k, along in zip(reversed(tap), reversed(shares), strict=True):
            weight = along[k] if weight is None else weight * along[k]
        yield tap, weight


def _cubic(found: np.ndarray, taps: Taps, shares: list[Any]) -> None:
    down, across = shares
    row = np.empty_like(found)
    for j in range(4):
        for i in range(4):
            _add(row, taps.read((j, i)), across[i], not i)
        _add(found, row, down[j], not j)


def _add(sums: np.ndarray, parts: Any, weight: Any, first: bool) -> None:
    """Add parts by their weight, for each channel."""
    for total, part in zip(sums, parts, strict=True):
        if first:
            np.multiply(part, weight, out=total)
        else:
            part *= weight
            total += part


_FILL = {LINEAR: _linear, NEAREST: _nearest, CUBIC: _cubic}
