"""Powers and inverse roots: rsqrt, ldexp, float_power."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ... import geometry
from ...backends.numpy.without_warnings import quietly
from ...declare.pointwise import common_dtype
from ...declare.pointwise_calls import check_numbers, named_inplace
from ...dispatch import stations
from ...dispatch.registry import OPS, Op, add_row
from ...errors.reasons import refuse, sure
from ...memory import MetaArray
from ...memory.places import as_array
from ...tensor.moving.resizing import warn_of_resized
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.results import copy_to
from ...tensor.tensor import Tensor
from ...tensor.write_checks import check_same_size, check_writable
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX, FLOAT, dtype
from ...types.promotion import can_cast
from . import kernels
from .prepared import stepwise
from .rows import FRACTIONS, INPLACE, unary

_NO_EXPONENTS = frozenset((dtypes.bool_, dtypes.uint16, dtypes.uint32, dtypes.uint64))


_AT_ONCE = 32
"""16-bit floats that PyTorch computes at once, in float32."""


@stepwise
def _rsqrt(a: np.ndarray, out: ndarray | None) -> Any:
    if a.dtype.itemsize == 2 and type(a) is ndarray:
        halves = quietly(_rsqrt_of_halves, a)
        if out is None:
            return halves
        np.copyto(out, halves)
        return out
    return kernels.reciprocal(as_array(np.sqrt(a, out)), out)


def _rsqrt_of_halves(a: np.ndarray) -> np.ndarray:
    """Those that are computed one by one, at the end and where they lie apart, are rounded after the root as well."""
    wide = np.sqrt(a.astype(np.float32))
    result = np.reciprocal(wide.astype(a.dtype).astype(np.float32)).astype(a.dtype)
    whole, rows, roots = a.T if a.flags.f_contiguous else a, result, wide
    if whole is not a:
        rows, roots = result.T, wide.T
    if whole.flags.c_contiguous:
        rows, roots = rows.reshape(-1), roots.reshape(-1)
    elif a.strides[-1] != a.itemsize:
        return result
    count = rows.shape[-1] // _AT_ONCE * _AT_ONCE
    rows[..., :count] = np.reciprocal(roots[..., :count]).astype(a.dtype)
    return result


unary(
    "rsqrt",
    _rsqrt,
    "Computes the reciprocal of the square root of each element.",
    promotion="float",
    stub="rsqrt_cpu",
    domain=FRACTIONS,
    via_float32=False,
)


def _scales(input: Tensor, other: Tensor) -> bool:
    """Are fractions scaled by whole powers? PyTorch then keeps their dtype, and no power is too large for it."""
    return input._dtype._kind == FLOAT and other._dtype._kind < FLOAT


def _power_of_two(form: str, position: int, input: Tensor, other: Tensor, target: Tensor | None) -> Tensor:
    must_be_tensor(form, other, "other", position)
    if _scales(input, other):
        sure(geometry.broadcast(input._array.shape, other._array.shape))
        if other._dtype in _NO_EXPONENTS:
            refuse_dtype("ldexp_cpu_exp", other._dtype)
        if target is None:
            _warn_of_larger(input, other)
        other = other.to(dtypes.float64)
    power = OPS["pow"].function(2.0, other)
    over_fractions = target is input and input._dtype._kind == FLOAT  # which the product refuses in its own words
    if target is not None and not over_fractions and not can_cast(common_dtype((input, power)), target._dtype):
        refuse(
            RuntimeError,
            f"ldexp can't be cast to the desired output type {target._dtype._type_name}",
            f"a power of 2 may be a fraction, and {target._dtype} cannot hold one",
            "x.float()",
            rule="write.cast",
        )
    return power


def _warn_of_larger(input: Tensor, other: Tensor) -> None:
    """PyTorch writes scaled fractions into a tensor of the size of `input`, so it warns of a larger result."""
    size = input._array.shape
    if size != other._array.shape and input._array.size and type(input._array) is not MetaArray:
        larger = geometry.broadcast(size, other._array.shape)
        if isinstance(larger, tuple) and larger != size:
            warn_of_resized(size, larger)


def _ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    must_be_tensor("ldexp", input)
    power = _power_of_two("ldexp", 2, input, other, out)
    if _scales(input, other):
        return copy_to(out, OPS["mul"].function(input, power).to(input._dtype))
    return OPS["mul"].function(input, power, **({} if out is None else {"out": out}))


def _ldexp_(input: Tensor, other: Tensor) -> Tensor:
    if isinstance(other, Tensor) and _scales(input, other):  # PyTorch looks at memory and sizes before the exponents
        check_writable(input)
        both = geometry.broadcast(input._array.shape, other._array.shape)
        if isinstance(both, tuple):
            check_same_size(input._array.shape, both)
    return OPS["mul_"].function(input, _power_of_two("ldexp_", 1, input, other, input))


def _wide_power(name: str, input: Tensor, exponent: Tensor) -> tuple[Any, Any, dtype]:
    kinds = [o._dtype._kind if isinstance(o, Tensor) else COMPLEX if type(o) is complex else FLOAT
             for o in (input, exponent)]  # fmt: skip
    d = dtypes.complex128 if COMPLEX in kinds else dtypes.float64
    base, power = (o.to(d) if isinstance(o, Tensor) else o for o in (input, exponent))
    check_numbers(name, input, exponent, either=True)
    return base, power, d


def _float_power(input: Tensor, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    base, power, d = _wide_power("float_power", input, exponent)
    if out is not None and out._dtype is not d:
        _refuse_power("the output given to float_power", out._dtype, d)
    return OPS["pow"].function(base, power, **({} if out is None else {"out": out}))


def _float_power_(input: Tensor, exponent: Tensor) -> Tensor:
    _, power, d = _wide_power("float_power_", input, exponent)
    if input._dtype is not d:
        _refuse_power("the base given to float_power_", input._dtype, d)
    return OPS["pow_"].function(input, power)


def _refuse_power(what: str, value: dtype, wanted: dtype) -> None:
    refuse(
        RuntimeError,
        f"{what} has dtype {value._type_name} but the operation's result requires dtype {wanted._type_name}",
        f"float_power computes in {wanted}, and {value} is narrower",
        f"x.to({wanted})",
        rule="float_power.dtype",
    )


for _name, _plain, _over, _words in (
    ("ldexp", _ldexp, _ldexp_, "Multiplies `input` by 2 to the power of `other`."),
    (
        "float_power", _float_power, _float_power_,
        "Raises each element to a power, computed in float64 or complex128.",
    ),
):  # fmt: skip
    _op = add_row(Op(_name, "pointwise", "pointwise", _words, kernel=_plain))
    stations.bind(_op, _plain)
    INPLACE[_name + "_"] = named_inplace(_op, _over)
