"""sum_to_size: the inverse of broadcasting, as gradients need it."""

from __future__ import annotations

from typing import Any

from ... import geometry
from ...declare.by_signature import spread
from ...declare.rules import composite_row
from ...dispatch.registry import OPS
from ...errors.reasons import Reason, refuse
from ...tensor.tensor import Tensor


@composite_row(
    "sum_to_size",
    "Sums over the dimensions in which a tensor of the given size would be expanded.",
    forms="method",
    family="reduction",
    category="other",
)
def sum_to_size(input: Tensor, *size: Any, **named: Any) -> Tensor:
    wanted = spread("sum_to_size", size, named, "size")
    shape = input._array.shape
    if isinstance(geometry.expand(geometry.contiguous(wanted), shape), Reason) or -1 in wanted:
        refuse(
            RuntimeError,
            f"size {{{list(wanted)}}} is not expandable to size {{{list(shape)}}}.",
            "only dimensions that broadcasting can expand may be summed",
            rule="sum.size",
            size=wanted,
            own=shape,
        )
    if wanted == shape and shape:
        return input
    if not wanted:
        return OPS["sum"].function(input)
    first = len(shape) - len(wanted)
    summed = [*range(first), *[first + d for d, n in enumerate(wanted) if n == 1 != shape[first + d]]]
    total = OPS["sum"].function(input, summed, True)
    return OPS["view"].function(total, wanted) if first else total


__all__ = ["sum_to_size"]
