"""The map of memory: a line for each name with what it reads of its storage, boxes for storages and devices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ..arrays.coverage import Coverage, coverage, reach_of
from ..arrays.storages import Storage
from ..arrays.values import bytes_text, count, shape_text
from ..drawing.html import breaking, div, escape, row, table, tag, td, th
from ..drawing.scene import Cell, columns, note
from ..drawing.tokens import EDGE, LINE, MID, MONO, MUTED, PAPER, SANS, TINT, hue, line
from ..parts.grid import cell_html
from ..parts.to_scale import number as number_text
from .census import Alive, Census, Change, size_text

BINS = 24
"""How many parts the strip has at most that says what a name reads."""
SOURCE = 24
"""How many letters of the code that a name was set to are shown."""
COLUMNS = (0, 0, 172, 84)
"""Pixels of the columns: name and view, what it reads, storage, and device if there is another than the CPU."""
ALIGNMENT, LARGE = 64, 1 << 20
"""Storages of this many bytes begin at a cache line, if the library cares for that, as PyTorch does and we do."""
SHORTLY = f"aligned to {ALIGNMENT}"
NAMES = 6
"""How many names of one storage are drawn."""


@dataclass(frozen=True)
class Parts:
    """A storage cut into the cells of its band: units where they are few, else equal parts."""

    storage: Storage

    @property
    def bins(self) -> bool:
        return self.storage.units > BINS

    @property
    def edges(self) -> list[int]:
        """Bytes where the parts begin, and where the last ends: no unit is cut."""
        s = self.storage
        if not self.bins:
            return [k * s.unit for k in range(s.units + 1)]
        return [s.units * k // BINS * s.unit for k in range(BINS)] + [s.nbytes]

    def key(self, k: int) -> str:
        return f"i-{self.storage.letter}{k}" if self.bins else f"k-{self.storage.letter}{k}"


@dataclass(frozen=True)
class Map:
    """The table."""

    census: Census
    storages: tuple[Storage, ...]
    change: Change
    sources: Mapping[str, str]
    hue_of: Mapping[str, int] = field(default_factory=dict)
    """The hue of each storage's letter, where storages have roles in a training."""

    @cached_property
    def read(self) -> dict[str, Coverage | None]:
        """What each name reads of its storage, counted once."""
        return {one.name: coverage(s, [one.layout]) for s in self.storages for one in self.census.of(s)}

    def reads(self, one: Alive, s: Storage) -> str:
        """How much of its storage a name reads: `272 of 800 bytes`."""
        read = self.read[one.name]
        needs = reach_of(s, one.layout)
        if needs > s.nbytes:
            return f"needs {needs:,} of {count(s.nbytes, 'byte')}: the storage was cut"
        if s.planned:
            return f"{bytes_text(read.nbytes)} planned, none there" if read is not None else "none there"
        if read is None:
            return f"not counted, of {count(s.nbytes, 'byte')}"
        if read.nbytes == s.nbytes:
            return f"all {count(s.nbytes, 'byte')}" if s.nbytes else ""
        return f"{read.nbytes:,} of {count(s.nbytes, 'byte')}"

    def html(self) -> str:
        small = f"font:400 11px/16px {SANS};color:{MUTED};text-align:left;padding:0 12px 6px 0"
        heads = "".join(th(text, "col", small) for text in ("name, view", "what it reads"))
        scale = "storage, bar to scale" if len(self.census.storages) > 1 else "storage"
        heads += th(scale, "col", f"{small};padding:0 0 6px 12px")
        if self._elsewhere:
            heads += th("device", "col", f"{small};padding:0 0 6px 12px")
        rows = [row(heads)]
        left = self._device_rows()
        for number, s in enumerate(self.storages):
            alive = self.census.of(s)
            lines = [self._name(one, s, number) for one in alive[:NAMES]]
            more = alive[NAMES:]
            if more:
                words = f"and {count(len(more), 'more name', 'more names')}: {', '.join(one.name for one in more)}"
                words = words if len(words) < 70 else words[:69] + "…"
                lines.append(td(escape(words), f"text-align:left;padding:2px 0;color:{MUTED};font-size:11px", span=2))
            for k, html in enumerate(lines):
                if k == 0:
                    html += self._storage(s, number, len(lines), len(alive))
                    device = s.layouts[0].device
                    if self._elsewhere and left.get(device):
                        html += self._device(device, left.pop(device))
                rows.append(row(html))
            if number + 1 < len(self.storages):
                same = self.storages[number + 1].layouts[0].device == s.layouts[0].device
                rows.append(row(td("", "height:12px;line-height:12px", span=3 if same or not self._elsewhere else 4)))
        return table(rows, list(COLUMNS if self._elsewhere else COLUMNS[:3]), cls="tw-memory")

    @property
    def _elsewhere(self) -> bool:
        """Whether anything is on another device than the CPU."""
        return any(s.layouts[0].device != "cpu" for s in self.census.storages)

    def _device_rows(self) -> dict[str, int]:
        """How many table rows each device's box spans."""
        spans: dict[str, int] = {}
        for s in self.storages:
            device = s.layouts[0].device
            n = len(self.census.of(s))
            spans[device] = spans.get(device, -1) + 1 + min(n, NAMES) + (n > NAMES)
        return spans

    def _name(self, one: Alive, s: Storage, number: int) -> str:
        pad = "text-align:left;padding:4px 8px 4px 0;overflow-wrap:break-word"
        source = self.sources.get(one.name, "")
        source = source if len(source) <= SOURCE else source[: SOURCE - 1] + "…"
        name = tag("b", breaking(one.name))
        if source:
            name += tag("span", escape(f" = {source}"), f"color:{MUTED};font-size:12px")
        sharing = [other.name for other in self.census.of(s) if other is not one]
        who = f"shares storage {s.letter} with {', '.join(sharing[:6])}" if sharing else f"alone in storage {s.letter}"
        said = f"reads {self.reads(one, s) or 'no bytes'}, {who}"
        name += div(escape(view_text(one)), f"font-size:11px;color:{MUTED}")
        html = tag("th", name, f"font-weight:400;{pad}", f"i-storage{number}", note(one.name, said), scope="row")
        below = div(escape(self.reads(one, s)), f"font:400 11px/14px {SANS};color:{MUTED};text-align:left")
        return html + td(self._band(one, s) + below, "padding:4px 0 2px;vertical-align:top")

    def cells(self, one: Alive, s: Storage) -> list[Cell]:
        """What a name reads of its storage, part by part."""
        parts = Parts(s)
        edges = parts.edges
        read = self.read[one.name]
        written = self.change.written.get(s.letter)
        out = []
        wide = len(edges) <= 13  # an outline would fill a narrow cell
        for k, (start, stop) in enumerate(zip(edges, edges[1:], strict=False)):
            share = 1.0 if read is None else read.inside(start, stop) / (stop - start)
            changed = written is not None and written.among(start, stop)
            run = f"bytes {start}..{stop - 1}" if stop - start > 1 else f"byte {start}"
            where = f"part {k} of {s.letter}" if parts.bins else f"{s.letter}[{k}]"
            if read is None:
                said = f"may read {where}, {run}"
            elif share < 1 and share:
                said = f"reads {round(share * (stop - start)):,} of the {stop - start:,} bytes of {where}, {run}"
            else:
                said = f"{'reads' if share else 'never reads'} {where}, {run}"
            said += ", which this cell changed" if changed else ""
            mark = "Δ" if changed and share else ""
            fill = _level(MID[hue(self._letter(s))], share) if share else ""
            kind = "hatch" if not share else "ghost" if s.planned else "solid"
            fill = "" if s.planned else fill
            out.append(Cell(mark, parts.key(k), note(one.name, said), fill, kind, "linked" if mark and wide else ""))
        return out

    def _letter(self, s: Storage) -> int:
        """Which hue and line it has: that of its role in a training, else that of its place."""
        return self.hue_of.get(s.letter, self.census.storages.index(s))

    def _band(self, one: Alive, s: Storage) -> str:
        cells = self.cells(one, s)
        if not cells:
            return div("no bytes", f"color:{MUTED};font-size:11px;text-align:left")
        html = "".join(cell_html(cell, k == 0) for k, cell in enumerate(cells))
        return table([row(html, "height:18px;font-size:11px")], [0] * len(cells))

    def _storage(self, s: Storage, number: int, rows: int, names: int) -> str:
        k = self._letter(s)
        layout = s.layouts[0]
        types = list(dict.fromkeys(one.dtype for one in s.layouts))
        libraries = list(dict.fromkeys(one.library for one in s.layouts))
        size = f" × {s.nbytes // max(1, layout.itemsize):,}" if len(types) == 1 else ""
        new = ("new, " if s in self.change.new else "") + ("planned, " if s.planned else "")
        head = tag("b", s.letter) + escape(f" {bytes_text(s.nbytes)}")
        facts = [f"{' and '.join(types)}{size}", f"{new}{' and '.join(libraries)}, {count(names, 'name')}"]
        if rows == 1:
            facts = [f"{new}{types[0]}{size}, {libraries[0]}"]
        said = f"{size_text(s)}, {'; '.join(facts)}{aligned(s)}"
        if aligned(s):
            facts[-1] += f", {SHORTLY}"
        inner = div(head, f"font:400 13px/18px {MONO};white-space:nowrap")
        largest = max((one.nbytes for one in self.census.storages if not one.planned), default=0)
        if len(self.census.storages) > 1 and s.nbytes and not s.planned:
            # To scale: next to four megabytes, twelve bytes are a hairline.
            wide = number_text(max(0.8, 100 * s.nbytes / largest))
            inner += div("", f"width:{wide}%;height:3px;background:{LINE[hue(k)]};margin:1px 0 2px")
        inner += "".join(div(escape(f), f"font:400 11px/15px {SANS};color:{MUTED}") for f in facts)
        # The box fills its cell by its own height: a percentage would need the cell's, which hosts change.
        height = 42 * rows - 4
        pad = max(0, (height - 24 - 15 * len(facts)) // 2)
        edge = 5 if line(k) == "double" else 4
        box = div(
            inner,
            f"border-left:{edge}px {line(k)} {LINE[hue(k)]};background:{TINT[hue(k)]};padding:{pad}px 8px 0;"
            f"margin:0 0 0 12px;min-height:{height - pad}px;overflow-wrap:break-word",
        )
        style = "padding:0;text-align:left;vertical-align:middle"
        return tag(
            "td", box, style, f"i-storage{number}", note(f"storage {s.letter}", said), rowspan=rows if rows > 1 else ""
        )

    def _device(self, device: str, rows: int) -> str:
        here = [s for s in self.census.storages if s.layouts[0].device == device]
        inner = div(tag("b", escape(device)), f"font:400 13px/18px {MONO}")
        size = "planned" if device == "meta" else bytes_text(sum(s.nbytes for s in here))
        facts = (size, count(len(here), "storage"))
        inner += "".join(div(f, f"font:400 11px/15px {SANS};color:{MUTED}") for f in facts)
        return td(
            inner,
            f"text-align:left;padding:0 0 0 8px;border-left:12px solid {PAPER};box-shadow:inset 0 0 0 1px {EDGE};"
            "vertical-align:middle",
            rows=rows,
        )

    def text(self) -> str:
        lines = [["name", "view", "what it reads", "", "storage", "device"]]
        for s in self.storages:
            for one in self.census.of(s):
                band = "".join(_mark(cell) for cell in self.cells(one, s))
                new = ", new" if s in self.change.new else ""
                where = f"{s.letter} {size_text(s)}{new}{f', {SHORTLY}' if aligned(s) else ''}"
                lines.append([one.name, view_text(one), band, self.reads(one, s), where, one.layout.device])
        return columns(lines, left=True)


def aligned(s: Storage) -> str:
    """That a storage begins at a cache line. Of small ones, which begin where there is room, nothing is said."""
    if s.nbytes < LARGE or s.start % ALIGNMENT or s.layouts[0].device != "cpu":
        return ""
    return f"; it begins at a multiple of {ALIGNMENT} bytes, as posix_memalign gives it to PyTorch"


def view_text(one: Alive) -> str:
    """Size, strides and offset of a view: `(4,) by (1,) from 4`."""
    layout = one.layout
    shape = f"{shape_text(layout.size)} by {shape_text(layout.stride)}"
    return shape + (f" from {layout.offset}" if layout.offset else "")


def _level(colour: str, share: float) -> str:
    """A part that is filled as far as it is read."""
    if share >= 1:
        return colour
    high = min(max(round(100 * share), 10), 90)
    return f"linear-gradient(0deg,{colour} 0 {high}%,{PAPER} {high}% 100%)"


def _mark(cell: Cell) -> str:
    """A part in the text twin: all of it is read, some, or nothing."""
    return cell.text or ("." if cell.kind == "hatch" else "+" if "gradient" in cell.fill else "#")
