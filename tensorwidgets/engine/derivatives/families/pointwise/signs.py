"""Rounding, signs and absolute values, and the parts of complex numbers that are not views."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....errors.reasons import refuse
from ...declaring import differentiate, not_differentiable, parts, refused
from ...helpers import but, times
from ...ops import torch
from .arithmetic import is_number, zeros

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

# -- rounding ----------------------------------------------------------------------------------------------------

differentiate("floor ceil trunc sign", input=zeros)
differentiate("round", node="RoundBackward1", when=lambda call: "decimals" in call, input=zeros)
differentiate("round", input=zeros)
differentiate("frac", input=lambda grad: grad)
differentiate(
    "nextafter",
    input=lambda grad, input, other: torch.where(input != other, grad, 0),
    other=lambda grad, other_like: other_like.new_zeros(),
)


@parts("nan_to_num", when=lambda call: call["input"].is_complex())
def nan_to_num(input: Tensor, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Any:
    """refused for complex numbers"""
    refuse(
        RuntimeError,
        "nan_to_num does not support automatic differentiation for outputs with complex dtype.",
        "PyTorch has no derivative of this op for complex numbers",
        "torch.complex(x.real.nan_to_num(), x.imag.nan_to_num())",
        rule="autograd.missing",
    )


differentiate("nan_to_num_ nan_to_num", input=lambda grad, input: grad * torch.isfinite(input))
refused("heaviside")

# -- signs -------------------------------------------------------------------------------------------------------

differentiate("abs", input=lambda grad, input: grad * input.sgn())


def of_sgn(grad: Tensor, input: Tensor, result: Tensor) -> Any:
    """The part of the gradient along the circle, divided by the distance from zero; zeros for real numbers."""
    if not input.is_complex():
        return zeros(grad)
    share = torch.where(input == 0, 0, grad / input.abs())
    return share - result * torch.real(share * result.conj())


differentiate("sgn", input=of_sgn)


def with_its_sign(grad: Tensor, input: Tensor, result: Tensor) -> Any:
    """The gradient where the sign was kept, minus it where it was turned, zero at zero."""
    return grad * but(result / input, input == 0)


differentiate("copysign", node="CopysignBackward1", when=lambda call: is_number(call["other"]), input=with_its_sign)
differentiate("copysign", input=with_its_sign, other=lambda grad, other_like: other_like.new_zeros())

# -- complex numbers ---------------------------------------------------------------------------------------------


def of_angle(grad: Tensor, input: Tensor) -> Any:
    """The direction in which the angle grows, divided by the distance from zero; zeros for real numbers."""
    if not input.is_complex():
        return zeros(grad)
    return torch.where(input == 0, 0, grad * input * 1j / (input.abs() ** 2))


differentiate("angle", input=of_angle)
differentiate(
    "polar",
    abs=lambda grad, result: torch.real(grad.conj() * result.sgn()),
    angle=lambda grad, result: torch.real(grad.conj() * times(result, 1j)),
)


@parts("conj_physical", when=lambda call: not call["input"].is_complex())
def conj_physical(input: Tensor) -> Any:
    """the tensor itself, since it is real"""
    return input


differentiate("conj_physical", input=lambda grad: torch.conj_physical(grad))
differentiate("conj_physical_", node="ConjPhysicalBackward1", input=lambda grad: torch.conj_physical(grad))

refused("apply_ map_")  # where a tensor requires a gradient, the call itself is refused before this is read

# -- questions ---------------------------------------------------------------------------------------------------

not_differentiable(
    "isnan isinf isfinite isposinf isneginf isreal isclose isin signbit equal allclose "
    "eq ne lt le gt ge logical_and logical_or logical_xor logical_not "
    "bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift gcd lcm"
)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _title = _name.capitalize()
    differentiate(f"{_name}_", node=f"{_title}Backward0", when=lambda call: is_number(call["other"]), input=zeros)
    differentiate(
        f"{_name}_", node=f"{_title}Backward1", input=zeros, other=lambda grad, other_like: other_like.new_zeros()
    )
