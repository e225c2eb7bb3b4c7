"""How does padding read the elements at the border? By one list of places for each dimension."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ..rounded_steps import unchanged


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
    small = target.size < FEW or type(x) is not np.ndarray
    starts = [] if small else [_middle(index, n) for index, n in zip(by_axis, size, strict=True)]
    if small or min(starts) < 0:
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
    return (_found if len(index) <= SHORT else _found.__wrapped__)(index.tobytes(), n)


SHORT = 1 << 10
"""Places up to which what is found out about them is kept for the next call."""


@lru_cache(128)
def _found(places: bytes, n: int) -> int:
    index = np.frombuffer(places, np.int64)
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
    corners = _turns(by_axis, size, True) if len(size) > 1 and type(grad) is np.ndarray else None
    if corners is not None:
        at, sums = _in_turn(whole, size, unchanged, corners)
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
    turns = _turns(by_axis, size, False)
    assert turns is not None
    at, sums = _in_turn(grad, size, rounded, turns)
    result = np.zeros_like(grad, shape=(*sums.shape[:-1], int(np.prod(size))))
    result[..., at] = sums
    return result.reshape(*sums.shape[:-1], *size)


class Turns(NamedTuple):
    """In which order the elements of a padded array are added up where several were read from one place."""

    chosen: Any
    """Which elements of the padded array."""
    at: np.ndarray
    """The places that they were read from."""
    steps: list[tuple[np.ndarray, np.ndarray]]
    """For the first element of each place, the second and so on: which of the places, and which of the elements."""


def _turns(by_axis: list[Any], size: tuple[int, ...], corners: bool) -> Turns | None:
    """The order for all elements, or for those at the `corners`; None if there are no such."""
    found = _turns_of if prod(map(len, by_axis)) <= SHORT else _turns_of.__wrapped__
    return found(tuple([index.tobytes() for index in by_axis]), size, corners)


@lru_cache(64)
def _turns_of(places_by_axis: tuple[bytes, ...], size: tuple[int, ...], corners: bool) -> Turns | None:
    by_axis = [np.frombuffer(places, np.int64) for places in places_by_axis]
    chosen = _corners(by_axis, size) if corners else slice(None)
    if chosen is None:
        return None
    places = np.ravel_multi_index(np.meshgrid(*by_axis, indexing="ij"), size).reshape(-1)[chosen]
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    first = np.searchsorted(ordered, ordered)
    turn = np.arange(len(ordered)) - first  # how many equal ones come before each
    at, which = np.unique(ordered, return_inverse=True)
    steps = [(which[turn == number], order[turn == number]) for number in range(int(turn.max(initial=-1)) + 1)]
    return Turns(chosen, at, steps)


def _in_turn(
    grad: np.ndarray, size: tuple[int, ...], rounded: Callable[[Any], Any], turns: Turns
) -> tuple[np.ndarray, np.ndarray]:
    """The elements that were read, by their numbers, and the sums of what was read from each, one after the other."""
    outer = grad.shape[: grad.ndim - len(size)]
    flat = grad.reshape(*outer, prod(grad.shape[len(outer) :]))[..., turns.chosen]
    sums = np.zeros_like(grad, shape=(*flat.shape[:-1], len(turns.at)))
    for which, elements in turns.steps:
        sums[..., which] = rounded(sums[..., which] + flat[..., elements])
    return turns.at, sums


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
