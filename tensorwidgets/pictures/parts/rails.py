"""Rails: the lines at the left of a list that lead from each row to the rows that use it, as in a log of commits.

>>> for line in rail_texts(rails([(), (0,), (0, 1)])):
...     print(line)
○
├─●
●─╯
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..drawing.html import div
from ..drawing.tokens import HUES, LINE, PAPER

STEP = 16
"""Pixels from one rail to the next."""
MIDDLE = 13
"""Pixels from the top of a row to its dot, whatever the height of the row."""
GLYPHS = {
    (0, 0, 0, 0): " ", (1, 1, 0, 0): "│", (0, 0, 1, 1): "─", (1, 1, 0, 1): "├", (1, 1, 1, 0): "┤", (1, 1, 1, 1): "┼",
    (1, 0, 1, 0): "╯", (1, 0, 0, 1): "╰", (1, 0, 1, 1): "┴",
}  # fmt: skip
"""By whether a line leads up, down, left and right."""


class Rail(NamedTuple):
    """What one column of one row shows: lines that lead up, down, left and right, or the row's dot."""

    up: bool = False
    down: bool = False
    left: bool = False
    right: bool = False
    dot: str = ""
    crossed: bool = False
    """Whether the line from left to right passes behind the rail without meeting it."""


def rails(inputs: Sequence[Sequence[int]], dots: Sequence[str] = ()) -> list[list[Rail]]:
    """The columns of each row, given the rows above that each row uses."""
    last = {one: k for k, row in enumerate(inputs) for one in row}
    columns: list[int | None] = []
    rows = []
    for k, own in enumerate(inputs):
        joined = [c for c, one in enumerate(columns) if one is not None and one in own]
        ending = [c for c in joined if last[columns[c]] == k]  # type: ignore[index]
        free = [c for c, one in enumerate(columns) if one is None]
        place = ending[0] if ending else free[0] if free else len(columns)
        if place == len(columns):
            columns.append(None)
        first, end = min([*joined, place]), max([*joined, place])
        dot = dots[k] if dots else "●" if own else "○"
        row = []
        for c, one in enumerate(columns):
            left, right = first < c <= end, first <= c < end
            if c == place:
                row.append(Rail(c in ending, k in last, left, right, dot))
            elif c in joined:
                row.append(Rail(True, c not in ending, left, right))
            else:
                row.append(Rail(one is not None, one is not None, left, right, "", one is not None and left))
        rows.append(row)
        for c in ending:
            columns[c] = None
        columns[place] = k if k in last else None
        while columns and columns[-1] is None:
            columns.pop()
    return rows


def rail_texts(rows: Sequence[Sequence[Rail]]) -> list[str]:
    """The rows as text: two characters for each column but the last."""
    out = []
    for row in rows:
        text = ""
        for rail in row:
            glyph = rail.dot or ("│" if rail.crossed else GLYPHS[rail[:4]])
            text += glyph + ("─" if rail.right else " ")
        out.append(text.rstrip())
    return out


def rail_html(row: Sequence[Rail], step: int = STEP) -> str:
    """One row as lines in a table cell that has `position:relative`; `step` pixels from one rail to the next."""
    out = ""
    for c, rail in enumerate(row):
        x = c * step + STEP // 2
        if rail.left or rail.right:
            start, end = x - step // 2 if rail.left else x, x + step // 2 if rail.right else x
            out += _line(f"left:{start}px;top:{MIDDLE - 1}px;width:{end - start}px;border-top:2px", _colour_of(row))
    for c, rail in enumerate(row):
        x = c * step + STEP // 2
        colour = LINE[HUES[c % len(HUES)]]
        if rail.crossed:
            out += div(
                "", f"position:absolute;left:{x - 4}px;top:{MIDDLE - 4}px;width:8px;height:8px;background:{PAPER}"
            )
        if rail.up:
            out += _line(f"left:{x - 1}px;top:0;height:{MIDDLE}px;border-left:2px", colour)
        if rail.down:
            out += _line(f"left:{x - 1}px;top:{MIDDLE}px;bottom:0;border-left:2px", colour)
        if rail.dot:
            out += _dot(x, rail.dot, colour)
    return out


def _line(place: str, colour: str, pattern: str = "solid") -> str:
    return div("", f"position:absolute;{place} {pattern} {colour}")


def _dot(x: int, dot: str, colour: str) -> str:
    if dot == "⋮":
        gap = div("", f"position:absolute;left:{x - 2}px;top:{MIDDLE - 8}px;width:4px;height:16px;background:{PAPER}")
        return gap + _line(f"left:{x - 2}px;top:{MIDDLE - 6}px;height:12px;border-left:4px", colour, "dotted")
    return circle(x, MIDDLE, colour, dot == "○")


def circle(x: int | float, y: int, colour: str, hollow: bool, part: bool = False) -> str:
    """A dot, at a pixel or at a `part` of a hundred. It has no border, which hosts count in or out of its size."""
    inner = div("", f"position:absolute;left:2px;top:2px;width:6px;height:6px;background:{PAPER};border-radius:3px")
    left = f"{x:.4g}%;margin-left:-5px" if part else f"{x - 5}px"
    place = f"position:absolute;left:{left};top:{y - 5}px;width:10px;height:10px"
    return div(inner if hollow else "", f"{place};background:{colour};border-radius:5px")


def _colour_of(row: Sequence[Rail]) -> str:
    """The line to the dot has the colour of the dot's own rail."""
    place = next(c for c, rail in enumerate(row) if rail.dot)
    return LINE[HUES[place % len(HUES)]]
