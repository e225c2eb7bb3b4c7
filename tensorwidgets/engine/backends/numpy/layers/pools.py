"""How are the windows of a pool read? One shift of the whole array at a time, so that every step is one large pass."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

import numpy as np

Sizes = tuple[int, ...]


def padded(
    x: np.ndarray, padding: Sizes, out: Sizes, kernel: Sizes, stride: Sizes, dilation: Sizes, value: float
) -> Any:
    """The last dimensions with room around them, as far as any window reaches."""
    dims, size = len(padding), x.shape[-len(padding) :]
    reach = [(o - 1) * s + (k - 1) * d + 1 for o, s, k, d in zip(out, stride, kernel, dilation, strict=True)]
    ends = [max(r - n - p, 0) for r, n, p in zip(reach, size, padding, strict=True)]
    if not any(padding) and not any(ends):
        return x
    room = [n + p + e for n, p, e in zip(size, padding, ends, strict=True)]
    whole = np.full_like(x, value, shape=(*x.shape[:-dims], *room))
    whole[inside(size, padding)] = x
    return whole


def inside(size: Sizes, padding: Sizes) -> tuple:
    """Where the elements are within the padding."""
    return (Ellipsis, *(slice(p, p + n) for p, n in zip(padding, size, strict=True)))


def shifts(kernel: Sizes, stride: Sizes, dilation: Sizes, out: Sizes) -> tuple[tuple[Sizes, tuple], ...]:
    """Each element of a window, with the key that reads it for all windows at once.

    >>> [key for _, key in shifts((2,), (2,), (1,), (3,))]
    [(Ellipsis, slice(0, 5, 2)), (Ellipsis, slice(1, 6, 2))]
    """
    found = _shifts if prod(kernel) <= FEW_SHIFTS else _shifts.__wrapped__
    return found(tuple(kernel), tuple(stride), tuple(dilation), tuple(out))


FEW_SHIFTS = 64
"""Elements of a window up to which their keys are kept for the next call."""


@lru_cache(128)
def _shifts(kernel: Sizes, stride: Sizes, dilation: Sizes, out: Sizes) -> tuple[tuple[Sizes, tuple], ...]:
    result: list[tuple[Sizes, tuple]] = []
    for offsets in product(*map(range, kernel)):
        spans = [
            slice(o * d, o * d + (n - 1) * s + 1, s) for o, d, s, n in zip(offsets, dilation, stride, out, strict=True)
        ]
        result.append((offsets, (Ellipsis, *spans)))
    return tuple(result)


def largest(targets: tuple, x: np.ndarray, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> None:
    """The largest element of each window and its place in the input; the last NaN wins over all others."""
    values, places = targets
    out, size = values.shape[-len(kernel) :], x.shape[-len(kernel) :]
    lowest = np.iinfo(x.dtype).min if x.dtype.kind in "iu" else -np.inf
    whole = padded(x, padding, out, kernel, stride, dilation, lowest)
    which = np.zeros_like(places, dtype="i1" if prod(kernel) <= 128 else "i4")
    with np.errstate(invalid="ignore"):  # small floats warn of a NaN when they are compared
        unordered = x.size > 0 and x.dtype.kind not in "iu" and np.isnan(x.max())
        for number, (_, key) in enumerate(shifts(kernel, stride, dilation, out)):
            window = whole[key]
            if not number:
                values[...] = window
                continue
            better = window > values
            if unordered:
                better |= window != window
            if unordered or x.dtype.char not in "fdbhilqBHILQ":
                np.copyto(values, window, where=better)
            else:
                np.maximum(window, values, out=values)  # of two zeros the second one
            # No earlier number is larger, so this writes it where it is better, without a branch.
            np.maximum(which, np.multiply(better, number, dtype=which.dtype), out=which)
    _into_places(places, which, size, kernel, stride, padding, dilation)


def largest_alone(
    target: np.ndarray, x: np.ndarray, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes
) -> None:
    """The largest element of each window, or NaN if there is one."""
    out = target.shape[-len(kernel) :]
    whole = padded(x, padding, out, kernel, stride, dilation, -np.inf)
    (_, first), *others = shifts(kernel, stride, dilation, out)
    target[...] = whole[first]
    with np.errstate(invalid="ignore"):
        for _, key in others:
            window = whole[key]
            if x.dtype.char in "fd":
                np.maximum(window, target, out=target)  # of two zeros the second one
            else:
                np.copyto(target, window, where=(window > target) | (window != window))


def _into_places(
    places: np.ndarray, which: np.ndarray, size: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes
) -> None:
    """The place in the input of the element of each window that was chosen."""
    out = places.shape[-len(kernel) :]
    kept = prod(out) + prod(kernel) <= FEW
    tables = (_tables if kept else _tables.__wrapped__)(out, size, kernel, stride, padding, dilation)
    if type(places) is not np.ndarray:
        tables = tuple([None if t is None else np.asarray(t, like=places) for t in tables])
    where, start, lowest = tables
    if lowest is not None:
        np.maximum(which, lowest, out=which, casting="unsafe")
    if type(places) is np.ndarray:
        np.take(where, which, out=places, mode="clip")  # all are inside, and another mode would copy
    else:
        places[...] = where[which]
    places += start


FEW = 1 << 13
"""Windows and elements of a window up to which their places are kept for the next call: 64 times at most 200 KiB."""


@lru_cache(64)
def _tables(out: Sizes, size: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> tuple:
    """How far each element of a window lies from its start, where the windows start, and for windows that reach into
    the padding the first element that is not padding: what one keeps that holds nothing but the lowest number."""
    dims = len(kernel)
    where = [
        sum(o * d * prod(size[i + 1 :]) for i, (o, d) in enumerate(zip(offsets, dilation, strict=True)))
        for offsets in product(*map(range, kernel))
    ]
    start, lowest = np.zeros(out, np.int64), np.zeros(out, np.int64)
    for i in range(dims):
        first = np.arange(out[i]) * stride[i] - padding[i]
        shape = tuple(-1 if j == i else 1 for j in range(dims))
        start += (first * prod(size[i + 1 :])).reshape(shape)
        skipped = -(np.minimum(first, 0) // dilation[i])
        lowest += (skipped * prod(kernel[i + 1 :])).reshape(shape)
    return np.array(where, np.int64), start, lowest if any(padding) else None


def scatter(target: np.ndarray, grad: np.ndarray, places: np.ndarray, dims: int) -> None:
    """Add each gradient at its place in the input's planes."""
    planes, size = prod(target.shape[:-dims]), prod(target.shape[-dims:])
    if not places.size:
        target[...] = 0
        return
    first = np.arange(planes, like=places).reshape(-1, 1) * size
    flat = (places.reshape(planes, -1) + first).reshape(-1)
    if type(target) is np.ndarray:
        try:
            sums = np.zeros(planes * size, target.dtype)
            np.add.at(sums, flat, grad.reshape(-1))  # each sum is rounded, as in PyTorch
            target[...] = sums.reshape(target.shape)
            return
        except IndexError:  # the first place of a window of nothing but padding may be behind the last element
            pass
    sums = np.bincount(flat, weights=grad.reshape(-1), minlength=planes * size)
    target[...] = sums[: planes * size].reshape(target.shape)


def gather(target: np.ndarray, x: np.ndarray, places: np.ndarray, dims: int) -> None:
    """Read the elements at these places of each plane."""
    planes = prod(x.shape[:-dims])
    if not places.size:
        return
    flat = x.reshape(planes, prod(x.shape[-dims:]))
    target[...] = np.take_along_axis(flat, places.reshape(planes, -1), 1).reshape(target.shape)
