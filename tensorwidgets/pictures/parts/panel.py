"""A view as part of an operation: gaps between all cells, and a colour for each dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ..arrays.window import Window
from ..drawing.html import div, escape
from ..drawing.inline import Ink, Line, axis, words
from ..drawing.scene import Beside, Block, Cell
from ..drawing.tokens import MONO, MUTED, WIDTH
from .grid import Grid, caption_width
from .view_grid import WRAP, ViewGrid, with_gaps

GAP = 4


@dataclass(frozen=True)
class Panel(ViewGrid):
    """`axes` says which of the four hues each dimension has; `heads` what the leading ones are called."""

    axes: tuple[int, ...] = ()
    heads: tuple[Line, ...] = ()
    cell: tuple[int, int] = (40, 30)

    def grid(self, lead: tuple[int, ...], small: bool = False) -> Grid:
        kept, dims = self.window.kept, len(self.window.size)
        width, height = (36, 28) if small else self.cell
        if dims == 0:
            return Grid([[self.cells[()]]], gap=(GAP, GAP), width=max(width, 44), height=height)
        across = with_gaps(kept[-1])
        left = f"…{self.window.size[-1] - len(kept[-1]):,}"
        left = left if len(left) < 6 else "…"
        width = max(width, 7 * len(str(kept[-1][-1])) + 4)
        heads = [left if j is None else str(j) for j in across]
        if dims == 1:
            return self._vector(across, heads, width, height)
        lines, names = [], []
        for n, i in enumerate(kept[-2]):
            if n and kept[-2][n - 1] + 1 != i:
                lines.append([Cell("⋮", kind="gap") for _ in across])
                names.append(f"…{self.window.size[-2] - len(kept[-2]):,}")
            lines.append([Cell("…", kind="gap") if j is None else self.cells[*lead, i, j] for j in across])
            names.append(str(i))
        gutter = 20 if max(map(len, names)) < 3 else 40
        return Grid(lines, names, heads, self.axes[-2:], (GAP, GAP), width, height, gutter=gutter)  # type: ignore[arg-type]

    def _vector(self, across: list[int | None], heads: list[str], width: int, height: int) -> Grid:
        cells = [Cell("…", kind="gap") if j is None else self.cells[(j,)] for j in across]
        axes = (self.axes[0], self.axes[0])
        if len(cells) <= WRAP:
            return Grid([cells], ("",), heads, axes, (GAP, GAP), width, height, gutter=20)
        lines = [cells[k : k + WRAP] for k in range(0, len(cells), WRAP)]
        names = [next((h for h in heads[k : k + WRAP] if h.isdigit()), "") for k in range(0, len(cells), WRAP)]
        return Grid(lines, names, (), axes, (GAP, GAP), width, height, gutter=40)

    @property
    def width(self) -> int:
        """About how many pixels wide it is."""
        dims = len(self.window.size)
        if not self.window.count:
            return max(120, caption_width(self.caption))
        one = self.grid(tuple(k[0] for k in self.window.kept[:-2])) if dims else self.grid(())
        most = max(len(line) for line in one.cells)
        wide = one.gutter + most * (one.width + GAP)
        if dims > 2:
            facets = 1
            for kept in self.window.kept[:-2]:
                facets *= len(kept)
            wide = (wide + 20) * facets
        return max(wide, caption_width(self.caption))

    def place(self, lead: tuple[int, ...]) -> Line:
        """`[1, :, :]`, or `c = 1` where the dimensions have names."""
        if not self.heads:
            return super().place(lead)
        parts: list[str | Ink] = []
        for d, i in enumerate(lead):
            name = words(self.heads[d])
            parts += [", " if d else "", axis(name, self.axes[d]), f" = {i}"]
        return tuple(parts)

    def text(self) -> str:
        head = "\n".join(words(line) for line in self.caption)
        if not self.window.count:
            return f"{head}\n  no element"
        if len(self.window.size) <= 2:
            return f"{head}\n{self.grid(()).text()}"
        facets = [f"{words(self.place(lead))}\n{self.grid(lead).text()}" for lead in product(*self.window.kept[:-2])]
        return "\n".join([head, *facets])


def panel(
    caption: tuple[Line, ...], window: Window, cells: Mapping[tuple[int, ...], Cell], axes: tuple[int, ...],
    heads: tuple[Line, ...] = (), small: bool = False,
) -> Panel:  # fmt: skip
    """A panel whose columns are as wide as its longest text wants; strides do not show in it."""
    longest = max((len(cell.text) for cell in cells.values()), default=0)
    width = 46 if longest > 4 else 36 if small else 40
    return Panel(caption, window, (), cells, axes=axes, heads=heads, cell=(width, 28 if small else 30))


@dataclass(frozen=True)
class Sign:
    """The sign of the operation between two panels."""

    sign: str
    top: int

    def html(self) -> str:
        return div(escape(self.sign), f"font:400 22px/32px {MONO};color:{MUTED};margin-top:{self.top}px")

    def text(self) -> str:
        return self.sign


def in_a_row(panels: Sequence[Panel], signs: Sequence[str], room: int = WIDTH) -> Block:
    """Panels with the signs between them; where one line has no room for all, the rest goes on below."""
    total = sum(p.width for p in panels) + 46 * (len(panels) - 1)
    if all(len(p.window.size) <= 2 for p in panels) and total <= room:
        parts: list[Block] = [panels[0]]
        for sign, one in zip(signs, panels[1:], strict=True):
            parts += [Sign(sign, _middle(panels)), one]
        return Beside(parts, gap=16, below=10)
    pairs = [Beside([Sign(sign, 0), one], gap=12) for sign, one in zip(signs, panels[1:], strict=True)]
    return Beside([panels[0], *pairs], gap=24, top=10)


def _middle(panels: Sequence[Panel]) -> int:
    """The height of a sign next to the grids: half their height, below caption and indices."""
    tall = max(len(p.grid(()).cells) if p.window.count else 1 for p in panels)
    lines = max(len(p.caption) for p in panels)
    return 16 * lines + 32 + (tall * (panels[0].cell[1] + GAP) - GAP) // 2 - 16
