"""A lesson says the same with PyTorch in the engine's place: its first import swapped, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorwidgets.course.build import executed
from tensorwidgets.course.building import Notebook, student_copy
from tensorwidgets.course.shelf import LESSONS, Lesson

OURS, THEIRS = "import tensorwidgets as torch\n", "import torch\n"


def said(notebook: Notebook) -> list[tuple[str, Any]]:
    """What each cell printed or showed, in words, but for the name of the library."""
    words = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            text = "".join(output.get("text") or output["data"]["text/plain"])
            words.append((cell["id"], text.replace(", PyTorch)", ", tensorwidgets)")))
    return words


@pytest.mark.torch
@pytest.mark.parametrize("lesson", [x for x in LESSONS if x.ready], ids=lambda lesson: lesson.number)
def test_lesson_says_the_same_on_pytorch(lesson: Lesson, tmp_path: Path) -> None:
    ours, theirs = student_copy(lesson), student_copy(lesson)
    swapped = 0
    for cell in theirs["cells"]:
        swapped += cell["source"].count(OURS)
        cell["source"] = [THEIRS if line == OURS else line for line in cell["source"]]
    assert swapped == 1
    answers = said(executed(ours, tmp_path))
    assert answers
    assert said(executed(theirs, tmp_path)) == answers
