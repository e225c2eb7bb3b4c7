"""Storage and views: the strip of memory, who reads what of it, and each view. `show(x, x.t())`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..arrays.labels import atom
from ..arrays.layout import WHOLE, Layout
from ..arrays.sources import names_of
from ..arrays.storages import Storage, storage_of, storages_of
from ..arrays.values import count, few_letters, full, in_cell, index_text, is_cut, shape_text, spell
from ..drawing.inline import Line, axis, bold, muted
from ..drawing.offset_jumps import Path, path
from ..drawing.picture import Picture
from ..drawing.scene import Beside, Block, Cell, Gap, Note, Sentence, Title, note
from ..drawing.tokens import place
from ..parts.lens import WHOLE as WHOLE_LENS
from ..parts.strip import ONE_LINE, Lane, Strip
from ..parts.view_grid import ViewGrid
from .bars import Ladder, bars, ladder, lens_window
from .image import Image, ImageView, image_of

BYTES = {f"{kind}{bits}" for kind in ("int", "uint", "float", "complex") for bits in (16, 32, 64, 128)}
"""Types whose values can be taken apart into bytes: where elements of several sizes meet, a strip shows these."""
PROMISES = {
    " read conjugated": "its imaginary parts have the other sign",
    " read negated": "its numbers have the other sign",
}
"""What a reader of a view sees that is not what lies in its storage."""
NEAR = 4
STRIPS = 520
"""The largest total size of storages, in units, that is drawn whole, read or not."""
SMALL = 48
"""The cells of a view in a small picture."""


@dataclass(frozen=True)
class Named:
    """A layout under its label, with the storage that it lies in."""

    label: str
    layout: Layout
    storage: Storage
    image: Image | None = None

    def subject(self, index: tuple[int, ...]) -> str:
        return atom(self.label) + index_text(index) if index else self.label


def named_views(
    arrays: Sequence[Any], labels: Sequence[str], image: bool = False, most: int = WHOLE
) -> tuple[list[Named], list[Storage]]:
    """The arrays as layouts, small enough together to be drawn, and their storages. `image` looks for images."""
    room = max(most // max(len(arrays), 1), 48)
    images = [image_of(a) if image else None for a in arrays]
    layouts = [
        Layout.of(a) if result is None else Layout.of(a, window=result.window)
        for a, result in zip(arrays, images, strict=True)
    ]
    if sum(layout.window.count for layout in layouts) > most:
        layouts = [
            layout if layout.window.count <= room or result is not None else Layout.of(a, room)
            for a, layout, result in zip(arrays, layouts, images, strict=True)
        ]
    storages = storages_of(layouts, labels)
    views = [
        Named(label, layout, storage_of(layout, storages), result)
        for label, layout, result in zip(labels, layouts, images, strict=True)
    ]
    return views, storages


def storage_and_views(arrays: Sequence[Any], labels: Sequence[str], image: bool = True, small: bool = False) -> Picture:
    """The picture of `show`; with `image` what is an image is shown as one. A `small` one has fewer cells and words."""
    if not arrays:
        raise TypeError("show() takes at least one array: show(x), show(x, x.t())")
    views, storages = named_views(arrays, labels, image, SMALL if small else WHOLE)
    drawn = {s.letter: _drawn(s, [v for v in views if v.storage is s], storages, arrays, views) for s in storages}
    hand = example(views)
    several = len(storages) > 1
    blocks: list[Block] = [Title(*_title(views, storages))]
    for k, storage in enumerate(storages):
        if k:
            blocks.append(Gap(16))
        blocks.append(drawn[storage.letter].memory(hand, several))
    shown = [drawn[v.storage.letter].shown(v, hand, several) for v in views]
    if small:
        shown = [replace(grid, raster=None) if isinstance(grid, ViewGrid) else grid for grid in shown]
    blocks.append(Gap(12 if small else 24))
    blocks.append(Beside(shown, gap=28, below=12))
    if small:
        return Picture(blocks)
    blocks.append(_sentence(hand, views))
    blocks.append(Note(f"{_remarks(views, drawn)}{_mark(hand, drawn)}{_fetched(views, drawn)}"))
    return Picture(blocks)


def _mark(hand: Hand | None, drawn: dict[str, Drawn]) -> str:
    """What the mark on a bar is."""
    if hand is None or not drawn[hand.view.storage.letter].ladders or hand.view.storage.units <= WHOLE_LENS:
        return ""
    return f" The mark on the bars is {hand.view.subject(hand.index)}."


def _fetched(views: Sequence[Named], drawn: dict[str, Drawn]) -> str:
    """How much of arrays on a GPU was copied to main memory for the picture: what is drawn, and nothing else."""
    said = ""
    for device in sorted({v.layout.device for v in views} - {"cpu", "meta"}):
        there = [v.layout for v in views if v.layout.device == device]
        cells = sum(d.fetched for d in drawn.values() if d.storage.layouts[0].device == device)
        said += f" Fetched from {device}: {count(cells + sum(x.window.count * x.itemsize for x in there), 'byte')}."
    return said


def _drawn(
    storage: Storage, mine: list[Named], storages: Sequence[Storage], arrays: Sequence[Any], views: Sequence[Named]
) -> Drawn:
    """A storage as a strip, or, if it has more units than fit in a line, as bars with the first cells of each view."""
    if storage.units <= ONE_LINE:
        return Drawn(storage, mine, storages)
    of = [next(a for a, v in zip(arrays, views, strict=True) if v is view) for view in mine]
    made = Drawn(
        storage, mine, storages,
        ladders=tuple(
            ladder(storage, v.label, v.layout, names_of(a), None if v.image is None else v.image.axes.channel)
            for v, a in zip(mine, of, strict=True)
        ),
    )  # fmt: skip
    for view, one, array in zip(mine, made.ladders, of, strict=True):
        window = lens_window(storage, view.layout, one.lens)
        if window is None or view.layout.values is None or all(unit in made.values for unit in one.lens):
            continue
        near = Layout.of(array, window=window)
        made.fetched += window.count * near.itemsize
        for index, value in zip(window.indices(), near.values or (), strict=True):
            span = storage.span(near, index)
            made.values.update(made.read(near, span, value))
    return made


@dataclass(frozen=True)
class Hand:
    """The cell that the static picture shows as an example."""

    view: Named
    index: tuple[int, ...]

    @property
    def units(self) -> range:
        return self.view.storage.span(self.view.layout, self.index)


def example(views: Sequence[Named]) -> Hand | None:
    """An index that steps along every dimension, in the first view that is not a plain run of memory."""
    full = [v for v in views if v.layout.window.count]
    if not full:
        return None
    best = next((v for v in full if not _plain(v.layout)), full[0])
    kept = [k[:4] for k in best.layout.window.kept]
    return Hand(best, tuple(k[-1] if d == len(kept) - 1 else k[min(1, len(k) - 1)] for d, k in enumerate(kept)))


def _counts_from_start(view: Named) -> bool:
    """Whether the offsets of a view are places in its strip, so that a way can be drawn over it."""
    return view.layout.in_elements and view.layout.owner.start == view.storage.start


def _plain(layout: Layout) -> bool:
    run = 1
    for n, s in zip(reversed(layout.size), reversed(layout.stride), strict=True):
        if n > 1 and s != run:
            return False
        run *= n
    return layout.offset == 0


class Drawn:
    """One storage of the picture: which units are drawn, their values, their colours."""

    def __init__(
        self,
        storage: Storage,
        views: list[Named],
        storages: Sequence[Storage],
        origin: tuple[Drawn, dict[int, int]] | None = None,
        ladders: tuple[Ladder, ...] = (),
    ):
        self.storage, self.views, self.origin, self.ladders = storage, views, origin, ladders
        self.values: dict[int, Any] = {}
        self.fetched = 0  # bytes that were read for the cells of lenses alone
        covered: set[int] = set()
        for view in reversed(views):
            values = view.layout.values
            for k, index in enumerate(view.layout.window.indices()):
                span = storage.span(view.layout, index)
                covered.update(span)
                if values is not None and span:
                    self.values.update(self.read(view.layout, span, values[k]))
        if ladders:
            self.units = tuple(sorted({unit for one in ladders for unit in one.lens}))
        elif sum(s.units for s in storages) <= STRIPS:
            self.units = tuple(range(storage.units))
        else:
            self.units = _with_near(sorted(covered))
        self.rank = {unit: k for k, unit in enumerate(self.units)}
        self.reads = {unit: [view.storage.reads(view.layout, unit) for view in views] for unit in self.units}

    def read(self, layout: Layout, span: range, value: Any) -> dict[int, Any]:
        """What each unit holds: the value where a unit is an element, the byte where it is a byte."""
        if len(span) == 1:
            return {span[0]: value}
        if self.storage.unit == 1 and layout.dtype in BYTES:
            return dict(zip(span, np.array(value, layout.dtype).tobytes(), strict=True))
        return {} if span[0] in self.values else {span[0]: value}

    def fill(self, unit: int) -> str:
        """The colour of a unit: its place in the strip, for a copy the place that it was copied from."""
        if self.origin is not None and unit in self.origin[1]:
            return self.origin[0].fill(self.origin[1][unit])
        if self.ladders:
            return place(unit, self.storage.units)
        return place(self.rank[unit], len(self.units))

    def memory(self, hand: Hand | None, several: bool) -> Block:
        """The storage: a strip of cells, or bars to scale."""
        if not self.ladders:
            return self.strip(hand, several)
        return bars(self, self.ladders, hand, storage_facts(self.storage) if several else "")

    def strip(self, hand: Hand | None, several: bool) -> Strip:
        s = self.storage
        mine = hand is not None and hand.view.storage is s
        lit = set(hand.units) if hand is not None and mine else set()
        cells = tuple(self.cell(unit, unit in lit) for unit in self.units)
        steps = [x for v in self.views for n, x in zip(v.layout.size, v.layout.stride, strict=True) if n > 1]
        hops = None
        if s.units <= ONE_LINE and all(_counts_from_start(v) for v in self.views):
            hops = Path((), 1, any(x > 0 for x in steps), any(x < 0 for x in steps))
            if hand is not None and mine:
                layout = hand.view.layout
                arches = path(layout.offset, hand.index, layout.stride)
                hops = hops._replace(arches=arches, wide=layout.itemsize // s.unit)
        caption: tuple[Line, ...] = (muted(storage_facts(s)),) if several else ()
        return Strip(
            s.letter, bold(f"storage {s.letter}"), cells, self.units, s.units, s.unit,
            tuple(self.lane(k, v) for k, v in enumerate(self.views)), caption=caption,
            hops=hops,
            counts="element" if all(layout.itemsize == s.unit for layout in s.layouts) else "unit",
        )  # fmt: skip

    def cell(self, unit: int, lit: bool) -> Cell:
        """One unit of the strip."""
        s = self.storage
        key = f"k-{s.letter}{unit}"
        first, last = unit * s.unit, (unit + 1) * s.unit - 1
        run = f"bytes {first}..{last}" if last > first else f"byte {first}"
        total = sum(n for n, _ in self.reads[unit])
        subject = f"{s.letter}[{unit}]"
        if not total:
            return Cell("", f"{key} tw-unread", note(subject, f"{run}, read by no view"), kind="hatch")
        names = [v.subject(i) for v, (_, i) in zip(self.views, self.reads[unit], strict=True) if i is not None]
        more = f" and {total - len(names[:3])} more" if total > len(names[:3]) else ""
        known = in_cell(self.values[unit]) if unit in self.values else ""
        whole = full(self.values[unit]) if unit in self.values else ""
        reason = f"{known and f'{whole or known} at '}{run}, read by {', '.join(names[:3])}{more}"
        kind = "ghost" if s.planned else "solid"
        if self.origin is not None and unit in self.origin[1]:
            source = f"{self.origin[0].storage.letter}{self.origin[1][unit]}"
            key, kind, reason = f"{key} k-{source}", "copied", f"{reason}, copied from {source}"
        return Cell(
            known or "·",
            f"{key} tw-many" if total > len(names) else key,
            note(subject, reason),
            "" if s.planned else self.fill(unit),
            kind,
            mark="linked" if lit else "",
            full=whole if is_cut(known) else "",
        )

    def lane(self, k: int, view: Named, units: Sequence[int] = (), most: int = 5) -> Lane:
        marks: list[str | None] = []
        for unit in units or self.units:
            n, index = self.reads[unit][k]
            if index is None:
                marks.append(None)
            else:
                text = ",".join(map(str, index))
                marks.append(f"×{few_letters(n)}" if n > 1 else text if 0 < len(text) <= most else "•")
        return Lane(view.label, tuple(marks), self.fact(k, view), self.letters(k, view.image, units))

    def letters(self, k: int, image: Image | None, units: Sequence[int]) -> tuple[str, ...]:
        """Which colour each unit is of an image; none where several elements share a unit, as in a grey one."""
        found = [self.reads[unit][k] for unit in units] if image is not None else []
        letters = tuple(image.letter(index) if image and index and n == 1 else "" for n, index in found)
        return letters if any(letters) else ()

    def fact(self, k: int, view: Named) -> str:
        """How much of the storage a view reads: `4 of 12, each ×3`."""
        if len(self.units) < self.storage.units:
            return f"{view.layout.numel:,} cells"
        hits = [n for n in (self.reads[unit][k][0] for unit in self.units) if n]
        each = f", each ×{hits[0]:,}" if hits and hits[0] > 1 and len(set(hits)) == 1 else ""
        if hits and not each and max(hits) > 1:
            each = f", up to ×{max(hits):,}"
        return f"{len(hits)} of {self.storage.units}{each}"

    def keys(self, layout: Layout, index: tuple[int, ...]) -> str:
        """The classes of a view's cell; in a copy also those of what it was copied from."""
        keys = self.storage.keys(layout, index)
        if self.origin is not None:
            source, units = self.origin
            results = [units[k] for k in self.storage.span(layout, index) if k in units]
            keys = " ".join([keys, *(f"k-{source.storage.letter}{k}" for k in results)])
        return keys

    def shown(self, view: Named, hand: Hand | None, several: bool) -> ViewGrid | ImageView:
        """A view as an image, if it is one, else as a grid."""
        grid = self.view(view, hand, several)
        if view.image is None:
            return grid
        return ImageView(grid.caption, view.image, grid.stride, grid.cells)

    def view(self, view: Named, hand: Hand | None, several: bool) -> ViewGrid:
        layout, s = view.layout, self.storage
        cells: dict[tuple[int, ...], Cell] = {}
        values = layout.values
        for k, index in enumerate(layout.window.indices()):
            span = s.span(layout, index)
            text = in_cell(values[k]) if values is not None else "·"
            said, whole = layout.sum_of(index), full(values[k]) if values is not None else ""
            if whole:
                said += f", holds {whole}"
            hidden = layout.masked is not None and layout.masked[k]
            if hidden:
                said, text, whole = f"{said}, masked: the {whole or text} there does not count", "·", ""
            ghost = any(i and not step for i, step in zip(index, layout.byte_stride, strict=True))
            dotted = ghost or hidden or s.planned
            mark = ""
            if hand is not None and hand.view.storage is s:
                if hand.view is view and hand.index == index:
                    mark = "hand"
                elif set(span) & set(hand.units):
                    mark = "linked"
            cells[index] = Cell(
                text, self.keys(layout, index), note(view.subject(index), said),
                "" if dotted or not span else self.fill(span[0]), "ghost" if dotted else "solid", mark,
                whole if is_cut(text) else "",
            )  # fmt: skip
        return ViewGrid(facts(view, several), layout.window, layout.stride, cells, layout.raster)


