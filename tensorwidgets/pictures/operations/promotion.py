"""Promotion: in which type numbers meet, as a lattice and as a table. `show.promotion("int32", "float16")`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...engine.errors.reasons import Reason
from ...engine.types import dtypes
from ...engine.types.dtypes import BOOL, COMPLEX, FLOAT, INTEGER, dtype
from ...engine.types.promotion import combine, dtype_of_number, promote_types
from ..arrays.layout import Layout
from ..arrays.sources import is_array
from ..drawing.picture import Picture
from ..drawing.scene import Block, Gap, Heading, Note, Sentence, Title
from ..parts.lattice import APART, KINDS, Lattice, Triangle, way
from .broadcast.clash import refusal

RANKS = ("type", "tensor", "scalar", "number")
"""A dtype by itself, a tensor with dimensions, one without, a Python number: the first two outrank the others."""
_WORDS = {"tensor": "has dimensions", "scalar": "has none", "number": "is a Python number"}


class Side(NamedTuple):
    """One of those that meet."""

    label: str
    dtype: dtype
    rank: str
    numpy: Any = None
    """What NumPy would be asked with, if it is NumPy's."""


def promotion_picture(things: Sequence[Any], labels: Sequence[str]) -> Picture:
    """The picture of `show.promotion`; types that do not meet are drawn with the reason."""
    sides = [side_of(thing, label) for thing, label in zip(things, labels, strict=True)]
    if len(sides) < 2:
        return _all(sides)
    head = " and ".join(s.dtype._name if s.rank == "type" else f"{s.label} ({s.dtype._name})" for s in sides)
    won = meet(sides)
    types = list(dict.fromkeys(s.dtype for s in sides))
    if isinstance(won, Reason):
        blocks: list[Block] = [Title(head, "do not meet"), Lattice(refused=tuple(types))]
        blocks.append(refusal(won, " + ".join(s.dtype._name for s in sides)))
        return Picture([*blocks, Note("Instead: " + "; or ".join(won.instead) + ".", top=12)])
    ways = tuple(result for d in types if (result := way(d, won)))
    blocks = [Title(head, _meet_in(sides, won)), Lattice(ways, won)]
    blocks.append(
        Sentence(f"{' + '.join(s.dtype._name for s in sides)} -> {won._name}", why(sides, won), lost(types, won))
    )
    blocks += [Note(line) for line in _numpy(sides, won)]
    if len(types) == 2 and not set(types) & set(APART):
        blocks += [Heading("All pairs", 20), Triangle(tuple(types))]
    return Picture(blocks)


def _meet_in(sides: Sequence[Side], won: dtype) -> str:
    """Where types meet; for NumPy's arrays also where NumPy has them meet, if that is elsewhere."""
    numpys = numpy_answer(sides)
    if numpys in ("", won._name) or not any(side.numpy is not None and side.rank != "number" for side in sides):
        return f"meet in {won._name}"
    return f"meet in {numpys} in NumPy, in {won._name} in PyTorch"


def _all(sides: Sequence[Side]) -> Picture:
    one = sides[0].dtype if sides else None
    blocks: list[Block] = [
        Title("In which type numbers meet", one._name if one else "wider types are higher up"),
        Lattice(result=one),
    ]
    said = "two types meet in the first that both can be raised to"
    after = "Kinds come before sizes: bool, integer, float, complex. Within a kind the wider wins."
    return Picture([*blocks, Sentence("promotion", said, after), Gap(16), Triangle()])


def side_of(thing: Any, label: str) -> Side:
    """A dtype of any library, its name, an array, a number, or a type of Python's numbers."""
    if isinstance(thing, dtype):
        return Side(thing._name, thing, "type")
    if isinstance(thing, type) and thing in (bool, int, float, complex):
        result = dtype_of_number(thing())
        assert result is not None
        return Side(thing.__name__, result, "number", thing())
    if type(thing) in (bool, int, float, complex):
        result = dtype_of_number(thing)
        assert result is not None
        return Side(label, result, "number", thing)
    if is_array(thing) or isinstance(thing, np.generic):
        layout = Layout.of(thing)
        native = np.dtype(thing.dtype) if layout.library == "NumPy" else None
        return Side(label, _known(layout.dtype), "tensor" if layout.size else "scalar", native)
    native = _numpy_dtype(thing)
    name = thing if isinstance(thing, str) else native.name if native is not None else str(thing)
    return Side(str(name), _known(str(name)), "type", None if isinstance(thing, str) else native)


def _numpy_dtype(thing: Any) -> np.dtype | None:
    """A dtype or scalar class of NumPy's, which say what they are called in ways of their own."""
    if isinstance(thing, np.dtype) or (isinstance(thing, type) and issubclass(thing, np.generic)):
        return np.dtype(thing)
    return None


