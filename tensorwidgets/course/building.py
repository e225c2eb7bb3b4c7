"""From the one source of a lesson to the copy that a student gets.

A notebook is plain JSON, and all that is done to it here is done on JSON: handing out needs no Jupyter
package.
"""

from __future__ import annotations

import json
from typing import Any

from tensorwidgets.course.shelf import Lesson, map_of_the_course

Notebook = dict[str, Any]

KERNEL = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
MAP_TAG = "course-map"


def student_copy(lesson: Lesson) -> Notebook:
    """The lesson with nothing run, the map of the course filled in, and no trace of whoever edited it last.

    >>> from tensorwidgets.course.shelf import LESSONS
    >>> {cell["execution_count"] for cell in student_copy(LESSONS[0])["cells"] if cell["cell_type"] == "code"}
    {None}
    """
    source: Notebook = json.loads(lesson.source.read_text(encoding="utf-8"))
    return {
        "cells": [_clean(cell) for cell in source["cells"]],
        "metadata": KERNEL,
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _clean(cell: Notebook) -> Notebook:
    tags = cell["metadata"].get("tags", [])
    text = "".join(cell["source"])
    if MAP_TAG in tags:
        text += "\n\n" + map_of_the_course()
    clean = {
        "cell_type": cell["cell_type"],
        "id": cell["id"],
        "metadata": {"tags": tags} if tags else {},
        "source": text.splitlines(keepends=True),
    }
    if cell["cell_type"] == "code":
        clean |= {"execution_count": None, "outputs": []}
    return clean


def as_text(notebook: Notebook) -> str:
    """The file's text, laid out as Jupyter itself saves it, so that saving it unchanged changes nothing."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
