"""One Python number on its way into a tensor: the ways in which PyTorch reads it, and refuses it where it does not fit.

`fill` numbers (full, fill_, x[...] = 3) are converted, and refused when the dtype's range does not reach them. Numbers
in the data of `tensor()` are read by Python's own protocols, so the same number may be refused there by another error.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..backends.numpy.casts import number_array
from ..errors.reasons import refuse
from ..types import dtypes
from ..types.dtypes import dtype

_C_NAMES = {
    "uint8": "uint8_t", "int8": "int8_t", "int16": "int16_t", "int32": "int", "int64": "int64_t", "uint16": "uint16_t",
    "uint32": "uint32_t", "uint64": "uint64_t", "float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float",
    "float64": "double", "complex32": "c10::complex<c10::Half>", "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}  # fmt: skip

_SMALL_FLOATS = dtypes.FLOAT8 | dtypes.HALVES
_NO_INFINITY = frozenset(d for d in dtypes.FLOAT8 if d._name.endswith(("fn", "fnuz")))
"""In the names of small floats, f is for finite numbers only."""


def fill_number(value: Any, d: dtype, count: int = 2) -> np.ndarray:
    """A number as the element that `count` places are filled with, refused where it does not fit the dtype.

    >>> fill_number(-1, dtypes.uint8)
    array(255, dtype=uint8)
    """
    check_fits(value, d, count)
    if isinstance(value, complex) and d._kind != dtypes.COMPLEX and d is not dtypes.bool_:
        value = value.real
    return number_array(value, d)


def check_fits(value: Any, d: dtype, count: int = 2) -> None:
    """Refuse a number that a dtype does not reach to."""
    if d is dtypes.bool_ or isinstance(value, bool):
        return
    if isinstance(value, complex) and d._kind != dtypes.COMPLEX:
        if value.imag != 0:
            refuse_number(value, d, "double" if count == 1 and d in _SMALL_FLOATS else "")
        value = value.real
    if d._kind == dtypes.INTEGER:
        if not integer_fits(value, d):
            refuse_number(value, d)
    elif count == 1 and d in _SMALL_FLOATS:
        return  # a single place is filled by way of double, which holds them all
    elif not _float_fits(value, d):
        refuse_number(value, d)


def integer_fits(value: Any, d: dtype) -> bool:
    """Within the dtype's range? A negative whole number may wrap in an unsigned dtype, if its size fits.

    >>> integer_fits(-255, dtypes.uint8), integer_fits(-0.5, dtypes.uint8), integer_fits(-129, dtypes.int8)
    (True, False, False)
    """
    if d.is_signed:
        bits = 8 * d.itemsize - 1
        if type(value) is float:
            # As floats, 2**63 - 1 is 2**63, so that one float too many passes.
            return -float(1 << bits) <= value <= float((1 << bits) - 1)
        return -(1 << bits) <= value < 1 << bits
    most = (1 << 8 * d.itemsize) - 1
    if type(value) is float:
        return 0 <= value <= float(most)
    return -most <= value <= most


def _float_fits(value: float, d: dtype) -> bool:
    if isinstance(value, complex):
        return _float_fits(value.real, d) and _float_fits(value.imag, d)
    value = float(value)
    if value != value:
        return True
    if value in (float("inf"), float("-inf")):
        return d not in _NO_INFINITY
    most = _largest(d)
    return -most <= value <= most


@cache
def _largest(d: dtype) -> float:
    from ..types.limits import finfo

    return finfo(d).max


def refuse_number(value: complex, d: dtype, name: str = "") -> None:
    """The one refusal of numbers out of range."""
    name = name or _C_NAMES.get(d._name) or f"c10::{d._type_name}"
    if d._kind == dtypes.INTEGER:
        limits = np.iinfo(d._in_numpy)
        words = f"{d} holds {limits.min} to {limits.max}, and {value} lies outside"
    elif isinstance(value, complex):
        words = f"{d} has no imaginary part, and {value} has one"
    else:
        words = f"{d} holds numbers up to {_largest(d):.6g}, and {value} lies outside"
    refuse(
        RuntimeError,
        f"value cannot be converted to type {name} without overflow",
        words,
        "a wider dtype",
        rule="number.range",
        value=value,
        dtype=d,
    )
