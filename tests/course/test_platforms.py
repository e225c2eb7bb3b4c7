"""The tables for Canvas and Moodle, read as strictly as these read them, and by pandas.

What the two importers do with a file is written down here in a few lines each: which rows and columns they want, how
they find a student, and what they make of an empty cell.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest

from tensorwidgets.course.grading.points import graded
from tensorwidgets.course.grading.roster import Roster, roster_from
from tensorwidgets.course.grading.rules import Rules
from tensorwidgets.course.grading.tables import canvas, moodle, nameless
from tensorwidgets.course.marking.marks import Mark, Row

INFORMATION = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
NOT_ASSIGNMENTS = re.compile(r"(Current|Final|Override) (Score|Points|Grade|Status)")
MEMBERS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Username,ID number,Email address\n"
    "    Points Possible,,,,,,,\n"
    '"Müller, Jörg",1001,-77,+jm,A,jmuller,77,jm@example.org\n'
    '"Berg; ""Anna""",1002,078,=1+1,B,anna,,ab@example.org\n'
    "Zoë O'Neil,1003,79,zoe,B,zoe,79,\n"
)


def submitted(student: str, lesson: str, *states: str, points: float = 1.0) -> tuple[Row, dict[str, float]]:
    marks = {f"{lesson}.{k}": Mark("done" if state == "d" else "not yet") for k, state in enumerate(states, 2)}
    return Row(student, f"{lesson}.ipynb", lesson, marks), {number: points for number in marks}


def a_class() -> list[Any]:
    parts = [
        submitted("jmuller", "03", "d", "n"), submitted("Müller Jörg", "04", "d"), submitted("1001", "03", "n", "n"),
        submitted("anna", "03", "d", "d"), submitted("zoe", "04", "n"), submitted("nobody", "03", "d", "d"),
    ]  # fmt: skip
    return graded([row for row, _ in parts], Rules())


def read_by_canvas(text: str) -> tuple[dict[str, float], dict[str, dict[str, str]]]:
    """The possible points of each column, and the cells of each student by ID or else by login."""
    assert not text.startswith("\ufeff")  # in front of a quotation mark it is an error of its parser
    first = text.splitlines()[:3]
    assert {len(next(csv.reader([line], strict=True))) for line in first} == {len(next(csv.reader(first[:1])))}
    with pytest.raises(csv.Error):  # not for semicolons: it would take these where they divide all lines
        list(csv.reader(first, delimiter=";", strict=True))
    head, possible, *rows = csv.reader(io.StringIO(text), strict=True)
    assert head[:5] == INFORMATION and len({*head}) == len(head)
    titles = head[5:]
    for title in titles:
        assert not NOT_ASSIGNMENTS.search(title) and not re.search(r"\(\d+\)$", title)  # which would be a number of its
    assert "Points Possible" in possible[0] and not any(possible[1:5])
    found = {}
    for row in rows:
        assert len(row) == len(head) and row[0] and any(row[1:4])
        assert all(re.fullmatch(r"(\d+(\.\d+)?)?", one) for one in row[5:])
        assert (who := row[1] or row[3]) not in found
        found[who] = dict(zip(titles, row[5:], strict=True))
    return dict(zip(titles, map(float, possible[5:]), strict=True)), found


def read_by_moodle(text: str, by: str) -> dict[str, dict[str, float | None]]:
    """The grades by the column that says who somebody is. Nobody may be missing in it: a row without a name goes to the
    student above. An empty cell is a 0, and a dash is no grade."""
    head, *rows = csv.reader(io.StringIO(text.strip()), strict=True)
    assert len(head) >= 2 and all(one and one == one.strip() for one in head) and len({*head}) == len(head)
    found: dict[str, dict[str, float | None]] = {}
    for row in rows:
        assert len(row) == len(head)
        who = row[head.index(by)]
        assert who and who not in found
        grades = {title: row[k] for k, title in enumerate(head) if title.startswith("Lesson ")}
        assert "" not in grades.values()
        found[who] = {title: None if one == "-" else float(one) for title, one in grades.items()}
        assert all(one is None or one <= 100 for one in found[who].values())
    return found


