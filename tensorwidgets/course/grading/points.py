"""What a notebook is worth: pure arithmetic on its marks, on the rules, and on when it was handed in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from tensorwidgets.course.marking.marks import Row

from .rules import Rules

DAY = 86_400


@dataclass(frozen=True)
class Grade:
    """The points of one notebook: before and after what its lateness costs."""

    student: str
    lesson: str
    earned: float
    possible: float
    days_late: int = 0
    days_charged: int = 0
    """Days that were not free."""
    points: float = 0.0

    @property
    def share(self) -> float:
        return self.points / self.possible if self.possible else 0.0


def graded(rows: Sequence[Row], rules: Rules) -> list[Grade]:
    """A grade for each row, in their order. A student's free days go to the lessons in the order of their deadlines."""
    left: dict[str, int] = {}
    grades: dict[int, Grade] = {}
    for place in sorted(range(len(rows)), key=lambda k: (rules.due.get(rows[k].lesson, 0.0), k)):
        row = rows[place]
        days = days_late(row, rules)
        free = min(days, left.setdefault(row.student, rules.free_days))
        left[row.student] -= free
        earned, possible = _earned(row, rules)
        kept = max(0.0, 1 - rules.per_day / 100 * (days - free))
        grades[place] = Grade(row.student, row.lesson, earned, possible, days, days - free, round(earned * kept, 2))
    return [grades[place] for place in range(len(rows))]


def days_late(row: Row, rules: Rules) -> int:
    """Begun days after the deadline; 0 where there is none, or where it is not known when a notebook came.

    >>> row = Row("anna", "03.ipynb", "03", handed_in=90_000.0)
    >>> days_late(row, Rules(due={"03": 0.0})), days_late(row, Rules())
    (2, 0)
    """
    if row.lesson not in rules.due or not row.handed_in:
        return 0
    return max(0, ceil((row.handed_in - rules.due[row.lesson]) / DAY))


def _earned(row: Row, rules: Rules) -> tuple[float, float]:
    earned = possible = 0.0
    for number, mark in row.marks.items():
        worth = rules.points.get(number, 1.0)
        possible += worth
        earned += worth * (1.0 if mark.state == "done" else mark.share if rules.partial else 0.0)
    return round(earned, 2), possible


def totals(grades: Iterable[Grade], rules: Rules) -> dict[str, float]:
    """Per cent of the whole, by student: the mean over all lessons that somebody handed in, by their weights.

    >>> totals([Grade("anna", "03", 3, 4, points=3), Grade("ben", "04", 4, 4, points=4)], Rules())
    {'anna': 37.5, 'ben': 50.0}
    """
    every = [grade for grade in grades if grade.lesson]
    weights = {grade.lesson: rules.weights.get(grade.lesson, 1.0) for grade in every}
    whole = sum(weights.values())
    best: dict[str, dict[str, float]] = {}
    for grade in every:
        mine = best.setdefault(grade.student, {})
        mine[grade.lesson] = max(mine.get(grade.lesson, 0.0), grade.share)
    return {
        student: round(100 * sum(weights[lesson] * share for lesson, share in mine.items()) / whole, 1)
        if whole
        else 0.0
        for student, mine in best.items()
    }
