"""Derivatives of losses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....declaring import differentiate

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor


def squared(grad: Tensor, input: Tensor, target: Tensor, reduction: int = 1) -> Any:
    """The gradient of the squared difference."""
    slope = (input - target) * 2
    if reduction == 1:
        slope = slope / input.numel()
    return slope * grad


differentiate(
    "_nn.mse_loss",
    node="MseLossBackward0",
    input=squared,
    target=lambda grad, input, target, reduction=1: -squared(grad, input, target, reduction),
)
