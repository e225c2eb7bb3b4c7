"""Pause the garbage collector while many objects are created and none becomes garbage.

The collector scans all containers each time a few thousand more exist. That takes a third of the time to read a file of
many tensors.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_garbage() -> Iterator[None]:
    """Disable the collector inside the block, if it was enabled.

    >>> with no_garbage():
    ...     gc.isenabled()
    False
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
