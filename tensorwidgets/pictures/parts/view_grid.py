"""One view with all its dimensions: the last two are a grid, those before them are facets of it.

The whole view is one table, even if it contains further tables, and its cells are in reading order: the
last index runs fastest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from ..arrays.raster import Raster
from ..arrays.window import Window
from ..drawing.html import div, row, table, tag, td
from ..drawing.inline import Line, axis, markup, muted, words
from ..drawing.scene import Cell
from ..drawing.tokens import MUTED, WIDTH
from .grid import Grid, caption_width, captioned

WRAP = 16
"""Cells in each line of a long vector."""


@dataclass(frozen=True)
class ViewGrid:
    """The cells of a view by their index, under a caption that says its name and its steps."""

    caption: tuple[Line, ...]
    window: Window
    stride: tuple[int, ...]
    cells: Mapping[tuple[int, ...], Cell]
    raster: Raster | None = None
    small: bool = False

    def html(self) -> str:
        dims = len(self.window.size)
        if not self.window.count:
            inner = td("no element", f"color:{MUTED};border:1px dotted {MUTED};padding:0 12px")
            body = table([row(inner, "height:32px")], cls="tw-view", caption=captioned(self.caption))
        elif dims <= 2:
            body = self.grid(()).table("tw-view", self.caption)
        else:
            body = self.facets()
        image = self.raster.html() if self.raster is not None else ""
        return div(body + image, f"min-width:{caption_width(self.caption)}px")

    def grid(self, lead: tuple[int, ...], small: bool = False) -> Grid:
        """The last two dimensions at one place of the others."""
        kept = self.window.kept
        dims = len(self.window.size)
        small = small or self.small or len(kept[-1:] and kept[-1]) > WRAP
        width, height = (36, 28) if small else (44, 32)
        if dims == 0:
            return Grid([[self.cells[()]]], gap=(0, 0), width=width, height=height)
        across = kept[-1]
        wide = 0 if self.stride[-1] == 1 else 6
        if dims == 1:
            return self.vector(wide)
        down = kept[-2]
        lines = []
        names = []
        for n, i in enumerate(down):
            if n and down[n - 1] + 1 != i:
                lines.append([Cell("⋮", kind="gap") for _ in with_gaps(across)])
                names.append("")
            lines.append([Cell("…", kind="gap") if j is None else self.cells[*lead, i, j] for j in with_gaps(across)])
            names.append(str(i))
        # A count of what is left out would be read as an index among indices.
        heads = ["…" if j is None else str(j) for j in with_gaps(across)]
        tall = 0 if self.stride[-2] == 1 else 6
        return Grid(
            lines, names, heads, (dims - 2, dims - 1), (tall, wide), width, height,
            gutter=24 if max(map(len, names)) < 4 else 40,
        )  # fmt: skip

    def vector(self, wide: int) -> Grid:
        kept = self.window.kept[0]
        slots = with_gaps(kept)
        left = f"…{self.window.size[0] - len(kept):,}"
        cells = [Cell(left, kind="gap") if j is None else self.cells[(j,)] for j in slots]
        wrap = 5 if self.small else WRAP
        if len(slots) <= wrap:
            heads = ["" if j is None else str(j) for j in slots]
            width, height = (36, 28) if self.small else (44, 32)
            return Grid([cells], (), heads, (0, 0), (0, wide), width, height)
        starts = range(0, len(cells), wrap)
        lines = [cells[k : k + wrap] for k in starts]
        names = [str(next(j for j in slots[k : k + wrap] if j is not None)) for k in starts]
        heads = [f"+{k}" for k in range(wrap)] if None not in slots else []
        width, gutter = (36, 24) if self.small else (40, 36)
        return Grid(lines, names, heads, (0, 0), (6, wide), width, 28, gutter=gutter)

    def facets(self) -> str:
        """A grid for each place of the leading dimensions; as many of these run along a line as fit on it."""
        lead, size = self.window.kept[:-2], self.window.size
        small = self.window.count > 64
        wide = (36 if small else 44) * len(self.window.kept[-1]) + 60
        flow = len(lead) - 1
        while flow > 0 and prod(len(k) for k in lead[flow - 1 :]) * wide <= WIDTH:
            flow -= 1
        rows = []
        for above in product(*lead[:flow]):
            inner = ""
            before: tuple[int, ...] = ()
            for place in product(*lead[flow:]):
                # How many are left out stands at the head of the one behind them, and stays with it on any page.
                gap = before and place[:-1] == before[:-1] and place[-1] != before[-1] + 1
                left = f"…{size[len(lead) - 1] - len(lead[-1]):,} " if gap else ""
                inner += self.facet((*above, *place), small, left)
                before = place
            rows.append(row(td(inner, "text-align:left;white-space:normal")))
        return table(rows, style=f"max-width:{WIDTH}px", cls="tw-view", caption=captioned(self.caption))

    def facet(self, lead: tuple[int, ...], small: bool, left_out: str = "") -> str:
        head = markup(muted(left_out)) + markup(self.place(lead))
        title = tag("div", head, "font-size:11px;line-height:16px")
        return div(
            title + self.grid(lead, small).html(),
            "display:inline-block;vertical-align:top;margin:0 20px 12px 0",
        )

    def place(self, lead: tuple[int, ...]) -> Line:
        """`[1, :, :]` with the index in the colour of its dimension."""
        parts: list = ["["]
        for d, i in enumerate(lead):
            parts += [axis(str(i), d, under=False), ", "]
        return tuple([*parts, ":, :]"])

    def text(self) -> str:
        size, dims = self.window.size, len(self.window.size)
        shape = f"({', '.join(map(str, size))}{',' if dims == 1 else ''})"
        stride = f"({', '.join(map(str, self.stride))}{',' if dims == 1 else ''})"
        first = words(self.caption[0])
        rest = [words(line) for line in self.caption[1 + dims :]]
        head = f"\n{first}: size {shape}, stride {stride}, {'; '.join(rest).replace('from ', '')}"
        if self.raster is not None:
            head += f"\n{self.raster.words()}"
        if not self.window.count:
            return head + "\n  no element"
        if dims <= 2:
            return head + "\n" + self.grid(()).text()
        facets = [f"{words(self.place(lead))}\n{self.grid(lead).text()}" for lead in product(*self.window.kept[:-2])]
        return head + "\n" + "\n".join(facets)


def with_gaps(kept: tuple[int, ...]) -> list[int | None]:
    """Indices with None where some are left out.

    >>> with_gaps((0, 1, 8, 9))
    [0, 1, None, 8, 9]
    """
    out: list[int | None] = []
    for k, i in enumerate(kept):
        if k and kept[k - 1] + 1 != i:
            out.append(None)
        out.append(i)
    return out
