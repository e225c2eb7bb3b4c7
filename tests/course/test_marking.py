"""A class is marked: the table is right whatever was handed in, and nothing gets out of its box."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets.course import cli
from tensorwidgets.course.building import as_text, solution_copy
from tensorwidgets.course.checking.functions_asked import BY_HAND
from tensorwidgets.course.grading import command
from tensorwidgets.course.grading.marks_csv import as_csv
from tensorwidgets.course.grading.page import as_page
from tensorwidgets.course.grading.text import plain_cell
from tensorwidgets.course.marking import box, families, runs, walls
from tensorwidgets.course.marking.cells import cells_to_run
from tensorwidgets.course.marking.late import imported_late
from tensorwidgets.course.marking.marks import Row, asked_of, marked
from tensorwidgets.course.marking.submissions import read, submissions, without_notebooks
from tensorwidgets.course.marking.wire import Receiver, Sender
from tensorwidgets.course.shelf import LESSONS, Lesson
from tests.course.classroom import ANSWERS, BROKEN, IN_A_CALL, LESSON, RAISES, a_class, hand_in
from tests.parts import thorough_but

EXERCISES = list(asked_of(LESSON))
RULES = 'partial = true\n[points]\n"03.8" = 3\n'
LIMITS = ["--seconds", "1", "--jobs", "4"]


@pytest.fixture(scope="module")
def marks(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, dict[str, str]], Path]:
    """The command over a class: the table by student, and the folder."""
    place = tmp_path_factory.mktemp("class")
    a_class(place / "collected", place / "outside")
    (place / "rules.toml").write_text(RULES, encoding="utf-8")
    files = {"to": "marks.csv", "rules": "rules.toml", "canvas": "canvas.csv", "moodle": "moodle.csv"}
    options = [part for option, file in files.items() for part in (f"--{option}", str(place / file))]
    asked = ["check", str(place / "collected"), *options, *LIMITS]
    assert cli.main(asked if walls.can_contain() else [*asked, "--uncontained"]) == 0
    with (place / "marks.csv").open(newline="") as table:
        return {row["student"]: row for row in csv.DictReader(table)}, place


def test_every_notebook_has_its_row(marks: tuple[dict[str, dict[str, str]], Path]) -> None:
    rows, _ = marks
    folders = {"'=1+1" if p.name == "=1+1" else p.name for p in (marks[1] / "collected").iterdir()}
    assert set(rows) == folders and len(rows) > 15
    assert rows["'=1+1"]["done"] == str(len(EXERCISES))


def test_points_follow_the_rules_and_platforms_can_import_them(marks: tuple[dict[str, dict[str, str]], Path]) -> None:
    rows, place = marks
    whole = len(EXERCISES) + 2
    assert rows["'=1+1"]["points"] == rows["'=1+1"]["possible"] == str(whole)
    assert rows["copies"]["points"] == str(whole - 4)
    assert whole - 1 < float(rows["dora"]["points"]) < whole  # right, but with a loop
    with (place / "canvas.csv").open(newline="") as table:
        head, possible, *of_students = list(csv.reader(table))
    assert head[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"] and head[5].startswith("Lesson 03: ")
    assert possible[0].strip() == "Points Possible" and possible[5] == str(whole)
    assert {row[0]: row[5] for row in of_students}["copies"] == rows["copies"]["points"]
    with (place / "moodle.csv").open(newline="") as table:
        moodle = {row["Username"]: row for row in csv.DictReader(table)}
    assert moodle["copies"][head[5]] == rows["copies"]["points"] and "'=1+1" in moodle


def test_answers_that_are_alike_are_named(marks: tuple[dict[str, dict[str, str]], Path]) -> None:
    page = (marks[1] / "marks.html").read_text(encoding="utf-8")
    alike = page[page.index("Answers that are alike") :]
    pairs = {summary.partition(", lesson")[0] for summary in alike.split("<summary>")[1:]}
    assert {"dora and emil", "dora and fay", "emil and fay"} <= pairs
    assert not any(name in pair for pair in pairs for name in ("wrong", "numpy", "syntax", "copies", "=1+1"))
    assert "03.4 word for word; 03.6 word for word" in alike and "03.4 but for names and layout" in alike


@pytest.mark.parametrize("student", ANSWERS)
def test_each_answer_is_judged_as_it_is(student: str, marks: tuple[dict[str, dict[str, str]], Path]) -> None:
    row = marks[0][student]
    wanted = dict.fromkeys(EXERCISES, "done") | ANSWERS[student][1]
    assert {number: row[number] for number in EXERCISES} == wanted
    assert row["problem"] == ""


@pytest.mark.parametrize("student", BROKEN)
def test_what_breaks_costs_its_own_answer(student: str, marks: tuple[dict[str, dict[str, str]], Path]) -> None:
    """A loop in one answer and five right ones: five are done. Two crashes and four right ones: four are done."""
    row, (broken, said) = marks[0][student], BROKEN[student]
    assert {number: row[number] for number in EXERCISES} == dict.fromkeys(EXERCISES, "done") | dict.fromkeys(
        broken, "not yet"
    )
    assert [words for words in said if words not in row["problem"]] == [], row["problem"]


@pytest.mark.parametrize("student", IN_A_CALL)
def test_a_function_that_breaks_when_it_is_called_costs_itself(
    student: str, marks: tuple[dict[str, dict[str, str]], Path]
) -> None:
    wanted = dict.fromkeys(EXERCISES, "done") | dict.fromkeys(IN_A_CALL[student], "not yet")
    assert {number: marks[0][student][number] for number in EXERCISES} == wanted


def test_an_answer_that_needs_another_says_which(marks: tuple[dict[str, dict[str, str]], Path]) -> None:
    row = marks[0]["linked"]
    wanted = {"03.2": "not yet", "03.4": "not yet", "03.6": "not judged", "03.8": "not judged"}
    assert {number: row[number] for number in EXERCISES} == dict.fromkeys(EXERCISES, "done") | wanted
    assert "03.6: needs total, which the answer to 03.2 would have made" in row["problem"]
    assert "03.8: needs offset, which the answer to 03.4 would have made" in row["problem"]


def test_a_forged_check_and_a_tampered_notebook_gain_nothing(marks: tuple[dict[str, dict[str, str]], Path]) -> None:
    rows, _ = marks
    assert [rows["forger"][n] for n in EXERCISES] == ["not yet", *["done"] * (len(EXERCISES) - 1)]
    assert {rows["tampered"][n] for n in EXERCISES} == {rows["nothing"][n] for n in EXERCISES} == {"not started"}


def test_files_that_are_no_lesson_are_told(marks: tuple[dict[str, dict[str, str]], Path]) -> None:
    rows, _ = marks
    assert rows["broken"]["problem"] == "no notebook: the file is damaged or cut off in line 1"
    for student in ("broken", "deep", "no cells", "empty"):
        assert rows[student]["problem"].startswith("no notebook: ") and rows[student]["lesson"] == ""
    assert rows["not ours"]["problem"] == "no answer cell of any lesson in it"


def test_nothing_is_written_outside_its_folder(marks: tuple[dict[str, dict[str, str]], Path]) -> None:
    """Only bubblewrap can promise that; without it the command has to be told `--uncontained`, and says why."""
    rows, place = marks
    assert (place / "outside").exists() != walls.can_contain()
    assert rows["writer"]["03.2"] == ("not yet" if walls.can_contain() else "done")
    assert sorted(p.name for p in place.iterdir() if p.name != "outside") == [
        "canvas.csv", "collected", "marks.csv", "marks.html", "moodle.csv", "rules.toml",
    ]  # fmt: skip


def test_no_process_is_left(marks: tuple[dict[str, dict[str, str]], Path]) -> None:
    runners = []
    for pid in families.descendants(os.getpid()):
        try:
            runners += [pid] if b"course.marking" in Path(f"/proc/{pid}/cmdline").read_bytes() else []
        except OSError:
            continue  # it ended while we looked
    assert runners == []


def test_the_page_shows_the_class(marks: tuple[dict[str, dict[str, str]], Path]) -> None:
    page = (marks[1] / "marks.html").read_text()
    assert page.count('<th scope="row">') == len(marks[0]) - 5 + 1 + len(
        EXERCISES
    )  # all but those of no lesson, the sums, and how each exercise went
    assert "reshape keeps the order" in page and "not ours" in page and "http" not in page


def test_without_containment_the_command_wants_to_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(tmp_path / "collected", "anna", {})
    monkeypatch.setattr(walls, "can_contain", lambda: False)
    asked = ["check", str(tmp_path / "collected"), "--to", str(tmp_path / "marks.csv")]
    assert cli.main(asked) == 2
    told = capsys.readouterr().err
    assert "Nothing here keeps answers from network access" in told and told.count("\n") == 1
    assert "--uncontained" in told and "docs/marking.md" in told
    assert not (tmp_path / "marks.csv").exists()
    assert cli.main([*asked, "--uncontained", "--jobs", "1"]) == 0
    done = f'"{len(EXERCISES)}","{len(EXERCISES)}"'
    assert f'"anna","03_storage.ipynb","03",{done}' in (tmp_path / "marks.csv").read_text()


def test_a_folder_without_notebooks_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", str(tmp_path)]) == 1
    assert cli.main(["check", str(tmp_path / "nowhere")]) == 1
    assert "no notebook" in capsys.readouterr().err


def test_a_table_that_cannot_be_written_is_refused_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(tmp_path / "collected", "anna", {})
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(walls, "can_contain", lambda: True)
    assert cli.main(["check", str(tmp_path / "collected"), "--to", str(tmp_path / "file" / "marks.csv")]) == 1
    assert capsys.readouterr().err.endswith("Name another: --to FILE\n")
    assert cli.main(["check", str(tmp_path / "collected"), "--to", str(tmp_path)]) == 1
    assert "it is a folder. Name another" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--seconds", "--megabytes"])
@pytest.mark.parametrize("number", ["0", "-1", "nan", "much"])
def test_limits_that_would_fail_everybody_are_refused(
    option: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["check", "collected", f"{option}={number}"])
    assert f"'{number}' is not a number above 0" in capsys.readouterr().err


def test_files_that_were_damaged_on_the_way(tmp_path: Path) -> None:
    for data, said in ((b"", "the file is empty"), (b"\xff\xfe\x00", "the file is not text")):
        (tmp_path / "03_storage.ipynb").write_bytes(data)
        assert read(tmp_path / "03_storage.ipynb", tmp_path).problem == f"no notebook: {said}"
    file = hand_in(tmp_path, "anna", {})
    file.write_text(file.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert read(file, tmp_path).lesson == LESSON


def test_a_folder_without_a_notebook_is_named(tmp_path: Path) -> None:
    hand_in(tmp_path, "anna", {})
    for name in ("ben", ".hidden", "__MACOSX"):
        (tmp_path / name).mkdir()
    assert without_notebooks(tmp_path, list(submissions(tmp_path))) == ["ben"]


def test_only_the_answer_cells_are_taken(tmp_path: Path) -> None:
    file = hand_in(tmp_path, "anna", {"03.2": "start = 1"})
    (one,) = submissions(tmp_path)
    assert one.student == "anna" and list(one.answers) == EXERCISES
    cells = [cell.source for cell in cells_to_run(LESSON, one.answers)]
    assert "start = 1" in cells and '__handed_in__("03.8", side)' in cells
    assert not any("check(" in cell for cell in cells)
    link = tmp_path / "ben.ipynb"
    link.symlink_to(file)
    assert "link" in read(link, tmp_path).problem


def test_the_environment_is_not_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "22")
    file = hand_in(tmp_path, "anna", {"03.2": "import os\nstart = int(os.environ['SECRET'])"})
    row = marked(read(file, tmp_path), box.Limits(20), walls.way())
    assert row.marks["03.2"].state == "not yet" and row.done == len(EXERCISES) - 1


def test_the_error_that_stopped_an_answer_is_counted_as_its_mistake(tmp_path: Path) -> None:
    answers = {"03.2": "start = offsets + 1", "03.4": RAISES, "03.8": "side = (3"}
    row = marked(read(hand_in(tmp_path, "anna", answers), tmp_path), box.Limits(20), walls.way())
    assert [row.marks[number].hint for number in answers] == [
        "The cell of the answer raised NameError: name 'offsets' is not defined",
        "The answer raised RuntimeError: no",
        "The cell of the answer raised SyntaxError: incomplete input (line 1)",
    ]


def test_a_process_that_has_marked_adopts_no_more_orphans(tmp_path: Path) -> None:
    """Zombies that nobody waits for would gather, as they do in a container whose first process waits for none."""
    row = marked(read(hand_in(tmp_path, "anna", {}), tmp_path), box.Limits(20), walls.way())
    assert row.done == len(EXERCISES)
    orphan = "import os, time; pid = os.fork() or (time.sleep(1), os._exit(0)); print(pid)"
    pid = int(subprocess.run([sys.executable, "-c", orphan], capture_output=True, text=True, check=True).stdout)
    assert pid not in families.children(os.getpid())


MARKED = [lesson for lesson in LESSONS if lesson.ready and asked_of(lesson)]
IN_SHORT = [lesson for lesson in MARKED if lesson.number in ("02", "04", "09", "12", "16", "20")]
"""Sizes, views, named tensors, tensors without numbers, functions and loaders are handed over."""


@pytest.fixture(scope="module")
def one_box() -> Iterator[box.Box]:
    """A box that has imported what any lesson imports: half a second, which a box for each lesson would take again."""
    modules = [name for lesson in MARKED for name in imported_late(cells_to_run(lesson, {}))]
    kept = box.Box(box.Limits(60), walls.way(), None, list(dict.fromkeys(modules)))  # whatever else the machine does
    yield kept
    kept.close()


@pytest.mark.parametrize("lesson", thorough_but(IN_SHORT, MARKED), ids=lambda lesson: lesson.number)
def test_the_solutions_of_every_lesson_are_marked_done(
    lesson: Lesson, tmp_path: Path, one_box: box.Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its exercises hand over: views, named tensors, tensors without numbers."""
    file = tmp_path / "anna" / lesson.file
    file.parent.mkdir()
    file.write_text(as_text(solution_copy(lesson)), encoding="utf-8")
    monkeypatch.setattr(runs, "Box", lambda *given: one_box)
    monkeypatch.setattr(one_box, "close", one_box.end)
    row = marked(read(file, tmp_path), one_box.limits, walls.way())
    assert row.problem == "" and {n: mark.line for n, mark in row.marks.items() if mark.state != "done"} == {}


