"""A storage with more elements than fit in a line: bars to scale, the combs of each view, and its first cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from ..arrays.combs import Comb, Level, combs_of, levels_of
from ..arrays.labels import atom
from ..arrays.layout import Layout
from ..arrays.storages import Storage
from ..arrays.values import bytes_text, count
from ..arrays.window import Window
from ..drawing.inline import Line, axis, bold
from ..drawing.scene import Block, Gap, Stack, Words
from ..parts.funnel import Funnel
from ..parts.lens import CELLS, WHOLE, Lens
from ..parts.memory_bar import LANE, Again, Bar, Reach
from .image import CHANNELS

if TYPE_CHECKING:
    from .views import Drawn, Hand

READ = 64
"""The largest number of values that is read for the cells of a lens."""


@dataclass(frozen=True)
class Ladder:
    """What is drawn of one view: its combs, its levels, and the units of its lens."""

    reach: Reach
    levels: tuple[Level, ...]
    lens: range
    repeats: tuple[Again, ...] = ()


def ladder(
    storage: Storage, name: str, layout: Layout, names: Sequence[str | None] = (), channel: int | None = None
) -> Ladder:
    """The levels of a view on a storage, from the whole to its first cells; `names` are those of its dimensions.

    `channel` is the dimension of an image's colours.
    """
    at = layout.owner.start - storage.start + layout.byte_offset
    combs = combs_of(layout.size, layout.byte_stride, at, layout.itemsize)
    step, unit = (layout.step, "") if layout.in_elements else (1, " bytes")
    reach = Reach(
        name, combs,
        tuple(
            f"{_dim(comb.dim, names)}: {_said(comb, layout)}{_colours(comb) if comb.dim == channel else ''}"
            for comb in combs
        ),
        tuple(f"{'+' if comb.step > 0 else '−'}{abs(comb.step) // step:,}{unit}" for comb in combs), at,
        layout.itemsize if layout.numel else 0, channel,
    )  # fmt: skip
    lens = _lens(storage, combs, at, layout.itemsize)
    return Ladder(
        reach, levels_of(combs, storage.nbytes, len(lens) * storage.unit * 3 // 2), lens, _repeats(layout, names)
    )


def _lens(storage: Storage, combs: Sequence[Comb], at: int, itemsize: int) -> range:
    """The units at the start of a view; those before it, where it runs backwards."""
    if storage.units <= WHOLE:
        return range(storage.units)
    first = at // storage.unit
    if combs and combs[-1].step < 0:
        first += itemsize // storage.unit - CELLS
    first = max(0, min(first, storage.units - CELLS))
    return range(first, first + CELLS)


def _said(comb: Comb, layout: Layout) -> str:
    """One dimension in words: its size, its stride, and what that means in memory."""
    item = layout.step
    step = f"{comb.step // item:,}".replace("-", "−")
    apart = bytes_of(abs(comb.step))
    steps = f"{step} ({apart})" if item > 1 or layout.in_elements else f"{step} bytes"
    return f"{comb.size:,} in steps of {steps}, {_meaning(comb, layout)}"


def _colours(comb: Comb) -> str:
    return f": {', '.join(CHANNELS[: comb.size])}"


def _dim(d: int, names: Sequence[str | None]) -> str:
    name = names[d] if d < len(names) else None
    return f"dim {d} {name}" if name else f"dim {d}"


def _meaning(comb: Comb, layout: Layout) -> str:
    back = "backwards, " if comb.step < 0 else ""
    if not comb.gap:
        return back + ("neighbours in memory" if comb.wide == layout.itemsize else "end to end")
    if comb.gap < 0:
        return f"{back}each shares {_amount(-comb.gap, layout)} with the next"
    return f"{back}{_amount(comb.gap, layout)} skipped after each"


def _amount(nbytes: int, layout: Layout) -> str:
    if nbytes % max(layout.itemsize, 1):
        return bytes_of(nbytes)
    return count(nbytes // layout.itemsize, "element")


def _repeats(layout: Layout, names: Sequence[str | None]) -> tuple[Again, ...]:
    """The dimensions of stride 0."""
    return tuple(
        Again(d, n, f"{_dim(d, names)}: {n:,} in steps of 0, the same place {n:,} times")
        for d, (n, s) in enumerate(zip(layout.size, layout.byte_stride, strict=True))
        if n > 1 and not s
    )


def bytes_of(n: int) -> str:
    """Exact where that is short."""
    return count(n, "byte") if n < 100_000 else bytes_text(n)


def bars(drawn: Drawn, ladders: Sequence[Ladder], hand: Hand | None, facts: str) -> Block:
    """The blocks of one storage, whose views have these ladders."""
    storage = drawn.storage
    name: Line = (bold(f"storage {storage.letter}"), f"  {facts}" if facts else "")
    if storage.units <= WHOLE:
        return _lens_of(drawn, range(len(ladders)), ladders, name, hand)
    mark = None
    if hand is not None and hand.view.storage is storage:
        mark = hand.units.start * storage.unit, hand.units.stop * storage.unit
    ends = ("byte 0", f"{storage.nbytes:,}")
    aside = "" if facts else _span(storage, storage.nbytes)
    blocks: list[Block] = []
    if len(ladders) > 1:
        reaches = tuple(one.reach for one in ladders)
        whole = Level(0, storage.nbytes, (), None, 0, 0)
        blocks.append(Bar(whole, name, aside, storage.nbytes, reaches, mark=mark, ends=ends, letter=storage.letter))
    for k, one in enumerate(ladders):
        first = Bar(
            one.levels[0], name, aside, storage.nbytes, (one.reach,), one.reach, mark=mark, ends=ends,
            letter=storage.letter,
        )  # fmt: skip
        if len(ladders) > 1:
            first = replace(first, caption=bold(one.reach.name), aside="", ends=("", ""), high=LANE)
            blocks.append(Gap(14 if k else 6))
        blocks += _levels(storage, one, first)
        shared = [n for n, other in enumerate(ladders) if other.lens == one.lens]
        if shared[-1] == k:
            blocks.append(_lens_of(drawn, shared, ladders, _only_in_cells(one), hand))
    return Stack(blocks)


def planned(storage: Storage, ladders: Sequence[Ladder]) -> list[Block]:
    """The bars of a storage without bytes: no cells, and nothing to read."""
    blocks: list[Block] = []
    if storage.units <= WHOLE:
        return blocks
    for one in ladders:
        name: Line = (bold(one.reach.name if len(ladders) > 1 else f"storage {storage.letter}"), ", planned")
        first = Bar(
            one.levels[0], name, _span(storage, storage.nbytes), storage.nbytes, (one.reach,), one.reach,
            ends=("byte 0", f"{storage.nbytes:,}"), letter=storage.letter, ghost=True,
        )  # fmt: skip
        *shown, _ = _levels(storage, one, first)
        last = shown[-1]
        blocks += [*shown[:-1], replace(last, frame=None) if isinstance(last, Bar) else last]
        if _only_in_cells(one):
            blocks.append(Words((_only_in_cells(one),)))
        blocks.append(Gap(14))
    return blocks


def _levels(storage: Storage, one: Ladder, first: Bar) -> list[Block]:
    """The bars of one view, each with the funnel that leads to what is below it."""
    out: list[Block] = []
    ends = [*((level.start, level.stop) for level in one.levels[1:])]
    ends.append((one.lens.start * storage.unit, one.lens.stop * storage.unit))
    for k, (level, frame) in enumerate(zip(one.levels, ends, strict=True)):
        bar = replace(first, level=level, frame=frame, repeats=() if k else one.repeats, lines=_lines(one))
        if k:
            head = bold(_part(one.reach, level))
            bar = replace(bar, caption=head, aside=_span(storage, level.nbytes), ends=("", ""), high=LANE)
        out += [bar, Funnel.of(bar, *frame)]
    return out


def _lines(one: Ladder) -> tuple[str, ...]:
    return (*one.reach.said, *(again.said for again in one.repeats))


def _only_in_cells(one: Ladder) -> Line:
    """The words for combs that no bar has."""
    last = one.levels[-1]
    drawn = max((*last.combs, last.dense if last.dense is not None else -1, last.fixed - 1), default=-1)
    left = [(comb.dim, said) for comb, said in zip(one.reach.combs, one.reach.said, strict=True)][drawn + 1 :]
    return tuple(axis(said + "  ", dim, under=False) for dim, said in left)


def _part(reach: Reach, level: Level) -> str:
    """The expression for what a level is about: `v[0, :, 0]`."""
    fixed = {comb.dim: "0" for comb in reach.combs[: level.fixed]}
    if level.kept:
        fixed[reach.combs[level.fixed].dim] = f":{level.kept}"
    if not fixed:
        return reach.name
    return f"{atom(reach.name)}[{', '.join(fixed.get(d, ':') for d in range(max(fixed) + 1))}]"


def _span(storage: Storage, nbytes: int) -> str:
    what = "element" if all(layout.itemsize == storage.unit for layout in storage.layouts) else "unit"
    return f"{count(nbytes // storage.unit, what)}, {bytes_of(nbytes)}"


def _lens_of(drawn: Drawn, which: Sequence[int], ladders: Sequence[Ladder], caption: Line, hand: Hand | None) -> Lens:
    """The cells that some of the views show at their start."""
    storage, units = drawn.storage, ladders[which[0]].lens
    lit = set(hand.units) if hand is not None and hand.view.storage is storage else set()
    lanes = tuple(drawn.lane(k, drawn.views[k], units, 5 if len(units) > CELLS else 7) for k in which)
    return Lens(
        storage.letter, caption, tuple(drawn.cell(unit, unit in lit) for unit in units), units, storage.units,
        storage.unit, lanes, tuple(ladders[k].reach for k in which),
    )  # fmt: skip


def lens_window(storage: Storage, layout: Layout, units: range) -> Window | None:
    """The indices of a view that its lens shows; None where they would be too many."""
    found = [index for _, index in (storage.reads(layout, unit) for unit in units) if index is not None]
    kept = tuple(tuple(sorted(set(column))) for column in zip(*found, strict=True))
    if not found or not layout.size or prod(map(len, kept)) > READ:
        return None
    return Window(layout.size, kept)
