"""Writes docs/answers.md: every question of the course with its answer, and what students hand in instead.

`python -m tests.course.answer_key`
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tensorwidgets.course import exercises
from tensorwidgets.course.building import solutions
from tensorwidgets.course.checking.plainly import as_text
from tensorwidgets.course.checking.prediction import Prediction
from tensorwidgets.course.checking.values_asked import StatementsExercise
from tensorwidgets.course.checking.verdict import Exercise, Mistake
from tensorwidgets.course.shelf import LESSONS
from tests.course.answers import mistakes

PAGE = Path(__file__).parents[2] / "docs" / "answers.md"
HEAD = """# Answers

For teachers: every prediction and every exercise, its answer, and what `check` says to the usual mistakes. Written by
`python -m tests.course.answer_key` from the exercises themselves. [The teacher's page](teaching.md) says how to teach
with them.
"""


def page() -> str:
    return "\n".join([HEAD, *(line for lesson in LESSONS for line in _lesson(lesson.number, lesson.title))])


def _lesson(number: str, title: str) -> Iterator[str]:
    asked = exercises.of_lesson(number)
    if not asked:
        return
    yield f"## {number} {title}\n"
    for one in asked.values():
        yield from _prediction(one) if isinstance(one, Prediction) else _exercise(one, solutions(number)[one.number])


def _prediction(asked: Prediction) -> Iterator[str]:
    right = str(asked.says())
    reason = asked.reveal(asked.says()).reason.removeprefix(f"{right}: ")
    yield f"**{asked.number}** (prediction) {_plain(asked.question)}\n"
    yield f"*{_plain(right)}*: {_plain(reason)}.\n"


def _exercise(asked: Exercise, solution: str) -> Iterator[str]:
    yield f"**{asked.number}** {_plain(asked.task)}\n"
    if isinstance(asked, StatementsExercise):
        for k, statement in enumerate(asked.statements, 1):
            yield f"{k}. *{statement.true}.* {_plain(statement.says)} {_plain(statement.hint)}"
    else:
        yield f"```python\n{solution}\n```\n"
        yield from (f"- {_handed_in(mistake)}{_plain(mistake.hint)}" for mistake in mistakes(asked))
    yield ""


def _handed_in(mistake: Mistake) -> str:
    return "" if callable(mistake.answer) else f"*{_plain(as_text(mistake.answer))}*: "


def _plain(text: str) -> str:
    """Text in which nothing is taken for markup."""
    for sign in "\\*_<>[]`#|":
        text = text.replace(sign, "\\" + sign)
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
