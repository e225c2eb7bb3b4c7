"""From the one source of a lesson to the copies made of it: the student's, and the solved one.

A notebook is plain JSON, and all that is done to it here is done on JSON: handing out needs no Jupyter
package. Solutions and what only a marker's copy runs stand between the marks that nbgrader knows.
"""

from __future__ import annotations

import json
from functools import cache
from textwrap import dedent
from typing import Any

from tensorwidgets.course.shelf import LESSONS, Lesson, map_of_the_course

Notebook = dict[str, Any]

KERNEL = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
MAP_TAG = "course-map"
ENGINE_TAG = "engine-only"
"""Marks a cell that says something else with PyTorch in the engine's place, or cannot run there."""
SOLUTION, HIDDEN = "SOLUTION", "HIDDEN TESTS"


def student_copy(lesson: Lesson) -> Notebook:
    """The lesson with nothing run, no solutions, the map of the course filled in, and no trace of its last editor.

    >>> from tensorwidgets.course.shelf import LESSONS
    >>> {cell["execution_count"] for cell in student_copy(LESSONS[0])["cells"] if cell["cell_type"] == "code"}
    {None}
    """
    return _copy(lesson, solved=False)


def solution_copy(lesson: Lesson) -> Notebook:
    """The lesson with its solutions in place."""
    return _copy(lesson, solved=True)


@cache
def solutions(number: str) -> dict[str, str]:
    """The solutions of a lesson by the number of their exercise.

    >>> solutions("03")["03.8"]
    'side = x.t()'
    """
    (lesson,) = (lesson for lesson in LESSONS if lesson.number == number)
    collected = {}
    for cell in _source(lesson)["cells"]:
        regions = _regions("".join(cell["source"]), SOLUTION)[1::2]
        if regions:
            exercise = cell["metadata"]["nbgrader"]["grade_id"].replace("-", ".")
            collected[exercise] = dedent("".join(regions)).strip("\n")
    return collected


def _source(lesson: Lesson) -> Notebook:
    read: Notebook = json.loads(lesson.source.read_text(encoding="utf-8"))
    return read


def _copy(lesson: Lesson, solved: bool) -> Notebook:
    return {
        "cells": [_clean(cell, solved) for cell in _source(lesson)["cells"]],
        "metadata": KERNEL,
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _clean(cell: Notebook, solved: bool) -> Notebook:
    kept = {key: cell["metadata"][key] for key in ("nbgrader", "tags") if cell["metadata"].get(key)}
    text = "".join(cell["source"])
    if MAP_TAG in kept.get("tags", []):
        text += "\n\n" + map_of_the_course()
    text = "".join(_regions(text, HIDDEN)[::2])
    text = "".join(_regions(text, SOLUTION)[:: 1 if solved else 2]).rstrip("\n")
    clean = {
        "cell_type": cell["cell_type"],
        "id": cell["id"],
        "metadata": kept,
        "source": text.splitlines(keepends=True),
    }
    if cell["cell_type"] == "code":
        clean |= {"execution_count": None, "outputs": []}
    return clean


def _regions(text: str, name: str) -> list[str]:
    r"""The text cut at its marks: outside, inside, outside, and so on; the marks themselves are gone.

    >>> _regions("a = ...\n### BEGIN SOLUTION\na = 1\n### END SOLUTION\n", "SOLUTION")
    ['a = ...\n', 'a = 1\n', '']
    """
    parts = [""]
    for line in text.splitlines(keepends=True):
        inside = len(parts) % 2 == 0
        if line.strip() == f"### {'END' if inside else 'BEGIN'} {name}":
            parts.append("")
        elif line.strip() in (f"### BEGIN {name}", f"### END {name}"):
            raise ValueError(f"the marks of {name} do not pair in:\n{text}")
        else:
            parts[-1] += line
    if len(parts) % 2 == 0:
        raise ValueError(f"{name} begins and does not end in:\n{text}")
    return parts


def as_text(notebook: Notebook) -> str:
    """The file's text, laid out as Jupyter itself saves it, so that saving it unchanged changes nothing."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
