"""Where is an array, and where do its bytes come from?

`places` is the seam: every array that becomes a tensor's memory is made there, in main memory, on `meta` or on another
device. In main memory NumPy allocates small arrays. Those of `LARGE` bytes and more come from a pool, which reuses
memory that nothing refers to any more.

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

from .interface import ALIGNMENT, Allocator, Memory, Statistics
from .limits import installed
from .main_memory import LARGE, MAIN_MEMORY, owns, shared_pool, use
from .meta import ON_META, MetaArray
from .places import (
    Place,
    address_of,
    as_array,
    contiguous,
    is_in_main_memory,
    moved,
    place_among,
    place_at,
    place_of,
)

empty, statistics, keep_at_most = shared_pool.empty, shared_pool.statistics, shared_pool.keep_at_most

__all__ = [
    "ALIGNMENT", "LARGE", "MAIN_MEMORY", "ON_META", "Allocator", "Memory", "MetaArray", "Place", "Statistics",
    "address_of", "as_array", "contiguous", "empty", "installed", "is_in_main_memory", "keep_at_most", "moved",
    "owns", "place_among", "place_at", "place_of", "shared_pool", "statistics", "use",
]  # fmt: skip
