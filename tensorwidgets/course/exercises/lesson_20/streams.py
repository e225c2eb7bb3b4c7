"""Streams, and the part of each worker."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake

TWICE = WordPrediction(
    number="20.11",
    question="A stream gives six rows. Two workers load it, three rows in a batch. How many rows does the loop get?",
    subject="the rows",
    answer=12,
    reason="12: each worker has a copy of the stream, and reads all of it",
    otherwise={
        6: "that would be right if the workers shared the stream. Each has a copy, and reads it from beginning to end",
        3: "that is one batch",
        2: "each worker reads the whole stream, which is two batches",
        4: "that is how many batches come. They hold three rows each",
        18: "the notebook itself reads nothing: two workers, six rows each",
    },
)


def _shares(torch: Any) -> list[Case]:
    asked = (
        (10, 0, 2),
        (10, 1, 2),
        (10, 0, 3),
        (10, 2, 3),
        (11, 1, 4),
        (11, 3, 4),
        (2, 0, 4),
        (2, 3, 4),
        (5, 0, 1),
        (7, 1, 5),
    )
    return [Case(f"part({n}, {worker}, {workers})", n, (worker, workers)) for n, worker, workers in asked]


def _part(n: int, worker: int, workers: int) -> tuple[int, int]:
    per, more = divmod(n, workers)
    start = worker * per + min(worker, more)
    return start, start + per + (worker < more)


def _rounded_up(n: int, worker: int, workers: int) -> tuple[int, int]:
    per = -(-n // workers)
    return min(worker * per, n), min((worker + 1) * per, n)


PART = FunctionExercise(
    number="20.12",
    task="a part of the stream for each worker",
    function="part",
    cases=_shares,
    wanted=_part,
    hints=(
        "How many rows does everybody get at least, and how many are left over? divmod(n, workers) says both.",
        "Take 11 rows and 4 workers on paper: 3, 3, 3 and 2. Where does each begin?",
        "Each worker before this one has read the same number of rows, and some have read one more. How many of them? "
        "Not more than there are rows left over.",
    ),
    mistakes=(
        Mistake(
            lambda n, worker, workers: (worker * (n // workers), (worker + 1) * (n // workers)),
            "The last rows are lost whenever n cannot be divided evenly. part(10, 2, 3) has to reach row 10.",
        ),
        Mistake(
            _rounded_up,
            "Every row is read once, but the parts are uneven: rounded up for all, nothing may be left for the last.",
        ),
        Mistake(
            lambda n, worker, workers: (
                worker * (n // workers),
                n if worker == workers - 1 else (worker + 1) * (n // workers),
            ),
            "The last worker gets all that is left over. Share it out among the first ones.",
        ),
        Mistake(
            lambda n, worker, workers: (
                worker * (n // workers),
                (worker + 1) * (n // workers) + (worker < n % workers),
            ),
            "The first parts are long enough, but the next ones begin too early: every extra row of an earlier worker "
            "moves your start by one.",
        ),
        Mistake(
            lambda n, worker, workers: range(worker, n, workers),
            "A range is one thing. Return two numbers, the start and the stop of one stretch, not of every "
            "workers-th row.",
        ),
        Mistake(
            lambda n, worker, workers: (0, n),
            "Every worker reads everything: that is how it was before.",
        ),
        Mistake(
            lambda n, worker, workers: (_part(n, worker, workers)[0], _part(n, worker, workers)[1] - 1),
            "stop is the row after the last one, as in range(start, stop).",
        ),
        Mistake(
            lambda n, worker, workers: (worker * n / workers, (worker + 1) * n / workers),
            "Rows have whole numbers. Use // and %, or divmod.",
        ),
        Mistake(
            lambda n, worker, workers: (worker * n // workers, (worker + 1) * n // workers),
            "Every row is read once, and the parts are even. But here the first workers get the rows left over.",
        ),
        Mistake(
            lambda n, worker, workers: (-(-worker * n // workers), -(-(worker + 1) * n // workers)),
            "Every row is read once, and no part is longer by two. But the longer parts do not all come first.",
        ),
        Mistake(
            lambda n, worker, workers: list(range(*_part(n, worker, workers))),
            "These are the right rows. Return only where they start and stop.",
        ),
        Mistake(
            lambda n, worker, workers: (_part(n, worker, workers)[0], n // workers + (worker < n % workers)),
            "The second number is where the part stops, not how long it is.",
        ),
        Mistake(
            lambda n, worker, workers: _part(n, worker - 1, workers),
            "Workers are counted from 0.",
        ),
    ),
    right=(_part,),
)
