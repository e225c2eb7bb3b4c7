"""How does padding read the elements at the border? By one list of places for each dimension."""

from __future__ import annotations

from typing import Any

import numpy as np


def places(n: int, before: int, after: int, mode: str) -> Any:
    """Which element of a dimension each element of the padded one is.

    >>> places(3, 2, 1, "reflect").tolist(), places(3, 2, 1, "replicate").tolist()
    ([2, 1, 0, 1, 2, 1], [0, 0, 0, 1, 2, 2])
    """
    index = np.arange(-before, n + after)
    if mode == "replicate":
        return index.clip(0, n - 1)
    index = abs(index)
    return np.where(index >= n, 2 * (n - 1) - index, index)


def beside(index: np.ndarray, x: np.ndarray) -> Any:
    """A list of places where an array is."""
    return index if type(x) is np.ndarray else np.array(index, like=x)


def read(x: np.ndarray, by_axis: list[Any]) -> Any:
    """The elements at these places of the last dimensions."""
    for axis, index in enumerate(by_axis, -len(by_axis)):
        x = x.take(beside(index, x), axis=axis)
    return x


def add_back(grad: np.ndarray, by_axis: list[Any], size: tuple[int, ...]) -> Any:
    """The way back: each element gets the sum of what was read from it."""
    for axis, (index, n) in enumerate(zip(by_axis, size, strict=True), -len(size)):
        moved = np.moveaxis(grad, axis, 0)
        result = np.zeros_like(grad, shape=(n, *moved.shape[1:]))
        for i, place in enumerate(index):
            result[place] += moved[i]
        grad = np.moveaxis(result, 0, axis)
    return grad
