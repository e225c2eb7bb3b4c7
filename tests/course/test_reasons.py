"""Reasons beside the answers to a list of statements: kept for the student, shown to the teacher, worth no points."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tensorwidgets.course import check, progress, record
from tensorwidgets.course.checking.values_asked import NO_REASON, StatementsExercise
from tensorwidgets.course.grading.page import as_page
from tensorwidgets.course.marking.marks import Mark, no_marks_yet
from tensorwidgets.course.marking.reasons import MOST_LETTERS, reasons_in
from tensorwidgets.course.marking.submissions import read
from tensorwidgets.course.marking.wire import Receiver, Sender
from tests.course.answers import EXERCISES
from tests.course.test_exercises import html

STATEMENTS = {number: one for number, one in EXERCISES.items() if isinstance(one, StatementsExercise)}
RIGHT = [one.true for one in STATEMENTS["03.10"].statements]
WITH = [(RIGHT[0], "the offset of p is 0"), *RIGHT[1:4], (RIGHT[4], "one   storage\n")]


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(record.VARIABLE, str(tmp_path / "progress.json"))


@pytest.mark.parametrize("number", STATEMENTS)
def test_every_list_is_done_with_reasons_and_without(number: str) -> None:
    right = [one.true for one in STATEMENTS[number].statements]
    without = check(number, right)
    assert without.done and "You wrote down no reasons." in html(without) and without.line.endswith(NO_REASON)
    all_of_them = check(number, [(answer, "I tried it") for answer in right], strict=True)
    assert f"You wrote down a reason for each of the {len(right)}, and they are kept." in html(all_of_them)


def test_a_few_reasons_are_counted_and_kept() -> None:
    page = check("03.10", WITH)
    assert page.done and "You wrote down 2 of 5 reasons, and they are kept. They change no points." in page.line
    kept = record.read()["exercises"]["03.10"]
    assert record.reasons(kept) == {"1": "the offset of p is 0", "5": "one storage"}
    assert "done, 1 try, 2 reasons" in repr(progress())


def test_a_reason_changes_nothing_about_a_wrong_list() -> None:
    wrong = [(not RIGHT[0], "surely"), *RIGHT[1:]]
    assert check("03.10", wrong).line == check("03.10", [not RIGHT[0], *RIGHT[1:]]).line
    check("03.10", [not RIGHT[0], not RIGHT[1], *RIGHT[2:]])
    assert record.reasons(record.read()["exercises"]["03.10"]) == {"1": "surely"}


@pytest.mark.parametrize("dots", [[...] * 5, [(..., "because ...")] * 5])
def test_dots_with_a_reason_are_still_dots(dots: list) -> None:
    assert check("03.10", dots).line == "03.10 not started: put your answer in place of the dots"


def test_answers_with_reasons_come_through_to_where_they_are_judged() -> None:
    sender = Sender()
    told = json.loads(json.dumps(sender.value(WITH)))
    assert STATEMENTS["03.10"].judge(Receiver(sender.storages()).value(told), None, "").state == "done"


def test_a_pair_of_something_else_is_told() -> None:
    assert "answer 1 is (True, 3); it should be True or False" in check("03.10", [(True, 3), *RIGHT[1:]]).line


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('answers = [(False, "a"), True, (True, "b" " c"), False, True]', {1: (False, "a"), 3: (True, "b c")}),
        ('answers = [...] * 5\nanswers = (True, [False, "x"], True, True, True)', {2: (False, "x")}),
        ('answers = [(False, f"{1}"), (no, "y"), (True, ""), (1, "z"), (True, "w", 2)]', {}),
        ('answers = [(False, "a"), True', {}),
        ("answers = [" * 5000, {}),
    ],
)
def test_reasons_are_read_from_the_code(code: str, found: dict) -> None:
    assert reasons_in({"03.10": code, "03.8": code}).get("03.10", {}) == found


def test_a_long_reason_is_cut() -> None:
    code = f'answers = [(True, "{"x" * 9000}"), True, True, True, True]'
    assert len(reasons_in({"03.10": code})["03.10"][1][1]) == MOST_LETTERS


@pytest.mark.parametrize("stripped", [False, True])
def test_the_teacher_reads_them_also_where_metadata_are_lost(stripped: bool, tmp_path: Path) -> None:
    answer = 'answers = [(True, "2 + 2 + 1 <b>"), True, (False, "contiguous copies"), False, True]'
    cells = [
        {"cell_type": "code", "source": answer, "metadata": {} if stripped else {"nbgrader": {"grade_id": "03-10"}}},
        {"cell_type": "code", "source": 'check("03.10", answers)', "metadata": {}},
    ]
    file = tmp_path / "anna" / "03_storage.ipynb"
    file.parent.mkdir()
    file.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    row = no_marks_yet(read(file, tmp_path))
    row.marks = {"03.10": Mark("not yet")}
    page = as_page([row], "A class")
    assert row.reasons == {"03.10": {1: (True, "2 + 2 + 1 <b>"), 3: (False, "contiguous copies")}}
    assert '✗ True: 2 + 2 + 1 &lt;b&gt; <span class="who">anna</span>' in page
    assert '✓ False: contiguous copies <span class="who">anna</span>' in page
    row.reasons = {}
    assert "<h3>Reasons</h3>" not in as_page([row], "A class")
