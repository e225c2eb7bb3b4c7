"""Circular and hyperbolic functions, and their inverses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ....tensor.grad_mode import grad_enabled
from ...backward_rows import of_tanh, tanh_backward
from ...declaring import differentiate, not_implemented
from ...helpers import but, less, minus, no_sparse_kernel, plus, times
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

# -- of an angle -------------------------------------------------------------------------------------------------

differentiate("sin", input=lambda grad, input: grad * input.cos().conj())
differentiate("cos", input=lambda grad, input: grad * -input.sin().conj())
differentiate(
    "tan", input=lambda grad, result: grad * plus(result.pow(2) if grad_enabled() else result * result, 1).conj()
)
differentiate("sinh", input=lambda grad, input: grad * input.cosh().conj())
differentiate("cosh", input=lambda grad, input: grad * input.sinh().conj())
differentiate("tanh", input=lambda grad, result: _tanh_backward(grad, result))
differentiate("deg2rad", input=lambda grad: times(grad, math.pi / 180), node="Deg2RadBackward0")
differentiate("rad2deg", input=lambda grad: times(grad, 180 / math.pi), node="Rad2DegBackward0")


def _tanh_backward(grad: Tensor, result: Tensor) -> Any:
    """grad * (1 - result * result)"""
    if result._keys and result.is_sparse:
        no_sparse_kernel("tanh_backward")
    return tanh_backward(grad, result) if grad_enabled() else of_tanh(grad, result)


def of_sinc(grad: Tensor, input: Tensor) -> Any:
    """(x cos x - sin x) / x² for x = pi times the input; zero at zero, and where x² is too small for a number."""
    x = times(input, math.pi)
    square = times(input * input, math.pi)
    return torch.where(square == 0, 0, grad * ((x * x.cos() - x.sin()) / square).conj())


differentiate("sinc", input=of_sinc)

differentiate("tanh_backward", node="TanhBackwardBackward0",
              grad_output=lambda grad, output: _tanh_backward(grad, output.conj()),
              output=lambda grad, grad_output, output: (
                  grad.conj() * (times(output.conj(), -2) * grad_output)))  # fmt: skip


# -- angles ------------------------------------------------------------------------------------------------------

differentiate("asin", input=lambda grad, input: grad * plus(-input * input, 1).rsqrt().conj())
differentiate("acos", input=lambda grad, input: grad * -plus(-input * input, 1).rsqrt().conj())
differentiate("atan", input=lambda grad, input: grad / plus(input * input, 1).conj())
differentiate("asinh", input=lambda grad, input: grad * plus(input.pow(2), 1).rsqrt().conj())


def of_acosh(grad: Tensor, input: Tensor) -> Any:
    """1 / sqrt(x² - 1); of complex numbers by two roots, whose product is on the right side of the cut."""
    if input.is_complex():
        return grad * (plus(input, 1).rsqrt() * less(input, 1).rsqrt()).conj()
    return grad * less(input * input, 1).rsqrt()


differentiate("acosh", input=of_acosh)


def of_atanh(grad: Tensor, input: Tensor) -> Any:
    """1 / (1 - x²)"""
    if grad_enabled():
        return times(grad, 1) / minus(1, input.pow(2)).conj()
    return grad / (1 - input * input).conj()


differentiate("atanh", input=lambda grad, input: of_atanh(grad, input))
differentiate("asinh_", node="AsinhBackward1", input=lambda grad: not_implemented("inplace version of asinh"))
differentiate("acosh_", node="AcoshBackward1", input=lambda grad: not_implemented("inplace version of acosh"))
differentiate("atanh_", node="AtanhBackward1", input=lambda grad: not_implemented("inplace version of atanh"))


def _one_over_square(y: Tensor, x: Tensor) -> Any:
    """1 / (y² + x²); zero where both are zero."""
    square = y * y + x * x
    return but(square.reciprocal(), square == 0)


differentiate(
    "atan2",
    input=lambda grad, input, other: grad * other * _one_over_square(input, other),
    other=lambda grad, input, other: grad * -input * _one_over_square(input, other),
)
differentiate(
    "hypot",
    input=lambda grad, input, result: grad * input / result,
    other=lambda grad, other, result: grad * other / result,
)
