"""Powers, roots, exponentials and logarithms."""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING, Any

from ....errors.warnings import warn
from ....types import dtypes
from ...declaring import differentiate, parts
from ...helpers import conj, less, plus, times
from ...number_rows import add_number
from ...ops import torch
from .arithmetic import is_number, zeros

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

# -- powers ------------------------------------------------------------------------------------------------------


def of_base(grad: Tensor, base: Tensor, exponent: Tensor | float) -> Any:
    """The gradient of a base; zeros where the exponent is zero."""
    if is_number(exponent):
        return zeros(grad) if exponent == 0 else grad * conj(times(base.pow(exponent - 1), exponent))
    return torch.where(exponent == 0, 0, grad * conj(exponent * torch.pow(base, less(exponent, 1))))


def of_exponent(grad: Tensor, base: Any, exponent: Tensor, result: Tensor) -> Any:
    """The gradient of an exponent; zeros where the base is zero and no power of it is infinite."""
    if is_number(base):
        slope = conj(times(result, _log_of_number(complex(base) if exponent.is_complex() else base)))
        return grad * (slope if base != 0 else torch.where(_stays_zero(exponent), 0, slope))
    slope = conj(result * base.to(torch.result_type(base, exponent)).log())
    return grad * torch.where((base == 0) & _stays_zero(exponent), 0, slope)


def _stays_zero(exponent: Tensor) -> Any:
    """Where zero to this power is no infinity: for exponents from zero on."""
    if exponent.is_complex():
        return (exponent.imag == 0) & (exponent.real >= 0)
    return exponent >= 0


def _log_of_number(base: Any) -> Any:
    """The logarithm of a number: -inf of zero, NaN of negative numbers."""
    if isinstance(base, complex):
        return cmath.log(base) if base else -math.inf
    return math.log(base) if base > 0 else math.nan if base else -math.inf


differentiate(
    "pow",
    node="PowBackward2",
    when=lambda call: is_number(call["input"]),
    exponent=lambda grad, input, exponent, result: of_exponent(grad, input, exponent, result),
)
differentiate(
    "pow",
    node="PowBackward0",
    when=lambda call: is_number(call["exponent"]),
    input=lambda grad, input, exponent: of_base(grad, input, exponent),
)
differentiate(
    "pow",
    node="PowBackward1",
    input=lambda grad, input, exponent: of_base(grad, input, exponent),
    exponent=lambda grad, input, exponent, result: of_exponent(grad, input, exponent, result),
)


@parts("square")
def square(input: Tensor) -> Any:
    """pow, with the exponent 2"""
    return input.pow(2)


@parts("square_")
def square_(input: Tensor) -> Any:
    """pow_, with the exponent 2"""
    return input.pow_(2)


@parts("float_power")
def float_power(input: Tensor, exponent: Any) -> Any:
    """pow, in double precision"""
    d = _double(input, exponent)
    given = [(complex(x) if d.is_complex else float(x)) if is_number(x) else x.to(d) for x in (input, exponent)]
    return torch.pow(*given)


@parts("float_power_", when=lambda call: call["input"].dtype is _double(call["input"], call["exponent"]))
def float_power_(input: Tensor, exponent: Any) -> Any:
    """pow_, in double precision"""
    if is_number(exponent):
        return input.pow_(complex(exponent) if input.is_complex() else float(exponent))
    return input.pow_(exponent.to(input.dtype))


def _double(*operands: Any) -> Any:
    """The double precision that holds all operands."""
    complex_ = any(isinstance(x, complex) if is_number(x) else x.is_complex() for x in operands)
    return dtypes.complex128 if complex_ else dtypes.float64


differentiate("sqrt", input=lambda grad, result: grad / times(result.conj(), 2))
differentiate("rsqrt", input=lambda grad, result: times(grad, -0.5) * result.pow(3).conj())
differentiate(
    "ldexp",
    casts=False,
    input=lambda grad, other: grad * torch.pow(2, other).conj(),  # of whole numbers, a power below 1 is 0 in PyTorch
    other=lambda grad, result: times(grad * result.conj(), math.log(2)),
)
differentiate("frexp", input=lambda grad, result1: grad / result1.exp2())

# -- exponentials and logarithms ---------------------------------------------------------------------------------

differentiate("exp", input=lambda grad, result: grad * result.conj())
differentiate("exp2", input=lambda grad, result: times(grad * result.conj(), math.log(2)))
differentiate("expm1", input=lambda grad, result: grad * plus(result.conj(), 1))
differentiate("log", input=lambda grad, input: grad / input.conj())
differentiate("log2", input=lambda grad, input: grad / times(input.conj(), math.log(2)))
differentiate("log10", input=lambda grad, input: grad / times(input.conj(), math.log(10)))
differentiate("log1p", node="Log1PBackward0", input=lambda grad, input: _over_one_more(grad, input))


def _over_one_more(grad: Tensor, input: Tensor) -> Any:
    """grad / (input + 1), where adding 1 leaves no element out."""
    if input._keys and input.layout is not torch.strided:
        warn(
            "log1p_backward: received self with sparse layout, but backward requires materialization of a dense tensor "
            "with this shape"
        )
        return grad * add_number(input.to_dense(), 1).conj().reciprocal()
    return grad / add_number(input, 1).conj()


differentiate(
    "logaddexp",
    casts=False,
    input=lambda grad, input, other: grad / plus(torch.exp(other - input), 1).conj(),
    other=lambda grad, input, other: grad / plus(torch.exp(input - other), 1).conj(),
)
differentiate(
    "logaddexp2",
    input=lambda grad, input, other: grad / plus(torch.pow(2, other - input), 1),
    other=lambda grad, input, other: grad / plus(torch.pow(2, input - other), 1),
)
