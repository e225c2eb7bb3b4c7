"""How is an array pooled into a given size? The windows are boxes: spans of rows, and of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import numpy as np

Spans = list[list[tuple[int, int]]]
"""Where boxes begin and end, for each dimension."""


def bounds(n: int, windows: int) -> list[tuple[int, int]]:
    """Where each window begins and ends; they overlap where the sizes do not divide.

    >>> bounds(5, 2)
    [(0, 3), (2, 5)]
    """
    return [(i * n // windows, -(-(i + 1) * n // windows)) for i in range(windows)]


def covering(n: int, windows: int) -> list[tuple[int, int]]:
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
    spans = [bounds(n, windows) for n, windows in zip(x.shape[-len(size) :], size, strict=True)]
    sums = _summed(x, spans, rounded)
    means = _divided(sums, spans, rounded)
    if block:
        whole = x.shape[1] // block * block
        means[:, :whole] = sums[:, :whole] / prod(_lengths(spans, sums))
    return means


def spread(grad: np.ndarray, size: tuple[int, ...], rounded: Callable[[Any], Any]) -> Any:
    """The way back: each number is divided among the elements of its window, which add up what windows give them."""
    sizes = list(zip(size, grad.shape[-len(size) :], strict=True))
    shares = _divided(grad, [bounds(n, windows) for n, windows in sizes], rounded)
    return _summed(shares, [covering(n, windows) for n, windows in sizes], rounded)


def _divided(sums: np.ndarray, spans: Spans, rounded: Callable[[Any], Any]) -> Any:
    for lengths in _lengths(spans, sums):
        sums = rounded(sums / lengths)
    return sums


def _lengths(spans: Spans, like: np.ndarray) -> list[Any]:
    """The lengths of the boxes in each dimension, as arrays that broadcast against these of all boxes."""
    return [
        np.array([end - start for start, end in along], like.dtype, like=like).reshape(-1, *(1,) * further)
        for further, along in zip(range(len(spans) - 1, -1, -1), spans, strict=True)
    ]


def _summed(x: np.ndarray, spans: Spans, rounded: Callable[[Any], Any]) -> Any:
    """The sums of boxes of the last dimensions: the first elements of all boxes, the second ones, row after row."""
    total = np.zeros_like(x, shape=(*x.shape[: -len(spans)], *map(len, spans)))
    for part in _parts(x, spans):
        total = rounded(total + part)
    return total


def _parts(x: np.ndarray, spans: Spans) -> Iterator[np.ndarray]:
    """The first element of each box, then the second: 0 for boxes that have no more."""
    if not spans:
        yield x
        return
    along, axis = spans[0], -len(spans)
    most = max([end - start for start, end in along], default=0)
    inner: Any = (slice(None),) * (len(spans) - 1)
    step = _step_of(along)
    for i in range(most):
        if step:
            yield from _parts(x[(..., slice(i, None, step), *inner)], spans[1:])
            continue
        places = np.array([min(start + i, end - 1) for start, end in along], like=x)
        part = np.take(x, places, axis)
        missing = [number for number, (start, end) in enumerate(along) if start + i >= end]
        if missing:
            part[(..., missing, *inner)] = 0
        yield from _parts(part, spans[1:])


def _step_of(along: list[tuple[int, int]]) -> int:
    """The length of spans that follow one another and are all as long; 0 for others."""
    length = along[0][1] if along else 0
    return length if all([span == (i * length, i * length + length) for i, span in enumerate(along)]) else 0


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
