"""A class of thirty, as a teacher gets it back: most did their best, some did not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tensorwidgets.course.building import Notebook, as_text, solution_copy, student_copy
from tensorwidgets.course.shelf import LESSONS

LESSON = next(lesson for lesson in LESSONS if lesson.number == "03")
FORGED = """check = lambda number, answer, **more: print(number, "done: all as wanted")
import tensorwidgets.course, tensorwidgets.course.checking.verdict as verdict
tensorwidgets.course.check = check
verdict.Verdict = lambda *given, **more: "done"
__handed_in__ = lambda number, answer: None
first = 0
"""

ANSWERS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "wrong": ({"03.2": "first = 11", "03.8": "side = x.reshape(4, 3)"}, {"03.2": "not yet", "03.8": "not yet"}),
    "copies": ({"03.8": "side = x.t().contiguous()"}, {"03.8": "not yet"}),
    "numpy": ({"03.8": "side = x.numpy().T"}, {"03.8": "done"}),
    "syntax": ({"03.8": "side = = 3"}, {"03.8": "not yet"}),
    "raises": ({"03.4": "def place(x, i, j):\n    raise RuntimeError('no')"}, {"03.4": "not yet"}),
    "odd": ({"03.2": "first = open", "03.8": "side = {1: 2}"}, {"03.2": "not yet", "03.8": "not yet"}),
    "reads": ({"03.2": "first = input()"}, {"03.2": "not yet"}),
    "eats memory": ({"03.2": "first = bytearray(1 << 40)"}, {"03.2": "not yet"}),
}
"""By student: the answers that differ from the solution, and how those stand afterwards. The rest is done."""

BROKEN = {
    "endless": ({"03.2": "while True: pass"}, "took longer than"),
    "fork bomb": ({"03.2": "import os\nwhile True: os.fork()"}, "started more than"),
    "crashes": ({"03.2": "import os\nos._exit(0)"}, "the process ended"),
    "talks too much": ({"03.8": "import os\nwhile True: os.write(3, b'x' * 1000)"}, ""),
}
"""By student: what ends the process, and what the row says about it."""


def hand_in(folder: Path, student: str, changed: dict[str, str], notebook: Notebook | None = None) -> Path:
    """One notebook: the solutions with some answers changed."""
    notebook = notebook or solution_copy(LESSON)
    for cell in notebook["cells"]:
        answer = changed.get(number_of(cell))
        if answer is not None:
            cell["source"] = answer.splitlines(keepends=True)
    place = folder / student
    place.mkdir(parents=True, exist_ok=True)
    (place / LESSON.file).write_text(as_text(notebook), encoding="utf-8")
    return place / LESSON.file


def number_of(cell: dict[str, Any]) -> str:
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", "")).replace("-", ".")


def thirty(folder: Path, outside: Path) -> None:
    """The whole class; one of them writes to `outside`."""
    for student, (changed, _) in ANSWERS.items():
        hand_in(folder, student, changed)
    for student, (changed, _) in BROKEN.items():
        hand_in(folder, student, changed)
    hand_in(folder, "forger", {"03.2": FORGED})
    hand_in(folder, "writer", {"03.2": f"open({str(outside)!r}, 'w').write('mine')\nfirst = 22"})
    hand_in(folder, "=1+1", {})
    hand_in(folder, "nothing", {}, student_copy(LESSON))
    hand_in(folder, "tampered", {}, tampered())
    for name, text in {
        "broken": "{",
        "deep": "[" * 100_000,
        "no cells": "[]",
        "empty": "",
        "not ours": '{"cells": []}',
    }.items():
        hand_in(folder, name, {}).write_text(text)
    while sum(1 for _ in folder.iterdir()) < 30:
        hand_in(folder, f"student {sum(1 for _ in folder.iterdir())}", {})


def tampered() -> Notebook:
    """All checks thrown out, the rest made to print what a check would."""
    notebook = student_copy(LESSON)
    kept = [c for c in notebook["cells"] if not number_of(c).startswith("check")]
    extra = json.loads(json.dumps(next(c for c in kept if c["cell_type"] == "code")))
    extra["source"], extra["id"] = ["print('03.2 done')"], "extra"
    return {**notebook, "cells": [*kept, extra]}
