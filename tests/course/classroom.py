"""A class as a teacher gets it back: most did their best, some did not."""

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
start = 0
"""

RAISES = "def place(x, i, j):\n    raise RuntimeError('no')"
NOT_DONE = "not yet"
ANSWERS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "wrong": (
        {"03.2": "start = 11", "03.4": RAISES, "03.8": "side = x.reshape(4, 3)"},
        dict.fromkeys(("03.2", "03.4", "03.8"), NOT_DONE),
    ),
    "copies": ({"03.2": "start = input()", "03.8": "side = x.t().contiguous()"}, {"03.2": NOT_DONE, "03.8": NOT_DONE}),
    "numpy": ({"03.2": "start = bytearray(1 << 40)", "03.8": "side = x.numpy().T"}, {"03.2": NOT_DONE}),
    "syntax": ({"03.2": "start = open", "03.8": "side = = 3"}, {"03.2": NOT_DONE, "03.8": NOT_DONE}),
}
"""By student: the answers that differ from the solution, and what they are marked as. The rest is done."""

KILLS_ALL = "import os\nos.kill(os.getppid(), 9)\nos._exit(0)"
TALKS = """import os
for number in range(3, 20):
    try:
        while True: os.write(number, b'x' * 1000)
    except OSError: pass"""
BROKEN: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "endless": ({"03.2": "while True: pass"}, ("03.2: took longer than 1 second:",)),
    "crashes": (
        {"03.2": "import ctypes\nctypes.string_at(0)", "03.8": "import os\nos._exit(0)"},
        ("03.2: it crashed the process: SIGSEGV", "03.8: it ended the process, with exit status 0"),
    ),
    "waits": (
        {"03.2": "import time\ntime.sleep(1000)", "03.10": KILLS_ALL},
        ("03.2: took longer than 1 second:", "03.10: it ended everything in its box"),
    ),
    "fork bomb": ({"03.2": "import os\nwhile True: os.fork()"}, ("03.2: started more than",)),
    "talks too much": ({"03.2": TALKS}, ("03.2: ",)),
}
"""By student: answers that end their process or have it ended, and what the row says about them. The rest is done."""

IN_A_CALL = {
    "loops": {"03.4": "while True: pass", "03.6": "import ctypes; ctypes.string_at(0)"},
    "recurses": {"03.4": "return place(x, i, j)", "03.6": "raise SystemExit"},
}
"""By student: functions that end their process when they are called, or raise what ends one. The rest is done."""
NAMES = {"03.4": "place(x, i, j)", "03.6": "clear_column(x, j)"}
LINKED_NAMES = {
    "03.2": "total = 22\nwhile True: pass",
    "03.4": "offset = undefined + 1",
    "03.6": "clear_column = (lambda x, j: x[:, j].mul_(0)) if total else None",
    "03.8": "side = (x if offset else x).t()",
}
"""Two answers use a name that another would have made."""


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


OWN_WAY = {
    "03.4": (
        "def place(x, i, j):\n    # by hand\n    step = x.stride()\n    first = x.storage_offset()\n"
        "    return first + sum(a * b for a, b in zip((i, j), step))"
    ),
    "03.6": (
        "def clear_column(x, j):\n    for i in range(len(x)):\n"
        "        x.storage()[x.storage_offset() + i * x.stride(0) + j] = 0"
    ),
}
"""Answers that nobody else has: a right one, and one that loops."""
RENAMED = {
    number: code.replace("step", "s").replace("first", "start").replace("    # by hand\n", "")
    for number, code in OWN_WAY.items()
}


def a_class(folder: Path, outside: Path) -> None:
    """The whole class; one of them writes to `outside`."""
    for student, (changed, _) in ANSWERS.items():
        hand_in(folder, student, changed)
    for student, (changed, _) in BROKEN.items():
        hand_in(folder, student, changed)
    for student, code in IN_A_CALL.items():
        hand_in(folder, student, {number: f"def {NAMES[number]}:\n    {line}" for number, line in code.items()})
    hand_in(folder, "linked", LINKED_NAMES)
    hand_in(folder, "forger", {"03.2": FORGED})
    hand_in(folder, "writer", {"03.2": f"open({str(outside)!r}, 'w').write('mine')\nstart = 22"})
    hand_in(folder, "=1+1", {})
    for student, code in (("dora", OWN_WAY), ("emil", OWN_WAY), ("fay", RENAMED)):
        hand_in(folder, student, code)
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


def tampered() -> Notebook:
    """All checks thrown out, the rest made to print what a check would."""
    notebook = student_copy(LESSON)
    kept = [c for c in notebook["cells"] if not number_of(c).startswith("check")]
    extra = json.loads(json.dumps(next(c for c in kept if c["cell_type"] == "code")))
    extra["source"], extra["id"] = ["print('03.2 done')"], "extra"
    return {**notebook, "cells": [*kept, extra]}
