"""Lesson 00 as a student meets it: cloned and untrusted, then run from top to bottom."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.lab import Notebook
from tests.project.running import ROOT


def test_lesson_00_opens_untrusted_and_runs_whole(open_notebook: Callable[..., Notebook]) -> None:
    """Errors on the console and requests to other machines fail it too: the page fixture sees to that."""
    notebook = open_notebook(ROOT / "notebooks" / "00_start_here.ipynb")
    page = notebook.page
    trusted = "() => jupyterapp.shell.currentWidget.content.model.cells.get(1).trusted"
    assert notebook.evaluate(trusted) is False
    assert page.locator("h1").first.inner_text().startswith("Start here")
    table = page.locator(".jp-OutputArea-output table").first
    assert [int(n) for n in table.inner_text().split() if n.isdigit()].count(11) >= 1

    notebook.run_all()

    code = [c for c in notebook.saved().cells if c.cell_type == "code"]
    assert notebook.kernel("torch.__name__") == "'tensorwidgets'"
    assert notebook.kernel("y.stride()") == "(1, 4)"
    notebook.save()
    ran = [c for c in notebook.saved().cells if c.cell_type == "code"]
    assert [c.execution_count for c in ran] == [*range(1, len(code) + 1)]
    assert not [o for c in ran for o in c.outputs if o.output_type == "error"]
