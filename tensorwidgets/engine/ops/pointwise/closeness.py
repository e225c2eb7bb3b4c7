"""Tests of elements: isclose, allclose, isposinf, isneginf, isreal, isin."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy.casts import number_array
from ...backends.numpy.without_warnings import quietly
from ...calling.arguments import as_number
from ...declare.by_signature import calls
from ...declare.pointwise import Pointwise, common_dtype
from ...declare.pointwise_runs import run_plain
from ...declare.rules import Answer, Result
from ...dispatch import stations
from ...dispatch.registry import OPS, Op, add_row
from ...errors.reasons import refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtypes import COMPLEX, FLOAT, INTEGER, dtype
from .prepared import prepared
from .rows import COMPLEXES, EVERYTHING, unary


def _infinite(positive: bool) -> Any:
    def ask(a: np.ndarray, out: np.ndarray | None = None) -> Any:
        if a.dtype.kind in "iub":
            result: Any = np.zeros(a.shape, bool, like=a)
        else:
            result = np.equal(a, a.dtype.type(np.inf if positive else -np.inf))
        if out is None:
            return result
        np.copyto(out, result, casting="unsafe")
        return out

    return ask


def _no_complex(name: str, operands: tuple) -> None:
    if operands[0]._dtype._kind == COMPLEX:
        refuse(
            RuntimeError, f"{name} does not support complex inputs.", "complex numbers have no order", "x.real",
            rule="order.complex",
        )  # fmt: skip


def _real(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    result = np.equal(a.imag, 0) if a.dtype.kind == "c" else np.ones_like(a, bool)
    if out is None:
        return result
    np.copyto(out, result, casting="unsafe")
    return out


for _name, _positive, _words in (
    ("isposinf", True, "Tests each element for positive infinity."),
    ("isneginf", False, "Tests each element for negative infinity."),
):
    unary(
        _name, _infinite(_positive), _words, category="comparison", inplace=False, promotion="bool",
        via_float32=False, check=_no_complex, bool_out=_name,
    )  # fmt: skip
_is_real = Op(
    "isreal", "pointwise", "comparison",
    "Tests whether each element is real, or has an imaginary part of 0.",
    rule=Pointwise(_real, "bool", via_float32=False, preserves=EVERYTHING - COMPLEXES), kernel=_real,
)  # fmt: skip
stations.bind(add_row(_is_real), lambda input: run_plain(_is_real, (must_be_tensor("isreal", input),)))


def _close(rtol: float, atol: float, equal_nan: bool) -> Any:
    def ask(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
        result = np.equal(a, b)
        if a.dtype.kind not in "iub" and equal_nan:
            result |= np.isnan(a) & np.isnan(b)
        if rtol or atol:
            wide = b if b.dtype.kind in "fc" else b.astype(dtypes.get_default_dtype()._in_numpy)
            allowed = np.add(np.abs(np.multiply(wide, wide.dtype.type(rtol))), atol)
            error = np.abs(np.subtract(a, wide))
            result |= np.isfinite(error) & (error <= allowed)
        if out is None:
            return result
        np.copyto(out, result, casting="unsafe")
        return out

    return ask


@prepared(
    "isclose", "Tests whether elements are close: |input - other| <= atol + rtol * |other|.",
    inplace=False, category="comparison",
)  # fmt: skip
def _isclose(
    name: str, input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> tuple:
    must_be_tensor(name, input)
    must_be_tensor(name, other, "other", 2)
    if input._dtype is not other._dtype:
        refuse(
            RuntimeError,
            f"{input._dtype._type_name} did not match {other._dtype._type_name}",
            f"one is {input._dtype}, the other {other._dtype}",
            f"other.to({input._dtype})",
            rule="isclose.dtype",
        )
    for tolerance, value in (("rtol", rtol), ("atol", atol)):
        if not value >= 0:
            refuse(
                RuntimeError,
                f"{tolerance} must be greater than or equal to zero, but got {value:g}",
                "a distance is never negative",
                rule="isclose.tolerance",
            )
    return (input, other), Pointwise(_close(rtol, atol, equal_nan), "bool")


@calls(
    "allclose",
    "Returns whether all elements are close: |input - other| <= atol + rtol * |other|.",
    family="comparison",
    category="comparison",
)
def allclose(input: Tensor, other: Tensor, **tolerances: Any) -> bool:
    return bool(OPS["all"].function(OPS["isclose"].function(input, other, **tolerances)).item())


def fill_is_in(target: np.ndarray, elements: Any, tests: Any, d: dtype, unique: bool, invert: bool) -> None:
    wide = dtypes.opmath(d)._in_numpy
    a, b = (
        quietly(v.astype, wide) if hasattr(v, "dtype") else number_array(v, d).astype(wide) for v in (elements, tests)
    )
    target[...] = np.isin(a, b, unique, invert)


@calls(
    "isin",
    "Tests whether each element is among the test elements.",
    forms="function",
    family="comparison",
    category="comparison",
    kernel=fill_is_in,
    out="same",
)
def isin(assume_unique: bool = False, invert: bool = False, **given: Any) -> Answer:
    elements = given.get("elements", given.get("element"))
    tests = given.get("test_elements", given.get("test_element"))
    elements, tests = [as_number(t) if isinstance(t, np.generic) else t for t in (elements, tests)]
    for t in (elements, tests):
        own = t._dtype if isinstance(t, Tensor) else common_dtype((t,))
        if not isinstance(t, Tensor) and own._kind == COMPLEX:  # a number is a tensor of its largest dtype here
            own = dtypes.complex128
        if own._kind not in (INTEGER, FLOAT):
            refuse(
                RuntimeError,
                f"Unsupported input type encountered for isin(): {own._type_name}",
                f"PyTorch compares integers and floats here, but not {own}",
                "x.long()",
                rule="isin.dtype",
            )
    d = common_dtype((elements, tests))
    size = elements._array.shape if isinstance(elements, Tensor) else ()
    one, two = [t._array if isinstance(t, Tensor) else t for t in (elements, tests)]
    return Result(size, dtypes.bool_), (one, two, d, assume_unique, invert)
