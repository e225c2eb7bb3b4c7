"""Tensors as the arrays that other formats hold, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..interop.numpy_and_buffers import from_numpy, speaks_dlpack
from ..tensor.lazy_conj import values_of
from ..tensor.storage import MetaArray
from ..tensor.tensor import Tensor, wrap
from ..types import dtypes
from ..types.dtypes import dtype
from .errors import refuse_record

_RAW = {1: np.uint8, 2: np.uint16}


def tensor_for(name: str, value: Any) -> Tensor:
    """What is to be written, as a tensor: tensors of any library, arrays, numbers, lists of numbers."""
    from ..ops.creation.from_data import tensor_from

    if isinstance(value, Tensor):
        if type(value._array) is MetaArray:
            refuse_record(name, "a meta tensor has a size and no numbers to write", rule="file.meta")
        if not isinstance(value._array, np.ndarray):
            refuse_record(
                name,
                f"a tensor of layout {value.layout} is no array, and this format holds arrays",
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


def array_for(t: Tensor) -> np.ndarray:
    """The numbers of a tensor; of a dtype that NumPy has not of its own, in the array type that carries it."""
    return values_of(t)


def is_numpys(d: dtype) -> bool:
    """Whether NumPy knows this dtype without help, so that any reader of its files does."""
    return np.dtype(d._in_numpy).isbuiltin == 1


def raw(array: np.ndarray) -> np.ndarray:
    """The same bytes as whole numbers without a sign."""
    return array.view(_RAW[array.itemsize])


def tensor_of(name: str, array: Any, told: str | None = None) -> Tensor:
    """A tensor around an array that was read; `told` is the dtype by name, where the array holds raw bytes."""
    array = np.asarray(array)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if told is not None:
        d = dtypes.BY_NAME.get(told)
        if d is None or d.itemsize != array.itemsize or array.dtype.kind != "u":
            refuse_record(name, f"is said to hold {told[:40]!r}, and holds {array.dtype}", rule="file.dtype")
        return wrap(_owned(array).view(d._in_numpy), d)
    if dtypes.from_numpy_dtype(array.dtype) is None:
        refuse_record(name, f"holds {array.dtype}, and a tensor holds numbers of one kind"[:200], rule="file.dtype")
    return from_numpy(_owned(array))


def _owned(array: np.ndarray) -> np.ndarray:
    """An array that can be written to, with strides as a tensor has them."""
    if array.flags.writeable and array.flags.c_contiguous:
        return array
    return np.array(array, order="C")


def check_name(name: Any) -> None:
    """Refuse names that a file cannot hold, before anything of it is written.

    >>> check_name("weights/é")
    """
    shown = ascii(name)[:60]
    if not isinstance(name, str):
        refuse_record(shown, f"is no name: names are text, not {type(name).__name__}", "", "str(name)",
                      rule="file.names")  # fmt: skip
    if "\0" in name:
        refuse_record(shown, "cannot be a name: it has a null character, where a name would end", "",
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
