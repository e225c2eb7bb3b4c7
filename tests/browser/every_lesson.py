"""Every lesson, worked through in JupyterLab: first with wrong answers everywhere, then with the right ones.

python -m tests.browser.every_lesson                      all lessons, at 1366 x 768 and 1024 x 700
python -m tests.browser.every_lesson 03 07 --to FOLDER    some of them, with a screenshot of each page

The wrong answers are a beginner's: a number or a function that gives 0. Each check has to say "not yet" to them, each
guess has to be answered, and nothing may end in an error of ours. Then the same cells get the right answers, and each
check has to say "done". No picture may be cut: none may be wider than the place it has. It ends with status 1 if any
of that is not so.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tensorwidgets.course.building import as_text, solution_copy, student_copy
from tensorwidgets.course.shelf import LESSONS, Lesson
from tests.browser.chrome import Seen, launch
from tests.browser.conftest import watched_page
from tests.browser.lab import Desk, Lab, Notebook
from tests.course.answers import EXERCISES, PREDICTIONS
from tests.project.running import ROOT

SIZES = ((1366, 768), (1024, 700))
SECONDS = 240.0
CUT = """() => [...document.querySelectorAll('.jp-OutputArea-output .tw')].filter(one => one.offsetParent)
  .map(one => [one.scrollWidth - one.clientWidth, (one.innerText || '').slice(0, 60)]).filter(([more]) => more > 1)"""
SET_ALL = """sources => {
  const cells = jupyterapp.shell.currentWidget.content.model.cells;
  for (let k = 0; k < cells.length; k++) {
    const source = sources[cells.get(k).id];
    if (source !== undefined) cells.get(k).sharedModel.setSource(source);
  }
}"""
LAST_ERROR = """() => jupyterapp.shell.currentWidget.content.widgets.findLastIndex(cell =>
  cell.model.type === 'code' && cell.model.outputs.toJSON().some(output => output.output_type === 'error'))"""
RUN_BELOW = """async (index) => {
  const { content } = jupyterapp.shell.currentWidget;
  if (index >= content.widgets.length) return;
  // After an error the kernel turns down, for a moment, what is already on its way to it.
  await new Promise(done => setTimeout(done, 500));
  content.activeCellIndex = index;
  await jupyterapp.commands.execute('notebook:run-all-below');
}"""
TO_TOP = """async () => { const page = jupyterapp.shell.currentWidget.content.node;
  (page.querySelector('.jp-WindowedPanel-outer') || page).scrollTop = 0;
  await new Promise(done => setTimeout(done, 1000)); }"""
HEIGHT = """() => { const page = jupyterapp.shell.currentWidget.content.node;
  const inner = page.querySelector('.jp-WindowedPanel-outer') || page; return inner.scrollHeight; }"""


def wrong_sources(lesson: Lesson) -> dict[str, str]:
    """The cells that a student writes, by their names, with a beginner's wrong answers."""
    found = {}
    for cell, solved in zip(student_copy(lesson)["cells"], solution_copy(lesson)["cells"], strict=True):
        source, right = "".join(cell["source"]), "".join(solved["source"])
        if number := _predicted(source):
            guess = next(wrong for wrong, _ in PREDICTIONS[number].wrong_guesses())
            found[cell["id"]] = source.replace("...", repr(guess), 1)
        elif source != right and _exercise(cell) in EXERCISES:
            found[cell["id"]] = beginners(right)
    return found


def right_sources(lesson: Lesson) -> dict[str, str]:
    """The same cells with the right answers."""
    found = {}
    for cell, solved in zip(student_copy(lesson)["cells"], solution_copy(lesson)["cells"], strict=True):
        source, right = "".join(cell["source"]), "".join(solved["source"])
        if number := _predicted(source):
            found[cell["id"]] = source.replace("...", repr(PREDICTIONS[number].says()), 1)
        elif source != right:
            found[cell["id"]] = right
    return found


def beginners(right: str) -> str:
    """Code that makes the same names as a right answer, and gives 0 for all of them.

    >>> print(beginners("def place(x, i):\\n    return x[i]\\nside = x.t()"))
    def place(*given, **named):
        return 0
    side = 0
    """
    made = []
    for node in ast.parse(right).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            made.append(f"def {node.name}(*given, **named):\n    return 0")
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
            made += [f"{name} = 0" for name in names]
    return "\n".join(made)


