"""The commands beside `lab`: reset, progress, release, doctor."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tensorwidgets.course import cli, doctor, record
from tensorwidgets.course.building import as_text, student_copy
from tensorwidgets.course.handing_out import NBGRADER_CONFIG
from tensorwidgets.course.shelf import LESSONS, NOTEBOOKS

LESSON = next(lesson for lesson in LESSONS if lesson.number == "03")
READY = [lesson.file for lesson in NOTEBOOKS if lesson.ready]


NBGRADER = """
from tensorwidgets.course.quick_start import grammars_later
grammars_later()
from nbgrader.apps.nbgraderapp import main
main()
"""
"""`python -m nbgrader`, which imports jsonschema, in two thirds of the time."""


def test_reset_gives_a_fresh_copy_and_keeps_the_students(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / LESSON.file
    for n, answers in enumerate(["first try", "second try"], 1):
        mine.write_text(answers)
        assert cli.main(["reset", "3" if n == 1 else "03", "--dir", str(tmp_path)]) == 0
        assert mine.read_text(encoding="utf-8") == as_text(student_copy(LESSON))
        assert (tmp_path / f"03_storage.kept-{n}.ipynb").read_text() == answers
    assert "yours is kept as 03_storage.kept-2.ipynb" in capsys.readouterr().out


@pytest.mark.parametrize("named", ["3", "03", "03_storage", "03_storage.ipynb", "there/03_storage.ipynb"])
def test_a_lesson_is_named_by_its_number_or_its_file(named: str) -> None:
    assert cli._lesson(named) == LESSON


@pytest.mark.parametrize(
    ("named", "numbers", "unknown"),
    [
        ("3,04", ["03", "04"], []),
        ("04, 03,03", ["03", "04"], []),
        ("01-03,puzzles", ["01", "02", "03", "puzzles"], []),
        ("22-99, 5", ["05"], ["22-99"]),
        ("4-2,-3,x", [], ["4-2", "-3", "x"]),
        ("1-puzzles,,", [], ["1-puzzles"]),
        (",", [], [","]),
    ],
)
def test_lessons_are_named_one_by_one_or_by_a_range(named: str, numbers: list[str], unknown: list[str]) -> None:
    lessons, left = cli._lessons(named)
    assert ([lesson.number for lesson in lessons], left) == (numbers, unknown)


def test_reset_of_what_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reset", "99", "--dir", str(tmp_path)]) == 1
    assert "there is no lesson 99: the lessons are 00, " in capsys.readouterr().err
    assert cli.main(["reset", "03", "--dir", str(tmp_path / "nowhere")]) == 1
    assert "tensorwidgets lab makes it" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_progress_reads_the_students_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = {"version": 1, "exercises": {"03.8": {"done": True, "tries": 2}}, "predictions": {}}
    (tmp_path / record.FILE).write_text(json.dumps(kept))
    assert cli.main(["progress", "--dir", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert re.search(r"03\.8.*done, 2 tries", told) and "1 of 8 exercises done" in told
    assert cli.main(["progress", "--dir", str(tmp_path / "nowhere")]) == 1
    assert "nowhere: tensorwidgets lab makes it" in capsys.readouterr().err
    (tmp_path / "new").mkdir()
    assert cli.main(["progress", "--dir", str(tmp_path / "new")]) == 1
    assert "new yet: it begins with your first guess or check" in capsys.readouterr().err


def test_who_stands_in_the_folder_need_not_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["reset", "03"]) == 1
    (tmp_path / READY[0]).write_text("my notes")
    assert cli.main(["reset", "03"]) == 0
    assert "03_storage.ipynb: fresh" in capsys.readouterr().out and (tmp_path / LESSON.file).exists()


def test_release_for_students_is_what_lab_hands_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["release", "--for", "students", str(tmp_path / "handout")]) == 0
    assert sorted(p.name for p in (tmp_path / "handout").iterdir()) == sorted(READY)
    assert (tmp_path / "handout" / LESSON.file).read_text(encoding="utf-8") == as_text(student_copy(LESSON))
    assert cli.main(["release", "--for", "students", str(tmp_path / "handout")]) == 1
    assert "name a new folder" in capsys.readouterr().err


def test_a_choice_of_lessons_is_handed_out_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = tmp_path / "week-2.zip"
    assert cli.main(["release", "--for", "students", "--lessons", "03, 04", str(packed)]) == 0
    with ZipFile(packed) as there:
        assert there.namelist() == ["week-2/03_storage.ipynb", "week-2/04_views_or_copies.ipynb"]
        cells = json.loads(there.read(there.namelist()[0]))["cells"]
    assert cells and not any(cell.get("outputs") for cell in cells)
    for again in (["03"], ["03,77"], []):
        chosen = [f"--lessons={numbers}" for numbers in again]
        assert cli.main(["release", "--for", "students", *chosen, str(packed)]) == 1
    told = capsys.readouterr().err
    assert "there is no lesson 77" in told and "week-2.zip exists already: name a new file" in told
    assert cli.main(["release", "--for", "nbgrader", "--lessons", "03", str(tmp_path / "course")]) == 1


@pytest.mark.thorough
def test_nbgrader_builds_an_assignment_from_the_release(tmp_path: Path) -> None:
    """The real nbgrader: its student's version holds no solution, and every check as a locked cell."""
    course = tmp_path / "course"
    assert cli.main(["release", "--for", "nbgrader", str(course)]) == 0
    assert (course / "nbgrader_config.py").read_text() == NBGRADER_CONFIG
    command = [sys.executable, "-c", NBGRADER, "generate_assignment", "03", "--create"]
    here = os.path.dirname(sys.executable)  # nbgrader calls other programs of its environment by name
    env = {**os.environ, "PATH": os.pathsep.join([here, os.environ.get("PATH", "")])}
    made = subprocess.run(command, cwd=course, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert made.returncode == 0, made.stderr
    built = json.loads((course / "release" / "03" / LESSON.file).read_text(encoding="utf-8"))
    cells = {c["metadata"].get("nbgrader", {}).get("grade_id"): c for c in built["cells"]}
    assert "side = ...  # your line here" in "".join(cells["03-8"]["source"])
    assert "x.t()" not in "".join(cells["03-8"]["source"])
    assert cells["check-03-8"]["metadata"]["nbgrader"]["locked"] is True
    assert "strict" not in "".join(cells["check-03-8"]["source"])


def test_doctor_finds_all_well_here(tmp_path: Path) -> None:
    told, _ = doctor.report(tmp_path / "not" / "yet" / "there")
    assert re.search(r"^ok    tensorwidgets +\d", told, re.MULTILINE)
    assert re.search(r"^ok    writing here +works", told, re.MULTILINE)
    assert list(tmp_path.iterdir()) == []


def test_doctor_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "FOR_THE_LAB", ("no-such-package",))
    told, well = doctor.report(tmp_path)
    assert not well and told.endswith("Fix what is marked, then run tensorwidgets doctor again.")
    assert re.search(r'^FIX   no-such-package +not installed\n +fix: .*pip install "\.\[lab\]"', told, re.MULTILINE)


@pytest.mark.parametrize("command", ["lab", "list", "check"])
def test_ctrl_c_ends_a_command_without_a_traceback(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*given: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_run", interrupted)
    assert cli.main([command]) == 130
    assert capsys.readouterr().err == "\nStopped.\n"


def test_reset_where_nothing_can_be_written_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*given: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(cli, "reset", refused)
    assert cli.main(["reset", "03", "--dir", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"{tmp_path / '03_storage.ipynb'} cannot be written: Permission denied\n"
