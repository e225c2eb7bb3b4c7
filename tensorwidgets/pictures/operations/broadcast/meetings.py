"""The cells of arrays that meet: which element of each makes which element of the result."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, prod
from typing import Any

from ....engine.dimension_names import unify
from ....engine.errors.reasons import Reason
from ...arrays.sources import names_of
from ...arrays.storages import letter
from ...arrays.values import count, in_cell, index_text, shape_text, short
from ...arrays.window import Window, edges
from ...drawing.inline import Line, bold
from ...drawing.scene import Cell, Sentence, note
from ...drawing.tokens import place, value
from ...parts.panel import Panel, panel
from ..meeting import Meeting, meeting_type, met
from ..operands import Index, Keys, Operand, keys_of, reading

ROOM = 320
"""The largest number of cells of all operands and the result to draw; of larger ones, only corners are drawn."""


class Meetings:
    """Which elements of which operands meet in which element of the result, as far as they are drawn."""

    def __init__(
        self, operands: Sequence[Operand], things: Sequence[Any], size: tuple[int, ...], name: str = "result",
        first: int = 0, number: int = 0, example: bool = True, op: str = "+",
    ):  # fmt: skip
        """`first` is the first index letter, `number` the place of the result among results of one picture."""
        self.size, self.name, self.first, self.op = size, name, first, op
        self.window = corners(size, ROOM // (len(operands) + 1))
        self.operands = [self._read(o, thing) for o, thing in zip(operands, things, strict=True)]
        self.keys: list[Keys] = keys_of(self.operands)
        letters = {keys.letter for keys in self.keys}
        self.letter = [c for c in map(letter, range(len(letters) + number + 1)) if c not in letters][number]
        self.refused = _refused(self.operands, things)
        self.meeting = None if self.refused else meeting_type(self.operands, op)
        self.places = {index: tuple(self.source(o, index) for o in self.operands) for index in self.window.indices()}
        self.values = self._values()
        self.scale = Scale([v for o in self.operands for v in (o.values or {}).values()] + list(self.values.values()))
        kept = self.window.kept
        last = len(kept) - 1
        self.hand = (
            tuple(k[min(2 if d == last else 1, len(k) - 1)] for d, k in enumerate(kept))
            if example and self.window.count
            else None
        )

    def _read(self, operand: Operand, thing: Any) -> Operand:
        lead = len(self.size) - len(operand.size)
        kept = [(0,) if n == 1 else self.window.kept[lead + d] for d, n in enumerate(operand.size)]
        return reading(operand, thing, kept)

    def source(self, operand: Operand, index: Index) -> Index:
        """The element of an operand that an element of the result is made from."""
        own = index[len(self.size) - len(operand.size) :]
        return tuple(0 if n == 1 else i for n, i in zip(operand.size, own, strict=True))

    def _values(self) -> dict[Index, Any]:
        if not isinstance(self.meeting, Meeting):
            return {}
        places = list(self.places.values())
        result = met(self.operands, self.meeting, places, self.op) if places else []
        return {} if result is None else dict(zip(self.places, result, strict=True))

    # -- cells -------------------------------------------------------------------------------------

    def is_ghost(self, operand: Operand, index: Index) -> bool:
        """Whether a stretched dimension has left its only element here."""
        return any(index[d] != 0 for d in self.stretched(operand))

    def stretched(self, operand: Operand) -> list[int]:
        """Axes of the result along which an operand does not step."""
        lead = len(self.size) - len(operand.size)
        return [d for d, n in enumerate(self.size) if n != 1 and (d < lead or operand.size[d - lead] == 1)]

    def axes_keys(self, index: Index, left_out: Sequence[int] = ()) -> str:
        """The index letters of a place in the result: `i-a1 i-b2`."""
        return " ".join(f"i-{index_letter(self.first + d)}{i}" for d, i in enumerate(index) if d not in left_out)

    def side_cell(self, k: int, index: Index) -> Cell:
        """An operand as it is read at a place of the result."""
        operand, source = self.operands[k], self.places[index][k]
        ghost = self.is_ghost(operand, index)
        stretched = self.stretched(operand)
        keys = f"{self.keys[k].of(source)} {self.axes_keys(index, () if ghost else stretched)}".strip()
        subject, text = operand.at(source), operand.text(source)
        known = operand.values is not None and source in operand.values
        said = (
            f"= {text}"
            if known
            else f"element {text} of its storage"
            if operand.kind == "shape"
            else "of unknown value"
        )
        if ghost:
            said += ", read again by stride 0: never allocated"
        else:
            first = tuple(0 if d in stretched else i for d, i in enumerate(index))
            last = tuple(self.size[d] - 1 if d in stretched else i for d, i in enumerate(index))
            feeds = f"{self.name}{index_text(first)}"
            said += f", feeds {feeds}" + (f" .. {self.name}{index_text(last)}" if last != first else "")
        lit = self.hand is not None and source == self.places[self.hand][k] and (index == self.hand or not ghost)
        return Cell(
            text, keys, note(subject, said), self.fill(operand, source), "ghost" if ghost else "solid",
            "linked" if lit else "",
        )  # fmt: skip

    def fill(self, operand: Operand, index: Index) -> str:
        if operand.kind == "shape":
            return place(operand.offset(index), operand.numel)
        return self.scale.fill((operand.values or {}).get(index))

    def result_cell(self, index: Index) -> Cell:
        """An element of the result; its classes name its own place and its sources'."""
        sources = [keys.of(place) for keys, place in zip(self.keys, self.places[index], strict=True)]
        own = f"k-{self.letter}{self.flat(index)}"
        keys = " ".join(dict.fromkeys([own, *" ".join(sources).split(), *self.axes_keys(index).split()]))
        subject = f"{self.name}{index_text(index)}"
        fill = self.scale.fill(self.values.get(index)) if self.values else place(self.flat(index), prod(self.size))
        mark = "hand" if index == self.hand else ""
        return Cell(self.result_text(index), keys, note(subject, self.reason(index)), fill, mark=mark)

    def flat(self, index: Index) -> int:
        at = 0
        for i, n in zip(index, self.size, strict=True):
            at = at * n + i
        return at

    def result_text(self, index: Index) -> str:
        if index in self.values:
            return in_cell(self.values[index])
        parts = [o.text(place) for o, place in zip(self.operands, self.places[index], strict=True)]
        text = self.op.join(parts)
        return text if len(text) <= 6 and "·" not in parts else "·"

    def reason(self, index: Index) -> str:
        """`= a[1, 0] + b[2] = 20 + 3 = 23`."""
        places = self.places[index]
        named = f" {self.op} ".join(o.at(place) for o, place in zip(self.operands, places, strict=True))
        if index not in self.values:
            return f"= {named}"
        texts = [o.text(place) for o, place in zip(self.operands, places, strict=True)]
        plain = f" {self.op} ".join(f"({t})" if t.startswith("-") else t for t in texts)
        return f"= {named} = {plain} = {short(self.values[index])}"

    # -- blocks ------------------------------------------------------------------------------------

    def sides(self) -> list[Panel]:
        """Each operand as wide as the result, with what is stretched drawn as ghosts."""
        return [self.side(k) for k in range(len(self.operands))]

    def side(self, k: int, caption: tuple[Line, ...] = ()) -> Panel:
        operand = self.operands[k]
        cells = {index: self.side_cell(k, index) for index in self.window.indices()}
        lead = len(self.size) - len(operand.size)
        stretched = self.stretched(operand)
        stride = tuple(0 if d in stretched or d < lead else operand.stride[d - lead] for d in range(len(self.size)))
        fact = (
            f"stride {shape_text(stride)}"
            if operand.size == self.size
            else f"read as {shape_text(self.size)}, stride {shape_text(stride)}"
        )
        if operand.kind == "number":
            fact = "one number, read each time"
        small = bool(caption) or not self.window.whole
        caption = caption or ((bold(operand.label), f" {shape_text(operand.size)}"), fact)
        return panel(caption, self.window, cells, tuple(range(len(self.size))), small=small)

    def result(self, caption: tuple[Line, ...] = ()) -> Panel:
        cells = {index: self.result_cell(index) for index in self.window.indices()}
        kind = f", {self.meeting.name}" if isinstance(self.meeting, Meeting) else ""
        small = bool(caption) or not self.window.whole
        fact = "refused, as is said below" if self.refused else f"a storage of its own{kind}"
        caption = caption or ((bold(self.name), f" {shape_text(self.size)}"), fact)
        return panel(caption, self.window, cells, tuple(range(len(self.size))), small=small)

    def sentence(self) -> Sentence:
        if self.hand is None:
            return Sentence(self.name, f"size {shape_text(self.size)}: no element, nothing to compute", self.cost())
        return Sentence(f"{self.name}{index_text(self.hand)}", self.reason(self.hand), self.cost())

    def cost(self) -> str:
        """What is read, what is only seen, what is new; in bytes where the operands have types."""
        arrays = [o for o in self.operands if o.kind != "number"]
        read = sum(o.numel for o in arrays)
        total = prod(self.size)
        if not total:
            return "An axis of size 0 has no place for a 1 to stretch to." if any(o.numel for o in arrays) else ""
        ghosts = len(arrays) * total - read
        typed = all(o.kind == "array" for o in arrays)
        size = f" ({count(sum(o.numel * o.itemsize for o in arrays), 'byte')})" if typed and arrays else ""
        said = f"{count(read, 'element')} {'is' if read == 1 else 'are'} read from memory{size}"
        if ghosts:
            said += f"; the {count(ghosts, 'dotted one')} {'costs' if ghosts == 1 else 'cost'} nothing"
        if self.refused:
            return said + "."
        if isinstance(self.meeting, Meeting):
            said += f"; {self.name} is new: {count(total * self.meeting.numpy.itemsize, 'byte')}"
        else:
            said += f"; {self.name} is new: {count(total, 'element')}"
        return said + "."

    def remarks(self) -> list[str]:
        lines = []
        if any(o.kind == "shape" for o in self.operands) and self.window.count:
            lines.append("A shape has no values: its cells show the place of each element in its own storage.")
        if self.refused:
            lines.append(self.refused)
        if isinstance(self.meeting, Reason):
            lines.append(f"The shapes fit; the types do not: {self.meeting.message}.")
        left = self.window.left_out
        if left:
            lines.append(f"{count(left, 'cell')} of each grid {'is' if left == 1 else 'are'} not drawn.")
        return lines


