"""Derivatives of losses of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....declaring import constant, differentiate
from ....ops import torch

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor

_nn = torch._nn


def _of_images(call: dict) -> bool:
    return call["input"].dim() > 2


constant("_nn.nll_loss", "nll_loss2d_forward", "weight", when=_of_images)
constant("_nn.nll_loss", "nll_loss_forward", "weight")
for _node, _when in (("NllLoss2DBackward0", _of_images), ("NllLossBackward0", None)):
    differentiate(
        "_nn.nll_loss",
        node=_node,
        when=_when,
        input=lambda grad, input, target, weight=None, reduction=1, ignore_index=-100: _nn.nll_loss_backward(
            grad, input, target, weight, reduction, ignore_index
        ),
    )


def _nothing(grad: Tensor) -> Any:
    return torch.zeros_like(grad)


for _node, _when in (("NllLoss2DBackwardBackward0", _of_images), ("NllLossBackwardBackward0", None)):
    differentiate(
        "_nn.nll_loss_backward",
        node=_node,
        when=_when,
        grad_output=lambda grad, target, weight, reduction, ignore_index: _nn.nll_loss(
            grad, target, weight, reduction, ignore_index
        ),
        input=lambda grad: _nothing(grad),
    )
