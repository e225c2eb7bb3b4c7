"""Reduce a large array by a ufunc on several threads, each with its own partial results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from ...memory.places import as_array
from . import chunks
from .threads import get_num_threads
from .without_warnings import quietly


def fold(ufunc: np.ufunc, values: np.ndarray, dims: tuple[int, ...], kept: Any = None, keepdim: bool = False) -> Any:
    """`ufunc.reduce`, computed in the dtype `kept`.

    >>> fold(np.maximum, np.array([[1, 5], [4, 2]]), (1,))
    array([5, 4])
    """
    if type(values) is not np.ndarray:
        return reduced(ufunc, values, dims, kept, keepdim)
    if values.size < chunks.FROM or not dims:
        return quietly(ufunc.reduce, values, dims, kept, None, keepdim)

    def part_of(part: np.ndarray) -> np.ndarray:
        return quietly(ufunc.reduce, part, dims, kept, None, True)

    outermost = max(range(values.ndim), key=lambda d: (values.shape[d] > 1, values.strides[d]))
    if outermost in dims and not (ufunc is np.multiply and values.dtype.kind not in "biu"):
        parts = _along(part_of, values, outermost, values.size // TOGETHER)
        return shaped(quietly(ufunc.reduce, parts, outermost, kept), values, dims, keepdim)
    if any(n > 1 for d, n in enumerate(values.shape) if d not in dims):
        return shaped(along_kept(part_of, values, dims), values, dims, keepdim)
    # The product of one piece may overflow although the product of all does not.
    return quietly(ufunc.reduce, values, dims, kept, None, keepdim)


_FUNCTIONS: dict[Any, Any] = dict(
    [(np.maximum, np.max), (np.minimum, np.min), (np.logical_and, np.all), (np.logical_or, np.any)]
)


def reduced(ufunc: np.ufunc, values: ndarray, dims: tuple[int, ...], kept: Any = None, keepdim: bool = False) -> Any:
    """`ufunc.reduce` of an array that may be on a device, where only sums and products are methods of ufuncs."""
    function = _FUNCTIONS.get(ufunc)
    if function is None or type(values) is np.ndarray:
        return quietly(ufunc.reduce, values, dims, kept, None, keepdim)
    return quietly(function, values if kept is None else values.astype(kept), axis=dims, keepdims=keepdim)


TOGETHER = 1 << 19
"""Elements in one piece. It never changes, because the rounding of sums depends on it."""


def along_kept(part_of: Callable[[np.ndarray], np.ndarray], values: np.ndarray, dims: tuple[int, ...]) -> np.ndarray:
    """Apply a function to pieces of an array, cut along a dimension that stays, one piece for each thread.

    The function keeps reduced dimensions at size 1. Each element of its result may depend on its own input only.
    """
    staying = [d for d in range(values.ndim) if d not in dims]
    axis = max(staying, key=lambda d: (values.shape[d] > 1, values.strides[d]))
    return _along(part_of, values, axis, get_num_threads())


def _along(part_of: Callable[[np.ndarray], np.ndarray], values: np.ndarray, axis: int, count: int) -> np.ndarray:
    count = max(1, min(values.shape[axis], count))
    edges = [values.shape[axis] * i // count for i in range(count + 1)]
    results: list[Any] = [None] * count

    def piece(i: int) -> None:
        results[i] = part_of(values[(slice(None),) * axis + (slice(edges[i], edges[i + 1]),)])

    chunks.run_parallel(piece, range(count))
    return results[0] if count == 1 else np.concatenate(results, axis)


def shaped(value: ndarray, values: np.ndarray, dims: tuple[int, ...], keepdim: bool) -> np.ndarray:
    """A reduced array in its final shape, with size 1 for reduced dimensions if `keepdim`."""
    size = [1 if d in dims else n for d, n in enumerate(values.shape) if keepdim or d not in dims]
    return as_array(value).reshape(size)
