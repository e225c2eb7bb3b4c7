"""Room for the bytes of a storage that is read.

Much of it is asked of the system page by page: pages of 2 MB, which NumPy would ask for, take seconds to find where the
memory is full of small ones, and reading a large file has just filled it with those.
"""

from __future__ import annotations

import mmap

import numpy as np

from ..memory import empty_like_numpy

LARGE = 1 << 25
_BYTE = np.dtype(np.uint8)


def room_for(nbytes: int) -> np.ndarray:
    """So many bytes, holding anything.

    >>> room_for(10).shape
    (10,)
    """
    if nbytes < LARGE or not hasattr(mmap, "MAP_ANONYMOUS"):
        return empty_like_numpy((nbytes,), _BYTE)
    try:
        return np.frombuffer(mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), _BYTE)
    except OSError:
        raise MemoryError(f"{nbytes:,} bytes") from None
