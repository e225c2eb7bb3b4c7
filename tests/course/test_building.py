"""One source gives the student's copy, the solved one and a marker's; solutions are run, and every check is done."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tensorwidgets.course import building, record
from tensorwidgets.course.build import executed
from tensorwidgets.course.building import as_text, solution_copy, solutions, student_copy
from tensorwidgets.course.shelf import LESSONS, Lesson
from tests.course.answers import EXERCISES, PREDICTIONS

EXERCISED = [x for x in LESSONS if x.ready and any(n.startswith(x.number) for n in EXERCISES)]
each_lesson = pytest.mark.parametrize("lesson", EXERCISED, ids=lambda lesson: lesson.number)


def text(lesson: Lesson) -> str:
    return lesson.source.read_text(encoding="utf-8")


@pytest.mark.parametrize("number", ["03", "13"])
def test_a_kernel_runs_the_solutions_and_every_check_is_done(number: str, tmp_path: Path, kept: Path) -> None:
    """As a student would run them; the solutions of every lesson are marked in `test_marking`."""
    (lesson,) = [each for each in EXERCISED if each.number == number]
    solved = executed(solution_copy(lesson), tmp_path)
    said = [
        "".join(output["data"]["text/plain"])
        for cell in solved["cells"]
        if cell["cell_type"] == "code" and cell["id"].startswith("check-")
        for output in cell["outputs"]
    ]
    mine = [number for number in EXERCISES if number.startswith(lesson.number)]
    assert [line.split(":")[0] for line in said] == [f"{number} done" for number in mine]
    assert [one["done"] for one in record.read()["exercises"].values()] == [True] * len(mine)


@each_lesson
def test_the_students_copy_holds_no_solution_and_no_hidden_check(lesson: Lesson) -> None:
    copy = as_text(student_copy(lesson))
    assert "###" not in copy and "strict=True" not in copy
    assert "###" in text(lesson) and "strict=True" in text(lesson)
    assert "###" not in as_text(solution_copy(lesson))
    cells = {cell["id"]: "".join(cell["source"]) for cell in student_copy(lesson)["cells"]}
    for number, code in solutions(lesson.number).items():
        cell = cells[f"make-{number.replace('.', '-')}"]
        assert "..." in cell and not set(code.splitlines()) & {line.strip() for line in cell.splitlines()}


@each_lesson
def test_a_lesson_imports_all_that_the_page_of_an_answer_names(lesson: Lesson) -> None:
    """A page says `hint("03.2")` and `solution("03.2")`: both work without another import."""
    (first, *_) = [cell for cell in student_copy(lesson)["cells"] if cell["cell_type"] == "code"]
    (line,) = [line for line in first["source"] if line.startswith("from tensorwidgets.course import ")]
    assert {"check", "hint", "solution"} <= set(re.findall(r"\w+", line))


@each_lesson
def test_every_exercise_has_its_two_cells_as_nbgrader_knows_them(lesson: Lesson) -> None:
    """In both the source and the copy, so that a copy that comes back can be marked."""
    for notebook in (json.loads(text(lesson)), student_copy(lesson)):
        marked = [(cell["metadata"]["nbgrader"], cell) for cell in notebook["cells"] if "nbgrader" in cell["metadata"]]
        makes = {data["grade_id"]: cell for data, cell in marked if data["solution"]}
        checks = {data["grade_id"]: cell for data, cell in marked if data["grade"]}
        numbers = [n.replace(".", "-") for n in EXERCISES if n.startswith(lesson.number)]
        assert list(makes) == numbers and list(checks) == [f"check-{n}" for n in numbers]
        assert len(marked) == 2 * len(numbers)
        for data, _ in marked:
            assert data["schema_version"] == 3 and data["locked"] == data["grade"] and not data["task"]
            assert (data.get("points") == 1) == data["grade"]


@each_lesson
def test_every_number_is_asked_once_and_in_order(lesson: Lesson) -> None:
    code = "\n".join("".join(c["source"]) for c in student_copy(lesson)["cells"] if c["cell_type"] == "code")
    asked = re.findall(r'^(?:check|predict)\("([\d.]+)"', code, re.MULTILINE)
    mine = [number for number in {**EXERCISES, **PREDICTIONS} if number.startswith(lesson.number)]
    assert asked == sorted(mine, key=lambda n: int(n[3:])) == [f"{lesson.number}.{k + 1}" for k in range(len(mine))]
    guesses = [number for number in mine if number in PREDICTIONS]
    assert re.findall(r'^predict\("[\d.]+", (.*)\)', code, re.MULTILINE) == ["..."] * len(guesses)


@pytest.mark.parametrize(
    "broken",
    [
        "### BEGIN SOLUTION\nx = 1\n",
        "x = 1\n### END SOLUTION\n",
        "### BEGIN SOLUTION\n### BEGIN SOLUTION\n### END SOLUTION\n",
    ],
)
def test_marks_that_do_not_pair_are_refused(broken: str) -> None:
    with pytest.raises(ValueError, match="SOLUTION"):
        building._regions(broken, building.SOLUTION)
