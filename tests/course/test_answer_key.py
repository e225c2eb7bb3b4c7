"""The answers for teachers are those of the exercises."""

from __future__ import annotations

from tests.course.answer_key import PAGE, page
from tests.course.answers import ASKED


def test_the_page_is_what_the_exercises_give() -> None:
    """To write it again: `python -m tests.course.answer_key`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_question_stands_there() -> None:
    assert [number for number in ASKED if f"**{number}** " not in page()] == []
