"""Which dtype wins when two meet.

Kinds come before sizes: bool < integer < float < complex. A tensor with dimensions outranks a 0-dim tensor, which
outranks a Python number; the lower rank matters only when its kind is higher.

>>> promote_types(dtypes.int64, dtypes.float16)
torch.float16
>>> combine(dtypes.int32, dtypes.float64, None)   # an int32 matrix and a float64 scalar tensor
torch.float64
"""

from __future__ import annotations

from functools import cache

from ..errors.reasons import refuse
from . import dtypes
from .dtypes import BOOL, COMPLEX, FLOAT, INTEGER, dtype

_SIGNED_OF_SIZE = {1: dtypes.int8, 2: dtypes.int16, 4: dtypes.int32, 8: dtypes.int64}
_COMPLEX_OF_SIZE = {4: dtypes.complex32, 8: dtypes.complex64, 16: dtypes.complex128}


@cache
def promote_types(a: dtype, b: dtype) -> dtype:
    """The smallest dtype to which both can be converted, by PyTorch's rules.

    >>> import tensorwidgets as torch
    >>> torch.promote_types(torch.uint8, torch.int8)
    torch.int16
    """
    a, b = dtypes.of_type(a), dtypes.of_type(b)
    if a is b:
        return a
    for d in (a, b):
        if d in dtypes.FLOAT8:
            _no_float8(a, b)
        if d._is_quantized:
            _no_quantized(a, b)
    for d, other in ((a, b), (b, a)):
        if d in dtypes.BAREBONES_UNSIGNED and other._kind != FLOAT:
            _no_unsigned(a, b)
    if a._kind != b._kind:
        low, high = (a, b) if a._kind < b._kind else (b, a)
        if high._kind == COMPLEX and low._kind == FLOAT:
            return _COMPLEX_OF_SIZE[max(low.to_complex().itemsize, high.itemsize)]
        return high
    if a._kind == COMPLEX:
        return a if a.itemsize > b.itemsize else b
    if a._kind == FLOAT:
        if a.itemsize == b.itemsize:
            return dtypes.float32  # float16 and bfloat16: neither holds the other
        return a if a.itemsize > b.itemsize else b
    if a.is_signed != b.is_signed:
        signed, unsigned = (a, b) if a.is_signed else (b, a)
        return signed if signed.itemsize > unsigned.itemsize else _SIGNED_OF_SIZE[unsigned.itemsize * 2]
    return a if a.itemsize > b.itemsize else b


def _no_float8(a: dtype, b: dtype) -> None:
    refuse(
        RuntimeError,
        f"Promotion for Float8 Types is not supported, attempted to promote {a._type_name} and {b._type_name}",
        "float8 is for storing: convert to a wider type before computing",
        "x.float()",
        rule="promotion.float8",
        dtypes=(a, b),
    )


def _no_quantized(a: dtype, b: dtype) -> None:
    refuse(
        RuntimeError,
        "promoteTypes with quantized numbers is not handled yet; figure out what the correct rules should be, "
        f"offending types: {a._type_name} {b._type_name}",
        "quantized dtypes have no rank among plain ones",
        "x.dequantize()",
        rule="promotion.quantized",
        dtypes=(a, b),
    )


def _no_unsigned(a: dtype, b: dtype) -> None:
    refuse(
        RuntimeError,
        "Promotion for uint16, uint32, uint64 types is not supported, "
        f"attempted to promote {a._type_name} and {b._type_name}",
        "these three can only be combined with floats, or each with itself",
        "x.to(torch.int64)",
        rule="promotion.unsigned",
        dtypes=(a, b),
    )


@cache
def _over(higher: dtype | None, lower: dtype | None) -> dtype | None:
    """The dtype of a higher and a lower rank: the higher one's, unless the lower is of a higher kind."""
    if higher is None or lower is None:
        return higher or lower
    if higher._kind == COMPLEX:
        return higher
    if higher._kind == FLOAT:
        return higher.to_complex() if lower._kind == COMPLEX else higher
    if higher in dtypes.BAREBONES_UNSIGNED and lower._kind == COMPLEX:
        return lower
    if higher._kind == BOOL or lower._kind in (FLOAT, COMPLEX):
        return promote_types(higher, lower)
    return higher


def combine(dimensioned: dtype | None, zero_dim: dtype | None, number: dtype | None) -> dtype:
    """The dtype of a result, from the three ranks of operands (None for a missing rank)."""
    result = _over(dimensioned, _over(zero_dim, number))
    assert result is not None, "result_type of nothing"
    return result


def dtype_of_number(value: complex) -> dtype | None:
    """The dtype that a Python number counts as, or None if it is not a number.

    >>> dtype_of_number(2.5), dtype_of_number(True)
    (torch.float32, torch.bool)
    """
    if isinstance(value, bool):
        return dtypes.bool_
    if isinstance(value, int):
        return dtypes.int64
    if isinstance(value, float):
        return dtypes.get_default_dtype()
    if isinstance(value, complex):
        return dtypes.default_complex()
    return None


def can_cast(from_: dtype, to: dtype) -> bool:
    """Whether a result of one dtype may be written into a tensor of another: kinds must not fall.

    >>> import tensorwidgets as torch
    >>> torch.can_cast(torch.float64, torch.float32), torch.can_cast(torch.float32, torch.int64)
    (True, False)
    """
    from_, to = dtypes.of_type(from_), dtypes.of_type(to)
    if from_._kind == COMPLEX and to._kind != COMPLEX:
        return False
    if from_._kind == FLOAT and to._kind in (BOOL, INTEGER):
        return False
    return not (from_._kind == INTEGER and to._kind == BOOL)
