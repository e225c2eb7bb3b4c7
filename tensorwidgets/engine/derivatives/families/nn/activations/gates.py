"""Derivatives of prelu, rrelu and glu."""

from __future__ import annotations

from ....declaring import differentiate, not_differentiable
from ..slope_rows import glu_backward, prelu_kernel_backward, rrelu_with_noise_backward

differentiate(
    "_prelu_kernel",
    node="PreluKernelBackward0",
    together=("input weight", lambda grad, input, weight: prelu_kernel_backward(grad, input, weight)),
)

not_differentiable("_nn.rrelu_noise")


differentiate(
    "_nn.rrelu_with_noise",
    node="RreluWithNoiseBackward0",
    input=lambda grad, input, noise, lower, upper, training: rrelu_with_noise_backward(
        grad, input, noise, lower, upper, training, False
    ),
)
differentiate(
    "_nn.rrelu_with_noise_",
    node="RreluWithNoiseBackward1",
    input=lambda grad, result, noise, lower, upper, training: rrelu_with_noise_backward(
        grad, result, noise, lower, upper, training, True
    ),
)


differentiate("_nn.glu", node="GluBackward0", input=lambda grad, input, dim=-1: glu_backward(grad, input, dim))