def _refused(operands: Sequence[Operand], things: Sequence[Any]) -> str:
    """Why tensors whose shapes fit are refused all the same: names that differ, or devices."""
    names: Any = ()
    for thing in things:
        names = unify(names, names_of(thing) or (None,) * len(getattr(thing, "shape", ())))
        if isinstance(names, Reason):
            return f"The shapes fit; the names do not: {names.because.rstrip('.')}. show.names draws that."
    # A number on the CPU goes along to any device.
    there = [
        (o.label, o.layout.device)
        for o in operands
        if o.layout is not None and o.library != "NumPy" and (o.size or o.layout.device != "cpu")
    ]
    if len({device for _, device in there}) < 2:
        return ""
    return f"The shapes fit; the devices do not: {', '.join(f'{label} is on {device}' for label, device in there)}."


def corners(size: tuple[int, ...], whole: int) -> Window:
    """All of a small array; of a large one two indices at either end of the last two dimensions, one of the others.

    >>> corners((9, 9), 100).count, corners((99, 99), 100).kept
    (81, ((0, 1, 97, 98), (0, 1, 97, 98)))
    """
    if prod(size) <= whole and (len(size) < 2 or size[-1] <= 16):
        return Window(size, tuple(tuple(range(n)) for n in size))
    dims = len(size)
    most = [(12 if dims == 1 else 4) if d >= dims - 2 else 2 if dims < 5 else 1 for d in range(dims)]
    return Window(size, tuple(edges(n, min(n, keep)) for n, keep in zip(size, most, strict=True)))


def index_letter(k: int) -> str:
    """a, b, .. z, aa, ab: the k-th letter of an index, never one of a storage.

    >>> index_letter(0), index_letter(27)
    ('a', 'bb')
    """
    return letter(k % 26).lower() * (1 + k // 26)


class Scale:
    """Magnitudes as fills, from the smallest of the drawn values to the largest."""

    def __init__(self, values: Sequence[Any]):
        known = [number for number in map(magnitude, values) if number is not None]
        self.low, self.high = min(known, default=0.0), max(known, default=0.0)

    def fill(self, of: Any) -> str:
        number = magnitude(of)
        if number is None:
            return ""
        span = self.high - self.low
        return value((number - self.low) / span if span and isfinite(span) else 0.3)


def magnitude(of: Any) -> float | None:
    """A finite number to scale a colour by, or None: a complex one counts by its distance from 0.

    >>> magnitude(3 + 4j), magnitude(float("nan")), magnitude("x")
    (5.0, None, None)
    """
    try:
        number = float(abs(of) if isinstance(of, complex) else of)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
