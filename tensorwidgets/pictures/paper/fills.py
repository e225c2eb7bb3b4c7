"""Backgrounds and lines as numbers: where a gradient begins and ends, its colours, its tile, the dashes of a line.

>>> found = gradient_of(Box(0, 0, 80, 10, "linear-gradient(90deg,#ffffff 0 25%,#000000 0 50%)"))
>>> found.ends, found.stops[1:3]
((0, 0, 80, 0), [('#ffffff', 0.25), ('#000000', 0.25)])
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .marks import Box

_GRADIENT = re.compile(r"linear-gradient\((.*?),(#.*)\)(?: 0 0/([\d.]+)px ([\d.]+)px)?")
_STOP = re.compile(r"(#\w+)((?: [\d.]+(?:px|%)?){0,2})")


class Gradient(NamedTuple):
    """Colours along a line, in the numbers of the box, or of its tile where it is repeated."""

    ends: tuple[float, float, float, float]
    stops: list[tuple[str, float]]
    """Colours and their places from 0 to 1. `#0000` is none."""
    wide: float
    high: float
    tile: bool


def gradient_of(box: Box) -> Gradient:
    """The gradient of a box's background."""
    found = _GRADIENT.search(box.fill)
    assert found is not None, box.fill
    way, stops, across, down = found.groups()
    wide, high = (float(across), float(down)) if across else (box.width, box.height)
    ends = _ends(way, wide, high)
    far = ((ends[2] - ends[0]) ** 2 + (ends[3] - ends[1]) ** 2) ** 0.5
    return Gradient(ends, _stops(stops, far), wide, high, across is not None)


def _ends(way: str, wide: float, high: float) -> tuple[float, float, float, float]:
    """Where a gradient begins and ends, as CSS says it."""
    if way == "90deg":
        return 0, 0, wide, 0
    if way == "0deg":
        return 0, high, 0, 0
    # To a corner, and at 135 degrees in a square, its colours lie along the other diagonal.
    sign = -1 if "left" in way else 1
    reach = wide * high / max(wide * wide + high * high, 1e-9)
    dx, dy = high * reach * sign, wide * reach
    return wide / 2 - dx, high / 2 - dy, wide / 2 + dx, high / 2 + dy


def _stops(text: str, far: float) -> list[tuple[str, float]]:
    """Colours and their places; a place before the last is the last."""
    out: list[tuple[str, float]] = []
    for k, (colour, places) in enumerate(_STOP.findall(text)):
        told = [
            float(p[:-1]) / 100 if p.endswith("%") else float(p.removesuffix("px")) / (far or 1) for p in places.split()
        ]
        for at in told or [0.0 if k == 0 else 1.0]:
            out.append((colour, max([at, *(before for _, before in out)])))
    return out


def dashes(wide: float, kind: str) -> tuple[float, ...]:
    """The lengths of dashes and gaps; none for a solid line."""
    return {"dashed": (max(3 * wide, 4), max(2 * wide, 3)), "dotted": (wide, wide + 1)}.get(kind, ())
