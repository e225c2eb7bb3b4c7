"""DLPack: the same memory, handed from one library to another in a capsule.

NumPy makes the capsules that go out; for the small floats, which it does not send, it sends whole numbers of their
width and the label in the capsule is changed. Capsules that come in are read here, since NumPy marks old ones as
read-only and refuses the small floats.
"""

from __future__ import annotations

import ctypes
import weakref
from enum import IntEnum
from typing import Any

import numpy as np

from ..errors.reasons import refuse
from ..types import dtypes
from ..types.dtypes import dtype


class DLDeviceType(IntEnum):
    """DLPack's numbers for the places where memory can be."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14


_CODES = {
    dtypes.bfloat16: 4, dtypes.float8_e4m3fn: 10, dtypes.float8_e4m3fnuz: 11, dtypes.float8_e5m2: 12,
    dtypes.float8_e5m2fnuz: 13,
}  # fmt: skip
"""DLPack's kinds of number that NumPy does not send."""
_KINDS = {dtypes.INTEGER: 0, dtypes.FLOAT: 2, dtypes.COMPLEX: 5, dtypes.BOOL: 6}
_UNSIGNED = 1


def _label(d: dtype) -> tuple[int, int]:
    code = _CODES.get(d, _UNSIGNED if d._kind == dtypes.INTEGER and not d.is_signed else _KINDS[d._kind])
    return code, 8 * d.itemsize


_BY_LABEL = {_label(d): d for d in dtypes.ALL}


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor),
    ]  # fmt: skip


_OLD, _NEW = b"dltensor", b"dltensor_versioned"
_USED = {_OLD: b"used_dltensor", _NEW: b"used_dltensor_versioned"}
_READ_ONLY = 1
_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes, _is_valid.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_int
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
_rename = ctypes.pythonapi.PyCapsule_SetName
_rename.argtypes, _rename.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_int


def _inside(capsule: Any) -> tuple[Any, bytes] | None:
    """What a capsule holds, and its name; None if it holds nothing (any more)."""
    for name, kind in ((_NEW, _Versioned), (_OLD, _Managed)):
        if _is_valid(capsule, name):
            return kind.from_address(_pointer(capsule, name)), name
    return None


# -- out ---------------------------------------------------------------------------------------------------------


def capsule_of(array: np.ndarray, d: dtype, max_version: tuple[int, int] | None) -> Any:
    """An array's memory in a capsule. A read-only array needs a reader of DLPack 1 or later."""
    plain = array.view(f"u{d.itemsize}") if d in _CODES else array
    if max_version is None:
        capsule = plain.__dlpack__()
    else:
        try:
            capsule = plain.__dlpack__(max_version=max_version)
        except TypeError:  # NumPy before 2.1
            capsule = plain.__dlpack__()
    if d in _CODES:
        result = _inside(capsule)
        assert result is not None
        result[0].tensor.code = _CODES[d]
    return capsule


# -- in ----------------------------------------------------------------------------------------------------------


def is_capsule(x: Any) -> bool:
    return type(x).__name__ == "PyCapsule"


def array_in(capsule: Any) -> tuple[np.ndarray, dtype]:
    """The array that reads a capsule's memory, and its dtype.

    The memory is given back when the last view of it is gone.
    """
    result = _inside(capsule) if is_capsule(capsule) else None
    if result is None:
        refuse(
            RuntimeError,
            "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you "
            "might have "
            "already constructed a tensor from it once.",
            "an array of another library is given as it is: torch.from_dlpack(array)",
            rule="dlpack.capsule",
        )
    managed, name = result
    array, d, memory = _array_of(managed.tensor)
    _rename(capsule, _USED[name])
    if managed.deleter:
        deleter = _Deleter(managed.deleter)
        if memory is None:
            deleter(ctypes.addressof(managed))
        else:
            # Every view of the array keeps `memory` alive, whatever became of the array itself.
            weakref.finalize(memory, deleter, ctypes.addressof(managed)).atexit = False
    if name is _NEW and managed.flags & _READ_ONLY:
        array.flags.writeable = False
    return array, d


def _array_of(t: _Tensor) -> tuple[np.ndarray, dtype, Any]:
    if t.device_type != DLDeviceType.kDLCPU:
        refuse(
            BufferError,
            f"cannot read memory of device type {t.device_type}",
            "the capsule holds memory of another device; copy it to the CPU first",
            rule="dlpack.device",
        )
    d = _BY_LABEL.get((t.code, t.bits))
    if d is None or t.lanes != 1:
        refuse(
            BufferError,
            f"Unsupported DLPack dtype: code {t.code}, {t.bits} bits, {t.lanes} lanes",
            "PyTorch has no such number",
            rule="dlpack.dtype",
        )
    size = tuple(t.shape[: t.ndim])
    if t.strides:
        stride = tuple(t.strides[: t.ndim])
    else:
        from ..geometry import contiguous_stride

        stride = contiguous_stride(size)
    if min(stride, default=0) < 0:
        refuse(
            ValueError,
            "At least one stride in the given array is negative, and tensors with negative strides are not currently "
            "supported.",
            "PyTorch has no negative strides",
            "array.copy()",
            rule="numpy.negative",
            stride=stride,
        )
    strides = tuple([s * d.itemsize for s in stride])
    if 0 in size:
        return np.ndarray(size, d._in_numpy, np.empty(0, np.uint8), 0, strides), d, None
    count = 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    memory = (ctypes.c_ubyte * (count * d.itemsize)).from_address((t.data or 0) + t.byte_offset)
    return np.ndarray(size, d._in_numpy, np.frombuffer(memory, np.uint8), 0, strides), d, memory
