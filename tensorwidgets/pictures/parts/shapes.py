"""Shapes aligned at the right, one column for each axis, with the verdict on each column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...engine.geometry import broadcast_verdict
from ..drawing.html import escape, row, table, td, th
from ..drawing.inline import Line, markup, words
from ..drawing.scene import Cell, columns
from ..drawing.tokens import CLASH, MUTED, SANS, TINT, axis_colour, hue
from .grid import cell_html, cell_text

ROOM = 440


@dataclass(frozen=True)
class ShapeTable:
    """One row for each shape, its sizes right-aligned; a stretched size is dotted, a clash is red."""

    names: tuple[Line, ...]
    sizes: tuple[tuple[int, ...], ...]
    result: tuple[int, ...] | None
    label: str = "result"

    @property
    def dims(self) -> int:
        return max(map(len, self.sizes), default=0)

    @property
    def verdicts(self) -> list[str]:
        """The verdict on each axis, in words: `3 = 3`, `1 → 4`, `missing: 1 → 3`, `4 ≠ 3`."""
        return [
            verdict_words(kind, [size[d - self.dims] for size in self.sizes if len(size) >= self.dims - d])
            for d, kind in enumerate(broadcast_verdict(*self.sizes))
        ]

    def cells(self, size: tuple[int, ...]) -> list[Cell]:
        """The sizes of one shape, one to a column."""
        kinds = broadcast_verdict(*self.sizes)
        out = []
        for d, kind in enumerate(kinds):
            k = d - (self.dims - len(size))
            if k < 0:
                out.append(Cell("1", kind="ghost"))
            elif kind == "clash" and size[k] != 1:
                out.append(Cell(str(size[k]), kind="clash"))
            else:
                stretched = size[k] == 1 and kind != "equal" and self._widest(d) != 1
                out.append(Cell(str(size[k]), fill=TINT[hue(d)], kind="ghost" if stretched else "solid"))
        return out

    def _widest(self, d: int) -> int:
        results = [size[d - self.dims] for size in self.sizes if len(size) >= self.dims - d]
        return next((n for n in results if n != 1), 1)

    def html(self) -> str:
        longest = max(len(words(label)) for label in (*self.names, self.label))
        name = min(200, max(72, 8 * longest + 4))  # a longer one goes on below
        width = min(104, max(44, (ROOM + 72 - name) // max(self.dims, 1)))
        small = f"font-size:11px;color:{MUTED}"
        heads = "".join(
            th(f"dim {d - self.dims}", "col", f"font-size:11px;color:{axis_colour(d)}") for d in range(self.dims)
        )
        rows = [row(td() + heads, "height:18px")] if self.dims else []
        shapes = list(zip(self.names, self.sizes, strict=True))
        if self.result is not None:
            shapes.append((self.label, self.result))
        for label, size in shapes:
            look = "text-align:left;font-weight:700;overflow-wrap:break-word"
            html = "".join(cell_html(cell) for cell in self.cells(size))
            if not self.dims:
                html = td("no dimension", f"text-align:left;{small}")
            rows.append(row(th(markup(label), "row", look) + html, "height:28px"))
        if self.dims:
            html = th("so", "row", f"text-align:left;{small};font-size:12px")
            for words_, kind in zip(self.verdicts, broadcast_verdict(*self.sizes), strict=True):
                bad = kind == "clash"
                html += td(
                    escape(words_), f"font:{700 if bad else 400} 12px/16px {SANS};color:{CLASH if bad else MUTED}"
                )
            rows.append(row(html, "height:28px"))
        widths = [name, *[width] * max(self.dims, 1)]
        total = sum(widths) + 4 * (len(widths) + 1)
        return table(rows, widths, "4px 3px", f"width:{total}px;margin:0 0 0 -4px", "tw-shapes")

    def text(self) -> str:
        lines = [["", *(f"dim {d - self.dims}" for d in range(self.dims))]] if self.dims else []
        shapes = list(zip(self.names, self.sizes, strict=True))
        if self.result is not None:
            shapes.append((self.label, self.result))
        for label, size in shapes:
            lines.append([words(label), *(cell_text(cell) for cell in self.cells(size))])
        return columns([*lines, ["so", *self.verdicts]] if self.dims else lines)


def verdict_words(kind: str, sizes: Sequence[int]) -> str:
    """The verdict of one axis over the sizes that the shapes have there.

    >>> verdict_words("stretch", [1, 4]), verdict_words("missing", [3]), verdict_words("clash", [4, 1, 3])
    ('1 → 4', 'missing: 1 → 3', '4 ≠ 3')
    """
    wide = list(dict.fromkeys(n for n in sizes if n != 1))
    if kind == "clash":
        return " ≠ ".join(map(str, wide))
    if kind == "equal":
        return f"{sizes[0]} = {sizes[0]}" if len(sizes) > 1 else str(sizes[0])
    start = "missing: " if kind == "missing" else ""
    return f"{start}1 → {wide[0]}" if wide else f"{start}1"