def _with_near(units: list[int]) -> tuple[int, ...]:
    """Units with what lies in small gaps between them: a few hatched cells say more than a number."""
    near = [u for a, b in zip(units, units[1:], strict=False) if b - a <= NEAR for u in range(a + 1, b)]
    return tuple(sorted({*units, *near[:STRIPS]}))


def facts(view: Named, several: bool) -> tuple[Line, ...]:
    """The name of a view and its steps, one line for each dimension."""
    layout = view.layout
    dims = len(layout.size)
    arrows = {dims - 1: "→", dims - 2: "↓"} if dims > 1 else {0: "→"}
    if view.image is not None:
        arrows = {view.image.axes.wide: "→", view.image.axes.high: "↓"}
    lines: list[Line] = [bold(view.label)]
    unit = "" if layout.in_elements else " bytes"
    for d, (n, s) in enumerate(zip(layout.size, layout.stride, strict=True)):
        arrow = arrows.get(d, "·")
        lines.append(axis(f"{arrow} dim {d}: {n} in steps of {s}{unit}", d, under=False))
    where = f" of {view.storage.letter}" if several else ""
    lines.append(f"from {'offset' if layout.in_elements else 'byte'} {layout.offset}{where}")
    if layout.window.left_out:
        lines.append(f"{layout.window.left_out:,} of {layout.numel:,} cells are not drawn")
    return tuple(lines)