def test_gradients_by_hand_are_not_those_of_backward_in_a_box_either(tmp_path: Path) -> None:
    lesson = next(one for one in LESSONS if one.number == "16")
    notebook = solution_copy(lesson)
    answer = next(cell for cell in notebook["cells"] if cell["id"] == "make-16-2")
    answer["source"] = [
        "def slope(w, x, t):\n",
        "    w = w.clone().requires_grad_()\n",
        "    ((w * x - t) ** 2).sum().backward()\n",
        "    return w.grad\n",
    ]
    file = tmp_path / "ben" / lesson.file
    file.parent.mkdir()
    file.write_text(as_text(notebook), encoding="utf-8")
    row = marked(read(file, tmp_path), box.Limits(60), walls.way())
    assert [n for n, mark in row.marks.items() if mark.state != "done"] == ["16.2"]
    assert row.marks["16.2"].hint == BY_HAND and row.marks["16.2"].share == 0.5


def test_values_cross_the_wire_and_share_what_they_shared() -> None:
    x = torch.arange(12.0).reshape(3, 4)
    sender = Sender()
    values = [
        None,
        True,
        3,
        2.5,
        "no",
        ...,
        1j,
        [1, (2,)],
        x,
        x.t()[1:],
        x.numpy()[::-1],
        torch.zeros(0, 3),
        torch.float16,
        torch.zeros(2, 3).rename("rows", None),
        torch.empty(4, 2, device="meta").t(),
    ]
    told = json.loads(json.dumps([sender.value(v) for v in values]))
    receiver = Receiver(sender.storages())
    back = [receiver.value(v) for v in told]
    assert back[:8] == values[:8] and back[12] is torch.float16 and back[11].shape == (0, 3)
    assert torch.equal(back[8], x) and torch.equal(back[9], x.t()[1:]) and back[9].stride() == (1, 4)
    assert np.array_equal(back[10], x.numpy()[::-1])
    assert back[13].names == ("rows", None) and back[14].is_meta and back[14].stride() == (1, 2)
    back[8][1, 1] = 99
    assert back[9][0, 1] == 99 and back[10][1, 1] == 99


