"""Pointwise ops: one function of each element, or of the pairs that broadcasting makes. A row each.

A row says which ufunc does the arithmetic, how dtypes are promoted, and which dtypes it computes in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..dispatch import Op, add_row
from ..dtypes import BOOL, COMPLEX, FLOAT, INTEGER, dtype
from ..numbers import number_array
from ..pointwise import Pointwise, bind_binary, bind_unary, common_dtype, inplace_binary, inplace_unary
from ..quiet import quietly
from ..reasons import refuse
from ..tensor import Tensor

FLOATS = frozenset((dtypes.float32, dtypes.float64))
HALVES = frozenset((dtypes.float16, dtypes.bfloat16))
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
            signature="(input, *, out=None)",
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
    defaults = getattr(adjust, "__kwdefaults__", None) or {}
    further = "".join(f"{key}={default!r}, " for key, default in defaults.items())
    op = add_row(
        Op(
            name,
            "pointwise",
            category,
            words,
            rule=Pointwise(ufunc, **rule),
            kernel=ufunc,
            aliases=aliases,
            signature=f"(input, other, *, {further}out=None)",
        )
    )
    bind_binary(op, adjust)
    if inplace:
        INPLACE[name + "_"] = inplace_binary(op, adjust)
    return op


# -- refusals of single ops --------------------------------------------------------------------------------------

_NO_BOOL_SUBTRACTION = "with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
_NO_BOOL = (
    "with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` "
    "operator instead."
)


def _dtype_of(value: Any) -> dtype | None:
    return value._dtype if isinstance(value, Tensor) else (dtypes.bool_ if isinstance(value, bool) else None)


def _check_sub(name: str, operands: tuple) -> None:
    kinds = [_dtype_of(o) is dtypes.bool_ for o in operands]
    if any(kinds):
        tail = _NO_BOOL_SUBTRACTION if all(kinds) else _NO_BOOL
        refuse(
            RuntimeError,
            f"Subtraction, the `-` operator, {tail}",
            "truth values have no difference",
            "a ^ b",
            rule="sub.bool",
        )


def _check_real(name: str, operands: tuple) -> None:
    if any(isinstance(o, Tensor) and o._dtype.kind == COMPLEX for o in operands):
        refuse(
            RuntimeError,
            f"{name.rstrip('_')} not implemented for complex tensors.",
            "complex numbers have no order",
            "x.abs()",
            rule="order.complex",
        )


def _check_abs(name: str, operands: tuple) -> None:
    if name == "abs_" and operands[0]._dtype.kind == COMPLEX:
        refuse(
            RuntimeError,
            "In-place abs is not supported for complex tensors.",
            "the size of a complex number is a real one, and has no place in a complex tensor",
            "x = x.abs()",
            rule="abs.complex",
        )


def refuse_complex_in(words: str) -> Callable[[str, tuple], None]:
    """A check that refuses complex operands in an op's own words."""

    def check(name: str, operands: tuple) -> None:
        if isinstance(operands[0], Tensor) and operands[0]._dtype.kind == COMPLEX:
            refuse(NotImplementedError, words.format(name=name.rstrip("_")), "complex numbers have no order", "x.abs()")

    return check


NO_COMPLEX = refuse_complex_in("{name} is not supported for complex inputs")


def _check_neg(name: str, operands: tuple) -> None:
    if operands[0]._dtype is dtypes.bool_:
        refuse(
            RuntimeError,
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, "
            "use the `~` or "
            "`logical_not()` operator instead.",
            "a truth value has no negative",
            "~x",
            rule="neg.bool",
        )


