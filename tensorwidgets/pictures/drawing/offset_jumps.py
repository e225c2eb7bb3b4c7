"""The offset sum as jumps over a storage: steps to the right first, then the steps back.

A sum may be taken in any order, so a chain that goes right and then left never lies over itself: the way out
arches above the way back. The script draws the same when a cell is in hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .html import div
from .tokens import axis_colour, line

ARCH = "position:absolute;box-sizing:border-box;bottom:0;border-width:2px 2px 0;border-radius:9px 9px 0 0"
LOW, HIGH = 22, 42
"""Heights of an arch: of all where every step goes one way, and of the way out where there is a way back."""


class Arch(NamedTuple):
    """One jump from the middle of an element to the middle of another, in elements."""

    axis: int
    start: int
    step: int


class Path(NamedTuple):
    """Which elements are stepped on to reach one, and what room the views of this storage need.

    An element is `wide` units. `out` and `back` say whether any view steps right, and whether any steps left.
    """

    arches: tuple[Arch, ...] = ()
    wide: int = 1
    out: bool = True
    back: bool = False

    @property
    def height(self) -> int:
        return HIGH if self.out and self.back else LOW if self.out or self.back else 0

    def html(self, units: int) -> str:
        """The arches over a row of this many cells, however wide it is."""
        inner = "".join(arch_html(arch, 100 * self.wide / units, self.height) for arch in self.arches)
        return div(inner, f"position:relative;height:{self.height}px;font-size:11px;line-height:18px", "tw-hops")


def path(offset: int, index: Sequence[int], stride: Sequence[int]) -> tuple[Arch, ...]:
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
    return tuple(arches)


def arch_html(arch: Arch, width: float, height: int) -> str:
    """One arch over elements that are `width` hundredths of their row wide."""
    left = width * (min(arch.start, arch.start + arch.step) + 0.5)
    label, high = (f"+{arch.step}", height) if arch.step > 0 else (f"−{-arch.step}", LOW)
    return div(
        label,
        f"{ARCH};left:{left:.4g}%;width:{width * abs(arch.step):.4g}%;height:{high}px;"
        f"border-style:{line(arch.axis)};color:{axis_colour(arch.axis)}",
    )
