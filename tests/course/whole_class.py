"""Mark a generated class and look at every mark: python -m tests.course.whole_class --students 30 [--dask].

Each answer of each student is the solution, or not started, or raises, or ends its process, or (rarely) does not end.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tensorwidgets.course.building import as_text, solution_copy
from tensorwidgets.course.grading.command import mark_folder
from tensorwidgets.course.marking import box
from tensorwidgets.course.marking.marks import asked_of
from tensorwidgets.course.shelf import LESSONS, Lesson
from tests.course.classroom import number_of
from tests.course.test_executors import dask

KINDS = {"right": 70, "empty": 12, "raises": 12, "ends": 5, "loops": 1}
CODE = {
    "empty": "...",
    "raises": "raise RuntimeError('no')",
    "ends": "import os; os._exit(3)",
    "loops": "while True: pass",
}
STATES = {
    "right": {"done"}, "empty": {"not started", "not yet", "not judged"}, "raises": {"not yet", "not judged"},
    "ends": {"not yet", "not judged"}, "loops": {"not yet", "not judged"},
}  # fmt: skip


def hand_in(folder: Path, student: str, lesson: Lesson, r: random.Random) -> dict[str, str]:
    """A student's notebook of a lesson; how each of its exercises was answered."""
    notebook = solution_copy(lesson)
    kinds = {}
    for cell in notebook["cells"]:
        number = number_of(cell)
        if number in asked_of(lesson):
            kinds[number] = kind = r.choices([*KINDS], [*KINDS.values()])[0]
            if kind != "right":
                cell["source"] = CODE[kind]
    place = folder / student
    place.mkdir(parents=True, exist_ok=True)
    (place / lesson.file).write_text(as_text(notebook), encoding="utf-8")
    return kinds


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--lessons", type=int, default=13)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dask", action="store_true", help="by the workers of a Dask cluster on this machine")
    options = parser.parse_args()
    r = random.Random(options.seed)
    lessons = [lesson for lesson in LESSONS if lesson.ready and asked_of(lesson)][: options.lessons]
    with tempfile.TemporaryDirectory() as place, contextlib.ExitStack() as stack:
        collected = Path(place) / "collected"
        given = {
            (f"student{k:02}", lesson.number): hand_in(collected, f"student{k:02}", lesson, r)
            for k in range(options.students)
            for lesson in lessons
        }
        executor = stack.enter_context(dask()) if options.dask else None
        begin = time.perf_counter()
        rows = mark_folder(collected, Path(place) / "marks.csv", executor=executor, seconds=box.Limits().seconds)
        seconds = time.perf_counter() - begin
    kinds, wrong = Counter[str](), []
    for row in rows:
        for number, kind in given[row.student, row.lesson].items():
            kinds[kind] += 1
            if row.marks[number].state not in STATES[kind]:
                wrong.append(f"{row.student} {number} {kind}: {row.marks[number].state} {row.marks[number].line}")
    print("\n".join(wrong))
    print(f"{len(rows)} notebooks in {seconds:.0f} s; {dict(kinds)}; {len(wrong)} answers judged otherwise")
    sys.exit(bool(wrong) or len(rows) != len(given))


if __name__ == "__main__":
    main()
