"""How much of a storage its views read, byte for byte.

>>> import numpy as np
>>> from tensorwidgets.pictures.arrays.layout import Layout
>>> from tensorwidgets.pictures.arrays.storages import storages_of
>>> a = np.arange(100, dtype=np.int64)
>>> layouts = [Layout.of(a[::3], values=False), Layout.of(a[:50], values=False)]
>>> (storage,) = storages_of(layouts)
>>> [coverage(storage, views).nbytes for views in (layouts[:1], layouts)]
[272, 536]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from .layout import Layout
from .storages import Storage

MASKED = 1 << 26
"""The largest storage, in units, that is marked unit by unit."""


@dataclass(frozen=True)
class Coverage:
    """Which bytes of a storage are read: runs of bytes, or a mark for each unit."""

    runs: tuple[range, ...] = ()
    marks: np.ndarray | None = None
    unit: int = 1

    @property
    def nbytes(self) -> int:
        if self.marks is not None:
            return int(np.count_nonzero(self.marks)) * self.unit
        return sum(map(len, self.runs))

    def inside(self, start: int, stop: int) -> float:
        """How many of these bytes are read; a partial unit counts in proportion."""
        if self.marks is None:
            return sum(max(0, min(stop, run.stop) - max(start, run.start)) for run in self.runs)
        first, last = start // self.unit, -(-stop // self.unit)
        read = int(np.count_nonzero(self.marks[first:last])) * self.unit
        if read:
            read -= bool(self.marks[first]) * (start - first * self.unit)
            read -= bool(self.marks[last - 1]) * (last * self.unit - stop)
        return read


def coverage(storage: Storage, layouts: Sequence[Layout]) -> Coverage | None:
    """The bytes that some views of a storage read together; None if there are too many to count."""
    runs = [_cut(storage, layout) or _run(storage, layout) for layout in layouts]
    if all(run is not None for run in runs):
        return Coverage(_merged([run for run in runs if run]))
    if storage.units > MASKED or any(_distinct(layout) > MASKED for layout in layouts):
        return None
    marks = np.zeros(-(-storage.nbytes // storage.unit), bool)
    for layout in layouts:
        _mark(marks, storage, layout)
    return Coverage((), marks, storage.unit)


def _steps(layout: Layout) -> list[tuple[int, int]]:
    """Size and absolute step of the dimensions with a step, longest step first."""
    pairs = zip(layout.size, layout.byte_stride, strict=True)
    return sorted(((n, abs(s)) for n, s in pairs if n > 1 and s), key=lambda pair: -pair[1])


def _distinct(layout: Layout) -> int:
    return prod(n for n, _ in _steps(layout)) if layout.numel else 0


def _lowest(storage: Storage, layout: Layout) -> int:
    """The first byte that a view reads, from the start of its storage."""
    back = sum((n - 1) * s for n, s in zip(layout.size, layout.byte_stride, strict=True) if s < 0)
    return layout.owner.start - storage.start + layout.byte_offset + back


def _cut(storage: Storage, layout: Layout) -> range | None:
    """What is left for a view of a storage that was made smaller than it needs; None for any other view."""
    reach = reach_of(storage, layout)
    return range(min(_lowest(storage, layout), storage.nbytes), storage.nbytes) if reach > storage.nbytes else None


def reach_of(storage: Storage, layout: Layout) -> int:
    """One past the last byte of its storage that a view needs."""
    last = sum((n - 1) * s for n, s in zip(layout.size, layout.byte_stride, strict=True) if s > 0)
    first = layout.owner.start - storage.start + layout.byte_offset
    return first + last + layout.itemsize if layout.numel else 0


def _run(storage: Storage, layout: Layout) -> range | None:
    """The bytes of a view that reads one run without gaps; None for any other view."""
    if not layout.numel:
        return range(0)
    long = layout.itemsize
    for n, s in reversed(_steps(layout)):
        if s > long:
            return None
        long += (n - 1) * s
    first = _lowest(storage, layout)
    return range(first, first + long)


def _merged(runs: Sequence[range]) -> tuple[range, ...]:
    out: list[range] = []
    for run in sorted(runs, key=lambda run: run.start):
        if out and run.start <= out[-1].stop:
            out[-1] = range(out[-1].start, max(out[-1].stop, run.stop))
        elif run:
            out.append(run)
    return tuple(out)


def _mark(marks: np.ndarray, storage: Storage, layout: Layout) -> None:
    if not layout.numel:
        return
    unit = storage.unit
    steps = _steps(layout)
    first = _lowest(storage, layout) // unit
    size = (*(n for n, _ in steps), layout.itemsize // unit)
    stride = (*(s // unit for _, s in steps), 1)
    np.lib.stride_tricks.as_strided(marks[first:], size, stride)[...] = True
