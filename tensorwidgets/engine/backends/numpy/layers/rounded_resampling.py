"""Resampling of float32 with every rounding where PyTorch's kernels have it.

Their compiler joins a product and the sum that it goes to, so the two are rounded once. Most kernels take one dimension
after the other. Those for small images, and for channels that lie last, multiply the weights of all dimensions first.
On the way back each element gets its shares one after the other, in the order of the results that it is part of.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .. import chunks
from ..fma import fused
from ..in_double import DOUBLE, SINGLE
from ..sums.ordered_sum import REGISTER


def in_turn(x: np.ndarray, taps: list[Any]) -> np.ndarray:
    """The last dimensions of float32 at another size, one after the other, by the taps of each.

    >>> ends = [(np.array([0, 0, 1]), np.array([1, 0.5, 1], "f4")), (np.array([1, 1, 1]), np.array([0, 0.5, 0], "f4"))]
    >>> in_turn(np.array([[1, 2]], "f4"), [ends])
    array([[1. , 1.5, 2. ]], dtype=float32)
    """

    def resample(part: np.ndarray) -> np.ndarray:
        for axis in range(-1, -len(taps) - 1, -1):
            shape = (-1, *(1,) * (-axis - 1))
            part = part.astype(DOUBLE)
            part = _summed(
                [part.take(index, axis) for index, _ in taps[axis]], [w.reshape(shape) for _, w in taps[axis]]
            )
        return part

    return _by_pieces(resample, x.reshape(-1, *x.shape[x.ndim - len(taps) :]), taps).reshape(
        *x.shape[: x.ndim - len(taps)], *_size(taps)
    )


def jointly(x: np.ndarray, taps: list[Any], kept: np.dtype) -> np.ndarray:
    """The same with one weight for each combination of taps. Channels that fill registers of the dtype in which the
    numbers are `kept` add them up from the last on, the others from the first on.
    """
    dims = len(taps)
    weights = []
    for chosen in product(*taps):
        weight = np.ones((1,) * dims, SINGLE)
        for axis, (_, share) in enumerate(chosen):
            weight = weight * share.reshape((-1, *(1,) * (dims - 1 - axis)))
        weights.append(weight)
    count = len(weights)
    # Which of two products is rounded before the other joins it: that is the compiler's choice.
    first = [0, 1] if kept != np.float16 else [1, 0]
    last = [count - 1, count - 2] if kept == SINGLE else [count - 2, count - 1]
    orders = [*last, *range(count - 3, -1, -1)], [*first, *range(2, count)]
    whole = x.shape[1] - x.shape[1] % (REGISTER // kept.itemsize)
    result = np.empty((*x.shape[:2], *_size(taps)), SINGLE)
    for channels, order in zip((slice(whole), slice(whole, None)), orders, strict=True):
        given = x[:, channels]
        if given.size:

            def resample(part: np.ndarray, order: list[int] = order) -> np.ndarray:
                parts = [part.astype(DOUBLE)]
                for axis, each in enumerate(taps, -dims):
                    parts = [one.take(index, axis) for one in parts for index, _ in each]
                return _summed([parts[i] for i in order], [weights[i] for i in order])

            made = _by_pieces(resample, given.reshape(-1, *x.shape[2:]), taps)
            result[:, channels] = made.reshape(*given.shape[:2], *made.shape[1:])
    return result


def _size(taps: list[Any]) -> tuple[int, ...]:
    return tuple([len(each[0][0]) for each in taps])


def _by_pieces(resample: Callable[[np.ndarray], np.ndarray], x: np.ndarray, taps: list[Any]) -> np.ndarray:
    """Some images after the other, so that what is between stays in the cache."""
    size = _size(taps)
    each = max(prod(size), prod(x.shape[1:]), 1)
    if each * len(x) < 2 * chunks.PIECE:
        return resample(x)
    result = np.empty((len(x), *size), SINGLE)

    def piece(rows: slice) -> None:
        result[rows] = resample(x[rows])

    chunks.run_parallel(piece, chunks.spans(len(x), max(1, chunks.PIECE // each)))
    return result


def _summed(parts: list[np.ndarray], weights: list[np.ndarray]) -> np.ndarray:
    """The weighted sum of float64 numbers, one after the other; the second product is rounded before the first one
    joins it, and every further one with the sum.
    """
    total = np.multiply(parts[1], weights[1]).astype(SINGLE)
    for i in (0, *range(2, len(parts))):
        number = np.multiply(parts[i], weights[i])
        number += total
        total = number.astype(SINGLE)
    return total


class Share(NamedTuple):
    """What some elements of a dimension get from one result each: the first that they are part of, or the second …

    A result may have an element among its taps several times, at the borders: then there are several shares, one after
    the other.
    """

    rows: slice
    """From the first to the last of the elements that get something."""
    weights: np.ndarray
    gets: np.ndarray | None
    """Which of them do; None if all do."""


class Turn(NamedTuple):
    """The results that it is the turn of, one for each element, and the shares of them."""

    results: np.ndarray
    shares: list[Share]


def count_turns(taps: list[Any], size: tuple[int, ...]) -> int:
    """How many results an element is part of at most.

    >>> count_turns([[(np.array([0, 0, 0, 1]), None)], [(np.array([1, 0]), None)]], (2, 2))
    3
    """
    most = 1
    for each, n in zip(taps, size, strict=True):
        most *= int(np.bincount(np.concatenate([index for index, _ in each]), minlength=n).max())
    return most


def turns(taps: Any, n: int) -> list[Turn]:
    """The turns of a dimension of `n` elements, each with what its results give.

    >>> taps = [(np.array([0, 0, 1]), np.array([1, 0.5, 1], "f4")), (np.array([1, 1, 1]), np.array([0, 0.5, 0], "f4"))]
    >>> for turn in turns(taps, 2):
    ...     print(turn.results.tolist(), [(share.rows, share.weights.tolist()) for share in turn.shares])
    [0, 0] [(slice(0, 2, None), [1.0, 0.0])]
    [1, 1] [(slice(0, 2, None), [0.5, 0.5])]
    [0, 2] [(slice(1, 2, None), [1.0]), (slice(1, 2, None), [0.0])]
    """
    places = np.stack([index for index, _ in taps], 1).reshape(-1)
    weights = np.stack([weight for _, weight in taps], 1).reshape(-1)
    order = np.argsort(places, kind="stable")
    places, weights, results = places[order], weights[order], order // len(taps)
    fresh = np.ones(len(places), bool)  # where another result of the same element begins
    fresh[1:] = (places[1:] != places[:-1]) | (results[1:] != results[:-1])
    starts = np.flatnonzero(fresh)
    which = np.cumsum(fresh) - 1
    again = np.arange(len(places)) - starts[which]  # how often this result has had it before
    turn = (np.arange(len(starts)) - np.searchsorted(places[starts], places[starts]))[which]
    found = []
    for number in range(int(turn.max(initial=-1)) + 1):
        shares = []
        result = np.zeros(n, np.int64)
        for time in range(len(taps)):
            own = np.flatnonzero((turn == number) & (again == time))
            if not len(own):
                break
            at = places[own]
            if not time:
                result[at] = results[own]
            rows = slice(int(at[0]), int(at[-1]) + 1)
            weight, gets = np.zeros(n, weights.dtype), np.zeros(n, bool)
            weight[at], gets[at] = weights[own], True
            shares.append(Share(rows, weight[rows], None if gets[rows].all() else gets[rows]))
        found.append(Turn(result, shares))
    return found


def returned(grad: np.ndarray, taps: list[Any], size: tuple[int, ...]) -> np.ndarray:
    """The way back for two taps in each dimension: products of weights times a gradient, rounded once with the sum."""

    def added(part: np.ndarray, weights: list[np.ndarray], total: np.ndarray) -> np.ndarray:
        weight = weights[0]
        for other in weights[1:]:
            weight = weight * other
        return fused(part, weight, total)

    return _returned(grad, taps, size, added, False)


def returned_in_steps(grad: np.ndarray, taps: list[Any], size: tuple[int, ...]) -> np.ndarray:
    """The way back where every step is rounded: for the four taps of cubic polynomials, and for nearest elements."""
    if taps[0][0][1] is None:  # one tap each, whose weight is 1
        taps = [[(index, np.ones(1, grad.dtype).repeat(len(index)))] for [(index, _)] in taps]

    def added(part: np.ndarray, weights: list[np.ndarray], total: np.ndarray) -> np.ndarray:
        for weight in weights:
            part = part * weight
        return part + total

    return _returned(grad, taps, size, added, True)


def _returned(grad: np.ndarray, taps: list[Any], size: tuple[int, ...], added: Any, columns_first: bool) -> np.ndarray:
    dims = len(size)
    total = np.zeros((*grad.shape[:-dims], *size), grad.dtype)
    by_axis = [turns(each, n) for each, n in zip(taps, size, strict=True)]
    shapes = [(-1, *(1,) * (dims - 1 - axis)) for axis in range(dims)]

    def walk(axis: int, chosen: list[list[Share]], part: np.ndarray) -> None:
        if axis < dims:
            for turn in by_axis[axis]:
                walk(axis + 1, [*chosen, turn.shares], part.take(turn.results, axis - dims))
            return
        for given in product(*reversed(chosen)) if columns_first else product(*chosen):
            shares = given[::-1] if columns_first else given
            box = (..., *[share.rows for share in shares])
            weights = [share.weights.reshape(shape) for share, shape in zip(shares, shapes, strict=True)]
            before = total[box]
            new = added(part[box], weights, before)
            for share, shape in zip(shares, shapes, strict=True):
                if share.gets is not None:
                    new = np.where(share.gets.reshape(shape), new, before)
            total[box] = new

    walk(0, [], grad)
    return total
