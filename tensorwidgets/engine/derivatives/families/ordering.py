"""Orders: sort, topk and others. The gradient goes back to where an element came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..declaring import differentiate, not_differentiable, parts
from ..reduced import into_places

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor


def back(grad: Tensor, result1: Tensor, input_shape: tuple[int, ...], dim: int = -1) -> Any:
    """The gradient at the places that the elements came from."""
    return into_places(grad, result1, input_shape, dim, True)


differentiate("sort", node="SortBackward1", when=lambda call: "stable" in call, input=back)
differentiate("sort", node="SortBackward0", input=back)
differentiate("topk", input=back)


@parts("msort")
def msort(input: Tensor) -> Any:
    """sort along the first dimension"""
    return input.sort(0)[0]


not_differentiable("argsort searchsorted bucketize")
