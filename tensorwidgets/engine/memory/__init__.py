"""Where do the bytes of large tensors come from? The allocator of results.

NumPy allocates small arrays. Results of `LARGE` bytes and more come from a pool, which reuses memory that nothing
refers to any more.

>>> from tensorwidgets.engine import memory
>>> import tensorwidgets as torch
>>> x = torch.empty(1 << 20)
>>> x.data_ptr() % 64
0
>>> memory.statistics().allocated >= x.nbytes
True
>>> memory.empty()  # return unused memory to the system
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
"""Results of this many bytes and more come from the pool: asking the system costs more than a look-up."""

shared_pool = Pool(limit=min(installed() // 8, 1 << 30))
"""The allocator of all large results."""

empty, statistics, keep_at_most = shared_pool.empty, shared_pool.statistics, shared_pool.keep_at_most


def empty_like_numpy(size: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """`np.empty` in row-major order; large arrays come from the pool.

    >>> empty_like_numpy((2, 3), np.dtype("f4")).shape
    (2, 3)
    """
    nbytes = prod(size) * dtype.itemsize
    if nbytes < LARGE:
        return np.empty(size, dtype)
    return shared_pool.array(size, dtype)


def zeros(size: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """`np.zeros`, aligned to 64 bytes if large. Zeroed pages from the system cost nothing until they are used.

    >>> zeros((1 << 20,), np.dtype("f4")).ctypes.data % 64
    0
    """
    nbytes = prod(size) * dtype.itemsize
    if nbytes < LARGE:
        return np.zeros(size, dtype)
    whole = np.zeros(nbytes + ALIGNMENT, np.uint8)
    return np.ndarray(size, dtype, whole, -whole.ctypes.data % ALIGNMENT)


def owns(array: np.ndarray) -> bool:
    """Whether an array owns its memory, allocated by NumPy or by the pool."""
    return array.flags.owndata or type(array.base) is Memory


__all__ = [
    "ALIGNMENT", "LARGE", "Allocator", "Memory", "Statistics", "empty", "empty_like_numpy", "installed", "keep_at_most",
    "owns", "shared_pool", "statistics",
]  # fmt: skip
