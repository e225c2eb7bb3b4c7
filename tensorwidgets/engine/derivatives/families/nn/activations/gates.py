"""Derivatives of prelu, rrelu and glu."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....declaring import differentiate, not_differentiable
from ....ops import torch
from ..slope_rows import prelu_kernel_backward

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor

_nn = torch._nn

differentiate(
    "_prelu_kernel",
    node="PreluKernelBackward0",
    together=("input weight", lambda grad, input, weight: prelu_kernel_backward(grad, input, weight)),
)

not_differentiable("_nn.rrelu_noise")


def of_rrelu(grad: Tensor, x: Tensor, noise: Any, lower: float, upper: float, training: bool, is_result: bool) -> Any:
    """The gradient times the slope of each element."""
    if training and upper - lower > 1e-6:
        return grad * noise
    return _nn.leaky_relu_backward(grad, x, (lower + upper) / 2, is_result)


differentiate(
    "_nn.rrelu_with_noise",
    node="RreluWithNoiseBackward0",
    input=lambda grad, input, noise, lower, upper, training: of_rrelu(
        grad, input, noise, lower, upper, training, False
    ),
)
differentiate(
    "_nn.rrelu_with_noise_",
    node="RreluWithNoiseBackward1",
    input=lambda grad, result, noise, lower, upper, training: of_rrelu(
        grad, result, noise, lower, upper, training, True
    ),
)


def of_glu(grad: Tensor, input: Tensor, dim: int) -> Any:
    """The gradient of both halves."""
    a, b = input.chunk(2, dim)
    gate = b.sigmoid()
    opened = grad * gate
    return torch.cat([opened, opened * a * (1 - gate)], dim)


differentiate("_nn.glu", node="GluBackward0", input=lambda grad, input, dim=-1: of_glu(grad, input, dim))
