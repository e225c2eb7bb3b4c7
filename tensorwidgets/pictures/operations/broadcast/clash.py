"""Shapes that do not broadcast: the axes that clash, the unmatched elements, and fixes with their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from ....engine.errors.reasons import Reason
from ....engine.geometry import broadcast_verdict
from ...arrays.values import count, shape_text
from ...arrays.window import Window, edges
from ...drawing.html import div
from ...drawing.inline import Ink, Line, bold, clash, markup, words
from ...drawing.picture import Picture
from ...drawing.scene import Beside, Block, Cell, Gap, Heading, Note, Sentence, Stack, Title, note
from ...drawing.tokens import LINE, MONO, MUTED, SANS, place
from ...parts.panel import Panel, panel
from ...parts.shapes import ShapeTable
from ..operands import Index, Keys, Operand, keys_of, reading
from .fixes import Fix, Order, fixes
from .meetings import Meetings, Scale, index_letter

DRAWN = 36
"""The largest result of a fix, in cells, that is drawn; larger ones are described in words."""
MOST = 12
"""Cells that are drawn along the axis that does not fit."""


def clash_picture(operands: Sequence[Operand], things: Sequence[Any], reason: Reason, op: str = "+") -> Picture:
    """The picture of a refusal to broadcast."""
    sizes = tuple(o.size for o in operands)
    table = ShapeTable(tuple(bold(o.label) for o in operands), sizes, None)
    aside = f"{f' {op} '.join(map(shape_text, sizes))} is refused"
    head = f"{f' {op} '.join(o.label for o in operands)}, when the shapes do not fit"
    blocks: list[Block] = [Title(head, aside if len(head) + len(aside) < 100 else "")]
    meet = Misfit(operands, things, reason)
    views = meet.views()
    stack = Stack([part for view in views for part in (Gap(10), view)][1:])
    narrow = table.dims <= 3 and all(view.width <= 380 for view in views)
    blocks += [Beside([table, stack], 56)] if narrow else [table, Gap(16), stack]
    blocks.append(Sentence(meet.subject, meet.because(operands), reason.message, "clash"))
    blocks += ways_out(operands, reason, op)
    return Picture(blocks)


def refusal(reason: Reason, subject: str) -> Sentence:
    """The reason, with the sizes that clash in red, and PyTorch's message below."""
    wrong = [str(n) for n in reason.facts.get("sizes", ())]
    return Sentence(subject, marked(reason.because or reason.message, wrong), reason.message, "clash")


def marked(text: str, numbers: Sequence[str]) -> Line:
    """The text with `has 4` and the like in the colour of a mistake, for each of these numbers."""
    parts: list[str | Ink] = [text]
    for number in dict.fromkeys(numbers):
        for before in (f"has {number}", f"names {number}", f"and {number}"):
            parts = [piece for part in parts for piece in _split(part, before, number)]
    return tuple(parts)


def _split(part: str | Ink, phrase: str, number: str) -> list[str | Ink]:
    if isinstance(part, Ink) or phrase not in part:
        return [part]
    start = part.index(phrase) + len(phrase) - len(number)
    stop = start + len(number)
    if part[stop : stop + 1].isdigit():
        return [part]
    return [part[:start], clash(number), part[stop:]]


class Misfit:
    """The operands, with the unmatched elements along the axes that clash."""

    def __init__(self, operands: Sequence[Operand], things: Sequence[Any], reason: Reason):
        self.dims = max(len(o.size) for o in operands)
        self.verdicts = broadcast_verdict(*(o.size for o in operands))
        self.reason = reason
        self.axes = [d - self.dims for d, kind in enumerate(self.verdicts) if kind == "clash"]
        self.wide = {axis: self._sizes(operands, axis) for axis in self.axes}
        self.windows = [self._window(o) for o in operands]
        self.operands = [
            reading(o, thing, [[i for i in kept if i < n] for kept, n in zip(window.kept, o.size, strict=True)])
            for o, thing, window in zip(operands, things, self.windows, strict=True)
        ]
        self.keys: list[Keys] = keys_of(self.operands)
        self.scale = Scale([v for o in self.operands for v in (o.values or {}).values()])

    def _sizes(self, operands: Sequence[Operand], axis: int) -> list[int]:
        return [o.size[axis] for o in operands if len(o.size) >= -axis and o.size[axis] != 1]

    def because(self, operands: Sequence[Operand]) -> Line:
        """`p has 4, q has 3: not equal, and neither is 1`, with the numbers in red."""
        axis = int(self.reason.facts.get("from_end", self.axes[-1]))
        parts: list[str | Ink] = []
        for o in operands:
            if len(o.size) >= -axis and o.size[axis] != 1:
                parts += [", " if parts else "", f"{o.label} has ", clash(str(o.size[axis]))]
        return (*parts, ": not equal, and neither is 1" if len(parts) == 6 else ": not all equal, and none is 1")

    @property
    def subject(self) -> str:
        return f"dim {self.reason.facts.get('from_end', self.axes[-1])}"

    def _window(self, operand: Operand) -> Window:
        """The operand's own size, but along an axis that clashes as far as the longest of the others."""
        size, kept = [], []
        for d, n in enumerate(operand.size):
            axis = d - len(operand.size)
            most = max(self.wide[axis]) if axis in self.axes and n != 1 else n
            size.append(most)
            # Of many leading dimensions only those that clash are seen at several places.
            lead = 3 if axis in self.axes or len(operand.size) < 5 else 1
            kept.append(edges(most, min(most, MOST if d >= len(operand.size) - 2 else lead)))
        return Window(tuple(size), tuple(kept))

    def views(self) -> list[Panel]:
        out = []
        for k, (operand, window) in enumerate(zip(self.operands, self.windows, strict=True)):
            cells = {index: self.cell(k, index) for index in window.indices()}
            axes = tuple(range(self.dims - len(operand.size), self.dims))
            out.append(panel(((bold(operand.label), f" {shape_text(operand.size)}"),), window, cells, axes, small=True))
        return out

    def least(self, operand: Operand, d: int) -> int:
        """How far all operands reach that do not stretch along this dimension of one of them."""
        axis = d - len(operand.size)
        return min(self.wide.get(axis, [operand.size[d]]))

    def cell(self, k: int, index: Index) -> Cell:
        """An element, or the place of one that another operand has and this one lacks."""
        operand = self.operands[k]
        lead = self.dims - len(operand.size)
        short = [d for d, (i, n) in enumerate(zip(index, operand.size, strict=True)) if i >= n]
        over = [
            d
            for d, (i, n) in enumerate(zip(index, operand.size, strict=True))
            if n != 1 and i >= self.least(operand, d)
        ]
        keys = " ".join(f"i-{index_letter(lead + d)}{i}" for d, i in enumerate(index) if operand.size[d] != 1)
        if short:
            d = short[-1]
            said = f"does not exist: {operand.label} has {operand.size[d]} in dim {d - len(operand.size)}"
            return Cell("≠", keys, note(operand.at(index), said), kind="missing")
        keys = f"{self.keys[k].of(index)} {keys}".strip()
        text = operand.text(index)
        said = f"= {text}, " if operand.kind != "shape" else ""
        if over:
            axis = over[-1] - len(operand.size)
            return Cell(text, keys, note(operand.at(index), f"{said}meets nothing in dim {axis}"), kind="clash")
        known = (operand.values or {}).get(index)
        fill = place(operand.offset(index), operand.numel) if operand.kind == "shape" else self.scale.fill(known)
        return Cell(text, keys, note(operand.at(index), f"{said}has a partner"), fill)


