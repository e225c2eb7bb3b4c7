"""What the outputs of a notebook bring along in their metadata: first guesses, and how often an answer was checked.

A student can write anything into a notebook, so only small values of known exercises are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tensorwidgets.course import exercises
from tensorwidgets.course.checking.prediction import Prediction
from tensorwidgets.course.checking.verdict import Exercise
from tensorwidgets.course.record import GUESS, TRIES

MOST_LETTERS = 80
MOST_TRIES = 10_000


def guesses_in(cells: Iterable[Any]) -> dict[str, Any]:
    """The first guesses that the outputs of `reveal` carry, by the number of the prediction.

    >>> output = {"metadata": {GUESS: {"number": "03.1", "first": 9}}}
    >>> guesses_in([{"outputs": [output]}, {"outputs": 3}, None])
    {'03.1': 9}
    """
    found: dict[str, Any] = {}
    for number, carried in _carried(cells, GUESS):
        first = carried.get("first")
        if isinstance(exercises.find(number), Prediction) and _small(first):
            found.setdefault(number, first)
    return found


def tries_in(cells: Iterable[Any]) -> dict[str, int]:
    """How often each exercise was checked, as the outputs of `check` carry it.

    >>> output = {"metadata": {TRIES: {"number": "03.2", "tries": 4}}}
    >>> tries_in([{"outputs": [output]}])
    {'03.2': 4}
    """
    found: dict[str, int] = {}
    for number, carried in _carried(cells, TRIES):
        tries = carried.get("tries")
        known = isinstance(exercises.find(number), Exercise)
        if known and isinstance(tries, int) and not isinstance(tries, bool) and 0 < tries <= MOST_TRIES:
            found[number] = max(tries, found.get(number, 0))
    return found


def _carried(cells: Iterable[Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for cell in cells:
        outputs = cell.get("outputs") if isinstance(cell, dict) else None
        for output in outputs if isinstance(outputs, list) else ():
            metadata = output.get("metadata") if isinstance(output, dict) else None
            carried = metadata.get(name) if isinstance(metadata, dict) else None
            if isinstance(carried, dict) and isinstance(number := carried.get("number"), str):
                yield number, carried


def _small(guess: Any) -> bool:
    """Whether it is what `reveal` writes."""
    if isinstance(guess, str):
        return len(guess) <= MOST_LETTERS
    return isinstance(guess, (bool, float)) or isinstance(guess, int) and abs(guess) < 10**18
