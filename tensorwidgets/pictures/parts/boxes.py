"""Python objects in memory: boxes to scale, and the pointers to them.

A list does not decide where its items lie, so boxes are drawn in a shuffled order, the same each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..arrays.listing import HEADER, SLOT, fields_of, is_list, weight
from ..arrays.values import count, short
from ..drawing.html import div, escape, framed, row, table, tag, td
from ..drawing.scene import note
from ..drawing.tokens import EDGE, INK, MONO, MUTED, NARROW, PAPER, SANS, WASH

LIST, BOX, LANE = 34, 30, 8
GAP = 14


class Drawn(NamedTuple):
    """One object in its place."""

    thing: Any
    x: int
    width: int


class Level(NamedTuple):
    """Objects on one line, and the number of objects left out."""

    drawn: tuple[Drawn, ...]
    left_out: int


@dataclass(frozen=True)
class Heap:
    """A list, the lists in it, and the boxes that they point to."""

    levels: tuple[Level, ...]
    scale: int
    """Pixels of a byte."""
    slots: int
    """How many slots of each list are drawn."""
    fill: Callable[[Any], str]
    keys: Callable[[Any], str]
    """The classes of an object: for each slot that leads to it."""
    slot_keys: Callable[[Any, int], str]

    def html(self) -> str:
        parts: list[str] = []
        y = 0
        for k, level in enumerate(self.levels):
            for drawn in level.drawn:
                alone = len(level.drawn) == 1 and not level.left_out
                parts += self._list(drawn, y, alone) if is_list(drawn.thing) else self._box(drawn, y)
            tall = LIST if any(is_list(d.thing) for d in level.drawn) else BOX + 14
            if level.left_out:
                cut = any(is_list(d.thing) and len(d.thing) > self.slots for d in level.drawn)
                edge = max((d.x + d.width for d in level.drawn), default=0) + (GAP + 6 if cut else 6)
                text = f"… {level.left_out:,} more"
                parts.append(
                    _at(edge, y + 8, 80, 16, f"font:400 11px/16px {MONO};color:{MUTED};white-space:nowrap", text)
                )
            if k + 1 < len(self.levels):
                below = self.levels[k + 1]
                lines, depth = self._pointers(level, below, y + tall)
                parts = [*lines, *parts]
                y += tall + depth
            else:
                y += tall
        inner = div("".join(parts), f"position:relative;width:{NARROW}px;height:{y + 4}px")
        return framed(table([row(td(inner, "text-align:left"))], cls="tw-heap"))

    def _list(self, drawn: Drawn, y: int, alone: bool) -> list[str]:
        head = HEADER * self.scale
        face = f"font:400 11px/{LIST - 2}px"
        look = f"border:1px solid {EDGE};background:{WASH};{face} {SANS};color:{MUTED};text-align:center"
        slots = count(len(drawn.thing), "slot")
        said = f"{count(weight(drawn.thing), 'byte')}: a header of {HEADER}, and {slots} of {SLOT}"
        text = f"list header, {HEADER} bytes" if head >= 150 else f"header, {HEADER}"
        parts = [_at(drawn.x, y, head, LIST, look, text, self.keys(drawn.thing), note("list", said))]
        wide = SLOT * self.scale
        look = f"border:1px solid {EDGE};border-left:0;background:{PAPER};{face} {MONO};text-align:center;color:{INK}"
        for k, item in enumerate(drawn.thing[: self.slots]):
            description = f"an address of {SLOT} bytes: leads to {'a list' if is_list(item) else short(item)}"
            text = f"[{k}]" if wide > 24 else str(k)
            x = drawn.x + head + wide * k
            keys = self.slot_keys(drawn.thing, k)
            parts.append(_at(x, y, wide, LIST, look, text, keys, note(f"slot {k}", description)))
        more = len(drawn.thing) - self.slots
        if more > 0:
            look = f"font:400 11px/{LIST}px {MONO};color:{MUTED};white-space:nowrap"
            text = f"… {more:,} more" if alone else "…"
            parts.append(_at(drawn.x + drawn.width + 2, y, 110 if alone else GAP - 2, LIST, look, text))
        return parts

    def _box(self, drawn: Drawn, y: int) -> list[str]:
        parts, x = [], drawn.x
        fields = fields_of(drawn.thing)
        said = f"{count(weight(drawn.thing), 'byte')}: " + ", ".join(f"{n} for the {_role(name)}" for name, n in fields)
        subject, keys = f"{type(drawn.thing).__name__} {short(drawn.thing)}", self.keys(drawn.thing)
        for k, (name, nbytes) in enumerate(fields):
            wide = nbytes * self.scale
            text = name if wide >= 30 else ""
            look = f"background:{WASH};font:400 11px/{BOX - 2}px {SANS};color:{MUTED}"
            if not name:
                value = short(drawn.thing)
                fits = len(value) * 8 < wide
                text = value if fits else ""
                look = f"background:{self.fill(drawn.thing)};font:700 13px/{BOX - 2}px {MONO};color:{INK}"
                if not fits:
                    below = f"font:700 11px/14px {MONO};color:{INK};text-align:right;white-space:nowrap"
                    parts.append(_at(x + wide - 80, y + BOX + 1, 80, 14, below, value))
            look += f";border:1px solid {EDGE}{';border-left:0' if k else ''};text-align:center;white-space:nowrap"
            parts.append(_at(x, y, wide, BOX, look, text, keys, note(subject, said)))
            x += wide
        return parts

    def _pointers(self, level: Level, below: Level, y: int) -> tuple[list[str], int]:
        """Lines from each slot to its object, each at a different height, and their lowest point."""
        places = {id(d.thing): d for d in below.drawn}
        ways: list[tuple[int, int]] = []
        for drawn in level.drawn:
            if not is_list(drawn.thing):
                continue
            for k, item in enumerate(drawn.thing[: self.slots]):
                target = places.get(id(item))
                if target is not None:
                    start = drawn.x + HEADER * self.scale + SLOT * self.scale * k + SLOT * self.scale // 2
                    head = HEADER * self.scale if is_list(item) else target.width
                    ways.append((start, target.x + head // 2))
        order = sorted(range(len(ways)), key=lambda k: -abs(ways[k][0] - ways[k][1]))
        depth = 26 + LANE * len(ways)
        parts: list[str] = []
        for height, k in enumerate(order):
            start, end = ways[k]
            turn = y + 8 + LANE * height
            parts.append(_at(start, y, 0, turn - y, f"border-left:1px solid {EDGE}"))
            parts.append(_at(min(start, end), turn, abs(end - start) + 1, 0, f"border-top:1px solid {EDGE}"))
            parts.append(_at(end, turn, 0, y + depth - turn - 5, f"border-left:1px solid {EDGE}"))
            arrow = f"border-left:4px solid {PAPER};border-right:4px solid {PAPER};border-top:6px solid {EDGE}"
            parts.append(_at(end - 4, y + depth - 6, 9, 6, arrow))
        return parts, depth

    def text(self) -> str:
        lines = []
        for level in self.levels:
            said = [_describe(d.thing, self.slots) for d in level.drawn]
            more = [f"and {level.left_out:,} more"] if level.left_out else []
            lines.append("  " + "; ".join([*said, *more]))
        return "\n".join(lines)


def _role(name: str) -> str:
    return {"refs": "reference count", "type": "type", "size": "size", "": "value"}[name]


def _describe(thing: Any, slots: int) -> str:
    if not is_list(thing):
        return f"{type(thing).__name__} {short(thing)}, {weight(thing)} bytes"
    items = ", ".join("[…]" if is_list(item) else short(item) for item in thing[:slots])
    return f"list of {len(thing)} ({items}{', …' if len(thing) > slots else ''}), {weight(thing)} bytes"


def scattered(things: Sequence[Any]) -> list[Any]:
    """The same objects in a fixed, shuffled order.

    >>> scattered([0, 1, 2, 3, 4, 5])
    [4, 1, 3, 0, 5, 2]
    """
    return [things[k] for k in sorted(range(len(things)), key=lambda k: ((k * 7 + 5) % 11, k))]


def placed(things: Sequence[Any], scale: int, slots: int) -> Level:
    """As many objects side by side as fit."""
    drawn: list[Drawn] = []
    wide = [_width(thing, scale, slots) for thing in things[:NARROW]]
    room = NARROW - 80
    fits = 0
    used = 0
    while fits < len(wide) and used + wide[fits] <= (NARROW if fits == len(wide) - 1 else room):
        used += wide[fits] + GAP
        fits += 1
    gap = min(36, (NARROW - sum(wide[:fits])) // max(fits - 1, 1)) if fits == len(wide) else GAP
    x = 0
    for thing, width in zip(things[:fits], wide, strict=False):
        drawn.append(Drawn(thing, x, width))
        x += width + gap
    return Level(tuple(drawn), len(things) - fits)


def _width(thing: Any, scale: int, slots: int) -> int:
    if is_list(thing):
        return (HEADER + SLOT * min(len(thing), slots)) * scale
    return weight(thing) * scale


def _at(x: int, y: int, width: int, height: int, look: str, text: str = "", cls: str = "", said: str = "") -> str:
    place = f"position:absolute;left:{x}px;top:{y}px;width:{width}px;height:{height}px;box-sizing:border-box"
    return tag("div", escape(text), f"{place};{look}", cls, said)
