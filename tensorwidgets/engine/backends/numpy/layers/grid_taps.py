"""Which pixels are around the points of a grid? Each point has a few taps along each dimension.

All points of a block have the same taps beside their first one. Where a border is put around the image, one index
serves all of them: the tap beside it is the same element of the planes, shifted by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from ..sums.added_rows import add_weighted
from .borders import places as border_places
from .borders import read
from .grid_places import BORDER, REFLECTION, ZEROS, Side, any_nan, between

LINEAR, NEAREST, CUBIC = 0, 1, 2
"""How values between pixels are found."""
COUNTS, STARTS = {LINEAR: 2, NEAREST: 1, CUBIC: 4}, {LINEAR: 0, NEAREST: 0, CUBIC: -1}
"""How many taps a dimension has, and where the first is, counted from the pixel before the point."""
CROWDED = 8
"""A border is put around an image that has at most so many pixels for each point."""


class Taps:
    """The pixels around the points of a block: `read` gives those at one of the taps, for one channel."""

    def __init__(self, planes: Planes, firsts: list[Any], start: int):
        self.planes, self.sides = planes, planes.sides
        self.examples: Any = None
        if planes.examples > 1:
            numbers = np.arange(start, start + len(firsts[0]), like=firsts[0]) // planes.points
            self.examples = numbers.astype(planes.whole, copy=False)
        flat = planes.flat
        self.part = np.empty(len(firsts[0]), flat.dtype) if type(flat) is np.ndarray else None
        if planes.shifted:
            self.index = self._first(firsts)
            self.read_index = self._of_examples(self.index)
        else:
            self.along = [self._apart(*each) for each in zip(self.sides, firsts, planes.strides, strict=True)]

    def _first(self, firsts: list[Any]) -> Any:
        index: Any = 0
        for side, first, stride, border in zip(
            self.sides, firsts, self.planes.strides, self.planes.border, strict=True
        ):
            start = _wide(first, side.n) + STARTS[self.planes.mode]
            if border:
                start = _between(start, -border, side.n)
            elif first.dtype.itemsize < 4:  # the last pixel of many may be rounded up
                start = np.minimum(start, side.n - 1)
            whole = start.astype(self.planes.whole)
            whole += border
            whole *= stride
            index = index + whole
        return index

    def _apart(self, side: Side, first: Any, stride: int) -> list[tuple[Any, Any]]:
        mode, found = self.planes.mode, []
        for k in range(STARTS[mode], STARTS[mode] + COUNTS[mode]):
            place = side.inside(first + first.dtype.type(k)) if mode == CUBIC else _wide(first, side.n) + k
            place = _wide(place, side.n)
            inside = (place >= 0) & (place < side.n) if self.planes.outside else None
            found.append((_between(place, 0, side.n - 1).astype(self.planes.whole) * stride, inside))
        return found

    def read(self, tap: tuple[int, ...]) -> Iterator[Any]:
        """The pixels at a tap, channel by channel, in memory that the next ones overwrite."""
        planes, part = self.planes, self.part
        start, index, inside = self.at(tap)
        index = self.read_index if planes.shifted else self._of_examples(index)
        for channel in range(planes.channels):
            plane = planes.flat[start + channel * planes.plane :]
            values = plane.take(index) if part is None else plane.take(index, out=part, mode="clip")
            yield values if inside is None else np.where(inside, values, values.dtype.type(0))

    def add(self, sums: np.ndarray, tap: tuple[int, ...], grads: np.ndarray, weight: Any) -> None:
        """Add gradients by their weights to the pixels at a tap, channel by channel."""
        start, index, inside = self.at(tap)
        if self.examples is not None:
            index = index + self.examples * self.planes.plane
        if inside is not None:  # a weight of 0 is not enough: infinity times 0
            weight = np.where(inside, weight, weight.dtype.type(0))
            grads = np.where(inside, grads, grads.dtype.type(0))
        if type(sums) is np.ndarray:
            add_weighted(sums[:, start:], index, grads, weight)
            return
        for total, grad in zip(sums, grads, strict=True):
            found = np.bincount(index, weights=grad * weight, minlength=len(total))
            total[start:] += found[: len(total) - start]

    def _of_examples(self, index: Any) -> Any:
        """The elements of the first channel, counted from the first example."""
        if self.examples is not None:
            index = index + self.examples * (self.planes.channels * self.planes.plane)
        return index.astype(np.intp, copy=False)

    def at(self, tap: tuple[int, ...]) -> tuple[int, Any, Any]:
        """Which elements of an image's plane are at a tap, counted from which, and which of them are pixels."""
        if self.planes.shifted:
            return sum(k * stride for k, stride in zip(tap, self.planes.strides, strict=True)), self.index, None
        index: Any = 0
        inside = None
        for k, along in zip(tap, self.along, strict=True):
            index = index + along[k][0]
            if along[k][1] is not None:
                inside = along[k][1] if inside is None else inside & along[k][1]
        return 0, index, inside


def _between(places: Any, low: int, high: int) -> Any:
    """Places in these limits; what is no number is at the lower one."""
    return between(np.where(np.isnan(places), places.dtype.type(low), places) if any_nan(places) else places, low, high)


def _wide(places: Any, n: int) -> Any:
    """Places in a dtype that has all whole numbers up to the size."""
    small = places.dtype.itemsize < 4 or (places.dtype.itemsize == 4 and n > 1 << 24)
    return places.astype(np.float64 if n > 1 << 24 else np.float32) if small else places


class Planes:
    """The channels of all images, one after the other, with or without a border around each."""

    def __init__(self, x: np.ndarray, sides: list[Side], mode: int, points: int, keep: bool = False):
        self.sides, self.mode, self.points = sides, mode, points
        padding = sides[0].padding
        self.outside = padding == ZEROS or mode == LINEAR
        self.shifted = not keep and (mode == NEAREST and padding != ZEROS or self._may_have_border(x, padding))
        self.examples, self.channels = x.shape[:2]
        count = COUNTS[mode]
        self.border = [count if self.shifted and (self.outside or mode == CUBIC) else 0] * len(sides)
        if any(self.border):
            x = self._with_border(x, padding, count)
        size = x.shape[2:]
        self.plane = prod(size)
        self.strides = [prod(size[k + 1 :]) for k in range(len(size))]
        self.flat = x.reshape(-1)
        self.whole = np.int32 if self.flat.size < 1 << 31 else np.int64

    def _may_have_border(self, x: np.ndarray, padding: int) -> bool:
        if self.mode == CUBIC and (padding == REFLECTION or x.dtype.itemsize < 4):
            return False
        return prod(x.shape[2:]) <= CROWDED * self.points

    def _with_border(self, x: np.ndarray, padding: int, count: int) -> Any:
        if self.mode == CUBIC and padding == BORDER:
            return read(x, [border_places(n, count, count, "replicate") for n in x.shape[2:]])
        whole = np.zeros_like(x, shape=(*x.shape[:2], *(n + 2 * count for n in x.shape[2:])), order="C")
        inner: Any = (..., *(slice(count, count + n) for n in x.shape[2:]))
        whole[inner] = x
        return whole