def _alpha(name: str, input: Any, other: Any, *, alpha: Any = 1) -> tuple:
    """The row with `other` multiplied by alpha first, which may not be of a higher kind than the result."""
    kind = common_dtype((input, other)).kind
    if isinstance(alpha, bool) and kind != BOOL:
        refuse(
            RuntimeError,
            "Boolean alpha only supported for Boolean results.",
            "alpha is a factor",
            "alpha=1",
            rule="alpha",
        )
    if isinstance(alpha, float) and kind <= INTEGER:
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
    from ..dispatch import OPS

    row: Pointwise = OPS[name.rstrip("_")].rule
    if alpha is True or type(alpha) is int and alpha == 1:
        return (input, other), None
    ufunc = row.ufunc

    def scaled(a: np.ndarray, b: np.ndarray, out: Any = None) -> Any:
        d = dtypes.FROM_NUMPY[np.asarray(b).dtype]
        factor = np.multiply(b, number_array(alpha, d))
        return ufunc(a, factor) if out is None else ufunc(a, factor, out)

    return (input, other), row._replace(ufunc=scaled, via_float32=True)


def _rounding(name: str, input: Any, other: Any, *, rounding_mode: Any = None) -> tuple:
    """The quotient as it is, rounded down, or rounded towards zero."""
    if rounding_mode not in (None, "floor", "trunc"):
        refuse(
            RuntimeError,
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'",
            "a quotient can be left as it is, rounded down, or rounded towards zero",
            "rounding_mode='floor'",
            rule="division.rounding_mode",
        )
    return (input, other), None if rounding_mode is None else _ROUNDED_DIVISION[rounding_mode]


# -- kernels where NumPy's rule is another -----------------------------------------------------------------------


def _no_zero_divisor(b: np.ndarray, size: int) -> None:
    if b.dtype.kind in "iu" and not np.all(b) and size:
        refuse(
            RuntimeError, "ZeroDivisionError", "a whole number cannot be divided by 0", "x / y", rule="division.zero"
        )


def _floor_divide(a: np.ndarray, b: np.ndarray, out: Any = None) -> Any:
    _no_zero_divisor(np.asarray(b), np.asarray(a).size)
    if np.asarray(a).dtype.kind == "f":
        found = np.floor_divide(a, b)
        # NumPy answers nan for a division by zero where PyTorch goes on with the quotient.
        found = np.where(np.equal(b, 0), np.true_divide(a, b), found)
        if out is None:
            return found.astype(np.result_type(a, b), copy=False)
        out[...] = found
        return out
    return np.floor_divide(a, b) if out is None else np.floor_divide(a, b, out)


def _trunc_divide(a: np.ndarray, b: np.ndarray, out: Any = None) -> Any:
    _no_zero_divisor(np.asarray(b), np.asarray(a).size)
    if np.asarray(a).dtype.kind == "f":
        found = np.trunc(np.true_divide(a, b))
    else:
        found = np.floor_divide(a, b)
        found = found + ((np.remainder(a, b) != 0) & (found < 0)).astype(found.dtype)
    if out is None:
        return found
    out[...] = found
    return out


def _remainder(a: np.ndarray, b: np.ndarray, out: Any = None) -> Any:
    _no_zero_divisor(np.asarray(b), np.asarray(a).size)
    return np.remainder(a, b) if out is None else np.remainder(a, b, out)


def _fmod(a: np.ndarray, b: np.ndarray, out: Any = None) -> Any:
    _no_zero_divisor(np.asarray(b), np.asarray(a).size)
    return np.fmod(a, b) if out is None else np.fmod(a, b, out)


def _check_pow(name: str, operands: tuple) -> None:
    base, exponent = operands
    if isinstance(exponent, int) and exponent < 0 and isinstance(base, Tensor) and base._dtype.kind == INTEGER:
        refuse(
            RuntimeError,
            "Integers to negative integer powers are not allowed.",
            f"{base._dtype} cannot hold the fraction that a power of {exponent} is",
            "x.float() ** y",
            rule="pow.negative",
        )


