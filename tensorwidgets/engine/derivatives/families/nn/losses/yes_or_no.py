"""Derivatives of losses of yes or no, and of losses of differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....errors.reasons import refuse
from ....declaring import constant, differentiate
from ....ops import torch
from .squares import difference

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor


def shared(slope: Tensor, grad: Tensor, reduction: int, weight: Tensor | None = None) -> Any:
    """A slope times the gradient of the loss, divided by the number of elements if the loss is their mean."""
    if weight is not None:
        slope = slope * weight
    slope = slope * grad
    return slope / slope.numel() if reduction == 1 else slope


def _of_probability(x: Tensor, target: Any) -> Any:
    return (x - target) / ((1 - x) * x).clamp(min=1e-12)


def _of_answer(x: Tensor) -> Any:
    return (-x).log1p().clamp(min=-100) - x.log().clamp(min=-100)


constant("_nn.binary_cross_entropy", "binary_cross_entropy", "weight")
differentiate(
    "_nn.binary_cross_entropy",
    node="BinaryCrossEntropyBackward0",
    input=lambda grad, input, target, weight=None, reduction=1: shared(
        _of_probability(input, target), grad, reduction, weight
    ),
    target=lambda grad, input, weight=None, reduction=1: shared(_of_answer(input), grad, reduction, weight),
)


def _of_logit(x: Tensor, target: Tensor, pos_weight: Tensor | None) -> Any:
    if pos_weight is None:
        return x.sigmoid() - target
    yes = pos_weight * target
    return (yes + 1 - target) * x.sigmoid() - yes


def _of_answer_to_logit(x: Tensor, pos_weight: Tensor | None) -> Any:
    log_sigmoid = torch.nn.functional.logsigmoid
    return -x if pos_weight is None else log_sigmoid(-x) - pos_weight * log_sigmoid(x)


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


def of_smooth(x: Tensor, target: Any, beta: float) -> Any:
    """The slope of smooth_l1_loss."""
    return (difference(x, target) / beta).clamp(-1, 1)


def of_huber(x: Tensor, target: Tensor, delta: float) -> Any:
    """The slope of huber_loss, for which PyTorch takes one dtype only."""
    if target.dtype is not x.dtype:
        refuse(
            RuntimeError,
            f"Found dtype {target.dtype._type_name} but expected {x.dtype._type_name}",
            "input and target have one dtype",
            f"target.to({x.dtype})",
            rule="loss.dtype",
        )
    return (x - target).clamp(-delta, delta)


differentiate(
    "_nn.smooth_l1_loss",
    node="SmoothL1LossBackward0",
    input=lambda grad, input, target, reduction=1, beta=1.0: shared(of_smooth(input, target, beta), grad, reduction),
    target=lambda grad, input, target, reduction=1, beta=1.0: shared(of_smooth(target, input, beta), grad, reduction),
)
differentiate(
    "_nn.huber_loss",
    node="HuberLossBackward0",
    input=lambda grad, input, target, reduction=1, delta=1.0: shared(of_huber(input, target, delta), grad, reduction),
    target=lambda grad, input, target, reduction=1, delta=1.0: shared(of_huber(target, input, delta), grad, reduction),
)
constant("_nn.soft_margin_loss", "soft_margin_loss", "target")
differentiate(
    "_nn.soft_margin_loss",
    node="SoftMarginLossBackward0",
    input=lambda grad, input, target, reduction=1: shared(-(target * (-target * input).sigmoid()), grad, reduction),
)
