"""How a puzzle is drawn: what goes in, an arrow, and what is wanted, small enough to be taken in at one look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import isfinite, prod
from typing import Any

from tensorwidgets.course.checking.plainly import Table
from tensorwidgets.pictures.arrays.values import GLYPHS, in_cell, index_text, shape_text, short
from tensorwidgets.pictures.drawing.html import div, escape, row, table
from tensorwidgets.pictures.drawing.inline import Ink, Line, bold, chip, markup, muted
from tensorwidgets.pictures.drawing.scene import Block, Cell, columns, note
from tensorwidgets.pictures.drawing.tokens import INK, LINE, MONO, MUTED, SANS, place, value
from tensorwidgets.pictures.parts.grid import cell_html, cell_text

SIDE = 30
"""Pixels of a cell's side; a longer number gets a wider one."""
MOST_CELLS = 144
INLINE = "display:inline-block;vertical-align:top"
FULL, EMPTY = "★", "☆"


def stars(count: int) -> str:
    """How hard a puzzle is, of five.

    >>> stars(2)
    '★★☆☆☆'
    """
    return FULL * count + EMPTY * (5 - count)


@dataclass(frozen=True)
class Drawn:
    """A table of any number of dimensions under its name: the last two make a grid, those before make grids of it."""

    name: str
    table: Table
    paint: Callable[[Any], str]
    """From a value to its colour."""
    key: Callable[[Any, int], str]
    """From a value and its place to the class of its cell: cells of one class light up together."""
    against: Table | None = None
    """The table to compare with: the first cell that differs is marked."""
    mine: bool = False
    aside: str = ""

    def html(self) -> str:
        head: Line = (bold(self.name), "  ", muted(self.aside or shape_text(self.table.size)))
        look = f"font:400 12px/16px {MONO};color:{INK};margin:0 0 6px;white-space:nowrap"
        return div(markup(head), look) + self._planes()

    def _planes(self) -> str:
        outer = self.table.size[:-2]
        if prod(self.table.size) > MOST_CELLS or not prod(self.table.size):
            return div("too large to draw" if prod(self.table.size) else "empty", f"font:400 12px/18px {SANS}")
        cells = self._cells()
        across = outer[-1] if outer else 1
        lines = []
        for k in range(0, len(cells), across):
            inner = "".join(
                div(self._grid(plane), f"display:inline-block;vertical-align:top;margin:0 0 0 {10 if j else 0}px")
                for j, plane in enumerate(cells[k : k + across])
            )
            lines.append(div(inner, f"white-space:nowrap;margin:{10 if k else 0}px 0 0"))
        return "".join(lines)

    @property
    def side(self) -> int:
        """The width of a cell."""
        wide = max((len(shown(v)) for v in self.table.values), default=1)
        return max(SIDE, 8 * wide + 10)

    @property
    def width(self) -> int:
        """Of all that is drawn, in pixels."""
        across, _, columns = (1, 1, 1, *self.table.size)[-3:]
        return max(across * (columns * self.side + 10) - 10, 8 * (len(self.name) + len(self.aside) + 8))

    def _grid(self, rows: Sequence[Sequence[Cell]]) -> str:
        lines = [
            row("".join(cell_html(c, j == 0, i == 0) for j, c in enumerate(line)), f"height:{SIDE}px;font-size:12px")
            for i, line in enumerate(rows)
        ]
        return table(lines, [self.side] * max(map(len, rows), default=0), cls="tw-view")

    def _cells(self) -> list[list[list[Cell]]]:
        """Planes of rows of cells."""
        size = (1, 1, *self.table.size)[-max(2, len(self.table.size)) :]
        first = self._first_difference()
        made = []
        for k, (index, v) in enumerate(self.table.items()):
            kind, said = "solid", ""
            if k == first:
                kind, said = ("wrong" if self.mine else "right"), ", the first that differs"
            where = self.name + (index_text(index) if index else "")
            text = GLYPHS.get(shown(v), shown(v))
            made.append(
                Cell(text, self.key(v, k), note(where, f"{short(v)}{said}"), self.paint(v), kind, full=short(v))
            )
        width, height = size[-1], size[-2]
        rows = [made[k : k + width] for k in range(0, len(made), width)]
        return [rows[k : k + height] for k in range(0, len(rows), height)]

    def _first_difference(self) -> int | None:
        if self.against is None or self.against.size != self.table.size:
            return None
        pairs = zip(self.table.values, self.against.values, strict=True)
        return next((k for k, (a, b) in enumerate(pairs) if a != b), None)

    def text(self) -> str:
        head = f"{self.name} {self.aside or shape_text(self.table.size)}"
        outer = list(product(*map(range, self.table.size[:-2])))
        if prod(self.table.size) > MOST_CELLS or not prod(self.table.size):
            return head
        planes = []
        for lead, plane in zip(outer, self._cells(), strict=True):
            label = [index_text(lead)] if lead else []
            planes += [*label, columns([["", *(cell_text(c) for c in line)] for line in plane])]
        return "\n".join([head, *planes])


