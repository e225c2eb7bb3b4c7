"""Which allocator serves which GPU? Empty until a GPU is used; whoever makes a GPU's memory enters its allocator."""

from __future__ import annotations

from .allocator import CachingAllocator

ALLOCATORS: dict[int, CachingAllocator] = {}
"""The allocators by the number of their GPU."""
