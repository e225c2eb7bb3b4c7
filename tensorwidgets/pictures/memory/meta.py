"""A meta tensor: a size, strides and a dtype, without data. Its cells are dotted, because they have no memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..arrays.layout import Layout
from ..arrays.sources import names_of
from ..arrays.storages import Storage
from ..arrays.values import bytes_text, count, in_cell, shape_text, spell
from ..drawing.inline import Line
from ..drawing.picture import Picture
from ..drawing.scene import Beside, Block, Cell, Gap, Note, Sentence, Sheet, Title, note
from ..parts.view_grid import ViewGrid
from .bars import ladder, planned
from .views import Hand, Named, example, facts, named_views


def meta_picture(arrays: Sequence[Any], labels: Sequence[str]) -> Picture:
    """The picture of `show` for tensors without bytes."""
    views, storages = named_views(arrays, labels)
    hand = example(views)
    several = len(storages) > 1
    blocks: list[Block] = [Title(*_title(views, storages)), _what_it_takes(views), Gap(20)]
    for storage in storages:
        mine = [(v, names_of(a)) for v, a in zip(views, arrays, strict=True) if v.storage is storage]
        blocks += planned(storage, [ladder(storage, v.label, v.layout, names) for v, names in mine])
    blocks.append(Beside([_grid(v, hand, several) for v in views], gap=28, below=12))
    blocks.append(_sentence(hand, views))
    places = "Each cell holds its place, counted in elements. "
    if not any(map(_legible, views)):
        places = "A place has too many digits for a cell: point at one to read it. "
    elif not all(map(_legible, views)):
        places = "Each cell holds its place, counted in elements, or a dot where that has too many digits. "
    blocks.append(Note(f"{places}A dotted edge: no memory was set aside for it."))
    return Picture(blocks)


def _title(views: Sequence[Named], storages: Sequence[Storage]) -> tuple[str, str]:
    names = ", ".join(v.label for v in views[:3]) + (" …" if len(views) > 3 else "")
    text = "a plan" if len(storages) == 1 else f"{spell(len(storages))} plans"
    dtypes = sorted({v.layout.dtype for v in views})
    return f"{names}: {text} without bytes", f"{', '.join(dtypes)}, meta"


def _what_it_takes(views: Sequence[Named]) -> Sheet:
    heads: tuple[Line, ...] = ("", "size", "stride", "elements", "would take", "holds")
    rows = [
        (
            v.label, shape_text(v.layout.size), shape_text(v.layout.stride), f"{v.layout.numel:,}",
            bytes_text(v.layout.numel * v.layout.itemsize), "no bytes",
        )
        for v in views
    ]  # fmt: skip
    return Sheet(heads, tuple(rows), (120, 160, 160, 150, 130, 90))


def _grid(view: Named, hand: Hand | None, several: bool) -> ViewGrid:
    layout, storage = view.layout, view.storage
    lit = set(hand.units) if hand is not None and hand.view.storage is storage else set()
    cells: dict[tuple[int, ...], Cell] = {}
    legible = _legible(view)
    for index in layout.window.indices():
        mine = hand is not None and hand.view is view and hand.index == index
        linked = bool(lit & set(storage.span(layout, index)))
        cells[index] = Cell(
            in_cell(_offset(layout, index)) if legible else "·",
            storage.keys(layout, index), note(view.subject(index), _sum_text(layout, index)),
            kind="ghost", mark="hand" if mine else "linked" if linked else "",
        )  # fmt: skip
    return ViewGrid(facts(view, several), layout.window, layout.stride, cells, None)


def _legible(view: Named) -> bool:
    """Whether the places of a view fit into cells."""
    reach = sum((n - 1) * abs(s) for n, s in zip(view.layout.size, view.layout.stride, strict=True) if n)
    return view.layout.offset + reach < 100_000


def _offset(layout: Layout, index: tuple[int, ...]) -> int:
    return layout.byte_at(index) // layout.step


def _sum_text(layout: Layout, index: tuple[int, ...]) -> str:
    return layout.sum_of(index).replace(" -> ", ": it would be ")


def _sentence(hand: Hand | None, views: Sequence[Named]) -> Sentence:
    after = "Views, promotion and shape rules work on it. It has no numbers: printing shows dots, and item() refuses."
    if hand is None:
        return Sentence(views[0].label, "no element, and no bytes either", after)
    layout = hand.view.layout
    whole = count(layout.numel, "element")
    return Sentence(hand.view.subject(hand.index), _sum_text(layout, hand.index), f"{whole} planned. {after}")
