"""Comparison ops, elementwise or for whole tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...declare.by_signature import calls
from ...declare.rules import Answer, ByValues
from ...tensor.tensor import Tensor
from .rows import BOOLS, COMPLEXES, FLOATS, INTEGERS, NUMBERS, REALS, UNSIGNED, binary, refuse_complex_in, unary

for _name, _ufunc, _words, _alias in (
    ("lt", np.less, "Computes input < other, element by element.", "less"),
    ("le", np.less_equal, "Computes input <= other, element by element.", "less_equal"),
    ("gt", np.greater, "Computes input > other, element by element.", "greater"),
    ("ge", np.greater_equal, "Computes input >= other, element by element.", "greater_equal"),
):
    binary(
        _name,
        _ufunc,
        _words,
        _alias,
        category="comparison",
        numbers="other",
        promotion="bool",
        fast=FLOATS | INTEGERS,
        stub=f"{_name}_cpu",
        domain=REALS | BOOLS,
    )

binary(
    "eq",
    np.equal,
    "Computes input == other, element by element.",
    category="comparison",
    numbers="other",
    promotion="bool",
    fast=FLOATS | INTEGERS | BOOLS | COMPLEXES,
)
binary(
    "ne",
    np.not_equal,
    "Computes input != other, element by element.",
    "not_equal",
    category="comparison",
    numbers="other",
    promotion="bool",
    fast=FLOATS | INTEGERS | BOOLS | COMPLEXES,
)


def _whole(ufunc: Any, answer: bool) -> Any:
    """Make a test of floats that has a constant result for integers."""

    def ask(a: np.ndarray, out: np.ndarray | None = None) -> Any:
        result = np.full_like(a, answer, bool) if a.dtype.kind in "iub" else ufunc(a)
        if out is None:
            return result
        out[...] = result
        return out

    ask.__name__ = ufunc.__name__
    return ask


unary(
    "isnan",
    _whole(np.isnan, False),
    "Tests each element for NaN.",
    category="comparison",
    inplace=False,
    promotion="bool",
    via_float32=False,
)
unary(
    "isinf",
    _whole(np.isinf, False),
    "Tests each element for positive or negative infinity.",
    category="comparison",
    inplace=False,
    promotion="bool",
    via_float32=False,
    preserves=INTEGERS | BOOLS,
)
unary(
    "isfinite",
    _whole(np.isfinite, True),
    "Tests whether each element is finite.",
    category="comparison",
    inplace=False,
    promotion="bool",
    via_float32=False,
    preserves=INTEGERS | BOOLS,
)


def _negative(a: np.ndarray, out: np.ndarray | None = None) -> Any:
    if a.dtype.kind in "iub":
        return np.less(a, a.dtype.type(0)) if out is None else np.less(a, a.dtype.type(0), out)
    if out is None or out.flags.forc:
        return np.signbit(a) if out is None else np.signbit(a, out)
    out[...] = np.signbit(a)  # NumPy's own signbit writes wrong answers where gaps are between them
    return out


unary(
    "signbit",
    _negative,
    "Tests whether the sign bit of each element is set.",
    inplace=False,
    promotion="bool",
    via_float32=False,
    stub="signbit_cpu",
    bool_out="signbit",
    check=refuse_complex_in("signbit is not implemented for complex tensors."),
    domain=(NUMBERS - COMPLEXES) | BOOLS | UNSIGNED,
)


_A_BOOL = ByValues("equal")


def all_equal(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and bool(np.array_equal(a, b))


@calls(
    "equal",
    "Returns whether two tensors have the same size and equal elements.",
    family="comparison",
    category="comparison",
    kernel=all_equal,
    decided_by="values",
)
def equal(input: Tensor, other: Tensor) -> Answer:
    return _A_BOOL, (input._array, other._array)
