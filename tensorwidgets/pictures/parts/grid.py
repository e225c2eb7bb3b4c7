"""A grid of cells with its indices: one view of a storage, an operand, a result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..arrays.values import GLYPHS
from ..drawing.html import div, escape, row, table, tag, td, th
from ..drawing.inline import Line, markup, words
from ..drawing.scene import Cell, columns
from ..drawing.tokens import (
    CLASH,
    CLASH_TINT,
    EDGE,
    HOT,
    INK,
    LINE,
    MONO,
    MUTED,
    NARROW,
    PAPER,
    WASH,
    axis_colour,
    hatch,
)

EXAMPLE = {
    "": "",
    "linked": f";box-shadow:inset 0 0 0 2px {HOT}",
    "hand": f";box-shadow:inset 0 0 0 3px {HOT}",
}
RING, LETTER = 8, 0.6
"""Pixels that the edge and the ring of a marked cell take of its width, and the width of a letter, to its size."""
_CLASS = {"": "", "linked": " tw-eg", "hand": " tw-eg tw-src"}


def look(cell: Cell, left: bool = True, top: bool = True) -> str:
    """The inline style of a cell. `left` and `top` say whether it draws that edge."""
    kind, fill = cell.kind, cell.fill or PAPER
    if kind == "solid":
        style = f"background:{fill};border:1px solid {EDGE}"
    elif kind == "ghost":
        style = f"color:{MUTED};border:1px dotted {EDGE}"
    elif kind == "copied":
        style = f"background:{fill};border:solid {EDGE};border-width:3px 1px;border-style:double solid"
    elif kind == "hatch":
        style = f"{hatch()};border:1px solid {EDGE}"
    elif kind == "clash":
        style = f"background:{CLASH_TINT};border:2px solid {CLASH};color:{CLASH};font-weight:700"
    elif kind == "missing":
        style = f"border:2px dashed {CLASH};color:{CLASH};font-weight:700"
    elif kind in ("right", "wrong"):
        # The shadow comes first: the script removes one that comes last, which belongs to an example.
        line = f"solid {LINE['green']}" if kind == "right" else f"dashed {CLASH}"
        style = f"box-shadow:inset 0 0 0 2px {PAPER};background:{fill};border:2px {line};font-weight:700"
    elif kind == "agrees":
        style = f"background:{fill};border:1px solid {EDGE};text-decoration:underline"
    elif kind == "gap":
        return f"color:{MUTED};font-size:11px;padding:0;text-align:center"
    else:
        style = "border:0"
    if cell.text in GLYPHS and kind == "solid":
        style = f"background:{WASH};border:1px solid {EDGE};font-weight:700"
    if not left and kind not in ("right", "wrong"):
        style += ";border-left:0"
    if not top and kind not in ("right", "wrong"):
        style += ";border-top:0"
    if len(cell.text) > 5:
        # Words are one below the other; only numbers have words of six digits.
        lines = cell.text.split(" ")
        small = max(map(len, lines)) > 5 and cell.text.lstrip("-")[:1].isdigit() or len(lines) > 2
        many = len(lines) > 2
        style += f";font-size:{8.5 if small and many else 9 if small else 11:g}px"
        style += f";line-height:{9 if many else 12}px" if len(lines) > 1 else ""
        if many:
            # The edges are so wide that each line holds one word of digits.
            return f"{style};padding:2px 1.5px;text-align:center{EXAMPLE[cell.mark]}"
    return f"{style};padding:0;text-align:center{EXAMPLE[cell.mark]}"


def type_for(width: int, texts: Iterable[str], usual: int = 13) -> str:
    """The size of the type in cells of this width: five characters leave room for the ring around a marked cell.

    >>> type_for(44, ["0.5"]), type_for(44, ["-0.25"]), type_for(36, ["-0.25"])
    ('', ';font-size:12px', ';font-size:9.3px')
    """
    size = float(usual)
    if any(len(text) == 5 for text in texts):
        size = min(size, int((width - RING) / (5 * LETTER) * 10) / 10)
    return f";font-size:{size:g}px" if size < 13 else ""


def cell_html(cell: Cell, left: bool = True, top: bool = True, span: int = 1) -> str:
    """One cell as a `td`."""
    out = "<td"
    if cell.keys:
        out += f' class="{cell.keys}{_CLASS[cell.mark]}"'
    if span > 1:
        out += f' colspan="{span}"'
    if cell.note:
        out += f' title="{escape(cell.note)}"'
    return f'{out} style="{look(cell, left, top)}">{escape(GLYPHS.get(cell.text, cell.text))}</td>'


def cell_text(cell: Cell) -> str:
    """The cell in the text twin: a ghost in brackets, unread storage as a dot."""
    if cell.kind == "ghost":
        return f"({cell.text})"
    if cell.kind == "clash":
        return f"!{cell.text}"
    if cell.kind == "missing":
        return "≠"
    return "·" if cell.kind == "hatch" else cell.full or cell.text


@dataclass(frozen=True)
class Grid:
    """Rows of cells under their column indices.

    `gap` is the space (down, across) between cells: 0 where they are neighbours in memory. `axes` are the
    places of the row and the column dimension among the four axis colours. A row may hold fewer cells than
    another.
    """

    cells: Sequence[Sequence[Cell]]
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    axes: tuple[int, int] = (0, 1)
    gap: tuple[int, int] = (6, 6)
    width: int = 44
    height: int = 32
    cls: str = ""
    caption: tuple[Line, ...] = ()
    gutter: int = 24

    def html(self) -> str:
        return self.table(self.cls, self.caption)

    def table(self, cls: str = "", caption: tuple[Line, ...] = ()) -> str:
        """The table itself; a picture that nests grids names the outer one."""
        down, across = self.gap
        named = bool(self.rows)
        out = []
        if self.columns:
            small = "vertical-align:bottom;font-size:11px;padding:0 0 {}px;color:{}"
            style = small.format(max(8 - down, 2), axis_colour(self.axes[1]))
            head = td() if named else ""
            out.append(row(head + "".join(th(escape(c), "col", style) for c in self.columns), f"height:{24 - down}px"))
        style = f"font-size:11px;color:{axis_colour(self.axes[0])}"
        size = type_for(self.width, (cell.text for line in self.cells for cell in line), 13 if self.width >= 42 else 11)
        for i, line in enumerate(self.cells):
            html = th(escape(self.rows[i]), "row", style) if named else ""
            for j, cell in enumerate(line):
                html += cell_html(cell, j == 0 or across > 0, i == 0 or down > 0)
            out.append(row(html, f"height:{self.height}px{size}"))
        count = max([len(line) for line in self.cells] + [len(self.columns)])
        name = max(self.gutter - across, 7 * max(map(len, self.rows)) + 2) if named and self.rows else 0
        widths = ([name] if named else []) + [self.width] * count
        total = sum(widths) + across * (len(widths) + 1)
        room = f"width:{total}px"
        if total > NARROW:
            longest = max((len(cell.text) for line in self.cells for cell in line), default=0)
            named_by = max([len(name) for name in self.columns], default=0)
            least = total - count * (self.width - min(self.width, max(20, 8 * longest + 4, 7 * named_by + 4)))
            room += f";max-width:100%;min-width:{min(least, sum(widths))}px"
            # Only the cells give way: the names of the rows need their room.
            widths = ([name] if named else []) + [0] * count
        return table(
            out, widths, f"{across}px {down}px", f"{room};margin:0 {-across}px {-down}px", cls,
            captioned(caption, across, 10 - down),
        )  # fmt: skip

    def text(self) -> str:
        lines = [["", *self.columns]] if self.columns else []
        for i, line in enumerate(self.cells):
            lines.append([self.rows[i] if self.rows else "", *(cell_text(c) for c in line)])
        head = "\n".join(words(line) for line in self.caption)
        return (head + "\n" if head else "") + columns(lines)


def captioned(lines: tuple[Line, ...], across: int = 0, below: int = 4) -> str:
    """The caption of a view: its name, then its facts. It is as wide as it likes and takes no room of its own
    (`width:0`), so that the columns below keep their width; the caller reserves the width
    (`caption_width`)."""
    if not lines:
        return ""
    first, *rest = lines
    inner = div(markup(first), f"font-size:13px;line-height:24px;height:24px;color:{INK}", "tw-name")
    inner += "".join(div(markup(line)) for line in rest)
    return tag(
        "caption",
        inner,
        f"caption-side:top;text-align:left;white-space:nowrap;width:0;padding:0 0 {below}px {across}px;"
        f"font:400 11px/16px {MONO};color:{MUTED}",
    )


def caption_width(lines: tuple[Line, ...]) -> int:
    """Pixels that a caption needs, in the widest of the faces it may be set in."""
    if not lines:
        return 0
    return max(round(8 * len(words(lines[0]))), *(round(6.9 * len(words(line))) for line in lines))


@dataclass(frozen=True)
class Framed:
    """A grid with room for its caption, to be placed next to others."""

    grid: Grid

    def html(self) -> str:
        return div(self.grid.html(), f"min-width:{caption_width(self.grid.caption)}px")

    def text(self) -> str:
        return self.grid.text()
