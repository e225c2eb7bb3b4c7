"""The dtype of a result, and its values: overflow wraps, as in the arrays themselves.

>>> from tensorwidgets.pictures.operations.operands import operand_of
>>> import numpy as np
>>> sides = [operand_of(np.uint8([200]), "a"), operand_of(np.uint8([100]), "b")]
>>> kind = meeting_type(sides)
>>> kind.name, met(sides, kind, [((0,), (0,))]), met(sides, kind, [((0,), (0,))], "-")
('uint8', [44], [100])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from ...engine.errors.reasons import Reason
from ...engine.types import dtypes, promotion
from .operands import Index, Operand

OPS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.true_divide}
"""The operators between operands, and their arithmetic."""


class Meeting(NamedTuple):
    """The type of a result, and the NumPy type that carries it."""

    name: str
    numpy: np.dtype


def meeting_type(operands: Sequence[Operand], op: str = "+") -> Meeting | Reason | None:
    """By NumPy's rules if all arrays are NumPy's, otherwise by PyTorch's; None if no operand has values.

    Division gives floats, whatever it divides.
    """
    arrays = [o for o in operands if o.kind == "array"]
    if not arrays or any(o.kind == "shape" for o in operands) or any(o.values is None for o in arrays):
        return None
    try:
        if all(o.library == "NumPy" for o in arrays):
            weak = [o.values[()] if o.kind == "number" else numpy_type(o) for o in operands if o.values is not None]
            result = np.result_type(*weak)
            if op == "/":
                result = np.true_divide(result.type(1), result.type(1)).dtype
            return Meeting(result.name, result)
        won = promotion.combine(*(_highest(operands, rank) for rank in ("dimensioned", "zero", "number")))
        if op == "/" and not (won.is_floating_point or won.is_complex):
            won = dtypes.get_default_dtype()
        return Meeting(won._name, won._in_numpy)
    except (KeyError, TypeError, ValueError, RuntimeError, AttributeError) as refused:
        reason = getattr(refused, "reason", None)
        return reason if isinstance(reason, Reason) else None


def numpy_type(operand: Operand) -> np.dtype:
    """The NumPy type behind a name such as float32, bfloat16 or `int16 big-endian`; TypeError if there is none."""
    name, _, order = operand.dtype.partition(" ")
    known = dtypes.BY_NAME.get(name)
    result = np.dtype(name) if known is None else known._in_numpy
    return result.newbyteorder(">") if order else result


def _highest(operands: Sequence[Operand], rank: str) -> dtypes.dtype | None:
    won: dtypes.dtype | None = None
    for o in operands:
        mine = "number" if o.kind == "number" else "dimensioned" if o.size else "zero"
        if mine != rank:
            continue
        kind = promotion.dtype_of_number(o.values[()]) if o.kind == "number" and o.values else dtypes.BY_NAME[o.dtype]
        if kind is not None:
            won = kind if won is None else promotion.promote_types(won, kind)
    return won


def met(
    operands: Sequence[Operand], meeting: Meeting, places: Sequence[Sequence[Index]], op: str = "+"
) -> list[Any] | None:
    """The result at each place, which contains an index of each operand; None if it cannot be computed."""
    try:
        with np.errstate(all="ignore"):
            sides = [_column(operand, [place[k] for place in places]) for k, operand in enumerate(operands)]
            total = reduce(OPS[op], [side.astype(meeting.numpy) for side in sides])
            return [v if isinstance(v, (bool, int, complex)) else float(v) for v in total.tolist()]
    except (TypeError, ValueError, OverflowError, KeyError):
        return None


def _column(operand: Operand, places: Sequence[Index]) -> np.ndarray:
    values = operand.values or {}
    return np.array([values[place] for place in places], None if operand.kind == "number" else numpy_type(operand))