def test_canvas_takes_the_table_and_finds_everybody_once() -> None:
    possible, found = read_by_canvas(canvas(a_class(), roster_from(MEMBERS)))
    assert possible == {"Lesson 03: Storage": 2.0, "Lesson 04: Views or copies": 1.0}
    assert {who: [*cells.values()] for who, cells in found.items()} == {
        "1001": ["1", "1"], "1002": ["2", ""], "1003": ["", "0"],
    }  # fmt: skip


def test_without_a_list_of_members_canvas_gets_the_folders_as_logins() -> None:
    _, found = read_by_canvas(canvas(a_class(), None))
    assert [*found] == ["1001", "Müller Jörg", "anna", "jmuller", "nobody", "zoe"]


def test_moodle_takes_the_table_by_the_only_column_that_names_everybody() -> None:
    text = moodle(a_class(), roster_from(MEMBERS))
    assert text.startswith('"Username","Full name","Lesson 03: Storage"')  # a number and an address are missing
    assert {who: [*grades.values()] for who, grades in read_by_moodle(text, "Username").items()} == {
        "jmuller": [1.0, 1.0], "anna": [2.0, None], "zoe": [None, 0.0],
    }  # fmt: skip
    assert nameless(a_class(), roster_from(MEMBERS)) == []


def test_all_columns_that_name_everybody_are_there() -> None:
    full = roster_from("Full name,ID number,Email address\nJ M,77,jmuller@example.org\nAnna,-7,@anna\nZoe,79,Z@e.org\n")
    text = moodle(a_class(), full)
    assert text.splitlines()[0].startswith('"ID number","Email address","Full name"')
    assert [*read_by_moodle(text, "ID number")] == ["-7", "77", "79"]
    assert [*read_by_moodle(text, "Email address")] == ["@anna", "jmuller@example.org", "Z@e.org"]


def test_whom_moodle_would_not_find_is_left_out_and_named() -> None:
    some = roster_from("Name,ID number,Email address\njmuller,77,\nanna,78,a@b.org\nzoe,,\n")
    assert [*read_by_moodle(moodle(a_class(), some), "ID number")] == ["78", "77"]
    assert nameless(a_class(), some) == ["zoe"]
    twice = roster_from("Name,ID number\njmuller,7\nanna,7\nzoe,8\n")
    assert [*read_by_moodle(moodle(a_class(), twice), "ID number")] == ["8"]
    assert nameless(a_class(), twice) == ["anna", "jmuller"]


@pytest.mark.parametrize("roster", [None, roster_from(MEMBERS)])
def test_pandas_reads_both(roster: Roster | None) -> None:
    import pandas

    gradebook = pandas.read_csv(io.StringIO(canvas(a_class(), roster)), dtype={"ID": str})
    assert [*gradebook.columns[:5]] == INFORMATION and gradebook["Lesson 03: Storage"].dtype == "float64"
    table = pandas.read_csv(io.StringIO(moodle(a_class(), roster)), na_values="-")
    assert table["Lesson 04: Views or copies"].dtype == "float64" and len(table) == len(gradebook) - 1


def test_a_class_without_grades_is_an_empty_table() -> None:
    assert read_by_canvas(canvas(a_class()[:1], None))[1] and not moodle([], None).splitlines()[1:]


def test_what_a_student_named_a_folder_is_no_formula() -> None:
    grades = graded([submitted("=1+1", "03", "d")[0], submitted('a",=2', "03", "d")[0]], Rules())
    for text in (canvas(grades, None), moodle(grades, None)):
        cells = [one for row in csv.reader(io.StringIO(text)) for one in row]
        assert "'=1+1" in cells and 'a",=2' in cells and not any(one.startswith("=") for one in cells)


def test_many_points_are_written_out() -> None:
    row, points = submitted("anna", "03", "d", points=1234567.125)
    (cells,) = read_by_canvas(canvas(graded([row], Rules(points=points)), None))[1].values()
    assert cells == {"Lesson 03: Storage": "1234567.12"}
