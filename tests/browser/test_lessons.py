"""Each lesson as a student meets it: untrusted and unrun; and some of every sort run whole.

`python -m tests.browser.every_lesson` runs all of them, with answers; outside a browser nbval does.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tensorwidgets.course import record
from tensorwidgets.course.shelf import NOTEBOOKS, Lesson
from tests.browser.lab import Lab, Notebook
from tests.parts import thorough_but
from tests.project.running import ROOT

TRUSTED = "() => jupyterapp.shell.currentWidget.content.model.cells.get(1).trusted"
OUTPUT = ".jp-OutputArea-output"
LESSONS = [lesson for lesson in NOTEBOOKS if lesson.ready]
RUN = ("00", "03", "13", "16", "21")
"""Questions, pictures, a live explorer, graphs and output of other processes."""
PLAIN = ("13",)
"""The one that the plain run runs, with a live explorer; `test_first_hour.py` works through lesson 03."""
TOGETHER = 20
"""Outputs below one cell: JupyterLab cuts after 50."""
SEEN = """(output) => {
  const seen = {};
  for (const cell of jupyterapp.shell.currentWidget.content.widgets) {
    const number = cell.model.id.split('-')[0], pictures = [...cell.node.querySelectorAll(`${output} .tw`)];
    const one = seen[number] ??= { heading: '', drawn: 0, trusted: 0, ran: 0, table: false };
    one.heading ||= cell.node.querySelector('h1')?.textContent ?? '';
    one.drawn += pictures.length;
    one.trusted += cell.model.type === 'code' && cell.model.trusted;
    one.ran += cell.node.querySelectorAll('[data-tw]').length;
    one.table ||= pictures.some(picture => picture.querySelector('table')?.checkVisibility());
  }
  return seen;
}"""


def outputs_in(path: Path) -> list[Any]:
    """The outputs of each cell of a notebook on the disk."""
    return [cell.get("outputs") for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]


def drawn_in(built: list[Any]) -> int:
    """How many outputs are pictures."""
    return sum("text/html" in output.get("data", {}) for outputs in built for output in outputs or ())


def briefly(lesson: Lesson) -> list[Any]:
    """What is to be seen of a lesson in few cells, for each takes JupyterLab an editor: its text, and its outputs."""
    cells = json.loads((ROOT / "notebooks" / lesson.file).read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    outputs = [nbformat.from_dict(output) for cell in cells for output in cell.get("outputs", ())]
    parts = [outputs[k : k + TOGETHER] for k in range(0, len(outputs), TOGETHER)]
    name = lesson.number
    return [
        nbformat.v4.new_markdown_cell(text, id=f"{name}-text"),
        *(nbformat.v4.new_code_cell(id=f"{name}-{k}", outputs=part) for k, part in enumerate(parts)),
    ]


@pytest.mark.thorough
def test_every_lesson_is_readable_untrusted(lab: Lab, open_notebook: Callable[..., Notebook], tmp_path: Path) -> None:
    """Those that the plain run leaves out: JupyterLab can open each, and what is to be seen is seen in one notebook."""
    lessons = [lesson for lesson in LESSONS if lesson.number not in PLAIN]
    together = nbformat.v4.new_notebook(cells=[cell for lesson in lessons for cell in briefly(lesson)])
    nbformat.write(together, tmp_path / "together.ipynb")
    notebook = open_notebook(tmp_path / "together.ipynb", kernel=False)
    drawn = {lesson.number: drawn_in(outputs_in(ROOT / "notebooks" / lesson.file)) for lesson in lessons}
    notebook.page.wait_for_function(f"document.querySelectorAll('{OUTPUT} .tw').length === {sum(drawn.values())}")
    seen: dict[str, dict[str, Any]] = notebook.evaluate(SEEN, OUTPUT)
    assert {number: of_lesson["drawn"] for number, of_lesson in seen.items()} == drawn
    for lesson in lessons:
        of_lesson = seen[lesson.number]
        assert of_lesson["heading"].startswith(lesson.title)
        assert (of_lesson["trusted"], of_lesson["ran"], of_lesson["table"]) == (0, 0, True), lesson.number
        shutil.copy(ROOT / "notebooks" / lesson.file, lab.root)
        served = json.loads(lab.ask(f"/api/contents/{lesson.file}"))
        assert served["type"] == "notebook" and "message" not in served, lesson.number


@pytest.mark.parametrize("number", thorough_but(PLAIN, RUN))
def test_a_lesson_is_readable_untrusted_and_runs(number: str, open_notebook: Callable[..., Notebook]) -> None:
    (lesson,) = [lesson for lesson in LESSONS if lesson.number == number]
    source = ROOT / "notebooks" / lesson.file
    built = outputs_in(source)
    drawn = drawn_in(built)
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
    assert outputs_in(notebook.path) == built
    noted = notebook.path.parent / record.FILE
    assert not noted.exists(), "nothing was answered"
