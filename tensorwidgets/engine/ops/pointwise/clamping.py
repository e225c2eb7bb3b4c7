"""Ops that limit elements to a range: clamp, clamp_min, clamp_max, relu."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...calling.reading import Notations
from ...declare.by_signature import calls
from ...declare.pointwise import Pointwise, common_dtype
from ...declare.pointwise_runs import execute, run_inplace, run_plain
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...memory.places import number_of
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.scalars import check_fits
from ...tensor.tensor import Tensor
from ...types.cpp_names import cpp_name
from ...types.dtypes import BOOL, COMPLEX
from ...types.promotion import can_cast
from .prepared import prepared
from .rows import BOOLS, REALS


def _between(a: np.ndarray, low: np.ndarray, high: np.ndarray, out: Any = None) -> Any:
    # If min > max, max wins; NaN propagates from all three operands.
    if type(a) is not np.ndarray:
        low, high = number_of(low), number_of(high)
    if low.ndim == high.ndim == 0 and a.dtype.isbuiltin == 1:
        return np.clip(a, low, high, out=out)  # in one pass, and zeros keep their sign
    if out is None:
        result = np.maximum(a, low)
        return np.minimum(result, high, out=result) if type(result) is np.ndarray else np.minimum(result, high)
    return np.minimum(np.maximum(a, low, out=out), high, out=out)


_DOMAIN = REALS | BOOLS


def _row(low: Tensor | float | None, high: Tensor | int | None) -> tuple[Any, str]:
    if low is None:
        return np.minimum, "minimum_cpu" if isinstance(high, Tensor) else "clamp_max_scalar_cpu"
    if high is None:
        return np.maximum, "maximum_cpu" if isinstance(low, Tensor) else "clamp_min_scalar_cpu"
    return _between, "clamp_cpu" if isinstance(low, Tensor) else "clamp_scalar_cpu"


def clamped(name: str, input: Tensor, low: Tensor | float | None, high: Tensor | int | None) -> tuple:
    """Returns the operands and the rule of a clamp."""
    if low is None and high is None:
        refuse(
            RuntimeError,
            "torch.clamp: At least one of 'min' or 'max' must not be None",
            "clamp needs min, max or both",
            "x.clamp(min=0)",
            rule="clamp.bounds",
        )
    ufunc, stub = _row(low, high)
    bounds = tuple(b for b in (low, high) if b is not None)
    by_tensor = isinstance(low if high is None else high, Tensor)
    if input._dtype._kind == COMPLEX and not (by_tensor and name.startswith(("clamp_min", "clamp_max"))):
        refuse(
            NotImplementedError, "clamp is not supported for complex types", "complex numbers have no order", "x.abs()",
            rule="order.complex",
        )  # fmt: skip
    operands = (input, *bounds)
    d = common_dtype(operands)
    numbers = [bound for bound in bounds if not isinstance(bound, Tensor)]
    for bound in numbers:
        check_fits(bound, d)
    if numbers and name.endswith("_") and not can_cast(d, input._dtype):
        target = cpp_name(input._dtype, "").lower()
        refuse(
            RuntimeError,
            f"result type {d._type_name} can't be cast to the desired output type {target}",
            f"the bounds make the result {d}, which {input._dtype} cannot hold",
            f"x = x.clamp(…), which is of {d}",
            rule="write.cast",
        )
    return operands, Pointwise(ufunc, stub=stub, domain=_DOMAIN, via_float32=False, same_out=bool(numbers))


def _number(value: Tensor | float | None) -> Any:
    return value.item() if isinstance(value, np.generic) else value


@prepared(
    "clamp", "Limits each element to the range from min to max.", "clip",
)  # fmt: skip
def _clamp(name: str, input: Any, min: Any = None, max: Any = None) -> tuple:
    return clamped(name, must_be_tensor(name, input), _number(min), _number(max))


@prepared("clamp_min", "Limits each element to at least min.")
def _clamp_min(name: str, input: Tensor, min: Tensor | float) -> tuple:
    if not isinstance(input, Tensor):
        Notations("clamp_min").read((input, min), {})
    return clamped(name, input, _number(min), None)


@prepared("clamp_max", "Limits each element to at most max.")
def _clamp_max(name: str, input: Tensor, max: Tensor) -> tuple:
    if not isinstance(input, Tensor):
        Notations("clamp_max").read((input, max), {})
    return clamped(name, input, None, _number(max))


def _positive(name: str, input: Tensor) -> tuple:
    if input._dtype._kind == BOOL:
        message = "Boolean inputs not supported for relu"
        refuse(RuntimeError, message, "booleans have no sign", "x.int()", rule="relu.bool")
    return clamped(name, input, 0, None)


@calls("relu", "Sets negative elements to 0; NaN is kept.", category="pointwise", family="pointwise")
def _relu(input: Tensor) -> Tensor:
    operands, row = _positive("relu", input)
    return run_plain(OPS["relu"], operands, None, row)


@calls("relu_", "In-place form of `relu`.", forms="method", category="pointwise", family="inplace")
def _relu_(input: Tensor) -> Tensor:
    operands, row = _positive("relu_", input)
    return run_inplace(OPS["relu"], operands, row)


for _name in ("relu", "relu_"):
    OPS[_name].rule, OPS[_name].kernel = _positive, execute
