"""Points, late days, rosters, tables for platforms, similarity and anonymity: arithmetic on marks, without a run."""

from __future__ import annotations

import csv
import random
from datetime import datetime
from pathlib import Path

import pytest

from tensorwidgets.course.building import solutions
from tensorwidgets.course.grading.anonymous import who_is_who, without_names
from tensorwidgets.course.grading.marks_csv import as_csv
from tensorwidgets.course.grading.page import as_page
from tensorwidgets.course.grading.points import DAY, graded, totals
from tensorwidgets.course.grading.roster import BadRoster, roster_from, roster_of, unknown
from tensorwidgets.course.grading.rules import BadRules, Rules, rules_from, rules_of
from tensorwidgets.course.grading.similarity import alike
from tensorwidgets.course.grading.tables import canvas, moodle
from tensorwidgets.course.marking.marks import Mark, Row

DUE = datetime(2026, 11, 20, 23, 59).timestamp()


def row(student: str, lesson: str = "03", days: float = 0.0, **states: float) -> Row:
    """A notebook: `e2=1` says that exercise 2 is done, `e2=0.5` that half of it is right."""
    marks = {
        f"{lesson}.{name[1:]}": Mark("done" if share == 1 else "not yet", share=share) for name, share in states.items()
    }
    return Row(student, f"{lesson}.ipynb", lesson, marks, handed_in=DUE + days * DAY)


def test_points_and_parts_of_them() -> None:
    rules = rules_from('partial = true\n[points]\n"03.4" = 4')
    (grade,) = graded([row("anna", e2=1, e4=0.75, e6=0)], rules)
    assert (grade.points, grade.possible) == (4.0, 6.0)
    (whole,) = graded([row("anna", e2=1, e4=0.75, e6=0)], Rules())
    assert (whole.points, whole.possible) == (1.0, 3.0)


def test_free_days_are_used_up_in_the_order_of_the_deadlines() -> None:
    rules = rules_from("[due]\n03 = 2026-11-20T23:59:00\n04 = 2026-11-27T23:59:00\n[late]\nfree_days = 2\nper_day = 10")
    rows = [row("anna", "04", days=7 + 1.5, e2=1), row("anna", days=0.1, e2=1), row("ben", days=12, e2=1)]
    found = graded(rows, rules)
    assert [(g.days_late, g.days_charged, g.points) for g in found] == [(2, 1, 0.9), (1, 0, 1.0), (12, 10, 0.0)]
    assert '<td class="count">1 of 1, 1 day late, free</td>' in as_page(rows, "Class", rules)


def test_the_total_counts_a_lesson_that_was_not_handed_in() -> None:
    rows = [row("anna", e2=1), row("anna", "04", e2=1), row("ben", e2=1), row("ben", e2=0)]
    rules = rules_from('[weights]\n"04" = 3')
    assert totals(graded(rows, rules), rules) == {"anna": 100.0, "ben": 25.0}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[point]\n", r"point is not a rule: the rules are partial, \[points\]"),
        ("points = 3", r"points must be a table: a line \[points\]"),
        ('[points]\n"03.2" = "two"', r"\[points\] \"03.2\" is 'two': it must be a number, 0 or more"),
        ('[points]\n"03.2" = -1', "it must be a number, 0 or more"),
        ('[points]\n"03.2" = nan', "it must be a number, 0 or more"),
        ('[weights]\n"99" = 1', r"\[weights\] \"99\" is no lesson"),
        ('[due]\n"03" = 2026-11-20', "it must be a date with a time, such as 2026-11-20T23:59:00"),
        ("[late]\nfree_days = 1.5", "free_days is 1.5: it must be a whole number of days"),
        ("[late]\nper_hour = 1", "per_hour is not a rule: the rules are free_days and per_day"),
        ("partial = 1", "partial is 1: it must be true or false"),
    ],
)
def test_rules_that_cannot_be_followed_say_which_line_and_what_is_wanted(text: str, said: str) -> None:
    with pytest.raises(BadRules, match=said):
        rules_from(text)


def test_a_file_of_rules_is_named_where_it_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text("[points\n")
    with pytest.raises(BadRules, match=r"rules\.toml: "):
        rules_of(tmp_path / "rules.toml")
    with pytest.raises(BadRules, match=r"none\.toml cannot be read: No such file"):
        rules_of(tmp_path / "none.toml")


CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Old (12)\n"
    "    Points Possible,,,,,5\n"
    '"Müller, Jörg",1001,s77,jmuller,A,4\n"Berg, Anna",1002,s78,aberg,B,5\n"Berg, Anna",1003,s79,anna2,B,5\n'
)
MOODLE = "First name;Last name;ID number;Email address\nJörg;Müller;77;jm@example.org\nAnna;Berg;78;ab@example.org\n"


