"""The course: lessons, how they are built, and the command line that hands them out.

>>> setup_check()  # doctest: +ELLIPSIS
ok       Python 3.11 or later
...
All is here.
"""

from __future__ import annotations

from tensorwidgets.course.needs import setup_check

__all__ = ["setup_check"]