def shown(v: Any) -> str:
    """A value in a cell: T and F, for a picture is read at one look.

    >>> shown(True), shown(3.0), shown(-0.0)
    ('T', '3', '-0')
    """
    return ("T" if v else "F") if isinstance(v, bool) else in_cell(v)


def by_size(tables: Sequence[Table]) -> Callable[[Any], str]:
    """Colours by magnitude, for results that are computed."""
    numbers = [v for one in tables for v in one.values]
    finite = [float(v) for v in numbers if isfinite(v)] or [0.0]
    low, high = min(*finite, 0.0), max(*finite, 0.0)

    def paint(v: Any) -> str:
        return value(0.9 * (float(v) - low) / (high - low)) if isfinite(v) and high > low else ""

    return paint


def by_place(one: Table) -> Callable[[Any], str]:
    """A colour for each value of an input, so that a number keeps its colour wherever it goes."""
    rank = {v: k for k, v in enumerate(sorted({*one.values}))}

    def paint(v: Any) -> str:
        return place(rank[v], len(rank)) if v in rank else ""

    return paint


def by_value(one: Table) -> Callable[[Any, int], str]:
    """For numbers that are moved: point at one, and it lights up wherever it went."""
    rank = {v: k for k, v in enumerate(sorted({*one.values}))}
    return lambda v, k: f"i-v{rank[v]}" if v in rank else ""


def by_index(v: Any, k: int) -> str:
    """For yours and wanted: point at a cell of one, and the same cell of the other lights up."""
    return f"i-p{k}"


def no_key(v: Any, k: int) -> str:
    """For what goes in, where no cell of it is a cell of the result."""
    return ""


@dataclass(frozen=True)
class Becomes:
    """An arrow, and behind it what comes out: they stay together where a line is broken."""

    block: Block

    def html(self) -> str:
        arrow = div("&#8594;", f"font:400 24px/30px {SANS};color:{MUTED};padding:22px 18px 0 0;{INLINE}")
        return div(arrow + div(self.block.html(), INLINE), "white-space:nowrap")

    def text(self) -> str:
        return "->\n" + self.block.text()


@dataclass(frozen=True)
class Together:
    """Pictures on one line, which is never broken."""

    blocks: Sequence[Block]

    def html(self) -> str:
        parts = "".join(
            div(one.html(), f"{INLINE};margin:0 0 0 {24 if k else 0}px") for k, one in enumerate(self.blocks)
        )
        return div(parts, "white-space:nowrap")

    def text(self) -> str:
        return "\n".join(one.text() for one in self.blocks)


@dataclass(frozen=True)
class Rules:
    """The rule in words, and the tools as chips."""

    rule: str
    tools: tuple[str, ...]
    top: int = 12

    def html(self) -> str:
        first = div(escape(self.rule), f"font:400 13px/20px {SANS};color:{INK}")
        parts: list[str | Ink] = []
        for tool in self.tools:
            parts += [chip(tool, "blue"), " "]
        label = tag_label("Tools")
        return div(
            first + div(label + markup(tuple(parts)), "margin:6px 0 0;line-height:26px"), f"margin:{self.top}px 0 0"
        )

    def text(self) -> str:
        return f"\n{self.rule}\nTools: {',  '.join(self.tools)}"


def tag_label(text: str) -> str:
    """A small word in front of chips."""
    return markup(Ink(f"{text}  ", f"font:400 12px/16px {SANS};color:{MUTED}"))


def golf(length: int, par: int) -> str:
    """How a length compares with par.

    >>> golf(20, 20), golf(18, 20), golf(25, 20)
    ('par', '2 under par', '5 over par')
    """
    over = length - par
    return "par" if not over else f"{abs(over)} {'over' if over > 0 else 'under'} par"


def titled(number: int, title: str, count: int, state: str = "", colour: str = MUTED) -> Line:
    """`13  Chessboard  ★☆☆☆☆`, and the state where there is one."""
    line: list[str | Ink] = [
        f"{number}\u2002{title}\u2002", Ink(stars(count), f"color:{LINE['orange']};font-weight:400"),
    ]  # fmt: skip
    if state:
        line.append(Ink(f"\u2002{state}", f"color:{colour}"))
    return tuple(line)
