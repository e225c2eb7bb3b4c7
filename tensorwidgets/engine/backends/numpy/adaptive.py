"""How is an array averaged into another size? One dimension after the other, since the windows are boxes."""

from __future__ import annotations

from typing import Any

import numpy as np


def bounds(n: int, windows: int) -> list[tuple[int, int]]:
    """Where each window begins and ends; they overlap where the sizes do not divide.

    >>> bounds(5, 2)
    [(0, 3), (2, 5)]
    """
    return [(i * n // windows, -(-(i + 1) * n // windows)) for i in range(windows)]


def averaged(x: Any, size: tuple[int, ...]) -> Any:
    """The mean of each window of the last dimensions."""
    for axis, windows in enumerate(size, -len(size)):
        moved = np.moveaxis(x, axis, -1)
        result = np.empty_like(x, shape=(*moved.shape[:-1], windows))
        for i, (start, end) in enumerate(bounds(moved.shape[-1], windows)):
            moved[..., start:end].mean(axis=-1, out=result[..., i])
        x = np.moveaxis(result, -1, axis)
    return x


def spread(grad: Any, size: tuple[int, ...]) -> Any:
    """The way back: each number is divided among the elements of its window."""
    for axis, n in enumerate(size, -len(size)):
        moved = np.moveaxis(grad, axis, -1)
        result = np.zeros_like(grad, shape=(*moved.shape[:-1], n))
        for i, (start, end) in enumerate(bounds(n, moved.shape[-1])):
            result[..., start:end] += moved[..., i : i + 1] / (end - start)
        grad = np.moveaxis(result, -1, axis)
    return grad
