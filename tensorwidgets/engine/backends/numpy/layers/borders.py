"""How does padding read the elements at the border? By one list of places for each dimension."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
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


def fill(target: np.ndarray, x: np.ndarray, by_axis: list[Any]) -> None:
    """Fill the padded array: the middle at once, then the borders of each dimension from what is filled already.

    >>> target = np.empty((1, 6))
    >>> fill(target, np.array([[1.0, 2.0, 3.0]]), [places(3, 2, 1, "reflect")])
    >>> target.tolist()
    [[3.0, 2.0, 1.0, 2.0, 3.0, 2.0]]
    """
    size = x.shape[x.ndim - len(by_axis) :]
    starts = [_middle(index, n) for index, n in zip(by_axis, size, strict=True)]
    if target.size < FEW or type(x) is not np.ndarray or min(starts) < 0:
        target[...] = read(x, by_axis)
        return
    middle: list[Any] = [slice(start, start + n) for start, n in zip(starts, size, strict=True)]
    key: list[Any] = [..., *middle]
    target[tuple(key)] = x
    for axis, (index, part) in enumerate(zip(by_axis, middle, strict=True)):
        key[1 + axis] = slice(None)
        rows = np.moveaxis(target[tuple(key)], axis - len(size), 0)
        for i in (*range(part.start), *range(part.stop, len(index))):
            rows[i] = rows[part.start + index[i]]


FEW = 50_000
"""Elements below which the places are read one by one."""


def _middle(index: np.ndarray, n: int) -> int:
    """Where all elements of a dimension follow each other; -1 if some are left out."""
    for start in np.flatnonzero(index[: max(len(index) - n + 1, 0)] == 0)[::-1]:
        if index[start + n - 1] == n - 1 and (np.diff(index[start : start + n]) == 1).all():
            return int(start)
    return -1


def add_back(grad: np.ndarray, by_axis: list[Any], size: tuple[int, ...]) -> Any:
    """The way back: each element gets the sum of what was read from it, in the order in which that lies."""
    whole = grad
    for axis, (index, n) in enumerate(zip(by_axis, size, strict=True), -len(size)):
        moved = np.moveaxis(grad, axis, 0)
        start = _middle(index, n) if type(grad) is np.ndarray else -1
        if start >= 0:
            result = _added_to_middle(moved, index, n, start)
        else:
            result = np.zeros_like(grad, shape=(n, *moved.shape[1:]))
            for i, place in enumerate(index):
                result[place] += moved[i]
        grad = np.moveaxis(result, 0, axis)
    corners = _corners(by_axis, size) if len(size) > 1 and type(grad) is np.ndarray else None
    if corners is not None:
        at, sums = _in_turn(whole, by_axis, size, lambda x: x, corners)
        key: tuple[Any, ...] = (..., *np.unravel_index(at, size))
        grad[key] = sums
    return grad


def _corners(by_axis: list[Any], size: tuple[int, ...]) -> Any:
    """Which elements of the padded array were read from where several dimensions read more than once; None if there are
    no such. Their sums were added up dimension by dimension.
    """
    several = [np.bincount(index, minlength=n) > 1 for index, n in zip(by_axis, size, strict=True)]
    if sum(any(one) for one in several) < 2:
        return None
    often: Any = sum(one.astype(np.int8).reshape(-1, *(1,) * (len(size) - 1 - d)) for d, one in enumerate(several))
    return np.flatnonzero(often[np.ix_(*by_axis)] > 1)


def add_back_one_by_one(
    grad: np.ndarray, by_axis: list[Any], size: tuple[int, ...], rounded: Callable[[Any], Any]
) -> np.ndarray:
    """The way back for 16-bit floats: elements are added in the order in which they lie, and each sum is rounded."""
    at, sums = _in_turn(grad, by_axis, size, rounded)
    result = np.zeros_like(grad, shape=(*sums.shape[:-1], int(np.prod(size))))
    result[..., at] = sums
    return result.reshape(*sums.shape[:-1], *size)


def _in_turn(
    grad: np.ndarray,
    by_axis: list[Any],
    size: tuple[int, ...],
    rounded: Callable[[Any], Any],
    chosen: Any = slice(None),
) -> tuple[np.ndarray, np.ndarray]:
    """The elements that were read, by their numbers, and the sums of what was `chosen` of the padded array, one after
    the other.
    """
    places = np.ravel_multi_index(np.meshgrid(*by_axis, indexing="ij"), size).reshape(-1)[chosen]
    outer = grad.shape[: grad.ndim - len(size)]
    flat = grad.reshape(*outer, prod(grad.shape[len(outer) :]))[..., chosen]
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    first = np.searchsorted(ordered, ordered)
    turn = np.arange(len(ordered)) - first  # how many equal ones come before each
    at, which = np.unique(ordered, return_inverse=True)
    sums = np.zeros_like(grad, shape=(*flat.shape[:-1], len(at)))
    for number in range(int(turn.max(initial=-1)) + 1):
        own = turn == number
        sums[..., which[own]] = rounded(sums[..., which[own]] + flat[..., order[own]])
    return at, sums


def _added_to_middle(grad: np.ndarray, index: np.ndarray, n: int, start: int) -> np.ndarray:
    """The sums in the order of the rows: those before the middle, the middle at once, those after it."""
    zero = grad.dtype.type(0)  # a sum that begins with it has no negative zero
    first: dict[int, np.ndarray] = {}
    for i in range(start):
        first[int(index[i])] = first.get(int(index[i]), zero) + grad[i]
    result: np.ndarray = grad[start : start + n] + zero
    for place, total in first.items():
        result[place] += total
    for i in range(start + n, len(index)):
        result[index[i]] += grad[i]
    return result
