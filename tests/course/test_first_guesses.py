"""The first guesses of a class travel with its notebooks to the teacher's page; a made-up class, no kernel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tensorwidgets.course import asking, predict, record, reveal
from tensorwidgets.course.building import student_copy
from tensorwidgets.course.grading.page import as_page
from tensorwidgets.course.handing_out import hand_out
from tensorwidgets.course.marking.carried import guesses_in
from tensorwidgets.course.marking.marks import Mark, Row
from tensorwidgets.course.marking.submissions import read
from tensorwidgets.course.shelf import LESSONS, NOTEBOOKS
from tests.course.answers import PREDICTIONS


def revealed(number: str, guess: Any) -> dict[str, Any]:
    """The output of `reveal` as a notebook holds it."""
    predict(number, guess)
    data, metadata = reveal(number)._repr_mimebundle_()  # type: ignore[misc]
    return {"output_type": "execute_result", "data": data, "metadata": metadata}


def test_the_first_guess_travels_in_the_output_that_compares_it(tmp_path: Path) -> None:
    revealed("03.1", 9)
    cells = [
        {"cell_type": "code", "source": "", "outputs": [revealed(*one)]} for one in (("03.1", 8), ("02.1", (2, 3)))
    ]
    assert guesses_in(json.loads(json.dumps(cells))) == {"03.1": 9, "02.1": "(2, 3)"}


def test_a_guess_that_nobody_could_have_made_is_left_out() -> None:
    odd: list[Any] = [{"number": "03.1", "first": "x" * 900}, {"number": "99.9", "first": 1}, {"first": [1]}, 7, None]
    odd += [
        {"number": "03.1", "first": {"a": 1}},
        {"number": ["03.1"], "first": 1},
        {"number": "03.1", "first": 10**30},
    ]
    assert guesses_in({"outputs": [{"metadata": {record.GUESS: one}}]} for one in odd) == {}


def test_the_page_shows_how_the_guesses_of_a_class_are_distributed_and_who_made_which_mistake() -> None:
    guesses = [8, 9, 9, "<b>"]
    rows = [
        Row(
            f"student {k}", "03.ipynb", "03", {"03.2": Mark("not yet", "11", "Each takes 2 bytes")}, "", {"03.1": guess}
        )
        for k, guess in enumerate(guesses)
    ]
    page = as_page(rows, "Class")
    assert PREDICTIONS["03.1"].question in page
    assert page.index("2 of 4, 50 %, ✗ not right") < page.index("1 of 4, 25 %, ✓ right")
    assert "student 1, student 2</span>" in page and "4 times: Each takes 2 bytes" in page and "<b>" not in page


def test_a_notebook_without_the_metadata_of_its_cells_is_recognised_by_its_checks(tmp_path: Path) -> None:
    lesson = next(one for one in LESSONS if one.number == "03")
    notebook = json.loads(json.dumps(student_copy(lesson)))
    file = tmp_path / "anna" / "mine.ipynb"
    file.parent.mkdir()
    file.write_text(json.dumps(notebook))
    whole = read(file, tmp_path)
    for cell in notebook["cells"]:
        cell["metadata"] = {}
    file.write_text(json.dumps(notebook))
    found = read(file, tmp_path)
    assert found.lesson == whole.lesson == lesson and found.student == "anna"
    assert found.answers == whole.answers and len(found.answers) >= 6


def test_no_prediction_is_answered_in_what_is_handed_out(tmp_path: Path) -> None:
    """Neither in the notebooks with outputs, which Binder opens, nor in a student's copy: no guess, no comparison, and
    no word of what is said afterwards in an output."""
    hand_out(tmp_path)
    committed = Path(__file__).parents[2] / "notebooks"
    for lesson in NOTEBOOKS:
        if not lesson.ready:
            continue
        for folder in (committed, tmp_path):
            cells = json.loads((folder / lesson.file).read_text(encoding="utf-8"))["cells"]
            assert guesses_in(cells) == {}
            for cell in cells:
                source = "".join(cell["source"])
                if cell["cell_type"] == "code" and source.startswith(("predict(", "reveal(")):
                    number = source.split('"')[1]
                    reply = "".join("".join(one["data"]["text/plain"]) for one in cell["outputs"])
                    said = f"{number} not answered yet", f"{number} no guess yet"
                    assert not reply or reply.startswith(said), (lesson.file, number)
                    told = json.dumps(cell["outputs"], ensure_ascii=False)
                    wrong = [words for _, words in PREDICTIONS[number].wrong_guesses()]
                    reason = getattr(PREDICTIONS[number], "reason", "")
                    assert not any(words and words in told for words in (reason, *wrong)), (lesson.file, number)
                    assert not source.startswith("predict(") or source.rstrip().endswith("...)")
    assert asking._guesses == {}
