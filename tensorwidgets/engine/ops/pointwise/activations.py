"""Functions that neural networks apply to each element: sigmoid, its inverse logit, hardshrink."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray

from ...backends.numpy import in_double
from ...backends.numpy.branchless_where import kept
from ...declare.pointwise import Pointwise
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.scalars import check_fits
from ...types import dtypes
from ...types.dtypes import COMPLEX
from .prepared import REAL_FRACTIONS, prepared, stepwise
from .rows import FLOATS, FRACTIONS, unary

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor


@stepwise
def _sigmoid(a: np.ndarray, out: ndarray | None) -> Any:
    outcome = in_double.exp(np.negative(a), out)
    above = np.add(outcome, outcome.dtype.type(1), out)
    if above.dtype.kind == "c":
        return np.divide(above.dtype.type(1), above, out)  # the sign of an imaginary 0 is that of a quotient
    return np.reciprocal(above, out)


unary(
    "sigmoid", _sigmoid, "Computes the logistic sigmoid, 1 / (1 + exp(-x)), of each element.", "special.expit",
    promotion="float", fast=FLOATS, stub="sigmoid_cpu", domain=FRACTIONS,
)  # fmt: skip


def _log_odds(eps: float | None) -> Callable:
    @stepwise
    def logit(a: np.ndarray, out: np.ndarray) -> Any:
        if eps is not None:
            low, high = a.dtype.type(eps), a.dtype.type(1) - a.dtype.type(eps)
            limited = np.minimum(np.maximum(a, low), high) if low <= high else np.where(a < low, low, high)
            a = np.where(np.isnan(a), a, limited)
        return in_double.log(np.divide(a, np.subtract(a.dtype.type(1), a)), out)

    return logit


_LOGIT = Pointwise(np.log, "float", stub="logit_cpu", domain=REAL_FRACTIONS, via_float32=False)


@prepared("logit", "Computes the logit, log(x / (1 - x)), of each element.", "special.logit")
def _logit(name: str, input: Tensor, eps: float | None = None) -> tuple:
    d = must_be_tensor(name, input)._dtype
    if eps is not None and d._kind != COMPLEX:
        check_fits(eps, d if d in REAL_FRACTIONS else dtypes.get_default_dtype())
    return (input,), _LOGIT._replace(ufunc=_log_odds(eps))


def _shrunk(lambd: float) -> Callable:
    def hardshrink(a: np.ndarray, out: np.ndarray | None = None) -> Any:
        edge = a.dtype.type(lambd)
        outcome = kept(~((a >= -edge) & (a <= edge)), a)
        if out is None:
            return outcome
        np.copyto(out, outcome, casting="unsafe")
        return out

    return hardshrink


@prepared(
    "hardshrink", "Sets elements between -lambd and lambd to 0.", "nn.functional.hardshrink", inplace=False,
)  # fmt: skip
def _hardshrink(name: str, input: Tensor, lambd: float = 0.5) -> tuple:
    if must_be_tensor(name, input)._dtype in REAL_FRACTIONS:
        check_fits(lambd, input._dtype)
    row = Pointwise(_shrunk(lambd), stub="hardshrink_cpu", domain=REAL_FRACTIONS, via_float32=False, same_out=True)
    return (input,), row