def _pow(a: np.ndarray, b: np.ndarray, out: Any = None) -> Any:
    b = np.asarray(b)
    if b.dtype.kind == "i" and (b < 0).any():
        # PyTorch's answer for whole numbers: 1 and -1 keep their size, everything else is cut to 0.
        a = np.asarray(a)
        even = b % 2 == 0
        small = np.where(a == 1, 1, np.where(a == -1, np.where(even, 1, -1), 0)).astype(a.dtype)
        found = np.where(b < 0, small, np.power(a, np.where(b < 0, 0, b)))
        if out is None:
            return found
        out[...] = found
        return out
    return np.power(a, b) if out is None else np.power(a, b, out)


def _shift(ufunc: Callable, past: str) -> Callable:
    """Shifts by the whole width or more, and by negative amounts, which C leaves open."""

    def shift(a: np.ndarray, b: np.ndarray, out: Any = None) -> Any:
        a, b = np.asarray(a), np.asarray(b)
        width = a.dtype.itemsize * 8
        outside = (b < 0) | (b >= width)
        found = ufunc(a, np.where(outside, 0, b).astype(a.dtype))
        if outside.any():
            # An arithmetic shift leaves the sign bit everywhere; a left shift leaves nothing.
            found = np.where(outside, np.where(a < 0, -1, 0) if past == "sign" else 0, found).astype(a.dtype)
        if out is None:
            return found
        out[...] = found
        return out

    return shift


def _sign(a: np.ndarray, out: Any = None) -> Any:
    if a.dtype.kind == "b":
        return np.positive(a) if out is None else np.copyto(out, a)
    found = np.sign(a)
    if a.dtype.kind == "f" or a.dtype.kind == "V":
        found = np.where(np.isnan(a), a.dtype.type(0), found).astype(a.dtype, copy=False)
    if out is None:
        return found
    out[...] = found
    return out


def _integers_stay(ufunc: Callable) -> Callable:
    """Rounding leaves whole numbers as they are."""

    def rounded(a: np.ndarray, out: Any = None) -> Any:
        if a.dtype.kind in "iu":
            return a.copy() if out is None else np.copyto(out, a)
        return ufunc(a) if out is None else ufunc(a, out)

    rounded.__name__ = getattr(ufunc, "__name__", "rounded")
    rounded.__module__ = "numpy"
    return rounded


def _square(a: np.ndarray, out: Any = None) -> Any:
    return np.multiply(a, a) if out is None else np.multiply(a, a, out)


_ROUNDED_DIVISION = {
    "floor": Pointwise(
        _floor_divide,
        stub="div_floor_cpu",
        domain=REALS,
    ),
    "trunc": Pointwise(_trunc_divide, stub="div_trunc_cpu", domain=REALS),
}

# -- arithmetic --------------------------------------------------------------------------------------------------

_EXACT = INTEGERS | FLOATS | COMPLEXES | HALVES