def _known(name: str) -> dtype:
    result = dtypes.BY_NAME.get(name.rpartition(".")[2].partition(" ")[0])
    if result is None:
        raise TypeError(f"show.promotion takes dtypes, arrays and numbers, and {name!r} is not a dtype of PyTorch")
    return result


def meet(sides: Sequence[Side]) -> dtype | Reason:
    """The type of the result: by rank first, within a rank by the lattice."""
    ranks: list[dtype | None] = []
    try:
        for names in (("type", "tensor"), ("scalar",), ("number",)):
            won: dtype | None = None
            for side in sides:
                if side.rank in names:
                    won = side.dtype if won is None else promote_types(won, side.dtype)
            ranks.append(won)
        return combine(*ranks)
    except RuntimeError as refused:
        reason = getattr(refused, "reason", None)
        if not isinstance(reason, Reason):
            raise
        return reason


def why(sides: Sequence[Side], won: dtype) -> str:
    """The rule that decided, in one sentence."""
    ranks = {side.rank for side in sides}
    if len(ranks & {"tensor", "scalar", "number"}) > 1 or ("type" in ranks and len(ranks) > 1):
        high = next(side for side in sorted(sides, key=lambda s: RANKS.index(s.rank)))
        low = next(side for side in sides if side.rank != high.rank)
        lead = f"{high.label} {_WORDS.get(high.rank, 'is a type')}, {low.label} {_WORDS.get(low.rank, 'is a type')}"
        if low.dtype._kind <= high.dtype._kind:
            return f"{lead}: the lower rank counts only by a higher kind, so {high.label} decides"
        return f"{lead}: but {low.label} is of the higher kind, and the result is {won._name}"
    types = list(dict.fromkeys(side.dtype for side in sides))
    if len(types) == 1:
        return "the same type on both sides"
    kinds = {d._kind for d in types}
    if len(kinds) > 1:
        return _kinds_differ(types, won)
    if won not in types:
        return f"neither holds the other: {won._name} is the first that holds both"
    return f"the same kind, {KINDS[won._kind][1]}, and {won._name} is the wider"


def _kinds_differ(types: Sequence[dtype], won: dtype) -> str:
    high = max(types, key=lambda d: d._kind)
    low = min(types, key=lambda d: d._kind)
    if won is not high:
        return f"complex outranks float, and its parts take the wider float: {won.to_real()._name}"
    article = {BOOL: "a bool", INTEGER: "an integer", FLOAT: "a float", COMPLEX: "a complex number"}
    size = ", whatever its size" if low.itemsize >= high.itemsize and low._kind == INTEGER else ""
    return f"{article[high._kind]} outranks {article[low._kind]}{size}"


DIGITS = {
    "float16": 11,
    "bfloat16": 8,
    "float32": 24,
    "float64": 53,
    "complex32": 11,
    "complex64": 24,
    "complex128": 53,
}
"""Binary digits that a float's mantissa holds, the first included; of a complex number, each part's."""


def lost(types: Sequence[dtype], won: dtype) -> str:
    """Which of the operands do not survive unharmed.

    >>> lost([dtypes.int64, dtypes.float32], dtypes.float32)
    'Not every int64 is exact in float32: it keeps 24 binary digits, and int64 has up to 63.'
    """
    lines = []
    for d in types:
        own, kept = _digits(d), _digits(won)
        if own > kept:
            keeps = f"it keeps {kept} binary digits, and {d._name} has up to {own}"
            lines.append(f"Not every {d._name} is exact in {won._name}: {keeps}.")
        if won.to_real() is dtypes.float16 and (
            d._kind == INTEGER and d.itemsize > 2 or d in (dtypes.float32, dtypes.float64)
        ):
            lines.append("float16 ends at 65,504.")
    return " ".join(dict.fromkeys(lines)) or "Nothing is lost: it holds every value of both."


def _digits(d: dtype) -> int:
    return DIGITS.get(d._name, 8 if d._kind == FLOAT else 1 if d._kind == BOOL else d.itemsize * 8 - d.is_signed)


def numpy_answer(sides: Sequence[Side]) -> str:
    """The type in which NumPy has them meet; nothing where it lacks one of them."""
    if any(s.dtype in APART or s.dtype is dtypes.bfloat16 or s.dtype is dtypes.complex32 for s in sides):
        return ""
    return np.result_type(*(s.numpy if s.numpy is not None else s.dtype._in_numpy for s in sides)).name


def _numpy(sides: Sequence[Side], won: dtype) -> list[str]:
    """NumPy's answer where it is another."""
    result = numpy_answer(sides)
    return [] if result in ("", won._name) else [f"This is PyTorch's rule; NumPy gives {result}."]
