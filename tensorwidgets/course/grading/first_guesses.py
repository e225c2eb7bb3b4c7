"""The first guesses of a class: how those that the notebooks bring along are distributed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from tensorwidgets.course import exercises
from tensorwidgets.course.checking.plainly import as_text
from tensorwidgets.course.checking.prediction import Prediction
from tensorwidgets.course.record import as_guessed


def distribution(guesses: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, list[tuple[str, bool, list[str]]]]:
    """For each prediction the guesses, the most frequent first: each as text, whether it is right, and who made it.

    >>> distribution([("anna", {"03.1": 8}), ("ben", {"03.1": 9}), ("chloe", {"03.1": 9})])
    {'03.1': [('9', False, ['ben', 'chloe']), ('8', True, ['anna'])]}
    """
    who: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    right: dict[tuple[str, str], bool] = {}
    for student, mine in guesses:
        for number, kept in mine.items():
            asked, guess = exercises.find(number), as_guessed(kept)
            if isinstance(asked, Prediction):
                text = as_text(guess)
                who[number][text].append(student)
                right[number, text] = asked.reveal(guess).right
    order = sorted(who, key=lambda number: [int(part) for part in number.split(".")])
    return {
        number: [
            (text, right[number, text], students)
            for text, students in sorted(who[number].items(), key=lambda one: (-len(one[1]), one[0]))
        ]
        for number in order
    }
