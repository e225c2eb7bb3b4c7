"""Rebuild notebooks/ from the lessons' sources: `python -m tensorwidgets.course.build`.

Each lesson is run from top to bottom in a fresh kernel and written with its outputs. Running it again
without a change writes the same bytes.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path

from tensorwidgets.course.building import Notebook, as_text, student_copy
from tensorwidgets.course.quick_start import grammars_later
from tensorwidgets.course.shelf import NOTEBOOKS


def executed(notebook: Notebook, folder: Path) -> Notebook:
    """The notebook with its outputs, run in the folder; an error in a cell is an error here.

    The kernel takes the package that builds, wherever another copy of it is installed.
    """
    grammars_later()
    import nbformat
    from nbclient import NotebookClient

    live = nbformat.reads(as_text(notebook), as_version=4)
    client = NotebookClient(
        live,
        timeout=120,
        record_timing=False,
        coalesce_streams=True,  # what is printed comes in pieces, as luck will have it
        resources={"metadata": {"path": folder}},
    )
    paths = [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")]
    client.execute(env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))})
    cells = json.loads(nbformat.writes(live))["cells"]
    return {**notebook, "cells": cells}  # the kernel's version, which would differ, stays out


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tensorwidgets.course.build", description=__doc__)
    parser.add_argument("--to", type=Path, default=Path("notebooks"), help="the folder to write (default: notebooks)")
    parser.add_argument("numbers", nargs="*", metavar="NN", help="the lessons to build, or puzzles (default: all)")
    asked = parser.parse_args(arguments)
    folder: Path = asked.to
    folder.mkdir(parents=True, exist_ok=True)
    for lesson in NOTEBOOKS:
        if lesson.ready and lesson.number in (asked.numbers or [lesson.number]):
            built = executed(student_copy(lesson), folder)
            (folder / lesson.file).write_text(as_text(built), encoding="utf-8")
            print(f"built {lesson.file}")


if __name__ == "__main__":
    main()
