"""Each lesson as a student meets it: untrusted and unrun, then run whole."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tensorwidgets.course.shelf import NOTEBOOKS, Lesson
from tests.browser.lab import Notebook
from tests.project.running import ROOT

TRUSTED = "() => jupyterapp.shell.currentWidget.content.model.cells.get(1).trusted"
OUTPUT = ".jp-OutputArea-output"


@pytest.mark.parametrize("lesson", [x for x in NOTEBOOKS if x.ready], ids=lambda lesson: lesson.number)
def test_a_lesson_is_readable_untrusted_and_runs_whole(lesson: Lesson, open_notebook: Callable[..., Notebook]) -> None:
    source = ROOT / "notebooks" / lesson.file
    built = [cell.get("outputs") for cell in json.loads(source.read_text(encoding="utf-8"))["cells"]]
    drawn = sum("text/html" in output.get("data", {}) for outputs in built for output in outputs or ())
    notebook = open_notebook(source)
    page = notebook.page
    assert notebook.evaluate(TRUSTED) is False
    assert page.locator("h1").first.inner_text().startswith(lesson.title)
    page.wait_for_function(f"document.querySelectorAll('{OUTPUT} .tw').length === {drawn}")
    assert page.locator("[data-tw]").count() == 0
    assert page.locator(f"{OUTPUT} .tw table").first.is_visible()

    notebook.run_all()
    page.wait_for_function(f"document.querySelectorAll('{OUTPUT} [data-tw=ready]').length === {drawn}")
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
    notebook.save()
    after = json.loads(notebook.path.read_text(encoding="utf-8"))["cells"]
    assert [cell.get("outputs") for cell in after] == built
