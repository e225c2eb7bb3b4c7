"""The same numbers twice: a list of boxes all over the memory, a tensor in one run. `show.list_or_tensor([3., 1.])`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from ...engine.errors.reasons import Reason
from ...engine.types import dtypes
from ...engine.types.dtypes import dtype
from ..arrays.layout import Layout
from ..arrays.listing import HEADER, SLOT, Made, fields_of, holds_itself, is_list, leaves, objects, tensor_of, weight
from ..arrays.number_formats import FORMATS, Float, is_finite
from ..arrays.sources import is_array
from ..arrays.special_kinds import is_quantized
from ..arrays.values import count, in_cell, shape_text, short, spell, with_article
from ..arrays.window import Window
from ..drawing.html import div, escape, framed, row, table, td, th
from ..drawing.inline import bold, markup, muted
from ..drawing.picture import Picture
from ..drawing.scene import Beside, Block, Cell, Gap, Heading, Note, Sentence, Title, columns, note
from ..drawing.tokens import EDGE, INK, MID, MONO, MUTED, NARROW, place
from ..parts.boxes import Heap, placed, scattered
from ..parts.panel import panel
from .broadcast.clash import WayOut, refusal

MOST = 12
"""Slots of a list that are drawn at most."""
MILLION = 10**6


def list_picture(thing: Any, label: str, wanted: Any = None) -> Picture:
    """The picture of `show.list_or_tensor`; a list that makes no tensor is drawn with the reason."""
    if hasattr(thing, "tolist") and not is_list(thing):
        wanted = wanted or _own_dtype(thing, label)
        thing = _numbers_of(thing, label)
    if not is_list(thing):
        kind = with_article(type(thing).__name__)
        raise TypeError(f"show.list_or_tensor() takes a list of numbers such as [3., 1., 4.], not {kind}")
    if holds_itself(thing):
        raise ValueError("this list holds itself, so there is no end to draw")
    if any(map(is_array, leaves(thing))):
        raise TypeError(
            "show.list_or_tensor() compares a list of Python's numbers with a tensor, and an item of this list is an "
            "array already: show(*x) draws the arrays of a list, and torch.stack(x) makes one tensor of equal ones"
        )
    made = tensor_of(thing, _dtype(wanted))
    shown = _source(thing, label)
    result = Items(thing)
    if isinstance(made, Reason):
        blocks: list[Block] = [Title("A list that makes no tensor", f"to scale: {result.scale} px a byte")]
        blocks += [
            _Head(shown, result.sum()),
            result.heap(),
            *result.deeper(),
            refusal(made, f"tensor({shown}{'' if wanted is None else f', dtype={_dtype(wanted)}'})"),
            *_ways_out(thing, made),
        ]
        return Picture(blocks)
    numbers = prod(made.size)
    head = f"{spell(numbers).capitalize()} {'number' if numbers == 1 else 'numbers'}, twice"
    blocks = [Title(head, f"to scale: {result.scale} px a byte"), _Head(shown, result.sum()), result.heap()]
    blocks += [*result.deeper(), Gap(20)]
    kind = "" if made.dtype is _type_by_itself(thing) else f", dtype={made.dtype}"
    cost = f"{numbers}·{made.dtype.itemsize} = {count(made.nbytes, 'byte')} in one place"
    tensor = _Head(f"tensor({shown}{kind})", f"{cost}, and one header whatever the length")
    blocks += [tensor, Run(made, result.scale)]
    if numbers:
        blocks += [Heading("A million of each"), *_million(thing, made), result.sentence(made)]
    else:
        blocks.append(
            Sentence("nothing", "a tensor of no elements has no bytes", f"The list takes {result.total} all the same.")
        )
    return Picture(blocks)


def _numbers_of(thing: Any, label: str) -> Any:
    """The list of an array's numbers."""
    if is_array(thing):
        layout = Layout.of(thing, whole=1)
        if layout.masked is not None:
            raise TypeError(f"{label} hides numbers behind a mask: {label}.filled(0) has a number in each place")
        if layout.device == "meta":
            raise TypeError(f"{label} has no numbers to list: its device is meta")
        if layout.numel > MILLION:
            raise ValueError(
                f"{label} has {layout.numel:,} elements, and a list of them would not fit here: take a part of it"
            )
        if is_quantized(thing):
            thing = thing.dequantize()
    return thing.tolist()


