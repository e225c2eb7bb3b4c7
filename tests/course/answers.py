"""Every answer to every exercise that stands in the package, as a test hands it in, for one library."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course import exercises
from tensorwidgets.course.checking.prediction import Prediction
from tensorwidgets.course.checking.values_asked import StatementsExercise
from tensorwidgets.course.checking.verdict import Exercise, Mistake

ASKED = {number: one for some in exercises.everything().values() for number, one in some.items()}
EXERCISES = {number: one for number, one in ASKED.items() if isinstance(one, Exercise)}
PREDICTIONS = {number: one for number, one in ASKED.items() if isinstance(one, Prediction)}


def mistakes(exercise: Exercise) -> tuple[Mistake, ...]:
    return tuple(exercise.wrong_answers()) if isinstance(exercise, StatementsExercise) else exercise.mistakes


WRONG = [(number, k) for number, one in EXERCISES.items() for k in range(len(mistakes(one)))]
RIGHT = [(number, k) for number, one in EXERCISES.items() for k in range(len(one.right))]


def handed_in(exercise: Exercise, spelled: Any, torch: Any) -> Any:
    """What a student who thinks so would pass to `check`."""
    return exercise.answer_of(spelled, torch)
