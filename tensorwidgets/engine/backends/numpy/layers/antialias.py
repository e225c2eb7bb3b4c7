"""How is an image made smaller without losing what lies between the pixels that are kept? Each result is an average.

Along one dimension, a result is the weighted sum of neighbors in a band: a polynomial or a window says how heavy each
is, and the band grows as the image shrinks. On the way back each pixel is a sum of neighboring gradients, again a band.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .borders import beside
from .resampling import Taps, step


def _linear(x: np.ndarray) -> Any:
    return np.where(x < 1, 1 - x, 0)


def _cubic(x: np.ndarray) -> Any:
    """The cubic polynomials of the parameter -0.5."""
    outer = ((-0.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x < 1, (1.5 * x - 2.5) * x * x + 1, np.where(x < 2, outer, 0))


def _lanczos(x: np.ndarray) -> Any:
    return np.where(x < 3, np.sinc(x) * np.sinc(x / 3), 0)


FILTERS: dict[str, tuple[Callable[[np.ndarray], Any], float]] = {
    "linear": (_linear, 1), "cubic": (_cubic, 2), "lanczos": (_lanczos, 3),
}  # fmt: skip
"""How heavy a pixel is by its distance, and how far a band reaches where nothing shrinks."""


class Bands(NamedTuple):
    """Weighted sums of neighbors: for each result where its band starts, how long it is, and its weights."""

    starts: np.ndarray
    counts: np.ndarray
    weights: np.ndarray
    """A row for each result, with zeros behind the end of a band."""

    @classmethod
    def of(cls, kind: str, n: int, out: int, align: bool, factor: float | None, wide: np.dtype) -> Bands:
        """The bands that bring `n` pixels to `out`.

        >>> bands = Bands.of("linear", 4, 2, False, None, np.dtype(np.float64))
        >>> bands.starts.tolist(), bands.counts.tolist()
        ([0, 1], [3, 3])
        >>> bands.weights * 7
        array([[3., 3., 1.],
               [1., 3., 3.]])
        """
        weight_at, reach = FILTERS[kind]
        scale = step(n, out, align, factor, wide)
        grown = np.maximum(scale, wide.type(1))
        reach = wide.type(reach) * grown
        centers = scale * (np.arange(out).astype(wide) + wide.type(0.5))
        starts = np.maximum(np.trunc(centers - reach + wide.type(0.5)).astype(np.int64), 0)
        ends = np.minimum(np.trunc(centers + reach + wide.type(0.5)).astype(np.int64), n)
        counts = np.maximum(ends - starts, 0)
        place = np.arange(counts.max(initial=1))
        distances = np.abs((starts[:, None] + place).astype(wide) - centers[:, None] + wide.type(0.5)) / grown
        weights = np.where(place < counts[:, None], weight_at(distances), 0).astype(wide)
        sums = weights.sum(1, keepdims=True)
        return cls(starts, counts, weights / np.where(sums == 0, wide.type(1), sums))

    def back(self, n: int) -> Bands:
        """The way back: which results each of the `n` pixels is part of, and by which weight."""
        pixels, results = np.arange(n), np.arange(len(self.starts))
        ends = self.starts + self.counts
        starts = np.searchsorted(ends, pixels, "right")
        counts = np.maximum(np.searchsorted(self.starts, pixels, "right") - starts, 0)
        place = np.arange(counts.max(initial=1))
        result = np.minimum(starts[:, None] + place, len(results) - 1)
        inner = np.clip(pixels[:, None] - self.starts[result], 0, self.weights.shape[1] - 1)
        return Bands(starts, counts, np.where(place < counts[:, None], self.weights[result, inner], 0))

    def taps(self) -> Taps:
        """The first neighbors of all bands with their weights, then the second ones, and so on."""
        last = self.starts + np.maximum(self.counts - 1, 0)
        return [
            (np.minimum(self.starts + k, last), np.ascontiguousarray(self.weights[:, k]))
            for k in range(self.weights.shape[1])
        ]

    def sums(self, x: np.ndarray, axis: int) -> Any:
        """The weighted sums along one dimension."""
        if type(x) is np.ndarray:
            return self._by_a_sparse_matrix(x, axis)
        shape = (-1, *(1,) * (-axis - 1))
        total: Any = 0
        for k, (index, weight) in enumerate(self.taps()):
            part = x.take(beside(index, x), axis) * beside(weight, x).reshape(shape)
            there = beside(k < self.counts, x).reshape(shape)  # a weight of 0 is not enough: infinity times 0
            total = total + np.where(there, part, x.dtype.type(0))
        return total

    def _by_a_sparse_matrix(self, x: np.ndarray, axis: int) -> Any:
        from scipy.sparse import _sparsetools

        moved = np.moveaxis(x, axis, 0)
        rows = np.ascontiguousarray(moved).reshape(len(moved), prod(moved.shape[1:]))
        place = np.arange(self.weights.shape[1])
        there = place < self.counts[:, None]
        ends = np.concatenate([[0], np.cumsum(self.counts)])
        found = np.zeros((len(self.starts), rows.shape[1]), x.dtype)
        _sparsetools.csr_matvecs(
            len(found), len(rows), rows.shape[1], ends, (self.starts[:, None] + place)[there],
            self.weights[there].astype(x.dtype, copy=False), rows.reshape(-1), found.reshape(-1),
        )  # fmt: skip
        return np.moveaxis(found.reshape(len(found), *moved.shape[1:]), 0, axis)
