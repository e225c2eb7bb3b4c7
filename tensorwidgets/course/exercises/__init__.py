"""The exercises and predictions of each lesson, in a module or a room of its number: `lesson_03` holds `ALL`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from tensorwidgets.course.checking.prediction import Prediction
from tensorwidgets.course.checking.verdict import Exercise
from tensorwidgets.course.shelf import LESSONS


@cache
def of_lesson(number: str) -> dict[str, Exercise | Prediction]:
    """All of a lesson, by number, in the order in which they stand there.

    >>> list(of_lesson("03"))[:4]
    ['03.1', '03.2', '03.3', '03.4']
    >>> of_lesson("23")
    {}
    """
    name = f"{__name__}.lesson_{number}"
    if not number.isdigit() or find_spec(name) is None:
        return {}
    return {one.number: one for one in import_module(name).ALL}


def find(number: str) -> Exercise | Prediction | None:
    """The exercise or prediction of a number such as "03.2"."""
    return of_lesson(number.partition(".")[0]).get(number)


def everything() -> dict[str, dict[str, Exercise | Prediction]]:
    """Lesson by lesson, for the lessons that have some."""
    collected = {lesson.number: of_lesson(lesson.number) for lesson in LESSONS}
    return {number: some for number, some in collected.items() if some}
