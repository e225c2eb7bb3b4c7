"""The first guesses of a class: what each notebook brings along, and how they are distributed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from tensorwidgets.course import exercises
from tensorwidgets.course.checking.plainly import as_text
from tensorwidgets.course.checking.prediction import Prediction
from tensorwidgets.course.record import GUESS, as_guessed

MOST_LETTERS = 80


def guesses_in(cells: Iterable[Any]) -> dict[str, Any]:
    """The first guesses that the outputs of `reveal` carry, by the number of the prediction.

    >>> output = {"metadata": {GUESS: {"number": "03.1", "first": 9}}}
    >>> guesses_in([{"outputs": [output]}, {"outputs": 3}, None])
    {'03.1': 9}
    """
    found: dict[str, Any] = {}
    for cell in cells:
        outputs = cell.get("outputs") if isinstance(cell, dict) else None
        for output in outputs if isinstance(outputs, list) else ():
            metadata = output.get("metadata") if isinstance(output, dict) else None
            carried = metadata.get(GUESS) if isinstance(metadata, dict) else None
            if not isinstance(carried, dict):
                continue
            number, first = carried.get("number"), carried.get("first")
            if isinstance(number, str) and isinstance(exercises.find(number), Prediction) and _small(first):
                found.setdefault(number, first)
    return found


def _small(guess: Any) -> bool:
    """Whether it is what `reveal` writes: a student can write anything into a notebook."""
    if isinstance(guess, str):
        return len(guess) <= MOST_LETTERS
    return isinstance(guess, (bool, float)) or isinstance(guess, int) and abs(guess) < 10**18


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