def storage_facts(s: Storage) -> str:
    """`float32, 12 elements, 48 bytes, NumPy`, with all the types and libraries that meet in it."""
    types = list(dict.fromkeys(layout.dtype for layout in s.layouts))
    libraries = list(dict.fromkeys(layout.library for layout in s.layouts))
    sizes = {layout.itemsize for layout in s.layouts}
    size = f"{count(s.nbytes // max(*sizes, 1), 'element')}, " if len(sizes) == 1 else ""
    device = s.layouts[0].device
    parts = f"{' and '.join(types)}, {size}{count(s.nbytes, 'byte')}{' planned' if s.planned else ''}"
    parts += f", {' and '.join(libraries)}"
    return parts + (f", {device}" if device != "cpu" else "")


def _title(views: Sequence[Named], storages: Sequence[Storage]) -> tuple[str, str]:
    head = f"{spell(len(storages)).capitalize()} {'storage' if len(storages) == 1 else 'storages'}"
    head += f", {spell(len(views))} {'view' if len(views) == 1 else 'views'}"
    return head, storage_facts(storages[0]) if len(storages) == 1 else ""


def _sentence(hand: Hand | None, views: Sequence[Named]) -> Block:
    if hand is None:
        return Sentence(views[0].label, f"size {shape_text(views[0].layout.size)}: no element, nothing to read")
    linked, never = [], []
    wanted = set(hand.units)
    for view in views:
        if view.storage is not hand.view.storage:
            continue
        results = [view.storage.reads(view.layout, unit) for unit in hand.units]
        hits = [index for _, index in results if index is not None]
        if not hits:
            never.append(view.label)
        elif view is not hand.view:
            linked.append(view.subject(hits[0]))
    linked += [f"{hand.view.storage.letter}[{unit}]" for unit in sorted(wanted)[:4]]
    after = f"Linked: {', '.join(linked)}."
    if never:
        after += f" Never read by {' or '.join(never)}."
    return Sentence(hand.view.subject(hand.index), hand.view.layout.sum_of(hand.index), after)