def _predicted(source: str) -> str:
    number = source.partition('predict("')[2].partition('"')[0]
    return number if number in PREDICTIONS and "..." in source else ""


def _exercise(cell: dict[str, Any]) -> str:
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", "")).replace("-", ".")


def faults(notebook: Notebook, lesson: Lesson, right: bool) -> Iterator[str]:
    """What is not as it should be on the page, after all cells have run."""
    notebook.save()
    cells = json.loads(notebook.path.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        source, said = "".join(cell["source"]), " ".join(_said(cell))
        for name, numbers, state in (
            ("check", EXERCISES, "done" if right else "not yet"),
            ("reveal", PREDICTIONS, "right" if right else "not right"),
        ):
            number = source.partition(f'{name}("')[2].partition('"')[0]
            if number in numbers and source.lstrip().startswith(name) and f"{number} {state}" not in said:
                yield f"{number}: {name} says {said[:160]!r}"
        for output in cell.get("outputs", ()):
            if (
                right
                and output["output_type"] == "error"
                and "raises-exception" not in cell["metadata"].get("tags", ())
            ):
                yield f"{cell['id']}: {output['ename']}: {output['evalue'][:120]}"
    for more, words in notebook.evaluate(CUT):
        yield f"cut by {more} px: {words!r}"


def _said(cell: dict[str, Any]) -> Iterator[str]:
    for output in cell.get("outputs", ()):
        text = output.get("data", {}).get("text/plain", output.get("text", ""))
        yield "".join(text)


def work_through(desk: Desk, lesson: Lesson, to: Path | None, size: tuple[int, int]) -> list[str]:
    """One lesson at one size of the window; what was wrong."""
    page = desk.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / lesson.file
        file.write_text(as_text(student_copy(lesson)), encoding="utf-8")
        notebook = desk.open(file)
    found: list[str] = []
    for state, sources in (("wrong", wrong_sources(lesson)), ("right", right_sources(lesson))):
        notebook.evaluate(SET_ALL, sources)
        notebook.run_all(SECONDS)
        failed = -1
        while (at := notebook.evaluate(LAST_ERROR)) > failed:  # an error ends a run: a student goes on below it
            failed = at
            notebook.evaluate(RUN_BELOW, at + 1, SECONDS)
        found += [f"{lesson.number} {size[0]} {state}: {one}" for one in faults(notebook, lesson, state == "right")]
        if to is not None:
            page.set_viewport_size({"width": size[0], "height": min(30_000, notebook.evaluate(HEIGHT) + 200)})
            notebook.evaluate(TO_TOP)
            page.screenshot(path=to / f"{lesson.number}-{size[0]}-{state}.png")
            page.set_viewport_size({"width": size[0], "height": size[1]})
    return found


def main() -> int:
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("lessons", nargs="*", metavar="NN")
    asked.add_argument("--to", type=Path, help="a folder for screenshots")
    given = asked.parse_args()
    lessons = [one for one in LESSONS if one.ready and (not given.lessons or one.number in given.lessons)]
    if given.to is not None:
        given.to.mkdir(parents=True, exist_ok=True)
    os.environ["PYTHONPATH"] = str(ROOT)  # for the server and its kernels, which work elsewhere
    found: list[str] = []
    seen = Seen()
    with tempfile.TemporaryDirectory() as base, Lab(Path(base) / "lab") as lab, sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        with watched_page(browser, seen) as page:
            desk = Desk(lab, page)
            for size in SIZES:
                for lesson in lessons:
                    wrong = work_through(desk, lesson, given.to, size)
                    print(
                        f"{lesson.number} at {size[0]} x {size[1]}: {len(wrong)} faults", *wrong, sep="\n  ", flush=True
                    )
                    found += wrong
            desk.clear()
        browser.close()
    found += [f"console: {one}" for one in seen.errors] + [f"request: {one}" for one in seen.foreign]
    print(f"{len(lessons)} lessons at {len(SIZES)} sizes, wrong and right: {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
