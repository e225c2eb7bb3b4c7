"""How is shared memory used again? Finding fresh pages takes ten times as long as writing to pages that are there.

A worker keeps the segments of its last batches. The loader notes when nothing refers to a batch any more, and tells
the worker with the next indices. A segment is used again when the loader has released it as often as it was sent, and
when nothing in the worker refers to it.
"""

from __future__ import annotations

import os
import weakref
from collections import deque
from typing import Any

import numpy as np

from ...engine.memory.references import references_to
from ...engine.memory.shared import Descriptor, Segment, segment_of, shared_array

MOST = 8
"""How many segments a worker keeps; it forgets the oldest first."""


class Entry:
    """A segment that a worker made, and how often it was sent and not released."""

    def __init__(self, segment: Segment, descriptor: Descriptor):
        self.segment, self.number = segment, descriptor.number
        self.file = os.fstat(descriptor.number).st_ino
        self.sent = 0


class Pool:
    """The segments of a worker.

    >>> pool = Pool()
    >>> first = pool.array(10)
    >>> second = pool.array(10)
    >>> pool.note_sent([segment_of(first).descriptor])
    >>> del first, second
    >>> [(entry.sent, pool.is_free(entry)) for entry in pool.entries]
    [(1, False), (0, True)]
    >>> pool.note_released([pool.entries[0].file])
    >>> pool.is_free(pool.entries[0])
    True
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def array(self, nbytes: int) -> np.ndarray | None:
        """Shared bytes with arbitrary contents; None where this system shares none."""
        for entry in self.entries:
            if len(entry.segment) == nbytes and self.is_free(entry):
                return np.ndarray((nbytes,), np.uint8, entry.segment)
        values = shared_array(nbytes)
        segment = segment_of(values)
        if segment is not None and segment.descriptor is not None:
            self.entries.append(Entry(segment, segment.descriptor))
            del self.entries[:-MOST]
        return values

    def is_free(self, entry: Entry) -> bool:
        """Whether nothing reads a segment: neither the loader nor anything in this process."""
        return not entry.sent and references_to(entry.segment) <= 2  # the entry's reference, and this call's

    def note_sent(self, descriptors: list[Descriptor]) -> None:
        """These segments are on their way to the loader."""
        for descriptor in descriptors:
            for entry in self.entries:
                entry.sent += entry.number == descriptor.number

    def note_released(self, files: list[int]) -> None:
        """The loader's mappings of these files are gone."""
        for file in files:
            for entry in self.entries:
                entry.sent -= entry.file == file


_pool: Pool | None = None
"""The pool of this process, if it is a worker."""


def use_pool() -> Pool:
    """Use segments again from now on."""
    global _pool
    _pool = Pool()
    return _pool


def batch_memory(nbytes: int) -> np.ndarray | None:
    """Shared bytes for a batch."""
    return shared_array(nbytes) if _pool is None else _pool.array(nbytes)


class Received(Segment):
    """A segment of a worker, in the loader's process: it says when it is gone."""

    released: deque[int] | None = None
    file = 0

    def __del__(self) -> None:
        if self.released is not None:
            self.released.append(self.file)


_received: weakref.WeakSet[Received] = weakref.WeakSet()


def will_be_released(segment: Any, file: int, released: deque[int]) -> None:
    """Note in `released` when a segment is gone."""
    segment.file, segment.released = file, released
    _received.add(segment)


def _before_fork() -> None:
    """A process that is forked has these segments, too, and nobody would hear when it releases them."""
    for segment in list(_received):
        segment.released = None
    _received.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork)
