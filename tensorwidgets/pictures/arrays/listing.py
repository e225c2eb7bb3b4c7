"""The memory of a list of numbers, and the tensor that it would make, computed without making one.

Sizes are those of CPython on 64 bits; dtypes and errors are PyTorch's.

>>> made = tensor_of([[1, 2], [3, 4.5]])
>>> made.size, made.dtype, made.values
((2, 2), torch.float32, (1, 2, 3, 4.5))
>>> tensor_of([[1, 2], [3]]).message
'expected sequence of length 2 at dim 1 (got 1)'
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...engine.errors.reasons import Reason
from ...engine.types import dtypes
from ...engine.types.dtypes import dtype
from ...engine.types.promotion import dtype_of_number, promote_types

HEADER, SLOT = 56, 8
"""Bytes of an empty list, and of one of its slots: an address."""


class Made(NamedTuple):
    """The tensor that a list would make."""

    size: tuple[int, ...]
    dtype: dtype
    values: tuple[Any, ...]

    @property
    def nbytes(self) -> int:
        return prod(self.size) * self.dtype.itemsize


def is_list(thing: Any) -> bool:
    return isinstance(thing, (list, tuple))


def holds_itself(thing: Any, above: tuple[int, ...] = ()) -> bool:
    """Whether a list contains itself."""
    if not is_list(thing):
        return False
    return id(thing) in above or any(holds_itself(item, (*above, id(thing))) for item in thing)


def leaves(thing: Any) -> Iterator[Any]:
    """The items that are not lists, in reading order."""
    if is_list(thing):
        for item in thing:
            yield from leaves(item)
    else:
        yield thing


def fields_of(item: Any) -> tuple[tuple[str, int], ...]:
    """The fields of a Python object: names and sizes in bytes. The last is the value.

    >>> fields_of(2.5), sum(n for _, n in fields_of(1 << 40))
    ((('refs', 8), ('type', 8), ('', 8)), 32)
    """
    if isinstance(item, float):
        return ("refs", 8), ("type", 8), ("", 8)
    if isinstance(item, int):
        digits = max(1, -(-abs(item).bit_length() // 30))
        return ("refs", 8), ("type", 8), ("size", 8), ("", 4 * digits)
    if isinstance(item, complex):
        return ("refs", 8), ("type", 8), ("", 16)
    if item is None:
        return ("refs", 8), ("type", 8)
    return ("refs", 8), ("type", 8), ("", max(0, sys.getsizeof(item) - 16))


def weight(item: Any) -> int:
    """Bytes of one object, without what it points to."""
    return HEADER + SLOT * len(item) if is_list(item) else sum(n for _, n in fields_of(item))


def objects(thing: Any) -> dict[int, Any]:
    """Every object that a list reaches, once, by identity; in reading order."""
    collected: dict[int, Any] = {}

    def visit(item: Any) -> None:
        if id(item) not in collected:
            collected[id(item)] = item
            for inner in item if is_list(item) else ():
                visit(inner)

    visit(thing)
    return collected


# -- the tensor ------------------------------------------------------------------------------------


def tensor_of(thing: Any, wanted: dtype | None = None) -> Made | Reason:
    """Size, dtype and values of `torch.tensor(thing)`, or its error."""
    sizes: list[int] = []
    inner = thing
    while is_list(inner):
        sizes.append(len(inner))
        if not inner:
            break
        inner = inner[0]
    if isinstance(inner, str) and sizes:
        return _strings()
    result = wanted or _type_of(thing)
    if isinstance(result, Reason):
        return result
    size = tuple(sizes)
    if 0 in size:
        return Made(size, result, ())
    refused = _mismatch(thing, size, 0, result) if size else _no_number(thing, result)
    return refused or Made(size, result, tuple(leaves(thing)))


def _type_of(thing: Any) -> dtype | Reason:
    """The dtype to which all items promote; an empty list counts as floats."""
    if is_list(thing):
        won: dtype | None = None
        for item in thing:
            result = _type_of(item)
            if isinstance(result, Reason):
                return result
            won = result if won is None else promote_types(won, result)
        return won or dtypes.get_default_dtype()
    if isinstance(thing, np.generic):
        native = dtypes.from_numpy_dtype(thing.dtype)
        if native is not None:
            return native
    known = dtype_of_number(thing)
    if known is not None:
        return known
    name = type(thing).__name__
    if isinstance(thing, (str, bytes)):
        return Reason(
            "tensor.item", TypeError, f"new(): invalid data type '{name}'",
            f"A tensor holds numbers, and {thing!r} is not a number.",
            ("float(text), for a string that spells a number",),
        )  # fmt: skip
    return Reason(
        "tensor.item", RuntimeError, f"Could not infer dtype of {name}",
        f"A tensor holds numbers of one type, and an item is of the type {name}.",
        ("float('nan') for a number that is missing",) if thing is None else (),
    )  # fmt: skip


def _strings() -> Reason:
    return Reason(
        "tensor.item", ValueError, "too many dimensions 'str'",
        "Python treats a string as a sequence of letters, and each letter is a string again, without end.",
        ("numbers in place of the strings, such as their places in a sorted list",),
    )  # fmt: skip


def _mismatch(thing: Any, size: tuple[int, ...], dim: int, kind: dtype) -> Reason | None:
    """The first row whose length differs from the first, or a number in place of a row."""
    if not is_list(thing):
        return _no_row(thing, dim)
    if len(thing) != size[dim]:
        return _ragged(thing, size, dim)
    for item in thing:
        if dim + 1 < len(size):
            refused = _mismatch(item, size, dim + 1, kind)
        else:
            refused = _no_number(item, kind)
        if refused is not None:
            return refused
    return None


def _no_number(item: Any, kind: dtype) -> Reason | None:
    if is_list(item):
        whole = kind._kind in (dtypes.BOOL, dtypes.INTEGER)
        name = type(item).__name__
        message = (
            f"'{name}' object cannot be interpreted as an integer" if whole else f"must be real number, not {name}"
        )
        return Reason(
            "tensor.depth", TypeError, message,
            "There is a list where the items before it are numbers; all rows must be nested equally deep.",
            ("brackets around the single numbers as well",),
        )  # fmt: skip
    return _no_room(item, kind) if kind._kind == dtypes.INTEGER and isinstance(item, (int, float)) else None


def _no_room(item: float, kind: dtype) -> Reason | None:
    """A number that a dtype of whole numbers does not hold."""
    whole = isinstance(item, int)
    if kind is dtypes.uint64:
        if whole and 0 <= item < 2**64:
            return None
        message = "can't convert negative int to unsigned" if item < 0 else "int too big to convert"
        return Reason(
            "tensor.overflow", OverflowError if whole else TypeError, message if whole else "an integer is required",
            f"{kind} holds 0 to {2**64 - 1} and is read from whole numbers only, and {item!r} is no such number.",
        )  # fmt: skip
    if isinstance(item, int) and not -(2**63) <= item < 2**63:
        return Reason(
            "tensor.overflow", ValueError, "Overflow when unpacking long long",
            f"{item} needs {item.bit_length() + 1} bits, and int64 has 64.", ("dtype=torch.float64, which rounds it",),
        )  # fmt: skip
    limits = np.iinfo(kind._in_numpy)
    # A whole number below zero is counted from above by types without a sign: -1 is 255 in uint8.
    if (limits.min or -limits.max * whole) <= item <= limits.max:
        return None
    return Reason(
        "tensor.overflow", RuntimeError, f"value cannot be converted to type {kind._name} without overflow",
        f"{kind} holds {limits.min} to {limits.max}, and {item} lies outside.", ("a wider dtype",),
    )  # fmt: skip


def _no_row(item: Any, dim: int) -> Reason:
    return Reason(
        "tensor.depth", TypeError, "not a sequence",
        f"{item!r} is at dim {dim}, where the first row has a list; all rows must be nested equally deep.",
        ("brackets around the single numbers as well",),
    )  # fmt: skip


def _ragged(row: Any, size: tuple[int, ...], dim: int) -> Reason:
    return Reason(
        "tensor.ragged", ValueError, f"expected sequence of length {size[dim]} at dim {dim} (got {len(row)})",
        f"The first row has {size[dim]} items and another has {len(row)}: a tensor is a grid, and its rows are "
        "equally long.",
        ("rows filled up to one length", "a list of one tensor for each row"),
        {"sizes": (size[dim], len(row)), "dim": dim},
    )  # fmt: skip
