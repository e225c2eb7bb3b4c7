"""How is an array pooled into a given size? The windows are boxes: spans of rows, and of columns."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ..rounded_steps import unchanged

Sizes = tuple[int, ...]
Spans = list[tuple[int, int]]
"""Where boxes begin and end along a dimension."""


def bounds(n: int, windows: int) -> Spans:
    """Where each window begins and ends; they overlap where the sizes do not divide.

    >>> bounds(5, 2)
    [(0, 3), (2, 5)]
    """
    return [(i * n // windows, -(-(i + 1) * n // windows)) for i in range(windows)]


def covering(n: int, windows: int) -> Spans:
    """Which of the windows an element lies in, for each of n elements: the first of them, and the one after the last.

    >>> covering(5, 2)
    [(0, 1), (0, 1), (0, 2), (1, 2), (1, 2)]
    """
    return [(i * windows // n, -(-(i + 1) * windows // n)) for i in range(n)]


def averaged(x: np.ndarray, size: tuple[int, ...], rounded: Callable[[Any], Any], block: int) -> Any:
    """The mean of each window of the last dimensions: its sum, divided by its length in one dimension after the other.

    Each step is rounded, so that these are the bits of PyTorch. It divides whole blocks of channels only once, by the
    number of elements, if there are blocks.
    """
    own = x.shape[-len(size) :]
    few = rounded is unchanged and prod(size) ** 2 < prod(own)  # windows of more elements than there are windows
    sums = _window_by_window(x, size) if few else _summed(x, _parts_of(own, size), size, rounded)
    lengths = _lengths(own, size, sums)
    means = _divided(sums, lengths, rounded)
    if block:
        whole = x.shape[1] // block * block
        means[:, :whole] = sums[:, :whole] / prod(lengths)
    return means


def spread(grad: np.ndarray, size: tuple[int, ...], rounded: Callable[[Any], Any]) -> Any:
    """The way back: each number is divided among the elements of its window, which add up what windows give them."""
    windows = grad.shape[-len(size) :]
    shares = _divided(grad, _lengths(size, windows, grad), rounded)
    return _summed(shares, _parts_of(windows, size, True), size, rounded)


def _divided(sums: np.ndarray, lengths: list[Any], rounded: Callable[[Any], Any]) -> Any:
    for along in lengths:
        sums = rounded(sums / along)
    return sums


def _lengths(own: Sizes, windows: Sizes, like: np.ndarray) -> list[Any]:
    """The lengths of the windows in each dimension, as arrays that broadcast against these of all windows."""
    numbers: Any = (_counted if sum(windows) <= FEW else _counted.__wrapped__)(own, windows, like.dtype)
    return numbers if type(like) is np.ndarray else [np.asarray(one, like=like) for one in numbers]


@lru_cache(64)
def _counted(own: Sizes, windows: Sizes, d: np.dtype) -> list[np.ndarray]:
    return [
        np.array([end - start for start, end in bounds(n, count)], d).reshape(-1, *(1,) * further)
        for further, n, count in zip(range(len(own) - 1, -1, -1), own, windows, strict=True)
    ]


def _summed(x: np.ndarray, parts: list[tuple[Any, Any]], size: Sizes, rounded: Callable[[Any], Any]) -> Any:
    """The sums of boxes of the last dimensions: the first elements of all boxes, the second ones, row after row."""
    outer = x.shape[: -len(size)]
    total = np.zeros_like(x, shape=(*outer, *size))
    flat: Any = None
    for key, missing in parts:
        if type(key) is tuple:
            part = x[key]
        else:
            if flat is None:
                flat = x.reshape(prod(outer), prod(x.shape[len(outer) :]))
            part = flat.take(key if type(x) is np.ndarray else np.asarray(key, like=x), 1)
            if len(missing):
                part[:, missing if type(x) is np.ndarray else np.asarray(missing, like=x)] = 0
            part = part.reshape(total.shape)
        total += part
        if rounded is not unchanged:
            total = rounded(total)
    return total


def _window_by_window(x: np.ndarray, size: Sizes) -> Any:
    """The same sums, where each window is added up from its first element to its last."""
    own, outer = x.shape[-len(size) :], x.shape[: -len(size)]
    total = np.empty_like(x, shape=(*outer, *size))
    boxes = product(*[bounds(n, windows) for n, windows in zip(own, size, strict=True)])
    for at, box in zip(np.ndindex(size), boxes, strict=True):
        key: tuple[Any, ...] = (..., *[slice(*along) for along in box])
        window = x[key].reshape(*outer, -1)
        total[(..., *at)] = np.add.accumulate(window, -1)[..., -1]
    total += 0  # a sum that starts from 0 is not -0
    return total


def _parts_of(own: Sizes, size: Sizes, back: bool = False) -> list[tuple[Any, Any]]:
    """The first element of each box, then the second: the key that reads these of all boxes, or their numbers, and
    which boxes have no more. The boxes are windows, or what lies in several windows on the way `back`.
    """
    kept = prod(own) <= FEW and prod(size) <= FEW
    return (_parts if kept else _parts.__wrapped__)(own, size, back)


@lru_cache(64)
def _parts(own: Sizes, size: Sizes, back: bool) -> list[tuple[Any, Any]]:
    spans = [covering(n, windows) if back else bounds(windows, n) for windows, n in zip(own, size, strict=True)]
    steps = [_step_of(along) for along in spans]
    if all(steps):
        keys = [[slice(i, None, step) for i in range(step)] for step in steps]
        return [((..., *key), ()) for key in product(*keys)]
    found = []
    for offsets in product(*[range(max([end - start for start, end in along], default=0)) for along in spans]):
        numbers, missing = np.zeros(1, np.int64), np.zeros(1, bool)
        for n, along, i in zip(own, spans, offsets, strict=True):
            places = np.array([min(start + i, end - 1) for start, end in along], np.int64)
            over = np.array([start + i >= end for start, end in along], bool)
            numbers = ((numbers * n)[:, None] + places).reshape(-1)
            missing = (missing[:, None] | over).reshape(-1)
        found.append((numbers, np.flatnonzero(missing)))
    return found


def _step_of(along: Spans) -> int:
    """The length of spans that follow one another and are all as long; 0 for others."""
    length = along[0][1] if along else 0
    return length if all([span == (i * length, i * length + length) for i, span in enumerate(along)]) else 0


def largest(x: np.ndarray, size: tuple[int, ...]) -> tuple[Any, Any]:
    """The largest element of each window of the last dimensions, and its place in the plane of these dimensions.

    The first of equal elements wins, and the last NaN wins over all others.
    """
    own, outer = x.shape[-len(size) :], x.shape[: -len(size)]
    planes = x.reshape(prod(outer), prod(own))
    kept = prod(own) <= FEW and prod(size) <= FEW
    elements: Any = (_elements if kept else _elements.__wrapped__)(own, size)
    if type(x) is not np.ndarray:
        elements = np.asarray(elements, like=x)
    values = np.empty_like(x, shape=(len(planes), len(elements)))
    places = np.empty_like(elements, shape=values.shape)
    at_once = max(1, MOST // max(1, elements.size))
    for start in range(0, len(planes) if len(elements) else 0, at_once):
        some = planes[start : start + at_once]
        windows = some[:, None] if len(elements) == 1 else some.take(elements, 1)
        found = elements[np.arange(len(elements), like=x), _last_nan_or_largest(windows)]
        places[start : start + at_once] = found
        values[start : start + at_once] = some[np.arange(len(some), like=x)[:, None], found]
    return values.reshape(*outer, *size), places.reshape(*outer, *size)


FEW = 1 << 10
"""Elements of a plane, and windows in it, up to which lists of them are kept for the next call."""
MOST = 1 << 18
"""Elements of windows that are copied at once."""


@lru_cache(64)
def _elements(own: tuple[int, ...], size: tuple[int, ...]) -> np.ndarray:
    """The elements of each window of a plane, by their numbers in the plane, row after row. A window that is shorter
    than others has its last row or column again.

    >>> _elements((5,), (2,)).tolist(), _elements((2, 3), (1, 2)).tolist()
    ([[0, 1, 2], [2, 3, 4]], [[0, 1, 3, 4], [1, 2, 4, 5]])
    """
    numbers: Any = np.zeros((1, 1), np.int64)
    for n, windows in zip(own, size, strict=True):
        along = bounds(n, windows)
        most = max([end - start for start, end in along], default=0)
        each = np.array([[min(start + i, end - 1) for i in range(most)] for start, end in along], np.int64)
        each = each.reshape(windows, most)
        numbers = (numbers * n)[:, None, :, None] + each[None, :, None, :]
        numbers = numbers.reshape(numbers.shape[0] * windows, numbers.shape[2] * most)
    return numbers


def _last_nan_or_largest(window: np.ndarray) -> Any:
    chosen = window.argmax(-1)
    unordered = window != window
    if unordered.any():
        last = window.shape[-1] - 1 - unordered[..., ::-1].argmax(-1)
        chosen = np.where(unordered.any(-1), last, chosen)
    return chosen
