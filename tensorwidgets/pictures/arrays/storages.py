"""Storages: the layouts of a picture sorted by the memory that they share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import gcd

from .layout import Layout
from .reading import readers


@dataclass(frozen=True, slots=True)
class Storage:
    """One run of memory that some of the arrays in a picture read."""

    letter: str
    start: int
    nbytes: int
    unit: int
    """Bytes of one cell of the strip: the common divisor of all steps in this storage."""
    layouts: tuple[Layout, ...]

    @property
    def planned(self) -> bool:
        """Whether it is that of a meta tensor: a size, and no memory."""
        return self.layouts[0].device == "meta"

    @property
    def units(self) -> int:
        """How many cells the whole strip has; bytes at its end that fill no unit are `rest`."""
        return self.nbytes // self.unit

    @property
    def rest(self) -> int:
        return self.nbytes % self.unit

    def span(self, layout: Layout, index: tuple[int, ...]) -> range:
        """The units that an element covers."""
        first = (layout.owner.start - self.start + layout.byte_at(index)) // self.unit
        return range(first, first + layout.itemsize // self.unit)

    def keys(self, layout: Layout, index: tuple[int, ...]) -> str:
        """The classes of an element's cell: one for each unit that it covers."""
        return " ".join([f"k-{self.letter}{k}" for k in self.span(layout, index)])

    def reads(self, layout: Layout, unit: int) -> tuple[int, tuple[int, ...] | None]:
        """How many cells of a view read this unit, and the first of them."""
        first = (layout.owner.start - self.start + layout.byte_offset) // self.unit
        size, stride = layout.size, tuple(s // self.unit for s in layout.byte_stride)
        wide = layout.itemsize // self.unit
        if wide == 1:
            return readers(size, stride, unit - first)
        count, result = readers((*size, wide), (*stride, 1), unit - first)
        return count, None if result is None else result[:-1]


def letter(k: int) -> str:
    """A, B, .. Z, AA, AB: storages are lettered by first appearance."""
    return letter(k // 26 - 1) + letter(k % 26) if k > 25 else chr(65 + k)


def letters(names: Iterable[str] = ()) -> Iterator[str]:
    """The letters of the storages of a picture, without those that the names in it use.

    >>> from itertools import islice
    >>> list(islice(letters(["A.t()", "x"]), 3))
    ['B', 'C', 'D']
    """
    used = set(re.findall(r"\b[A-Z]+\b", " ".join(names)))
    return (one for k in count() if (one := letter(k)) not in used)


def storages_of(layouts: Sequence[Layout], names: Iterable[str] = ()) -> list[Storage]:
    """Merges memory with overlapping addresses on one device, and assigns letters that are not among the names.

    >>> import numpy as np
    >>> x = np.arange(6.0)
    >>> [(s.letter, s.unit, s.units) for s in storages_of([Layout.of(a) for a in (x[2:], x.copy(), x)])]
    [('A', 8, 6), ('B', 8, 6)]
    """
    groups: list[list[int]] = []
    reach: list[tuple[str, int, int]] = []
    order = sorted(range(len(layouts)), key=lambda k: (layouts[k].device, layouts[k].owner.start))
    empty: dict[tuple[str, int], int] = {}
    for k in order:
        layout, owner = layouts[k], layouts[k].owner
        if owner.nbytes == 0:
            known = empty.get((layout.device, owner.identity))
            if known is None:
                empty[layout.device, owner.identity] = len(groups)
                groups.append([k])
                reach.append((layout.device, owner.start, owner.start))
            else:
                groups[known].append(k)
            continue
        last = next((g for g in reversed(range(len(groups))) if layouts[groups[g][0]].owner.nbytes), None)
        if last is not None and reach[last][0] == layout.device and owner.start < reach[last][2]:
            groups[last].append(k)
            reach[last] = (layout.device, reach[last][1], max(reach[last][2], owner.stop))
        else:
            groups.append([k])
            reach.append((layout.device, owner.start, owner.stop))
    results = []
    for mark, g in zip(letters(names), sorted(range(len(groups)), key=lambda g: min(groups[g])), strict=False):
        members = [layouts[k] for k in sorted(groups[g])]
        _, start, stop = reach[g]
        results.append(Storage(mark, start, stop - start, _unit(members, start), tuple(members)))
    return results


def storage_of(layout: Layout, storages: Sequence[Storage]) -> Storage:
    """Which of the storages a layout lies in."""
    return next(s for s in storages if any(one is layout for one in s.layouts))


def _unit(layouts: list[Layout], start: int) -> int:
    unit = 0
    for layout in layouts:
        unit = gcd(unit, layout.itemsize)
        if layout.numel:
            unit = gcd(unit, layout.owner.start - start + layout.byte_offset)
            for n, s in zip(layout.size, layout.byte_stride, strict=True):
                if n > 1:
                    unit = gcd(unit, s)
    return unit or 1
