"""How is an array pooled by windows that lie at random? Each plane has windows of its own, a random number for each
dimension says where they start."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np


def starts(samples: np.ndarray, n: int, windows: int, width: int) -> Any:
    """Where the windows of each plane start along a dimension; the last one ends where the dimension does.

    >>> starts(np.array([0.0, 0.9]), 9, 4, 2)
    array([[0, 2, 4, 7],
           [0, 2, 4, 7]])
    >>> starts(np.array([0.0, 0.5]), 10, 4, 2)
    array([[0, 2, 5, 8],
           [0, 3, 5, 8]])
    """
    t = samples.dtype.type
    found = np.full_like(samples, n - width, shape=(len(samples), windows), dtype=np.int64)
    if windows > 1:
        step = t(n - width) / t(windows - 1)
        place = np.arange(windows - 1, like=samples).astype(samples.dtype)
        first = np.trunc(samples * step).astype(np.int64)
        found[:, :-1] = np.trunc((place + samples[:, None]) * step).astype(np.int64) - first[:, None]
    return found


def largest(values: np.ndarray, places: np.ndarray, x: np.ndarray, samples: np.ndarray, width: tuple[int, ...]) -> None:
    """Fill the largest element of each window, and its place in its plane; what is no number counts as the largest."""
    dims = len(width)
    size, out = x.shape[-dims:], values.shape[-dims:]
    planes, plane = prod(x.shape[:-dims]), prod(size)
    if not values.size:
        return
    flat = x.reshape(-1)
    order = (1, 0) if dims == 2 else (0, 1, 2)  # the numbers for images begin with the width
    first: Any = 0
    for k, (n, windows, w) in enumerate(zip(size, out, width, strict=True)):
        along = starts(samples[:, order[k]], n, windows, w) * prod(size[k + 1 :])
        first = first + along.reshape(planes, *(1,) * k, windows, *(1,) * (dims - k - 1))
    base = np.arange(planes, like=first).reshape(-1, *(1,) * dims) * plane
    best: Any = np.full_like(x, -np.inf, shape=first.shape)
    place = first
    for offset in product(*map(range, width)):
        there = first + sum(i * prod(size[k + 1 :]) for k, i in enumerate(offset))
        found = flat.take(there + base)
        better = (found > best) | np.isnan(found)
        best, place = np.where(better, found, best), np.where(better, there, place)
    values[...] = best.reshape(values.shape)
    places[...] = place.reshape(places.shape)
