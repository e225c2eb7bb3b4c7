"""Derivatives of activations.

A gradient is a row of its own (`_nn.NAME_backward`), which is computed in one go and has a derivative itself: in the
file `slopes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .....ops.nn.activations.kernels import SELU_ALPHA, SELU_SCALE
from .....tensor.grad_mode import grad_enabled
from ....declaring import differentiate, real_alone
from ....helpers import minus, plus
from ....ops import torch

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor

_nn = torch._nn


def inverse(alpha: float) -> float:
    """1 / alpha as PyTorch rounds it, which first makes alpha a number of 32 bits."""
    return float(1.0 / np.float64(np.float32(alpha)))


differentiate(
    "_nn.leaky_relu",
    node="LeakyReluBackward0",
    input=lambda grad, input, negative_slope=0.01: _nn.leaky_relu_backward(grad, input, negative_slope),
)
differentiate(
    "nn.functional.leaky_relu_",
    node="LeakyReluBackward1",
    input=lambda grad, result, negative_slope=0.01: _nn.leaky_relu_backward(grad, result, negative_slope, True),
)
differentiate(
    "_nn.elu",
    node="EluBackward0",
    input=lambda grad, input, alpha=1.0, scale=1.0, input_scale=1.0: _nn.elu_backward(
        grad, input, alpha, scale, input_scale, False
    ),
)
differentiate(
    "nn.functional.elu_",
    node="EluBackward1",
    input=lambda grad, result, alpha=1.0, scale=1.0, input_scale=1.0: _nn.elu_backward(
        grad, result, alpha, scale, input_scale, True
    ),
)
differentiate(
    "celu",
    input=lambda grad, input, alpha=1.0: _nn.elu_backward(grad, input, alpha, 1.0, inverse(alpha), False),
)
differentiate(
    "celu_",
    node="CeluBackward1",
    input=lambda grad, result, alpha=1.0: _nn.elu_backward(grad, result, alpha, 1.0, inverse(alpha), True),
)
differentiate(
    "selu",
    node="EluBackward0",
    input=lambda grad, input, alpha=SELU_ALPHA, scale=SELU_SCALE, input_scale=1.0: _nn.elu_backward(
        grad, input, alpha, scale, input_scale, False
    ),
)
differentiate(
    "selu_",
    node="EluBackward1",
    input=lambda grad, result, alpha=SELU_ALPHA, scale=SELU_SCALE, input_scale=1.0: _nn.elu_backward(
        grad, result, alpha, scale, input_scale, True
    ),
)
differentiate(
    "nn.functional.gelu",
    node="GeluBackward0",
    input=lambda grad, input, approximate="none": _nn.gelu_backward(grad, input, approximate=approximate),
)


def of_silu(grad: Tensor, input: Tensor) -> Any:
    """grad * s * (1 + x * (1 - s)) with the sigmoid s: in a graph as these ops, as PyTorch does."""
    if not grad_enabled():
        return _nn.silu_backward(grad, input)
    share = input.sigmoid()
    rest = minus(1, share)
    return grad * share * plus(input * rest, 1)


def of_mish(grad: Tensor, input: Tensor) -> Any:
    """grad * (t + x * s * (1 - t²)) with the sigmoid s and t = tanh(log(1 + exp(x))): in a graph as these ops."""
    if not grad_enabled():
        return _nn.mish_backward(grad, input)
    t, share = input.exp().log1p().tanh(), input.sigmoid()
    return grad * (t + input * share * minus(1, t * t))


real_alone("_nn.silu", "silu")
differentiate("_nn.silu", node="SiluBackward0", input=of_silu)
differentiate("_nn.mish", node="MishBackward0", input=of_mish)
differentiate(
    "nn.functional.softplus",
    node="SoftplusBackward0",
    input=lambda grad, input, beta=1, threshold=20: _nn.softplus_backward(grad, input, beta, threshold),
)
differentiate(
    "nn.functional.softshrink",
    node="SoftshrinkBackward0",
    input=lambda grad, input, lambd=0.5: _nn.softshrink_backward(grad, input, lambd),
)
differentiate(
    "_nn.hardtanh nn.functional.hardtanh_",
    node="HardtanhBackward0",
    input=lambda grad, input, min_val=-1, max_val=1: _nn.hardtanh_backward(grad, input, min_val, max_val),
)
differentiate(
    "_nn.hardsigmoid", node="HardsigmoidBackward0", input=lambda grad, input: _nn.hardsigmoid_backward(grad, input)
)
differentiate("_nn.hardswish", node="HardswishBackward0", input=lambda grad, input: _nn.hardswish_backward(grad, input))
differentiate(
    "nn.functional.logsigmoid",
    node="LogSigmoidBackward0",
    input=lambda grad, input: _nn.log_sigmoid_backward(grad, input),
)
differentiate("threshold", input=lambda grad, input, threshold: _nn.threshold_backward(grad, input, threshold))
differentiate(
    "threshold_",
    node="ThresholdBackward1",
    input=lambda grad, input, threshold: _nn.threshold_backward(grad, input, threshold),
)
