"""Questions to answer before a cell is run: what was guessed is set beside what is so."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, NamedTuple

from tensorwidgets.engine.geometry import contiguous_stride
from tensorwidgets.pictures.arrays.layout import Layout
from tensorwidgets.pictures.arrays.values import index_text, short, spell
from tensorwidgets.pictures.drawing.scene import Block

from .drawn import Mark, Marks
from .plainly import Table, as_text, as_typed, plainly, word
from .values_asked import same


class Reveal(NamedTuple):
    """What is said to a guess."""

    right: bool
    subject: str
    reason: str
    words: str
    """On this guess alone."""
    seen: tuple[Block, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """A question with its number."""

    number: str
    question: str

    def reveal(self, plain: Any) -> Reveal:
        """What is so, and what a guess (as `plainly` gives it) would have needed."""
        raise NotImplementedError

    def says(self) -> Any:
        """The right answer."""
        raise NotImplementedError

    def wrong_guesses(self) -> Iterator[tuple[Any, str]]:
        """The usual wrong guesses, and what is said to each."""
        raise NotImplementedError

    def choices(self) -> tuple[Any, ...]:
        """What to choose from, in an order that says nothing; empty where the guess is typed or is a place."""
        return ()


@dataclass(frozen=True, kw_only=True)
class PlacePrediction(Prediction):
    """Which place of the storage does an element lie at?"""

    name: str
    made: Callable[[Any], Any]
    """The view, from the library: its storage is small enough to be drawn."""
    index: tuple[int, ...]

    def layout(self) -> Layout:
        import tensorwidgets

        return Layout.of(self.made(tensorwidgets))

    def says(self) -> int:
        layout = self.layout()
        return layout.byte_at(self.index) // layout.itemsize

    def places(self) -> int:
        """How many elements the storage has."""
        import tensorwidgets

        return int(self.made(tensorwidgets).storage().size())

    def wrong_guesses(self) -> Iterator[tuple[Any, str]]:
        import tensorwidgets

        told_already = {self.says()}
        for slip in slips(self.layout(), self.index, self.made(tensorwidgets).storage().tolist()):
            if slip.place not in told_already:
                told_already.add(slip.place)
                yield slip

    def reveal(self, plain: Any) -> Reveal:
        import tensorwidgets

        plain = understood(plain, 0)
        view = self.made(tensorwidgets)
        layout, right = Layout.of(view), self.says()
        values = view.storage().tolist()
        subject = self.name + index_text(self.index)
        mine = plain == right and not isinstance(plain, bool)
        words = ""
        marks = [Mark(right, subject, True)]
        if not mine:
            said = next((slip.words for slip in slips(layout, self.index, values) if slip.place == plain), "")
            words = f"You said {as_typed(plain)}{said and ': ' + said}."
            if isinstance(plain, int) and not isinstance(plain, bool) and 0 <= plain < len(values):
                marks.append(Mark(plain, "you", False))
        return Reveal(mine, subject, layout.sum_of(self.index), words, (Marks(values, marks),))


class Slip(NamedTuple):
    """A wrong way to a place, and what it leads to."""

    place: Any
    words: str


def slips(layout: Layout, index: tuple[int, ...], values: list) -> Iterator[Slip]:
    """The usual wrong answers to "where does this element lie?", worked out for one case.

    >>> import numpy as np
    >>> x = np.arange(10, 22).reshape(3, 4)
    >>> for slip in list(slips(Layout.of(x.T[1:]), (2, 1), list(x.ravel())))[:3]:
    ...     print(slip.place, slip.words, sep=": ")
    6: 2*1 + 1*4 = 6 leaves out the offset, 1, where the view begins
    8: 1 + 2*3 + 1*1 = 8 takes the strides of a contiguous (3, 3), and the strides here are (1, 4)
    6: 1 + 2*1 + 1*3 = 6 takes column-major strides, and the strides here are (1, 4)
    """
    size, stride, offset = layout.size, layout.stride, layout.offset
    right = layout.byte_at(index) // layout.itemsize

    def way(strides: tuple[int, ...], start: int) -> tuple[int, str]:
        terms = [f"{i}*{s}" for i, s in zip(index, strides, strict=True)]
        total = start + sum(i * s for i, s in zip(index, strides, strict=True))
        return total, " + ".join([str(start)] * bool(start) + terms) + f" = {total}"

    row_major = contiguous_stride(size)
    column_major = contiguous_stride(size[::-1])[::-1]
    ways = [
        (stride, 0, f"leaves out the offset, {offset}, where the view begins"),
        *((s, start, f"takes {what}, and the strides here are {stride}")
          for start, (s, what) in product(
              dict.fromkeys([offset, 0]),
              [(row_major, f"the strides of a contiguous {size}"), (column_major, "column-major strides"),
               (stride[::-1], "the strides the wrong way round")])),
    ]  # fmt: skip
    for strides, start, what in ways:
        total, sum_of = way(strides, start)
        if total != right:
            yield Slip(total, f"{sum_of} {what}")
    yield Slip(plainly(values[right]), f"that is the value, {short(values[right])}; the question asks for its place")
    yield Slip(right * layout.itemsize, "that is the byte; places are counted in elements")
    yield Slip(right + 1, "places are counted from 0")


@dataclass(frozen=True, kw_only=True)
class WordPrediction(Prediction):
    """A question whose answer is a number, a word, True or False, with something to say to each wrong one."""

    subject: str
    answer: Any
    reason: str
    otherwise: Mapping[Any, str]

    def says(self) -> Any:
        return self.answer

    def wrong_guesses(self) -> Iterator[tuple[Any, str]]:
        yield from self.otherwise.items()

    def choices(self) -> tuple[Any, ...]:
        """Words and pairs to choose from, by the alphabet. A number is asked for in a box: a list would suggest it."""
        if isinstance(self.answer, bool):
            return (True, False)
        if isinstance(self.answer, (int, float)):
            return ()
        offered = {as_text(one): one for one in (self.answer, *self.otherwise)}
        return tuple(offered[text] for text in sorted(offered))

    def reveal(self, plain: Any) -> Reveal:
        plain = understood(plain, self.answer)
        if "error" in (self.answer, *self.otherwise) and isinstance(plain, str) and word(plain).endswith("error"):
            plain = "error"  # whichever
        right = same(word(plain), self.answer)
        words = ""
        if not right:
            said = self.otherwise.get(plain, "") if isinstance(plain, str) else ""  # "float" may have words of its own
            said = said or next((w for known, w in self.otherwise.items() if same(plain, known)), "")
            words = f"You said {as_typed(plain)}{said and ': ' + said}."
        return Reveal(right, self.subject, self.reason, words)


NUMBERS = {spell(n): str(n) for n in range(21)}


def understood(plain: Any, answer: Any) -> Any:
    """A guess in quotation marks, or as it is printed, read as the kind of thing that the answer is.

    >>> understood("True", False), understood("(2, 3)", (1,)), understood("torch.Size([2, 3])", (1,))
    (True, (2, 3), (2, 3))
    >>> understood("4,000 bytes", 7), understood("95 %", 7), understood("11 s", 7), understood("4,000", (7, 7))
    (4000, 95, 11, (4, 0))
    >>> understood("8", 7), understood("2, 3", (1,)), understood("view", "copy"), understood("often", 7)
    (8, (2, 3), 'view', 'often')
    >>> understood((8,), 7), understood("tensor(8)", 7), understood("eight", 7), understood("10 * 10 x 3", 7)
    (8, 8, 8, 300)
    """
    if isinstance(plain, Table) and len(plain.values) == 1 and not isinstance(answer, tuple):
        plain = plain.values[0]
    if type(plain) is tuple and len(plain) == 1 and not isinstance(answer, tuple):
        plain = plain[0]
    if not isinstance(plain, str) or isinstance(answer, str):
        return plain
    text = word(plain).removeprefix("size(").removesuffix(")") if "size(" in word(plain) else word(plain)
    if isinstance(answer, (int, float)):
        text = re.sub(r"^tensor\(\[?([^][(),]*)\]?(, dtype=[\w.]+)?\)?$", r"\1", text)
        text = NUMBERS.get(text, text)
        if re.fullmatch(r"\d+( ?[*x·×] ?\d+)+", text):
            return prod(map(int, re.findall(r"\d+", text)))
        text = re.sub(r"(?<=\d) ?(%|[a-z]+( [a-z]+)?)$", "", text)
        text = text.replace(" ", "") if re.fullmatch(r"-?\d{1,3}( \d{3})+", text) else text
        text = text.replace(",", "") if re.fullmatch(r"-?\d{1,3}(,\d{3})+", text) else text
    try:
        value = ast.literal_eval(text.title() if text in ("true", "false", "none") else text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return plain
    value = tuple(value) if isinstance(value, list) else value
    return value if isinstance(value, (bool, int, float, tuple)) or value is None else plain
