"""Dimension names as chips: each name keeps its colour and its line at every position. Lines between two rows
connect the old and the new position of each name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..drawing.html import div, escape, row, table, td, th
from ..drawing.inline import Line, markup, words
from ..drawing.scene import columns
from ..drawing.tokens import CLASH, CLASH_TINT, EDGE, INK, LINE, MONO, MUTED, SANS, TINT, axis_colour, hue, line

GAP = 6
LABEL, LEAST = 90, 76
"""Pixels of the labels and of a chip, where the page is narrow."""


class Chip(NamedTuple):
    """A dimension: its name and size, and the text below them.

    `kind` is one of name, clash, summed, ghost (an added size of 1), words (a remark without a dimension), wrong
    (a remark on a mistake), sum and empty.
    """

    name: str | None = None
    size: int | None = None
    below: str = ""
    kind: str = "name"
    note: str = ""

    @property
    def as_text(self) -> str:
        """The chip in the text twin."""
        if self.kind in ("words", "wrong", "sum"):
            return self.below
        if self.kind == "empty":
            return ""
        if self.kind == "ghost":
            return f"({self.size})"
        mark = "!" if self.kind == "clash" else "Σ" if self.kind == "summed" else ""
        return f"{mark}{self.name} {self.size}" + (f", {self.below}" if self.below else "")


EMPTY = Chip(kind="empty")


@dataclass(frozen=True)
class ChipTable:
    """Rows of chips, one column for each place."""

    rows: tuple[tuple[Line, tuple[Chip, ...]], ...]
    names: tuple[str, ...]
    """All names of the picture in the order of their colours."""
    heads: tuple[str, ...] = ()
    width: int = 152
    label: int = 150
    routes: tuple[int | None, ...] = ()
    """Where each place of the last row but one goes in the last: lines between them say so."""

    def html(self) -> str:
        small = f"font:400 11px/16px {MONO};color:{MUTED}"
        out = [row(td() + "".join(th(escape(head), "col", small) for head in self.heads))] if self.heads else []
        count = max(len(chips) for _, chips in self.rows)
        for k, (label, chips) in enumerate(self.rows):
            if self.routes and k == len(self.rows) - 1:
                out.append(row(td() + td(self._lines(count), "text-align:left", span=count)))
            html = "".join(self._chip(chip) for chip in chips)
            look = f"text-align:left;font:400 13px/16px {MONO};color:{INK};overflow-wrap:break-word"
            out.append(row(th(markup(label), "row", look) + html))
        widths = [self.label, *[self.width] * count]
        total = sum(widths) + GAP * (count + 2)
        look = f"max-width:{total}px;margin:-{GAP}px 0 -{GAP}px -{GAP}px"
        return table(out, widths, f"{GAP}px {GAP}px", look, "tw-names", least=min(total, LABEL + count * LEAST))

    def _chip(self, chip: Chip) -> str:
        if chip.kind == "empty":
            return td()
        if chip.kind == "sum":
            return td(escape(chip.below), f"font-size:15px;color:{MUTED}")
        if chip.kind in ("words", "wrong"):
            bad = chip.kind == "wrong"
            return td(
                escape(chip.below), f"font:{700 if bad else 400} 12px/16px {SANS};color:{CLASH if bad else MUTED}"
            )
        below = ""
        if chip.below:
            below = div(escape(chip.below), f"font:400 11px/14px {MONO};color:{MUTED};margin:3px 0 0")
        box = f"height:{46 if chip.below else 32}px;border-radius:4px"
        if chip.kind == "ghost":
            return td(escape(chip.size), f"{box};border:1px dotted {EDGE};color:{MUTED}", title=chip.note)
        if chip.name is None:
            inner = f'<span style="color:{MUTED}">None</span> {escape(chip.size)}'
            colour = CLASH if chip.kind == "clash" else EDGE
            return td(
                inner + below, f"{box};border:{2 if chip.kind == 'clash' else 1}px solid {colour}", title=chip.note
            )
        k = self.names.index(chip.name)
        bad = chip.kind == "clash"
        ink = CLASH if bad else axis_colour(k)
        through = ";text-decoration:line-through" if chip.kind == "summed" else ""
        look = f"font:600 13px/18px {SANS};color:{ink};border-bottom:{3 if line(k) == 'double' else 2}px {line(k)}"
        long = len(chip.name) * 8 + 30 > self.width
        inner = f'<span style="{look}{";font-size:11px" if long else ""}{through}">{escape(chip.name)}</span>'
        inner += f" {escape(chip.size)}"
        fill, edge = (CLASH_TINT, f"2px solid {CLASH}") if bad else (TINT[hue(k)], f"1px solid {LINE[hue(k)]}")
        style = f"{box};background:{fill};border:{edge};color:{INK};overflow-wrap:break-word"
        return td(inner + below, style, f"i-n{k}", chip.note)

    def _lines(self, count: int) -> str:
        """A line for each name from its old to its new position, in its colour and pattern, each at its own level."""
        chips = self.rows[-2][1]
        moved = [k for k, to in enumerate(self.routes) if to is not None and to != k]
        height = 12 + 11 * max(len(moved), 1)
        parts = ""
        for k, to in enumerate(self.routes):
            name = chips[k].name
            if to is None or name is None:
                continue
            number = self.names.index(name)
            pen = f"{3 if line(number) == 'double' else 2}px {line(number)} {axis_colour(number)}"
            start, end = (100 * (place + 0.5) / count for place in (k, to))
            if k == to:
                parts += _down(start, 0, 0, height, pen)
                continue
            level = 6 + 11 * moved.index(k)
            parts += _down(start, -10, 0, level, pen)
            parts += (
                _across(start, -10, end, 10, level, pen) if start < end else _across(end, 10, start, -10, level, pen)
            )
            parts += _down(end, 10, level, height - level, pen)
        return div(parts, f"position:relative;height:{height}px;margin:-{GAP}px 0")

    def text(self) -> str:
        lines = [["", *self.heads]] if self.heads else []
        lines += [[words(label), *(chip.as_text for chip in chips)] for label, chips in self.rows]
        return columns(lines, left=True)


def _down(left: float, by: int, top: int, height: int, pen: str) -> str:
    """A line down at a part of a hundred, moved by some pixels."""
    place = f"position:absolute;left:{left:.5g}%;margin-left:{by}px;top:{top}px;height:{height}px"
    return div("", f"{place};border-left:{pen}")


def _across(left: float, by: int, right: float, by_right: int, top: int, pen: str) -> str:
    """A line from one part of a hundred to another, each moved by some pixels."""
    ends = f"left:{left:.5g}%;margin-left:{by}px;right:{100 - right:.5g}%;margin-right:{-by_right - 2}px"
    return div("", f"position:absolute;{ends};top:{top}px;border-top:{pen}")


def fitting(count: int, label: int = 150, room: int = 828) -> int:
    """How wide a chip may be so that a row of them has room."""
    return max(64, min(152, (room - label) // max(count, 1) - GAP))


def name_order(rows: Sequence[Sequence[str | None]]) -> tuple[str, ...]:
    """All names by first appearance: their colours."""
    return tuple(dict.fromkeys(name for names in rows for name in names if name is not None))
