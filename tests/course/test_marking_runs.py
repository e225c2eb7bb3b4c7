"""What is run to mark a notebook, and how often: that is what makes a class quick. Every mark stays as it would be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tensorwidgets.course.marking import box, walls
from tensorwidgets.course.marking import runs as runs_module
from tensorwidgets.course.marking.cells import Cell, cells_to_run
from tensorwidgets.course.marking.late import imported_late
from tensorwidgets.course.marking.marks import Row, asked_of, marked
from tensorwidgets.course.marking.runner import CAPTURE
from tensorwidgets.course.marking.submissions import read
from tests.course.classroom import LESSON, hand_in
from tests.parts import thorough_but

EXERCISES = list(asked_of(LESSON))


class Counts:
    """What was asked of the boxes."""

    def __init__(self) -> None:
        self.boxes = self.runs = 0
        self.times: list[float] = []
        """How many times its time each cell or call was given."""


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    counted = Counts()

    class Counting(box.Box):
        def __init__(self, *given: Any):
            counted.boxes += 1
            super().__init__(*given)

        def start(self) -> None:
            counted.runs += 1
            super().start()

        def begin(self, times: float = 1) -> None:
            counted.times.append(times)
            super().begin(times)

    monkeypatch.setattr(runs_module, "Box", Counting)
    return counted


def marks(folder: Path, changed: dict[str, str], seconds: float = 30) -> Row:
    """The row of a notebook in which some solutions are changed."""
    return marked(read(hand_in(folder, "anna", changed), folder), box.Limits(seconds), walls.way())


@pytest.mark.parametrize(("changed", "runs"), [({}, 1), ({"03.8": "side = x"}, 2)])
def test_a_notebook_needs_one_box_and_one_run_unless_something_is_wrong(
    changed: dict[str, str], runs: int, tmp_path: Path, counts: Counts
) -> None:
    assert marks(tmp_path, changed).done == len(EXERCISES) - len(changed)
    assert (counts.boxes, counts.runs) == (1, runs)


# -- time ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "runs"), [("03.2", 2), ("03.8", 3)])
def test_an_endless_loop_has_all_of_its_time_once(number: str, runs: int, tmp_path: Path, counts: Counts) -> None:
    """The first answer has it in the whole notebook, a later one when it is tried without the others."""
    row = marks(tmp_path, {number: "while True:\n    pass"}, seconds=1)
    assert row.problem == f"{number}: took longer than 1 second: a loop that does not end?"
    assert row.marks[number].state == "not yet" and row.done == len(EXERCISES) - 1
    assert counts.runs == runs and runs_module.BRIEFLY in counts.times


SLEEPS = "import time\ntime.sleep(0.5)\n"
PLACE = "def place(x, i, j):\n    return x.storage_offset() + i * x.stride(0) + j * x.stride(1)"
SLOW = {"03.4": f"{SLEEPS}offset = 1\n{PLACE}", "03.8": f"{SLEEPS}side = x.t() if offset else x"}


def test_an_answer_that_needs_its_time_has_it_with_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counts: Counts
) -> None:
    """It is seen to end without them. From then on every answer of the notebook has its time."""
    monkeypatch.setattr(runs_module, "BRIEFLY", 0)
    row = marks(tmp_path, SLOW)
    assert row.problem == "" and row.done == len(EXERCISES)
    assert counts.runs == 3


def test_a_loop_that_another_answer_made_costs_nothing(tmp_path: Path) -> None:
    spoils = {"03.2": "start = 22\nimport math\nmath.tau = 0"}
    row = marks(tmp_path, spoils | {"03.8": "import math\nwhile not math.tau:\n    pass\nside = x.t()"}, seconds=1)
    assert row.done == len(EXERCISES) and "03.8, after the others: took longer than 1 second" in row.problem


def test_a_look_that_comes_late_counts_as_a_short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looked because the machine was busy, and so may the answer have been. Five such looks are a second."""
    one = box.Box.__new__(box.Box)
    monkeypatch.setattr(one, "_family", lambda: [])
    one.why, one._most, one._cpu, one._waited = "", 1.0, 0.0, 0.0
    for _ in range(5):
        one._looked = float("-inf")
        one._within_limits()
    with pytest.raises(box.TooSlow):
        one._looked = float("-inf")
        one._within_limits()


# -- imports -------------------------------------------------------------------------------------------------------

LACKS = "import sys\nstart = [name for name in {modules!r} if name not in sys.modules] or 22"


