"""The gradients of losses as rows of their own, with derivatives: a second order has PyTorch's nodes.

Each gradient is a slope of the two tensors times the gradient of the loss. So its own gradient by the gradient of the
loss is the slope again, and by the two tensors the bend of the loss, with opposite signs where only their difference
counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....backends.numpy.casts import number_array
from ....errors.reasons import refuse
from ....ops.nn.losses.reduction import MEAN
from ....types.dtypes import HALVES
from ...backward_rows import once_rounded, slope_row
from ...declaring import differentiate
from ...helpers import over, plus
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


def difference(a: Tensor, b: Tensor) -> Any:
    """a - b, where booleans count as 0 and 1."""
    return (a.to(b.dtype) if a.dtype is torch.bool else a) - (b.to(a.dtype) if b.dtype is torch.bool else b)


def share_of(t: Tensor, reduction: int, times: int = 1) -> float:
    """A number of times what one element is of the mean of a tensor, or of its sum; of 16 bits as such tensors are."""
    share = times / (t.numel() or 1) if reduction == MEAN else float(times)
    return float(number_array(share, t._dtype)) if t._dtype in HALVES else share


def shared(slope: Tensor, grad: Tensor, reduction: int, weight: Tensor | None = None) -> Any:
    """A slope times the gradient of the loss, divided by the number of elements if the loss is their mean."""
    slope = slope * grad
    if weight is not None:
        slope = slope * weight
    return over(slope, slope.numel()) if reduction == MEAN else slope


# -- squares -----------------------------------------------------------------------------------------------------


@slope_row("mse_loss_backward", "The gradient of the squared difference.")
def mse_loss_backward(grad_output: Tensor, input: Tensor, target: Tensor, reduction: int) -> Any:
    """Twice the difference, times the gradient."""
    apart = difference(input, target)
    return (apart * share_of(apart, reduction, 2) * grad_output).contiguous()


def _bend_of_mse(grad: Tensor, grad_output: Tensor, input: Tensor, reduction: int) -> Any:
    bend = grad * 2
    return (bend / input.numel() if reduction == MEAN else bend) * grad_output


differentiate(
    "mse_loss_backward",
    node="MseLossBackwardBackward0",
    grad_output=lambda grad, input, target, reduction: mse_loss_backward(grad, input, target, reduction),
    input=lambda grad, grad_output, input, reduction: _bend_of_mse(grad, grad_output, input, reduction),
    target=lambda grad, grad_output, input, reduction: -_bend_of_mse(grad, grad_output, input, reduction),
)

# -- squares near zero, straight lines elsewhere -------------------------------------------------------------------


@slope_row("smooth_l1_loss_backward", "The gradient of smooth_l1_loss.")
def smooth_l1_loss_backward(grad_output: Tensor, input: Tensor, target: Tensor, reduction: int, beta: float) -> Any:
    """The difference as a part of beta, at most 1, times the gradient."""
    return _of_smooth(grad_output, input, target, reduction, beta)


@once_rounded
def _of_smooth(grad_output: Tensor, input: Tensor, target: Tensor, reduction: int, beta: float) -> Any:
    slope = (difference(input, target) / beta).clamp(-1, 1)
    return (slope * share_of(slope, reduction) * grad_output).contiguous()


def _bend_of_smooth(grad: Tensor, grad_output: Tensor, input: Tensor, target: Tensor, how: int, beta: float) -> Any:
    near = difference(input, target).abs() < beta
    return shared(torch.where(near, grad / beta, 0), grad_output, how)


differentiate(
    "smooth_l1_loss_backward",
    node="SmoothL1LossBackwardBackward0",
    grad_output=lambda grad, input, target, reduction, beta: smooth_l1_loss_backward(
        grad, input, target, reduction, beta
    ),
    input=lambda grad, grad_output, input, target, reduction, beta: _bend_of_smooth(
        grad, grad_output, input, target, reduction, beta
    ),
    target=lambda grad, grad_output, input, target, reduction, beta: (
        -_bend_of_smooth(grad, grad_output, input, target, reduction, beta)
    ),
)


@slope_row("huber_loss_backward", "The gradient of huber_loss.")
def huber_loss_backward(grad_output: Tensor, input: Tensor, target: Tensor, reduction: int, delta: float) -> Any:
    """The difference, at most delta, times the gradient."""
    if target.dtype is not input.dtype:  # PyTorch takes one dtype only
        refuse(
            RuntimeError,
            f"Found dtype {target.dtype._type_name} but expected {input.dtype._type_name}",
            "input and target have one dtype",
            f"target.to({input.dtype})",
            rule="loss.dtype",
        )
    slope = (input - target).clamp(-delta, delta)
    return (slope * share_of(slope, reduction) * grad_output).contiguous()


def _bend_of_huber(grad: Tensor, grad_output: Tensor, input: Tensor, target: Tensor, how: int, delta: float) -> Any:
    return shared(torch.where((input - target).abs() < delta, grad, 0), grad_output, how)


differentiate(
    "huber_loss_backward",
    node="HuberLossBackwardBackward0",
    grad_output=lambda grad, input, target, reduction, delta: huber_loss_backward(
        grad, input, target, reduction, delta
    ),
    input=lambda grad, grad_output, input, target, reduction, delta: _bend_of_huber(
        grad, grad_output, input, target, reduction, delta
    ),
    target=lambda grad, grad_output, input, target, reduction, delta: (
        -_bend_of_huber(grad, grad_output, input, target, reduction, delta)
    ),
)

# -- yes or no ---------------------------------------------------------------------------------------------------


@slope_row("binary_cross_entropy_backward", "The gradient of binary_cross_entropy.")
def binary_cross_entropy_backward(
    grad_output: Tensor, input: Tensor, target: Tensor, weight: Tensor | None, reduction: int
) -> Any:
    """The difference of the probabilities over the variance, times the gradient."""
    slope = grad_output * (input - target) / ((1 - input) * input).clamp(min=1e-12)
    slope = slope if weight is None else slope * weight
    return over(slope, slope.numel()) if reduction == MEAN else slope


def _bend_of_probability(x: Tensor, target: Tensor) -> Any:
    """(x² - 2 x target + target) / (x (1 - x))²"""
    spread = ((1 - x) * x).clamp(min=1e-12)
    return (x * x - x * target * 2 + target) / (spread * spread)


def _bend_by_target(x: Tensor) -> Any:
    return -((1 - x) * x).clamp(min=1e-12).reciprocal()


differentiate(
    "binary_cross_entropy_backward",
    node="BinaryCrossEntropyBackwardBackward0",
    grad_output=lambda grad, input, target, weight, reduction: binary_cross_entropy_backward(
        grad, input, target, weight, reduction
    ),
    input=lambda grad, grad_output, input, target, weight, reduction: shared(
        grad * _bend_of_probability(input, target), grad_output, reduction, weight
    ),
    target=lambda grad, grad_output, input, weight, reduction: shared(
        grad * _bend_by_target(input), grad_output, reduction, weight
    ),
)


@slope_row("soft_margin_loss_backward", "The gradient of soft_margin_loss.")
def soft_margin_loss_backward(grad_output: Tensor, input: Tensor, target: Tensor, reduction: int) -> Any:
    """How unlikely the target is, against the target, times the gradient."""
    power = (-target * input).exp()
    slope = target * power
    return slope * -share_of(slope, reduction) / plus(power, 1) * grad_output


def _bend_of_soft(input: Tensor, target: Tensor) -> Any:
    share = (-target * input).sigmoid()
    return target * target * share * (1 - share)


differentiate(
    "soft_margin_loss_backward",
    node="SoftMarginLossBackwardBackward0",
    grad_output=lambda grad, input, target, reduction: soft_margin_loss_backward(grad, input, target, reduction),
    input=lambda grad, grad_output, input, target, reduction: shared(
        grad * _bend_of_soft(input, target), grad_output, reduction
    ),
)
