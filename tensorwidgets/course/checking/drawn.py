"""The blocks of an exercise's page that other pictures have no use for: yours beside wanted, marks over a strip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from tensorwidgets.pictures.arrays.layout import Layout
from tensorwidgets.pictures.arrays.values import in_cell, index_text, shape_text, short
from tensorwidgets.pictures.drawing.html import div, escape, row, table, tag, td, th
from tensorwidgets.pictures.drawing.inline import Line, bold, markup, muted, terms, words
from tensorwidgets.pictures.drawing.scene import Block, Cell, columns, note
from tensorwidgets.pictures.drawing.tokens import CLASH, INK, LINE, MONO, MUTED, RULE, SANS, WASH, place
from tensorwidgets.pictures.parts.grid import Framed, Grid, cell_html

from .plainly import Table
from .verdict import Fact

RIGHT = LINE["green"]
MOST_CELLS = 64
"""The largest table to draw; a larger one is described in words."""


class Mark(NamedTuple):
    """A place of a strip that something is said of."""

    unit: int
    label: str
    right: bool | None
    """None for a guess that nobody has judged yet."""


@dataclass(frozen=True)
class Marks:
    """One storage with arrows over some of its places: the right place, and the student's."""

    values: Sequence[Any]
    marks: Sequence[Mark]

    def html(self) -> str:
        at = {mark.unit: mark for mark in reversed(self.marks)}
        small = f"font-size:11px;color:{MUTED}"
        arrows = td() + "".join(td(_arrow(at.get(k)), "vertical-align:bottom") for k in range(len(self.values)))
        ruler = th("element", "row", f"text-align:left;font-size:12px;color:{MUTED}")
        ruler += "".join(th(str(k), "col") for k in range(len(self.values)))
        cells = th("storage A", "row", "text-align:left;font-size:12px;font-weight:700")
        cells += "".join(cell_html(self._cell(k, at.get(k)), k == 0) for k in range(len(self.values)))
        return table(
            [row(arrows, "height:32px"), row(ruler, f"height:16px;{small}"), row(cells, "height:36px")],
            [88] + [max(28, min(44, 470 // max(len(self.values), 1)))] * len(self.values), cls="tw-storage",
            least=80 + 26 * len(self.values),
        )  # fmt: skip

    def _cell(self, k: int, mark: Mark | None) -> Cell:
        value = in_cell(self.values[k])
        what = f"place {k}" if value == "?" else f"{value} lies here"
        what += f", {mark.label}" if mark else ""
        kind = "solid" if mark is None or mark.right is None else "right" if mark.right else "wrong"
        return Cell(value, f"k-A{k}", note(f"A[{k}]", what), place(k, len(self.values)), kind)

    def text(self) -> str:
        top = ["", *(next((m.label for m in self.marks if m.unit == k), "") for k in range(len(self.values)))]
        return columns([top, ["element", *map(str, range(len(self.values)))], ["storage A", *map(short, self.values)]])


def _arrow(mark: Mark | None) -> str:
    if mark is None:
        return ""
    colour = INK if mark.right is None else RIGHT if mark.right else CLASH
    name = div(escape(mark.label), f"font:700 11px/16px {SANS};color:{colour};white-space:nowrap")
    return name + div("▾", f"font-size:11px;line-height:10px;color:{colour}")


def yours_and_wanted(
    yours: Table, wanted: Table, mine: Layout | None, model: Layout | None, called: str, order: Sequence[Any]
) -> tuple[Block, ...]:
    """Two grids, linked place by place. The colour is that of the value: where it lies in the given storage.

    Layouts say which cells are neighbours in memory; values that the storage does not hold are left white.
    """
    if max(len(yours.values), len(wanted.values)) > MOST_CELLS:
        return ()
    rank = {value: k for k, value in enumerate(dict.fromkeys(order))}
    agree = yours.size == wanted.size
    return (
        _grid("yours", called, yours, wanted if agree else None, mine, rank),
        _grid("wanted", shape_text(wanted.size), wanted, yours if agree else None, model, rank),
    )


def _grid(
    name: str, aside: str, table: Table, other: Table | None, layout: Layout | None, rank: dict[Any, int]
) -> Block:
    width = table.size[-1] if table.size else 1
    size = (len(table.values) // max(width, 1), width)
    against = other.values if other is not None else (None,) * len(table.values)
    first = next((k for k, (a, b) in enumerate(zip(table.values, against, strict=True)) if a != b), None)
    cells = []
    for k, ((index, value), across) in enumerate(zip(table.items(), against, strict=True)):
        kind, said = "solid", "of another size"
        if other is not None:
            said = "the same" if value == across else "differs"
            if value == across:
                kind = "agrees"
            elif k == first:
                kind, said = ("wrong" if name == "yours" else "right"), "the first that differs"
        fill = place(rank[value], len(rank)) if value in rank else ""
        i, j = divmod(k, width)
        about = note(name + index_text(index), f"{short(value)}, {said}")
        cells.append(Cell(in_cell(value), f"i-q{i} i-s{j}", about, fill, kind))
    rows = [cells[i * size[1] : (i + 1) * size[1]] for i in range(size[0])]
    steps = layout.stride if layout is not None and len(layout.stride) == 2 else (0, 1)
    gap = (0 if steps[0] == 1 else 6, 0 if steps[1] == 1 else 6)
    heading: Line = (bold(name), "  ", muted(aside)) if aside else bold(name)
    names = [",".join(map(str, lead)) for lead in product(*map(range, table.size[:-1]))] if len(table.size) > 1 else []
    return Framed(Grid(rows, names, [str(j) for j in range(size[1])], gap=gap, width=40, height=30, cls="tw-view",
                       caption=(heading,)))  # fmt: skip


@dataclass(frozen=True)
class Facts:
    """What was looked at, one line each, with a glyph for right and wrong."""

    facts: Sequence[Fact]
    widths: tuple[int, int] = (120, 176)

    def html(self) -> str:
        rows = []
        for fact in self.facts:
            glyph, colour = ("✓", RIGHT) if fact.right else ("✕", CLASH)
            look = f"text-align:left;padding:5px 12px 5px 0;border-bottom:1px solid {RULE};font:400 12px/16px {SANS}"
            what = look if fact.right else look.replace("font:400", "font:700")
            rows.append(row(
                td(glyph, f"{look};font-weight:700;color:{colour}") + th(escape(fact.what), "row", what)
                + td(escape(fact.found), f"{look};color:{MUTED}")
            ))  # fmt: skip
        return table(rows, [24, *self.widths], cls="tw-facts", least=280)

    def text(self) -> str:
        return columns([["✓" if f.right else "✕", f.what, f.found] for f in self.facts], left=True)


@dataclass(frozen=True)
class Said:
    """What is said about this answer: the largest words on the page, and the first."""

    subject: str
    reason: str
    hint: str = ""
    """The sentence for a known mistake: it is the largest then, and the difference comes below it."""
    after: str = ""

    def html(self) -> str:
        large, small = f"font:600 16px/24px {SANS};overflow-wrap:anywhere", f"font:400 13px/20px {MONO}"
        differs = f"{markup(bold(self.subject))} {markup(terms(self.reason))}"
        parts = [div(markup(self.hint), large), div(differs, f"{small};margin:4px 0 0;overflow-wrap:anywhere")]
        if not self.hint:
            parts = [div(differs, large)]
        if self.after:
            parts.append(div(markup(self.after), f"font:400 13px/20px {SANS};color:{MUTED};margin:4px 0 0"))
        look = f"border-left:4px solid {CLASH};background:{WASH};color:{INK};padding:10px 14px;max-width:720px"
        return div("".join(parts), look, "tw-said")

    def text(self) -> str:
        return "\n".join(filter(None, [self.hint, f"{self.subject}: {self.reason}", self.after]))


@dataclass(frozen=True)
class Folded:
    """Words behind a heading that opens them. The text version contains only the heading."""

    head: str
    line: Line
    code: bool = False
    opened: bool = False
    width: int = 320

    def html(self) -> str:
        summary = tag("summary", escape(self.head), f"font-weight:600;color:{INK}")
        if self.code:
            code = self.line if isinstance(self.line, str) else words(self.line)  # `words` spells a new line out
            lines = "".join(div(escape(part) or "&#160;", "white-space:pre") for part in code.split("\n"))
            look = f"font:400 12px/18px {MONO};background:{WASH};color:{INK};padding:6px 10px;margin:4px 0 0"
            body = div(lines, look)
        else:
            body = div(markup(self.line), f"color:{MUTED};padding:2px 0 0 16px")
        look = f"font:400 12px/18px {SANS};margin:8px 0 0;width:{self.width}px;max-width:100%"
        return tag("details", summary + body, look, open="open" if self.opened else "")

    def text(self) -> str:
        return self.head
