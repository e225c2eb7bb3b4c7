"""The course is as large as it promises, its minutes add up, and few of its cells are for our engine alone.

`python -m tests.course.test_numbers` prints the numbers.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from tensorwidgets.course.building import ENGINE_TAG, student_copy
from tensorwidgets.course.checking.functions_asked import FunctionExercise
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.puzzles.asked import ALL
from tensorwidgets.course.shelf import LESSONS, Lesson
from tests.course.answers import EXERCISES, PREDICTIONS, mistakes
from tests.project.running import ROOT

CODE = (FunctionExercise, TensorExercise)  # what a student hands in is a program, not a word, a number or a list
READY = [lesson for lesson in LESSONS if lesson.ready and lesson.number not in ("00", "23")]


class Numbers(NamedTuple):
    """How much there is of each."""

    predictions: int
    exercises: int
    in_code: int
    puzzles: int
    mistakes: int


def numbers() -> Numbers:
    slips = sum(len(puzzle.slips) for puzzle in ALL.values())
    return Numbers(
        predictions=len(PREDICTIONS),
        exercises=len(EXERCISES),
        in_code=sum(isinstance(exercise, CODE) for exercise in EXERCISES.values()),
        puzzles=len(ALL),
        mistakes=sum(len(mistakes(exercise)) for exercise in EXERCISES.values()) + slips,
    )


def code_cells(lesson: Lesson) -> tuple[int, int]:
    """How many cells of code a lesson has, and how many of them are for our engine alone."""
    cells = [cell for cell in student_copy(lesson)["cells"] if cell["cell_type"] == "code"]
    return len(cells), sum(ENGINE_TAG in cell["metadata"].get("tags", []) for cell in cells)


def minutes_of_sections(lesson: Lesson) -> list[int]:
    texts = ["".join(cell["source"]) for cell in student_copy(lesson)["cells"] if cell["cell_type"] == "markdown"]
    return [int(m) for text in texts for m in re.findall(r"^\*Difficulty .* · (\d+) minutes", text, re.MULTILINE)]


def minutes_at_the_top(lesson: Lesson) -> tuple[int, list[int]]:
    """What the first cell says: of the lesson and, where it says so, of the parts."""
    title = "".join(student_copy(lesson)["cells"][0]["source"])
    found = re.search(r"\*\*Minutes:\*\* (\d+)\.", title)
    assert found, title
    return int(found[1]), [int(part) for part in re.findall(r"\) \((\d+)(?: or more)?\)", title)]


def minutes_for_teachers(lesson: Lesson) -> tuple[int, list[int]]:
    """The lesson's minutes and those of its parts, as the teacher's page has them."""
    page = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
    chapter = page.partition(f"\n## {lesson.number} ")[2].partition("\n## ")[0]
    found = re.search(r"^\*(\d+) minutes: ([^.]*)\.", " ".join(chapter.split("\n\n")[1].split()))
    assert found, chapter[:200]
    return int(found[1]), [int(part) for part in re.findall(r" (\d+)(?: or more)?(?:,|$)", found[2])]


def test_the_course_has_what_it_promises() -> None:
    found = numbers()
    assert found.exercises >= 120 and 2 * found.in_code >= found.exercises
    assert found.puzzles == 30 and found.mistakes >= 450


@pytest.mark.parametrize("lesson", READY, ids=lambda lesson: lesson.number)
def test_at_most_one_cell_in_ten_is_for_our_engine_alone(lesson: Lesson) -> None:
    cells, tagged = code_cells(lesson)
    assert tagged * 10 <= cells


@pytest.mark.parametrize("lesson", READY, ids=lambda lesson: lesson.number)
def test_the_minutes_of_the_parts_are_those_of_the_lesson(lesson: Lesson) -> None:
    minutes, parts = minutes_for_teachers(lesson)
    promised, of_parts = minutes_at_the_top(lesson)
    assert minutes_of_sections(lesson) == parts and of_parts in ([], parts)
    assert sum(parts) == minutes == promised


if __name__ == "__main__":
    print(*(f"{name}: {count}" for name, count in numbers()._asdict().items()), sep="\n")
    for one in READY:
        total, ours = code_cells(one)
        print(f"lesson {one.number}: {minutes_for_teachers(one)[0]} minutes, {total} cells of code, {ours} tagged")
