"""The result of a check, as data: the page (`page.py`) draws it, and its first line is the text output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from tensorwidgets.pictures.drawing.scene import Block

State = Literal["done", "not started", "not yet"]


class Fact(NamedTuple):
    """One thing that was looked at: was it as wanted, what was it, what was found."""

    right: bool
    what: str
    found: str


@dataclass(frozen=True)
class Verdict:
    """How an answer was found to be."""

    state: State
    subject: str = ""
    """Of the sentence: the first case that is not as wanted."""
    reason: str = ""
    hint: str = ""
    """What is said to this answer alone: empty where it is none of the usual mistakes."""
    facts: tuple[Fact, ...] = ()
    seen: tuple[Block, ...] = ()
    """Yours and wanted, drawn."""
    legend: str = ""
    """How to read what is drawn, or how to go on."""
    known: str = ""
    """The mistake, for a teacher's table alone, where the student is to find it."""
    share: float = 0.0
    """How much of it is right, where a part can be: for a function, of what was looked at."""
    after: str = ""
    """What is said below a right answer; where it is empty, how to see a solution."""


@dataclass(frozen=True)
class Mistake:
    """A usual wrong answer with its hint.

    An answer is recognised as this mistake when it does the same as `answer` in all that is looked at: `answer` is
    what a student would hand in, or where a tensor is asked for the function that makes it from the given one.
    """

    answer: Any
    hint: str
    by_chance_on_pytorch: bool = False
    """Whether chance decides what it says there, as where ids of objects that are gone are compared. It is wrong all
    the same, but only sometimes recognised."""
    shows_on_pytorch: bool = True
    """Whether it is noticed there at all: what crosses to a real GPU is not counted."""


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """What all exercises have. `hints` become more and more specific; the solution, from the lesson, follows them."""

    number: str
    task: str
    hints: tuple[str, ...]
    mistakes: tuple[Mistake, ...] = ()
    right: tuple[Any, ...] = ()
    """Further right answers, spelled as in `Mistake`; the first says how the wanted one lies in memory."""
    gpu: bool = False
    """Whether its cases lie on a GPU. Where there is none, one is simulated for as long as an answer is judged."""

    def judge(self, answer: Any, library: Any, called: str) -> Verdict:
        """The verdict on an answer; `called` is its source in the call of `check`, or nothing."""
        raise NotImplementedError

    def given(self, library: Any) -> Any:
        """A fresh copy of the tensor that this exercise hands out; None where it hands out none."""
        return None

    def answer_of(self, spelled: Any, library: Any) -> Any:
        """The answer of a mistake or of the solution, in a library."""
        return spelled


Make = Callable[[Any], Any]
"""From a library, or from a given tensor, to a tensor."""


def not_started() -> Verdict:
    return Verdict("not started", reason="put your answer in place of the dots")
