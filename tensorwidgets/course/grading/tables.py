"""Points in the form that a learning platform imports: a row for each student, a column for each lesson.

Canvas wants its own five columns by these names, and the possible points below them. Moodle lets one choose which
column says who somebody is, and which lesson a column belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensorwidgets.course.shelf import LESSONS

from .points import Grade
from .roster import Roster, cell, full_name
from .text import written


def canvas(grades: Sequence[Grade], roster: Roster | None) -> str:
    """A gradebook for Canvas: Grades, Import."""
    lessons = _lessons(grades)
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *(_title(lesson) for lesson in lessons)]
    rows = [["    Points Possible", "", "", "", "", *(f"{_possible(grades, lesson):g}" for lesson in lessons)]]
    for student, points in _by_student(grades).items():
        member = roster.find(student) if roster else None
        if roster is not None and member is None:
            continue  # Canvas would ask about somebody whom it does not know
        rows.append([
            cell(member, ["student"]) or full_name(member, student),
            cell(member, ["id"]), cell(member, ["sis user id"]),
            cell(member, ["sis login id", "login", "username"]) or ("" if member else student),
            cell(member, ["section"]), *(points.get(lesson, "") for lesson in lessons),
        ])  # fmt: skip
    return written([head, *rows])


def moodle(grades: Sequence[Grade], roster: Roster | None) -> str:
    """A table for Moodle: Grades, Import, CSV file."""
    lessons = _lessons(grades)
    head = ["Username", "ID number", "Email address", "Full name", *(_title(lesson) for lesson in lessons)]
    rows = []
    for student, points in _by_student(grades).items():
        member = roster.find(student) if roster else None
        if roster is not None and member is None:
            continue
        rows.append([
            cell(member, ["username", "login"]) or ("" if member else student), cell(member, ["id number", "id"]),
            cell(member, ["email address", "email"]), full_name(member, student),
            *(points.get(lesson, "") for lesson in lessons),
        ])  # fmt: skip
    return written([head, *rows])


PLATFORMS = {"canvas": canvas, "moodle": moodle}


def _lessons(grades: Sequence[Grade]) -> list[str]:
    return sorted({grade.lesson for grade in grades if grade.lesson})


def _title(lesson: str) -> str:
    return f"Lesson {lesson}: {next(one.title for one in LESSONS if one.number == lesson)}"


def _possible(grades: Sequence[Grade], lesson: str) -> float:
    return max(grade.possible for grade in grades if grade.lesson == lesson)


def _by_student(grades: Sequence[Grade]) -> dict[str, dict[str, str]]:
    """The points of the best notebook for each lesson, by student."""
    best: dict[str, dict[str, float]] = {}
    for grade in grades:
        if grade.lesson:
            mine = best.setdefault(grade.student, {})
            mine[grade.lesson] = max(mine.get(grade.lesson, 0.0), grade.points)
    return {
        student: {lesson: f"{points:g}" for lesson, points in mine.items()} for student, mine in sorted(best.items())
    }