def _own_dtype(thing: Any, label: str) -> str | None:
    """The dtype of an array, by its name; that of an array of objects follows from what they are."""
    own = getattr(thing, "dtype", None)
    name = str(getattr(own, "name", None) or own or "").rpartition(".")[2]
    if name in ("", "object"):
        return None
    if name not in dtypes.BY_NAME:
        raise TypeError(f"the elements of {label} are {name}, and no tensor has such elements")
    return name


def _dtype(wanted: Any) -> dtype | None:
    if wanted is None or isinstance(wanted, dtype):
        return wanted
    name = str(getattr(wanted, "name", None) or getattr(wanted, "__name__", wanted)).rpartition(".")[2]
    result = dtypes.BY_NAME.get(name)
    if result is None:
        raise TypeError(f"dtype= is a number type that PyTorch has, not {wanted!r}")
    return result


def _type_by_itself(thing: Any) -> dtype | None:
    made = tensor_of(thing)
    return None if isinstance(made, Reason) else made.dtype


def _source(thing: Any, label: str) -> str:
    """The list as it is written, if that is short."""
    text = repr(thing) if len(thing) < 20 else ""
    return text if text and len(text) <= 44 and "object at" not in text else label if len(label) <= 44 else "a list"


# -- the list --------------------------------------------------------------------------------------


