"""A lesson says the same with PyTorch in the engine's place: its first import swapped, and nothing else.

Cells tagged `engine-only` are run there too and may say something else. Words and pictures are compared, but for the
library's name; on stderr PyTorch may say one thing, that its typed storages are to go.
"""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from nbclient.exceptions import CellExecutionError

import tensorwidgets
from tensorwidgets.course import check
from tensorwidgets.course.build import executed
from tensorwidgets.course.building import ENGINE_TAG, Notebook, student_copy
from tensorwidgets.course.checking.values_asked import StatementsExercise
from tensorwidgets.course.shelf import LESSONS, NOTEBOOKS, Lesson
from tests.course.answers import EXERCISES, RIGHT, WRONG, handed_in, mistakes
from tests.project.running import ROOT

OURS, THEIRS = "import tensorwidgets as torch\n", "import torch\n"
WARNING = "UserWarning: TypedStorage is deprecated."
NO_GPU = "this exercise needs a GPU, and PyTorch finds none"


def swapped(lesson: Notebook) -> Notebook:
    """The lesson on PyTorch; what it cannot do there must not stop it."""
    theirs = copy.deepcopy(lesson)
    count = 0
    for cell in theirs["cells"]:
        count += cell["source"].count(OURS)
        cell["source"] = [THEIRS if line == OURS else line for line in cell["source"]]
        if ENGINE_TAG in cell["metadata"].get("tags", []):
            cell["metadata"]["tags"].append("raises-exception")
    assert count == 1
    return theirs


def said(notebook: Notebook) -> dict[str, list[dict[str, str]]]:
    """What each code cell printed and showed, without the name of the library."""
    found = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            outputs: list[dict[str, str]] = []
            for output in cell["outputs"]:
                if output["output_type"] == "error":  # of a tagged cell
                    outputs.append({"error": output["ename"]})
                    continue
                shown: dict[str, Any] = output.get("data") or {output["name"]: output["text"]}
                if "stderr" in shown:
                    assert WARNING in "".join(shown["stderr"])
                    continue
                whole = {kind: "".join(text) for kind, text in shown.items()}
                outputs.append({kind: re.sub(r"\bPyTorch\b", "tensorwidgets", text) for kind, text in whole.items()})
            found[cell["id"]] = outputs
    return found


def on_pytorch(answers: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Those of lessons that can be had there."""
    there = {lesson.number for lesson in LESSONS if lesson.on_pytorch}
    return [(number, k) for number, k in answers if number[:2] in there]


@pytest.mark.torch
@pytest.mark.parametrize("lesson", [x for x in NOTEBOOKS if x.ready and x.on_pytorch], ids=lambda lesson: lesson.number)
def test_lesson_says_the_same_on_pytorch(lesson: Lesson, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import torch

    if lesson.needs_gpu and not torch.cuda.is_available():
        with pytest.raises(CellExecutionError):  # at the first tensor on a GPU
            executed(swapped(student_copy(lesson)), tmp_path)
        return
    ours = student_copy(lesson)
    # What it says on our engine is in the committed notebook, and nbval runs that.
    committed = json.loads((ROOT / "notebooks" / lesson.file).read_text(encoding="utf-8"))
    answers, theirs = said(committed), said(executed(swapped(ours), tmp_path))
    tagged = {cell["id"] for cell in ours["cells"] if ENGINE_TAG in cell["metadata"].get("tags", [])}
    assert any(answers.values()) and set(answers) == set(theirs)
    differ = {name for name in answers if answers[name] != theirs[name]}
    with capsys.disabled():
        same = len(answers) - len(differ)
        print(f"\n{lesson.file} on PyTorch: {same} of {len(answers)} code cells say the same, {len(tagged)} tagged")
    assert differ <= tagged
    assert tagged <= differ, "a tag that is not needed"
    assert len(tagged) * 10 <= len(answers)


@pytest.mark.torch
@pytest.mark.parametrize(("number", "k"), on_pytorch(WRONG))
def test_a_usual_mistake_gets_its_hint_on_pytorch(number: str, k: int) -> None:
    import torch

    exercise = EXERCISES[number]
    mistake = mistakes(exercise)[k]
    page = on("torch", number, handed_in(exercise, mistake.answer, torch))
    if exercise.gpu and not torch.cuda.is_available():
        assert not page.done and page.line.endswith(NO_GPU)
        return
    assert page.done is not mistake.shows_on_pytorch
    if page.done:
        return
    if isinstance(exercise, StatementsExercise):
        assert page.line == f"{number} not yet: 1 of {len(exercise.statements)} answers is wrong"
    elif mistake.by_chance_on_pytorch:
        assert page.line.startswith(f"{number} not yet: ")
        return
    else:
        assert page.line.endswith(mistake.hint)
    if "raised" not in page.line:  # a message may name PyTorch's own types
        ours = on("tensorwidgets", number, handed_in(exercise, mistake.answer, tensorwidgets))
        assert page.html() == ours.html()


@pytest.mark.torch
@pytest.mark.parametrize(("number", "k"), on_pytorch(RIGHT))
def test_another_right_answer_is_taken_on_pytorch(number: str, k: int) -> None:
    import torch

    exercise = EXERCISES[number]
    page = on("torch", number, handed_in(exercise, exercise.right[k], torch))
    assert page.line.endswith(NO_GPU) if exercise.gpu and not torch.cuda.is_available() else page.done


def on(library: str, number: str, answer: Any) -> Any:
    """`check` as a notebook calls it that names this library torch."""
    names: dict[str, Any] = {"check": check, "number": number, "answer": answer}
    exec(f"import {library} as torch\npage = check(number, answer)", names)
    return names["page"]


def test_the_swap_is_noticed_where_a_cell_says_something_else() -> None:
    """The comparison itself, without PyTorch: another text in one cell is a difference, another library is none."""

    def notebook(text: str) -> Notebook:
        output = {"output_type": "execute_result", "data": {"text/plain": [text]}}
        return {"cells": [{"cell_type": "code", "id": "a", "outputs": [output]}]}

    assert said(notebook("x (12 bytes, PyTorch)")) == said(notebook("x (12 bytes, tensorwidgets)"))
    assert said(notebook("x (12 bytes)")) != said(notebook("x (13 bytes)"))
