"""`Layout`: what a picture may know of an array, whatever library it is from.

Sizes, strides and the place in memory are copied out as plain numbers, and of the values only a window: the
edges of a large array, the whole of a small one. Nothing here copies an array or keeps it alive.

>>> import numpy as np
>>> x = np.arange(12, dtype=np.float32).reshape(3, 4)
>>> y = Layout.of(x.T[1:])
>>> y.size, y.stride, y.offset, y.dtype, y.library, y.owner.nbytes
((3, 3), (1, 4), 1, 'float32', 'NumPy', 48)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from .raster import Raster, raster_of
from .window import Window, window_of

WHOLE = 480
"""The largest array, in elements, that is drawn whole."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The memory that contains an array. Its address identifies shared memory and is never printed."""

    start: int
    nbytes: int
    identity: int
    mapped: bool = False
    """Whether it is a file that is read when it is needed, and takes no memory by being there."""

    @property
    def stop(self) -> int:
        return self.start + self.nbytes


@dataclass(frozen=True, slots=True)
class Layout:
    """A frozen description of a strided array.

    Strides and offsets are kept in bytes, because in a packed record they are not multiples of the item size.
    """

    size: tuple[int, ...]
    byte_stride: tuple[int, ...]
    byte_offset: int
    itemsize: int
    dtype: str
    library: str
    device: str
    owner: Owner
    window: Window
    values: tuple[Any, ...] | None
    """The values of the window in reading order; None for a meta tensor."""
    raster: Raster | None = None
    """Samples of the whole, where the window is not the whole."""
    masked: tuple[bool, ...] | None = None
    """Which values of the window a masked array hides; None where none can be hidden."""

    @classmethod
    def of(cls, array: Any, whole: int = WHOLE, window: Window | None = None, values: bool = True) -> Layout:
        """The layout of any strided array. Raises TypeError for any other object.

        Of more than `whole` elements only the edges, or the indices of `window`, are read. With `values=False` only the
        layout is read.
        """
        from .sources import source_of

        if isinstance(array, Layout):
            return array
        source = source_of(array)
        size = source.size
        start, nbytes = source.owner.start, source.owner.nbytes
        address = source.address
        low, high = extent(size, source.byte_stride, source.itemsize)
        if prod(size) and nbytes and not source.cut:
            # as_strided may reach over the edges of what it was made from.
            stop = max(start + nbytes, address + high)
            start = min(start, address + low)
            nbytes = stop - start
        drawn = window or window_of(size, whole)
        sampled = source.device == "cpu" and not window and not drawn.whole  # of a GPU the window alone is fetched
        read = source.read if values else None
        return cls(
            size, source.byte_stride, address - start if nbytes else 0, source.itemsize, source.dtype,
            source.library, source.device, Owner(start, nbytes, source.owner.identity, source.owner.mapped), drawn,
            None if read is None else _read(read, drawn),
            None if read is None or not sampled else raster_of(size, source.itemsize, _unmasked(source)),
            None if read is None or source.mask is None else _read(source.mask, drawn),
        )  # fmt: skip

    @property
    def numel(self) -> int:
        return prod(self.size)

    @property
    def in_elements(self) -> bool:
        """Whether strides and offset are whole numbers of elements, as PyTorch prints them."""
        item = max(self.itemsize, 1)
        return not (self.byte_offset % item or any(s % item for s in self.byte_stride))

    @property
    def stride(self) -> tuple[int, ...]:
        """In elements where that is possible, else in bytes."""
        item = self.step
        return tuple(s // item for s in self.byte_stride)

    @property
    def offset(self) -> int:
        """Of the first element from the start of the memory's owner, measured as `stride`."""
        return self.byte_offset // self.step

    @property
    def step(self) -> int:
        """What `stride` and `offset` count, in bytes."""
        return max(self.itemsize, 1) if self.in_elements else 1

    def byte_at(self, index: tuple[int, ...]) -> int:
        """Where the element at `index` begins, in bytes from the start of the owner."""
        return self.byte_offset + sum(i * s for i, s in zip(index, self.byte_stride, strict=True))

    def sum_of(self, index: tuple[int, ...]) -> str:
        """How the position of one element is computed, as every picture shows it.

        >>> import numpy as np
        >>> Layout.of(np.arange(12.).reshape(3, 4).T).sum_of((1, 2))
        'offset = 0 + 1*1 + 2*4 = 9 -> bytes 72..79'
        """
        first = self.byte_at(index)
        terms = "".join(f" + {i}*{s}" for i, s in zip(index, self.stride, strict=True))
        total = f" = {first // self.step}" if index else ""
        what = "offset" if self.in_elements else "byte"
        last = first + self.itemsize - 1
        run = f"bytes {first}..{last}" if last > first else f"byte {first}"
        return f"{what} = {self.offset}{terms}{total} -> {run}"


def extent(size: tuple[int, ...], byte_stride: tuple[int, ...], itemsize: int) -> tuple[int, int]:
    """The first byte that a view touches, and one past the last, relative to its first element.

    >>> extent((3, 4), (-16, 4), 4)
    (-32, 16)
    """
    if 0 in size:
        return 0, 0
    reach = [(n - 1) * s for n, s in zip(size, byte_stride, strict=True)]
    return sum(r for r in reach if r < 0), sum(r for r in reach if r > 0) + itemsize


def _read(read: Any, window: Window) -> tuple[Any, ...]:
    """The values in the window, read by basic slices, so that no copy is larger than the window."""
    if window.whole:
        return tuple(read(()))
    parts = [_runs(kept) for kept in window.kept]
    collected: dict[tuple[int, ...], Any] = {}
    for block in product(*parts):
        values = read(tuple(slice(run.start, run.stop) for run in block))
        collected.update(zip(product(*block), values, strict=True))
    return tuple(collected[index] for index in window.indices())


def _unmasked(source: Any) -> Any:
    """Reads values with NaN in place of those that a mask hides."""
    if source.mask is None:
        return source.read
    return lambda block: [
        math.nan if hidden else value for value, hidden in zip(source.read(block), source.mask(block), strict=True)
    ]


def _runs(kept: tuple[int, ...]) -> list[range]:
    """Neighbouring indices as ranges: (0, 1, 2, 8, 9) is 0..3 and 8..10."""
    runs: list[range] = []
    for i in kept:
        if runs and runs[-1].stop == i:
            runs[-1] = range(runs[-1].start, i + 1)
        else:
            runs.append(range(i, i + 1))
    return runs
