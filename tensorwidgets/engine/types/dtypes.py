"""The dtypes: their names, sizes and aliases.

A dtype is a small named object that prints as PyTorch's does. Its NumPy dtype is looked up when an array is made, so
the types from ml_dtypes (bfloat16, the float8 family) cost nothing until they are used.

>>> float32, float32.itemsize, float32.is_floating_point
(torch.float32, 4, True)
>>> half is float16
True
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors.reasons import refuse
from .built_in import BuiltIn, Fixed, no_more

BOOL, INTEGER, FLOAT, COMPLEX = range(4)
"""The kinds, in the order in which promotion ranks them."""

_TABLE: list[dtype] = []
"""Every dtype, in the order of the lines below."""

_SHOWN = ("abbr", "is_complex", "is_floating_point", "is_signed", "itemsize", "to_complex", "to_real")


class dtype(Fixed, metaclass=BuiltIn):
    """One kind of number. There is one object for each, so dtypes are compared with ``is``."""

    __slots__ = (
        "_name",
        "itemsize",
        "_kind",
        "_type_name",
        "abbr",
        "_is_quantized",
        "_signed",
        "_numpy",
        "__weakref__",
    )

    _name: str
    itemsize: int
    _kind: int
    _type_name: str
    """The word that the typed classes are named by: Float in FloatTensor, FloatStorage."""
    abbr: str
    _is_quantized: bool
    _signed: bool
    _numpy: np.dtype | None

    def __init__(
        self, name: str, itemsize: int, kind: int, type_name: str, abbr: str, *, signed: bool = True,
        numpy: Any = None, quantized: bool = False,
    ):  # fmt: skip
        in_numpy = np.dtype(numpy) if numpy is not None else None
        values = (name, itemsize, kind, type_name, abbr, quantized, signed, in_numpy)
        for slot, value in zip(dtype.__slots__, values, strict=False):
            object.__setattr__(self, slot, value)
        _TABLE.append(self)

    @property
    def is_signed(self) -> bool:
        """Whether there are negative numbers of this kind; undefined for a quantized one."""
        if self._is_quantized:
            refuse(
                RuntimeError,
                "isSignedType not supported for quantized types",
                f"{self} holds steps of a scale, which may stand for numbers of either sign",
                rule="dtype.quantized",
                dtype=self,
            )
        return self._signed

    @property
    def is_floating_point(self) -> bool:
        return self._kind == FLOAT

    @property
    def is_complex(self) -> bool:
        return self._kind == COMPLEX

    @property
    def _in_numpy(self) -> np.dtype:
        """The NumPy dtype whose arrays hold these numbers; ml_dtypes is loaded with the first of its own."""
        known = self._numpy
        if known is None:
            known = _from_ml_dtypes(self)
            object.__setattr__(self, "_numpy", known)
        return known

    def to_real(self) -> dtype:
        """The dtype of the real part: complex64 -> float32."""
        return _REAL_OF.get(self, self)

    def to_complex(self) -> dtype:
        """The complex dtype whose parts have this dtype: float32 -> complex64."""
        if self._kind == COMPLEX:
            return self
        if self not in _COMPLEX_OF:
            refuse(
                RuntimeError,
                f"Unknown Complex ScalarType for {self._type_name}",
                "only floating-point dtypes have a complex counterpart",
            )
        return _COMPLEX_OF[self]

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __dir__(self) -> list[str]:
        # What PyTorch's show: libraries tell NumPy's dtypes and PyTorch's apart by what they have.
        return sorted([*dir(object), "__module__", *_SHOWN])

    def __reduce__(self) -> str:
        # One object for each dtype: copies and pickles refer to it by name.
        return "bool_" if self._name == "bool" else self._name

    def __copy__(self) -> dtype:
        return self

    def __deepcopy__(self, memo: dict) -> dtype:
        return self


uint8 = dtype("uint8", 1, INTEGER, "Byte", "u8", signed=False, numpy=np.uint8)
int8 = dtype("int8", 1, INTEGER, "Char", "i8", numpy=np.int8)
int16 = dtype("int16", 2, INTEGER, "Short", "i16", numpy=np.int16)
int32 = dtype("int32", 4, INTEGER, "Int", "i32", numpy=np.int32)
int64 = dtype("int64", 8, INTEGER, "Long", "i64", numpy=np.int64)
uint16 = dtype("uint16", 2, INTEGER, "UInt16", "u16", signed=False, numpy=np.uint16)
uint32 = dtype("uint32", 4, INTEGER, "UInt32", "u32", signed=False, numpy=np.uint32)
uint64 = dtype("uint64", 8, INTEGER, "UInt64", "u64", signed=False, numpy=np.uint64)
bool_ = dtype("bool", 1, BOOL, "Bool", "b8", signed=False, numpy=np.bool_)
float16 = dtype("float16", 2, FLOAT, "Half", "f16", numpy=np.float16)
bfloat16 = dtype("bfloat16", 2, FLOAT, "BFloat16", "bf16")
float32 = dtype("float32", 4, FLOAT, "Float", "f32", numpy=np.float32)
float64 = dtype("float64", 8, FLOAT, "Double", "f64", numpy=np.float64)
float8_e4m3fn = dtype("float8_e4m3fn", 1, FLOAT, "Float8_e4m3fn", "f8e4m3fn")
float8_e5m2 = dtype("float8_e5m2", 1, FLOAT, "Float8_e5m2", "f8e5m2")
float8_e4m3fnuz = dtype("float8_e4m3fnuz", 1, FLOAT, "Float8_e4m3fnuz", "f8e4m3fnuz")
float8_e5m2fnuz = dtype("float8_e5m2fnuz", 1, FLOAT, "Float8_e5m2fnuz", "f8e5m2fnuz")
complex32 = dtype("complex32", 4, COMPLEX, "ComplexHalf", "c32")
complex64 = dtype("complex64", 8, COMPLEX, "ComplexFloat", "c64", numpy=np.complex64)
complex128 = dtype("complex128", 16, COMPLEX, "ComplexDouble", "c128", numpy=np.complex128)

quint8 = dtype("quint8", 1, INTEGER, "QUInt8", "qu8", signed=False, numpy=np.uint8, quantized=True)
qint8 = dtype("qint8", 1, INTEGER, "QInt8", "qi8", numpy=np.int8, quantized=True)
qint32 = dtype("qint32", 4, INTEGER, "QInt32", "qi32", numpy=np.int32, quantized=True)
quint4x2 = dtype("quint4x2", 1, INTEGER, "QUInt4x2", "qu4x2", signed=False, quantized=True)
quint2x4 = dtype("quint2x4", 1, INTEGER, "QUInt2x4", "qu2x4", signed=False, quantized=True)

no_more(dtype)

ALL = tuple(d for d in _TABLE if not d._is_quantized)
QUANTIZED = tuple(d for d in _TABLE if d._is_quantized)
"""Whole numbers that stand for others, by a scale and a zero point; they take no part in promotion."""

ALIASES = {
    "half": float16, "float": float32, "double": float64, "short": int16, "int": int32, "long": int64,
    "chalf": complex32, "cfloat": complex64, "cdouble": complex128,
}  # fmt: skip
"""PyTorch's second names. ``float``, ``int`` and ``bool`` are published on the face, and here only in this table."""

