"""What a class did with each exercise: how many have it, after how many tries, and which mistakes who made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from tensorwidgets.course.marking.marks import Row


@dataclass(frozen=True)
class Statistics:
    """One exercise over a class."""

    number: str
    states: dict[str, int]
    """How many notebooks are done, not yet, not started, not judged."""
    tries: float | None
    """The median of those who tried; None where no notebook says."""
    mistakes: tuple[tuple[str, tuple[str, ...]], ...]
    """What was said to wrong answers, the most frequent first, each with those who made it."""


def statistics_of(rows: Sequence[Row], number: str) -> Statistics:
    """How one exercise went.

    >>> from tensorwidgets.course.marking.marks import Mark
    >>> rows = [Row("anna", "", "03", {"03.2": Mark("done")}, tries={"03.2": 3}),
    ...         Row("ben", "", "03", {"03.2": Mark("not yet", hint="Count from 0.")}, tries={"03.2": 4})]
    >>> found = statistics_of(rows, "03.2")
    >>> found.states, found.tries, found.mistakes
    ({'done': 1, 'not yet': 1}, 3.5, (('Count from 0.', ('ben',)),))
    """
    states: dict[str, int] = {}
    made: dict[str, list[str]] = {}
    tries = [row.tries[number] for row in rows if number in row.tries]
    for row in rows:
        if (mark := row.marks.get(number)) is not None:
            states[mark.state] = states.get(mark.state, 0) + 1
            if mark.hint:
                made.setdefault(mark.hint, []).append(row.student)
    mistakes = sorted(made.items(), key=lambda one: (-len(one[1]), one[0]))
    told = tuple((said, tuple(who)) for said, who in mistakes)
    return Statistics(number, states, median(tries) if tries else None, told)
