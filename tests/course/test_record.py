"""What a student has done is kept, whatever happens meanwhile, and printed by `progress` and `reveal` alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tensorwidgets.course import check, given, predict, progress, record
from tests.course.answers import EXERCISES


def test_the_first_and_the_latest_guess_are_kept(kept: Path) -> None:
    predict("03.1", ...)
    assert not kept.exists()
    for guess in (7, 12, 8):
        predict("03.1", guess)
    predict("03.9", False)
    predict("03.7", [1, 2])
    assert json.loads(kept.read_text()) == {
        "version": 1,
        "exercises": {},
        "predictions": {
            "03.1": {"first": 7, "latest": 8},
            "03.7": {"first": "(1, 2)", "latest": "(1, 2)"},
            "03.9": {"first": False, "latest": False},
        },
    }


def test_tries_are_counted_until_it_is_done_and_done_stays(kept: Path) -> None:
    check("03.8", ...)
    assert not kept.exists()
    x = given("03.8")
    check("03.8", x)
    check("03.8", x.t())
    check("03.8", x)
    check("03.2", 11)
    kept_of = record.read()["exercises"]
    assert [(n, one["tries"], one["done"]) for n, one in kept_of.items()] == [("03.2", 1, False), ("03.8", 2, True)]
    assert [said[:4] for said in record.wrong_tries(kept_of["03.8"])] == ["size"]


def test_progress_tells_it(kept: Path) -> None:
    told = [line for line in repr(progress()).splitlines() if line.startswith(("lesson 03", "03."))]
    assert [line.split() for line in told] == [["lesson", "03", "not", "begun"]]
    predict("03.1", 7)
    told = [line for line in repr(progress()).splitlines() if line.startswith(("lesson 03", "03."))]
    count = sum(number.startswith("03.") for number in EXERCISES)
    assert told[0].split()[:5] == ["lesson", "03", "0", "of", str(count)]
    assert sum("no guess yet" in line for line in told) == 4
    predict("03.1", 8)
    predict("03.3", 11)
    check("03.8", given("03.8").t())
    check("03.2", 11)
    lines = {line.split()[0]: line.split("  ")[-1].strip() for line in repr(progress()).splitlines() if line}
    predict("02.1", (2, 1, 3))
    assert any(line.endswith("(2, 1, 3) (right)") for line in repr(progress()).splitlines())
    assert lines["03.1"] == "first 7 (not right), then 8" and lines["03.3"] == "11 (right)"
    assert lines["03.8"] == "done, 1 try" and lines["03.2"] == "not yet, 1 try" and lines["03.4"] == "not started"
    assert kept.name in repr(progress())


def test_a_crash_while_writing_leaves_the_old_file(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    predict("03.1", 7)
    before = kept.read_bytes()

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    for call in ("replace", "fsync"):
        with monkeypatch.context() as patch:
            patch.setattr(os, call, crash)
            with pytest.raises(KeyboardInterrupt):
                predict("03.1", 8)
        assert kept.read_bytes() == before
    assert [p.name for p in kept.parent.iterdir()] == [kept.name]


@pytest.mark.parametrize("damaged", ["", "{", "[1]", "\x00\x01"])
def test_a_file_that_cannot_be_read_is_put_aside_and_not_lost(kept: Path, damaged: str) -> None:
    kept.write_text(damaged)
    assert "not begun" in repr(progress())
    predict("03.1", 7)
    assert record.read()["predictions"] == {"03.1": {"first": 7, "latest": 7}}
    assert kept.with_suffix(".unreadable.json").read_text() == damaged


@pytest.mark.parametrize(
    "strange", ['{"predictions": 3}', '{"predictions": {"03.1": 2}, "exercises": {"03.8": {"tries": "x"}}}']
)
def test_a_file_that_somebody_edited_stops_nothing(kept: Path, strange: str) -> None:
    kept.write_text(strange)
    assert "lesson 03" in repr(progress())
    check("03.8", given("03.8"))
    one = record.read()["exercises"]["03.8"]
    assert (one["tries"], one["done"]) == (1, False)


def test_where_nothing_can_be_written_the_lesson_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(record.VARIABLE, str(tmp_path / "no" / "such" / "folder" / "kept.json"))
    assert predict("03.1", 8).line.startswith("03.1 kept")
    assert "not begun" in repr(progress())


def test_the_file_lies_where_the_kernel_was_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(record.VARIABLE)
    before = record.where()
    monkeypatch.chdir(tmp_path)
    assert record.where() == before == Path(before.parent, "tensorwidgets-progress.json")
