"""EinsumExplorer: edit the equation, slide through the summed letters, and take the sum apart into its steps."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

from ..engine.errors.reasons import Reason
from ..engine.types.einsum_equation import Plan, fit, parse
from ..pictures.arrays.labels import labels_of
from ..pictures.arrays.values import count, shape_text
from ..pictures.drawing.scene import Block, Gap, Note, Title
from ..pictures.operations.einsum.einsum import as_numpy_has_it, einsum_picture, numpy_only
from ..pictures.operations.operands import Index, operands_of
from ..pictures.parts.letters import Formula, spelled
from . import traits
from .controls import Button, Control, Play, Slider, Text
from .explorer import Explorer, refusal
from .summing import STEPS, ByHand, Growing, terms_of
from .typed.integers import integer, refused


class EinsumExplorer(Explorer):
    """An equation and what it does to its operands.

    >>> import numpy as np
    >>> w = EinsumExplorer("ij,jk->ik", np.arange(6.0).reshape(2, 3), np.ones((3, 2)), labels=["A", "B"])
    >>> w.value, w.terms
    (12.0, 3)
    >>> w.term = 2
    >>> w.value, w.status
    (7.0, 'result[1, 1] after 2 of 3 terms, j = 1: 7.')
    """

    equation = traits.Text("")
    term = traits.Whole(0, help="How many terms are summed.")
    step = traits.Text("meet", help="meet, align, multiply, sum or permute.")

    STATE = ("equation", "term", "step")

    def __init__(self, equation: str, *operands: Any, labels: Sequence[str] | None = None, predict: bool = False):
        if not operands or not isinstance(equation, str):
            raise TypeError("EinsumExplorer() takes an equation and its operands: EinsumExplorer('ij,jk->ik', A, B)")
        super().__init__()
        self._things = operands
        self._labels = labels_of(sys._getframe(1), len(operands), labels, first=1)
        self._operands = operands_of(operands, self._labels)
        self._plan: Plan | Reason = Reason("einsum.none", RuntimeError, "")
        self._drawn: Growing | None = None
        with self._at_once():
            self.equation, self.predict = equation, predict
            self._read()

    # -- the state -----------------------------------------------------------------------------------

    def _read(self) -> None:
        text = str(self.equation)
        sizes = [o.size for o in self._operands]
        plan = fit(parse(text, [len(size) for size in sizes]), sizes)
        if isinstance(plan, Plan) and numpy_only(self._operands):
            plan = as_numpy_has_it(plan)
        self._plan = plan
        self.term = self.terms

    @property
    def terms(self) -> int:
        """How many products are summed into each element of the result; 0 if the equation is invalid."""
        return terms_of(self._plan) if isinstance(self._plan, Plan) else 0

    @property
    def result(self) -> tuple[int, ...] | None:
        """The size of the result; None if the equation is invalid."""
        return self._plan.result if isinstance(self._plan, Plan) else None

    @property
    def value(self) -> Any:
        """The selected element after the terms summed so far; None if its value is unknown."""
        if self._drawn is None or self._drawn.hand is None:
            return None
        return self._drawn.values.get(self._drawn.hand_index())

    @property
    def _done(self) -> int:
        asked = integer(self.term)
        return self.terms if asked is None else min(max(asked, 0), self.terms)

    def _hand(self) -> Index | None:
        """The element of the result that was selected."""
        result = re.fullmatch(r"result\[([\d, ]+)\]", str(self.selected))
        return tuple(int(i) for i in result[1].split(",")) if result else None

    def _changed(self, names: Sequence[str]) -> None:
        if "equation" in names:
            self._read()

    # -- controls ------------------------------------------------------------------------------------

    def _moved(self, name: str, value: Any) -> None:
        if name == "equation":
            self.equation = str(value)
            self._read()
        elif name == "term":
            self.term = value
        elif name in ("before", "after"):
            self.term = min(max(self._done + (1 if name == "after" else -1), 0), self.terms)
        elif name.startswith("step "):
            self.step = name.removeprefix("step ")

    def _controls(self) -> list[Control]:
        wrong = isinstance(self._plan, Reason)
        out: list[Control] = [Text("equation", "", str(self.equation), 28, wrong, group="equation")]
        out += [
            Button(f"step {step}", step, _STEP_SAID[step], pressed=self._step() == step, group="steps")
            for step in STEPS
        ]
        if isinstance(self._plan, Plan) and self._plan.summed and self.terms:
            letters = ", ".join(map(spelled, self._plan.summed))
            shown = f"{self._done} of {self.terms}"
            hue = list(self._plan.size_of).index(self._plan.summed[0]) if len(self._plan.summed) == 1 else None
            out.append(Slider("term", letters, self._done, 0, self.terms, shown=shown, hue=hue, group="sum over"))
            out.append(Button("before", "◀ back", "one term less", group="sum over"))
            out.append(Play("play", "▶ play", "term", "one term after the other", group="sum over"))
            out.append(Button("after", "next ▶", "one term more", group="sum over"))
        return out

    def _step(self) -> str:
        return self.step if self.step in STEPS else "meet"

    # -- what is seen and said -----------------------------------------------------------------------

    def _scene(self) -> Sequence[Block]:
        self._drawn = None
        head = f"einsum('{self.equation}', {', '.join(self._labels)})"
        if not isinstance(self._plan, Plan):
            self.reason = self._plan
            return einsum_picture(str(self.equation), self._things, self._labels).blocks
        self.reason = self._wrong_step()
        drawn = self._drawn = Growing(self._plan, self._operands, self._things, self._done, self._hand())
        blocks: list[Block] = [Title(head, drawn.size_up() if len(head) < 60 else "")]
        if self.reason is not None:
            blocks += [refusal(self.reason, "step"), Gap(16)]
        if self._step() != "meet":
            hand = ByHand(self._plan, self._operands, self._things, drawn)
            return [*blocks, Formula(self._plan.equation, drawn.alphabet), *hand.blocks(self._step())]
        blocks += [*drawn.explained(), *drawn.sum_so_far(), drawn.sentence(), *drawn.order()]
        return [*blocks, *(Note(line) for line in drawn.remarks())]

    def _wrong_step(self) -> Reason | None:
        if self.step in STEPS:
            return None
        return refused("step", f"The steps are {', '.join(STEPS)}; {self.step!r} is not one of them.")

    def _status_text(self) -> str:
        assert isinstance(self._plan, Plan) and self._drawn is not None
        if self._step() != "meet":
            return f"{_STEP_SAID[self._step()]}."
        hand = self._drawn.hand
        if hand is None or not self.terms or not self._plan.summed:
            return f"{self.equation}: the result has size {shape_text(self._plan.result)}."
        where = f"result[{', '.join(map(str, self._drawn.hand_index()))}]"
        last = (
            ", ".join(f"{spelled(c)} = {i}" for c, i in self._drawn.place(self._done - 1).items()) if self._done else ""
        )
        known = "" if self.value is None else f": {self._drawn.number_text(self.value)}"
        return f"{where} after {self._done} of {count(self.terms, 'term')}{', ' + last if last else ''}{known}."

    def _quiz(self) -> tuple[str, str] | None:
        if not isinstance(self._plan, Plan):
            return None
        return f"{self.equation}: what size does the result have?", shape_text(self._plan.result)

    def _covered(self) -> Sequence[Block]:
        text = ", ".join(f"{o.label} {shape_text(o.size)}" for o in self._operands)
        return [Title(f"einsum('{self.equation}', {', '.join(self._labels)})"), Note(text)]


_STEP_SAID = {
    "meet": "Which cells meet",
    "align": "One dimension for each letter",
    "multiply": "Everything that meets, multiplied",
    "sum": "The summed letters are gone",
    "permute": "What is left, in the order of the output",
}
