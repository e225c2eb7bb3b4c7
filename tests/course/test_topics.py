"""No topic is open: each has a lesson that is there, and an exercise or prediction that asks for it."""

from __future__ import annotations

from collections import Counter

import pytest

from tensorwidgets.course.shelf import LESSONS
from tests.course.answers import ASKED
from tests.course.topics import PAGE, Topic, page, topics


@pytest.mark.parametrize("row", topics(), ids=lambda row: f"{row.notes[0]}: {row.topic}")
def test_a_topic_is_met(row: Topic) -> None:
    ready = {lesson.number for lesson in LESSONS if lesson.ready}
    assert row.lesson in ready and row.met_by
    assert all(number in ASKED for number in row.met_by)
    assert any(number.startswith(row.lesson) for number in row.met_by)


def test_the_page_is_what_the_table_gives() -> None:
    """To rewrite it: `python -m tests.course.topics`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_each_set_of_notes_is_there_and_no_topic_twice() -> None:
    assert sorted({row.notes[0] for row in topics()}) == ["A", "B", "C", "D", "E"]
    assert max(Counter((row.notes, row.topic) for row in topics()).values()) == 1
