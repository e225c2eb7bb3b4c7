"""One step of a backward pass with its numbers: the gradients that meet, their sum, and what the node sends on."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...arrays.graphs.gradients import COLUMNS, Gradient, Pass
from ...arrays.graphs.tape import short_name
from ...arrays.values import shape_text, short
from ...drawing.html import div
from ...drawing.inline import Line, bold, muted
from ...drawing.scene import Beside, Block, Cell, Heading
from ...drawing.tokens import MONO, MUTED, value
from ...parts.grid import Framed, Grid

PARTS, SENT = 4, 3
"""How many parts of a sum, and how many gradients that are sent on, are drawn with their numbers."""


def meeting(done: Pass, k: int) -> list[Block]:
    """The blocks that show a step: nothing if there are no numbers."""
    turn = done.turns[k]
    if turn.total is None or not turn.total.values:
        return []
    step = done.tape.steps[turn.step]
    name = step.label or ("the leaf" if step.is_leaf else short_name(step))
    blocks: list[Block] = [Heading((muted(f"Step {k + 1}: "), f"what arrives at {name}"))]
    parts = turn.parts[:PARTS] if len(turn.parts) > 1 else ()
    sent = turn.sends[:SENT]
    most = _largest([turn.total, *[part.gradient for part in parts], *[gradient for _, gradient in sent]])
    shown: list[Block] = []
    for at, part in enumerate(parts):
        shown += [Sign("+")] if at else []
        shown.append(Numbers(_sender(part.sender), part.gradient, most, "+" if at else ""))
    more = len(turn.parts) - PARTS
    if parts:
        shown.append(Sign(f"+ {more} more =" if more > 0 else "="))
    title = "sum" if parts else _sender(turn.parts[0].sender)
    sign = f"+ {more} more =" if parts and more > 0 else "=" if parts else ""
    shown.append(Numbers(title, turn.total, most, sign))
    blocks.append(Beside(shown, gap=12, below=8))
    if sent:
        blocks.append(Heading((muted("and what "), short_name(step), muted(" sends on")), top=12))
        numbers = [Numbers(f"to {_receiver(done, to)}", gradient, most) for to, gradient in sent]
        blocks.append(Beside(numbers, gap=28, below=8))
    elif step.is_leaf:
        grad = f"{name}.grad" if step.label else ".grad"
        blocks[0] = Heading((muted(f"Step {k + 1}: "), f"what is added to {grad}"))
    return blocks


def _sender(turn: int) -> str:
    return f"from step {turn + 1}" if turn >= 0 else "the start"


def _largest(gradients: list[Gradient]) -> float:
    """The largest size of a number: all grids of a step have one scale of colours."""
    sizes = [abs(v) for gradient in gradients for line in gradient.values for v in line]
    return max([v for v in sizes if math.isfinite(v)], default=0) or 1


def _receiver(done: Pass, to: int) -> str:
    step = done.tape.steps[to]
    return step.label or ("a leaf" if step.is_leaf else short_name(step))


@dataclass(frozen=True)
class Numbers:
    """A gradient as a grid of cells, the colour by size."""

    title: str
    gradient: Gradient
    most: float
    sign: str = ""
    """What the text has before it."""

    def html(self) -> str:
        size, values = self.gradient.size, self.gradient.values
        rows = [[Cell(short(v), fill=value(self._share(v))) for v in line] for line in values]
        if size and size[-1] > COLUMNS:
            rows = [[*line, Cell("…", kind="gap")] for line in rows]
        if len(size) > 1 and size[-2] > len(values) and rows:
            rows.append([Cell("…", kind="gap") for _ in rows[0]])
        if not rows or not rows[0]:
            rows = [[Cell("none", kind="gap")]]
        caption: tuple[Line, ...] = (bold(self.title), self._shape())
        return Framed(Grid(rows, gap=(0, 0), width=46, height=26, caption=caption)).html()

    def _share(self, v: complex) -> float:
        size = abs(v)
        return min(size / self.most, 1.0) if size == size else 0.0

    def _shape(self) -> str:
        return shape_text(self.gradient.size) + (", first matrix" if len(self.gradient.size) > 2 else "")

    def text(self) -> str:
        size, values = self.gradient.size, self.gradient.values
        more = ", …" if size and size[-1] > COLUMNS else ""
        lines = [f"[{', '.join(map(short, line))}{more}]" for line in values]
        if len(size) > 1:
            below = ", …" if size[-2] > len(values) else ""
            inner = f"[{', '.join(lines)}{below}]"
        else:
            inner = (lines[0] if size else lines[0][1:-1]) if lines else "none"
        return f"  {self.sign + ' ' if self.sign else ''}{self.title} {self._shape()}: {inner}"


@dataclass(frozen=True)
class Sign:
    """A sign between grids, on the line of their first row."""

    sign: str

    def html(self) -> str:
        return div(self.sign, f"font:700 15px/26px {MONO};color:{MUTED};padding:50px 0 0;white-space:nowrap")

    def text(self) -> str:
        return ""
