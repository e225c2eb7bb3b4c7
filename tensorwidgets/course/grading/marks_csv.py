"""The table of a class as CSV, for a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence

from tensorwidgets.course.marking.marks import Row

from .points import Grade, graded
from .rules import Rules
from .text import written


def exercises_of(rows: Sequence[Row]) -> list[str]:
    """Every exercise that some row has a mark for, in order."""
    return sorted({n for row in rows for n in row.marks}, key=lambda n: [int(part) for part in n.split(".")])


def as_csv(rows: Sequence[Row], grades: Sequence[Grade] | None = None) -> str:
    """A row for each notebook: student, lesson, how much is done, points, what went wrong, and each exercise."""
    numbers = exercises_of(rows)
    table = [["student", "file", "lesson", "done", "of", "problem", "points", "possible", "days late", *numbers]]
    for row, grade in zip(rows, grades or graded(rows, Rules()), strict=True):
        states = [row.marks[n].state if n in row.marks else "" for n in numbers]
        points = [f"{grade.points:g}", f"{grade.possible:g}", str(grade.days_late or "")]
        table.append(
            [row.student, row.file, row.lesson, str(row.done), str(len(row.marks)), row.problem, *points, *states]
        )
    return written(table)
