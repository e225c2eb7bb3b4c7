"""The lines of a cell, one below the other: what each did, and the bytes alive after it, to scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...arrays.tracing.log import Spent
from ...arrays.values import bytes_text, count
from ...drawing.html import div, escape, framed, row, table, tag, td, th
from ...drawing.scene import Block, Gap, broken, columns
from ...drawing.tokens import LINE, MID, MONO, MUTED, RULE, SANS, TINT
from ...parts.to_scale import number
from ..census import Census, place
from ..memory_words import cut
from .line_words import did_words
from .timeline import Timeline
from .trace import Did, Trace

LINES = 12
"""How many lines of a cell are listed."""


@dataclass(frozen=True)
class LineRow:
    """A line of the cell."""

    number: int
    source: str
    did: str
    spent: Spent

    def sums(self) -> tuple[str, str, str, str]:
        """Allocated, freed, peak, alive after it; an empty text for nothing."""
        s = self.spent
        return _some(s.allocated), _some(s.freed), bytes_text(s.peak), bytes_text(s.end)


@dataclass(frozen=True)
class LineRows:
    """The lines that did anything."""

    rows: tuple[LineRow, ...]
    most: int
    """The peak of the cell, which is the whole width of a bar."""
    floor: int = 0
    """What bars begin with: that of the timeline."""
    more: int = 0
    """How many lines are left out."""

    def html(self) -> str:
        rule = f"border-bottom:1px solid {RULE}"
        head = f"font:400 11px/16px {SANS};color:{MUTED};text-align:left;padding:0 8px 4px 0;{rule}"
        names = ("line", "code, and what it did to memory", "alive after it, and the peak")
        if self.floor:
            names = (*names[:2], f"alive after it, bars from {bytes_text(self.floor)}")
        rows = [row("".join(th(name, "col", head) for name in names))]
        top = "vertical-align:top;text-align:left;padding:6px 8px 5px 0"
        for one in self.rows:
            code = div(tag("b", escape(one.source)), f"font:400 12px/18px {MONO}{broken(one.source)}")
            did = div(escape(one.did), f"font:400 12px/16px {SANS};color:{MUTED}{broken(one.did)}")
            first = th(str(one.number) if one.number else "", "row", f"{top};font:400 12px/18px {MONO}")
            rows.append(row(first + td(code + did, top) + td(self._bar(one), f"{top};padding-right:0")))
        if self.more:
            words = f"and {count(self.more, 'more line')}"
            rows.append(row(td("") + td(words, f"{top};font:400 12px/18px {SANS};color:{MUTED}", span=2)))
        return framed(table(rows, [34, 0, 160], cls="tw-lines", whole_words=True))

    def _bar(self, one: LineRow) -> str:
        allocated, freed, peak, end = one.sums()
        whole = max(self.most - self.floor, 1)
        wide = [100 * min((nbytes - self.floor) / whole, 1) for nbytes in (one.spent.end, one.spent.peak)]
        bar = ""
        if one.spent.end > self.floor:
            bar += _part(max(wide[0], 0.6), f"background:{MID['blue']}")
        if one.spent.peak > one.spent.end:
            look = f"background:{TINT['blue']};border-right:2px dashed {LINE['blue']};box-sizing:border-box"
            bar += _part(max(wide[1] - wide[0], 1.5), look)
        changes = [f"+{allocated}" if allocated else "", f"−{freed}" if freed else ""]
        words = ", ".join(filter(None, changes)) or "±0"
        words += f"; {end} after it" + (f", peak {peak}" if one.spent.peak > one.spent.end else "")
        small = f"font:400 11px/15px {SANS};color:{MUTED};margin:3px 0 0"
        return div(bar, "height:12px;line-height:12px;font-size:0;white-space:nowrap") + div(escape(words), small)

    def text(self) -> str:
        heads = ["line", "code", "allocated", "freed", "peak", "after it", "what it did to memory"]
        lines = [heads] + [[str(one.number or ""), one.source, *one.sums(), one.did] for one in self.rows]
        if self.more:
            lines.append(["", f"and {count(self.more, 'more line')}"])
        return "\n" + columns(lines, left=True)


def _part(wide: float, look: str) -> str:
    return tag("span", "", f"display:inline-block;height:12px;width:{number(wide)}%;{look}")


def _some(nbytes: int) -> str:
    return bytes_text(nbytes) if nbytes else ""


def cell_blocks(trace: Trace, now: Census) -> list[Block]:
    """The timeline of the cell and its lines, where more than one did anything, or what was alive rose and fell."""
    log = trace.log
    rows = line_rows(trace, now)
    if log is None or (len(rows) < 2 and log.peak == max(log.start, log.alive)):
        return []
    numbers = {k: line.number for k, line in enumerate(trace.lines)}
    time = Timeline(log, numbers)
    return [time, Gap(16), LineRows(tuple(rows[:LINES]), log.peak, time.floor, max(len(rows) - LINES, 0))]


def line_rows(trace: Trace, now: Census) -> Sequence[LineRow]:
    """A row for each line that did anything, in the order of the source."""
    if trace.log is None:
        return ()
    letters = {place(s): s for s in now.storages}
    did: dict[int, Did] = {one.number: one for one in trace.did}
    rows = []
    for k in range(len(trace.lines) + 1):
        spent = trace.log.by_line.get(k, Spent())
        one = did.get(k)
        if one is None and not spent.allocated and not spent.freed:
            continue
        line = one.line if one is not None else trace.lines[k]
        words = did_words(one, letters, now) if one is not None else _on_the_way(spent)
        rows.append(LineRow(line.number, cut(line.source, 90), words, spent))
    return rows


def _on_the_way(spent: Spent) -> str:
    if spent.allocated == spent.freed:
        return "freed all that it allocated"
    return (
        "allocated memory that no name leads to"
        if spent.allocated > spent.freed
        else "freed memory that no name led to"
    )
