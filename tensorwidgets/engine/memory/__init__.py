"""Where the bytes of large tensors come from.

Small arrays are NumPy's own. From `LARGE` bytes on, results lie in memory of a pool, which is used again once nothing
refers to it any more.

>>> from tensorwidgets.engine import memory
>>> import tensorwidgets as torch
>>> x = torch.empty(1 << 20)
>>> x.data_ptr() % 64
0
>>> memory.statistics().allocated >= x.nbytes
True
>>> memory.empty()  # what is not in use goes back to the system
>>> memory.statistics().kept
0
"""

from __future__ import annotations

from math import prod

import numpy as np

from .interface import ALIGNMENT, Allocator, Memory, Statistics
from .limits import installed
from .pool import Pool

LARGE = 1 << 20
"""Results of so many bytes and more lie in the pool: from here on asking the system costs more than a look-up."""

shared_pool = Pool(limit=min(installed() // 8, 1 << 30))
"""The allocator of all large results."""

empty, statistics, keep_at_most = shared_pool.empty, shared_pool.statistics, shared_pool.keep_at_most


def empty_like_numpy(size: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """`np.empty` in row-major order; where it is large, in memory of the pool.

    >>> empty_like_numpy((2, 3), np.dtype("f4")).shape
    (2, 3)
    """
    nbytes = prod(size) * dtype.itemsize
    if nbytes < LARGE:
        return np.empty(size, dtype)
    return shared_pool.array(size, dtype)


def zeros(size: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """`np.zeros`; where it is large it begins at a multiple of 64. The system has zeros that cost nothing until used.

    >>> zeros((1 << 20,), np.dtype("f4")).ctypes.data % 64
    0
    """
    nbytes = prod(size) * dtype.itemsize
    if nbytes < LARGE:
        return np.zeros(size, dtype)
    whole = np.zeros(nbytes + ALIGNMENT, np.uint8)
    return np.ndarray(size, dtype, whole, -whole.ctypes.data % ALIGNMENT)


def owns(array: np.ndarray) -> bool:
    """Whether an array has its memory to itself: NumPy's own, or the pool's."""
    return array.flags.owndata or type(array.base) is Memory


__all__ = [
    "ALIGNMENT", "LARGE", "Allocator", "Memory", "Statistics", "empty", "empty_like_numpy", "installed", "keep_at_most",
    "owns", "shared_pool", "statistics",
]  # fmt: skip
