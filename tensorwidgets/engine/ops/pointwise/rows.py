"""Pointwise ops of one or two operands, one row each.

A row says which ufunc does the arithmetic, how dtypes are promoted, and which dtypes it computes in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...backends.numpy import complex_division, in_double
from ...backends.numpy.casts import number_array
from ...backends.numpy.limits import larger, smaller
from ...backends.numpy.sums.scaled_halves import round_products
from ...backends.numpy.sums.scaled_sum import scaled_sum
from ...calling.arguments import as_number, is_number
from ...declare.pointwise import Pointwise, common_dtype
from ...declare.pointwise_calls import bind_binary, bind_unary, inplace_binary, inplace_unary
from ...dispatch.registry import OPS, Op, add_row
from ...errors.reasons import refuse
from ...memory import MAIN_MEMORY, place_among
from ...memory.places import as_array
from ...tensor.scalars import check_fits
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtypes import BOOL, COMPLEX, HALVES, INTEGER, dtype
from . import kernels
from .checks import (
    NO_COMPLEX,
    check_abs,
    check_neg,
    check_pow,
    check_real,
    check_sub,
    invert_refusal,
    refuse_complex_in,
)

FLOATS = frozenset((dtypes.float32, dtypes.float64))
COMPLEXES = frozenset((dtypes.complex64, dtypes.complex128))
INTEGERS = frozenset((dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64))
UNSIGNED = dtypes.BAREBONES_UNSIGNED
BOOLS = frozenset((dtypes.bool_,))
REALS = INTEGERS | FLOATS | HALVES
NUMBERS = REALS | COMPLEXES
EVERYTHING = NUMBERS | BOOLS | UNSIGNED
FRACTIONS = FLOATS | HALVES | COMPLEXES

INPLACE: dict[str, Callable] = {}
"""The `_` forms, by name."""


def unary(
    name: str,
    ufunc: Callable,
    words: str,
    *aliases: str,
    inplace: bool = True,
    category: str = "pointwise",
    **rule: Any,
) -> Op:
    """Declare an op of one operand."""
    op = add_row(
        Op(
            name,
            "pointwise",
            category,
            words,
            rule=Pointwise(ufunc, **rule),
            kernel=ufunc,
            aliases=aliases,
        )
    )
    bind_unary(op)
    if inplace:
        INPLACE[name + "_"] = inplace_unary(op)
    return op


def binary(
    name: str, ufunc: Callable, words: str, *aliases: str, inplace: bool = True, adjust: Callable | None = None,
    category: str = "pointwise", **rule: Any,
) -> Op:  # fmt: skip
    """Declare an op of two operands."""
    op = add_row(
        Op(
            name,
            "pointwise",
            category,
            words,
            rule=Pointwise(ufunc, **rule),
            kernel=ufunc,
            aliases=aliases,
        )
    )
    bind_binary(op, adjust)
    if inplace:
        INPLACE[name + "_"] = inplace_binary(op, adjust)
    return op


# -- further keywords ----------------------------------------------------------------------------------------------


def _alpha(name: str, input: Tensor, other: Tensor, *, alpha: Tensor | complex = 1) -> tuple:
    """Returns the rule with `other` multiplied by alpha, whose kind must not be higher than the result's."""
    row: Pointwise = OPS[name.rstrip("_")].rule
    if type(alpha) is int and alpha == 1:
        return (input, other), None
    if not is_number(alpha):
        raise TypeError("alpha")
    alpha = as_number(alpha)
    ufunc = row.ufunc
    arrays = [x._array for x in (input, other) if isinstance(x, Tensor)]
    common = common_dtype((input, other)) if arrays and not isinstance(alpha, (bool, complex)) else None
    given = alpha
    if ufunc is kernels.subtract and type(alpha) is int:  # negated, and converted then, as the factor of a sum
        given = min(-alpha, (1 << 63) - 1)
    if common in HALVES:  # the factor is of the result's dtype, though the steps are float32
        alpha = float(number_array(alpha, common))

    def scaled(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
        d = dtypes.FROM_NUMPY[as_array(b).dtype]
        if d._kind == COMPLEX:
            return np.add(a, kernels.times(b, -alpha if ufunc is kernels.subtract else alpha), out)
        factor = number_array(alpha, d)[()]
        in_one_step = (d is dtypes.float32 or d is dtypes.float64) and as_array(a).dtype == d._numpy
        if in_one_step and place_among((a, b)) is MAIN_MEMORY:
            total = scaled_sum(a, b, -factor if ufunc is kernels.subtract else factor, out)
            return round_products(total, arrays, ufunc, a, b * factor) if common in HALVES else total
        product = np.multiply(b, factor)
        return ufunc(a, product) if out is None else ufunc(a, product, out)

    return (input, other), row._replace(ufunc=scaled, via_float32=True, late_check=partial(_check_alpha, given))


def _check_alpha(alpha: Tensor | complex, common: dtype) -> None:
    """Refuse a factor of a higher kind than the result."""
    kind = common._kind
    if isinstance(alpha, bool) and kind != BOOL:
        refuse(
            RuntimeError,
            "Boolean alpha only supported for Boolean results.",
            "alpha is a factor",
            "alpha=1",
            rule="alpha",
        )
    if isinstance(alpha, (float, complex)) and kind <= INTEGER:
        refuse(
            RuntimeError,
            "For integral input tensors, argument alpha must not be a floating point number.",
            f"alpha={alpha} would leave the whole numbers",
            "x.float()",
            rule="alpha",
        )
    if isinstance(alpha, complex) and kind != COMPLEX:
        refuse(
            RuntimeError,
            "For non-complex input tensors, argument alpha must not be a complex number.",
            f"alpha={alpha} would leave the real numbers",
            rule="alpha",
        )
    if common not in dtypes.FLOAT8:  # these have no kernel, which is refused later
        check_fits(alpha, common)


def _rounding(name: str, input: Tensor, other: Tensor | float, *, rounding_mode: str | None = None) -> tuple:
    """Returns the operands and the rule for a rounding_mode: None, floor or trunc."""
    if rounding_mode not in (None, "floor", "trunc"):
        refuse(
            RuntimeError,
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'",
            "a quotient can be left as it is, rounded down, or rounded towards zero",
            "rounding_mode='floor'",
            rule="division.rounding_mode",
        )
    return (input, other), None if rounding_mode is None else _ROUNDED_DIVISION[rounding_mode]


_ROUNDED_DIVISION = {
    "floor": Pointwise(
        kernels.floor_divide,
        stub="div_floor_cpu",
        domain=REALS,
        via_float32=False,
        exact_scalar=True,
    ),
    "trunc": Pointwise(kernels.trunc_divide, stub="div_trunc_cpu", domain=REALS, via_float32=False, exact_scalar=True),
}

# -- arithmetic --------------------------------------------------------------------------------------------------

# NumPy rounds a Python number to its own dtypes before it computes, not to bfloat16.
_EXACT = INTEGERS | FLOATS | COMPLEXES | {dtypes.float16}

binary(
    "add",
    kernels.add,
    "Adds two tensors element by element; `alpha` multiplies `other`.",
    adjust=_alpha,
    fast=(_EXACT - COMPLEXES) | BOOLS,
    stub="add_stub",
    domain=NUMBERS | BOOLS,
    via_float32=False,
)
binary(
    "sub",
    kernels.subtract,
    "Subtracts two tensors element by element; `alpha` multiplies `other`.",
    "subtract",
    adjust=_alpha,
    fast=_EXACT - COMPLEXES,
    stub="add_stub",
    domain=NUMBERS,
    check=check_sub,
    via_float32=False,
)
binary(
    "mul",
    np.multiply,
    "Multiplies two tensors element by element.",
    "multiply",
    fast=(_EXACT | BOOLS | UNSIGNED) - HALVES,
    stub="mul_cpu_reduced_float",
    domain=EVERYTHING,
    via_float32=False,
    exact_scalar=True,
)
binary(
    "div",
    complex_division.divide,
    "Divides two tensors element by element; `rounding_mode` may round the quotient.",
    "divide",
    "true_divide",
    adjust=_rounding,
    promotion="float",
    stub="div_cpu_reduced_float",
    domain=FRACTIONS,
    fast=FLOATS,
    via_float32=False,
    exact_scalar=True,
)
binary(
    "floor_divide",
    kernels.floor_divide,
    "Divides two tensors element by element and rounds down.",
    stub="div_floor_cpu",
    domain=REALS,
    via_float32=False,
    exact_scalar=True,
)
binary(
    "remainder",
    kernels.remainder,
    "Computes the remainder of division, with the sign of the divisor, as Python's %.",
    stub="remainder_cpu",
    domain=REALS,
)
binary(
    "fmod",
    kernels.fmod,
    "Computes the remainder of division, with the sign of the dividend, as C's fmod.",
    numbers="other",
    stub="fmod_cpu",
    domain=REALS,
)
binary(
    "pow",
    kernels.power,
    "Raises each element to a power.",
    fast=FLOATS,
    stub="pow",
    domain=NUMBERS | BOOLS,
    check=check_pow,
    numbers_have_strides=False,
)
binary(
    "maximum",
    larger,
    "Computes the larger of two elements; NaN if either is NaN.",
    category="comparison",
    inplace=False,
    check=check_real,
    numbers="none",
    stub="maximum_cpu",
    domain=REALS | BOOLS,
    fast=FLOATS | INTEGERS,
)
binary(
    "minimum",
    smaller,
    "Computes the smaller of two elements; NaN if either is NaN.",
    category="comparison",
    inplace=False,
    check=check_real,
    numbers="none",
    stub="minimum_cpu",
    domain=REALS | BOOLS,
    fast=FLOATS | INTEGERS,
)
binary(
    "fmax",
    np.fmax,
    "Computes the larger of two elements; NaN only if both are NaN.",
    category="comparison",
    inplace=False,
    check=check_real,
    numbers="none",
    stub="maximum_cpu",
    domain=REALS | BOOLS,
)
binary(
    "fmin",
    np.fmin,
    "Computes the smaller of two elements; NaN only if both are NaN.",
    category="comparison",
    inplace=False,
    check=check_real,
    numbers="none",
    stub="minimum_cpu",
    domain=REALS | BOOLS,
)
binary(
    "atan2",
    in_double.arctan2,
    "Computes the angle of the point (other, input), in its quadrant.",
    "arctan2",
    promotion="float",
    numbers="none",
    stub="atan2_cpu",
    domain=FLOATS | HALVES,
)
binary(
    "hypot",
    np.hypot,
    "Computes the length of the hypotenuse of a right triangle from its legs.",
    numbers="none",
    stub="hypot_cpu",
    domain=FLOATS | HALVES,
)
binary(
    "copysign",
    np.copysign,
    "Combines the absolute value of `input` with the sign of `other`.",
    promotion="float",
    numbers="other",
    stub="copysign_cpu",
    domain=FLOATS | HALVES,
)

unary(
    "neg",
    kernels.negative,
    "Negates each element.",
    "negative",
    fast=INTEGERS | FLOATS | HALVES,
    stub="neg_cpu",
    domain=NUMBERS,
    check=check_neg,
    via_float32=False,
    same_out=True,
)
unary(
    "abs",
    in_double.magnitude,
    "Computes the absolute value of each element.",
    "absolute",
    promotion="real",
    fast=FLOATS,
    check=check_abs,
    stub="abs_cpu",
    domain=NUMBERS | dtypes.FLOAT8,
    via_float32=False,
    same_out=True,
)
unary(
    "sign",
    kernels.sign,
    "Computes the sign of each element: -1, 0 or 1.",
    check=refuse_complex_in(
        "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead."
    ),
    stub="sign_cpu",
    domain=REALS | BOOLS,
    same_out=True,
)
unary(
    "square",
    kernels.square,
    "Computes the square of each element.",
    fast=FLOATS | INTEGERS | COMPLEXES,
    stub="pow",
    promotion="long",
    domain=NUMBERS,
)
unary(
    "floor",
    kernels.integers_stay(np.floor),
    "Rounds each element down to an integer.",
    check=NO_COMPLEX,
    stub="floor_vml_cpu",
    domain=REALS | UNSIGNED,
    same_out=True,
)
unary(
    "ceil",
    kernels.integers_stay(np.ceil),
    "Rounds each element up to an integer.",
    check=NO_COMPLEX,
    stub="ceil_vml_cpu",
    domain=REALS | UNSIGNED,
    same_out=True,
)
unary(
    "trunc",
    kernels.integers_stay(np.trunc),
    "Rounds each element towards zero to an integer.",
    "fix",
    check=NO_COMPLEX,
    stub="trunc_vml_cpu",
    domain=REALS | UNSIGNED,
    same_out=True,
)

_KERNELS = {name: f"{name}_cpu" for name in ("acosh", "asinh", "atanh", "cosh", "sinh", "reciprocal")} | {
    "exp2": "exp2"
}
"""PyTorch's names of kernels that have no vector instructions."""

_ufunc: Any
for _name, _ufunc, _words, *_aliases in (
    ("sqrt", np.sqrt, "Computes the square root of each element."),
    ("exp", in_double.exp, "Computes the exponential of each element."),
    ("exp2", in_double.exp2, "Computes 2 to the power of each element.", "special.exp2"),
    ("expm1", in_double.expm1, "Computes exp(x) - 1, accurately for small x.", "special.expm1"),
    ("log", in_double.log, "Computes the natural logarithm of each element."),
    ("log2", in_double.in_double(np.log2), "Computes the logarithm to base 2 of each element."),
    ("log10", in_double.in_double(np.log10), "Computes the logarithm to base 10 of each element."),
    ("log1p", kernels.log1p, "Computes log(1 + x), accurately for small x.", "special.log1p"),
    ("sin", in_double.sin, "Computes the sine of each element."),
    ("cos", in_double.cos, "Computes the cosine of each element."),
    ("tan", in_double.in_double(np.tan), "Computes the tangent of each element."),
    ("asin", in_double.in_double(np.arcsin), "Computes the arcsine of each element, in radians.", "arcsin"),
    ("acos", kernels.acos, "Computes the arccosine of each element, in radians.", "arccos"),
    ("atan", in_double.in_double(np.arctan), "Computes the arctangent of each element, in radians.", "arctan"),
    ("sinh", in_double.in_double(np.sinh), "Computes the hyperbolic sine of each element."),
    ("cosh", in_double.in_double(np.cosh), "Computes the hyperbolic cosine of each element."),
    ("tanh", in_double.in_double(np.tanh), "Computes the hyperbolic tangent of each element."),
    ("asinh", in_double.in_double(np.arcsinh), "Computes the inverse hyperbolic sine of each element.", "arcsinh"),
    ("acosh", in_double.in_double(np.arccosh), "Computes the inverse hyperbolic cosine of each element.", "arccosh"),
    ("atanh", in_double.in_double(np.arctanh), "Computes the inverse hyperbolic tangent of each element.", "arctanh"),
    ("reciprocal", kernels.reciprocal, "Computes the reciprocal (1 / x) of each element."),
):
    unary(_name, _ufunc, _words, *_aliases, promotion="float", fast=FLOATS, domain=FRACTIONS,
          stub=_KERNELS.get(_name, f"{_name}_vml_cpu"))  # fmt: skip

# -- bits and truth ----------------------------------------------------------------------------------------------

for _name, _ufunc, _words in (
    ("bitwise_and", np.bitwise_and, "Computes the bitwise AND of two tensors."),
    ("bitwise_or", np.bitwise_or, "Computes the bitwise OR of two tensors."),
    ("bitwise_xor", np.bitwise_xor, "Computes the bitwise XOR of two tensors."),
):
    binary(_name, _ufunc, _words, fast=INTEGERS | BOOLS, stub=f"{_name}_cpu", domain=INTEGERS | BOOLS | UNSIGNED)
unary(
    "bitwise_not",
    np.invert,
    "Computes the bitwise NOT of each element; the logical NOT of booleans.",
    fast=INTEGERS | BOOLS,
    stub="bitwise_not_cpu",
    domain=INTEGERS | BOOLS,
    same_out=True,
)
binary(
    "bitwise_left_shift",
    kernels.shift_within(np.left_shift, "zero"),
    "Shifts the bits of each element to the left.",
    stub="lshift_cpu",
    domain=INTEGERS,
)
binary(
    "bitwise_right_shift",
    kernels.shift_within(np.right_shift, "sign"),
    "Shifts the bits of each element to the right.",
    stub="rshift_cpu",
    domain=INTEGERS,
)

for _name, _ufunc, _words in (
    ("logical_and", np.logical_and, "Computes the logical AND of two tensors; nonzero counts as true."),
    ("logical_or", np.logical_or, "Computes the logical OR of two tensors; nonzero counts as true."),
    ("logical_xor", np.logical_xor, "Computes the logical XOR of two tensors; nonzero counts as true."),
):
    binary(_name, _ufunc, _words, numbers="none", promotion="bool", stub=f"{_name}_cpu", domain=NUMBERS | BOOLS)
unary(
    "logical_not",
    np.logical_not,
    "Computes the logical NOT of each element; nonzero counts as true.",
    promotion="bool",
    stub="logical_not_cpu",
    domain=NUMBERS | BOOLS,
    out_domain=NUMBERS | BOOLS,
)

for _name, _ufunc, _words in (
    ("gcd", np.gcd, "Computes the greatest common divisor of two tensors, element by element."),
    ("lcm", np.lcm, "Computes the least common multiple of two tensors, element by element."),
):
    binary(
        _name, _ufunc, _words, category="other", numbers="none", stub=f"{_name}_cpu",
        domain=frozenset(d for d in REALS if d._kind == INTEGER),
    )  # fmt: skip

__all__ = ["INPLACE", "binary", "invert_refusal", "refuse_complex_in", "unary"]
