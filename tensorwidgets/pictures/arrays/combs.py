"""A view as combs: for each dimension, teeth of one width at one spacing, whatever the size of the array.

The dimensions are sorted by their strides, the longest first, so a tooth of one holds the whole comb of the next. Where
teeth lie is arithmetic on sizes and strides; no number of the array is read, and no index is enumerated that is not
drawn.

>>> combs_of((3, 4), (16, 4), 0, 4)
(Comb(dim=0, size=3, step=16, first=0, wide=16), Comb(dim=1, size=4, step=4, first=0, wide=4))
>>> [comb.dim for comb in combs_of((4, 3), (4, 16), 0, 4)]
[1, 0]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import NamedTuple

MOST = 128
"""The largest number of teeth across a picture that can be told apart."""
FEW = 8
"""How many teeth of a comb with more than that a zoom shows."""


class Comb(NamedTuple):
    """One dimension of a view. All places are in bytes from the start of the storage."""

    dim: int
    size: int
    step: int
    first: int
    """The lowest byte of the tooth at index 0, where all other dimensions are at 0."""
    wide: int
    """From the lowest byte of a tooth to one past its highest: what the dimensions with shorter steps reach."""

    @property
    def gap(self) -> int:
        """Bytes between a tooth and the next: 0 where they touch, negative where they overlap."""
        return abs(self.step) - self.wide

    @property
    def start(self) -> int:
        """The lowest byte of the comb."""
        return self.first + min(0, (self.size - 1) * self.step)

    @property
    def stop(self) -> int:
        return self.start + (self.size - 1) * abs(self.step) + self.wide


class Tooth(NamedTuple):
    """Where one tooth lies, and whether it belongs to the first of the combs that are alike."""

    start: int
    stop: int
    lead: bool
    number: int = 0
    """Its index in its own comb."""


class Level(NamedTuple):
    """A run of bytes drawn to one scale, and the combs whose teeth can be told apart at it."""

    start: int
    stop: int
    combs: tuple[int, ...]
    """Positions in the list of combs: those that are drawn tooth by tooth."""
    dense: int | None
    """The position of a comb with teeth too close to be told apart, where no level shows all of them."""
    fixed: int
    """How many combs, the longest steps first, are at index 0 all over this level."""
    kept: int
    """How many teeth of comb `fixed` the level shows; 0 for all of them."""

    @property
    def nbytes(self) -> int:
        return self.stop - self.start


def combs_of(size: Sequence[int], byte_stride: Sequence[int], at: int, itemsize: int) -> tuple[Comb, ...]:
    """The combs of a view whose first element begins at byte `at`, the longest step first.

    A dimension of size 1 or of stride 0 takes no room and has no comb; an empty view has none.
    """
    if 0 in size:
        return ()
    dims = sorted((d for d, n in enumerate(size) if n > 1 and byte_stride[d]), key=lambda d: -abs(byte_stride[d]))
    combs: list[Comb] = []
    low, wide = 0, itemsize
    for d in reversed(dims):
        step = byte_stride[d]
        combs.append(Comb(d, size[d], step, at + low, wide))
        low += min(0, (size[d] - 1) * step)
        wide += (size[d] - 1) * abs(step)
    return tuple(reversed(combs))


def teeth(combs: Sequence[Comb], which: int, start: int, stop: int, kept: int = 0) -> Iterator[Tooth]:
    """The teeth of `combs[which]` that meet a run of bytes, for each place of the longer combs.

    With `kept`, of each comb only as many.

    >>> combs = combs_of((2, 3), (100, 10), 0, 4)
    >>> [(t.start, t.lead) for t in teeth(combs, 1, 0, 120)]
    [(0, True), (10, True), (20, True), (100, False), (110, False)]
    """
    comb = combs[which]

    def inside(k: int, shift: int, lead: bool) -> Iterator[Tooth]:
        now = combs[k]
        # The bytes that index i of this comb can reach with everything below it: [low, high) + i * step.
        low, high = now.first + shift, now.first + shift + now.wide
        size = min(now.size, kept or now.size) if k == which else now.size
        for i in _indices(size, now.step, low, high, start, stop):
            if k == which:
                at = comb.first + shift + i * comb.step
                yield Tooth(at, at + comb.wide, lead, i)
            else:
                yield from inside(k + 1, shift + i * now.step, lead and i == 0)

    return inside(0, 0, True)


def _indices(size: int, step: int, low: int, high: int, start: int, stop: int) -> range:
    """The indices i for which [low, high) + i * step meets [start, stop)."""
    if step > 0:
        first, last = -((high - start - 1) // step), -((low - stop) // step) - 1
    else:
        first, last = -((stop - low - 1) // -step), -((start - high) // -step) - 1
    return range(max(first, 0), min(last, size - 1) + 1)


def runs(combs: Sequence[Comb], which: int, itemsize: int, at: int, start: int, stop: int, most: int) -> list[range]:
    """What `combs[:which + 1]` cover of a run of bytes, with teeth that touch or overlap drawn as one.

    With `which` -1 that is all of the view at once. At most about `most` teeth are looked at.
    """
    if which < 0:
        one = range(combs[0].start, combs[0].stop) if combs else range(at, at + itemsize)
        return [range(max(one.start, start), min(one.stop, stop))] if one.start < stop and start < one.stop else []
    found = sorted((t.start, t.stop) for t in islice(teeth(combs, which, start, stop), most + 1))
    if len(found) > most:
        return runs(combs, which - 1, itemsize, at, start, stop, most)
    out: list[range] = []
    for first, last in found:
        first, last = max(first, start), min(last, stop)
        if out and first <= out[-1].stop:
            out[-1] = range(out[-1].start, max(out[-1].stop, last))
        elif first < last:
            out.append(range(first, last))
    return out


def solid(combs: Sequence[Comb], which: int) -> bool:
    """Whether a tooth of `combs[which]` is read without gaps."""
    return all(comb.gap <= 0 for comb in combs[which + 1 :])


def distinct(combs: Sequence[Comb], itemsize: int) -> int | None:
    """How many elements a view reads, each counted once; None where that is more than arithmetic on its steps.

    >>> distinct(combs_of((47, 16), (16, 4), 0, 4), 4)
    200
    """
    if all(comb.gap >= 0 for comb in combs):
        return prod(comb.size for comb in combs)
    if solid(combs, -1):
        return (combs[0].stop - combs[0].start) // itemsize
    return None


def levels_of(combs: Sequence[Comb], nbytes: int, least: int, most: int = MOST) -> tuple[Level, ...]:
    """The whole storage, then zooms to the start of the view until each comb was drawn tooth by tooth.

    A comb whose teeth are too close at one scale gets the next, which shows all of its teeth or the first few. A zoom
    to less than `least` bytes is left to the cells.

    >>> [(v.start, v.stop, v.combs) for v in levels_of(combs_of((8, 128, 64), (32768, 256, 4), 0, 4), 262144, 96)]
    [(0, 262144, (0,)), (0, 32768, (1,)), (0, 256, (2,))]
    """
    out: list[Level] = []
    start, stop, fixed, kept, k = 0, nbytes, 0, 0, 0
    while True:
        drawn = []
        while k < len(combs) and stop - start <= most * abs(combs[k].step):
            drawn.append(k)
            k += 1
        next_ = combs[k] if k < len(combs) else None
        dense = k if next_ is not None and next_.size > most else None
        out.append(Level(start, stop, tuple(drawn), dense, fixed, kept))
        if next_ is None:
            return tuple(out)
        start, stop, fixed, kept = *_zoom(next_, combs[-1], most), k, min(next_.size, FEW) if next_.size > most else 0
        if stop - start < least:
            return tuple(out)


def _zoom(comb: Comb, element: Comb, most: int) -> tuple[int, int]:
    """The bytes of a comb, or of its first few teeth, with the gap after the last.

    Where teeth are much longer than their step, the zoom is cut to the bytes at the view's first element, so that the
    beginnings of teeth can be told apart. The first tooth of the last comb is that `element`.
    """
    count = comb.size if comb.size <= most else FEW
    long = (count - 1) * abs(comb.step) + max(comb.wide, abs(comb.step))
    if long > most * abs(comb.step):
        comb, long = element._replace(step=comb.step), most * abs(comb.step)
    if comb.step > 0:
        return comb.first, comb.first + long
    return comb.first + comb.wide - long, comb.first + comb.wide
