"""The page of a puzzle: a picture like all others. Its first line says how an answer was found to be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tensorwidgets.course.checking.drawn import Folded
from tensorwidgets.course.checking.plainly import Table
from tensorwidgets.pictures.drawing.html import plain
from tensorwidgets.pictures.drawing.picture import Picture
from tensorwidgets.pictures.drawing.scene import Beside, Block, Gap, Note, Sentence, Stack, Title
from tensorwidgets.pictures.drawing.tokens import CLASH, LINE

from .drawing import Becomes, Drawn, Rules, Together, by_index, by_place, by_size, by_value, golf, no_key, titled
from .judging import Verdict
from .puzzle import Puzzle

COLOURS = {"solved": LINE["green"], "not yet": CLASH, "against the rules": CLASH}
CALLED = {"result": "", "gradient": ", gradient of x", "its memory": ", in memory"}
"""What is added to `wanted` and `yours`."""
TOGETHER = 470
"""Pixels: yours and wanted are side by side on a narrow page too, if they are no wider."""


class Puzzled(Picture):
    """What `puzzle` gives back. `done` says whether it is solved, `line` how the answer was found to be."""

    __slots__ = ("done", "line")

    def __init__(self, line: str, blocks: Sequence[Block], done: bool = False):
        super().__init__(blocks)
        self.line = plain(" ".join(line.split()))
        self.done = done


def page(puzzle: Puzzle, verdict: Verdict, remark: str = "") -> Puzzled:
    """A verdict as a page."""
    state = verdict.state
    aside = f"par {puzzle.par}"
    head = titled(puzzle.number, puzzle.title, puzzle.stars, "" if state == "open" else state, COLOURS.get(state, ""))
    blocks: list[Block] = [Title(head, aside), Beside(_drawn(puzzle, verdict), gap=18, below=8)]
    line = f"{puzzle.number} {state}"
    if state == "solved":
        score = golf(verdict.length, puzzle.par)
        earned = f"{puzzle.stars} {'star' if puzzle.stars == 1 else 'stars'}"
        over = verdict.length - puzzle.par
        after = f"{earned} for you." + (
            " There is a shorter way." if over > 0 else " You beat par." if over < 0 else ""
        )
        blocks.append(Sentence(verdict.source, f"{verdict.length} characters: {score}", after, "green"))
        return Puzzled(f"{line}: {verdict.length} characters, {score}", blocks, True)
    if verdict.reason:
        subject = verdict.source if 0 < len(verdict.source) <= 60 else "your answer"
        first, then = (verdict.says, verdict.reason) if verdict.says else (verdict.reason, "")
        blocks.append(Sentence(subject, first, then, "clash"))
        line += f": {verdict.reason}" + (f". {verdict.says}" if verdict.says else "")
    blocks.append(Rules(puzzle.rule, puzzle.tools))
    if remark:
        blocks.append(Note(remark))
    blocks.append(Folded("A nudge", puzzle.nudge, width=560))
    return Puzzled(line, blocks)


def _drawn(puzzle: Puzzle, verdict: Verdict) -> list[Block]:
    """What goes in, and after the arrow what is wanted, or yours beside it."""
    moves = _moves(puzzle, verdict)
    paint = by_place(verdict.given[0]) if moves else by_size(verdict.wanted)
    key = by_value(verdict.given[0]) if moves else by_index
    asides = puzzle.given_names or ((),) * len(puzzle.takes)
    inputs = [
        Drawn(name, one, by_place(one), key if moves else no_key, aside=_listed(names))
        for name, one, names in zip(puzzle.takes, verdict.given, asides, strict=True)
    ]
    rows: list[list[Drawn]] = []
    for k, (part, want) in enumerate(zip(puzzle.parts, verdict.wanted, strict=True)):
        mine = verdict.yours[k] if verdict.yours else None
        aside = _listed(puzzle.names)
        rows.append([Drawn(f"wanted{CALLED[part]}", want, paint, key, mine, aside=aside)])
        if mine is not None:
            rows[-1].insert(0, Drawn(f"yours{CALLED[part]}", mine, paint, key, want, mine=True))
    if puzzle.asks == "memory":
        x = verdict.given[0]
        inputs.append(Drawn("x, in memory", Table((len(x.values),), x.values), paint, key))
        return [Stack(_spaced(inputs)), Becomes(Stack(_spaced(map(_in_line, rows))))]
    if not verdict.yours:
        rows = [sum(rows, [])]
    return [*inputs, Becomes(Stack(_spaced(map(_in_line, rows))))]


def _in_line(pictures: Sequence[Drawn]) -> Block:
    """On one line if a narrow page has room for them, else one below the other."""
    if sum(one.width for one in pictures) <= TOGETHER:
        return Together(pictures)
    return Stack(_spaced(pictures))


def _listed(names: Sequence[str]) -> str:
    """Names of dimensions, as they are written in place of a size."""
    return f"({', '.join(names)}{',' * (len(names) == 1)})" if names else ""


def _moves(puzzle: Puzzle, verdict: Verdict) -> bool:
    """Whether numbers are moved only, and keep their colours."""
    came, comes = ({*table.values} for table in (verdict.given[0], verdict.wanted[0]))
    return puzzle.asks in ("view", "memory") and came >= comes or came == comes


def _spaced(blocks: Iterable[Block]) -> list[Block]:
    return [part for block in blocks for part in (block, Gap(10))][:-1]


def unknown(number: Any, count: int) -> Puzzled:
    """The page for a number that no puzzle has."""
    line = f"there is no puzzle {number!r:.40}: the puzzles are 1 to {count}"
    return Puzzled(line, [Title("No such puzzle"), Note(line, top=0)])