def test_a_folder_is_found_in_an_exported_list(tmp_path: Path) -> None:
    (tmp_path / "grades.csv").write_text(CANVAS, encoding="utf-8")
    roster = roster_of(tmp_path / "grades.csv")
    for folder in ("jorg_muller", "Müller Jörg", "JMULLER", "s77", "1001"):
        found = roster.find(folder)
        assert found is not None and found["ID"] == "1001"
    assert roster.find("anna berg") is None and roster.find("") is None
    assert unknown(["jmuller", "anna berg", "zoe", "zoe"], roster) == ["anna berg", "zoe"]
    assert unknown(["zoe"], None) == []
    moodle_list = roster_from(MOODLE)
    assert all(moodle_list.find(name) for name in ("jm", "jm@example.org", "Muller, Jorg", "77"))


def test_a_list_without_names_is_refused(tmp_path: Path) -> None:
    for text in ("", "a,b\n1,2\n", "Student\n"):
        with pytest.raises(BadRoster, match="has none of the columns student, name"):
            roster_from(text)
    (tmp_path / "list.csv").write_bytes(b"Student\nM\xfcller\n")
    with pytest.raises(BadRoster, match="not in UTF-8"):
        roster_of(tmp_path / "list.csv")
    (tmp_path / "list.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(BadRoster, match=r"list\.csv has none of the columns"):
        roster_of(tmp_path / "list.csv")


def test_platforms_get_their_own_columns_and_only_their_members() -> None:
    grades = graded([row("jmuller", e2=1, e4=0), row("zoe", e2=1, e4=1), row("jm", "04", e2=1)], Rules())
    head, possible, jorg = csv.reader(canvas(grades, roster_from(CANVAS.lstrip("\ufeff"))).splitlines())
    assert head[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert possible[5:] == ["2", "1"] and jorg == ["Müller, Jörg", "1001", "s77", "jmuller", "A", "1", ""]
    (only,) = csv.DictReader(moodle(grades, roster_from(MOODLE)).splitlines())
    assert [only["Email address"], only["ID number"], only["Full name"]] == ["jm@example.org", "77", "Jörg Müller"]
    everybody = list(csv.DictReader(moodle(grades, None).splitlines()))
    assert [one["Username"] for one in everybody] == ["jm", "jmuller", "zoe"]


def test_names_are_hidden_and_the_key_finds_them() -> None:
    rows = [row(f"name {k}", e2=1) for k in range(12)]
    hidden, names = without_names(rows)
    table, page = as_csv(hidden), as_page(hidden, "Class")
    assert "name " not in table + page and "student 12" in page
    assert sorted(names.values()) == sorted(one.student for one in rows)
    assert who_is_who(names).count("\n") == 13


OWN = "def place(x, i, j):\n    step = x.stride()\n    return x.storage_offset() + i * step[0] + j * step[1] + {}"


def a_class(count: int, seed: int) -> list[Row]:
    """Students who each wrote answers of their own, or the lesson's."""
    stream = random.Random(seed)
    rows = []
    for k in range(count):
        solved = dict(solutions("03"))
        answers = {
            n: code if stream.random() < 0.5 else OWN.format(100 * k + j) for j, (n, code) in enumerate(solved.items())
        }
        rows.append(Row(f"s{k}", "", "03", dict.fromkeys(answers, Mark("done")), answers=answers))
    return rows


@pytest.mark.parametrize("seed", range(5))
def test_copied_answers_are_named_and_nobody_else(seed: int) -> None:
    rows = a_class(30, seed)
    assert alike(rows) == []
    numbers = list(rows[0].answers)[:3]
    for a, b, change in ((1, 7, lambda code: code), (3, 20, lambda code: code.replace("step", "s") + "  # mine")):
        for k, number in enumerate(numbers):
            rows[a].answers[number] = OWN.format(f"{a}{k}5")
            rows[b].answers[number] = change(rows[a].answers[number])
    found = {pair.students: {equal for _, equal, _ in pair.answers} for pair in alike(rows)}
    assert found == {("s1", "s7"): {True}, ("s3", "s20"): {False}}


def test_what_many_wrote_is_no_evidence() -> None:
    rows = a_class(30, 9)
    numbers = list(rows[0].answers)
    for one in rows[:12]:
        one.answers.update({number: OWN.format(1) for number in numbers})
    assert alike(rows) == []


def test_code_of_students_is_shown_as_text() -> None:
    code = OWN.format("0  # <script>alert(1)</script>\u202e\x1b[31m")
    rows = [*a_class(30, 2)]
    for one in rows[:2]:
        one.answers.update(dict.fromkeys(list(one.answers)[:3], code))
    page = as_page(rows, "Class")
    assert "s0 and s1, lesson 03" in page
    assert "<script" not in page and "\u202e" not in page and "\x1b" not in page and "\n    step = x.stride()" in page
