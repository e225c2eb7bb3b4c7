"""Convert between tensors and the arrays that NumPy's formats, HDF5 and safetensors hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...interop.numpy_and_buffers import from_numpy, speaks_dlpack
from ...memory import MetaArray
from ...tensor.lazy_conj import values_of
from ...tensor.tensor import Tensor
from ...tensor.wrapping import wrap
from ...types import dtypes
from ...types.dtypes import dtype
from ..errors import refuse_record

_RAW = {1: np.uint8, 2: np.uint16}


def tensor_for(name: str, value: Any) -> Tensor:
    """The value to write as a tensor. Accepts tensors of any library, arrays, numbers and lists of numbers."""
    from ...ops.creation.from_data import tensor_from

    if isinstance(value, Tensor):
        if type(value._array) is MetaArray:
            refuse_record(name, "a meta tensor has no data to write", rule="file.meta")
        if not isinstance(value._array, np.ndarray):
            refuse_record(
                name,
                f"a tensor of layout {value.layout} is not an array, and this format holds only arrays",
                "",
                "x.to_dense() or x.dequantize()",
                "save(x, path), which writes .pt files",
                rule="file.layout",
            )
        return value
    if isinstance(value, (np.ndarray, np.generic)) or speaks_dlpack(value):
        return tensor_from(value)
    if isinstance(value, (bool, int, float, complex, list, tuple)):
        return tensor_from(value)
    refuse_record(
        name,
        f"cannot write a {type(value).__name__}",
        "this format holds arrays of numbers",
        "save(value, path), which writes .pt files",
        rule="file.class",
    )


def array_of(t: Tensor) -> np.ndarray:
    """The elements of a tensor as a NumPy array. A dtype that NumPy lacks keeps the array type that stores it."""
    return values_of(t)


def is_numpy_dtype(d: dtype) -> bool:
    """Whether this dtype is built into NumPy, so that any reader of its files knows it."""
    return np.dtype(d._in_numpy).isbuiltin == 1


def raw(array: np.ndarray) -> np.ndarray:
    """The same bytes as unsigned integers."""
    return array.view(_RAW[array.itemsize])


def tensor_of(name: str, array: Any, dtype_name: str | None = None) -> Tensor:
    """Wrap an array that was read from a file. `dtype_name` names the dtype if the array holds raw bytes."""
    array = np.asarray(array)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if dtype_name is not None:
        d = dtypes.BY_NAME.get(dtype_name)
        if d is None or d.itemsize != array.itemsize or array.dtype.kind != "u":
            refuse_record(name, f"declares dtype {dtype_name[:40]!r} but holds {array.dtype}", rule="file.dtype")
        return wrap(_owned(array).view(d._in_numpy), d)
    if dtypes.from_numpy_dtype(array.dtype) is None:
        refuse_record(name, f"has dtype {array.dtype}, which no tensor can hold"[:200], rule="file.dtype")
    return from_numpy(_owned(array))


def _owned(array: np.ndarray) -> np.ndarray:
    """A writable, C-contiguous array: the same one, or a copy."""
    if array.flags.writeable and array.flags.c_contiguous:
        return array
    return np.array(array, order="C")


def check_name(name: str) -> None:
    """Refuse a name that the file format cannot hold, before anything is written.

    >>> check_name("weights/é")
    """
    shown = ascii(name)[:60]
    if not isinstance(name, str):
        refuse_record(shown, f"is not a name: names are str, not {type(name).__name__}", "", "str(name)",
                      rule="file.names")  # fmt: skip
    if "\0" in name:
        refuse_record(shown, "cannot be a name: it contains a null character, which ends a name", "",
                      "name.replace('\\0', '')", rule="file.names")  # fmt: skip
    try:
        name.encode()
    except UnicodeEncodeError as error:
        refuse_record(
            shown,
            f"cannot be a name: character {error.start} is half of a surrogate pair, which UTF-8 cannot hold",
            "names in these files are UTF-8; a .pt file holds such text",
            "name.encode('utf-8', 'replace').decode()",
            rule="file.names",
        )
