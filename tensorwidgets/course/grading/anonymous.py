"""A class without names, to show or to hand on: `student 01` and so on, in an order that says nothing."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tensorwidgets.course.marking.marks import Row

from .text import written


def without_names(rows: Sequence[Row]) -> tuple[list[Row], dict[str, str]]:
    """The rows under other names, sorted by these, and who is behind each."""
    names = sorted({row.student for row in rows})
    secrets.SystemRandom().shuffle(names)
    width = max(2, len(str(len(names))))
    new = {name: f"student {k:0{width}}" for k, name in enumerate(names, 1)}
    hidden = [replace(row, student=new[row.student], file=f"{row.lesson or 'other'}.ipynb") for row in rows]
    return sorted(hidden, key=lambda row: (row.student, row.lesson)), {alias: name for name, alias in new.items()}


def who_is_who(names: Mapping[str, str]) -> str:
    """The key, as CSV: the name that is shown, and the student.

    >>> print(who_is_who({"student 01": "anna"}), end="")
    "shown as","student"
    "student 01","anna"
    """
    return written([["shown as", "student"], *([shown, name] for shown, name in sorted(names.items()))])
