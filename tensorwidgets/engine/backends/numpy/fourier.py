"""Fourier transforms by SciPy, with the rows of large arrays shared among our threads.

SciPy has threads of its own for `workers=`. They are ended before each fork and started again after it, and a fork that
comes at once waits for ever for one that has not begun to listen: two workers of a `DataLoader` are two such forks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .chunks import run_parallel, spans
from .threads import get_num_threads

SHARED = 1 << 16
"""With this many elements a second thread pays."""


def transform(kind: str, values: np.ndarray, sizes: Any, axes: int | Sequence[int], norm: str) -> np.ndarray:
    """One of the functions of `scipy.fft`; a name that ends in n takes several axes.

    >>> transform("fft", np.array([1.0, 0, 0, 0]), 4, 0, "backward").real
    array([1., 1., 1., 1.])
    """
    import scipy.fft

    function = getattr(scipy.fft, kind)
    named = {"axes" if kind.endswith("n") else "axis": axes}

    def of(part: np.ndarray) -> np.ndarray:
        result: np.ndarray = function(part, sizes, norm=norm, **named)
        return result

    threads = get_num_threads()
    if threads == 1 or values.size < SHARED:
        return of(values)
    over = {axis % values.ndim for axis in ([axes] if isinstance(axes, int) else axes)}
    free = [d for d in range(values.ndim) if d not in over]
    axis = max(free, key=lambda d: values.shape[d], default=-1)
    if axis < 0 or values.shape[axis] < 2:
        return of(values)
    pieces = spans(values.shape[axis], -(-values.shape[axis] // threads))
    before = (slice(None),) * axis
    parts: list[Any] = [None] * len(pieces)

    def piece(k: int) -> None:
        parts[k] = of(values[(*before, pieces[k])])

    run_parallel(piece, range(len(pieces)))
    return np.concatenate(parts, axis=axis)
