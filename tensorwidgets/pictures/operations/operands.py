"""What takes part in an operation: an array of any library, a plain shape, or a number.

>>> a = operand_of((2, 3), "a")
>>> a.size, a.stride, a.text((1, 2)), a.values
((2, 3), (3, 1), '5', None)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from ...engine.geometry import contiguous_stride
from ..arrays.labels import atom, named
from ..arrays.layout import WHOLE, Layout
from ..arrays.sources import is_array, must_have_a_size
from ..arrays.special_kinds import is_quantized
from ..arrays.storages import Storage, letter, storage_of, storages_of
from ..arrays.values import in_cell
from ..arrays.window import Window

Index = tuple[int, ...]


@dataclass(frozen=True)
class Operand:
    """One side of an operation. A shape has no values; its cells show where they lie in their own storage."""

    label: str
    size: tuple[int, ...]
    stride: tuple[int, ...]
    kind: str
    """array, shape or number"""
    dtype: str = ""
    library: str = ""
    itemsize: int = 0
    layout: Layout | None = None
    values: Mapping[Index, Any] | None = None
    """Those that are drawn; None if there are none to read."""

    @property
    def numel(self) -> int:
        return prod(self.size)

    def offset(self, index: Index) -> int:
        """From the first element, in the unit of the strides."""
        return sum(i * s for i, s in zip(index, self.stride, strict=True))

    def text(self, index: Index) -> str:
        """The text in the cell of an element."""
        if self.values is not None and index in self.values:
            return in_cell(self.values[index])
        return str(self.offset(index)) if self.kind == "shape" else "·"

    def at(self, index: Index) -> str:
        """An element by name: `a[1, 0]`, or `a` where there are no dimensions."""
        return f"{atom(self.label)}[{', '.join(map(str, index))}]" if index else self.label


def is_shape(thing: Any) -> bool:
    """A tuple of sizes, also torch.Size."""
    return isinstance(thing, tuple) and all(type(n) is int for n in thing)


def operand_of(thing: Any, label: str, whole: int = WHOLE) -> Operand:
    """The operand that a thing is; TypeError from `Layout` if it is not one. At most `whole` elements are read."""
    if is_shape(thing):
        if any(n < 0 for n in thing):
            raise ValueError(f"a size is 0 or more, and this shape has another: {thing}")
        return Operand(label, tuple(thing), contiguous_stride(tuple(thing)), "shape")
    if type(thing) in (bool, int, float, complex):
        return Operand(label, (), (), "number", type(thing).__name__, "Python", values={(): thing})
    if is_array(thing):
        must_have_a_size(thing)
        if is_quantized(thing):
            thing = thing.dequantize()
        for name in ("resolve_conj", "resolve_neg"):  # the numbers that are read, not those that are stored
            thing = getattr(thing, name, lambda same=thing: same)()
    layout = Layout.of(thing, whole)
    values = None if layout.values is None else dict(zip(layout.window.indices(), layout.values, strict=True))
    if layout.masked is not None and any(layout.masked):
        values = None  # a number that is masked counts in no sum
    return Operand(
        label, layout.size, layout.stride, "array", layout.dtype, layout.library, layout.itemsize, layout, values
    )


def operands_of(things: Sequence[Any], labels: Sequence[str]) -> list[Operand]:
    """Operands under their labels; a shape that was written into the call is called A, B, C."""
    return [operand_of(thing, name) for thing, name in zip(things, operand_names(things, labels), strict=True)]


def operand_names(things: Sequence[Any], labels: Sequence[str]) -> tuple[str, ...]:
    """The labels, with a letter for each shape that was written into the call."""
    pairs = zip(things, labels, strict=True)
    return named([None if is_shape(thing) and label.startswith("(") else label for thing, label in pairs])


def reading(operand: Operand, thing: Any, kept: Sequence[Sequence[int]]) -> Operand:
    """The operand with the values at the kept indices of each dimension, which need not be its own edges."""
    window = Window(operand.size, tuple(tuple(k) for k in kept))
    if operand.layout is None or operand.layout.window.whole or operand.values is None:
        return operand
    layout = Layout.of(thing, window=window)
    assert layout.values is not None
    return replace(operand, layout=layout, values=dict(zip(window.indices(), layout.values, strict=True)))


@dataclass(frozen=True)
class Keys:
    """The storage classes of an operand's elements, under the letter of its storage."""

    operand: Operand
    letter: str
    storage: Storage | None

    def of(self, index: Index) -> str:
        """`k-A9`; nothing for a number, which lies in no storage."""
        if not self.letter:
            return ""
        if self.storage is None or self.operand.layout is None:
            return f"k-{self.letter}{self.operand.offset(index)}"
        return self.storage.keys(self.operand.layout, index).replace(f"k-{self.storage.letter}", f"k-{self.letter}")


def keys_of(operands: Sequence[Operand]) -> list[Keys]:
    """Storages lettered by first appearance: arrays that share memory share a letter, a shape has its own.

    >>> [keys.of((1,)) for keys in keys_of([operand_of((3,), "a"), operand_of((3,), "b")])]
    ['k-A1', 'k-B1']
    """
    storages = storages_of([o.layout for o in operands if o.layout is not None])
    names: dict[int, str] = {}
    keys = []
    for k, operand in enumerate(operands):
        storage = None if operand.layout is None else storage_of(operand.layout, storages)
        name = ""
        if operand.kind != "number":
            name = names.setdefault(-1 - k if storage is None else storages.index(storage), letter(len(names)))
        keys.append(Keys(operand, name, storage))
    return keys
