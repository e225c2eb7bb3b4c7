"""Second derivatives of activations: how a gradient changes with the gradient that came in, and with the input."""

from __future__ import annotations

from math import pi, sqrt
from typing import TYPE_CHECKING, Any

from .....backends.numpy.layers.few_activations import TANH_CUBE, TANH_SCALE
from ....declaring import differentiate, refused
from ....ops import torch

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor

_nn = torch._nn


def nothing(grad: Tensor) -> Any:
    """Zeros: the curve is made of straight lines."""
    return torch.zeros_like(grad)


differentiate(
    "_nn.leaky_relu_backward",
    node="LeakyReluBackwardBackward0",
    grad_output=lambda grad, input, negative_slope: _nn.leaky_relu_backward(grad, input, negative_slope),
    input=lambda grad: nothing(grad),
)
differentiate(
    "_nn.softshrink_backward",
    node="SoftshrinkBackwardBackward0",
    grad_output=lambda grad, input, lambd: _nn.softshrink_backward(grad, input, lambd),
    input=lambda grad: nothing(grad),
)
differentiate(
    "_nn.hardtanh_backward",
    node="HardtanhBackwardBackward0",
    grad_output=lambda grad, input, min_val, max_val: _nn.hardtanh_backward(grad, input, min_val, max_val),
    input=lambda grad: nothing(grad),
)
differentiate(
    "_nn.threshold_backward",
    node="ThresholdBackwardBackward0",
    grad_output=lambda grad, input, threshold: _nn.threshold_backward(grad, input, threshold),
    input=lambda grad: nothing(grad),
)
refused("_nn.hardsigmoid_backward", "aten::hardsigmoid_backward")


def bend_of_elu(
    grad: Tensor, grad_output: Tensor, input: Tensor, alpha: float, scale: float, input_scale: float, is_result: bool
) -> Any:
    """The gradient by the input, or by the result."""
    if is_result:
        bend = torch.where(input <= 0, input_scale, 0.0).to(input.dtype)
    else:
        steep = alpha * scale * input_scale * input_scale
        bend = torch.where(input <= 0, (input * input_scale).exp() * steep, 0)
    return grad * grad_output * bend


differentiate(
    "_nn.elu_backward",
    node="EluBackwardBackward0",
    grad_output=lambda grad, input, alpha, scale, input_scale, is_result: _nn.elu_backward(
        grad, input, alpha, scale, input_scale, is_result
    ),
    input=lambda grad, grad_output, input, alpha, scale, input_scale, is_result: bend_of_elu(
        grad, grad_output, input, alpha, scale, input_scale, is_result
    ),
)


def bend_of_gelu(x: Tensor, approximate: str) -> Any:
    """The second derivative of gelu."""
    square = x * x
    if approximate == "none":
        return (2 - square) * (square * -0.5).exp() / sqrt(2 * pi)
    t = ((square * TANH_CUBE + 1) * x * TANH_SCALE).tanh()
    first = (square * (3 * TANH_CUBE) + 1) * TANH_SCALE
    left = 1 - t * t
    return left * first + x * left * (x * (3 * TANH_CUBE * TANH_SCALE) - t * first * first)


differentiate(
    "_nn.gelu_backward",
    node="GeluBackwardBackward0",
    grad_output=lambda grad, input, approximate="none": _nn.gelu_backward(grad, input, approximate=approximate),
    input=lambda grad, grad_output, input, approximate="none": grad * grad_output * bend_of_gelu(input, approximate),
)


def bend_of_silu(x: Tensor) -> Any:
    """The second derivative of silu."""
    s = x.sigmoid()
    return s * (1 - s) * (2 + x * (1 - 2 * s))


def bend_of_mish(x: Tensor) -> Any:
    """The second derivative of mish."""
    s, t = x.sigmoid(), torch.nn.functional.softplus(x).tanh()
    left = 1 - t * t
    return left * (s * 2 + x * s * (1 - s)) - x * s * s * t * left * 2


differentiate(
    "_nn.silu_backward",
    grad_output=lambda grad, input: _nn.silu_backward(grad, input),
    input=lambda grad, grad_output, input: grad * (grad_output.conj() * bend_of_silu(input)).conj(),
)
differentiate(
    "_nn.mish_backward",
    grad_output=lambda grad, input: _nn.mish_backward(grad, input),
    input=lambda grad, grad_output, input: grad * grad_output * bend_of_mish(input),
)


def bend_of_softplus(x: Tensor, beta: float, threshold: float) -> Any:
    """The second derivative of softplus."""
    s = (x * beta).sigmoid()
    return torch.where(x * beta > threshold, 0, s * (1 - s) * beta)


differentiate(
    "_nn.softplus_backward",
    node="SoftplusBackwardBackward0",
    grad_output=lambda grad, input, beta, threshold: _nn.softplus_backward(grad, input, beta, threshold),
    input=lambda grad, grad_output, input, beta, threshold: (
        grad * grad_output * bend_of_softplus(input, beta, threshold)
    ),
)
differentiate(
    "_nn.hardswish_backward",
    node="HardswishBackwardBackward0",
    grad_output=lambda grad, input: _nn.hardswish_backward(grad, input),
    input=lambda grad, grad_output, input: torch.where((input > -3) & (input < 3), grad * grad_output / 3, 0),
)


def bend_of_log_sigmoid(x: Tensor) -> Any:
    """The second derivative of the logarithm of the sigmoid."""
    s = x.sigmoid()
    return s * (s - 1)


differentiate(
    "_nn.log_sigmoid_backward",
    node="LogSigmoidBackwardBackward0",
    grad_output=lambda grad, input: _nn.log_sigmoid_backward(grad, input),
    input=lambda grad, grad_output, input: grad * grad_output * bend_of_log_sigmoid(input),
)
