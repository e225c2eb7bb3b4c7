"""The segments of an allocator as rows to scale: blocks, what rounding costs, holes, the driver's rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..arrays.values import count
from ..drawing.html import div, escape, row, table, tag, td, th
from ..drawing.scene import columns, note
from ..drawing.tokens import CLASH, EDGE, HOT, INK, LINE, MONO, MUTED, PAPER, SANS, TINT, WASH, hatch
from .allocator_states import Segment, Span, State, States

LABEL, WIDE, LAST = 112, 400, 24
"""Pixels of the names of the rows, of the largest segment, and of the last tick: together a narrow notebook."""
MOST_ROWS, NARROW = 12, 5
"""How many segments are drawn, and how many pixels a block needs to be drawn by itself."""
LETTER = 7.8
HUES = ("blue", "sky", "green", "purple", "vermillion", "orange")
"""Blocks take these in the order of their allocation."""
MIB = 1 << 20


class Unit(NamedTuple):
    """The unit of all sizes in a picture."""

    name: str
    size: int

    def number(self, nbytes: int) -> str:
        """A number of bytes without its unit, in at most two decimals.

        >>> [Unit("MiB", 1 << 20).number(n) for n in (6 << 20, 13893632, 734003, 512)]
        ['6', '13.25', '0.70', '512 B']
        """
        value = nbytes / self.size
        if nbytes and value < 0.01:
            return f"{nbytes} B" if nbytes < 1024 else f"{nbytes / 1024:.0f} K"
        return f"{value:g}" if value == round(value, 2) and len(f"{value:g}") < 6 else f"{value:.2f}"

    def words(self, nbytes: int) -> str:
        """A number of bytes with its unit."""
        text = self.number(nbytes)
        return text if text[-1].isalpha() else f"{text} {self.name}"


def unit_of(states: States) -> Unit:
    """GiB where segments are that large, else MiB."""
    return Unit("GiB", 1 << 30) if states.largest >= 4 << 30 else Unit("MiB", MIB)


class Part(NamedTuple):
    """What is drawn of a row: from one pixel to another."""

    left: int
    right: int
    kind: str
    """block, lost (to rounding), hole, several, rest (of the driver), wanted."""
    text: str = ""
    key: str = ""
    words: str = ""
    hue: str = ""
    strong: bool = False


@dataclass(frozen=True)
class Rows:
    """One row for each segment, one for what the driver has left, one for what was refused."""

    states: States
    k: int
    unit: Unit

    @cached_property
    def state(self) -> State:
        return self.states.at(self.k)

    @cached_property
    def spans(self) -> list[tuple[Segment, list[Span]]]:
        return self.states.rows(self.state)

    @cached_property
    def refused(self) -> int:
        """The size of a request that is refused at this step; else 0."""
        return refused_size(self.states, self.k)

    @cached_property
    def touched(self) -> int:
        """The address of the block that this step is about; -1 if there is none."""
        if not self.k:
            return -1
        step = self.states.steps[self.k - 1]
        event = self.states.recording.events[step.last - 1]
        return event.address if step.kind in ("alloc", "free", "late") else -1

    @cached_property
    def largest(self) -> int:
        """The largest free block, if a request is refused at this step; else 0."""
        holes = [span.size for _, spans in self.spans for span in spans if span.held is None]
        return max(holes, default=0) if self.refused else 0

    @cached_property
    def scale(self) -> float:
        """Pixels for a byte."""
        sizes = [segment.size for segment in self.state.segments.values()]
        return WIDE / max([*sizes, self.refused, 2 * MIB])

    @cached_property
    def shown(self) -> list[tuple[Segment, list[Span]]]:
        """The segments that are drawn, the oldest first: the one of this step, and the largest."""
        if len(self.spans) <= MOST_ROWS:
            return self.spans
        here = [r for r in self.spans if r[0].address <= self.touched < r[0].address + r[0].size]
        by_size = sorted(self.spans, key=lambda r: -r[0].size)
        kept = {r[0].address for r in [*here, *by_size][:MOST_ROWS]}
        return [r for r in self.spans if r[0].address in kept]

    def parts(self, segment: Segment, spans: list[Span]) -> Iterator[Part]:
        """What is drawn of a segment; blocks too narrow to be seen are drawn as one."""
        narrow: list[Span] = []
        for span in spans:
            if span.size * self.scale < NARROW:
                narrow.append(span)
                continue
            yield from self._several(segment, narrow)
            narrow = []
            yield from self._span(segment, span, span.size == self.largest)
        yield from self._several(segment, narrow)

    def _edge(self, segment: Segment, address: int) -> int:
        return round((address - segment.address) * self.scale)

    def _span(self, segment: Segment, span: Span, strong: bool) -> Iterator[Part]:
        left, right = self._edge(segment, span.address), self._edge(segment, span.address + span.size)
        at = f"from {self.unit.words(span.address - segment.address)} of its segment"
        if span.held is None:
            said = note("a hole", f"{self.unit.words(span.size)} free, {at}")
            yield Part(left, right, "hole", self.unit.number(span.size), "", said, strong=strong)
            return
        held = span.held
        name, key, hue = self.states.name(held.number), f"i-b{held.number}", HUES[held.number % len(HUES)]
        lost = span.size - held.requested
        words = f"{held.requested:,} bytes requested, {span.size:,} taken, {at}"
        if held.waiting:
            words += "; freed, and it waits for another stream"
        middle = max(left + NARROW, right - round(lost * self.scale))
        text = f"{name} {self.unit.number(held.requested)}"
        hot = span.address == self.touched and self.states.steps[self.k - 1].kind == "alloc"
        yield Part(left, middle if right - middle > 2 else right, "waiting" if held.waiting else "block", text, key,
                   note(name, words), hue, hot)  # fmt: skip
        if right - middle > 2:
            yield Part(middle, right, "lost", "", key, note(f"rounding of {name}", f"{lost:,} bytes lost"), hue)

    def _several(self, segment: Segment, spans: list[Span]) -> Iterator[Part]:
        if not spans:
            return
        first, last = spans[0], spans[-1]
        left, right = self._edge(segment, first.address), self._edge(segment, last.address + last.size)
        used = [span for span in spans if span.held]
        size = sum(span.size for span in used)
        whole = self.unit.words(last.address + last.size - first.address)
        words = f"{count(len(used), 'block')} in use, {self.unit.words(size)} of {whole}"
        text = str(len(used)) if right - left > 20 else ""
        if right > left:
            yield Part(left, right, "several", text, "", note("small blocks", words))

    def lines(self) -> list[tuple[str, str, list[Part]]]:
        """The rows: two words that name one, and what is drawn of it."""
        found = []
        for segment, spans in self.shown:
            kind = "small" if segment.small else "large"
            stream = f", s{segment.stream}" if segment.stream else ""
            found.append((kind, f"{self.unit.words(segment.size)}{stream}", list(self.parts(segment, spans))))
        rest = unreserved(self.states, self.k)
        if rest is not None:
            right = round(rest * self.scale)
            text = f"{self.unit.number(rest)} not reserved"
            text = text if len(text) * LETTER + 6 <= right else self.unit.number(rest)
            drawn = [Part(0, right, "rest", text)] if 2 < right <= WIDE else []
            found.append(("driver", self.unit.words(rest), drawn))
        if self.refused:
            text = f"{self.unit.words(self.refused)} in one run"
            found.append(("requested", "", [Part(0, max(round(self.refused * self.scale), 8), "wanted", text)]))
        return found

    def html(self) -> str:
        lines = self.lines()
        edges = sorted({0, WIDE, *(edge for _, _, parts in lines for part in parts for edge in part[:2])})
        column = {edge: k for k, edge in enumerate(edges)}
        rows = []
        for kind, size, parts in lines:
            head = tag("b", escape(kind)) + (f" {escape(size)}" if size else "")
            letters = 11 if len(kind) + len(size) > 14 else 12
            html = th(head, "row", f"text-align:left;font:400 {letters}px/34px {MONO};white-space:nowrap;height:34px")
            at = 0
            for part in parts:
                if column[part.left] > at:
                    html += td(span=column[part.left] - at)
                html += _cell(part, column[part.right] - column[part.left])
                at = column[part.right]
            if not parts and kind == "driver":
                words = "more than this picture is wide" if size[0] != "0" else "nothing left"
                look = f"text-align:left;padding-left:8px;font:400 12px/34px {SANS};color:{MUTED}"
                html += td(escape(words), look, span=len(edges) - 1)
            elif at < len(edges) - 1:
                html += td(span=len(edges) - 1 - at)
            rows += [row(html), row(td("", "height:8px;line-height:8px;font-size:1px", span=len(edges)))]
        widths = [LABEL, *(b - a for a, b in zip(edges, edges[1:], strict=False))]
        html = self._ruler() + table(rows, widths, cls="tw-allocator")
        return html + div(escape(self.more()), f"font:400 12px/18px {SANS};color:{MUTED}")

    def _ruler(self) -> str:
        """Ticks in the unit, at most ten of them."""
        whole = WIDE / self.scale / self.unit.size
        steps = [first * 10.0**power for power in range(-3, 12) for first in (1, 2, 5)]
        step = next(step for step in steps if whole / step <= 10)
        ticks = [k * step for k in range(int(whole / step + 1e-9) + 1)]
        places = [round(tick * self.unit.size * self.scale) for tick in ticks]
        look = f"text-align:left;padding-left:4px;border-left:1px solid {EDGE};color:{MUTED};font:400 11px/14px {MONO}"
        cells = "".join(td(f"{tick:g}", look) for tick in ticks)
        name = td(escape(self.unit.name), f"text-align:left;font:400 12px/14px {MONO};color:{MUTED}")
        widths = [b - a for a, b in zip(places, [*places[1:], places[-1] + LAST], strict=True)]
        return div(table([row(name + cells)], [LABEL, *widths]), "margin:0 0 6px")

    def more(self) -> str:
        """The segments that are not drawn, in words."""
        shown = {segment.address for segment, _ in self.shown}
        hidden = [row for row in self.spans if row[0].address not in shown]
        if not hidden:
            return ""
        size = sum(segment.size for segment, _ in hidden)
        used = sum(span.size for _, spans in hidden for span in spans if span.held)
        return (
            f"and {count(len(hidden), 'segment')} more: {self.unit.words(size)}, {self.unit.words(used)} of them in use"
        )

    def text(self) -> str:
        lines = []
        for kind, size, parts in self.lines():
            drawn = " ".join(_mark(part) for part in parts if part.kind != "lost")
            lines.append([kind, size, drawn])
        more = self.more()
        return columns(lines, left=True) + (f"\n{more}" if more else "")


def _mark(part: Part) -> str:
    """A part in the text twin: a block in brackets, a hole between dots."""
    return {"block": f"[{part.text}]", "waiting": f"[{part.text} …]", "several": f"[{part.text or '·'} small]"}.get(
        part.kind, f"·{part.text}·" if part.kind in ("hole", "rest") else f"!{part.text}!"
    )


def _cell(part: Part, span: int) -> str:
    """One part as a cell of the table."""
    width = part.right - part.left
    base = f"height:34px;overflow:hidden;white-space:nowrap;font:400 12px/32px {MONO};"
    text, key = part.text, part.key
    if part.kind in ("block", "waiting"):
        colour = LINE[part.hue]
        line = "dashed" if part.kind == "waiting" else "solid"
        look = f"background:{TINT[part.hue]};border:1px {line} {colour};color:{INK}"
        name, _, size = text.partition(" ")
        fits = len(text) * LETTER + 6 <= width
        inner = tag("b", escape(name)) + (escape(f" {size}") if fits else "") if len(name) * LETTER + 2 <= width else ""
        mark = f";box-shadow:inset 0 0 0 2px {HOT}" if part.strong else ""
        return td(inner, base + look + mark, f"{key} tw-eg" if part.strong else key, part.words, span)
    if part.kind == "lost":
        return td("", f"{base}{hatch()};border:1px solid {LINE[part.hue]};border-left:0", key, part.words, span)
    fits = len(text) * LETTER + 2 <= width
    inner = escape(text) if fits else ""
    if part.kind == "several":
        look = f"{base}background:{WASH};border:1px solid {EDGE};color:{MUTED};font-size:11px"
        return td(inner, look, "", part.words, span)
    if part.kind == "wanted":
        return td(inner, f"{base}border:2px dashed {CLASH};color:{CLASH};font-weight:700", "", "", span)
    look = f"background:{PAPER};border:1px dotted {EDGE};color:{INK if part.strong else MUTED}"
    return td(inner, f"{base}{look}{';font-weight:700' if part.strong else ''}", "", part.words, span)


def refused_size(states: States, k: int) -> int:
    """The size of the request that the k-th step refused; 0 if it did not."""
    if not k or states.steps[k - 1].kind != "oom":
        return 0
    return states.recording.events[states.steps[k - 1].last - 1].size


def unreserved(states: States, k: int) -> int | None:
    """What the driver has left after the k-th step; None if it is not known."""
    if states.recording.total is not None:
        return max(states.recording.total - states.reserved[k], 0)
    if refused_size(states, k):
        return states.recording.events[states.steps[k - 1].last - 1].address
    return None


class Legend:
    """What the fills mean."""

    KINDS = (
        (f"background:{TINT['blue']};border:1px solid {LINE['blue']}", "in use"),
        (f"{hatch()};border:1px solid {EDGE}", "lost to rounding"),
        (f"border:1px dotted {EDGE}", "free"),
    )

    def html(self) -> str:
        boxes = ""
        for look, words in self.KINDS:
            box = f"display:inline-block;width:14px;height:10px;vertical-align:-1px;margin:0 6px 0 0;{look}"
            boxes += tag("span", "", box) + tag("span", escape(words), "margin:0 18px 0 0")
        return div(boxes, f"font:400 12px/18px {SANS};color:{MUTED};margin:4px 0 0")

    def text(self) -> str:
        return ""
