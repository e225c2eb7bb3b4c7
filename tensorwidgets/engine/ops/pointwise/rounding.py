"""Rounding to integers or decimals, and the fractional part."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray

from ...declare.pointwise import Pointwise
from ...tensor.must_be_tensor import must_be_tensor
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import BOOL, FLOAT
from . import kernels
from .prepared import REAL_FRACTIONS, prepared, stepwise
from .rows import REALS, UNSIGNED, unary

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor


@stepwise
def _frac(a: np.ndarray, out: ndarray | None) -> Any:
    return np.subtract(a, np.trunc(a), out)


unary(
    "frac",
    _frac,
    "Computes the fractional part of each element.",
    stub="frac_cpu",
    domain=REAL_FRACTIONS,
    same_out=True,
)


def _power_of_ten(decimals: int) -> float:
    """Returns 10**|decimals| as C++ computes it: inf on overflow, and 0 for the smallest 64-bit integer."""
    if decimals == -(1 << 63):
        return 0.0
    return 10.0 ** abs(decimals) if abs(decimals) <= 308 else float("inf")


def _to_decimals(decimals: int) -> Callable:
    @stepwise
    def rounded(a: np.ndarray, out: np.ndarray) -> Any:
        ten = a.dtype.type(_power_of_ten(decimals))
        there, back = (np.multiply, np.divide) if decimals > 0 else (np.divide, np.multiply)
        return back(np.rint(there(a, ten, out), out), ten, out)

    return rounded


_ROUND = Pointwise(kernels.integers_stay(np.rint), stub="round_vml_cpu", domain=REALS | UNSIGNED, same_out=True)
_ROUND_DECIMALS = Pointwise(np.rint, stub="round_cpu", domain=REAL_FRACTIONS, same_out=True)


@prepared(
    "round", "Rounds each element to the nearest integer, ties to even; or to `decimals` places.", "special.round",
)  # fmt: skip
def _round(name: str, input: Tensor, *, decimals: int | None = None) -> tuple:
    must_be_tensor(name, input)
    if decimals is not None and input._dtype._kind < FLOAT and input._dtype._kind != BOOL:
        refuse_dtype("round_cpu" if decimals else "round_vml_cpu", input._dtype)
    if not decimals:
        return (input,), _ROUND
    return (input,), _ROUND_DECIMALS._replace(ufunc=_to_decimals(decimals))
