"""Logarithms of sums of powers, without overflow: logaddexp, logaddexp2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from ...backends.numpy import in_double
from ...memory.places import as_array
from .prepared import REAL_FRACTIONS
from .rows import FRACTIONS, binary


def _added(a: np.ndarray, b: np.ndarray, ufunc: np.ufunc, exp: Callable, scale: float, out: ndarray) -> Any:
    """Compute the logarithm of a sum of powers; for float32 with PyTorch's steps and roundings."""
    if a.dtype != in_double.SINGLE:
        return ufunc(a, b) if out is None else ufunc(a, b, out)
    less = exp(np.negative(np.abs(np.subtract(a, b))))
    outcome = as_array(np.maximum(a, b) + in_double.log1p(less) * a.dtype.type(scale))
    np.copyto(outcome, a, where=(a == b) & np.isinf(a))
    return in_double.to_out(outcome, out)


def _logaddexp2(a: np.ndarray, b: np.ndarray, out: Any = None) -> Any:
    return _added(a, b, np.logaddexp2, in_double.exp2, 1 / np.log(2), out)


def _logaddexp(a: np.ndarray, b: np.ndarray, out: Any = None) -> Any:
    if a.dtype.kind != "c":
        return _added(a, b, np.logaddexp, in_double.exp, 1, out)
    larger, smaller = np.where(a.real >= b.real, a, b), np.where(a.real >= b.real, b, a)
    same = (larger.real == smaller.real) & ~np.isfinite(larger.real)
    apart = np.where(same, 0, smaller - larger)
    outcome = larger + np.log1p(np.exp(apart))
    outcome = np.where(
        same & (larger.real < 0), smaller, np.where(same, np.log(np.exp(larger) + np.exp(smaller)), outcome)
    )
    outcome = np.where(np.isnan(a) | np.isnan(b), complex("nan+nanj"), outcome)
    if out is None:
        return outcome.astype(larger.dtype, copy=False)
    np.copyto(out, outcome, casting="unsafe")
    return out


binary(
    "logaddexp", _logaddexp, "Computes log(exp(x) + exp(y)) without overflow.", inplace=False, numbers="none",
    stub="logaddexp_cpu", domain=FRACTIONS,
)  # fmt: skip
binary(
    "logaddexp2", _logaddexp2, "Computes log2(2**x + 2**y) without overflow.", inplace=False, numbers="none",
    stub="logaddexp2_cpu", domain=REAL_FRACTIONS,
)  # fmt: skip
