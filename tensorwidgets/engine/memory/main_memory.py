"""Arrays in main memory, made by NumPy.

NumPy allocates small arrays. Those of `LARGE` bytes and more come from a pool, which reuses memory that nothing refers
to any more.
"""

from __future__ import annotations

from math import prod

import numpy as np
from numpy import ndarray

from ..types.device import CPU
from .interface import ALIGNMENT, Allocator, Memory
from .limits import installed
from .places import Place, register
from .pool import Pool

LARGE = 1 << 20
"""Arrays of this many bytes and more come from the pool: asking the system costs more than a look-up."""

shared_pool = Pool(limit=min(installed() // 8, 1 << 30))
"""The allocator of all large arrays, if no other is in use."""

_in_use: Allocator = shared_pool


class MainMemory(Place):
    """The place of NumPy's arrays."""

    device = CPU
    in_main_memory = True

    def empty(self, size: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """`np.empty` in row-major order; large arrays come from the pool.

        >>> MAIN_MEMORY.empty((2, 3), np.dtype("f4")).shape
        (2, 3)
        """
        nbytes = prod(size) * dtype.itemsize
        if nbytes < LARGE:
            return np.empty(size, dtype)
        return _in_use.array(size, dtype)

    def zeros(self, size: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """`np.zeros`, aligned to 64 bytes if large. Zeroed pages from the system cost nothing until they are used.

        >>> MAIN_MEMORY.zeros((1 << 20,), np.dtype("f4")).ctypes.data % 64
        0
        """
        nbytes = prod(size) * dtype.itemsize
        if nbytes < LARGE:
            return np.zeros(size, dtype)
        if _in_use is not shared_pool:
            array = _in_use.array(size, dtype)
            array.view(np.uint8).fill(0)
            return array
        whole = np.zeros(nbytes + ALIGNMENT, np.uint8)
        return np.ndarray(size, dtype, whole, -self.address(whole) % ALIGNMENT)

    def view(
        self, memory: ndarray, size: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype, offset: int = 0
    ) -> np.ndarray:
        """An array over the memory of another one."""
        return np.ndarray(size, dtype, memory, 0 if 0 in size else offset, strides)

    def address(self, array: ndarray) -> int:
        """The address of the first element."""
        return array.__array_interface__["data"][0]

    def fetch(self, array: ndarray) -> np.ndarray:
        """The array itself."""
        return array

    def bring(self, values: np.ndarray) -> np.ndarray:
        """The array itself."""
        return values


MAIN_MEMORY = MainMemory()
register(np.ndarray, MAIN_MEMORY)

LARGEST_KEPT = 1 << 23
"""The C library of Linux takes arrays up to this size from memory that it keeps, and keeps up to twice as much."""


def let_freed_memory_stay() -> None:
    """Let the C library of Linux keep the memory of freed arrays for the next ones.

    At first it asks the system for each array of 128 KiB or more, and returns it when the array is freed. Once an array
    of some size was freed, it keeps memory for arrays up to that size. The system clears each page that it hands out,
    which takes two thirds of the time of a normalization of 256 x 512. The array that is made and freed here is never
    written to, so it costs no memory.
    """
    np.empty(LARGEST_KEPT, np.uint8)


let_freed_memory_stay()


def owns(array: np.ndarray) -> bool:
    """Whether an array owns its memory, allocated by NumPy or by the pool."""
    return type(array) is np.ndarray and (array.flags.owndata or isinstance(array.base, Memory))


def use(name: str, total: int | None = None) -> Allocator:
    """Choose the allocator of large arrays from now on: `"pool"`, or `"caching"`, which is PyTorch's of GPU memory.

    The caching allocator may take `total` bytes, all that are installed if that is not given. It is returned, so that
    `show.allocator` can draw it.

    >>> cached = use("caching", total=64 << 20)
    >>> a = MAIN_MEMORY.empty((1 << 20,), np.dtype("f4"))
    >>> cached.statistics().allocated >= a.nbytes
    True
    >>> _ = use("pool")
    """
    global _in_use
    if name == "pool":
        if _in_use is not shared_pool:
            from .caching import by_device

            by_device.in_main_memory = None
        _in_use = shared_pool
    elif name == "caching":
        from .caching import by_device
        from .caching.main_memory import CachingMemory

        if not isinstance(_in_use, CachingMemory) or total is not None:
            _in_use = CachingMemory(total or installed())
        by_device.in_main_memory = _in_use.allocator
    else:
        raise ValueError(f'the allocators of main memory are "pool" and "caching", not {name!r}')
    return _in_use
