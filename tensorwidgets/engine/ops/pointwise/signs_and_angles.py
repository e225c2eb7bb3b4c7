"""Signs and angles: sgn, positive, heaviside, angle, deg2rad, rad2deg, sinc."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from ...backends.numpy import in_double
from ...declare.by_signature import own_result
from ...declare.pointwise import Pointwise
from ...declare.rules import Answer
from ...dispatch import stations
from ...dispatch.registry import Op, add_row
from ...errors.reasons import refuse
from ...memory.places import as_array
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtypes import COMPLEX
from . import kernels
from .prepared import REAL_FRACTIONS, prepared, stepwise
from .rows import BOOLS, FRACTIONS, NUMBERS, REALS, unary


@stepwise
def _sinc(a: np.ndarray, out: ndarray | None) -> Any:
    angle = as_array(np.multiply(a, a.dtype.type(np.pi)))
    one = angle == 0
    angle[one] = 1
    outcome = as_array(np.divide(in_double.sin(angle), angle, out))
    np.copyto(outcome, 1, where=one)
    return outcome


@stepwise
def _sgn(a: np.ndarray, out: ndarray | None) -> Any:
    if a.dtype.kind != "c":
        return kernels.sign(a, out)
    size = np.abs(a)
    zero = size == 0
    outcome = as_array(np.divide(a, np.where(zero, a.dtype.type(1), size), out))
    np.copyto(outcome, 0, where=zero)
    return outcome


def _angle(a: np.ndarray, out: ndarray | None = None) -> Any:
    if a.dtype.kind == "c":
        return in_double.arctan2(a.imag, a.real, out)
    outcome = np.where(np.isnan(a), a, np.where(a < 0, a.dtype.type(np.pi), a.dtype.type(0)))
    if out is None:
        return outcome
    np.copyto(out, outcome, casting="unsafe")
    return out


def _times(factor: float) -> Callable:
    @stepwise
    def multiply(a: np.ndarray, out: ndarray | None) -> Any:
        return np.multiply(a, a.dtype.type(factor), out)

    return multiply


unary(
    "sinc",
    _sinc,
    "Computes the normalized sinc, sin(pi x) / (pi x), of each element; 1 at 0.",
    "special.sinc",
    promotion="float",
    stub="sinc_cpu",
    domain=FRACTIONS,
)


unary(
    "sgn", _sgn, "Computes the sign of each element; for complex numbers, x / |x|.",
    stub="sign_cpu", domain=NUMBERS | BOOLS, same_out=True,
)  # fmt: skip
unary(
    "angle", _angle, "Computes the angle of each element, in radians; pi for negative real numbers.", inplace=False,
    promotion="float to real", stub="angle_cpu", domain=FRACTIONS,
)  # fmt: skip


def _no_complex_angle(name: str, operands: tuple) -> None:
    if operands[0]._dtype._kind == COMPLEX:
        refuse(
            RuntimeError,
            f"{name.rstrip('_')} is not supported for complex tensors.",
            "an angle is a real number",
            "x.real",
        )


for _name, _factor, _words in (
    ("deg2rad", np.pi / 180, "Converts each element from degrees to radians."),
    ("rad2deg", 180 / np.pi, "Converts each element from radians to degrees."),
):
    unary(
        _name, _times(_factor), _words, promotion="float", check=_no_complex_angle, stub="mul_cpu",
        domain=REAL_FRACTIONS, via_float32=True, preserves=REAL_FRACTIONS,
    )  # fmt: skip


def _positive(input: Tensor) -> Answer:
    must_be_tensor("positive", input)
    if input._dtype is dtypes.bool_:
        refuse(
            RuntimeError,
            "The `+` operator, on a bool tensor is not supported.",
            "a truth value has no sign",
            rule="positive.bool",
        )
    return own_result(input), ()


def _itself(input: Tensor) -> Tensor:
    _positive(input)
    return input


stations.bind(
    add_row(
        Op(
            "positive",
            "copy",
            "pointwise",
            "Returns the tensor itself (+x).",
            rule=_positive,
            kernel=_itself,
        )
    ),
    _itself,
)


def _heaviside_kernel(a: np.ndarray, values: np.ndarray, out: np.ndarray | None = None) -> Any:
    outcome = np.where(a == 0, values, (a > 0).astype(a.dtype))
    if out is None:
        return outcome
    np.copyto(out, outcome, casting="unsafe")
    return out


@prepared(
    "heaviside",
    "Computes the step function: 0 below zero, 1 above, and `values` at zero.",
    category="creation",
)
def _heaviside(name: str, input: Tensor, values: Tensor) -> tuple:
    must_be_tensor(name, input)
    must_be_tensor(name, values, "values", 2 - name.endswith("_"))
    name = name.rstrip("_")
    if COMPLEX in (input._dtype._kind, values._dtype._kind):
        refuse(
            RuntimeError, f"{name} is not yet implemented for complex tensors.", "complex numbers have no order",
            rule="heaviside.complex",
        )  # fmt: skip
    if input._dtype is not values._dtype:
        refuse(
            RuntimeError,
            f"{name} is not yet implemented for tensors with different dtypes.",
            f"one is {input._dtype}, the other {values._dtype}",
            f"values.to({input._dtype})",
            rule="heaviside.dtype",
        )
    row = Pointwise(
        _heaviside_kernel, stub="heaviside_cpu", domain=REALS | BOOLS, via_float32=False,
        same_out=f"{name} is not yet implemented for tensors with different dtypes.",
    )  # fmt: skip
    return (input, values), row