binary(
    "add",
    np.add,
    "The sum of two tensors, element by element; `other` may be multiplied by alpha first.",
    adjust=_alpha,
    fast=_EXACT | BOOLS,
    stub="add_stub",
    domain=NUMBERS | BOOLS,
    via_float32=False,
)
binary(
    "sub",
    np.subtract,
    "The difference of two tensors, element by element.",
    "subtract",
    adjust=_alpha,
    fast=_EXACT,
    stub="add_stub",
    domain=NUMBERS,
    check=_check_sub,
    via_float32=False,
)
binary(
    "mul",
    np.multiply,
    "The product of two tensors, element by element.",
    "multiply",
    fast=_EXACT | BOOLS | UNSIGNED,
    stub="mul_cpu_reduced_float",
    domain=EVERYTHING,
    via_float32=False,
)
binary(
    "div",
    np.true_divide,
    "The quotient of two tensors, element by element.",
    "divide",
    "true_divide",
    adjust=_rounding,
    promotion="float",
    stub="div_cpu_reduced_float",
    domain=FRACTIONS,
    fast=FLOATS | COMPLEXES | HALVES,
    via_float32=False,
)
binary(
    "floor_divide", _floor_divide, "The quotient rounded down to a whole number.", stub="div_floor_cpu", domain=REALS
)
binary(
    "remainder",
    _remainder,
    "What division leaves, with the sign of the divisor, as Python's %.",
    stub="remainder_cpu",
    domain=REALS,
)
binary(
    "fmod",
    _fmod,
    "What division leaves, with the sign of the dividend, as C's fmod.",
    numbers="other",
    stub="fmod_cpu",
    domain=REALS,
)
binary("pow", _pow, "Powers, element by element.", fast=FLOATS, stub="pow", domain=NUMBERS, check=_check_pow)
binary(
    "maximum",
    np.maximum,
    "The larger of two, element by element; NaN wins.",
    category="comparison",
    inplace=False,
    check=_check_real,
    numbers="none",
    stub="maximum_cpu",
    domain=REALS | BOOLS,
    fast=FLOATS | INTEGERS,
)
binary(
    "minimum",
    np.minimum,
    "The smaller of two, element by element; NaN wins.",
    category="comparison",
    inplace=False,
    check=_check_real,
    numbers="none",
    stub="minimum_cpu",
    domain=REALS | BOOLS,
    fast=FLOATS | INTEGERS,
)
binary(
    "fmax",
    np.fmax,
    "The larger of two, element by element; a number wins over NaN.",
    category="comparison",
    inplace=False,
    check=_check_real,
    numbers="none",
    stub="maximum_cpu",
    domain=REALS | BOOLS,
)
binary(
    "fmin",
    np.fmin,
    "The smaller of two, element by element; a number wins over NaN.",
    category="comparison",
    inplace=False,
    check=_check_real,
    numbers="none",
    stub="minimum_cpu",
    domain=REALS | BOOLS,
)
binary(
    "atan2",
    np.arctan2,
    "The angle of the point (other, input).",
    "arctan2",
    promotion="float",
    numbers="none",
    stub="atan2_cpu",
    domain=FLOATS | HALVES,
)
binary("hypot", np.hypot, "The length of the hypotenuse.", numbers="none", stub="hypot_cpu", domain=FLOATS | HALVES)
binary(
    "copysign",
    np.copysign,
    "The size of one with the sign of the other.",
    promotion="float",
    numbers="other",
    stub="copysign_cpu",
    domain=FLOATS | HALVES,
)

unary(
    "neg",
    np.negative,
    "Every element with the other sign.",
    "negative",
    fast=INTEGERS | FLOATS | COMPLEXES | HALVES,
    stub="neg_cpu",
    domain=NUMBERS,
    check=_check_neg,
    via_float32=False,
)
unary(
    "abs",
    np.abs,
    "The size of every element.",
    "absolute",
    promotion="real",
    check=_check_abs,
    stub="abs_cpu",
    domain=NUMBERS | dtypes.FLOAT8,
    via_float32=False,
)
unary(
    "sign",
    _sign,
    "-1, 0 or 1 for every element.",
    check=refuse_complex_in(
        "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead."
    ),
    stub="sign_cpu",
    domain=REALS | BOOLS,
)
unary(
    "square",
    _square,
    "Every element times itself.",
    fast=FLOATS | INTEGERS | COMPLEXES,
    stub="pow",
    promotion="long",
    domain=NUMBERS,
)
unary(
    "floor", _integers_stay(np.floor), "Rounded down.", check=NO_COMPLEX, stub="floor_vml_cpu", domain=REALS | UNSIGNED
)
unary("ceil", _integers_stay(np.ceil), "Rounded up.", check=NO_COMPLEX, stub="ceil_vml_cpu", domain=REALS | UNSIGNED)
unary(
    "trunc",
    _integers_stay(np.trunc),
    "Rounded towards zero.",
    "fix",
    check=NO_COMPLEX,
    stub="trunc_vml_cpu",
    domain=REALS | UNSIGNED,
)

