"""How is an array pooled into a given size? One dimension after the other, since the windows are boxes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

import numpy as np


def bounds(n: int, windows: int) -> list[tuple[int, int]]:
    """Where each window begins and ends; they overlap where the sizes do not divide.

    >>> bounds(5, 2)
    [(0, 3), (2, 5)]
    """
    return [(i * n // windows, -(-(i + 1) * n // windows)) for i in range(windows)]


def averaged(x: np.ndarray, size: tuple[int, ...]) -> Any:
    """The mean of each window of the last dimensions."""
    for axis, windows in enumerate(size, -len(size)):
        moved = np.moveaxis(x, axis, -1)
        result = np.empty_like(x, shape=(*moved.shape[:-1], windows))
        for i, (start, end) in enumerate(bounds(moved.shape[-1], windows)):
            moved[..., start:end].mean(axis=-1, out=result[..., i])
        x = np.moveaxis(result, -1, axis)
    return x


def averaged_one_by_one(x: np.ndarray, size: tuple[int, ...], rounded: Callable[[Any], Any]) -> Any:
    """The mean of each window of 16-bit floats, rounded after each element, and after each division by a length."""
    spans = [bounds(n, windows) for n, windows in zip(x.shape[-len(size) :], size, strict=True)]
    result = np.empty_like(x, shape=(*x.shape[: -len(size)], *size))
    for place in np.ndindex(*size):
        window = [spans[axis][i] for axis, i in enumerate(place)]
        total = np.zeros_like(x, shape=x.shape[: -len(size)])
        for element in product(*[range(*span) for span in window]):
            key: Any = (..., *element)
            total = rounded(total + x[key])
        for start, end in window:
            total = rounded(total / x.dtype.type(end - start))
        key = (..., *place)
        result[key] = total
    return result


def spread(grad: np.ndarray, size: tuple[int, ...]) -> Any:
    """The way back: each number is divided among the elements of its window."""
    for axis, n in enumerate(size, -len(size)):
        moved = np.moveaxis(grad, axis, -1)
        result = np.zeros_like(grad, shape=(*moved.shape[:-1], n))
        for i, (start, end) in enumerate(bounds(n, moved.shape[-1])):
            result[..., start:end] += moved[..., i : i + 1] / (end - start)
        grad = np.moveaxis(result, -1, axis)
    return grad


def largest(x: np.ndarray, size: tuple[int, ...]) -> tuple[Any, Any]:
    """The largest element of each window of the last dimensions, and its place in the plane of these dimensions.

    The first of equal elements wins, and the last NaN wins over all others.
    """
    dims = len(size)
    places = np.broadcast_to(np.arange(prod(x.shape[-dims:]), like=x).reshape(x.shape[-dims:]), x.shape)
    for axis in range(-1, -dims - 1, -1):
        values, numbers = np.moveaxis(x, axis, -1), np.moveaxis(places, axis, -1)
        windows = size[axis]
        best = np.empty_like(x, shape=(*values.shape[:-1], windows))
        where = np.empty_like(places, shape=best.shape)
        for i, (start, end) in enumerate(bounds(values.shape[-1], windows)):
            window = values[..., start:end]
            chosen = _last_nan_or_largest(window)[..., None]
            best[..., i] = np.take_along_axis(window, chosen, -1)[..., 0]
            where[..., i] = np.take_along_axis(numbers[..., start:end], chosen, -1)[..., 0]
        x, places = np.moveaxis(best, -1, axis), np.moveaxis(where, -1, axis)
    return x, places


def _last_nan_or_largest(window: np.ndarray) -> Any:
    chosen = window.argmax(-1)
    unordered = window != window
    if unordered.any():
        last = window.shape[-1] - 1 - unordered[..., ::-1].argmax(-1)
        chosen = np.where(unordered.any(-1), last, chosen)
    return chosen
