"""Exercises whose answer is an equation of einsum: judged on what it gives, whatever its letters are."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from .drawn import yours_and_wanted
from .plainly import Raised, Table, as_text, plainly
from .tensors_asked import first_difference
from .verdict import Exercise, Fact, Verdict, not_started

PYTHON = "Write the equation alone: letters, commas and an arrow."


@dataclass(frozen=True, kw_only=True)
class EquationExercise(Exercise):
    """An equation is tried on tensors of these sizes, whose numbers are all different."""

    equation: str
    sizes: tuple[tuple[int, ...], ...]

    def judge(self, answer: Any, library: Any, called: str) -> Verdict:
        if answer is ...:
            return not_started()
        if not isinstance(answer, str):
            return Verdict(
                "not yet", "your answer", f"is {as_text(plainly(answer))}, not an equation in quotation marks"
            )
        mine, wanted = self._tried(answer), self._tried(self.equation)
        if mine == wanted:
            right = Fact(True, "result", f"of size {_size(wanted)}, all numbers as wanted")
            return Verdict("done", f'"{answer}"', "does what was asked for", facts=(right,))
        hint = next((m.hint for m in self.mistakes if self._tried(m.answer) == mine), "")
        if isinstance(mine, Raised):
            if not hint and set(answer) & set("()[]="):
                return Verdict("not yet", f'"{answer}"', "is Python", PYTHON)
            return Verdict("not yet", f'"{answer}"', f"is refused: {mine.message}", hint)
        if not isinstance(mine, Table) or not isinstance(wanted, Table):
            return Verdict("not yet", f'"{answer}"', f"gives {as_text(mine)}, wanted {as_text(wanted)}", hint)
        place, said = first_difference(mine, wanted)
        seen = yours_and_wanted(mine, wanted, None, None, f'"{answer}"', sorted({*wanted.values}))
        return Verdict("not yet", f'"{answer}"', f"{place}: {said}", hint, seen=seen)

    def _tried(self, equation: str) -> Any:
        """What an equation gives on this exercise's tensors: a table, a number, or which rule it breaks."""
        import tensorwidgets

        operands, start = [], 1
        for size in self.sizes:
            operands.append(tensorwidgets.arange(start, start + prod(size)).reshape(size))
            start += prod(size)
        try:
            return plainly(tensorwidgets.einsum(equation, *operands))
        except Exception as refused:
            rule = getattr(getattr(refused, "reason", None), "rule", type(refused).__name__)
            return Raised(rule, (str(refused).splitlines() or [""])[0].removeprefix("einsum(): "))


def _size(value: Any) -> str:
    return str(value.size) if isinstance(value, Table) else "()"
