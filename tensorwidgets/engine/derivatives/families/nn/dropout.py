"""The derivative of dropout that also returns what it kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...declaring import differentiate, real_alone

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


def _of_dropped(grad: Tensor, result1: Tensor, p: float, train: bool | None = None) -> Any:
    """The gradient of what is kept, by the factor of training; without a word about training there is none."""
    scale = 1.0 if not train else 0.0 if p == 1 else 1 / (1 - p)
    return grad * (result1.type_as(grad) * scale)


real_alone("native_dropout")
differentiate("native_dropout", results=(0,), input=_of_dropped)