@pytest.mark.parametrize(
    "told",
    [
        {"array": "tensor", "storage": "s0", "dtype": "int64", "size": [9], "byte_stride": [8], "byte_offset": 0},
        {"array": "tensor", "storage": "s0", "dtype": "int64", "size": [1], "byte_stride": [8], "byte_offset": -8},
        {"array": "tensor", "storage": "s1", "dtype": "int64", "size": [1], "byte_stride": [8], "byte_offset": 0},
        {"array": "tensor", "storage": "s0", "dtype": "object", "size": [1], "byte_stride": [8], "byte_offset": 0},
        {"array": "NumPy", "storage": "s0", "dtype": "int64", "size": [9], "byte_stride": [8], "byte_offset": 0},
        {"array": "NumPy", "storage": "s0", "dtype": "int64", "size": [2], "byte_stride": [-8], "byte_offset": 0},
        {"array": "NumPy", "storage": "s0", "dtype": "int64", "size": [1 << 50], "byte_stride": [0], "byte_offset": 0},
        {"meta": "object", "size": [1], "stride": [1]},
        {"meta": "int64", "size": [1 << 39] * 60, "stride": [1 << 39] * 60},
        {"function": "f0", "called": "x"},
        {"list": [{"list": [[]]}]},
        {"unknown": 1},
        [],
    ],
)
def test_what_no_answer_is_told_as_is_refused(told: object) -> None:
    sender = Sender()
    sender.value(torch.zeros(2, dtype=torch.int64))
    with pytest.raises((ValueError, RuntimeError)):
        Receiver(sender.storages()).value(told)


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", " =", "＝"])
def test_a_spreadsheet_takes_no_cell_for_a_formula(begin: str) -> None:
    assert plain_cell(f"{begin}1") == f"'{begin}1"


