"""A prediction to click: choices as buttons, a box for a number or a word, the places of a storage.

Only a front end with a kernel shows it. A notebook that is built, exported or read without one has the page instead,
which says how to type a guess.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import traitlets as t

from tensorwidgets.live.controls import Button, Control, Text
from tensorwidgets.live.explorer import Explorer
from tensorwidgets.pictures.drawing.picture import Picture
from tensorwidgets.pictures.drawing.scene import Block, Gap, Note, Title

from .checking.drawn import Mark, Marks
from .checking.page import asked_page
from .checking.plainly import as_text
from .checking.prediction import PlacePrediction, Prediction

KEPT = "Your guess is kept. Now run the cells below: they show the answer."
WAYS = {"choices": "Choose one.", "places": "Click a place, or go there with Tab and the arrow keys and press Enter.",
        "box": "Type your guess and press Enter."}  # fmt: skip
MOST_LETTERS = 80


class Guessing(Explorer):
    """One question. It never knows whether a guess is right: it hands it to `keep`, and `reveal` compares.

    >>> from tensorwidgets.course.exercises import find
    >>> kept = []
    >>> question = Guessing(find("03.1"), keep=kept.append)
    >>> question.selected = "A[8]"
    >>> kept, question.guess
    ([8], 8)
    >>> question.close()
    """

    guess = t.Any(..., help="What was guessed; dots before that.")
    below = t.Bool(True).tag(sync=True)

    def __init__(self, asked: Prediction, keep: Callable[[Any], None], guess: Any = ...) -> None:
        self._asks, self._keep = asked, keep
        self._choices = asked.choices()
        super().__init__()
        self.observe(self._set, "guess")
        with self._at_once():
            self.guess = guess

    def _kind(self) -> str:
        return "places" if isinstance(self._asks, PlacePrediction) else "choices" if self._choices else "box"

    def _scene(self) -> Sequence[Block]:
        kept = self.guess is not ...
        state = f"{self._asks.number}, {'kept' if kept else 'not answered yet'}"
        blocks: list[Block] = [Title(f"Predict: {self._asks.question}", state)]
        blocks.append(Note(KEPT if kept else WAYS[self._kind()], top=0))
        if isinstance(self._asks, PlacePrediction):
            marks = [Mark(self.guess, "you", None)] if self._is_place(self.guess) else []
            # Values would let one look the element up instead of working out its place.
            blocks += [Gap(16), Marks(["?"] * self._places(), marks)]
        return blocks

    def _places(self) -> int:
        assert isinstance(self._asks, PlacePrediction)
        return self._asks.places()

    def _is_place(self, guess: Any) -> bool:
        return isinstance(guess, int) and not isinstance(guess, bool) and 0 <= guess < self._places()

    def _controls(self) -> list[Control]:
        if self._kind() == "choices":
            return [
                Button(f"choice {k}", as_text(one), as_text(one), _same(one, self.guess), "your guess")
                for k, one in enumerate(self._choices)
            ]
        shown = "" if self.guess is ... else self.guess if isinstance(self.guess, str) else as_text(self.guess)
        return [
            Text("typed", "place" if self._kind() == "places" else "type it", shown, 16, done=True, group="your guess")
        ]

    def _status_text(self) -> str:
        return self._asks.question if self.guess is ... else f"Your guess is kept: {as_text(self.guess)}."

    def _moved(self, name: str, value: Any) -> None:
        kind, _, k = name.partition(" ")
        if kind == "choice" and k.isdigit() and int(k) < len(self._choices):
            self._take(self._choices[int(k)])
        elif name == "typed" and str(value).strip():
            self._take(typed(str(value)))

    def _cell(self, name: str) -> None:
        place = re.fullmatch(r"A\[(\d{1,6})\]", name)
        if place and self._kind() == "places" and self._is_place(int(place[1])):
            self._take(int(place[1]))

    def _set(self, change: Any) -> None:
        if change["name"] == "selected" and change["new"]:
            self._cell(str(change["new"]))
        super()._set(change)

    def _take(self, guess: Any) -> None:
        self._keep(guess)
        self.guess = guess

    def twin(self) -> Picture:
        """A saved notebook has the page that it has without a kernel: there, nothing can be clicked."""
        return asked_page(self._asks, self.guess)


def typed(text: str) -> Any:
    """What a text in the box means: a number, a tuple, True or False; otherwise the words themselves.

    >>> typed(" 8 "), typed("(2, 3)"), typed("float32"), typed("'float32'"), typed("true")
    (8, (2, 3), 'float32', 'float32', True)
    """
    text = text.strip()[:MOST_LETTERS]
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        value = ast.literal_eval(text.title() if text.lower() in ("true", "false", "none") else text)
        if isinstance(value, (bool, int, float, str, tuple)) or value is None:
            return value
    return text


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)
