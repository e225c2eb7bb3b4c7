"""Points in the form that a learning platform imports: a row for each student, a column for each lesson.

Canvas wants its own five columns by these names, and the possible points below them. Moodle lets one choose which
column says who somebody is, and which lesson a column belongs to. Both read UTF-8 without a mark at its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tensorwidgets.course.shelf import LESSONS

from .points import Grade
from .roster import Roster, cell, full_name
from .text import AsItIs, written

NO_GRADE = AsItIs("-")
"""In Moodle: an empty cell of a new column would become a 0 there."""
IDENTITIES = {
    "Username": ("username", "login"),
    "ID number": ("id number", "id"),
    "Email address": ("email address", "email"),
}
"""By what Moodle finds somebody, and the columns of a list of members that say it."""


@dataclass
class _Student:
    """One row: whose folder it was, who that is on the platform, and the best points for each lesson."""

    folder: str
    member: Mapping[str, str] | None
    points: dict[str, float] = field(default_factory=dict)

    def cell(self, lesson: str, missing: str = "") -> str:
        return number(self.points[lesson]) if lesson in self.points else missing


def canvas(grades: Sequence[Grade], roster: Roster | None) -> str:
    """A gradebook for Canvas: Grades, Import."""
    lessons = _lessons(grades)
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *map(_title, lessons)]
    rows = [["    Points Possible", "", "", "", "", *(number(_possible(grades, lesson)) for lesson in lessons)]]
    for one in _students(grades, roster):
        login = cell(one.member, ["sis login id", "login", "username"]) or ("" if one.member else one.folder)
        rows.append([
            cell(one.member, ["student"]) or full_name(one.member, one.folder),
            identity(cell(one.member, ["id"])), identity(cell(one.member, ["sis user id"])), identity(login),
            cell(one.member, ["section"]), *map(one.cell, lessons),
        ])  # fmt: skip
    return written([head, *rows])


def moodle(grades: Sequence[Grade], roster: Roster | None) -> str:
    """A table for Moodle: Grades, Import, CSV file.

    Moodle gives the points of a row that says nobody to the student above it. So only those columns say who somebody is
    in which every row is filled, and filled differently.
    """
    lessons = _lessons(grades)
    named, students, _ = _named(_students(grades, roster))
    rows = [
        [
            *(identity(_identified(one, title)) for title in named), full_name(one.member, one.folder),
            *(one.cell(lesson, NO_GRADE) for lesson in lessons),
        ]
        for one in students
    ]  # fmt: skip
    return written([[*named, "Full name", *map(_title, lessons)], *rows])


def nameless(grades: Sequence[Grade], roster: Roster | None) -> list[str]:
    """The folders of members whom the list gives nothing by which Moodle would find them."""
    return [one.folder for one in _named(_students(grades, roster))[2]]


def _named(students: list[_Student]) -> tuple[list[str], list[_Student], list[_Student]]:
    """The columns that say who everybody is; those whom they name, and those whom they do not."""
    who = {title: [_identified(one, title) for one in students] for title in IDENTITIES}
    complete = [title for title, values in who.items() if all(values) and len({*values}) == len(values)]
    if complete:
        return complete, students, []
    best = max(who, key=lambda title: sum(who[title].count(one) == 1 for one in who[title] if one))
    found = [said != "" and who[best].count(said) == 1 for said in who[best]]
    kept = [one for one, here in zip(students, found, strict=True) if here]
    return [best], kept, [one for one, here in zip(students, found, strict=True) if not here]


PLATFORMS = {"canvas": canvas, "moodle": moodle}


def number(points: float) -> str:
    """Points with two decimals at most, and never in the form 1e+06.

    >>> number(3.0), number(2.5), number(12345.678), number(0.0)
    ('3', '2.5', '12345.68', '0')
    """
    return f"{points:.2f}".rstrip("0").rstrip(".")


def identity(text: str) -> str:
    """A login, a number or an address as the platform knows it, where a spreadsheet can make no formula of it.

    >>> isinstance(identity("-12"), AsItIs), isinstance(identity("=1+1"), AsItIs)
    (True, False)
    """
    return AsItIs(text) if re.fullmatch(r"[+@-]?[\w.@-]*", text) else text


def _students(grades: Sequence[Grade], roster: Roster | None) -> list[_Student]:
    """Those whom the platform knows, each once, also where two folders are named after one."""
    found: dict[object, _Student] = {}
    for grade in sorted(grades, key=lambda grade: grade.student):
        member = roster.find(grade.student) if roster else None
        if not grade.lesson or roster is not None and member is None:
            continue  # Canvas would ask about somebody whom it does not know
        one = found.setdefault(id(member) if member else grade.student, _Student(grade.student, member))
        one.points[grade.lesson] = max(one.points.get(grade.lesson, 0.0), grade.points)
    return list(found.values())


def _identified(one: _Student, title: str) -> str:
    if one.member is None:
        return one.folder if title == "Username" else ""
    there = {key.lower() for key in one.member}
    return cell(one.member, [name for name in IDENTITIES[title] if name in there][:1])


def _lessons(grades: Sequence[Grade]) -> list[str]:
    return sorted({grade.lesson for grade in grades if grade.lesson})


def _title(lesson: str) -> str:
    return f"Lesson {lesson}: {next(one.title for one in LESSONS if one.number == lesson)}"


def _possible(grades: Sequence[Grade], lesson: str) -> float:
    return max(grade.possible for grade in grades if grade.lesson == lesson)
