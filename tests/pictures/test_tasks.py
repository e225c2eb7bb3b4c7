"""The tasks for a new reader: each has one right answer, worked out by the engine, and a picture that shows numbers."""

from __future__ import annotations

import pytest

from tests.pictures.tasks import TASKS, Task, questions


@pytest.mark.parametrize("task", TASKS, ids=[f"{k:02}" for k in range(1, len(TASKS) + 1)])
def test_a_task_has_one_right_answer_and_a_picture(task: Task) -> None:
    picture, right = task.made()
    assert 1 <= right <= len(task.choices) == len(set(task.choices))
    assert len(repr(picture)) > 40 and '<div class="tw"' in picture.html()


def test_the_questions_do_not_say_the_answers() -> None:
    told = questions()
    assert told.count(".png)") == len(TASKS) == 12
    assert all(task.asks in told and all(choice in told for choice in task.choices) for task in TASKS)
    assert len({task.made()[1] for task in TASKS}) > 2  # no column of equal letters
