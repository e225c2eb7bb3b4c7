"""The timeline of a cell: how many bytes are alive after each line, and the peak while it ran."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...arrays.tracing.log import BEFORE, Log, Run
from ...arrays.values import bytes_text, count
from ...drawing.html import div, escape, row, table, tag, td
from ...drawing.scene import note
from ...drawing.tokens import LINE, MID, MUTED, RULE, SANS, TINT

HIGH = 72
"""Pixels of the peak."""
NUMBERED = 24
"""How many columns at most have the number of their line below them."""
SPARKS = " ▁▂▃▄▅▆▇█"
SOLID = f"background:{MID['blue']}"
PASSING = f"background:{TINT['blue']};border-top:2px dashed {LINE['blue']};box-sizing:border-box"


@dataclass(frozen=True)
class Timeline:
    """A column for each run of a line: what is alive after it, and above, dashed, the peak while it ran."""

    log: Log
    numbers: Mapping[int, int]
    """The numbers of the cell's lines, by the statement's."""

    @property
    def floor(self) -> int:
        """Bytes that the columns begin with: nothing, or what is alive all the time where little comes and goes."""
        least = min([self.log.start, self.log.alive, *(run.end for run in self.log.runs)])
        return least if least > 0.8 * self.log.peak else 0

    @property
    def runs(self) -> Sequence[Run]:
        """Those that are drawn."""
        return self.log.runs

    def said(self) -> str:
        """`800 bytes before the cell, peak 2,400 bytes in line 3, 1,600 bytes after it`."""
        log = self.log
        where = f" in line {self.numbers[log.peak_line]}" if log.peak_line in self.numbers else ""
        most = f"peak {bytes_text(log.peak)}{where}" if log.peak_line != BEFORE else "never more"
        from_ = f"; columns start at {bytes_text(self.floor)}" if self.floor else ""
        return f"{bytes_text(log.start)} before the cell, {most}, {bytes_text(log.alive)} after it{from_}"

    def _name(self, run: Run) -> str:
        first, last = self.numbers.get(run.line, 0), self.numbers.get(run.last, 0)
        return f"line {first}" if first == last else f"lines {min(first, last)} to {max(first, last)}"

    def _part(self, nbytes: int, whole: int) -> int:
        """How high a column is, of a whole."""
        rise = self.log.peak - self.floor
        return round(whole * (nbytes - self.floor) / rise) if rise else whole

    def _spark(self, nbytes: int) -> str:
        return SPARKS[max(self._part(nbytes, 8), 1)] if nbytes > 0 else SPARKS[0]

    def html(self) -> str:
        cells, below = "", ""
        runs = self.runs
        for run in runs:
            solid = max(self._part(run.end, HIGH), 1 if run.end else 0)
            more = max(self._part(run.peak, HIGH) - solid, 3 if run.peak > run.end else 0)
            passing = div("", f"height:{more}px;{PASSING}") if more else ""
            said = f"allocated {bytes_text(run.allocated)}, freed {bytes_text(run.freed)}; "
            said += f"peak {bytes_text(run.peak)}, {bytes_text(run.end)} alive after it"
            bar = passing + div("", f"height:{solid}px;{SOLID}")
            look = f"vertical-align:bottom;height:{HIGH + 4}px;padding:0 {1 if len(runs) <= 40 else 0}px"
            cells += td(bar, look, title=note(self._name(run), said))
            below += td(str(self.numbers.get(run.line, "")), f"font:400 11px/16px {SANS};color:{MUTED}")
        rows = [row(cells), *([row(below)] if len(runs) <= NUMBERED else [])]
        chart = table(rows, [0] * len(runs), cls="tw-time", style=f"border-bottom:1px solid {RULE}")
        return self._head() + chart

    def _head(self) -> str:
        small = f"font:400 12px/18px {SANS}"
        box = "display:inline-block;width:12px;height:10px;margin:0 6px 0 0"
        legend = tag("span", "", f"{box};{SOLID}") + "alive after the line&#8195;"
        legend += tag("span", "", f"{box};{PASSING}") + "peak while it ran"
        title = tag("b", "Timeline") + escape(f": {self.said()}")
        return div(title, f"{small};margin:0 0 2px") + div(legend, f"{small};color:{MUTED};margin:0 0 8px")

    def text(self) -> str:
        peaks = "".join(self._spark(run.peak) for run in self.runs)
        ends = "".join(self._spark(run.end) for run in self.runs)
        joined = sum(spent.runs for spent in self.log.by_line.values()) - len(self.runs)
        more = f" ({count(joined, 'run')} of lines joined to the one before)" if joined else ""
        return f"\nTimeline: {self.said()}{more}\npeak   {peaks}\nafter  {ends}"