half, double, short, long, cfloat, cdouble, chalf = (
    float16,
    float64,
    int16,
    int64,
    complex64,
    complex128,
    complex32,
)

BY_NAME: dict[str, dtype] = {d._name: d for d in ALL + QUANTIZED} | ALIASES

HALVES = frozenset((float16, bfloat16))
"""Floating types of 16 bits. Most ops compute in float32 and round to them once, at the end."""

FLOAT8 = frozenset(d for d in ALL if d._kind == FLOAT and d.itemsize == 1)
BAREBONES_UNSIGNED = frozenset((uint16, uint32, uint64))
"""Unsigned types that PyTorch stores and casts but promotes with nothing but themselves and floats."""
ONLY_STORED = BAREBONES_UNSIGNED | FLOAT8
"""Types that PyTorch stores and converts, and has few kernels for."""

_REAL_OF = {complex32: float16, complex64: float32, complex128: float64}
_COMPLEX_OF = {float16: complex32, bfloat16: complex64, float32: complex64, float64: complex128}

FROM_NUMPY: dict[np.dtype, dtype] = {d._numpy: d for d in ALL if d._numpy is not None}


def _from_ml_dtypes(wanted: dtype) -> np.dtype:
    if wanted is complex32:
        refuse(
            TypeError,
            "complex32 tensors are not supported",
            "NumPy has no complex number of two 16-bit floats to compute with",
            "dtype=torch.complex64",
            rule="dtype.complex32",
        )
    if wanted._is_quantized:
        refuse(
            NotImplementedError,
            f"{wanted} tensors are not supported",
            "several of these numbers share a byte, and a view could not begin at each of them",
            "dtype=torch.quint8",
            rule="dtype.packed",
        )
    import ml_dtypes

    result = np.dtype(getattr(ml_dtypes, wanted._name))
    FROM_NUMPY[result] = wanted
    return result


