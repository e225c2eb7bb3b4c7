"""Which part of an array is drawn: all of a small one, the edges of a large one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

EDGES = 72
"""About how many cells of a large array are drawn."""


@dataclass(frozen=True, slots=True)
class Window:
    """The indices that are drawn, for each dimension. What lies between them is counted in words."""

    size: tuple[int, ...]
    kept: tuple[tuple[int, ...], ...]

    @property
    def whole(self) -> bool:
        return all(len(k) == n for k, n in zip(self.kept, self.size, strict=True))

    @property
    def count(self) -> int:
        return prod(len(k) for k in self.kept)

    @property
    def left_out(self) -> int:
        return prod(self.size) - self.count

    def indices(self) -> Iterator[tuple[int, ...]]:
        """In reading order: the last index runs fastest."""
        return product(*self.kept)


def window_of(size: tuple[int, ...], whole: int) -> Window:
    """All indices of an array of at most `whole` elements, else the first and last few of each dimension.

    >>> window_of((3, 1000), 100).kept
    ((0, 1, 2), (0, 1, 2, 3, 4, 5, 994, 995, 996, 997, 998, 999))
    """
    if prod(size) <= whole:
        return Window(size, tuple(tuple(range(n)) for n in size))
    room = min(EDGES, whole)
    keep = [1] * len(size)
    # Two places of the third dimension from the end, one of those before it.
    rows = 6 if size[-1:] >= (12,) else 12
    limits = (*[1] * (len(size) - 3), 2, rows, 12)[max(3 - len(size), 0) :]
    most = [min(n, limit) for n, limit in zip(size, limits, strict=True)]
    grown = True
    while grown:
        grown = False
        for d in reversed(range(len(size))):
            if keep[d] < most[d] and prod(keep) // keep[d] * (keep[d] + 1) <= room:
                keep[d] += 1
                grown = True
    return Window(size, tuple(edges(n, k) for n, k in zip(size, keep, strict=True)))


def edges(n: int, keep: int) -> tuple[int, ...]:
    """The first and last few of n indices.

    >>> edges(9, 3)
    (0, 1, 8)
    """
    head = (keep + 1) // 2
    return (*range(head), *range(n - (keep - head), n))
