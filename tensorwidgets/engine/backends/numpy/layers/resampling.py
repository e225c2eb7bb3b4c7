"""How is an array resampled to another size? One dimension after the other: each result is a weighted sum of a few
elements, its taps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..fma import fused
from ..in_double import SINGLE
from .borders import beside

Taps = list[tuple[Any, Any]]
"""The taps of one dimension: which elements, and their weights (None: 1), an array of each with one entry a result."""


def step(n: int, out: int, align: bool, factor: float | None, wide: np.dtype) -> Any:
    """How many elements of the input lie between two results."""
    if align:
        return wide.type((n - 1) / (out - 1)) if out > 1 else wide.type(0)
    if factor is not None and factor > 0:
        return wide.type(1.0 / factor)
    return wide.type(n) / wide.type(out)


def nearest(n: int, out: int, factor: float | None, wide: np.dtype) -> Taps:
    """The element at or before the place of each result.

    >>> nearest(2, 4, None, np.dtype(np.float32))[0][0]
    array([0, 0, 1, 1])
    """
    place = np.arange(out).astype(wide) * step(n, out, False, factor, wide)
    return [(np.minimum(np.floor(place).astype(np.int64), n - 1), None)]


def nearest_whole(n: int, out: int, factor: float | None, wide: np.dtype) -> Taps:
    """`nearest`, but a result of once or twice the size has each element once or twice, whatever the factor is."""
    if out in (n, 2 * n):
        return [(np.arange(out) // (out // n), None)]
    return nearest(n, out, factor, wide)


def nearest_exact(n: int, out: int, factor: float | None, wide: np.dtype) -> Taps:
    """The element whose middle is next to the middle of each result."""
    place = (np.arange(out).astype(wide) + wide.type(0.5)) * step(n, out, False, factor, wide)
    return [(np.minimum(np.floor(place).astype(np.int64), n - 1), None)]


Joined = Callable[[Any, Any, Any], Any]
"""Computes a * b + c: rounded once, where PyTorch's compiler joins the two steps, or twice."""


def _in_steps(a: Any, b: Any, c: Any) -> Any:
    return a * b + c


def _middles(n: int, out: int, align: bool, factor: float | None, wide: np.dtype, joined: Joined) -> Any:
    """Where results lie among the elements of the input."""
    scale = step(n, out, align, factor, wide)
    place, half = np.arange(out).astype(wide), wide.type(0.5)
    return place * scale if align else joined(place + half, scale, -half)


def linear(n: int, out: int, align: bool, factor: float | None, wide: np.dtype) -> Taps:
    """Two neighbors, the nearer the heavier."""
    if n == out:
        first = second = np.arange(n)
        share = np.zeros(n, wide)
        return [(first, share + wide.type(1)), (second, share)]
    place = np.maximum(_middles(n, out, align, factor, wide, fused if wide == SINGLE else _in_steps), 0)
    first = np.minimum(np.floor(place).astype(np.int64), n - 1)
    second = np.minimum(first + 1, n - 1)
    share = np.clip(place - first.astype(wide), 0, 1).astype(wide)
    return [(first, wide.type(1) - share), (second, share)]


def cubic(n: int, out: int, align: bool, factor: float | None, wide: np.dtype) -> Taps:
    """Four neighbors, by the cubic polynomials of the parameter -0.75."""
    return _by_cubics(n, out, align, factor, wide, fused if wide == SINGLE else _in_steps)


def cubic_back(n: int, out: int, align: bool, factor: float | None, wide: np.dtype) -> Taps:
    """The same on the way back, where PyTorch rounds every step."""
    return _by_cubics(n, out, align, factor, wide, _in_steps)


def _by_cubics(n: int, out: int, align: bool, factor: float | None, wide: np.dtype, joined: Joined) -> Taps:
    place, a = _middles(n, out, align, factor, wide, joined), wide.type(-0.75)
    first = np.floor(place)

    def inner(t: np.ndarray) -> Any:
        return joined(a + 2, t, -(a + 3)) * t * t + 1

    def outer(t: np.ndarray) -> Any:
        return joined(joined(a, t, -5 * a), t, 8 * a) * t - 4 * a

    t = np.clip(place - first, 0, 1).astype(wide)
    weights = outer(t + 1), inner(t), inner(1 - t), outer(2 - t)
    start = first.astype(np.int64) - 1
    return [(np.clip(start + i, 0, n - 1), weight) for i, weight in enumerate(weights)]


