"""A storage as a strip: rulers in elements and bytes, cells that touch, one lane for each view that reads it.

Up to sixteen cells are on one line. More are broken into lines of sixteen, as in a memory dump. Where
cells are left out, one cell says how many.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..drawing.html import breaking, div, escape, framed, row, table, tag, td, th
from ..drawing.inline import Line, markup, pill, words
from ..drawing.offset_jumps import Path
from ..drawing.scene import Cell, columns
from ..drawing.tokens import EDGE, INK, MUTED, NARROW, RULE, hatch
from .grid import cell_html, cell_text, type_for

ONE_LINE = 16
SHORT = 4
LABEL, ROOM = 156, 828
NARROW_LABEL, NARROWEST, END = 64, 24, 34
"""Pixels at least of the labels and of a cell, where the page is narrow, and what the last number of a ruler takes."""


@dataclass(frozen=True)
class Lane:
    """The marks of one view, one for each drawn unit: an index (`0,1`), a count (`×3`) or None."""

    name: str
    marks: tuple[str | None, ...]
    fact: str = ""
    channels: tuple[str, ...] = ()
    """Of an image: the letter of each unit's colour, in a lens."""


@dataclass(frozen=True)
class Strip:
    """The drawn units of one storage with their rulers and lanes."""

    letter: str
    name: Line
    cells: tuple[Cell, ...]
    units: tuple[int, ...]
    total: int
    unit: int
    lanes: tuple[Lane, ...] = ()
    tail: str = ""
    caption: tuple[Line, ...] = ()
    hops: Path | None = None
    """The example's way, and room for others: None where no way can be drawn."""
    counts: str = "element"
    """What one cell is: an element, or a unit where elements of several sizes meet."""

    @property
    def runs(self) -> list[tuple[int, int]]:
        """Positions in `units` where neighbours begin and end: cells are left out between the runs."""
        runs: list[tuple[int, int]] = []
        for k, unit in enumerate(self.units):
            if runs and self.units[k - 1] + 1 == unit:
                runs[-1] = (runs[-1][0], k + 1)
            else:
                runs.append((k, k + 1))
        return runs

    def missing(self) -> list[int]:
        """How many units are left out before each run, and after the last."""
        edges = [0]
        for first, stop in self.runs:
            edges += [self.units[first], self.units[stop - 1] + 1]
        edges.append(self.total)
        return [edges[k + 1] - edges[k] for k in range(0, len(edges), 2)]

    @property
    def whole(self) -> bool:
        return len(self.units) == self.total

    @property
    def slots(self) -> list[int | str]:
        """What is drawn from left to right: the position of a cell, or the words for what is left out."""
        out: list[int | str] = []
        missing = self.missing()
        for (first, stop), gap in zip(self.runs, missing, strict=False):
            out += [f"…{gap:,}"] if gap else []
            out += range(first, stop)
        return out + ([f"…{missing[-1]:,}"] if missing[-1] else [])

    def html(self) -> str:
        slots = self.slots
        if not self.total:
            inner = row(
                self._name(markup(self.name)) + td("no bytes", f"text-align:left;color:{MUTED}"),
                "height:36px",
            )
            return table([inner], [LABEL, ROOM - LABEL], cls="tw-storage", caption=self._caption(), least=320)
        return self._line(slots) if len(slots) <= ONE_LINE else self._dump()

    def _caption(self) -> str:
        inner = "".join(div(markup(line)) for line in self.caption)
        style = f"caption-side:top;text-align:left;padding:0 0 4px;font-size:11px;line-height:16px;color:{MUTED}"
        return tag("caption", inner, style) if inner else ""

    # -- one line ----------------------------------------------------------------------------------

    def _line(self, slots: list[int | str]) -> str:
        width = 44 if len(slots) <= 12 else 36
        aside = max([len(self.tail), *(len(lane.fact) for lane in self.lanes)])
        tail = min(max(END, 7 * aside + 16), ROOM - LABEL - width * len(slots))
        longest = max([len(cell.text) for cell in self.cells], default=0)
        marks = max([len(mark) for lane in self.lanes for mark in lane.marks if mark], default=0)
        narrow = min(width, max(NARROWEST, 8 * longest + 3, 7 * marks + 1))
        # Where the marks leave little room, labels have less of it, and the words beside the cells are broken.
        crowded = NARROW_LABEL + tail + len(slots) * narrow > NARROW
        label, tail = (NARROW_LABEL + 8, min(tail, END + 16)) if crowded else (LABEL, tail)
        least = NARROW_LABEL + (END + 8 if crowded else tail) + len(slots) * narrow
        rows = []
        if self.hops is not None and self.hops.height and self.whole:
            arches = td(self.hops.html(self.total), span=self.total) + td()
            rows.append(row(td() + arches, f"height:{self.hops.height}px"))
        small = f"font-size:11px;color:{MUTED}"
        html = self._name(self.counts, small="font-weight:400;")
        for k in slots:
            html += td() if isinstance(k, str) else th(self._ruler(k, 1), "col")
        rows.append(row(html + td(), f"height:16px;{small}"))

        html = self._name(markup(self.name), small="font-weight:700;")
        for n, k in enumerate(slots):
            cell = Cell(k, kind="gap") if isinstance(k, str) else self.cells[k]
            html += cell_html(cell, n == 0 or isinstance(slots[n - 1], str))
        look = f"text-align:left;padding:0 0 0 12px;overflow-wrap:break-word;{small}"
        size = type_for(width, (cell.text for cell in self.cells))
        rows.append(row(html + td(breaking(self.tail), look), f"height:36px{size}"))

        tick = f"text-align:left;padding:0 0 0 4px;border-left:1px solid {EDGE}"
        html = self._name("byte", small="font-weight:400;")
        for k in slots:
            html += td() if isinstance(k, str) else td(self._ruler(k, self.unit), tick)
        end = td(str(self.total * self.unit), tick) if not isinstance(slots[-1], str) else td()
        rows.append(row(html + end, f"height:14px;{small}"))
        if self.lanes:
            rows.append(row(td("", "line-height:10px", span=len(slots) + 2), "height:10px"))
        for lane in self.lanes:
            rows.append(row(self._lane(lane, slots), f"height:20px;{small}"))
        widths = [label] + [width] * len(slots) + [tail]
        return framed(table(rows, widths, cls="tw-storage", caption=self._caption(), least=least))

    def _name(self, html: str, small: str = "") -> str:
        return th(
            html,
            "row",
            f"text-align:left;font-size:12px;{f'color:{INK};' if '700' in small else ''}{small}",
        )

    def _ruler(self, k: int, times: int) -> str:
        text = str(self.units[k] * times)
        begins = k == 0 or self.units[k - 1] + 1 != self.units[k]
        return text if len(text) <= 5 or begins else ""

    def _lane(self, lane: Lane, slots: list[int | str]) -> str:
        html = th(breaking(lane.name), "row", f"text-align:left;font-size:12px;color:{INK};overflow-wrap:break-word")
        under = f"border-bottom:1px solid {RULE}"
        tight = max([len(mark) for mark in lane.marks if mark], default=0) > 4  # 0,0,1 and 0,1,0 side by side
        between = f"{under};border-left:1px solid {RULE}" if tight else under
        n = 0
        while n < len(slots):
            k = slots[n]
            if isinstance(k, str):
                html += td()
                n += 1
                continue
            run, mark = 1, lane.marks[k]
            if mark is None:
                while n + run < len(slots) and isinstance(slots[n + run], int) and lane.marks[k + run] is None:
                    run += 1
                last = f"..{self.letter}[{self.units[k + run - 1]}]" if run > 1 else ""
                title = f"{lane.name} | never reads {self.letter}[{self.units[k]}]{last}"
                html += td("", f"{under};{hatch()}", title=title, span=run)
            else:
                many = mark.startswith("×")
                html += td(markup(pill(mark)) if many else escape(mark), between)
            n += run
        return html + td(escape(lane.fact), "text-align:left;padding:0 0 0 8px;overflow-wrap:break-word")

    # -- many lines --------------------------------------------------------------------------------

    def _lines(self) -> list[list[int | str]]:
        """The slots in lines of a dump: a long run begins one, short runs share one."""
        lines: list[list[int | str]] = [[]]
        for (first, stop), gap in zip([(0, 0), *self.runs], self.missing(), strict=True):
            if stop - first > SHORT or len(lines[-1]) + stop - first > ONE_LINE:
                lines.append([])
            for k in range(first, stop):
                if len(lines[-1]) == ONE_LINE:
                    lines.append([])
                lines[-1].append(k)
            if gap:
                lines[-1].append(f"…{gap:,}")
        return [line for line in lines if line]

    def _dump(self) -> str:
        width = 38
        size = type_for(width, (cell.text for cell in self.cells), 11)
        small = f"font-size:11px;color:{MUTED}"
        html = self._name(markup(self.name), small="font-weight:700;")
        if self.whole:
            html += "".join(th(f"+{k}", "col") for k in range(ONE_LINE))
        rows = [row(html + td(), f"height:18px;{small}")]
        for n, line in enumerate(self._lines()):
            html = self._place(line, f"text-align:left;line-height:13px;{small}")
            for at, k in enumerate(line):
                if isinstance(k, str):
                    html += td(k, f"white-space:nowrap;{small}" + (";text-align:left" if len(k) > 5 else ""))
                else:
                    html += cell_html(self.cells[k], at == 0 or isinstance(line[at - 1], str), n == 0 or not self.whole)
            html += td(span=ONE_LINE - len(line) + 1)
            rows.append(row(html, f"height:28px{size};color:{INK}"))
            rows += self._counts(line)
        tail = ROOM - LABEL - width * ONE_LINE
        widths = [LABEL] + [width] * ONE_LINE + [tail]
        return framed(table(rows, widths, cls="tw-storage", caption=self._caption()))

    def _place(self, line: list[int | str], style: str) -> str:
        """Where a line of a dump begins."""
        first = next((self.units[k] for k in line if isinstance(k, int)), None)
        return td() if first is None else th(f"{self.letter}[{first}], byte {first * self.unit}", "row", style)

    def _counts(self, line: list[int | str]) -> list[str]:
        """Below a line of a dump: how often a cell is read, where a view reads one twice."""
        marks = [
            next((lane.marks[k] for lane in self.lanes if isinstance(k, int) and _many(lane.marks[k])), "")
            for k in line
        ]
        if not any(marks):
            return []
        html = self._name("read", small="font-weight:400;")
        html += "".join(td(markup(pill(m)) if m else "") for m in marks)
        return [row(html + td(span=ONE_LINE - len(line) + 1), f"height:18px;font-size:11px;color:{MUTED}")]

    # -- text --------------------------------------------------------------------------------------------------

    def text(self) -> str:
        if not self.total:
            return f"{words(self.name)}: no bytes"
        head = "\n".join(words(line) for line in self.caption)
        blocks = [head] if head else []
        slots = self.slots
        parts = [slots] if len(slots) <= ONE_LINE else self._lines()
        for n, part in enumerate(parts):
            value = [k if isinstance(k, str) else cell_text(self.cells[k]) for k in part]
            element = ["" if isinstance(k, str) else str(self.units[k]) for k in part]
            byte = ["" if isinstance(k, str) else str(self.units[k] * self.unit) for k in part]
            lines = [[self.counts, *element], [words(self.name), *value], ["byte", *byte]]
            lines += [
                [lane.name, *("" if isinstance(k, str) else lane.marks[k] or "-" for k in part)]
                + ([lane.fact] if n == len(parts) - 1 else [])
                for lane in self.lanes
            ]
            blocks.append(columns(lines))
        return "\n".join(blocks)


def _many(mark: str | None) -> bool:
    return mark is not None and mark.startswith("×")
