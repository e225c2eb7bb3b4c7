"""Checks of single pointwise ops, with PyTorch's messages: no difference of booleans, no order of complex numbers.

A check is called with the name of the op and its operands, before anything is computed.
"""

from __future__ import annotations

from collections.abc import Callable

from ... import geometry
from ...declare.pointwise import common_dtype
from ...errors.reasons import refuse, sure
from ...tensor.scalars import check_fits
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX, FLOAT, HALVES, INTEGER, dtype

_NO_BOOL_SUBTRACTION = "with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
_NO_BOOL = (
    "with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` "
    "operator instead."
)


def _dtype_of(value: Tensor | float) -> dtype | None:
    return value._dtype if isinstance(value, Tensor) else (dtypes.bool_ if isinstance(value, bool) else None)


def check_sub(name: str, operands: tuple) -> None:
    kinds = [_dtype_of(o) is dtypes.bool_ for o in operands]
    if any(kinds):
        tail = _NO_BOOL_SUBTRACTION if all(kinds) else _NO_BOOL
        refuse(
            RuntimeError,
            f"Subtraction, the `-` operator, {tail}",
            "subtraction of booleans is not defined",
            "a ^ b",
            rule="sub.bool",
        )


def check_real(name: str, operands: tuple) -> None:
    if any(isinstance(o, Tensor) and o._dtype._kind == COMPLEX for o in operands):
        refuse(
            RuntimeError,
            f"{name.rstrip('_')} not implemented for complex tensors.",
            "complex numbers have no order",
            "x.abs()",
            rule="order.complex",
        )


def check_abs(name: str, operands: tuple) -> None:
    if name == "abs_" and operands[0]._dtype._kind == COMPLEX:
        refuse(
            RuntimeError,
            "In-place abs is not supported for complex tensors.",
            "the absolute value of a complex number is real, so a complex tensor cannot hold it in place",
            "x = x.abs()",
            rule="abs.complex",
        )


def refuse_complex_in(words: str) -> Callable[[str, tuple], None]:
    """A check that refuses complex operands in an op's own words."""

    def check(name: str, operands: tuple) -> None:
        if isinstance(operands[0], Tensor) and operands[0]._dtype._kind == COMPLEX:
            refuse(NotImplementedError, words.format(name=name.rstrip("_")), "complex numbers have no order", "x.abs()")

    return check


NO_COMPLEX = refuse_complex_in("{name} is not supported for complex inputs")


def check_neg(name: str, operands: tuple) -> None:
    if operands[0]._dtype is dtypes.bool_:
        refuse(
            RuntimeError,
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, "
            "use the `~` or "
            "`logical_not()` operator instead.",
            "negation of booleans is not defined",
            "~x",
            rule="neg.bool",
        )


def check_pow(name: str, operands: tuple) -> None:
    base, exponent = operands
    if isinstance(exponent, int) and exponent < 0 and isinstance(base, Tensor) and base._dtype._kind <= INTEGER:
        refuse(
            RuntimeError,
            "Integers to negative integer powers are not allowed.",
            f"{base._dtype} cannot hold the fraction that a power of {exponent} is",
            "x.float() ** y",
            rule="pow.negative",
        )
    if isinstance(base, Tensor) and not isinstance(exponent, Tensor):
        d = common_dtype(operands)
        if d._kind == INTEGER or d in HALVES:
            check_fits(exponent, d)
    elif common_dtype(operands) is dtypes.bool_:
        sure(geometry.broadcast(*[o._array.shape for o in operands if isinstance(o, Tensor)]))
        because = "PyTorch raises a bool tensor only to a power that is a single True or False"
        refuse_dtype("pow", dtypes.bool_, because, "x.long() ** y")


def invert_refusal(input: Tensor) -> None:
    """`~` on fractions, refused as PyTorch does."""
    if isinstance(input, Tensor) and (input._dtype._kind in (FLOAT, COMPLEX) or input._dtype._is_quantized):
        refuse(
            TypeError,
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors",
            f"{input._dtype} has no bits that can be inverted one by one",
            "x == 0",
            rule="invert.float",
        )
