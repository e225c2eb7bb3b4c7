"""The page of an exercise or a prediction: a picture like all others, whose text is one line."""

from __future__ import annotations

from collections.abc import Sequence

from tensorwidgets.pictures.drawing.html import plain
from tensorwidgets.pictures.drawing.inline import Ink
from tensorwidgets.pictures.drawing.picture import Picture
from tensorwidgets.pictures.drawing.scene import Beside, Block, Gap, Note, Sentence, Stack, Title
from tensorwidgets.pictures.drawing.tokens import CLASH, MUTED

from .drawn import RIGHT, Facts, Folded, Marks
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
    """What `check` gives back. `done` says whether all is as wanted."""

    __slots__ = ("done",)

    def __init__(self, line: str, blocks: Sequence[Block], done: bool):
        super().__init__(line, blocks)
        self.done = done


def headed(number: str, state: str, task: str) -> Title:
    """`03.2  not yet`, and the task at the right."""
    return Title((number, Ink("\u2002" + state, f"color:{COLOUR.get(state, MUTED)}")), task)


def checked(exercise: Exercise, verdict: Verdict, solution: str) -> Checked:
    """The verdict as a page, in the order in which it is read: state, what differs, what was looked at, help."""
    number, state = exercise.number, verdict.state
    line = f"{number} {state}: {verdict.subject} {verdict.reason}".replace(":  ", ": ")
    if verdict.hint:
        line += f". {verdict.hint}"
    blocks: list[Block] = [headed(number, state, exercise.task)]
    if state == "not started":
        said = f'{verdict.reason[0].upper()}{verdict.reason[1:]} and run both cells again. hint("{number}") helps.'
        return Checked(line, [*blocks, Note(said, top=0)], False)
    long = any(len(fact.what) > 24 for fact in verdict.facts)
    beside = bool(verdict.seen) and not any(isinstance(block, Marks) for block in verdict.seen)
    facts = [Facts(verdict.facts, (620, 120) if long else (120, 176 if beside else 300))] if verdict.facts else []
    if state == "done":
        after = f'solution("{number}") shows one way to write it.'
        seen = [*verdict.seen, Gap(12)] if verdict.seen else []
        sentence = Sentence(verdict.subject, verdict.reason, after, bar="green")
        return Checked(line, [*blocks, *seen, *facts, sentence], True)
    help_block = Stack([*facts, *folded(exercise, solution, not verdict.hint, 320 if beside else 760)])
    if beside:
        blocks.append(Beside([*verdict.seen, help_block], gap=40))
    else:
        blocks += [*verdict.seen, *([Gap(12)] if verdict.seen else []), help_block]
    after = " ".join(filter(None, [verdict.legend, verdict.hint]))
    blocks.append(Sentence(verdict.subject, verdict.reason, after, bar="clash"))
    return Checked(line, blocks, False)


def folded(exercise: Exercise, solution: str, first_open: bool = False, width: int = 760) -> list[Block]:
    """The hints, each folded, and last the solution."""
    count = len(exercise.hints) + 1
    steps: list[Block] = [
        Folded(f"Hint {k} of {count}", hint, opened=first_open and k == 1, width=width)
        for k, hint in enumerate(exercise.hints, 1)
    ]
    return [*steps, Folded(f"Hint {count} of {count}: the solution", solution, code=True, width=width)]
