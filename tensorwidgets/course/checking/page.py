"""The page of an exercise or a prediction: a picture like all others, whose text is one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensorwidgets.pictures.drawing.html import plain
from tensorwidgets.pictures.drawing.inline import Ink
from tensorwidgets.pictures.drawing.picture import Picture
from tensorwidgets.pictures.drawing.scene import Beside, Block, Gap, Note, Sentence, Stack, Title
from tensorwidgets.pictures.drawing.tokens import CLASH, MUTED

from .drawn import RIGHT, Facts, Folded, Marks, Said
from .plainly import as_text
from .prediction import Prediction
from .verdict import Exercise, Verdict

COLOUR = {"done": RIGHT, "not yet": CLASH}


class Page(Picture):
    """A picture that says itself in one line of text."""

    __slots__ = ("line",)

    def __init__(self, line: str, blocks: Sequence[Block]):
        super().__init__(blocks)
        self.line = " ".join(line.split())

    def __repr__(self) -> str:
        return plain(self.line)


class Checked(Page):
    """What `check` gives back. `done` says whether all is as wanted.

    Its output carries how often the exercise was tried along with the notebook, for the teacher.
    """

    __slots__ = ("carried", "done")

    def __init__(self, line: str, blocks: Sequence[Block], done: bool):
        super().__init__(line, blocks)
        self.done = done
        self.carried: dict[str, Any] = {}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        bundle = super()._repr_mimebundle_(include, exclude)
        return (bundle, self.carried) if self.carried else bundle


DECIDE = "Put your guess in place of the dots and run this cell again, before you run the next one."
GUESS = "write a number, a tuple, or a word in quotation marks."
THEN_RUN = "It is kept. Now run the cells below: they show the answer, and then compare it with your guess."


def asked_page(prediction: Prediction, guess: Any = ..., refused: str = "") -> Page:
    """A question as it is read without a kernel: how to type a guess, or which one is kept. Dots are no guess, and
    neither is what is `refused`."""
    number, title = prediction.number, f"Predict: {prediction.question}"
    if guess is ...:
        line = f"{number} not answered yet: {f'{refused}: {GUESS}' if refused else prediction.question}"
        said = f"{refused[0].upper()}{refused[1:]}: {GUESS} {DECIDE}" if refused else DECIDE
        return Page(line, [Title(title, f"{number}, not answered yet"), Note(said, top=0)])
    said = as_text(guess)
    return Page(
        f"{number} kept: your guess is {said}. Now run the cells below",
        [Title(title, f"{number}, kept"), Note(f"Your guess is {said}. {THEN_RUN}", top=0)],
    )


def headed(number: str, state: str, task: str) -> Title:
    """`03.2  not yet`, and the task at the right."""
    return Title((number, Ink("\u2002" + state, f"color:{COLOUR.get(state, MUTED)}")), task)


def checked(exercise: Exercise, verdict: Verdict, solution: str, may_see: bool = False) -> Checked:
    """The verdict as a page, in the order in which it is read: the sentence about this answer, large; what differs;
    what was looked at; hints, small. The solution is among them only if the student `may_see` it."""
    number, state = exercise.number, verdict.state
    line = f"{number} {state}: {verdict.subject} {verdict.reason}".replace(":  ", ": ")
    if verdict.hint:
        line = f"{line.removesuffix('.')}. {verdict.hint}"
    blocks: list[Block] = [headed(number, state, exercise.task)]
    if state == "not started":
        said = f'{verdict.reason[0].upper()}{verdict.reason[1:]} and run both cells again. hint("{number}") helps.'
        return Checked(line, [*blocks, Note(said, top=0)], False)
    long = any(len(fact.what) > 24 for fact in verdict.facts)
    beside = bool(verdict.seen) and not any(isinstance(block, Marks) for block in verdict.seen)
    facts = [Facts(verdict.facts, (250, 280) if long else (120, 176 if beside else 300))] if verdict.facts else []
    if state == "done":
        line += f". {verdict.after}" if verdict.after else ""
        after = verdict.after or f'solution("{number}") shows one way to write it.'
        seen = [*verdict.seen, Gap(12)] if verdict.seen else []
        sentence = Sentence(verdict.subject, verdict.reason, after, bar="green")
        return Checked(line, [*blocks, *seen, *facts, sentence], True)
    blocks += [Said(verdict.subject, verdict.reason, verdict.hint, "" if verdict.seen else verdict.legend), Gap(16)]
    hints = folded(exercise, solution if may_see else "", width=320 if beside else 560)
    help_block = Stack([*facts, *hints])
    if beside:
        blocks.append(Beside([*verdict.seen, help_block], gap=40))
    else:
        blocks += [*verdict.seen, *([Gap(12)] if verdict.seen else []), help_block]
    if verdict.seen:  # the script says here what a cell is
        blocks.append(Sentence("Cells", "point at a cell, and it is explained here", verdict.legend))
    return Checked(line, blocks, False)


def folded(exercise: Exercise, solution: str, width: int = 560) -> list[Block]:
    """The hints, each folded, and last the solution, or how to get it."""
    count = len(exercise.hints) + 1
    steps: list[Block] = [Folded(f"Hint {k} of {count}", hint, width=width) for k, hint in enumerate(exercise.hints, 1)]
    last = f"Hint {count} of {count}: the solution"
    if not solution:
        later = f'It comes after three different tries. solution("{exercise.number}"), run twice, shows it now.'
        return [*steps, Folded(last, later, width=width)]
    return [*steps, Folded(last, solution, code=True, width=width)]
