"""Where do the points of a grid lie among the pixels of an image? One dimension after the other.

A grid says -1 for one end of a dimension and 1 for the other. The steps are those of PyTorch's kernels, one rounding
each, since numbers of 16 bits are rounded after each step there; images and volumes have different ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

ZEROS, BORDER, REFLECTION = 0, 1, 2
"""What lies outside: zeros, the pixel at the border, or the image in a mirror."""


class Side(NamedTuple):
    """One dimension of images: its pixels, what is outside, and what -1 and 1 are the middles or the ends of."""

    n: int
    padding: int
    align: bool
    dims: int

    def places(self, points: np.ndarray) -> Any:
        """Where points lie, in pixels from the first one, which may be outside.

        >>> Side(4, ZEROS, False, 2).places(np.array([-1.0, 0.0, 1.0]))
        array([-0.5,  1.5,  3.5])
        >>> Side(4, ZEROS, True, 2).places(np.array([-1.0, 0.0, 1.0]))
        array([0. , 1.5, 3. ])
        """
        t, n = points.dtype.type, self.n
        places = points + t(1)
        if self.dims == 2:
            if not self.align and points.dtype == np.float32:  # a product and a difference with one rounding
                wide = np.multiply(places, self.scale(np.float64), dtype=np.float64)
                return np.subtract(wide, 0.5, out=wide).astype(np.float32)
            places *= self.scale(t)
            return places if self.align else np.subtract(places, t(0.5), out=places)
        return places / t(2) * t(n - 1) if self.align else (places * t(n) - t(1)) / t(2)

    def scale(self, t: Any) -> Any:
        """How many pixels a step of 1 in the grid is."""
        return t(self.n - 1 if self.align else self.n) / t(2)

    def inside(self, places: np.ndarray) -> Any:
        """The places at which an image is read: those outside brought to the border, or mirrored.

        >>> Side(4, BORDER, False, 2).inside(np.array([-2.0, 1.5, 5.0]))
        array([0. , 1.5, 3. ])
        >>> Side(4, REFLECTION, False, 2).inside(np.array([-2.0, 1.5, 5.0]))
        array([1. , 1.5, 2. ])
        """
        if self.padding == ZEROS:
            return places
        return self._clipped(self._mirrored(places) if self.padding == REFLECTION else places)

    def inside_with_slope(self, places: np.ndarray) -> tuple[Any, Any]:
        """`inside`, and how far each moves with a step of 1 in the grid; at a border it is stopped."""
        t = places.dtype.type
        scale = self.scale(t)
        if self.padding == ZEROS:
            return places, np.full_like(places, scale)
        turn: Any = t(1)
        if self.padding == REFLECTION:
            places, turn = self._mirrored(places), self._turned(places)
        moves = (places > 0) & (places < self.n - 1)
        return self._clipped(places), np.where(moves, scale * turn, t(0))

    def _clipped(self, places: np.ndarray) -> Any:
        t = places.dtype.type
        if self.dims == 3:  # what is no number is at the last pixel there
            places = np.where(np.isnan(places), t(self.n - 1), places)
        elif any_nan(places):  # and at the first one in images
            places = np.where(np.isnan(places), t(0), places)
        return between(places, 0, self.n - 1)

    def _ends(self, t: Any) -> tuple[Any, Any]:
        """Where the mirror at the lower end is, and how far it is to the other one."""
        return (t(0), t(self.n - 1)) if self.align else (t(-0.5), t(self.n))

    def _mirrored(self, places: np.ndarray) -> Any:
        t = places.dtype.type
        low, span = self._ends(t)
        if not span:
            return np.zeros_like(places)
        distance = np.abs(places - low)
        if self.dims == 2:
            return np.minimum(*self._there_and_back(distance, span)) + low
        rest, even = np.fmod(distance, span), self._is_even(distance, span)
        return np.where(even, rest + low, span - rest + low)

    def _turned(self, places: np.ndarray) -> Any:
        """1 where a mirrored image runs forward, -1 where it runs backward, 0 where there is no room to run."""
        t = places.dtype.type
        low, span = self._ends(t)
        if not span:
            return np.zeros_like(places)
        distance = np.abs(places - low)
        if self.dims == 2:
            there, back = self._there_and_back(distance, span)
            even = there <= back
        else:
            even = self._is_even(distance, span)
        return np.where(even == (places >= low), t(1), t(-1))

    @staticmethod
    def _there_and_back(distance: np.ndarray, span: Any) -> tuple[Any, Any]:
        """How far it is to the lower end on the way there, and on the way back."""
        whole = distance.dtype.type(2) * span
        there = distance - np.trunc(distance / whole) * whole
        return there, whole - there

    @staticmethod
    def _is_even(distance: np.ndarray, span: Any) -> Any:
        """Whether the way over this distance has turned an even number of times."""
        turns = np.floor(distance / span)
        return ~(np.fmod(turns, turns.dtype.type(2)) != 0) | np.isnan(turns)


def any_nan(places: np.ndarray) -> bool:
    """Whether some place is no number."""
    return bool(np.isnan(np.min(places)))


def between(places: np.ndarray, low: int, high: int) -> Any:
    """Places in these limits."""
    t = places.dtype.type
    if places.dtype.itemsize < 4:  # NumPy has no clip for bfloat16
        return np.minimum(np.maximum(places, t(low)), t(high))
    return np.clip(places, t(low), t(high))


def cubic_shares(t: np.ndarray) -> tuple[Any, ...]:
    """The shares of four neighbors: by the cubic polynomials of the parameter -0.75."""
    one, two = t.dtype.type(1), t.dtype.type(2)
    return _outer(t + one), _inner(t), _inner(one - t), _outer(two - t)


def cubic_slopes(t: np.ndarray) -> tuple[Any, ...]:
    """The derivatives of `cubic_shares`."""
    one, two = t.dtype.type(1), t.dtype.type(2)
    return _outer_slope(t + one), _inner_slope(t), -_inner_slope(one - t), -_outer_slope(two - t)


def _inner(t: np.ndarray) -> Any:
    n = t.dtype.type
    return ((n(1.25) * t - n(2.25)) * t) * t + n(1)


def _outer(t: np.ndarray) -> Any:
    n = t.dtype.type
    return ((n(-0.75) * t - n(-3.75)) * t + n(-6)) * t - n(-3)


def _inner_slope(t: np.ndarray) -> Any:
    n = t.dtype.type
    return (n(3.75) * t - n(4.5)) * t


def _outer_slope(t: np.ndarray) -> Any:
    n = t.dtype.type
    return (n(-2.25) * t - n(-7.5)) * t + n(-6)
