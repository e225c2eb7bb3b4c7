"""What becomes of dimension names: how they unify, contract, move and clash. Tuples in, tuples or a `Reason` out.

Types and messages are those of PyTorch 2.12, the last that had names. None is a dimension without a name.

>>> unify(("batch", None), ("channel",))
('batch', 'channel')
>>> unify(("batch", "feature"), ("batch", "time")).facts["names"]
('feature', 'time')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..engine.reasons import Reason

Names = tuple[str | None, ...]
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def listed(names: Sequence[str | None]) -> str:
    """As PyTorch prints names in its messages.

    >>> listed(("a", None))
    "['a', None]"
    """
    return "[" + ", ".join(_quoted(name) for name in names) + "]"


def _quoted(name: str | None) -> str:
    return "None" if name is None else f"'{name}'"


def checked(names: Sequence[object], ndim: int) -> Names | Reason:
    """The names of a tensor of `ndim` dimensions, if they may be its names."""
    known: list[str | None] = []
    for name in names:
        if name is not None and not isinstance(name, str):
            return Reason(
                "names.type", TypeError, f"expected None or string for Dimname but got {type(name).__name__}",
                f"A name is a word or None, and {name!r} is neither.",
            )  # fmt: skip
        if name == "*":
            name = None
        if name is not None and not _IDENTIFIER.fullmatch(name):
            return _no_identifier(name)
        known.append(name)
    if len(known) != ndim:
        return Reason(
            "names.count", RuntimeError,
            f"Number of names ({len(known)}) and number of dimensions in tensor ({ndim}) do not match. Attempted to "
            f"create a tensor with names {listed(known)}",
            f"{len(known)} names for {ndim} dimensions: each dimension has one, or None.",
            ("None for a dimension that has no name",), {"names": tuple(known), "dims": ndim},
        )  # fmt: skip
    return _no_doubles(tuple(known)) or tuple(known)


def _no_identifier(name: str) -> Reason:
    return Reason(
        "names.identifier", RuntimeError,
        "Invalid name: a valid identifier contains only digits, alphabetical characters, and/or underscore and "
        f"starts with a non-digit. got: '{name}'.",
        f"'{name}' is no word that could stand in code.",
        ("letters, digits and underscores, no digit in front",), {"name": name},
    )  # fmt: skip


def _no_doubles(names: Names) -> Reason | None:
    double = next((name for k, name in enumerate(names) if name is not None and name in names[:k]), None)
    if double is None:
        return None
    return Reason(
        "names.double", RuntimeError,
        f"Cannot construct a tensor with duplicate names. Got names: {listed(names)}.",
        f"'{double}' would name {names.count(double)} dimensions, and then no longer say which.",
        ("a name of its own for each dimension",), {"name": double, "names": names},
    )  # fmt: skip


def unify(one: Names, other: Names) -> Names | Reason:
    """The names of a sum: lined up from the right, equal names stay, a name wins over none, others clash."""
    width = max(len(one), len(other))
    left: Names = (None,) * (width - len(one)) + one
    right: Names = (None,) * (width - len(other)) + other
    out: list[str | None] = []
    for k in reversed(range(width)):
        a, b = left[k], right[k]
        if a is not None and b is not None and a != b:
            return _clash(one, other, a, b, k - width)
        for name, mine, yours in ((a, one, other), (b, other, one)):
            if name is not None and (a is None or b is None) and name in yours:
                return _misaligned(mine, yours, name, k - width)
        out.append(a if a is not None else b)
    return tuple(reversed(out))


def _clash(one: Names, other: Names, a: str, b: str, axis: int) -> Reason:
    return Reason(
        "names.clash", RuntimeError,
        f"Error when attempting to broadcast dims {listed(one)} and dims {listed(other)}: dim '{a}' and dim '{b}' are "
        "at the same position from the right but do not match.",
        f"Lined up from the right, '{a}' meets '{b}' in dim {axis}: two names that are not the same thing.",
        facts={"names": (a, b), "from_end": axis},
    )  # fmt: skip


def _misaligned(mine: Names, yours: Names, name: str, axis: int) -> Reason:
    return Reason(
        "names.misaligned", RuntimeError,
        f"Misaligned dims when attempting to broadcast dims {listed(mine)} and dims {listed(yours)}: dim '{name}' "
        "appears in a different position from the right across both lists.",
        f"'{name}' is dim {axis} of one and dim {yours.index(name) - len(yours)} of the other.",
        facts={"names": (name, name), "from_end": axis, "name": name},
    )  # fmt: skip


def matmul(one: Names, other: Names) -> Names | Reason:
    """The names of a matrix product. The two that are summed away are not compared: only their sizes are.

    >>> matmul(("batch", "feature"), ("time", "out"))
    ('batch', 'out')
    """
    lead: list[str | None] = []
    for back in range(max(len(one), len(other)), 2, -1):
        a = one[-back] if back <= len(one) else None
        b = other[-back] if back <= len(other) else None
        if back <= len(one) and back <= len(other) and a != b:
            if a is not None and b is not None:
                return _batches_differ(one, other, back)
            if (b is not None and b in one) or (a is not None and a in other):
                return _batch_elsewhere(one, other, back)
        lead.append(a if a is not None else b)
    rows, columns = one[-2:-1], other[-1:] if len(other) > 1 else ()
    out = (*lead, *rows, *columns)
    if rows and rows == columns and rows[0] is not None:
        return _double_product(one, other, out)
    return out


def _batches_differ(one: Names, other: Names, back: int) -> Reason:
    a, b = one[-back], other[-back]
    return Reason(
        "names.clash", RuntimeError,
        f"matmul: Expected '{a}' (index {len(one) - back} of {listed(one)}) to match '{b}' (index {len(other) - back} "
        f"of {listed(other)}) but they do not match.",
        f"The dimensions in front of the matrices are lined up, and '{a}' meets '{b}'.",
        facts={"names": (a, b), "from_end": -back},
    )  # fmt: skip


def _batch_elsewhere(one: Names, other: Names, back: int) -> Reason:
    (name, mine), (_, yours) = sorted(((one[-back], one), (other[-back], other)), key=lambda pair: pair[0] is None)
    return Reason(
        "names.misaligned", RuntimeError,
        f"matmul: Cannot match '{name}' (index {len(mine) - back} of {listed(mine)}) with None (index "
        f"{len(yours) - back} of {listed(yours)}) because the latter names already have '{name}'. Are your tensors "
        "misaligned?",
        f"'{name}' meets a dimension without a name, and the other tensor has '{name}' in another place.",
        facts={"names": (name, name), "from_end": -back, "name": name},
    )  # fmt: skip


def _double_product(one: Names, other: Names, out: Names) -> Reason:
    return Reason(
        "names.double_product", RuntimeError,
        f"Matrix multiplying Tensor{listed(one)} with Tensor{listed(other)} would produce output tensor with "
        f"duplicate names {listed(out)}. Please rename the input tensors with `Tensor.rename` to prevent this.",
        f"Rows and columns of the product would both be called '{out[-1]}'.",
        facts={"names": (out[-1], out[-1]), "name": out[-1]},
    )  # fmt: skip


class Aligned(NamedTuple):
    """Names in a new order, and for each where it stood before: None for a new dimension of size 1."""

    names: Names
    order: tuple[int | None, ...]


def align_to(names: Names, wanted: Sequence[str | None]) -> Aligned | Reason:
    """The dimensions in the wanted order; `...` stands for those that are not mentioned.

    >>> align_to(("batch", "channel", "width"), ("width", "...", "time"))
    Aligned(names=('width', 'batch', 'channel', 'time'), order=(2, 0, 1, None))
    """
    listed_names = tuple(wanted)
    for name in listed_names:
        if name is not None and name != "..." and not _IDENTIFIER.fullmatch(name):
            return _no_identifier(name)
    dots = listed_names.count("...")
    if dots > 1:
        return _second_rest(listed_names)
    if dots:
        rest = tuple(name for name in names if name is None or name not in listed_names)
        at = listed_names.index("...")
        order_names = listed_names[:at] + rest + listed_names[at + 1 :]
    else:
        order_names = listed_names
        for k, name in enumerate(names):
            if name is None:
                return _unnamed(names, k)
            if name not in order_names:
                return _lost(name, order_names)
    double = _no_doubles(order_names)
    if double is not None:
        return double
    spare = [k for k, name in enumerate(names) if name is None]
    order = tuple(
        spare.pop(0) if name is None else names.index(name) if name in names else None for name in order_names
    )
    return Aligned(order_names, order)


def _second_rest(wanted: Names) -> Reason:
    return Reason(
        "names.ellipsis", RuntimeError,
        f"align_to: More than one Ellipsis ('...') found in names ({wanted}). This function supports up to one "
        "Ellipsis.",
        "... stands for all dimensions that are not mentioned, so there is one of it.", ("one ...",),
    )  # fmt: skip


def _unnamed(names: Names, at: int) -> Reason:
    return Reason(
        "names.unnamed", RuntimeError,
        f"align_to: All input dims must be named. Found unnamed dim at index {at} of Tensor{listed(names)}",
        f"Dimension {at} has no name, so nothing says where it is to go.",
        ("x.refine_names(...) gives names to dimensions that have none",), {"dim": at},
    )  # fmt: skip


def _lost(name: str | None, wanted: Names) -> Reason:
    return Reason(
        "names.lost", RuntimeError,
        f"align_to: Cannot find dim {_quoted(name)} from Tensor{listed(wanted)} in desired alignment {listed(wanted)}.",
        f"{_quoted(name)} is not mentioned, and align_to drops no dimension.",
        ("'...' among the names stands for the others",), {"name": name},
    )  # fmt: skip
