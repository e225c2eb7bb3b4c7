"""Activations that PyTorch computes by kernels of their own, and their gradients."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from ....errors.reasons import refuse
from ....tensor.scalars import check_fits, fill_number
from ....tensor.tensor import Tensor
from ....types.dtypes import BOOL, COMPLEX, HALVES, INTEGER, float64, int64, opmath, uint8
from ....types.limits import finfo
from ...pointwise.prepared import REAL_FRACTIONS
from ...pointwise.rows import COMPLEXES, REALS
from . import curves
from .elementwise import elementwise, in_place

SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805
"""The constants of selu, by which results keep mean 0 and variance 1 from layer to layer."""


@elementwise("_nn.leaky_relu", "Multiplies negative elements by a slope.", curves.leaky_relu, stub="leaky_relu_cpu")
def leaky_relu(input: Tensor, negative_slope: float = 0.01) -> tuple:
    return (negative_slope,)


@elementwise("_nn.elu", "Exponentials below 0, linear above it.", curves.elu, stub="elu_cpu")
def elu(input: Tensor, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0) -> tuple:
    return alpha, scale, input_scale


@elementwise("celu", "Computes max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).", curves.elu, stub="elu_cpu")
def celu(input: Tensor, alpha: float = 1.0) -> tuple:
    check_fits(alpha, float64)
    if alpha == 0:
        refuse(
            RuntimeError,
            "ZeroDivisionError: alpha cannot be 0 for CELU",
            "celu divides by alpha",
            "alpha=1.0",
            rule="celu.alpha",
        )
    return alpha, 1.0, 1.0 / alpha


@elementwise("selu", "An elu that keeps mean 0 and variance 1 from layer to layer.", curves.elu, stub="elu_cpu")
def selu(input: Tensor) -> tuple:
    return SELU_ALPHA, SELU_SCALE, 1.0


@elementwise(
    "nn.functional.gelu", "Multiplies each element by the share of a normal distribution below it.", curves.gelu,
    stub="GeluKernelImpl",
)  # fmt: skip
def gelu(input: Tensor, *, approximate: str = "none") -> tuple:
    return (checked_form(approximate),)


def checked_form(approximate: str) -> str:
    """The name of one of the two forms of gelu."""
    if approximate not in ("none", "tanh"):
        refuse(
            RuntimeError,
            "approximate argument must be either none or tanh.",
            "gelu has two forms",
            "approximate='tanh'",
            rule="gelu.approximate",
        )
    return approximate


@elementwise(
    "_nn.silu", "Multiplies each element by its sigmoid.", curves.silu, stub="silu_cpu",
    domain=REAL_FRACTIONS | COMPLEXES,
)  # fmt: skip
def silu(input: Tensor) -> tuple:
    return ()


@elementwise("_nn.mish", "Multiplies each element by the tanh of its softplus.", curves.mish, stub="mish_cpu")
def mish(input: Tensor) -> tuple:
    return ()


@elementwise(
    "nn.functional.softplus", "A smooth relu: log(1 + exp(beta * x)) / beta.", curves.softplus, stub="softplus_cpu"
)
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> tuple:
    return beta, threshold


@elementwise(
    "nn.functional.softshrink", "Moves elements towards 0 by lambd, and those nearer than that to 0.",
    curves.softshrink, stub="softshrink_check",
)  # fmt: skip
def softshrink(input: Tensor, lambd: float = 0.5) -> tuple:
    check_fits(lambd, float64)
    largest = float(finfo(input._dtype).max) if input._dtype in REAL_FRACTIONS else inf
    if input._dtype in REAL_FRACTIONS and not 0 <= lambd <= largest:
        refuse(
            RuntimeError,
            f"lambda must be in range [0, {largest:g}] for input dtype {input._dtype._type_name}, but found {lambd:g}",
            "softshrink moves elements towards 0",
            "lambd=0.5",
            rule="softshrink.lambd",
        )
    return (lambd,)


@elementwise(
    "_nn.hardtanh", "Limits elements to a range.", curves.hardtanh, stub="clamp_scalar_cpu",
    domain=REALS | REAL_FRACTIONS, preserves=True, own_numbers=True,
)  # fmt: skip
def hardtanh(input: Tensor, min_val: float = -1, max_val: float = 1) -> tuple:
    kind = input._dtype._kind
    if kind == BOOL:
        refuse(
            RuntimeError, "Bool inputs not supported for hardtanh", "booleans have no sign", "x.int()", rule="relu.bool"
        )
    if kind == COMPLEX:
        refuse(
            NotImplementedError, "clamp is not supported for complex types", "complex numbers have no order", "x.abs()",
            rule="order.complex",
        )  # fmt: skip
    if kind == INTEGER:
        for limit in (min_val, max_val):
            check_fits(limit, int64)
    if input._dtype is uint8 and (int(min_val) < 0 or int(max_val) < 0):
        refuse(
            RuntimeError, "cannot do hardtanh on an unsigned type with negative limits",
            "uint8 has no negative numbers", "x.int()", rule="hardtanh.unsigned",
        )  # fmt: skip
    if input._dtype is uint8:
        min_val, max_val = int(min_val), int(max_val)
    if kind == INTEGER:
        min_val, max_val = (fill_number(n, int64).item() for n in (min_val, max_val))
    return min_val, max_val


@elementwise("_nn.hardsigmoid", "A sigmoid of three straight lines.", curves.hardsigmoid, stub="hardsigmoid_cpu")
def hardsigmoid(input: Tensor) -> tuple:
    return ()


@elementwise("_nn.hardswish", "Multiplies each element by its hardsigmoid.", curves.hardswish, stub="hardswish_cpu")
def hardswish(input: Tensor) -> tuple:
    return ()


@elementwise(
    "nn.functional.logsigmoid", "Computes the logarithm of the sigmoid, without overflow.", curves.log_sigmoid,
    stub="log_sigmoid_cpu", contiguous=True,
)  # fmt: skip
def logsigmoid(input: Tensor) -> tuple:
    return ()


@elementwise(
    "threshold", "Sets elements that are not above a threshold to a value.", curves.threshold, stub="threshold_cpu",
    domain=REALS | REAL_FRACTIONS, late_overlap=True,
)  # fmt: skip
def threshold(input: Tensor, threshold: float, value: Any) -> tuple:
    wide = opmath(input._dtype)
    check_fits(value, input._dtype)
    return fill_number(threshold, wide), fill_number(value, wide)


for _name in ("leaky_relu", "elu", "hardtanh"):
    in_place(f"nn.functional.{_name}_", f"_nn.{_name}")
for _name in ("silu", "mish", "hardsigmoid", "hardswish"):
    in_place(f"_nn.{_name}_", f"_nn.{_name}")
for _name in ("celu", "selu", "threshold"):
    in_place(f"{_name}_", _name, f"nn.functional.{_name}_")

# -- gradients ---------------------------------------------------------------------------------------------------


def _gradient(name: str, curve: Callable[..., Any], stub: str = "", **more: Any) -> Any:
    words = f"The gradient of {name.rpartition('.')[2]}."
    return elementwise(f"_nn.{name}_backward", words, curve, stub=stub or f"{name}_backward_cpu", **more)


@_gradient("leaky_relu", curves.leaky_relu_slope, leading=(1, 0))
def _leaky_relu(grad_output: Tensor, input: Tensor, negative_slope: float, is_result: bool = False) -> tuple:
    if is_result and negative_slope < 0:
        refuse(
            RuntimeError,
            "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This "
            "is caused by calling in-place forward function with a negative slope, please call out-of-place version "
            "instead. File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place "
            "leakRelu backward calculation with negative slope",
            "the result does not tell which elements were negative",
            "inplace=False",
            rule="autograd.undefined",
        )
    return (negative_slope,)


@_gradient("elu", curves.elu_slope)
def _elu(grad_output: Tensor, input: Tensor, alpha: float, scale: float, input_scale: float, is_result: bool) -> tuple:
    if is_result and alpha < 0:
        refuse(
            RuntimeError,
            "In-place elu backward calculation is triggered with a negative slope which is not supported. This is "
            "caused by calling in-place forward function with a negative slope, please call out-of-place version "
            "instead.",
            "the result does not tell which elements were negative",
            "inplace=False",
            rule="autograd.undefined",
        )
    return alpha, scale, input_scale, is_result


@_gradient("gelu", curves.gelu_slope, "GeluBackwardKernelImpl")
def _gelu(grad_output: Tensor, input: Tensor, *, approximate: str = "none") -> tuple:
    return (approximate,)


@_gradient("silu", curves.silu_slope, domain=REAL_FRACTIONS | COMPLEXES)
def _silu(grad_output: Tensor, input: Tensor) -> tuple:
    return ()


@_gradient("mish", curves.mish_slope)
def _mish(grad_output: Tensor, input: Tensor) -> tuple:
    return ()


@_gradient("softplus", curves.softplus_slope)
def _softplus(grad_output: Tensor, input: Tensor, beta: float, threshold: float) -> tuple:
    return beta, threshold


@_gradient("softshrink", curves.softshrink_slope)
def _softshrink(grad_output: Tensor, input: Tensor, lambd: float) -> tuple:
    return (lambd,)


@_gradient("hardtanh", curves.hardtanh_slope)
def _hardtanh(grad_output: Tensor, input: Tensor, min_val: float, max_val: float) -> tuple:
    return min_val, max_val


@_gradient("hardsigmoid", curves.hardsigmoid_slope)
def _hardsigmoid(grad_output: Tensor, input: Tensor) -> tuple:
    return ()


@_gradient("hardswish", curves.hardswish_slope)
def _hardswish(grad_output: Tensor, input: Tensor) -> tuple:
    return ()


@_gradient("log_sigmoid", curves.log_sigmoid_slope, leading=(0,))
def _log_sigmoid(grad_output: Tensor, input: Tensor) -> tuple:
    return (input._dtype._in_numpy,) if input._dtype in HALVES else ()


@_gradient("threshold", curves.threshold_slope, domain=REALS | REAL_FRACTIONS, leading=(1, 0))
def _threshold(grad_output: Tensor, input: Tensor, threshold: float) -> tuple:
    return (threshold,)
