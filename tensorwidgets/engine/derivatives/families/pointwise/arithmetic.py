"""Sums, differences, products and quotients, of two tensors or of a tensor and a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import number_rows  # noqa: F401  (its rows are differentiated here)
from ...beside import number_beside
from ...declaring import differentiate, parts, refused
from ...helpers import conj, minus, over, scaled, times
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


def is_number(value: Tensor | float) -> bool:
    """Whether an argument is a number and not a tensor."""
    return not hasattr(value, "new_zeros")


def zeros(grad: Tensor) -> Any:
    """A gradient of zeros, for a result that does not change where its input does."""
    return torch.zeros_like(grad)


# -- sums --------------------------------------------------------------------------------------------------------

differentiate("add", input=lambda grad: grad, other=lambda grad, alpha=1: scaled(grad, alpha))
differentiate("sub", input=lambda grad: grad, other=lambda grad, alpha=1: scaled(-grad, alpha))
differentiate("add_number", node="AddBackward1", input=lambda grad: grad)
differentiate("sub_number", node="SubBackward1", input=lambda grad: grad)
differentiate("rsub_number", node="RsubBackward1", input=lambda grad: -grad)
differentiate(
    "rsub",
    node="RsubBackward1",
    when=lambda call: is_number(call["other"]),
    input=lambda grad, alpha=1: scaled(-grad, alpha),
)
differentiate("rsub", input=lambda grad, alpha=1: scaled(-grad, alpha), other=lambda grad: grad)
differentiate("neg", input=lambda grad: -grad)

# -- products and quotients --------------------------------------------------------------------------------------

differentiate("mul", input=lambda grad, other: grad * conj(other), other=lambda grad, input: grad * conj(input))
differentiate("mul_number", node="MulBackward1", input=lambda grad, other: times(grad, conj(other)))


def of_divisor(grad: Tensor, input: Tensor, other: Tensor) -> Any:
    """-input / other², in two divisions."""
    return -grad * conj(input / other / other)


differentiate(
    "div",
    node="DivBackward2",
    when=lambda call: "rounding_mode" in call,
    input=lambda grad, other, rounding_mode: zeros(grad) if rounding_mode else grad / conj(other),
    other=lambda grad, input, other, rounding_mode: zeros(grad) if rounding_mode else of_divisor(grad, input, other),
)
differentiate("div", input=lambda grad, other: grad / conj(other), other=of_divisor)
differentiate("div_number", node="DivBackward1", input=lambda grad, other: over(grad, conj(other)))
differentiate("reciprocal", input=lambda grad, result: -grad * conj(result * result))
refused("floor_divide")

differentiate("fmod", node="FmodBackward0", when=lambda call: is_number(call["other"]), input=lambda grad: grad)
differentiate(
    "fmod",
    node="FmodBackward1",
    input=lambda grad: grad,
    other=lambda grad, input, other: -grad * torch.div(input, other, rounding_mode="trunc"),
)
refused("remainder", when=lambda call: is_number(call["input"]))
differentiate(
    "remainder", node="RemainderBackward0", when=lambda call: is_number(call["other"]), input=lambda grad: grad
)
differentiate(
    "remainder",
    node="RemainderBackward1",
    input=lambda grad: grad,
    other=lambda grad, input, other: -grad * torch.div(input, other, rounding_mode="floor"),
)

# -- three operands ----------------------------------------------------------------------------------------------

differentiate(
    "addcmul",
    input=lambda grad: grad,
    tensor1=lambda grad, tensor2, value=1: grad * conj(times(tensor2, value)),
    tensor2=lambda grad, tensor1, value=1: grad * conj(times(tensor1, value)),
)
differentiate(
    "addcdiv",
    input=lambda grad: grad,
    tensor1=lambda grad, tensor2, value=1: grad * conj(number_beside(grad, value) / tensor2),
    tensor2=lambda grad, tensor1, tensor2, value=1: -grad * conj(times(tensor1, value) / (tensor2 * tensor2)),
)
differentiate(
    "lerp",
    node="LerpBackward0",
    when=lambda call: is_number(call["weight"]),
    input=lambda grad, weight: times(grad, conj(1 - weight)),
    end=lambda grad, weight: times(grad, conj(weight)),
)
differentiate(
    "lerp",
    node="LerpBackward1",
    input=lambda grad, weight: grad * conj(minus(1, weight)),
    end=lambda grad, weight: grad * conj(weight),
    weight=lambda grad, input, end: grad * conj(end - input),
)


@parts("positive")
def positive(input: Tensor) -> Any:
    """the tensor itself"""
    if is_number(input):
        raise ValueError("the row itself refuses this")
    return input
