"""One ufunc over large contiguous arrays with the same strides: a result in the pool, computed by several threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ...memory.places import empty
from . import chunks
from .without_warnings import quietly


def apply_contiguous(ufunc: Any, kept: np.dtype, first: np.ndarray, other: Any = None) -> np.ndarray:
    """Apply a ufunc to contiguous arrays. The result has their strides: row-major order or its reverse.

    >>> apply_contiguous(np.add, np.dtype("f8"), np.array([1.0, 2.0]), 1.0)
    array([2., 3.])
    """
    backwards = not first.flags.c_contiguous
    shape = first.shape[::-1] if backwards else first.shape
    result = empty(shape, kept, first)
    into = result.reshape(-1)
    rows = [_flattened(x, backwards) for x in ((first,) if other is None else (first, other))]
    step = chunks.elements_per_piece(into.size, ufunc)
    if step >= into.size:
        quietly(ufunc, *rows, out=into)
    else:

        def piece(key: slice) -> None:
            quietly(ufunc, *[x[key] if type(x) is np.ndarray else x for x in rows], out=into[key])

        chunks.run_parallel(piece, chunks.spans(into.size, step))
    return result.T if backwards else result


def _flattened(x: float | ndarray, backwards: bool) -> Any:
    if type(x) is not np.ndarray:
        return x
    return (x.T if backwards else x).reshape(-1)
