"""An einsum in progress: the sum after some of its terms, and the four steps of computing it by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from ..engine.types.einsum_equation import Plan
from ..pictures.arrays.labels import atom
from ..pictures.arrays.values import in_cell, index_text, shape_text, short
from ..pictures.arrays.window import Window, edges
from ..pictures.drawing.inline import Line, bold, muted
from ..pictures.drawing.scene import Block, Cell, Code, Gap, Heading, note
from ..pictures.drawing.tokens import place
from ..pictures.operations.broadcast.meetings import Scale
from ..pictures.operations.einsum.cells import RESULT, WHOLE, WORK, whole_of
from ..pictures.operations.einsum.drawn import Drawn
from ..pictures.operations.einsum.einsum import numpy_only
from ..pictures.operations.einsum.running_sum import RunningSum
from ..pictures.operations.meeting import Meeting
from ..pictures.operations.operands import Index, Operand
from ..pictures.parts.letters import key, spelled
from ..pictures.parts.panel import Panel, in_a_row, panel

STEPS = ("meet", "align", "multiply", "sum", "permute")
DRAWN = 240


def terms_of(plan: Plan) -> int:
    """How many products are summed into each element of the result."""
    return prod(plan.size_of[letter] for letter in plan.summed)


class Growing(Drawn):
    """The picture of an equation after `done` of its terms, with one element of the result selected."""

    def __init__(self, plan: Plan, operands: Sequence[Operand], things: Sequence[Any], done: int, at: Index | None):
        self.done, self.total, self.wanted = done, terms_of(plan), at
        super().__init__(plan, operands, things)

    def _values(self, things: Sequence[Any]) -> dict[Index, Any]:
        whole = super()._values(things)
        if self.done >= self.total or not whole:
            return whole
        result = products(self.plan, self.operands, things, self.meeting)
        if result is None:
            return whole
        axes = [*self.plan.output, *self.plan.summed]
        order = [list(self.plan.size_of).index(letter) for letter in axes]
        flat = result.transpose(order).reshape(*self.plan.result, self.total)
        with np.errstate(all="ignore"):
            partial = flat[..., : self.done].sum(-1, dtype=result.dtype)
        return {index: partial[index].item() for index in whole}

    def _example(self) -> dict[str, int] | None:
        hand = super()._example()
        window = self.window(self.plan.output)
        if hand is not None and self.wanted is not None and self.wanted in set(window.indices()):
            hand = dict(zip(self.plan.output, self.wanted, strict=True))
        if hand is not None and self.partial:
            hand |= self.place(self.done - 1)
        return hand

    @property
    def partial(self) -> bool:
        """Whether only some of the terms are summed; then the last of them is the example."""
        return 0 < self.done < self.total

    def result_cell(self, index: Index) -> Cell:
        cell = super().result_cell(index)
        mine = self.hand is not None and index == self.hand_index()
        return cell._replace(mark=("linked" if self.partial else "hand") if mine else "")

    def sum_so_far(self) -> list[Block]:
        blocks = super().sum_so_far()
        if not self.partial or not blocks:
            return blocks
        (run,) = blocks
        assert isinstance(run, RunningSum)
        *before, last = run.terms
        return [replace(run, terms=(*before, last._replace(keys=f"{last.keys} tw-eg tw-src")))]

    @property
    def added(self) -> int:
        return self.done


def products(plan: Plan, operands: Sequence[Operand], things: Sequence[Any], meeting: Any) -> np.ndarray | None:
    """The product for each value of every letter, in the dtype of the result; None if there are too many, or if they
    are no numbers."""
    small = all(o.numel <= WHOLE for o in operands) and plan.products <= WORK
    if not isinstance(meeting, Meeting) or not small or meeting.numpy.kind in "mMOSU":
        return None
    into = meeting.numpy
    out = np.ones((), into)
    with np.errstate(all="ignore"):
        for operand, thing, names in zip(operands, things, plan.inputs, strict=True):
            out = out * aligned(plan, whole_of(operand, thing, into), names)
    return np.broadcast_to(out, tuple(plan.size_of.values())).astype(into)


def aligned(plan: Plan, array: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """An operand with one dimension for each letter of the equation; missing dimensions have size 1."""
    for letter in dict.fromkeys(names):
        while list(names).count(letter) > 1:
            first = list(names).index(letter)
            second = list(names).index(letter, first + 1)
            array = array.diagonal(0, first, second)
            names = [*(c for d, c in enumerate(names) if d not in (first, second)), letter]
    order = [list(names).index(letter) for letter in plan.size_of if letter in names]
    shape = [array.shape[list(names).index(letter)] if letter in names else 1 for letter in plan.size_of]
    return array.transpose(order).reshape(shape)


@dataclass(frozen=True)
class Made:
    """The result of one step: its code, and its elements by the letters of their dimensions."""

    code: str
    label: str
    letters: tuple[str, ...]
    values: np.ndarray


class ByHand:
    """An equation in four steps: align the letters, multiply, sum, permute the rest."""

    def __init__(self, plan: Plan, operands: Sequence[Operand], things: Sequence[Any], drawn: Drawn):
        self.plan, self.drawn = plan, drawn
        self.known = products(plan, operands, things, drawn.meeting)
        self.operands, self.things = operands, things

    def lines(self) -> list[tuple[str, str]]:
        """The code of each step."""
        letters = list(self.plan.size_of)
        lines = []
        names = [f"a{k}" for k in range(len(self.operands))]
        numpy = numpy_only(self.operands)
        turn = "transpose" if numpy else "permute"
        for name, operand, own in zip(names, self.operands, self.plan.inputs, strict=True):
            lines.append(("align", f"{name} = {_aligning(atom(operand.label), own, letters, numpy)}"))
        lines.append(("multiply", f"p = {' * '.join(names)}"))
        gone = [letters.index(letter) for letter in self.plan.summed]
        dims = f"({', '.join(map(str, gone))})" if len(gone) > 1 else str(gone[0]) if gone else ""
        lines.append(("sum", f"s = p.sum({dims})" if gone else "s = p  # nothing is summed"))
        left = [letter for letter in letters if letter in self.plan.output]
        order = [left.index(letter) for letter in self.plan.output]
        same = order == sorted(order)
        lines.append(("permute", f"{RESULT} = s" if same else f"{RESULT} = s.{turn}({', '.join(map(str, order))})"))
        return lines

    def made(self, step: str) -> list[Made]:
        """The result of a step."""
        letters = tuple(self.plan.size_of)
        if step == "align":
            assert isinstance(self.drawn.meeting, Meeting)
            into = self.drawn.meeting.numpy
            return [
                Made("", f"a{k}", letters, aligned(self.plan, whole_of(operand, thing, into), own))
                for k, (operand, thing, own) in enumerate(
                    zip(self.operands, self.things, self.plan.inputs, strict=True)
                )
            ]
        assert self.known is not None
        if step == "multiply":
            return [Made("", "p", letters, self.known)]
        gone = tuple(letters.index(letter) for letter in self.plan.summed)
        with np.errstate(all="ignore"):
            summed = self.known.sum(gone, dtype=self.known.dtype) if gone else self.known
        left = tuple(letter for letter in letters if letter in self.plan.output)
        if step == "sum":
            return [Made("", "s", left, summed)]
        order = [left.index(letter) for letter in self.plan.output]
        return [Made("", RESULT, self.plan.output, summed.transpose(order))]

    def blocks(self, step: str) -> list[Block]:
        """The code up to this step, and its last result."""
        far = STEPS.index(step)
        lines: list[Line] = []
        for of, code in self.lines():
            now = STEPS.index(of)
            lines.append(bold(code) if now == far else muted(code) if now > far else code)
        blocks: list[Block] = [Heading(_SAID[step], 8), Code(tuple(lines)), Gap(16)]
        if self.known is None:
            return blocks
        panels = [self._panel(made) for made in self.made(step)]
        return [*blocks, in_a_row(panels, [","] * (len(panels) - 1))]

    def _panel(self, made: Made) -> Panel:
        window = _window(made.values.shape)
        scale = Scale(made.values.ravel()[:4096].tolist())
        numbers = made.values.dtype.kind in "biufc"
        cells = {}
        for index in window.indices():
            value = made.values[index].item()
            sizes = zip(made.values.shape, made.letters, strict=True)
            stretched = [n == 1 and self.plan.size_of[c] != 1 for n, c in sizes]
            keys = " ".join(
                key(letter, i) for letter, i, wide in zip(made.letters, index, stretched, strict=True) if not wide
            )
            fill = scale.fill(value) if numbers else place(0, 1)
            cells[index] = Cell(
                in_cell(value), keys, note(atom(made.label) + index_text(index), f"= {short(value)}"), fill
            )
        caption: list[Any] = [bold(made.label), f" {shape_text(made.values.shape)} "]
        for letter in made.letters:
            caption += [self.drawn.alphabet.ink(letter), " "]
        axes = tuple(self.drawn.alphabet.hue(letter) for letter in made.letters)
        heads = tuple(spelled(letter) for letter in made.letters)
        return panel((tuple(caption),), window, cells, axes, heads, small=window.count > 24)


_SAID = {
    "align": "Align: a dimension for each letter, in one order; a letter that is not there has size 1",
    "multiply": "Multiply: the sizes of 1 stretch, and everything meets",
    "sum": "Sum: the letters that the output does not name go away",
    "permute": "Permute: what is left, in the order of the output",
}


def _aligning(label: str, names: Sequence[str], letters: Sequence[str], numpy: bool) -> str:
    """The code that gives an operand one dimension for each letter."""
    code, own = label, list(names)
    for letter in dict.fromkeys(names):
        while own.count(letter) > 1:
            first = own.index(letter)
            second = own.index(letter, first + 1)
            code += f".diagonal(0, {first}, {second})"
            own = [c for d, c in enumerate(own) if d not in (first, second)] + [letter]
    order = [own.index(letter) for letter in letters if letter in own]
    if order != sorted(order):
        code += f".{'transpose' if numpy else 'permute'}({', '.join(map(str, order))})"
    if len(own) < len(letters):
        code += f"[{', '.join(':' if letter in own else 'None' for letter in letters)}]"
    return code


def _window(size: tuple[int, ...]) -> Window:
    """All of a small array, the edges of a larger one."""
    room = (most for most in (max(size, default=1), 8, 6, 4, 3, 2) if prod(min(n, most) for n in size) <= DRAWN)
    most = next(room, 1)
    return Window(size, tuple(edges(n, min(n, most)) for n in size))