def test_a_box_imports_what_the_lesson_imports_before_anything_runs_in_it(tmp_path: Path) -> None:
    """The first answer comes before the cells that import all this."""
    modules = [name for name in imported_late(cells_to_run(LESSON, {})) if find_spec(name)]
    assert {"executing", "PIL.JpegImagePlugin", "tensorwidgets.live.explorer"} <= set(modules)
    row = marks(tmp_path, {"03.2": LACKS.format(modules=modules)})
    assert row.done == len(EXERCISES), row.marks["03.2"]


def test_no_answer_says_what_is_imported_outside_of_its_run() -> None:
    answers = dict.fromkeys(EXERCISES, "import this\nshow.memory(x=x)")
    assert imported_late(cells_to_run(LESSON, answers)) == imported_late(cells_to_run(LESSON, {}))
    assert imported_late([Cell("lesson", "", "%%time\nimport this")]) == []


@pytest.mark.parametrize("modules", [[], ["no_such_module", "tensorwidgets.no_such_module", "-no-option"]])
def test_a_module_that_is_not_there_is_done_without(modules: Sequence[str]) -> None:
    one = box.Box(box.Limits(), walls.way(), None, modules)
    one.start()
    assert one.why == "" and not one.ended
    one.close()


MODULES_OF_RUNS = """import json, os, sys
from tensorwidgets.course.marking import late, runner
from tensorwidgets.course.marking.cells import cells_to_run
from tensorwidgets.course.shelf import LESSONS
import tensorwidgets.course.marking.wire
shell = runner.quiet_shell()
lessons = {lesson.number: lesson for lesson in LESSONS}
for number in sys.argv[1:]:
    sys.stdout.flush()
    if os.fork():
        os.wait()
        continue
    out, sys.stdout = sys.stdout, open(os.devnull, "w")
    cells = cells_to_run(lessons[number], {})
    runner.import_all(late.imported_late(cells))
    before = set(sys.modules)
    runner.run([cell.source for cell in cells], shell, {}, lambda data: None)
    print(json.dumps([number, sorted(set(sys.modules) - before)]), file=out, flush=True)
    os._exit(0)"""


@pytest.mark.fork
@pytest.mark.parametrize("numbers", [["04", "14"], pytest.param(["01", "08", "11"], marks=pytest.mark.thorough)])
def test_a_run_imports_little_that_its_box_has_not(numbers: list[str], tmp_path: Path) -> None:
    """Where a lesson uses something else that imports much, `late.BY_WORD` wants another word.

    Each lesson has a process of its own, forked from one that has imported what every box imports.
    """
    around = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HOME": str(tmp_path)}
    asked = [sys.executable, "-c", MODULES_OF_RUNS, *numbers]
    looked = subprocess.run(asked, cwd=tmp_path, text=True, capture_output=True, check=True, env=around)
    imported = dict(map(json.loads, looked.stdout.splitlines()))
    assert [*imported] == numbers, looked.stderr
    assert {number: names for number, names in imported.items() if len(names) >= 30} == {}


LEAVES = """
import json
import os
if not os.path.exists("left/locked"):
    os.makedirs("left/locked")
    open("left/locked/one", "w").close()
    open("statistics.py", "w").write("raise SystemExit")
    os.symlink("/", "root")
    os.chmod("left/locked", 0)
    home = os.getcwd()
    for _ in range(3000):
        os.mkdir("deep")
        os.chdir("deep")
    os.chdir(home)
    try:
        os.chmod(".", 0o500)
    except PermissionError:
        pass  # between walls the folder is not the answer's own
"""


@pytest.mark.parametrize("contained", thorough_but([True], [True, False]), ids=["walls", "none"])
def test_a_run_finds_nothing_that_the_run_before_has_left(contained: bool) -> None:
    """What one answer writes cannot be imported by the next; what was there before is."""
    one = box.Box(box.Limits(), walls.way() if contained else None)
    handed = f"{CAPTURE}('01.1', sorted(name for name in __import__('os').listdir() if not name.startswith('.')))"
    try:
        for _ in range(3):
            one.start()
            one.send(json.dumps({"cells": [handed, LEAVES]}).encode() + b"\n")
            said = []
            while not said or "finished" not in said[-1]:
                said.append(json.loads(one.line()))
            (found,) = [line["answer"] for line in said if "answer" in line]
            assert "left" not in str(found) and "statistics" not in str(found), found
            assert not [line for line in said if "failed" in line], said
    finally:
        one.close()