KINDS: dict[str, Callable[..., Taps]] = {
    "nearest": lambda n, out, align, factor, wide: nearest(n, out, factor, wide),
    "nearest_whole": lambda n, out, align, factor, wide: nearest_whole(n, out, factor, wide),
    "nearest_exact": lambda n, out, align, factor, wide: nearest_exact(n, out, factor, wide),
    "linear": linear,
    "cubic": cubic,
    "cubic_back": cubic_back,
}


def resampled(x: Any, taps: list[Taps]) -> Any:
    """The last dimensions at another size, by the taps of each."""
    for axis in range(-1, -len(taps) - 1, -1):
        shape = (-1, *(1,) * (-axis - 1))
        total = None
        for index, weight in taps[axis]:
            part = x.take(beside(index, x), axis)
            if weight is not None:
                part = part * beside(weight, x).reshape(shape)
            total = part if total is None else total + part
        x = total
    return x


def resampled_bytes(x: np.ndarray, taps: list[Taps]) -> np.ndarray:
    """The last dimensions of whole numbers of 8 bits at another size, with a rounding after each, as in Pillow.

    The weights are whole numbers of 16 bits: so many parts of a power of two, which a shift divides by.
    """
    for axis in range(-1, -len(taps) - 1, -1):
        if x.shape[axis] == len(taps[axis][0][0]):
            continue
        shares = _shares(taps[axis])
        bits = _bits_of_weights(max(float(share.max()) for share in shares))
        total = 1 << (bits - 1)
        for (index, _), share in zip(taps[axis], shares, strict=True):
            whole = np.trunc(share * (1 << bits) + np.copysign(0.5, share)).astype(np.int32)
            part = x.take(beside(index, x), axis).astype(np.int32)
            total = total + part * beside(whole, x).reshape((-1, *(1,) * (-axis - 1)))
        x = np.clip(np.right_shift(total, bits), 0, 255).astype(np.uint8)
    return x


def _shares(taps: Taps) -> list[np.ndarray]:
    """The weights, with those of one element added up: at the borders, where taps fall on the outermost."""
    shares = [weight.copy() for _, weight in taps]
    for i in range(1, len(taps)):
        same = taps[i][0] == taps[i - 1][0]
        shares[i][same] += shares[i - 1][same]
        shares[i - 1][same] = 0
    return shares


def _bits_of_weights(largest: float) -> int:
    """How many binary places the weights have, so that the largest fits into 16 bits."""
    return next((bits for bits in range(22) if int(0.5 + largest * (1 << (bits + 1))) >= 1 << 15), 22)


def returned(grad: np.ndarray, taps: list[Taps], size: tuple[int, ...]) -> Any:
    """The way back: each number is added to the elements that it was made of, by their weights."""
    for axis in range(-len(taps), 0):
        if type(grad) is not np.ndarray:
            grad = _returned_on_a_device(grad, taps[axis], size[axis], axis)
            continue
        shape = (-1, *(1,) * (-axis - 1))
        whole = np.zeros_like(grad, shape=(*grad.shape[:axis], size[axis], *grad.shape[len(grad.shape) + axis + 1 :]))
        for index, weight in taps[axis]:
            part = grad if weight is None else grad * weight.reshape(shape)
            # The indices rise, so that equal ones stand side by side.
            starts = np.flatnonzero(np.diff(index, prepend=-1))
            key = (..., index[starts], *(slice(None),) * (-axis - 1))
            whole[key] += np.add.reduceat(part, starts, axis)
        grad = whole
    return grad


def _returned_on_a_device(grad: Any, taps: Taps, n: int, axis: int) -> Any:
    """The same for one dimension as a product with a matrix of weights: no function there adds up neighbors."""
    weights = np.zeros((grad.shape[axis], n), grad.dtype)
    for index, weight in taps:
        np.add.at(weights, (np.arange(len(index)), index), 1 if weight is None else weight)
    return np.matmul(grad.swapaxes(axis, -1), beside(weights, grad)).swapaxes(axis, -1)
