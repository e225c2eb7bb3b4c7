"""An equation that fits its operands, drawn: the letters, the cells, the sum so far, the order of several operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from ....engine.types.einsum_equation import REST
from ...arrays.labels import atom
from ...arrays.values import count, index_text, shape_text
from ...arrays.window import Window
from ...drawing.html import row, table, td
from ...drawing.inline import Ink, Line, bold, muted
from ...drawing.scene import Beside, Block, Cell, Gap, Heading, Note, Sentence, Sheet, Stack, note
from ...drawing.tokens import WIDTH
from ...parts.letters import Formula, Loops, key, letter_table, spelled
from ...parts.panel import Panel, in_a_row, panel
from ..meeting import Meeting
from ..operands import Index, Operand
from .cells import RESULT, Fibres, wrapped
from .contraction import all_at_once, best_path, left_to_right, steps
from .known_equations import same_as
from .running_sum import RunningSum, Term


@dataclass(frozen=True)
class Cube:
    """A matrix product as it is drawn on paper: the right operand above the result, the left one next to it."""

    left: Panel
    right: Panel
    result: Panel

    @property
    def width(self) -> int:
        return self.left.width + 20 + max(self.right.width, self.result.width)

    def html(self) -> str:
        # The left one reaches over both rows, so that the operands keep their order in the page.
        side = "text-align:left;vertical-align:"
        left = td(self.left.html(), f"{side}bottom;padding:0 16px 0 0", rows=2)
        above = row(left + td(self.right.html(), f"{side}bottom;padding:0 0 12px"))
        below = row(td(self.result.html(), f"{side}bottom"))
        return table([above, below])

    def text(self) -> str:
        return "\n".join(one.text() for one in (self.left, self.right, self.result))


class Drawn(Fibres):
    """The blocks of the picture."""

    def size_up(self) -> str:
        """`2 · 3 · 4 = 24 products`."""
        sizes = " · ".join(str(n) for n in self.plan.size_of.values())
        total = count(self.plan.products, "element" if len(self.operands) == 1 else "product")
        return f"{sizes} = {total}" if len(self.plan.size_of) > 1 else total

    def explained(self) -> list[Block]:
        """The equation as letters, as loops, and as grids."""
        formula = Formula(self.plan.equation, self.alphabet)
        letters = letter_table(self.plan, self.alphabet, [o.label for o in self.operands], RESULT)
        loops = Loops(self.plan, self.alphabet, tuple(atom(o.label) for o in self.operands), RESULT)
        grids = self.grids()
        wide = 240 + sum(max(62, 16 + 8 * len(o.label)) for o in self.operands)
        longest = 40 + round(7.3 * max(len(line) - 4 for line in loops.text().splitlines()))
        if isinstance(grids, Cube) and max(wide, longest) + 36 + grids.width <= WIDTH:
            return [Beside([Stack([formula, letters, Gap(4), loops]), grids], 36)]
        if wide + 36 + longest <= WIDTH:
            return [formula, Beside([letters, loops], 36), Gap(20), grids]
        return [formula, letters, Gap(4), replace(loops, width=min(longest, WIDTH - 40)), Gap(20), grids]

    def panels(self) -> list[Panel]:
        """One for each operand, and the result."""
        out = []
        for k, (operand, names) in enumerate(zip(self.operands, self.plan.inputs, strict=True)):
            window = self.window(names, operand.size)
            cells = {index: self.operand_cell(k, index) for index in window.indices()}
            out.append(self._panel(operand.label, names, window, cells))
        window = self.window(self.plan.output)
        cells = {index: self.result_cell(index) for index in window.indices()}
        return [*out, self._panel(RESULT, self.plan.output, window, cells)]

    def _panel(self, name: str, names: Sequence[str], window: Window, cells: Mapping[Index, Cell]) -> Panel:
        parts: list[str | Ink] = [bold(name)]
        for d, letter in enumerate(names):
            arrow = {1: "→", 2: "↓"}.get(len(names) - d, "")
            parts += [" ", self.alphabet.ink(letter), muted(arrow)]
        axes = tuple(self.alphabet.hue(letter) for letter in names)
        heads = tuple(spelled(letter) for letter in names)
        return panel((tuple(parts),), window, cells, axes, heads, small=window.count > 40)

    def grids(self) -> Block:
        """Two matrices and their product as a cube, all else in a row."""
        panels = self.panels()
        names = self.plan.inputs
        if len(names) == 2 and all(len(one) == 2 for one in names):
            (a, b), (c, d) = names
            if b == c and self.plan.output == (a, d) and len({a, b, d}) == 3:
                return Cube(*panels)
        return in_a_row(panels, [","] * (len(panels) - 2) + ["→"])

    def sum_so_far(self) -> list[Block]:
        """The example's sum, term by term."""
        if self.hand is None or not self.plan.summed or len(self.operands) < 2 or not self.values:
            return []
        places, total = self.terms(self.hand_index())
        if not places or prod(self.plan.size_of[letter] for letter in self.plan.summed) < 2:
            return []
        into = self.meeting.numpy if isinstance(self.meeting, Meeting) else None
        run: Any = 0
        terms = []
        for at in places:
            amount = self.product(at)
            run = wrapped(run + amount, into)
            description = " × ".join(text for _, text in self.factors(at))
            subject = ", ".join(f"{spelled(letter)} = {at[letter]}" for letter in self.plan.summed)
            said = f"{' × '.join(name for name, _ in self.factors(at))} = {description} = {self.number_text(amount)}"
            terms.append(
                Term(
                    ", ".join(str(at[letter]) for letter in self.plan.summed),
                    f"{description} = {self.number_text(amount)}",
                    self.number_text(run),
                    " ".join(key(letter, i) for letter, i in at.items()),
                    note(subject, said),
                )  # fmt: skip
            )
        if total > len(places):
            # What lies between the drawn terms is in the result only.
            whole = self.number_text(self.values[self.hand_index()])
            terms = [term._replace(so_far="") for term in terms[:-1]] + [terms[-1]._replace(so_far=whole)]
        hue = self.alphabet.hue(self.plan.summed[0])
        return [RunningSum(self.alphabet.listed(self.plan.summed), tuple(terms), total, hue)]

    def sentence(self) -> Sentence:
        if self.hand is None:
            return Sentence(RESULT, f"size {shape_text(self.plan.result)}: no element", self.after())
        return Sentence(RESULT + index_text(self.hand_index()), self.reason(self.hand_index()), self.after())

    def after(self) -> str:
        """Which fibres meet, and what it all costs."""
        said = ""
        summed = ", ".join(map(spelled, self.plan.summed))
        if self.hand is not None and summed and all(self.plan.inputs):
            parts = [self._fibre(o, names) for o, names in zip(self.operands, self.plan.inputs, strict=True)]
            verb = {1: "is summed", 2: "meet"}.get(len(parts), "meet")
            said = f"{' and '.join(parts) if len(parts) < 3 else ', '.join(parts)} {verb} along {summed}. "
        products, sums = all_at_once(self.plan), self.plan.products - prod(self.plan.result)
        parts = [count(n, word) for n, word in ((products, "multiplication"), (max(sums, 0), "addition")) if n]
        said += f"{' and '.join(parts)} in all." if parts else "Nothing is computed: elements are only read."
        known = same_as(self.plan, [o.label for o in self.operands])
        return said + (f" The same as {known}." if known else "")

    def _fibre(self, operand: Operand, names: Sequence[str]) -> str:
        hand = self.hand or {}
        index = [
            "0" if n == 1 else str(hand[c]) if c in hand else ":" for c, n in zip(names, operand.size, strict=True)
        ]
        return f"{atom(operand.label)}[{', '.join(index)}]"

    def order(self) -> list[Block]:
        """For three operands and more: the steps of the best order, next to other orders."""
        if len(self.operands) < 3:
            return []
        labels = [atom(o.label) for o in self.operands]
        best = steps(self.plan, best_path(self.plan), labels)
        plain = steps(self.plan, left_to_right(self.plan), labels)
        rows: tuple[tuple[Line, ...], ...] = tuple(
            (s.made, ", ".join(s.names), self._spelled(s.inputs, s.output), shape_text(s.size), f"{s.cost:,}")
            for s in best
        )
        costs = (
            f"{all_at_once(self.plan):,} multiplications all at once, as in the loops; "
            f"{sum(step.cost for step in plain):,} two at a time from left to right; "
            f"{sum(step.cost for step in best):,} in this order, which np.einsum_path finds."
        )
        heads: tuple[Line, ...] = ("makes", "of", "by", "size", "multiplications")
        return [Heading("In which order"), Sheet(heads, rows, (64, 150, 190, 110, 120)), Note(costs)]

    def _spelled(self, inputs: Sequence[Sequence[str]], output: Sequence[str]) -> Line:
        parts: list[str | Ink] = []
        for k, names in enumerate(inputs):
            parts += [", "] if k else []
            parts += [self.alphabet.ink(letter) for letter in names]
        return (*parts, " → ", *(self.alphabet.ink(letter) for letter in output))

    def remarks(self) -> list[str]:
        """What the reader has to know about this picture, and nothing that does not occur in it."""
        return [*self._about_rest(), *self._about_stretching(), *self._about_what_is_drawn()]

    def _about_rest(self) -> list[str]:
        if not any(REST in names for names in self.plan.equation.inputs):
            return []
        if not self.plan.rest:
            return ["… is whatever the letters leave over: here nothing."]
        sizes = ", ".join(f"{spelled(c)} of size {self.plan.size_of[c]}" for c in self.plan.rest)
        kept = all(name in self.plan.output for name in self.plan.rest)
        fate = "It is kept." if kept else "The output leaves it out: PyTorch sums it, NumPy refuses."
        return [f"… is whatever the letters leave over: here {sizes}. {fate}"]

    def _about_stretching(self) -> list[str]:
        stretched = [
            f"{o.label} has 1 for {spelled(letter)} and is read again for each"
            for o, names in zip(self.operands, self.plan.inputs, strict=True)
            for letter, n in zip(names, o.size, strict=True)
            if n == 1 != self.plan.size_of[letter]
        ]
        return ["; ".join(dict.fromkeys(stretched)) + "."] if stretched else []

    def _about_what_is_drawn(self) -> list[str]:
        lines = []
        if any(o.kind == "shape" for o in self.operands):
            lines.append("A shape has no values: its cells show the place of each element in its own storage.")
        windows = [self.window(n, o.size) for n, o in zip(self.plan.inputs, self.operands, strict=True)]
        left = sum(window.left_out for window in [*windows, self.window(self.plan.output)])
        if left:
            lines.append(f"{count(left, 'cell')} {'is' if left == 1 else 'are'} not drawn.")
        return lines
