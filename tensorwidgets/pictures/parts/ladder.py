"""The axis of values with quantization ladders below it: the rungs, which of them are used, and clipped values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..arrays.values import short
from ..drawing.html import div, escape, framed, row, table, tag, td
from ..drawing.tokens import CLASH, EDGE, INK, LINE, MONO, MUTED, PAPER, WASH

LEFT, WIDTH, BEYOND = 112, 690, 44
"""Pixels for names, for the axis at most, and at either end of it for what lies beyond."""
LEAST = 460
"""Pixels: on a narrower page the words of a ladder would meet."""
NARROW = LEAST - LEFT - 2 * BEYOND
"""Pixels from one end of the axis to the other on the narrowest page: words that would meet there are left out."""
HIGH = 58
APART = 18
"""Pixels between a place and zero from which on both have words."""
CLOSE = 5
"""Rungs that are closer than this many pixels are drawn as a texture."""


class Rungs(NamedTuple):
    """A ladder: rung n has the value (n - zero_point) * scale."""

    scale: float
    zero_point: float
    first: int
    last: int

    def value(self, rung: float) -> float:
        """The value of a rung.

        >>> Rungs(0.5, 10, 0, 255).value(8)
        -1.0
        """
        return (rung - self.zero_point) * self.scale

    def stored(self, rung: float) -> float:
        """The same in float32, as an element is read."""
        with np.errstate(all="ignore"):
            return float(np.float32(rung - self.zero_point) * np.float32(self.scale))

    @property
    def low(self) -> float:
        return min(self.value(self.first), self.value(self.last))

    @property
    def high(self) -> float:
        return max(self.value(self.first), self.value(self.last))


class Mark(NamedTuple):
    """An element: its rung, its value before quantization, and whether that value was clipped."""

    rank: int
    rung: int
    meant: float | None
    clipped: bool
    note: str


@dataclass(frozen=True)
class Ladder:
    """Ladders, one below the other, below one axis of values."""

    lanes: tuple[tuple[str, Rungs, tuple[Mark, ...]], ...]
    example: tuple[int, ...] = ()
    hand: int = -1

    @property
    def ends(self) -> tuple[float, float]:
        """The range of the axis: the ladders, or a part if they are much longer than the range of the elements."""
        low, high = min(r.low for _, r, _ in self.lanes), max(r.high for _, r, _ in self.lanes)
        taken = [r.value(m.rung) for _, r, marks in self.lanes for m in marks]
        if taken and max(taken) - min(taken) < (high - low) / 64:
            room = (max(taken) - min(taken)) * 0.25 or max(abs(r.scale) for _, r, _ in self.lanes) * 8
            return max(low, min([*taken, 0.0]) - room), min(high, max([*taken, 0.0]) + room)
        return low, high

    def html(self) -> str:
        height = 40 + HIGH * len(self.lanes)
        names = _box(0, 4, 16, f"font:700 12px/16px {MONO};color:{INK}", "values", wide=f"{LEFT}px")
        parts = self._axis()
        for k, (name, rungs, marks) in enumerate(self.lanes):
            y = 38 + HIGH * k
            names += _box(0, y + 6, 16, f"font:700 12px/16px {MONO};color:{INK}", name, wide=f"{LEFT}px")
            parts += self._lane(rungs, marks, y)
        board = f"position:absolute;left:{LEFT + BEYOND}px;right:{BEYOND}px;top:0;height:{height}px"
        body = div(names + div("".join(parts), board), f"position:relative;height:{height}px")
        return framed(table([row(td(body, "text-align:left"))], [LEFT + WIDTH], cls="tw-ladder", least=LEAST))

    def _axis(self) -> list[str]:
        low, high = self.ends
        parts = [_box(0, 20, 0, f"border-top:2px solid {INK}", wide="100%")]
        for value, side in ((low, "right"), (high, "left"), (0.0, "center")):
            if side == "center" and not low <= 0 <= high:
                continue
            if side != "center" and self._apart(value, 0.0) < APART:
                continue
            parts.append(_box(self._x(value), 14, 12, f"border-left:2px solid {INK}", by=-1))
            parts.append(_label(self._x(value), -2, short(float(f"{value:.7g}")), side, INK))
        if low < 0 < high:
            down = HIGH * len(self.lanes) - 10
            parts.append(_box(self._x(0.0), 22, down, f"border-left:1px dashed {MUTED}", by=-1))
        return parts

    def _lane(self, rungs: Rungs, marks: tuple[Mark, ...], y: int) -> list[str]:
        low, high = self.ends
        left, right = self._x(max(rungs.low, low)), self._x(min(rungs.high, high))
        step = abs(rungs.scale) / ((high - low) or 1.0) * 100
        parts = [_box(left, y + 14, 0, f"border-top:1px solid {EDGE}", wide=_part(right - left))]
        if step * NARROW >= CLOSE * 100:
            shown = [n for n in range(rungs.first, rungs.last + 1) if low <= rungs.value(n) <= high]
            look = f"border-left:1px solid {EDGE}"
            parts += [_box(self._x(rungs.value(n)), y + 9, 11, look, by=-1) for n in shown]
        else:
            apart = max(3.0, step / 100 * (WIDTH - 2 * BEYOND))
            tile = f"linear-gradient(90deg,{EDGE} 1px,#0000 1px,#0000 100%) 0 0/{apart:.2f}px 11px"
            parts.append(_box(left, y + 9, 11, f"background:{tile}", wide=_part(max(right - left, 0.2))))
        parts += self._numbers(rungs, y)
        for mark in marks:
            parts += self._mark(rungs, mark, y)
        return parts + self._beyond(rungs, marks, y)

    def _beyond(self, rungs: Rungs, marks: tuple[Mark, ...], y: int) -> list[str]:
        """The clipped values beyond each end: the value if there is one, otherwise how many and how far."""
        parts = []
        for above in (False, True):
            meant = [
                m.meant for m in marks
                if m.clipped and m.meant is not None and (m.meant > rungs.value(m.rung)) == above
            ]  # fmt: skip
            if not meant:
                continue
            far = short(max(meant) if above else min(meant))
            lines = [far] if len(meant) == 1 else [f"{len(meant)} to", far]
            end = next(m.rung for m in marks if m.clipped and m.meant in meant)
            x = min(max(self._x(rungs.value(end)), 0.0), 100.0)
            look = f"font:700 11px/14px {MONO};color:{CLASH};text-align:{'left' if above else 'right'}"
            by = 5 if above else -BEYOND
            top = y + 14 - 7 * len(lines)
            for k, line in enumerate(lines):
                sign = (f"▶{line}" if above else f"{line}◀") if k == 0 else line
                parts.append(_box(x, top + 14 * k, 14, look, sign, by=by, wide=f"{BEYOND - 5}px"))
        return parts

    def _numbers(self, rungs: Rungs, y: int) -> list[str]:
        """The whole numbers at the ends and at the zero point."""
        ends = {rungs.value(n): n for n in (rungs.first, rungs.last) if self._seen(rungs.value(n))}
        near = [value for value in ends if self._apart(value, 0.0) < 64]
        parts = [
            _label(self._x(value), y + 34, f"{n:g}", "right" if value < 0 else "left", MUTED)
            for value, n in ends.items()
            if value not in near or len(near) == 1 and self._apart(value, 0.0) >= APART
        ]
        if self._seen(0.0) and rungs.first <= rungs.zero_point <= rungs.last:
            side = "center" if len(near) != 1 else "left" if near[0] < 0 else "right"
            parts.append(_label(self._x(0.0), y + 34, f"{rungs.zero_point:g} is 0", side, INK, bold=True))
        return parts

    def _seen(self, value: float) -> bool:
        return self.ends[0] <= value <= self.ends[1]

    def _mark(self, rungs: Rungs, mark: Mark, y: int) -> list[str]:
        x = min(max(self._x(rungs.value(mark.rung)), 0.0), 100.0)
        keys = f"i-e{mark.rank}" + (" tw-eg" if mark.rank == self.hand else "")
        parts = []
        if mark.meant is not None and not mark.clipped and mark.meant == mark.meant:
            there = self._x(mark.meant)
            parts.append(_box(there, y - 4, 10, f"border-left:2px solid {LINE['blue']}", by=-1))
            if there != x:
                look = f"background:{LINE['blue']}"
                parts.append(_box(min(there, x), y + 4, 2, look, wide=_part(abs(there - x))))
        colour = CLASH if mark.clipped else INK
        bar = f"border-left:4px solid {colour};background:{WASH}"
        return [*parts, _box(x, y + 4, 22, bar, by=-2, wide="2px", cls=keys, said=mark.note)]

    def _x(self, value: float) -> float:
        """The place of a value, in parts of a hundred."""
        low, high = self.ends
        return (value - low) / ((high - low) or 1.0) * 100

    def _apart(self, one: float, other: float) -> float:
        """How many pixels lie between two values where the page is narrow."""
        return abs(self._x(one) - self._x(other)) / 100 * NARROW

    def text(self) -> str:
        lines = [f"Values from {_short_number(self.ends[0])} to {_short_number(self.ends[1])}:"]
        for name, rungs, marks in self.lanes:
            taken = sorted({m.rung for m in marks})
            some = ", ".join(map(str, taken[:12])) + (" …" if len(taken) > 12 else "")
            beyond = sum(m.clipped for m in marks)
            clipped = f"; {beyond} clipped" if beyond else ""
            lines.append(
                f"  {name}: {rungs.first} at {_short_number(rungs.value(rungs.first))}, {rungs.zero_point:g} at 0, "
                f"{rungs.last} at {_short_number(rungs.value(rungs.last))}; taken {some}{clipped}"
            )
        return "\n".join(lines)


def _short_number(value: float) -> str:
    return f"{value:.5g}"


def _part(hundredths: float) -> str:
    return f"{hundredths:.5g}%"


def _label(x: float, y: int, text: str, side: str, colour: str, bold: bool = False) -> str:
    """A label at a place: centred, or beginning or ending there."""
    wide = 8 * len(text) + 4
    by = {"left": -6, "center": -(wide // 2), "right": 6 - wide}[side]
    look = f"font:{700 if bold else 400} 11px/14px {MONO};color:{colour};text-align:{side};background:{PAPER}"
    return _box(x, y, 14, look, text, by=by, wide=f"{wide}px")


def _box(
    x: float,
    y: int,
    height: int,
    style: str,
    text: str = "",
    by: int = 0,
    wide: str = "0",
    cls: str = "",
    said: str = "",
) -> str:
    """A box at a part of a hundred, moved by some pixels."""
    place = f"position:absolute;left:{x:.5g}%;top:{y}px;width:{wide};height:{height}px;white-space:nowrap"
    look = f"{place};{f'margin-left:{by}px;' if by else ''}{style}".rstrip(";")
    return tag("div", escape(text), look, cls, said)
