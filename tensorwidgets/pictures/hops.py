"""The offset sum as jumps over a storage: steps to the right first, then the steps back.

A sum may be taken in any order, so a chain that goes right and then left never lies over itself: the way
out has one row of arches, the way back another. The script draws the same when a cell is in hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .html import div, row, td
from .tokens import axis_colour, line


class Arch(NamedTuple):
    """One jump from the middle of an element to the middle of another, in elements."""

    axis: int
    start: int
    step: int

    @property
    def low(self) -> int:
        return min(self.start, self.start + self.step)


class Path(NamedTuple):
    """Which elements are stepped on to reach one: `wide` units each, over a strip of `units` units."""

    arches: tuple[Arch, ...]
    wide: int = 1


def path(offset: int, index: Sequence[int], stride: Sequence[int]) -> list[Arch]:
    """The jumps from a view's first element to the one at `index`.

    >>> [(a.start, a.step) for a in path(3, (1, 2), (4, -1))]
    [(3, 4), (7, -1), (6, -1)]
    """
    arches, at = [], offset
    for right in (True, False):
        for k, (i, s) in enumerate(zip(index, stride, strict=True)):
            if s and (s > 0) == right:
                for _ in range(i):
                    arches.append(Arch(k, at, s))
                    at += s
    return arches


def arch_rows(way: Path, units: int, rightward: bool, leftward: bool) -> list[str]:
    """One table row for each direction that the views of this storage go, over half columns of a strip."""
    rows = []
    for right, wanted in ((True, rightward), (False, leftward)):
        if wanted:
            mine = [a for a in way.arches if (a.step > 0) == right]
            rows.append(_arch_row(mine, way.wide, units, "tw-hops tw-right" if right else "tw-hops tw-left"))
    return rows


def _arch_row(arches: list[Arch], wide: int, units: int, cls: str) -> str:
    html, used = td(), 0
    for arch in sorted(arches, key=lambda a: a.low):
        start = wide + 2 * wide * arch.low
        if start > used:
            html += td(span=start - used)
        html += arch_html(arch, 2 * wide * abs(arch.step))
        used = start + 2 * wide * abs(arch.step)
    if 2 * units > used:
        html += td(span=2 * units - used)
    return row(html + td(), "height:22px", cls)


def arch_html(arch: Arch, span: int) -> str:
    label = f"+{arch.step}" if arch.step > 0 else f"−{-arch.step}"
    inner = div(
        label,
        f"border:2px {line(arch.axis)};border-style:{line(arch.axis)} solid none;border-radius:9px 9px 0 0;"
        f"height:20px;"
        f"color:{axis_colour(arch.axis)};font-size:11px;line-height:18px;margin:0 2px 0 1px",
    )
    return td(inner, "height:22px;vertical-align:bottom", span=span)
