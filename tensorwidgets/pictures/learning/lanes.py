"""What do pictures of lanes over one axis of time share? Their columns, and the times below them."""

from __future__ import annotations

from ..drawing.html import escape, row, table, td
from ..drawing.tokens import EDGE, MUTED, SANS
from .loader_words import duration

LABEL, COLUMN, COLUMNS, LETTERS = 96, 6, 122, 61
"""Pixels of the labels and of a column of time, how many columns there are, and how many characters in the text."""

_WIDTH = f"max-width:{LABEL + COLUMN * COLUMNS}px"  # and narrower on a narrow page


def over_time(rows: list[str], begin: float, end: float, cls: str) -> str:
    """Rows of a label and `COLUMNS` columns as a table, and the times of its ends and its middle in milliseconds."""
    look = f"font:400 11px/14px {SANS};color:{MUTED};border-top:1px solid {EDGE};padding-top:2px"
    times = [duration(time) if time else "0" for time in (begin, (begin + end) / 2, end)]
    cells = [
        td(escape(text), f"{look};text-align:{side}")
        for text, side in zip(times, ("left", "center", "right"), strict=True)
    ]
    axis = table([row(td() + "".join(cells))], [LABEL, 0, 0, 0], style=_WIDTH)
    return table(rows, [LABEL, *[0] * COLUMNS], style=_WIDTH, cls=cls) + axis
