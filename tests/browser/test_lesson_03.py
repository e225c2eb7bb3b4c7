"""Lesson 03 answered: a wrong answer, a hint unfolded, the answer fixed.

Errors on the console and requests to other machines fail it too: the page fixture sees to that.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.browser.lab import Notebook
from tests.project.running import ROOT

LESSON = ROOT / "notebooks" / "03_storage.ipynb"
SET_SOURCE = """([id, source]) => {
  const cells = jupyterapp.shell.currentWidget.content.model.cells;
  for (let k = 0; k < cells.length; k++) if (cells.get(k).id === id) cells.get(k).sharedModel.setSource(source);
}"""
RUN_FROM = """async (id) => {
  const { content } = jupyterapp.shell.currentWidget;
  content.activeCellIndex = content.widgets.findIndex((cell) => cell.model.id === id);
  await jupyterapp.commands.execute('notebook:run-all-below');
}"""


def test_lesson_03_answers_back(open_notebook: Callable[..., Notebook]) -> None:
    """A wrong answer with its page, a hint unfolded, the answer fixed; what was done lies in the student's folder."""
    notebook = open_notebook(LESSON)
    page = notebook.page
    notebook.evaluate(SET_SOURCE, ["make-03-8", "side = x.reshape(4, 3)"])
    notebook.evaluate(SET_SOURCE, ["side-guess", 'predict("03.7", 8)'])
    notebook.run_all()
    page.wait_for_selector("text=turning reads every fourth element")
    checked = page.locator(".tw:has(details)")
    assert "03.8\u2002not yet" in checked.locator(".tw-title").inner_text()
    wrong = checked.locator(".tw-view").first.locator(".i-q0.i-s1")
    assert wrong.evaluate("e => getComputedStyle(e).borderTopStyle") == "dashed"
    wrong.hover()
    assert checked.locator(".tw-hot").count() == 2
    assert "yours[0, 1]" in checked.locator(".tw-say").inner_text()
    second = checked.locator("details").nth(1)
    assert not second.get_by_text("One method does both").is_visible()
    second.locator("summary").click()
    assert second.get_by_text("One method does both").is_visible()
    guess = page.locator(".tw", has_text="You said 8")
    assert guess.locator(".tw-storage .k-A7").evaluate("e => getComputedStyle(e).borderTopStyle") == "solid"
    assert guess.locator(".tw-storage .k-A8").evaluate("e => getComputedStyle(e).borderTopStyle") == "dashed"

    notebook.evaluate(SET_SOURCE, ["make-03-8", "side = x.t()"])
    notebook.evaluate(RUN_FROM, "make-03-8")
    page.wait_for_selector("text=has the values asked for, and no copy was made")
    kept = json.loads((notebook.path.parent / "tensorwidgets-progress.json").read_text(encoding="utf-8"))
    (wrong,) = kept["exercises"]["03.8"].pop("wrong")
    assert "turning reads every fourth element" in wrong
    assert kept["exercises"] == {"03.8": {"tries": 2, "done": True}}
    assert kept["predictions"] == {"03.7": {"first": 8, "latest": 8}}
