"""Sums, products, quotients, powers."""

from __future__ import annotations

from typing import Any

from ..declaring import differentiate, not_differentiable
from ..ops import torch


def scaled(grad: Any, alpha: Any) -> Any:
    """A gradient times a number; itself for the number 1."""
    return grad if alpha == 1 else grad * torch.conj(alpha) if hasattr(alpha, "conj") else grad * alpha


differentiate("add", input=lambda grad: grad, other=lambda grad, alpha=1: scaled(grad, alpha))
differentiate("sub", input=lambda grad: grad, other=lambda grad, alpha=1: -scaled(grad, alpha))
differentiate("mul", input=lambda grad, other: grad * conj(other), other=lambda grad, input: grad * conj(input))
differentiate(
    "div",
    input=lambda grad, other: grad / conj(other),
    other=lambda grad, input, other: -grad * conj(input / other / other),
)
differentiate("neg", input=lambda grad: -grad)
differentiate("exp", input=lambda grad, result: grad * result.conj())
differentiate("sin", input=lambda grad, input: grad * input.cos().conj())
differentiate("cos", input=lambda grad, input: grad * -input.sin().conj())
differentiate("mm", input=lambda grad, mat2: grad @ mat2.t().conj(), mat2=lambda grad, input: input.t().conj() @ grad)
differentiate(
    "sum", node="SumBackward0", when=lambda call: call.get("dim") is None,
    input=lambda grad, input_shape: grad.expand(input_shape),
)  # fmt: skip
def conj(x: Any) -> Any:
    """The conjugate of a tensor or a number."""
    return x.conj() if hasattr(x, "conj") else x.conjugate()


not_differentiable("zeros_like ones_like empty_like full_like rand_like randn_like eq ne lt le gt ge isnan")
