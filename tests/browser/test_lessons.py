"""Each lesson as a student meets it: untrusted and unrun, then run whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tensorwidgets.course.shelf import LESSONS, Lesson
from tests.browser.chrome import Seen
from tests.browser.conftest import watched_page
from tests.browser.lab import KERNEL_ANSWERS, Lab, Notebook, desk
from tests.project.running import ROOT

TRUSTED = "() => jupyterapp.shell.currentWidget.content.model.cells.get(1).trusted"
OUTPUT = ".jp-OutputArea-output"
Opening = Callable[[Path], AbstractContextManager[Notebook]]


@pytest.fixture(scope="module")
def whole_seen() -> Seen:
    return Seen()


@pytest.fixture(scope="module")
def open_one(lab: Lab, browser: Browser, whole_seen: Seen) -> Iterator[Opening]:
    with watched_page(browser, whole_seen) as page, desk(lab, page) as opening:
        yield opening


@pytest.mark.parametrize("lesson", [x for x in LESSONS if x.ready], ids=lambda lesson: lesson.number)
def test_a_lesson_is_readable_untrusted_and_runs_whole(lesson: Lesson, open_one: Opening, whole_seen: Seen) -> None:
    source = ROOT / "notebooks" / lesson.file
    built = [cell.get("outputs") for cell in json.loads(source.read_text(encoding="utf-8"))["cells"]]
    whole_seen.errors.clear()
    whole_seen.foreign.clear()
    drawn = sum("text/html" in output.get("data", {}) for outputs in built for output in outputs or ())
    with open_one(source) as notebook:
        page = notebook.page
        assert notebook.evaluate(TRUSTED) is False
        assert page.locator("h1").first.inner_text().startswith(lesson.title)
        page.wait_for_function(f"document.querySelectorAll('{OUTPUT} .tw').length === {drawn}")
        assert page.locator("[data-tw]").count() == 0
        assert page.locator(f"{OUTPUT} .tw table").first.is_visible()

        notebook.evaluate(KERNEL_ANSWERS)
        notebook.run_all()
        page.wait_for_function(f"document.querySelectorAll('{OUTPUT} [data-tw=ready]').length === {drawn}")
        assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
        assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
        notebook.save()
        after = json.loads(notebook.path.read_text(encoding="utf-8"))["cells"]
        assert [cell.get("outputs") for cell in after] == built
    assert whole_seen == Seen()