def test_an_empty_class_has_an_empty_table() -> None:
    assert as_csv([]) == '"student","file","lesson","done","of","problem","points","possible","days late"\n'
    assert "<h1>Class</h1>" in as_page([], "Class")


def test_commands_know_where_they_are_said_to_be() -> None:
    assert os.path.exists("docs/marking.md") and "docs/marking.md" in command.NOT_CONTAINED


def test_a_file_is_not_taken_for_a_missing_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("collected.zip", "03_storage.ipynb"):
        (tmp_path / name).write_bytes(b"PK")
        assert cli.main(["check", str(tmp_path / name)]) == 1
        said = capsys.readouterr().err
        assert f"{name} is a file: check takes the folder that it is in" in said and "there is no folder" not in said


def test_what_is_not_marked_is_named_by_its_file() -> None:
    assert command._line(Row("ben", "old/other.ipynb", "", problem="no answer cell of any lesson in it")) == (
        "ben: old/other.ipynb: not marked (no answer cell of any lesson in it)"
    )
    page = as_page([Row("ben", "other.ipynb", "", problem="empty"), Row("anna", "a.ipynb", "03")], "a class")
    assert "Files that were not marked" in page and ">1 notebook<" in page


def test_who_has_only_damaged_files_is_among_all_lessons_too() -> None:
    rows = [Row("anna", "a.ipynb", "03"), Row("anna", "b.ipynb", "04"), Row("ben", "c.ipynb", "", problem="damaged")]
    table = as_page([*rows, Row("anna", "d.ipynb", "", problem="damaged")], "a class").partition("All lessons")[2]
    table = table.partition("</table>")[0]
    assert '<th scope="row">ben</th><td class="words" colspan="3">no file could be marked: see the end' in table
    assert table.count('<th scope="row">anna</th>') == 1 and table.index(">anna<") < table.index(">ben<")


def test_of_two_notebooks_of_a_lesson_the_page_names_the_files() -> None:
    rows = [Row("anna", file, "03") for file in ("03_storage.ipynb", "03_storage (1).ipynb")]
    page = as_page([*rows, Row("ben", "03_storage.ipynb", "03")], "a class")
    assert [f'<th scope="row">anna ({row.file})</th>' in page for row in rows] == [True, True]
    assert '<th scope="row">ben</th>' in page
