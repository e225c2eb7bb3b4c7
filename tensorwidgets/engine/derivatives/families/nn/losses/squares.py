"""Derivatives of losses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....declaring import differentiate
from ....ops import torch

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor


def difference(a: Tensor, b: Tensor) -> Any:
    """a - b, where booleans count as 0 and 1."""
    return (a.to(b.dtype) if a.dtype is torch.bool else a) - (b.to(a.dtype) if b.dtype is torch.bool else b)


def squared(grad: Tensor, input: Tensor, target: Tensor, reduction: int = 1) -> Any:
    """The gradient of the squared difference."""
    slope = difference(input, target) * 2
    if reduction == 1:
        slope = slope / input.numel()
    return slope * grad


differentiate(
    "_nn.mse_loss",
    node="MseLossBackward0",
    input=squared,
    target=lambda grad, input, target, reduction=1: -squared(grad, input, target, reduction),
)
