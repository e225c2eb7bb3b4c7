"""Einsum: the letters, their loops, and which cells meet. `show.einsum("ij,jk->ik", A, B)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....engine.errors.reasons import Reason
from ....engine.types.einsum_equation import Plan, fit, parse
from ...arrays.values import count
from ...drawing.picture import Picture
from ...drawing.scene import Block, Note, Title
from ..operands import Operand, operands_of
from .drawn import Drawn
from .refusal import refusal_picture


def einsum_picture(equation: str, things: Sequence[Any], labels: Sequence[str]) -> Picture:
    """The picture of `show.einsum`; an equation that is refused is drawn with the reason and a way out."""
    if not isinstance(equation, str):
        raise TypeError("show.einsum() takes the equation first: show.einsum('ij,jk->ik', A, B)")
    if not things:
        raise TypeError(f"show.einsum() takes an operand for each group of letters: show.einsum({equation!r}, x)")
    operands = operands_of(things, labels)
    plan = fit(parse(equation, [len(o.size) for o in operands]), [o.size for o in operands])
    if isinstance(plan, Plan) and numpy_only(operands):
        plan = as_numpy_has_it(plan)
    if isinstance(plan, Reason):
        return refusal_picture(equation, operands, things, plan)
    meet = Drawn(plan, operands, things)
    head = f"einsum('{equation}', {', '.join(o.label for o in operands)})"
    blocks: list[Block] = [Title(head, meet.size_up() if len(head) < 60 else ""), *meet.explained()]
    blocks += [*meet.sum_so_far(), meet.sentence(), *meet.order()]
    blocks += [Note(line) for line in meet.remarks()]
    return Picture(blocks)


def numpy_only(operands: Sequence[Operand]) -> bool:
    """Whether NumPy would be asked."""
    arrays = [o for o in operands if o.kind == "array"]
    return bool(arrays) and all(o.library == "NumPy" for o in arrays)


def as_numpy_has_it(plan: Plan) -> Plan | Reason:
    """NumPy wants `...` in the output wherever it covers something; PyTorch sums what it covers."""
    lost = [name for name in plan.rest if name not in plan.output]
    if not lost:
        return plan
    return Reason(
        "einsum.numpy_ellipsis", ValueError,
        "output has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to "
        "broadcast the extra dimensions.",
        f"... covers {count(len(lost), 'dimension')} and is not after the arrow: NumPy refuses that, PyTorch "
        "sums over them.",
        (f"->...{''.join(plan.equation.output)} keeps what ... covers", "letters in place of ... sum over it"),
        {"letters": tuple(lost)},
    )  # fmt: skip
