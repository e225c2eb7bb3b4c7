"""Einsum's letters: each has a colour and a line, and a summed one is tinted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...engine.types.einsum_equation import REST, Equation, Plan
from ..drawing.html import div, plain, row, table, td, th
from ..drawing.inline import Ink, Line, markup, muted, words
from ..drawing.scene import Code, columns
from ..drawing.tokens import CLASH, CLASH_TINT, MONO, MUTED, RULE, SANS, TINT, axis_colour, hue, line


@dataclass(frozen=True)
class Alphabet:
    """Which letter has which look: colours go by first appearance."""

    order: tuple[str, ...]
    summed: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    """Letters that a refusal is about."""

    def hue(self, letter: str) -> int:
        return self.order.index(letter)

    def ink(self, letter: str, size: int = 0) -> Ink:
        """The letter in its colour, over its line."""
        if letter not in self.order:
            return Ink(spelled(letter), f"color:{MUTED}")
        k = self.hue(letter)
        colour = CLASH if letter in self.wrong else axis_colour(k)
        style = f"color:{colour};font-weight:700;border-bottom:{3 if line(k) == 'double' else 2}px {line(k)}"
        if letter in self.wrong:
            style += f";background:{CLASH_TINT}"
        elif letter in self.summed:
            style += f";background:{TINT[hue(k)]}"
        if size:
            style += f";font-size:{size}px;line-height:{size + 6}px;padding:0 2px;margin:0 1px"
        return Ink(spelled(letter), style)

    def listed(self, letters: Sequence[str], between: str = ", ") -> tuple[str | Ink, ...]:
        """The letters with commas between them."""
        parts: list[str | Ink] = []
        for k, letter in enumerate(letters):
            parts += [between, self.ink(letter)] if k else [self.ink(letter)]
        return tuple(parts)


def spelled(letter: str) -> str:
    """How a letter is written; the dimensions of `...` keep their dots.

    >>> spelled("i"), spelled("...0")
    ('i', '…0')
    """
    return letter.replace(REST, "…")


def key(letter: str, number: int) -> str:
    """The class that links cells which agree on a letter.

    >>> key("j", 2), key("...1", 0)
    ('i-j2', 'i-dotb0')
    """
    name = f"dot{chr(97 + int(letter[len(REST) :]))}" if letter.startswith(REST) else letter
    return f"i-{name}{number}"


@dataclass(frozen=True)
class Formula:
    """The equation, large, with its letters in their colours."""

    equation: Equation
    alphabet: Alphabet

    def html(self) -> str:
        plain = f"font-size:24px;line-height:30px;color:{MUTED}"
        parts: list[Ink | str] = []
        for k, letters in enumerate(self.equation.inputs):
            if k:
                parts.append(Ink(", ", plain))
            parts += self._letters(letters, plain)
        parts.append(Ink(" → ", plain))
        parts += self._letters(self.equation.output, plain)
        return div(markup(tuple(parts)), f"font:700 24px/34px {MONO};margin:0 0 12px;white-space:nowrap")

    def _letters(self, letters: Sequence[str], plain: str) -> list[Ink | str]:
        out: list[Ink | str] = []
        for letter in letters:
            out.append(Ink("…", plain) if letter == REST else self.alphabet.ink(letter, 24))
        return out

    def text(self) -> str:
        written = " (the output is implied)" if self.equation.implicit else ""
        return str(self.equation).replace("->", " -> ").replace(",", ", ") + written


@dataclass(frozen=True)
class LetterTable:
    """Each letter: its size, which dimension of which operand it names, and whether it is kept or summed."""

    alphabet: Alphabet
    heads: tuple[str, ...]
    rows: tuple[tuple[str, Line, tuple[str, ...], str], ...]
    """Letter, size, one mark for each operand and the result, and what becomes of it."""

    def html(self) -> str:
        pad = "padding:3px 8px"
        head = f"font:400 11px/16px {SANS};color:{MUTED};padding:2px 8px;border-bottom:1px solid {RULE}"
        top = "".join(th(markup(h), "col", head) for h in ("letter", "size", *self.heads, "then"))
        lines = [row(top)]
        for letter, size, marks, fate in self.rows:
            html = th(markup(self.alphabet.ink(letter)), "row", pad) + td(markup(size), pad)
            html += "".join(td(markup(mark if mark != "·" else muted("·")), pad) for mark in marks)
            weight = 600 if fate != "kept" else 400
            html += td(markup(fate), f"{pad};text-align:left;font:{weight} 12px/16px {SANS}")
            lines.append(row(html))
        return table(lines, cls="tw-letters")

    def text(self) -> str:
        lines = [["letter", "size", *self.heads, "then"]]
        lines += [[spelled(letter), words(size), *marks, fate] for letter, size, marks, fate in self.rows]
        return columns(lines, left=True)


def letter_table(plan: Plan, alphabet: Alphabet, labels: Sequence[str], result: str) -> LetterTable:
    """The table of an equation that fits."""
    rows = []
    for letter, n in plan.size_of.items():
        marks = [_mark(letter, names, size, n) for names, size in zip(plan.inputs, plan.sizes, strict=True)]
        marks.append(_mark(letter, plan.output, plan.result, n))
        rows.append((letter, str(n), tuple(marks), "summed away" if letter in plan.summed else "kept"))
    return LetterTable(alphabet, (*labels, result), tuple(rows))


def _mark(letter: str, names: Sequence[str], size: Sequence[int], n: int) -> str:
    results = [d for d, name in enumerate(names) if name == letter]
    if not results:
        return "·"
    dims = "dim " + " and ".join(map(str, results))
    return dims + (" of size 1" if size[results[0]] == 1 != n else "")


@dataclass(frozen=True)
class Loops:
    """The nested loops of an equation: the free letters outside, the summed ones inside."""

    plan: Plan
    alphabet: Alphabet
    labels: tuple[str, ...]
    result: str
    width: int = 0

    def _lines(self) -> list[Line]:
        order = [*self.plan.output, *self.plan.summed]
        heads = [
            f"{'    ' * k}for {spelled(letter)} in range({self.plan.size_of[letter]}):"
            for k, letter in enumerate(order)
        ]
        wide = max(map(len, heads), default=0)
        lines: list[Line] = []
        for k, (letter, head) in enumerate(zip(order, heads, strict=True)):
            kind = "summed" if letter in self.plan.summed else "free"
            tail = head[4 * k + 4 + len(spelled(letter)) :]
            lines.append(
                (f"{'    ' * k}for ", self.alphabet.ink(letter), tail, " " * (wide - len(head) + 1), muted(f"# {kind}"))
            )
        last: list[str | Ink] = [
            "    " * len(order),
            self.result,
            *self._index(self.plan.output, self.plan.result),
            " += ",
        ]
        for k, (label, names, size) in enumerate(zip(self.labels, self.plan.inputs, self.plan.sizes, strict=True)):
            last += [" * " if k else "", label, *self._index(names, size)]
        return [*lines, tuple(last)]

    def _index(self, names: Sequence[str], size: Sequence[int]) -> list[str | Ink]:
        if not names:
            return []
        parts: list[str | Ink] = ["["]
        for k, (letter, n) in enumerate(zip(names, size, strict=True)):
            parts.append(", " if k else "")
            parts.append(self.alphabet.ink(letter) if n == self.plan.size_of[letter] else muted("0"))
        return [*parts, "]"]

    def html(self) -> str:
        return Code(tuple(self._lines()), self.width).html()

    def text(self) -> str:
        return Code(tuple(self._lines())).text()


@dataclass(frozen=True)
class Spelling:
    """An equation that is refused, with the marks that are in the way."""

    written: str
    wrong: tuple[int, ...] = ()

    def html(self) -> str:
        look = f"color:{CLASH};background:{CLASH_TINT};border-bottom:3px solid {CLASH};padding:0 2px"
        parts = tuple(Ink(mark, look) if k in self.wrong else mark for k, mark in enumerate(self.written))
        return div(markup(parts), f"font:700 24px/34px {MONO};margin:0 0 12px;white-space:pre-wrap")

    def text(self) -> str:
        below = "".join(("^" if k in self.wrong else " ") * len(plain(mark)) for k, mark in enumerate(self.written))
        return f"{plain(self.written)}\n{below}".rstrip()