_ufunc: Any
for _name, _ufunc, _words, *_aliases in (
    ("sqrt", np.sqrt, "The square root of every element."),
    ("exp", np.exp, "e to the power of every element."),
    ("exp2", np.exp2, "2 to the power of every element."),
    ("expm1", np.expm1, "exp(x) - 1, exact for small x."),
    ("log", np.log, "The natural logarithm of every element."),
    ("log2", np.log2, "The logarithm to base 2."),
    ("log10", np.log10, "The logarithm to base 10."),
    ("log1p", np.log1p, "log(1 + x), exact for small x."),
    ("sin", np.sin, "The sine of every element."),
    ("cos", np.cos, "The cosine of every element."),
    ("tan", np.tan, "The tangent of every element."),
    ("asin", np.arcsin, "The angle whose sine is x.", "arcsin"),
    ("acos", np.arccos, "The angle whose cosine is x.", "arccos"),
    ("atan", np.arctan, "The angle whose tangent is x.", "arctan"),
    ("sinh", np.sinh, "The hyperbolic sine."),
    ("cosh", np.cosh, "The hyperbolic cosine."),
    ("tanh", np.tanh, "The hyperbolic tangent."),
    ("asinh", np.arcsinh, "The inverse of sinh.", "arcsinh"),
    ("acosh", np.arccosh, "The inverse of cosh.", "arccosh"),
    ("atanh", np.arctanh, "The inverse of tanh.", "arctanh"),
    ("reciprocal", np.reciprocal, "1 divided by every element."),
):
    unary(_name, _ufunc, _words, *_aliases, promotion="float", fast=FLOATS, stub=f"{_name}_vml_cpu", domain=FRACTIONS)

# -- bits and truth ----------------------------------------------------------------------------------------------

for _name, _ufunc, _words in (
    ("bitwise_and", np.bitwise_and, "The bits that both have."),
    ("bitwise_or", np.bitwise_or, "The bits that either has."),
    ("bitwise_xor", np.bitwise_xor, "The bits that one of the two has."),
):
    binary(_name, _ufunc, _words, fast=INTEGERS | BOOLS, stub=f"{_name}_cpu", domain=INTEGERS | BOOLS | UNSIGNED)
unary(
    "bitwise_not",
    np.invert,
    "Every bit turned over; for bool, the opposite.",
    fast=INTEGERS | BOOLS,
    stub="bitwise_not_cpu",
    domain=INTEGERS | BOOLS,
)
binary(
    "bitwise_left_shift", _shift(np.left_shift, "zero"), "Bits moved to the left.", stub="lshift_cpu", domain=INTEGERS
)
binary(
    "bitwise_right_shift",
    _shift(np.right_shift, "sign"),
    "Bits moved to the right.",
    stub="rshift_cpu",
    domain=INTEGERS,
)

for _name, _ufunc, _words in (
    ("logical_and", np.logical_and, "Whether both are true (not zero)."),
    ("logical_or", np.logical_or, "Whether either is true (not zero)."),
    ("logical_xor", np.logical_xor, "Whether one of the two is true (not zero)."),
):
    binary(_name, _ufunc, _words, numbers="none", promotion="bool", stub=f"{_name}_cpu", domain=NUMBERS | BOOLS)
unary(
    "logical_not",
    np.logical_not,
    "Whether an element is zero.",
    promotion="bool",
    stub="logical_not_cpu",
    domain=NUMBERS | BOOLS,
)


def invert_refusal(input: Any) -> None:
    """`~` on fractions, refused as PyTorch does."""
    if isinstance(input, Tensor) and input._dtype.kind in (FLOAT, COMPLEX):
        refuse(
            TypeError,
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors",
            f"{input._dtype} is not made of bits that mean something one by one",
            "x == 0",
            rule="invert.float",
        )


def rounded(a: np.ndarray, decimals: int) -> np.ndarray:
    """Rounding half to even, at a decimal place."""
    return quietly(np.round, a, decimals)
