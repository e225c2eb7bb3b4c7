"""Writes docs/topics.md: every topic of the notes that the course is built on, and where it is covered.

`python -m tests.course.topics`
"""

from __future__ import annotations

import csv
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tensorwidgets.course.shelf import LESSONS

TABLE = Path(__file__).with_name("topics.tsv")
PAGE = Path(__file__).parents[2] / "docs" / "topics.md"

HEAD = """# Where each topic is covered

This course is built on five sets of notes on tensors. Here is every topic in them, with the lesson that covers it and
the exercises and predictions that ask about it. Written by `python -m tests.course.topics`.
"""


class Topic(NamedTuple):
    """One row of the table."""

    notes: str
    topic: str
    lesson: str
    met_by: tuple[str, ...]


def topics() -> list[Topic]:
    """The table, as it is kept."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [Topic(r["notes"], r["topic"], r["lesson"], tuple(r["met by"].split())) for r in rows]


def page() -> str:
    """The table for people, one for each set of notes."""
    lessons = {lesson.number: lesson for lesson in LESSONS}
    parts = [HEAD]
    for notes, rows in groupby(topics(), key=lambda row: row.notes):
        parts += [f"## Notes {notes}\n", "| topic | lesson | asked in |", "| --- | --- | --- |"]
        for row in rows:
            lesson = lessons[row.lesson]
            name = f"{lesson.number} {lesson.title}"
            where = f"[{name}](../notebooks/{lesson.file})" if lesson.ready else name
            met = ", ".join(row.met_by)
            parts.append(f"| {row.topic} | {where} | {met} |")
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{len(topics())} topics: {PAGE.name}")
