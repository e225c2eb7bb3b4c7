"""What is alive, and who shares: names, views, storages, devices. `show.memory()`, and `%%memory` after each cell."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .census import Alive, Census, Change, census
from .grid import cell_html
from .html import div, escape, row, table, tag, td, th
from .picture import Picture
from .scene import Block, Cell, Gap, Note, Sentence, Sheet, Title, columns, note
from .storages import Storage
from .tokens import EDGE, LINE, MID, MONO, MUTED, SANS, TINT, hue, line
from .values import bytes_text, count, index_text, shape_text

BAND, BINS = 192, 24
"""Pixels of the strip that says what a name reads, and how many parts it has at most."""
ROWS, NAMES, LISTED = 16, 6, 20
"""How many names are drawn, how many of one storage, and how many more storages are listed in words."""


@dataclass(frozen=True)
class Parts:
    """A storage cut into the cells of its band: units where they are few, else equal parts."""

    storage: Storage

    @property
    def bins(self) -> bool:
        return self.storage.units > BINS

    @property
    def edges(self) -> list[int]:
        """Bytes where the parts begin, and where the last ends."""
        s = self.storage
        if not self.bins:
            return [k * s.unit for k in range(s.units + 1)]
        return [s.nbytes * k // BINS for k in range(BINS + 1)]

    def key(self, k: int) -> str:
        return f"i-{self.storage.letter}{k}" if self.bins else f"k-{self.storage.letter}{k}"

    def reads(self, one: Alive) -> list[bool]:
        """Which parts a name reads."""
        s, layout = self.storage, one.layout
        if not self.bins:
            return [s.reads(layout, k)[0] > 0 for k in range(s.units)]
        if layout.numel <= 4096:
            hit = [False] * BINS
            first = layout.owner.start - s.start + layout.byte_offset
            places = [first]
            for n, step in zip(layout.size, layout.byte_stride, strict=True):
                places = [p + i * step for p in places for i in range(n)]
            for p in places:
                for byte in (p, p + layout.itemsize - 1):
                    hit[min(BINS - 1, ((byte + 1) * BINS - 1) // s.nbytes)] = True
            return hit
        edges = self.edges
        return [_touches(layout, s, edges[k], edges[k + 1]) for k in range(BINS)]


def _touches(layout: Any, s: Storage, start: int, stop: int) -> bool:
    """Whether a large view reads any of some bytes: asked at a few places, for its steps are short beside a part."""
    tries = range(start // s.unit, max(start // s.unit + 1, -(-stop // s.unit)))
    step = max(1, len(tries) // 64)
    return any(s.reads(layout, unit)[0] for unit in tries[::step])


def memory(
    names: Mapping[str, Any] | Census, changed: Change | None = None, sources: Mapping[str, str] | None = None,
    cell: str = "",
) -> Picture:  # fmt: skip
    """The map of a namespace, or of a census with what a cell changed in it."""
    now = names if isinstance(names, Census) else census(names, contents=False)
    total = sum(s.nbytes for s in now.storages)
    aside = f"{count(len(now.names), 'name')}, {count(len(now.storages), 'storage')}, {bytes_text(total)}"
    blocks: list[Block] = [Title("What is alive, and who shares", aside)]
    if not now.names:
        blocks.append(Sentence("nothing", "no name leads to an array here"))
        return Picture(blocks)
    happened = changed or Change()
    order = sorted(now.storages, key=lambda s: s.layouts[0].device != "cpu")
    drawn: list[Storage] = []
    rows = 0
    for s in sorted(order, key=lambda s: _weight(s, happened)):
        rows += min(len(now.of(s)), NAMES)
        if rows <= ROWS or not drawn:
            drawn.append(s)
    rest = [s for s in order if s not in drawn]
    drawn = [s for s in order if s in drawn]
    blocks.append(Map(now, tuple(drawn), happened, sources or {}))
    if rest:
        blocks += [Gap(12), _listed(now, rest)]
    blocks.append(_told(now, changed, cell))
    if changed is not None:
        blocks.append(Note(_remarks(now, changed)))
    return Picture(blocks)


def _weight(s: Storage, changed: Change) -> int:
    """Which storages are drawn first where there are too many: what the cell touched, then what is shared."""
    return 0 if s.letter in changed.written else 1 if s in changed.new else 2 if len(s.layouts) > 1 else 3


@dataclass(frozen=True)
class Map:
    """The table: a line for each name, boxes for storages and devices."""

    census: Census
    storages: tuple[Storage, ...]
    change: Change
    sources: Mapping[str, str]

    def html(self) -> str:
        small = f"font:400 11px/16px {SANS};color:{MUTED};text-align:left;padding:0 12px 6px 0"
        heads = "".join(th(text, "col", small) for text in ("name", "view", "what it reads"))
        heads += th("storage", "col", f"{small};padding:0 12px 6px") + th("device", "col", small)
        rows = [row(heads)]
        left = self._device_rows()
        for number, s in enumerate(self.storages):
            alive = self.census.of(s)
            shown = alive[:NAMES]
            lines = [self._name(one, s, number) for one in shown]
            more = alive[NAMES:]
            if more:
                words = f"and {count(len(more), 'more name', 'more names')}: {', '.join(one.name for one in more)}"
                words = words if len(words) < 70 else words[:69] + "…"
                lines.append(td(escape(words), f"text-align:left;padding:2px 0;color:{MUTED};font-size:11px", span=3))
            for k, html in enumerate(lines):
                if k == 0:
                    html += self._storage(s, number, len(lines), len(alive))
                    device = s.layouts[0].device
                    if left.get(device):
                        html += self._device(device, left.pop(device))
                rows.append(row(html))
            if number + 1 < len(self.storages):
                same = self.storages[number + 1].layouts[0].device == s.layouts[0].device
                rows.append(row(td("", "height:12px;line-height:12px", span=4 if same else 5)))
        return table(rows, [156, 162, BAND, 190, 128], cls="tw-memory")

    def _device_rows(self) -> dict[str, int]:
        """How many table rows each device's box spans."""
        spans: dict[str, int] = {}
        for s in self.storages:
            device = s.layouts[0].device
            n = len(self.census.of(s))
            spans[device] = spans.get(device, -1) + 1 + min(n, NAMES) + (n > NAMES)
        return spans

    def _name(self, one: Alive, s: Storage, number: int) -> str:
        layout = one.layout
        pad = "text-align:left;padding:4px 8px 4px 0;white-space:nowrap;overflow:hidden"
        source = self.sources.get(one.name, "")
        # 156 pixels: 7.8 for a letter of the name, 7.2 for one of the source, and room for the sign between them.
        room = int((140 - 7.8 * len(one.name)) / 7.2) - 3
        source = source if len(source) <= room else source[: room - 1] + "…" if room > 3 else ""
        name = tag("b", escape(one.name))
        if source:
            name += tag("span", escape(f" = {source}"), f"color:{MUTED};font-size:12px")
        shape = f"{shape_text(layout.size)} by {shape_text(layout.stride)}"
        shape += f" from {layout.offset}" if layout.offset else ""
        sharing = [other.name for other in self.census.of(s) if other is not one]
        said = f"shares storage {s.letter} with {', '.join(sharing[:6])}" if sharing else f"alone in storage {s.letter}"
        html = tag("th", name, f"font-weight:400;{pad}", f"i-storage{number}", note(one.name, said), scope="row")
        return html + td(escape(shape), f"{pad};font-size:11px;color:{MUTED}") + td(self._band(one, s), "padding:4px 0")

    def cells(self, one: Alive, s: Storage) -> list[Cell]:
        """What a name reads of its storage, part by part."""
        parts = Parts(s)
        edges = parts.edges
        out = []
        for k, hit in enumerate(parts.reads(one)):
            changed = any(
                run.start < edges[k + 1] and edges[k] < run.stop for run in self.change.written.get(s.letter, ())
            )
            last = edges[k + 1] - 1
            run = f"bytes {edges[k]}..{last}" if last > edges[k] else f"byte {last}"
            where = f"part {k} of {s.letter}" if parts.bins else f"{s.letter}[{k}]"
            said = f"{'reads' if hit else 'never reads'} {where}, {run}" + (
                ", which this cell changed" if changed else ""
            )
            out.append(
                Cell(
                    "Δ" if changed and hit else "",
                    parts.key(k),
                    note(one.name, said),
                    MID[hue(self._letter(s))] if hit else "",
                    "solid" if hit else "hatch",
                    "linked" if changed and hit else "",
                )  # fmt: skip
            )
        return out

    def _letter(self, s: Storage) -> int:
        return self.census.storages.index(s)

    def _band(self, one: Alive, s: Storage) -> str:
        cells = self.cells(one, s)
        if not cells:
            return div("no bytes", f"color:{MUTED};font-size:11px")
        html = "".join(cell_html(cell, k == 0) for k, cell in enumerate(cells))
        widths = [BAND * (k + 1) // len(cells) - BAND * k // len(cells) for k in range(len(cells))]
        return table([row(html, "height:18px;font-size:11px")], widths)

    def _storage(self, s: Storage, number: int, rows: int, names: int) -> str:
        k = self._letter(s)
        layout = s.layouts[0]
        types = list(dict.fromkeys(one.dtype for one in s.layouts))
        libraries = list(dict.fromkeys(one.library for one in s.layouts))
        size = f" × {s.nbytes // max(1, layout.itemsize):,}" if len(types) == 1 else ""
        new = "new, " if s in self.change.new else ""
        head = tag("b", s.letter) + escape(f" {bytes_text(s.nbytes)}")
        facts = [f"{' and '.join(types)}{size}", f"{new}{' and '.join(libraries)}, {count(names, 'name')}"]
        if rows == 1:
            facts = [f"{new}{types[0]}{size}, {libraries[0]}"]
        said = f"{bytes_text(s.nbytes)}, {'; '.join(facts)}"
        inner = div(head, f"font:400 13px/18px {MONO};white-space:nowrap")
        inner += "".join(div(escape(f), f"font:400 11px/15px {SANS};color:{MUTED};white-space:nowrap") for f in facts)
        # The box fills its cell by its own height: a percentage would need the cell's, which hosts change.
        height = 34 * rows - 4 if rows > 1 else 36
        pad = max(0, (height - 18 - 15 * len(facts)) // 2)
        wide = 5 if line(k) == "double" else 4
        box = div(
            inner,
            f"border-left:{wide}px {line(k)} {LINE[hue(k)]};background:{TINT[hue(k)]};padding:{pad}px 10px 0;"
            f"margin:0 12px;height:{height - pad}px;overflow:hidden",
        )
        style = "padding:0;text-align:left;vertical-align:middle"
        return tag(
            "td", box, style, f"i-storage{number}", note(f"storage {s.letter}", said), rowspan=rows if rows > 1 else ""
        )

    def _device(self, device: str, rows: int) -> str:
        here = [s for s in self.census.storages if s.layouts[0].device == device]
        inner = div(tag("b", escape(device)), f"font:400 13px/18px {MONO}")
        facts = (bytes_text(sum(s.nbytes for s in here)), count(len(here), "storage"))
        inner += "".join(div(f, f"font:400 11px/15px {SANS};color:{MUTED}") for f in facts)
        return td(inner, f"text-align:left;padding:0 10px;border:1px solid {EDGE};vertical-align:middle", rows=rows)

    def text(self) -> str:
        lines = [["name", "view", "what it reads", "storage", "device"]]
        for s in self.storages:
            for one in self.census.of(s):
                layout = one.layout
                shape = f"{shape_text(layout.size)} by {shape_text(layout.stride)}"
                shape += f" from {layout.offset}" if layout.offset else ""
                band = "".join("Δ" if c.text else "#" if c.kind == "solid" else "." for c in self.cells(one, s))
                new = ", new" if s in self.change.new else ""
                lines.append([one.name, shape, band, f"{s.letter} {bytes_text(s.nbytes)}{new}", layout.device])
        return columns(lines, left=True)


def _listed(now: Census, rest: Sequence[Storage]) -> Block:
    rows = []
    for s in rest[:LISTED]:
        names = ", ".join(one.name for one in now.of(s))
        layout = s.layouts[0]
        rows.append(
            (
                names if len(names) <= 44 else names[:43] + "…",
                f"{shape_text(layout.size)} {layout.dtype}",
                f"{s.letter} {bytes_text(s.nbytes)}",
                layout.device,
            )  # fmt: skip
        )
    if len(rest) > LISTED:
        others = rest[LISTED:]
        nbytes = bytes_text(sum(s.nbytes for s in others))
        rows.append((f"and {count(len(others), 'more storage')}", "", nbytes, ""))
    return Sheet(("also alive", "view", "storage", "device"), tuple(rows), (330, 190, 180, 128))


def _told(now: Census, changed: Change | None, cell: str) -> Block:
    """What the cell did, or else who shares."""
    if changed is not None and changed.written:
        letter, runs = next(iter(changed.written.items()))
        storage = next(s for s in now.storages if s.letter == letter)
        unit = runs[0].start // storage.unit
        seen = []
        for one in now.of(storage):
            n, index = storage.reads(one.layout, unit) if storage.nbytes <= 1 << 20 else (0, None)
            if index is not None:
                seen.append(one.name + index_text(index))
        places = sum(-(-run.stop // storage.unit) - run.start // storage.unit for run in runs)
        last = min(runs[0].stop, -(-runs[0].stop // storage.unit) * storage.unit)
        first = unit * storage.unit
        until = max(last, first + storage.unit) - 1
        reason = f"wrote {letter}[{unit}] -> bytes {first}..{until}"
        if places > 1:
            reason = f"wrote {count(places, 'place')} of {letter}, the first {letter}[{unit}]"
        reason += f", seen by {', '.join(seen)}" if seen else ""
        return Sentence(_subject(cell), reason, _aftermath(now, changed))
    if changed is not None:
        if changed.new:
            made = ", ".join(
                f"{s.letter} ({bytes_text(s.nbytes)}) for {', '.join(one.name for one in now.of(s))}"
                for s in changed.new[:4]
            )
            return Sentence(_subject(cell), f"allocated {made}", _aftermath(now, changed))
        return Sentence(
            _subject(cell), "allocated nothing and wrote to nothing that is alive", _aftermath(now, changed)
        )
    shared = max(now.storages, key=lambda s: len(now.of(s)))
    names = [one.name for one in now.of(shared)]
    if len(names) > 1:
        others = f"{', '.join(names[1:8])} {'reads' if len(names) == 2 else 'read'} the same storage {shared.letter}"
        return Sentence(names[0], others, "Writing through one of them changes what the others read there.")
    return Sentence(names[0], f"alone in storage {shared.letter}", "No two names share a byte.")


def _subject(cell: str) -> str:
    lines = [text for text in cell.strip().splitlines() if text.strip() and not text.strip().startswith(("#", "%"))]
    return lines[-1].strip()[:40] if lines else "this cell"


def _aftermath(now: Census, changed: Change) -> str:
    parts = []
    if changed.written and changed.new:
        made = ", ".join(f"{s.letter} ({bytes_text(s.nbytes)})" for s in changed.new[:4])
        parts.append(f"It also allocated {made}.")
    others = list(changed.written)[1:]
    if others:
        parts.append(f"It also wrote to {', '.join(others)}.")
    for names, nbytes in changed.freed[:3]:
        parts.append(f"{bytes_text(nbytes)} that were {names} are free again.")
    untouched = [s for s in now.storages if s.letter not in changed.written and s not in changed.new]
    if changed.written and untouched:
        kept = ", ".join(one.name for s in untouched for one in now.of(s)[:3])
        parts.append(f"{kept} lie elsewhere and keep their values.")
    return " ".join(parts)


def _remarks(now: Census, changed: Change) -> str:
    parts = []
    if changed.written:
        parts.append("Δ marks what the cell changed.")
    if changed.unseen:
        letters = ", ".join(s.letter for s in changed.unseen)
        parts.append(f"Whether {letters} was written to is not known: too large, or not in this machine's memory.")
    return " ".join(parts)


def assignments(cells: Sequence[str]) -> dict[str, str]:
    """What each name was last set to, as it stands in the source of the cells.

    >>> assignments(["x = 1", "y = x + 1; x = f(y)"])
    {'x': 'f(y)', 'y': 'x + 1'}
    """
    found: dict[str, str] = {}
    for source in cells:
        try:
            tree = ast.parse(source)
        except SyntaxError:
            continue
        for node in tree.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id] = ast.unparse(node.value)
    return found
