"""The committed notebooks are what the sources give, and hold all that nbval would let slip.

nbval runs each notebook and compares the outputs that are there, to the letter (conftest.py at the top); a notebook
stripped of them passes it. So here: everything has been run in order, outputs are present, nothing went to stderr,
nothing names an address or a folder. Together these say that a rebuild is an empty diff, without a second run.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tensorwidgets.course import build
from tensorwidgets.course.building import KERNEL, as_text, student_copy
from tensorwidgets.course.shelf import NOTEBOOKS as SHELF
from tensorwidgets.course.shelf import Lesson
from tests.course.answers import PREDICTIONS
from tests.project.running import ROOT

NOTEBOOKS = ROOT / "notebooks"
READY = [lesson for lesson in SHELF if lesson.ready]
each_lesson = pytest.mark.parametrize("lesson", READY, ids=lambda lesson: lesson.number)


def text(lesson: Lesson) -> str:
    return (NOTEBOOKS / lesson.file).read_text(encoding="utf-8")


def committed(lesson: Lesson) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(text(lesson))
    return read


def code_cells(lesson: Lesson) -> list[dict[str, Any]]:
    return [cell for cell in committed(lesson)["cells"] if cell["cell_type"] == "code"]


def test_every_source_is_on_the_shelf_and_every_notebook_has_a_source() -> None:
    files = sorted(lesson.file for lesson in READY)
    assert files[0] == "00_start_here.ipynb"
    assert sorted(p.name for p in (ROOT / "tensorwidgets" / "course" / "lessons").iterdir()) == files
    assert sorted(p.name for p in NOTEBOOKS.glob("*.ipynb")) == files


def test_a_rebuild_is_an_empty_diff(tmp_path: Path) -> None:
    """The command itself, for the shortest lesson. If a notebook differs: `python -m tensorwidgets.course.build`."""
    shortest = min(READY, key=lambda lesson: len(code_cells(lesson)))
    build.main(["--to", str(tmp_path), shortest.number])
    assert [path.name for path in tmp_path.iterdir()] == [shortest.file]
    assert (tmp_path / shortest.file).read_text(encoding="utf-8") == text(shortest)


@each_lesson
def test_it_is_written_as_the_build_writes(lesson: Lesson) -> None:
    assert text(lesson) == as_text(committed(lesson))


@each_lesson
def test_without_its_outputs_it_is_the_students_copy(lesson: Lesson) -> None:
    notebook = committed(lesson)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"execution_count": None, "outputs": []}
    assert as_text(notebook) == as_text(student_copy(lesson))


@each_lesson
def test_all_was_run_in_order(lesson: Lesson) -> None:
    counts = [cell["execution_count"] for cell in code_cells(lesson)]
    assert counts == [*range(1, len(counts) + 1)]
    for cell in code_cells(lesson):
        results = [output for output in cell["outputs"] if output["output_type"] == "execute_result"]
        assert all(output["execution_count"] == cell["execution_count"] for output in results)
    assert committed(lesson)["metadata"] == KERNEL


@each_lesson
def test_outputs_are_present(lesson: Lesson) -> None:
    """A cell whose last line is a call or a name shows something; most cells do."""
    silent = [cell for cell in code_cells(lesson) if not cell["outputs"]]
    assert len(silent) * 2 < len(code_cells(lesson))
    for cell in silent:
        last = "".join(cell["source"]).splitlines()[-1]
        assert "=" in last or last.startswith(("import ", "from ", "#", " ")), last


@each_lesson
def test_outputs_hold_what_survives_and_can_be_compared(lesson: Lesson) -> None:
    for cell in code_cells(lesson):
        for output in cell["outputs"]:
            assert output["output_type"] in ("stream", "display_data", "execute_result")
            assert output.get("name") != "stderr"
            kinds = set(output.get("data", {}))
            assert kinds <= {"text/plain", "text/html", "image/png"} and ("text/plain" in kinds or not kinds)
            text = re.sub(r", in ops/[\w/]+\.py", "", json.dumps(output))  # `route` names files of the engine
            assert not re.search(r"0x[0-9a-f]{6,}|ipykernel|/tmp/|site-packages|\.py\b", text)


@each_lesson
def test_what_is_drawn_is_seen(lesson: Lesson) -> None:
    """A notebook shows the value of a cell's last line: a picture inside `if` or `for` is drawn for nobody."""
    for cell in code_cells(lesson):
        code = "".join(line for line in cell["source"] if not line.startswith("%"))
        for statement in ast.parse(code).body:
            for inner in ast.walk(statement):
                lost = isinstance(inner, ast.Expr) and inner is not statement
                assert not (lost and ast.unparse(inner).startswith("show")), cell["id"]


