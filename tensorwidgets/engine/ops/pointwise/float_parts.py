"""Floating-point numbers as such: nan_to_num, frexp, nextafter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy.casts import cast
from ...backends.numpy.without_warnings import quietly
from ...calling.arguments import is_real
from ...declare.pointwise import Pointwise
from ...declare.rules import Answer, Result, computed_row, store
from ...errors.reasons import refuse
from ...tensor.lookups import size_and_stride
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import FLOAT, HALVES, dtype
from ...types.limits import finfo
from .prepared import REAL_FRACTIONS, prepared
from .rows import EVERYTHING, binary


def _without_nan(d: dtype, nan: float | None, posinf: float | None, neginf: float | None) -> Callable:
    def nan_to_num(a: np.ndarray, out: np.ndarray | None = None) -> Any:
        if d._kind < FLOAT:
            return a if out is None else np.copyto(out, a)
        most = finfo(d.to_real()).max
        high, low = (most if posinf is None else posinf), (-most if neginf is None else neginf)
        with_nan = 0.0 if nan is None else nan
        outcome = np.nan_to_num(a, nan=with_nan, posinf=high, neginf=low)
        if out is None:
            return outcome
        np.copyto(out, outcome, casting="unsafe")
        return out

    return nan_to_num


_OUT = "nan_to_num: dtype of out: {Got} should be same as input: {Wanted}"


@prepared(
    "nan_to_num", "Replaces NaN by 0 and infinities by the largest and smallest finite numbers, or by given numbers.",
)  # fmt: skip
def _nan_to_num(
    name: str, input: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> tuple:
    must_be_tensor(name, input)
    for place, (called, value) in enumerate((("nan", nan), ("posinf", posinf), ("neginf", neginf)), 2):
        if value is not None and not is_real(value):
            message = f"{name}(): argument '{called}' (position {place}) must be float, not {type_name(value)}"
            refuse(
                TypeError,
                message,
                "the replacement must be one number",
                "torch.where(x.isnan(), y, x)",
                rule="argument",
            )
    return (input,), Pointwise(
        _without_nan(input._dtype, nan, posinf, neginf), stub="nan_to_num", same_out=_OUT, preserves=EVERYTHING
    )


def fill_frexp(targets: tuple[np.ndarray, np.ndarray], array: np.ndarray) -> None:
    wide = cast(array, dtypes.float32) if dtypes.FROM_NUMPY[array.dtype] in HALVES else array
    store(targets, quietly(np.frexp, wide))


@computed_row(
    "frexp",
    "Splits each element into a mantissa, at least 1/2 and below 1, and a power of 2.",
    fill_frexp,
    family="pointwise",
    category="pointwise",
    returns=("frexp", ("mantissa", "exponent")),
    out=(
        "torch.frexp() expects mantissa to have dtype {wanted} but got {got}",
        "torch.frexp() expects exponent to have {wanted} dtype but got {got}",
    ),  # fmt: skip
)
def frexp(input: Tensor) -> Answer:
    must_be_tensor("frexp", input)
    if input._dtype._kind != FLOAT:
        refuse(
            RuntimeError,
            "torch.frexp() only supports floating-point dtypes",
            "integers have no mantissa",
            "x.float()",
            rule="frexp.dtype",
        )
    if input._dtype not in REAL_FRACTIONS:
        refuse_dtype("frexp", input._dtype)
    size, stride = size_and_stride(input)
    stride = geometry.preserve_stride(size, stride)
    return (Result(size, input._dtype, stride), Result(size, dtypes.int32, stride)), (input._array,)


binary(
    "nextafter", np.nextafter, "Returns the next representable number after `input` in the direction of `other`.",
    numbers="none", stub="nextafter_cpu", domain=REAL_FRACTIONS, via_float32=False,
)  # fmt: skip
