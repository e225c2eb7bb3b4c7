"""The course: lessons, how they are built, what they ask with, and the command line that hands them out.

>>> setup_check()  # doctest: +ELLIPSIS
ok       Python 3.11 or later
...
Everything is here.
"""

from __future__ import annotations

from tensorwidgets.course.asking import check, given, hint, predict, progress, reveal, solution
from tensorwidgets.course.needs import setup_check
from tensorwidgets.course.photograph import photo

__all__ = ["check", "given", "hint", "photo", "predict", "progress", "reveal", "setup_check", "solution"]
