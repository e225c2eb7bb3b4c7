"""Derivatives of losses of yes or no, and of losses of differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....declaring import constant, differentiate, real_alone
from ....helpers import plus
from ....ops import torch
from ..loss_rows import (
    binary_cross_entropy_backward,
    huber_loss_backward,
    shared,
    smooth_l1_loss_backward,
    soft_margin_loss_backward,
)

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor


def _of_answer(x: Tensor) -> Any:
    return -x.logit()


constant("_nn.binary_cross_entropy", "binary_cross_entropy", "weight")
differentiate(
    "_nn.binary_cross_entropy",
    node="BinaryCrossEntropyBackward0",
    input=lambda grad, input, target, weight=None, reduction=1: binary_cross_entropy_backward(
        grad, input, target, weight, reduction
    ),
    target=lambda grad, input, weight=None, reduction=1: shared(_of_answer(input), grad, reduction, weight),
)


def _of_logit(x: Tensor, target: Tensor, pos_weight: Tensor | None) -> Any:
    if pos_weight is None:
        return x.sigmoid() - target
    yes = pos_weight * target
    return plus(yes, 1).sub(target) * x.sigmoid() - yes


def _of_answer_to_logit(x: Tensor, pos_weight: Tensor | None) -> Any:
    log_sigmoid = torch.nn.functional.logsigmoid
    return -x if pos_weight is None else log_sigmoid(-x) - log_sigmoid(x) * pos_weight


constant("binary_cross_entropy_with_logits", "binary_cross_entropy_with_logits", "weight", "pos_weight")
differentiate(
    "binary_cross_entropy_with_logits",
    input=lambda grad, input, target, weight=None, pos_weight=None, reduction=1: shared(
        _of_logit(input, target, pos_weight), grad, reduction, weight
    ),
    target=lambda grad, input, weight=None, pos_weight=None, reduction=1: shared(
        _of_answer_to_logit(input, pos_weight), grad, reduction, weight
    ),
)


differentiate(
    "_nn.smooth_l1_loss",
    node="SmoothL1LossBackward0",
    input=lambda grad, input, target, reduction=1, beta=1.0: smooth_l1_loss_backward(
        grad, input, target, reduction, beta
    ),
    target=lambda grad, input, target, reduction=1, beta=1.0: smooth_l1_loss_backward(
        grad, target, input, reduction, beta
    ),
)
differentiate(
    "_nn.huber_loss",
    node="HuberLossBackward0",
    input=lambda grad, input, target, reduction=1, delta=1.0: huber_loss_backward(
        grad, input, target, reduction, delta
    ),
    target=lambda grad, input, target, reduction=1, delta=1.0: huber_loss_backward(
        grad, target, input, reduction, delta
    ),
)
real_alone("_nn.soft_margin_loss", "soft_margin_loss")
constant("_nn.soft_margin_loss", "soft_margin_loss", "target")
differentiate(
    "_nn.soft_margin_loss",
    node="SoftMarginLossBackward0",
    input=lambda grad, input, target, reduction=1: soft_margin_loss_backward(grad, input, target, reduction),
)
