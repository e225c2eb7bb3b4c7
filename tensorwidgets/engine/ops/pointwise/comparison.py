"""Comparison ops, elementwise or for whole tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...declare.by_signature import calls
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor, place_of
from ...types import dtypes
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

    def ask(a: np.ndarray, out: Any = None) -> Any:
        result = np.full(a.shape, answer) if a.dtype.kind in "iub" else ufunc(a)
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
)
unary(
    "isfinite",
    _whole(np.isfinite, True),
    "Tests whether each element is finite.",
    category="comparison",
    inplace=False,
    promotion="bool",
    via_float32=False,
)


def _negative(a: np.ndarray, out: Any = None) -> Any:
    if a.dtype.kind in "iub":
        return np.less(a, a.dtype.type(0)) if out is None else np.less(a, a.dtype.type(0), out)
    return np.signbit(a) if out is None else np.signbit(a, out)


unary(
    "signbit",
    _negative,
    "Tests whether the sign bit of each element is set.",
    inplace=False,
    promotion="bool",
    via_float32=False,
    stub="signbit_cpu",
    check=refuse_complex_in("signbit is not implemented for complex tensors."),
    domain=(NUMBERS - COMPLEXES) | BOOLS | UNSIGNED,
)


@calls(
    "equal",
    "Returns whether two tensors have the same size and equal elements.",
    family="comparison",
    category="comparison",
)
def equal(input: Tensor, other: Tensor) -> bool:
    return input._array.shape == other._array.shape and bool(np.array_equal(input._array, other._array))


@calls(
    "allclose",
    "Returns whether all elements are close: |input - other| <= atol + rtol * |other|.",
    family="comparison",
    category="comparison",
)
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    if input._dtype is not other._dtype:
        refuse(
            RuntimeError,
            f"{input._dtype._type_name} did not match {other._dtype._type_name}",
            f"allclose compares numbers of one dtype, and these are of {input._dtype} and {other._dtype}",
            f"torch.allclose(a, b.to({input._dtype}))",
            rule="closeness.dtype",
        )
    if not place_of(input, other).has_numbers:
        OPS["empty"].function((), device="meta").item()  # the result is one bool, which a meta tensor cannot give
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if not tolerance >= 0:
            refuse(
                RuntimeError,
                f"{name} must be greater than or equal to zero, but got {tolerance:g}",
                "a tolerance is how far apart numbers may be",
                rule="closeness.tolerance",
            )
    return bool(np.all(close(input, other, float(rtol), float(atol), equal_nan)))


def close(input: Tensor, other: Tensor, rtol: float, atol: float, equal_nan: bool) -> np.ndarray:
    """Returns, element by element, whether two arrays are equal within the tolerance."""
    a, b = _wide(input), _wide(other)
    return np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def _wide(t: Tensor) -> np.ndarray:
    if t._dtype in dtypes.HALVES or t._dtype in dtypes.FLOAT8:
        return t._array.astype(np.float32)
    return t._array
