"""Ops that limit elements to a range: clamp, clamp_min, clamp_max, relu."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ...backends.numpy.chunks import FROM
from ...backends.numpy.limits import at_least, at_most, larger, smaller
from ...backends.numpy.without_warnings import quietly
from ...calling.reading import Notations
from ...declare.pointwise import Pointwise, common_dtype
from ...errors.reasons import refuse
from ...memory.places import number_of
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.scalars import check_fits
from ...tensor.tensor import Tensor
from ...tensor.wrapping import wrap
from ...types.cpp_names import cpp_name
from ...types.dtypes import BOOL, COMPLEX, FLOAT, float64
from ...types.promotion import can_cast
from .prepared import prepared
from .rows import BOOLS, FLOATS, REALS, unary


def _between(a: np.ndarray, low: np.ndarray, high: np.ndarray, out: np.ndarray | None = None) -> Any:
    # If min > max, max wins; NaN propagates from all three operands.
    if type(a) is not np.ndarray:
        low, high = number_of(low), number_of(high)
    if low.ndim == high.ndim == 0 and a.dtype.isbuiltin == 1:
        return np.clip(a, low, high, out=out)  # in one pass, and zeros keep their sign
    if out is None:
        result = larger(a, low)
        in_place = type(result) is np.ndarray and result.shape == np.broadcast_shapes(result.shape, high.shape)
        return smaller(result, high, result if in_place else None)
    return smaller(larger(a, low, out), high, out)


_DOMAIN = REALS | BOOLS


def _row(low: Tensor | float | None, high: Tensor | int | None) -> tuple[Any, str]:
    if low is None:
        return (smaller, "minimum_cpu") if isinstance(high, Tensor) else (at_most, "clamp_max_scalar_cpu")
    if high is None:
        return (larger, "maximum_cpu") if isinstance(low, Tensor) else (at_least, "clamp_min_scalar_cpu")
    return _between, "clamp_cpu" if isinstance(low, Tensor) else "clamp_scalar_cpu"


def _refuse_complex() -> None:
    refuse(
        NotImplementedError, "clamp is not supported for complex types", "complex numbers have no order", "x.abs()",
        rule="order.complex",
    )  # fmt: skip


def _as_number(bound: Any) -> Any:
    """A tensor of no dimensions as a number, which it is beside a number."""
    return bound.item() if isinstance(bound, Tensor) and not bound._array.ndim else bound


def _real_bound(name: str, input: Tensor, bound: Any) -> Any:
    """A complex number as a bound: `clamp` reads it as a real number beside fractions."""
    if not isinstance(bound, complex) or name == "clamp_" and input._dtype._kind != FLOAT:
        return bound
    if input._dtype._kind != FLOAT or name.startswith(("clamp_min", "clamp_max")):
        _refuse_complex()
    check_fits(bound, float64)
    return bound.real


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
    if low is not None and high is not None and isinstance(low, Tensor) is not isinstance(high, Tensor):
        low, high = _as_number(low), _as_number(high)
    ufunc, stub = _row(low, high)
    bounds = tuple(b for b in (low, high) if b is not None)
    by_tensor = isinstance(low if high is None else high, Tensor)
    if input._dtype._kind == COMPLEX and not (by_tensor and name.startswith(("clamp_min", "clamp_max"))):
        _refuse_complex()
    if any([isinstance(bound, complex) for bound in bounds]):
        bounds = tuple([_real_bound(name, input, bound) for bound in bounds])
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
    return operands, _rule(ufunc, stub, bool(numbers))


@cache
def _rule(ufunc: Any, stub: str, by_numbers: bool) -> Pointwise:
    domain = REALS if "scalar" in stub or stub == "clamp_cpu" else _DOMAIN
    return Pointwise(
        ufunc, stub=stub, domain=domain, via_float32=False, same_out=by_numbers, numbers_have_strides=not by_numbers
    )


def _number(value: Tensor | float | None) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _of_few(input: Any, min: Any = None, max: Any = None) -> Tensor | None:
    """A clamp by numbers, of a few floats that lie in order; None for all else."""
    if type(input) is not Tensor or input._keys or input._dtype not in FLOATS:
        return None
    array = input._array
    if not 0 < array.size < FROM or 1 in array.shape or not array.flags.c_contiguous:
        return None
    for bound in (min, max):  # neither NaN nor too large for float32
        if bound is not None and (type(bound) not in (int, float) or not -1e30 < bound < 1e30):
            return None
    if min is None:
        if max is None:
            return None
        result = quietly(at_most, array, max)
    else:
        result = quietly(at_least, array, min) if max is None else quietly(np.clip, array, min, max)
    return wrap(np.asarray(result), input._dtype)  # NumPy makes a number of an array without dimensions


@prepared(
    "clamp", "Limits each element to the range from min to max.", "clip", quick=_of_few,
)  # fmt: skip
def _clamp(name: str, input: Any, min: Tensor | float | None = None, max: Tensor | float | None = None) -> tuple:
    return clamped(name, must_be_tensor(name, input), _number(min), _number(max))


@prepared("clamp_min", "Limits each element to at least min.", quick=lambda input, min: _of_few(input, min))
def _clamp_min(name: str, input: Tensor, min: Tensor | float) -> tuple:
    if not isinstance(input, Tensor):
        Notations("clamp_min").read((input, min), {})
    return clamped(name, input, _number(min), None)


@prepared("clamp_max", "Limits each element to at most max.", quick=lambda input, max: _of_few(input, None, max))
def _clamp_max(name: str, input: Tensor, max: Tensor) -> tuple:
    if not isinstance(input, Tensor):
        Notations("clamp_max").read((input, max), {})
    return clamped(name, input, None, _number(max))


def _positive(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    return at_least(a, a.dtype.type(0), out)


_positive.one_pass = True  # type: ignore[attr-defined]


def _numbers_with_sign(name: str, operands: tuple[Tensor]) -> None:
    kind = operands[0]._dtype._kind
    if kind == BOOL:
        message = "Boolean inputs not supported for relu"
        refuse(RuntimeError, message, "booleans have no sign", "x.int()", rule="relu.bool")
    if kind == COMPLEX:
        _refuse_complex()


unary(
    "relu", _positive, "Sets negative elements to 0; NaN is kept.", stub="clamp_min_scalar_cpu", domain=_DOMAIN,
    fast=FLOATS, via_float32=False, check=_numbers_with_sign,
)  # fmt: skip
