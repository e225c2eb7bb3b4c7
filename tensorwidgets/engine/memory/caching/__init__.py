"""Which block does a request get? PyTorch's caching allocator of GPU memory, over any driver.

A *segment* is a run of bytes from the driver. It is cut into *blocks*; a tensor lies in one block. A freed block is
kept for the next request, which takes the smallest that is large enough.

>>> gpu = CachingAllocator(SimulatedDriver(total=64 << 20))
>>> gpu.allocate(1).size, gpu.reserved
(512, 2097152)
"""

from __future__ import annotations

from ...errors.out_of_memory import OutOfMemoryError
from .allocator import CachingAllocator
from .blocks import Block
from .drivers import Driver, MainMemoryDriver, SimulatedDriver
from .settings import Settings, read_settings

__all__ = [
    "Block", "CachingAllocator", "Driver", "MainMemoryDriver", "OutOfMemoryError", "Settings", "SimulatedDriver",
    "read_settings",
]  # fmt: skip