class Items:
    """The objects of a list: what is drawn where, and what all of them weigh."""

    def __init__(self, root: Any):
        self.root = root
        self.all = objects(root)
        self.lists = [item for item in self.all.values() if is_list(item)]
        self.boxes = [item for item in self.all.values() if not is_list(item)]
        self.flat = list(leaves(root))
        self.places: dict[int, list[int]] = {}
        for k, leaf in enumerate(self.flat):
            self.places.setdefault(id(leaf), []).append(k)
        inner = [item for item in root if is_list(item)]
        self.inner = list({id(item): item for item in inner}.values())
        self.scale = next((s for s in (4, 3) if self._room(s) <= NARROW), 2)
        self.slots = min(MOST, (NARROW // self.scale - HEADER) // SLOT)

    def _room(self, scale: int) -> int:
        rows = [[self.root], self.inner, self._second()]
        return max(sum(min(weight(item), HEADER + SLOT * MOST) * scale + 14 for item in row[:40]) for row in rows)

    def _second(self) -> list[Any]:
        """The boxes that the drawn lists lead to."""
        if not self.inner:
            return scattered(self.boxes)
        collected = {id(item): item for one in self.inner for item in one if not is_list(item)}
        collected |= {id(item): item for item in self.root if not is_list(item)}
        return scattered(list(collected.values()))

    @cached_property
    def weights(self) -> list[int]:
        """Of the boxes."""
        return [weight(item) for item in self.boxes]

    @property
    def total(self) -> int:
        return sum(map(weight, self.lists)) + sum(self.weights)

    def sum(self) -> str:
        """`56 + 6·8 + 6·24 = 248 bytes in 7 places`."""
        slots = sum(len(item) for item in self.lists)
        lists = f"{len(self.lists)}·{HEADER}" if len(self.lists) > 1 else str(HEADER)
        groups = [f"{many}·{one}" for one, many in Counter(self.weights).items()]
        if len(groups) > 3:
            groups = [f"{sum(self.weights):,} in boxes"]
        parts = [lists, *([f"{slots}·{SLOT}"] if slots else []), *groups]
        places = count(len(self.all), "place")
        total = f"{count(self.total, 'byte')} in {places}"
        return f"{' + '.join(parts)} = {total}" if len(parts) > 1 else total

    def heap(self) -> Heap:
        levels = [[self.root], *([self.inner] if self.inner else []), self._second()]
        drawn = tuple(placed(things, self.scale, self.slots) for things in levels if things)
        return Heap(drawn, self.scale, self.slots, self._fill, self._keys, self._slot_keys)

    def deeper(self) -> list[Note]:
        """What lies below the lists that are drawn: of lists in lists in lists, the first two levels are."""
        if not any(is_list(item) for one in self.inner for item in one):
            return []
        lists, boxes = len(self.lists) - 1 - len(self.inner), len(self.boxes) - len(self._second())
        numbers = f" and {count(boxes, 'number')}" if boxes else ""
        return [
            Note(f"Deeper lie {count(lists, 'list')}{numbers}, which {'are' if lists + boxes > 1 else 'is'} not drawn.")
        ]

    def _fill(self, item: Any) -> str:
        """By the first position of a value in the tensor."""
        return place(self.places[id(item)][0], max(len(self.flat), 1))

    def _keys(self, item: Any) -> str:
        if is_list(item):
            rows = [k for k, inner in enumerate(self.root) if inner is item]
            return " ".join(f"i-r{k}" for k in rows) or "i-l0"
        return " ".join(f"i-p{k}" for k in self.places[id(item)][:MOST])

    def _slot_keys(self, owner: Any, k: int) -> str:
        item = owner[k]
        if is_list(item):
            return f"i-r{k}" if owner is self.root else "i-l0"
        before = 0
        for one in self.root if owner is not self.root else self.root[:k]:
            if one is owner:
                return f"i-p{before + sum(1 for _ in leaves(owner[:k]))}"
            before += sum(1 for _ in leaves(one))
        return f"i-p{before}"

    def sentence(self, made: Made) -> Sentence:
        """How much more the list takes, and what it does to find a number."""
        times = self.total / made.nbytes
        subject = f"{self.total:,} against {count(made.nbytes, 'byte')}"
        same = len(self.flat) - len(self.boxes)
        numbers = spell(len(self.flat)) if len(self.flat) > 1 else "one"
        reason = f"{times:.1f} times as much, for the same {numbers} {'number' if len(self.flat) == 1 else 'numbers'}"
        at = min(2, len(self.flat) - 1)
        after = f"Only the coloured part of each box is the number. To read number {at} the list goes to an address "
        after += f"first; the tensor adds {at}·{made.dtype.itemsize} to its own."
        if same:
            after += f" {count(same, 'slot leads', 'slots lead')} to a box that another slot leads to as well."
        if made.dtype is dtypes.float32 and any(isinstance(item, float) for item in self.boxes):
            after += (
                f" (float32 holds half of the digits of Python's float; float64 would take {len(self.flat) * 8} bytes.)"
            )
        return Sentence(subject, reason, after)


@dataclass(frozen=True)
class _Head:
    """The code of one of the two, and what it costs."""

    code: str
    cost: str

    def html(self) -> str:
        inner = markup((bold(self.code), "  ", muted(self.cost)))
        return div(inner, f"font:400 13px/20px {MONO};margin:0 0 8px")

    def text(self) -> str:
        return f"\n{self.code}: {self.cost}"


# -- the tensor ------------------------------------------------------------------------------------


def converted(value: Any, kind: dtype) -> Any:
    """A number of a list as a tensor of this dtype holds it.

    >>> [converted(value, dtypes.float32) for value in (1, 2.5, True)], converted(2.7, dtypes.int64)
    ([1.0, 2.5, 1.0], 2)
    >>> converted(3.14159, dtypes.bfloat16), converted(1000, dtypes.float8_e4m3fn), converted(-1, dtypes.uint8)
    (3.140625, 448.0, 255)
    """
    if kind.is_complex:
        return int(value) if isinstance(value, bool) else value
    try:
        if kind is dtypes.bool_:
            return bool(value)
        form = FORMATS.get(kind._name)
        if isinstance(form, Float):
            number = float(value)
            return float(form.decode(form.encode(Fraction(value) if is_finite(number) and number else number)))
        if form is None:
            with np.errstate(all="ignore"):
                return float(np.array(float(value)).astype(kind._in_numpy))
        return form.decode(form.encode(int(value)))
    except (TypeError, ValueError, OverflowError):
        return value


@dataclass(frozen=True)
class Run:
    """The tensor's bytes, to the same scale: its elements touch."""

    made: Made
    scale: int

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """The first numbers as the tensor holds them: all of one kind."""
        return tuple(converted(value, self.made.dtype) for value in self.made.values[:NARROW])

    def html(self) -> str:
        size = self.made.dtype.itemsize
        wide = size * self.scale
        most = len(self.made.values)
        shown = most if most * wide <= NARROW else (NARROW - 100) // wide
        html = ""
        longest = max((len(short(v)) for v in self.values[:shown]), default=0)
        fits = longest * 7 + 2 <= wide
        for k, value in enumerate(self.values[:shown]):
            look = f"background:{place(k, most)};border:1px solid {EDGE}{';border-left:0' if k else ''}"
            said = f"= {short(value)}, " + (f"bytes {k * size}..{k * size + size - 1}" if size > 1 else f"byte {k}")
            html += td(
                escape(short(value)) if fits else "",
                f"{look};font-size:11px;color:{INK}",
                f"k-A{k} i-p{k}",
                note(f"A[{k}]", said),
            )
        left = most - shown
        tail = f"… {left:,} more" if left else "no bytes" if not shown else ""
        if tail:
            html += td(tail, f"text-align:left;padding:0 0 0 8px;font-size:11px;color:{MUTED};white-space:nowrap")
        widths = [wide] * shown + ([100] if tail else [])
        return framed(table([row(html, "height:34px")], widths, cls="tw-storage"))

    def text(self) -> str:
        values = [short(v) for v in self.values[:24]]
        more = len(self.made.values) - len(values)
        shape = f", as {shape_text(self.made.size)}" if len(self.made.size) > 1 else ""
        return f"  {self.made.dtype._name}: {' '.join(values)}{f' … {more:,} more' if more else ''}{shape}"


def _million(thing: Any, made: Made) -> list[Block]:
    """Bytes of a million such numbers, as bars."""
    flat = list(leaves(thing))
    shared = all(isinstance(item, bool) for item in flat)
    box = 0 if shared else max(sum(n for _, n in fields_of(item)) for item in flat)
    as_list = HEADER + (SLOT + box) * MILLION
    as_tensor = made.dtype.itemsize * MILLION
    return [Bars((("list", as_list, EDGE), ("tensor", as_tensor, MID["blue"])))]


@dataclass(frozen=True)
class Bars:
    """Sizes next to each other."""

    rows: tuple[tuple[str, int, str], ...]

    def html(self) -> str:
        most = max(size for _, size, _ in self.rows)
        lines = []
        for name, size, colour in self.rows:
            bar = div("", f"width:{max(0.2, size / most * 98):.4g}%;height:14px;background:{colour}")
            html = th(escape(name), "row", "text-align:left;font-size:12px") + td(bar, "text-align:left")
            lines.append(row(html + td(self._size(size), "text-align:left;font-size:12px"), "height:22px"))
        return table(lines, [64, 0, 100], style="max-width:736px", cls="tw-bars")

    def _size(self, size: int) -> str:
        return f"{size / 1e6:,.1f} MB"

    def text(self) -> str:
        return columns([[name, self._size(size)] for name, size, _ in self.rows])


# -- ways out --------------------------------------------------------------------------------------


def _ways_out(thing: Any, reason: Reason) -> list[Block]:
    """Rows filled up to one length, drawn; other advice in words."""
    rows = [list(item) for item in thing if is_list(item)]
    plain = len(rows) == len(thing) and all(not is_list(item) for line in rows for item in line)
    if reason.rule != "tensor.ragged" or not plain or not rows:
        return [Note("Instead: " + "; or ".join(reason.instead) + ".", top=12)] if reason.instead else []
    wide = max(map(len, rows))
    filled = [line + [0] * (wide - len(line)) for line in rows]
    made = tensor_of(filled)
    if isinstance(made, Reason) or len(rows) * wide > 60:
        return [Note("Instead: " + "; or ".join(reason.instead) + ".", top=12)]
    window = Window((len(rows), wide), (tuple(range(len(rows))), tuple(range(wide))))
    cells: dict[tuple[int, ...], Cell] = {}
    for i, line in enumerate(filled):
        for j, value in enumerate(line):
            new = j >= len(rows[i])
            said = "filled in: it was not there" if new else f"= {short(value)}"
            cells[i, j] = Cell(in_cell(value), "", note(f"[{i}, {j}]", said), "", "ghost" if new else "solid")
    view = panel(((bold("filled"), f" {shape_text(made.size)}"),), window, cells, (0, 1), small=True)
    code = f"[row + [0] * ({wide} - len(row)) for row in rows]"
    first = WayOut(code, "Dotted numbers are filled in, and must be left out of sums.", (view,))
    second = WayOut(
        "[torch.tensor(row) for row in rows]", "A list of one tensor for each row: rows keep their lengths.", ()
    )
    return [Heading("Two ways out:", 16), Beside([first, second], 32, below=14)]
