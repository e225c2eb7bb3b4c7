"""Each lesson as a student meets it: untrusted and unrun; and some of every sort run whole.

`python -m tests.browser.every_lesson` runs all of them, with answers; outside a browser nbval does.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensorwidgets.course import record
from tensorwidgets.course.shelf import NOTEBOOKS, Lesson
from tests.browser.lab import Notebook
from tests.project.running import ROOT

TRUSTED = "() => jupyterapp.shell.currentWidget.content.model.cells.get(1).trusted"
OUTPUT = ".jp-OutputArea-output"
LESSONS = [lesson for lesson in NOTEBOOKS if lesson.ready]
RUN = ("00", "03", "13", "16", "21")
"""Questions, pictures, a live explorer, graphs and output of other processes."""


def outputs_in(path: Path) -> list[Any]:
    """The outputs of each cell of a notebook on the disk."""
    return [cell.get("outputs") for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]


def drawn_in(built: list[Any]) -> int:
    """How many outputs are pictures."""
    return sum("text/html" in output.get("data", {}) for outputs in built for output in outputs or ())


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_a_lesson_is_readable_untrusted(lesson: Lesson, open_notebook: Callable[..., Notebook]) -> None:
    source = ROOT / "notebooks" / lesson.file
    built = outputs_in(source)
    drawn = drawn_in(built)
    notebook = open_notebook(source, kernel=lesson.number in RUN)
    page = notebook.page
    assert notebook.evaluate(TRUSTED) is False
    assert page.locator("h1").first.inner_text().startswith(lesson.title)
    page.wait_for_function(f"document.querySelectorAll('{OUTPUT} .tw').length === {drawn}")
    assert page.locator("[data-tw]").count() == 0
    assert page.locator(f"{OUTPUT} .tw table").first.is_visible()
    if lesson.number not in RUN:
        return

    notebook.run_all()
    page.wait_for_function(f"document.querySelectorAll('{OUTPUT} [data-tw=ready]').length === {drawn}")
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
    notebook.save()
    assert outputs_in(notebook.path) == built
    noted = notebook.path.parent / record.FILE
    assert not noted.exists(), "nothing was answered"


def test_the_lessons_that_are_run_are_there() -> None:
    assert {lesson.number for lesson in LESSONS} >= set(RUN)