# -- the ways out ----------------------------------------------------------------------------------


def ways_out(operands: Sequence[Operand], reason: Reason, op: str = "+") -> list[Block]:
    """Up to two fixes with their results, or the text of the reason if there are none."""
    numpy = all(o.library in ("NumPy", "") for o in operands) and any(o.library for o in operands)
    sizes, labels = [o.size for o in operands], [o.label for o in operands]
    result = fixes(sizes, labels, reason.facts.get("position", 1), numpy, op=op)
    if not result:
        return [Note("Instead: " + "; ".join(reason.instead) + ".")] if reason.instead else []
    different = len({fix.result for fix in result}) > 1
    many = {1: "One way out:", 2: f"Two ways out, with two different {'shapes' if different else 'results'}:"}
    blocks: list[Block] = [Heading(many[len(result)], 16)]
    parts = [_way_out(fix, operands, k) for k, fix in enumerate(result)]
    return [*blocks, Beside(parts, 32, below=14) if sum(part.width for part in parts) <= 796 else Stack(parts)]


@dataclass(frozen=True)
class WayOut:
    """One fix: its code, what it means, and its result if that is small."""

    code: str
    said: str
    panels: tuple[Panel, ...]

    @property
    def width(self) -> int:
        return min(796, max(300, 8 * len(self.code) + 8, sum(one.width for one in self.panels) + 24))

    def html(self) -> str:
        top = f"font:400 13px/20px {MONO};border-top:2px solid {LINE['green']};padding-top:6px"
        text = f"font:400 12px/18px {SANS};color:{MUTED};margin:0 0 6px;max-width:{max(self.width, 380)}px"
        html = div(markup(bold(self.code)), top) + div(markup(self.said), text)
        if self.panels:
            html += Beside(self.panels, 24).html()
        return div(html, f"width:{self.width}px;max-width:100%")

    def text(self) -> str:
        parts = [f"{words(self.code)}\n  {words(self.said)}", *(one.text() for one in self.panels)]
        return "\n".join(parts)


def _way_out(fix: Fix, operands: Sequence[Operand], number: int) -> WayOut:
    if not 0 < prod(fix.result) <= DRAWN or len(fix.result) > 2 or any(o.numel > 200 for o in operands):
        return WayOut(
            fix.code, f"{fix.said} The result: {shape_text(fix.result)}, {count(prod(fix.result), 'element')}.", ()
        )
    turned = [_turned(o, order) for o, order in zip(operands, fix.orders, strict=True)]
    # Letters of its own: a cell lights up in another part of the picture where it is the same element, not where
    # it happens to have the same index.
    meet = Meetings(turned, [None] * len(turned), fix.result, "result", 8 * (number + 1), number, False, fix.op)
    shown = next((k for k, o in enumerate(turned) if meet.stretched(o)), fix.changed[0])
    read = f"{fix.names[shown]}{', stretched' if meet.stretched(turned[shown]) else ''}"
    result = f"result, {shape_text(fix.result)}"
    return WayOut(fix.code, fix.said, (meet.side(shown, (bold(read),)), meet.result((bold(result),))))


def _turned(operand: Operand, order: Order) -> Operand:
    """The operand with its dimensions in another order, or with new ones of size 1: the same elements."""

    def turn(of: Sequence[Any], new: Any) -> tuple[Any, ...]:
        return tuple(new if d is None else of[d] for d in order)

    values = None if operand.values is None else {turn(index, 0): v for index, v in operand.values.items()}
    layout = operand.layout
    if layout is not None:
        window = Window(turn(layout.size, 1), turn(layout.window.kept, (0,)))
        layout = replace(
            layout, size=window.size, byte_stride=turn(layout.byte_stride, 0), window=window,
            values=None if values is None else tuple(values[index] for index in window.indices()),
        )  # fmt: skip
    return replace(operand, size=turn(operand.size, 1), stride=turn(operand.stride, 0), values=values, layout=layout)