def _remarks(views: Sequence[Named], drawn: dict[str, Drawn]) -> Line:
    """What the reader has to know about this picture, and nothing that does not occur in it."""
    cells = [(v, n, s) for v in views for n, s in zip(v.layout.size, v.layout.byte_stride, strict=True) if n > 1]
    parts = ["Colour is the place in storage."]
    if any(s != v.layout.itemsize and v.layout.numel for v, _, s in cells):
        parts.append("Cells that touch are neighbours in memory; a gap is a jump.")
    for v in views:
        for promise, said in PROMISES.items():
            if v.layout.dtype.endswith(promise) and v.layout.numel:
                parts.append(f"{v.label} is{promise}: what lies here is drawn, and {said}.")
    if any(v.storage.planned and v.layout.numel for v in views):
        parts.append("A dotted storage is planned: a meta tensor has no memory.")
    if any(s == 0 and v.layout.numel and not v.storage.planned for v, _, s in cells):
        parts.append("Dotted cells were never allocated: stride 0 reads the same elements again.")
    if any(v.layout.masked is not None and any(v.layout.masked) for v in views):
        parts.append("A dot is masked: its number is in the storage, but no operation counts it.")
    if any(s < 0 for _, _, s in cells):
        parts.append("A negative stride steps back towards the start.")
    for d in drawn.values():
        sizes = sorted({layout.itemsize for layout in d.storage.layouts})
        if any(size != d.storage.unit for size in sizes):
            known = " and ".join(map(str, sizes))
            parts.append(
                f"Storage {d.storage.letter} is counted in units of {count(d.storage.unit, 'byte')}, "
                f"the common divisor of its items ({known} bytes) and their places."
            )
        if any(not sum(n for n, _ in reads) for reads in d.reads.values()):
            parts.append("Hatched cells are read by no view.")
        for view in d.views:
            if view.layout.owner.mapped:
                first = view.layout.owner.start - d.storage.start + view.layout.byte_offset
                where = f"{view.label} begins at byte {first} of the mapping"
                where += ", behind the file's header or other data" if first else ""
                parts.append(f"Storage {d.storage.letter} is mapped from a file; {where}.")
        rest = d.storage.rest
        if rest:
            parts.append(f"{count(rest, 'byte')} at the end of storage {d.storage.letter} fill no unit.")
        n = 0 if d.ladders else d.storage.units - len(d.units)
        if n:
            parts.append(f"{count(n, 'cell')} of storage {d.storage.letter} {'is' if n == 1 else 'are'} not drawn.")
    return " ".join(dict.fromkeys(parts))
