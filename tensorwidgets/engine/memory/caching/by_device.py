"""Which allocator serves which GPU? A GPU's memory enters its allocator here, which leaves with it."""

from __future__ import annotations

from weakref import WeakValueDictionary

from .allocator import CachingAllocator

ALLOCATORS: WeakValueDictionary[int, CachingAllocator] = WeakValueDictionary()
"""The allocators by the number of their GPU."""

in_main_memory: CachingAllocator | None = None
"""The caching allocator of main memory, while it is in use there."""
