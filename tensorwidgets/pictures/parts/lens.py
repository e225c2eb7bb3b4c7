"""The cells at the start of a view, under the bars that say where they lie.

A lens is as wide as the bars; where its host is narrow, it scrolls by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..arrays.combs import Level
from ..drawing.html import div, escape, framed, row, table, td, th
from ..drawing.inline import Line, markup, pill, words
from ..drawing.scene import Cell, columns
from ..drawing.tokens import CHANNELS, EDGE, INK, MONO, MUTED, NARROW, RULE, hatch
from ..paper.fonts import width_of
from .grid import cell_html, cell_text
from .memory_bar import ARCH, Bar, Reach
from .strip import Lane

CELLS = 12
"""How many cells a lens shows of a large storage."""
WHOLE = 24
"""The largest storage, in cells, of which it shows all."""
NARROWEST = 44, 34
"""Pixels of a cell at least: of the first cells of a large storage, of a whole storage where there is room."""


@dataclass(frozen=True)
class Lens:
    """Neighbouring units of a storage as cells, with the lanes of the views and the combs that fit in between."""

    letter: str
    caption: Line
    cells: tuple[Cell, ...]
    units: range
    total: int
    unit: int
    lanes: tuple[Lane, ...]
    reaches: tuple[Reach, ...]
    """The views, one for each lane: arches show their steps."""
    counts: str = "element"

    @property
    def level(self) -> Level:
        """The lens as one more level."""
        return Level(self.units.start * self.unit, self.units.stop * self.unit, (), None, 0, 0)

    def html(self) -> str:
        n = len(self.units)
        head = div(markup(self.caption), f"font:400 12px/18px {MONO};color:{MUTED}") if words(self.caption) else ""
        look = "table-layout:fixed;width:100%;border-collapse:separate;border-spacing:0;margin:0;font-size:13px"
        longest = max(len(cell.text) for cell in self.cells)
        least = NARROWEST[0] if n <= CELLS else min(NARROWEST[1], max(7 * longest + 2, 24, NARROW // n))
        marks = [width_of(mark, self._size(lane), mono=True) for lane in self.lanes for mark in lane.marks if mark]
        least = max(least, math.ceil(max(marks, default=0)) + 3)
        body = table(self._rows(), style=f"{look};line-height:16px;min-width:{n * least}px", cls="tw-storage")
        return head + framed(body, below=2)

    def _size(self, lane: Lane) -> int:
        """The size of a lane's marks: long ones are written small."""
        return 9 if any(mark and len(mark) > (4 if len(self.units) > CELLS else 6) for mark in lane.marks) else 11

    def _rows(self) -> list[str]:
        small = f"font-size:11px;color:{MUTED}"
        one = len(self.lanes) == 1
        rows = self._arches(self.reaches[0]) if one else []
        rows.append(row("".join(th(*self._number(unit, 1)) for unit in self.units), f"height:16px;{small}"))
        html = "".join(cell_html(cell, n == 0) for n, cell in enumerate(self.cells))
        size = 0 if len(self.units) <= CELLS else 9 if max(len(cell.text) for cell in self.cells) > 4 else 11
        rows.append(row(html, f"height:34px;{f'font-size:{size}px' if size else ''}".rstrip(";")))
        bytes_ = [self._number(unit, self.unit)[0] for unit in self.units]
        tick = f"text-align:left;white-space:nowrap;padding:0 0 0 4px;border-left:1px solid {EDGE}"
        rows.append(row("".join(td(text, tick if text else "") for text in bytes_), f"height:14px;{small}"))
        for lane, reach in zip(self.lanes, self.reaches, strict=True):
            if not one:
                name = th(escape(lane.name), "row", f"text-align:left;font-size:12px;color:{INK}", span=len(self.units))
                rows += [row(name, "height:24px"), *self._arches(reach)]
            rows.append(row(self._lane(lane), f"height:20px;font-size:{self._size(lane)}px;color:{MUTED}"))
            if lane.channels:
                cells = [td(letter, f"background:{CHANNELS[letter]}" if letter else "") for letter in lane.channels]
                rows.append(row("".join(cells), f"height:16px;font-size:11px;font-weight:700;color:{INK}"))
        return rows

    def _number(self, unit: int, times: int) -> tuple[str, str, str]:
        """A number of a ruler, if they fit; of long ones, the first."""
        fits = len(str(self.units[-1] * times)) <= (6 if len(self.units) <= CELLS else 4)
        if fits:
            return str(unit * times), "col", ""
        text = f"{unit * times:,}" if unit == self.units[0] else ""
        return text, "col", "text-align:left;white-space:nowrap;padding:0 0 0 4px"

    def _arches(self, reach: Reach) -> list[str]:
        """A row of arches for each comb with a step that fits, the longest step on top."""
        bar = Bar(self.level, "", "", self.total * self.unit, (), reach, foot=self.unit)
        drawn = [bar.arches(reach, k) for k in range(len(reach.combs))]
        return [
            row(td(div(arches, f"position:relative;height:{ARCH}px"), span=len(self.units)), f"height:{ARCH}px")
            for arches in drawn
            if arches
        ]

    def _lane(self, lane: Lane) -> str:
        html = ""
        for unit, mark in zip(self.units, lane.marks, strict=True):
            under = f"border-bottom:1px solid {RULE}"
            if mark is None:
                html += td("", f"{under};{hatch()}", title=f"{lane.name} | never reads {self.letter}[{unit}]")
            else:
                html += td(markup(pill(mark)) if mark.startswith("×") else escape(mark), under)
        return html

    def text(self) -> str:
        lines = [[self.counts, *map(str, self.units)], [f"storage {self.letter}", *map(cell_text, self.cells)]]
        lines.append(["byte", *(str(unit * self.unit) for unit in self.units)])
        for lane in self.lanes:
            lines.append([lane.name, *(mark or "-" for mark in lane.marks), lane.fact])
            if lane.channels:
                lines.append(["colour", *(letter or "-" for letter in lane.channels)])
        whole = len(self.units) == self.total
        said = [f"  {line}" for reach in self.reaches for line in reach.said] if whole else []
        return "\n".join([columns(lines), *said])
