"""Writes docs/topics.md: every topic of the notes that the course is built on, and where it is covered.

`python -m tests.course.topics`
"""

from __future__ import annotations

import ast
import csv
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tensorwidgets.course.shelf import LESSONS

TABLE = Path(__file__).with_name("topics.tsv")
PAGE = Path(__file__).parents[2] / "docs" / "topics.md"

HEAD = """# Where each topic is covered

This course is built on five sets of notes on tensors. Here is every topic in them, with what to try in cells of a
notebook, the lesson that covers it, and the exercises and predictions that ask about it. The first cell is this:

```python
{start}
```

Written by `python -m tests.course.topics`.
"""

START = """import h5py
import numpy as np
import pandas as pd
import scipy.linalg
import tensorwidgets as torch
from tensorwidgets import show, why

torch.cuda.simulate()  # a GPU that is a part of main memory
x = torch.arange(12.0).reshape(3, 4)"""
"""What comes before what is tried."""


class Topic(NamedTuple):
    """One row of the table."""

    notes: str
    topic: str
    lesson: str
    met_by: tuple[str, ...]
    line: str
    """What to try, after `START`."""

    @property
    def cells(self) -> list[str]:
        """The line in parts that each end with what a notebook shows.

        >>> Topic("", "", "", (), "y = x + 1; show(x, y); y.stride()").cells
        ['y = x + 1; show(x, y)', 'y.stride()']
        """
        cells = [""]
        for part in ast.parse(self.line).body:
            cells[-1] += ("; " if cells[-1] else "") + str(ast.get_source_segment(self.line, part))
            cells += [""] if isinstance(part, ast.Expr) else []
        return [cell for cell in cells if cell]


def topics() -> list[Topic]:
    """The table, as it is kept."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Topic(r["notes"], r["topic"], r["lesson"], tuple(r["met by"].split()), r["try"]) for r in rows]


def page() -> str:
    """The table for people, one for each set of notes."""
    lessons = {lesson.number: lesson for lesson in LESSONS}
    parts = [HEAD.format(start=START)]
    for notes, rows in groupby(topics(), key=lambda row: row.notes):
        parts += [f"## Notes {notes}\n", "| topic | try | lesson | asked in |", "| --- | --- | --- | --- |"]
        for row in rows:
            lesson = lessons[row.lesson]
            name = f"{lesson.number} {lesson.title}"
            where = f"[{name}](../notebooks/{lesson.file})" if lesson.ready else name
            met = ", ".join(row.met_by)
            tried = " ".join(f"`{cell}`" for cell in row.cells)
            parts.append(f"| {row.topic} | {tried} | {where} | {met} |")
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{len(topics())} topics: {PAGE.name}")