def from_numpy_dtype(value: np.dtype) -> dtype | None:
    """The dtype that a NumPy dtype carries, or None where PyTorch has no such number.

    >>> from_numpy_dtype(np.dtype("int16"))
    torch.int16
    """
    known = FROM_NUMPY.get(value)
    if known is None and value.kind in "Vf" and value.name in BY_NAME:
        candidate = BY_NAME[value.name]
        known = candidate if candidate._in_numpy == value else None
    return known


def refuse_quantized(d: dtype) -> None:
    """Refuse to make a quantized tensor without a scale and a zero point."""
    if d._is_quantized:
        refuse(
            RuntimeError,
            "empty_strided not supported on quantized tensors yet see https://github.com/pytorch/pytorch/issues/74540",
            f"{d} holds integers that need a scale and a zero point",
            f"torch.quantize_per_tensor(x, scale, zero_point, {d})",
            rule="dtype.quantized",
            dtype=d,
        )


NUMBER_TYPES: dict[type, dtype] = {float: float64, int: int64, bool: bool_, complex: complex128}
"""Python types that count as dtypes in arguments."""


def of_type(d: Any) -> Any:
    """The dtype of a Python type; anything else is returned unchanged.

    >>> of_type(float), of_type(float32)
    (torch.float64, torch.float32)
    """
    return NUMBER_TYPES.get(d, d) if isinstance(d, type) else d


def opmath(d: dtype) -> dtype:
    """The dtype in which an op computes numbers of a dtype: float32 for those of 16 bits, else the dtype itself.

    >>> opmath(bfloat16), opmath(float64)
    (torch.float32, torch.float64)
    """
    return float32 if d in HALVES else d


_default = float32


def get_default_dtype() -> dtype:
    """The floating dtype that creation uses by default.

    >>> get_default_dtype()
    torch.float32
    """
    return _default


def set_default_dtype(d: dtype) -> None:
    """Choose the floating dtype that creation uses by default."""
    global _default
    if not isinstance(d, dtype):
        refuse(TypeError, "invalid dtype object: only floating-point types are supported as the default type")
    if d not in (float16, bfloat16, float32, float64):
        refuse(
            TypeError,
            "only floating-point types are supported as the default type",
            f"{d} holds no fractions",
            "set_default_dtype(torch.float64)",
        )
    _default = d


def default_complex() -> dtype:
    """The complex dtype that goes with the default dtype."""
    return _COMPLEX_OF[_default]
