"""The verdict on an answer: is it allowed, is it right on every case, and if not, which slip is it?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tensorwidgets.course.checking.plainly import Table
from tensorwidgets.course.checking.tensors_asked import first_difference

from .puzzle import Puzzle, Slip
from .rules import AgainstTheRules, Answer, allowed
from .running import Outcome, run, table_given, wanted

State = Literal["open", "against the rules", "not yet", "solved"]
COPIED = "has the right numbers, in a memory of its own: a copy was made"
NOT_THE_FIRST = "right for the first numbers, and not for these: "


@dataclass(frozen=True)
class Verdict:
    """How an answer was found to be, and what is drawn of it."""

    state: State
    given: tuple[Table, ...]
    wanted: tuple[Table, ...]
    yours: tuple[Table, ...] = ()
    reason: str = ""
    says: str = ""
    """The sentence for this slip; empty where it is none of those that are known."""
    source: str = ""
    length: int = 0


def judge(puzzle: Puzzle, source: str, library: Any) -> Verdict:
    """The verdict on the source of an answer, run in a library.

    >>> import tensorwidgets as torch
    >>> from .asked import ALL
    >>> judge(ALL[1], "lambda x: x.diagonal()", torch).reason
    'diagonal is not among the tools here'
    """
    cases = list(puzzle.given(library))
    given = tuple(table_given(one) for one in cases[0])
    want = wanted(puzzle, cases[0])
    try:
        answer = allowed(source, puzzle)
    except AgainstTheRules as broken:
        return Verdict("against the rules", given, want, reason=str(broken), source=" ".join(source.split()))
    if answer is None:
        return Verdict("open", given, want)
    mine = _outcomes(puzzle, answer, library)
    for k, (outcome, case) in enumerate(zip(mine, cases, strict=True)):
        want = wanted(puzzle, case)
        reason = _what_is_wrong(puzzle, outcome, want)
        if reason:
            says = next((slip.says for slip in puzzle.slips if outcomes_of(puzzle, slip, library) == mine), "")
            first = NOT_THE_FIRST if k else ""
            drawn = tuple(table_given(one) for one in case)
            return Verdict("not yet", drawn, want, outcome.parts, first + reason, says, answer.source)
    return Verdict("solved", given, wanted(puzzle, cases[0]), source=answer.source, length=answer.length)


def outcomes_of(puzzle: Puzzle, slip: Slip, library: Any) -> list[Outcome]:
    """What a slip does, case by case."""
    answer = allowed(f"{puzzle.signature} {slip.source}", puzzle)
    assert answer is not None
    return _outcomes(puzzle, answer, library)


def _outcomes(puzzle: Puzzle, answer: Answer, library: Any) -> list[Outcome]:
    function = answer.function(library)
    return [run(puzzle, function, case) for case in puzzle.given(library)]


def _what_is_wrong(puzzle: Puzzle, outcome: Outcome, want: tuple[Table, ...]) -> str:
    """In words; empty where nothing is."""
    if outcome.refused:
        return outcome.refused
    for name, mine, model in zip(puzzle.parts, outcome.parts, want, strict=True):
        if mine != model:
            place, said = first_difference(mine, model)
            of = "" if len(puzzle.parts) == 1 and name == "result" else f"{name}, "
            return f"{of}{place}: {said}" if place != "[]" else f"{of}{said}"
    if puzzle.dtype is not None and outcome.dtype != puzzle.dtype:
        return f"has the right numbers as {outcome.dtype} instead of {puzzle.dtype}"
    if puzzle.names and outcome.names != puzzle.names:
        return f"has the right numbers under the names {_names(outcome.names)} instead of {_names(puzzle.names)}"
    return COPIED if outcome.copied else ""


def _names(names: tuple[str | None, ...]) -> str:
    return f"({', '.join(map(str, names))})"
