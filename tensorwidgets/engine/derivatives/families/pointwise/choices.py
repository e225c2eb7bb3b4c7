"""Ops whose result is one of their inputs, element by element: the larger one, the one within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...backward_rows import slope_row, threshold_backward
from ...declaring import differentiate
from ...helpers import but, counted, over
from ...ops import torch
from .arithmetic import is_number

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

# -- the larger, the smaller --------------------------------------------------------------------------------------


def unless(lost: Tensor, input: Tensor, other: Tensor, grad: Tensor) -> Any:
    """The gradient of an operand: zero where it lost, half where both are equal."""
    return counted(torch.where(input == other, over(grad, 2), grad).masked_fill(lost, 0), 1)


differentiate(
    "maximum",
    input=lambda grad, input, other: unless(input < other, input, other, grad),
    other=lambda grad, input, other: unless(input > other, input, other, grad),
)
differentiate(
    "minimum",
    input=lambda grad, input, other: unless(input > other, input, other, grad),
    other=lambda grad, input, other: unless(input < other, input, other, grad),
)
differentiate(
    "fmax",
    input=lambda grad, input, other: but(grad, ~((input >= other) | torch.isnan(other))),
    other=lambda grad, input, other: but(grad, (input >= other) | torch.isnan(other)),
)
differentiate(
    "fmin",
    input=lambda grad, input, other: but(grad, ~((input <= other) | torch.isnan(other))),
    other=lambda grad, input, other: but(grad, (input <= other) | torch.isnan(other)),
)

# -- within bounds -------------------------------------------------------------------------------------------------


def within(grad: Tensor, input: Tensor, min: Tensor | float | None, max: Any) -> Any:
    """The gradient where the input was within the bounds, zero elsewhere."""
    if min is None:
        return torch.where(input <= max, grad, 0)
    if max is None:
        return torch.where(input >= min, grad, 0)
    return torch.where((input >= min) & (input <= max), grad, 0)


def of_min(grad: Tensor, input: Tensor, min: Tensor, max: Tensor | None) -> Any:
    """The gradient where the lower bound was the result."""
    below = input < min if max is None else (input < min) & (min < max)
    return torch.where(below, grad, 0)


def of_max(grad: Tensor, input: Tensor, min: Tensor | None, max: Tensor) -> Any:
    """The gradient where the upper bound was the result, also where the bounds had changed places."""
    above = input > max if min is None else (input > max) | (max < min)
    return torch.where(above, grad, 0)


differentiate(
    "clamp",
    node="ClampBackward1",
    when=lambda call: any(v is not None and is_number(v) for v in (call.get("min"), call.get("max"))),
    input=lambda grad, input, min=None, max=None: within(grad, input, min, max),
)
differentiate(
    "clamp",
    input=lambda grad, input, min=None, max=None: within(grad, input, min, max),
    min=lambda grad, input, min, max=None: of_min(grad, input, min, max),
    max=lambda grad, input, max, min=None: of_max(grad, input, min, max),
)
differentiate(
    "clamp_min",
    node="ClampMinBackward0",
    when=lambda call: is_number(call["min"]),
    input=lambda grad, input, min: within(grad, input, min, None),
)
differentiate(
    "clamp_min",
    node="ClampMinBackward1",
    input=lambda grad, input, min: within(grad, input, min, None),
    min=lambda grad, input, min: of_min(grad, input, min, None),
)
differentiate(
    "clamp_max",
    node="ClampMaxBackward0",
    when=lambda call: is_number(call["max"]),
    input=lambda grad, input, max: within(grad, input, None, max),
)
differentiate(
    "clamp_max",
    node="ClampMaxBackward1",
    input=lambda grad, input, max: within(grad, input, None, max),
    max=lambda grad, input, max: of_max(grad, input, None, max),
)
differentiate("relu", input=lambda grad, result: threshold_backward(grad, result))
differentiate("threshold_backward", node="ThresholdBackwardBackward0",
              grad_output=lambda grad, input: threshold_backward(grad, input),
              input=lambda grad: torch.zeros_like(grad))  # fmt: skip


def _hardshrink_backward(grad_out: Tensor, input: Tensor, lambd: float) -> Any:
    return torch.where((input >= -lambd) & (input <= lambd), 0, grad_out)


hardshrink_backward = slope_row("hardshrink_backward", "The gradient of hardshrink.")(_hardshrink_backward)
differentiate("hardshrink", input=lambda grad, input, lambd=0.5: hardshrink_backward(grad, input, lambd))
differentiate(
    "hardshrink_backward",
    node="HardshrinkBackwardBackward0",
    grad_out=lambda grad, input, lambd: hardshrink_backward(grad, input, lambd),
    input=lambda grad: torch.zeros_like(grad),
)