@each_lesson
def test_nothing_is_judged_before_it_is_answered(lesson: Lesson) -> None:
    for cell in code_cells(lesson):
        for output in cell["outputs"] if cell["id"].startswith("check-") else ():
            assert "not started" in "".join(output["data"]["text/plain"]), cell["id"]


@each_lesson
def test_a_prediction_does_not_give_itself_away(lesson: Lesson) -> None:
    """After the guess come the cells that show the answer, then `reveal`, then the explanation, folded.

    Until the next thing to do, no text that is open to see holds the answer; committed outputs show no verdict.
    """
    cells = committed(lesson)["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    asked = [(k, found[1]) for k, source in enumerate(sources) if (found := re.match(r'predict\("([\d.]+)"', source))]
    assert [number for _, number in asked] == [n for n in PREDICTIONS if n.startswith(lesson.number)]
    for k, number in asked:
        at = sources.index(f'reveal("{number}")')
        shown = [cell["cell_type"] for cell in cells[k + 1 : at]]
        assert "code" in shown and len(shown) <= 6, number
        assert sources[at + 1].startswith("<details>\n<summary><b>Explain.</b>"), number
        assert sources[at + 1].endswith("</details>") and sources[at + 1].count("<details>") == 1
        until = next(j for j in range(at, len(sources)) if re.search(r"\*\*(Modify|Make|Recap|Predict)\.", sources[j]))
        open_text = [sources[j] for j in range(k + 1, until) if cells[j]["cell_type"] == "markdown"]
        seen = re.sub(r"<details>.*?</details>", "", "\n".join(open_text), flags=re.DOTALL)
        answer = PREDICTIONS[number].says()
        if isinstance(answer, (int, tuple)) and len(str(answer)) > 1 and not isinstance(answer, bool):
            assert not re.search(rf"(?<![\w,]){re.escape(str(answer))}(?![\w,])", seen), number
        (guessed,), (revealed,) = cells[k]["outputs"], cells[at]["outputs"]
        assert "".join(guessed["data"]["text/plain"]).startswith(f"{number} not answered yet: ")
        assert "".join(revealed["data"]["text/plain"]).startswith(f"{number} no guess yet: ")


@each_lesson
def test_headings_make_an_outline(lesson: Lesson) -> None:
    """One title, first; no level is jumped over; a picture in the text has words."""
    prose = ["".join(c["source"]) for c in committed(lesson)["cells"] if c["cell_type"] == "markdown"]
    levels = [len(hashes) for hashes in re.findall(r"^(#+) ", "\n".join(prose), re.MULTILINE)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))
    assert not re.search(r"!\[\s*\]|<img(?![^>]*alt=\"[^\"]+\")", "\n".join(prose))


@each_lesson
def test_links_inside_the_course_lead_somewhere(lesson: Lesson) -> None:
    prose = "\n".join("".join(c["source"]) for c in committed(lesson)["cells"] if c["cell_type"] == "markdown")
    anchors = {h.replace(" ", "-") for h in re.findall(r"^#+ (.*)$", prose, re.MULTILINE)}
    for target in re.findall(r"\]\(([^)]+)\)", prose):
        if target.startswith("#"):
            assert target[1:] in anchors
        elif "://" not in target:
            assert (NOTEBOOKS / target).is_file(), target
