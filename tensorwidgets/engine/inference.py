"""From Python data to numbers in memory: which size and dtype nested lists stand for, and their numbers as an array.

Plain nested lists of plain numbers, which nearly all are, are flattened level by level at NumPy's and the iterators'
speed. Whatever else there is (NumPy scalars, tensors, strangers, ragged lists) goes through the slow, exact way.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from . import dtypes
from .dtypes import dtype
from .numbers import cast
from .promotion import promote_types
from .quiet import quietly
from .reasons import refuse
from .tensor import Tensor

_PLAIN = {frozenset((bool,)), frozenset((int,)), frozenset((float,)), frozenset((int, float))}
_NESTING = 128
"""PyTorch follows no lists deeper than this."""


def array_of(data: Any, wanted: dtype | None = None) -> tuple[np.ndarray, dtype]:
    """The numbers of nested sequences as a fresh array, and their dtype.

    >>> array_of([[1, 2], [3, 4]])
    (array([[1, 2],
           [3, 4]]), torch.int64)
    >>> array_of([True, 2.5])[1]
    torch.float32
    """
    found = _plain_array(data, wanted)
    if found is not None:
        return found
    size = size_of(data)
    d = infer_dtype(data) if wanted is None else wanted
    flat: list = []
    _store(data, size, 0, _STORE[d.kind], d, flat)
    return _numbers(flat, d).reshape(size), d


def _plain_array(data: Any, wanted: dtype | None) -> tuple[np.ndarray, dtype] | None:
    """The fast way: lists and tuples of one length a level, with plain numbers at the bottom; None for all else."""
    shape: list[int] = []
    level = [data]
    while True:
        kinds = set(map(type, level))
        if not kinds <= {list, tuple}:
            break
        lengths = set(map(len, level))
        if len(lengths) != 1 or len(shape) == 64:
            return None
        (length,) = lengths
        shape.append(length)
        if length == 0:
            d = wanted or dtypes.get_default_dtype()
            return np.empty(shape, d.numpy), d
        level = level[0] if len(level) == 1 else list(chain.from_iterable(level))
    if kinds == {float}:
        d = wanted or dtypes.get_default_dtype()
        if d.kind != dtypes.FLOAT:
            return None
        array = np.array(level, np.float64)
    elif kinds == {int} or kinds == {bool}:
        d = wanted or (dtypes.int64 if kinds == {int} else dtypes.bool_)
        if d not in (dtypes.int64, dtypes.bool_, dtypes.float32, dtypes.float64):
            return None
        try:
            array = np.array(level, bool if kinds == {bool} else np.int64)
        except OverflowError:
            return None
    else:
        return None
    return cast(array, d).reshape(shape), d


# -- the exact way -----------------------------------------------------------------------------------------------


def _is_sequence(x: Any) -> bool:
    """What PyTorch goes into: whatever has items by number; a tensor counts as one number."""
    return hasattr(type(x), "__getitem__") and not isinstance(x, (dict, Tensor, np.generic, type)) and not (
        isinstance(x, np.ndarray) and x.ndim == 0
    )


def size_of(data: Any) -> tuple[int, ...]:
    """The size that nested sequences stand for: the lengths along the first items.

    >>> size_of([[1, 2, 3], [4, 5, 6]])
    (2, 3)
    """
    size: list[int] = []
    while _is_sequence(data):
        size.append(len(data))
        if len(size) > _NESTING:
            refuse(
                ValueError,
                f"too many dimensions '{type(data).__name__}'",
                "a text is a sequence of texts, without an end" if isinstance(data, str) else "the lists never end",
                rule="data.depth",
            )
        if size[-1] == 0:
            break
        try:
            data = data[0]
        except Exception:
            refuse(
                ValueError,
                f"could not determine the shape of object type '{type(data).__name__}'",
                "it has a length, and yet no item 0",
                rule="data.shape",
            )
    return tuple(size)


def infer_dtype(data: Any) -> dtype:
    """The dtype that Python data stands for.

    >>> infer_dtype([1, 2.5]), infer_dtype(1 + 2j)
    (torch.float32, torch.complex64)
    """
    if isinstance(data, float) and not isinstance(data, np.generic):
        return dtypes.get_default_dtype()
    if isinstance(data, bool):
        return dtypes.bool_
    if isinstance(data, int):
        return dtypes.int64
    if isinstance(data, complex) and not isinstance(data, np.generic):
        return dtypes.default_complex()
    if isinstance(data, Tensor):
        return data._dtype
    if isinstance(data, (np.ndarray, np.generic)):
        return numpy_dtype_of(data)
    if isinstance(data, (str, bytes)):
        refuse(
            TypeError,
            f"new(): invalid data type '{type(data).__name__}'",
            "a tensor holds numbers",
            "[ord(c) for c in text]",
            rule="data.text",
        )
    if _is_sequence(data):
        found: dtype | None = None
        for item in data:
            if item is data:
                refuse(TypeError, "new(): self-referential lists are incompatible", "a list that holds itself has no end")
            d = infer_dtype(item)
            found = d if found is None else promote_types(found, d)
            if found is dtypes.complex128:
                break
        return found or dtypes.get_default_dtype()
    refuse(
        RuntimeError,
        f"Could not infer dtype of {type(data).__name__}",
        "a tensor holds numbers, and this is none",
        rule="data.kind",
    )


def numpy_dtype_of(array: Any) -> dtype:
    """The dtype of a NumPy array or scalar, or PyTorch's refusal."""
    d = dtypes.from_numpy_dtype(array.dtype)
    if d is None and not array.dtype.isnative:
        d = dtypes.from_numpy_dtype(array.dtype.newbyteorder("="))
    if d is None:
        kind = array.dtype.type
        refuse(
            TypeError,
            f"can't convert np.ndarray of type {kind.__module__}.{kind.__qualname__}. The only supported types are: float64, "
            "float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool.",
            f"a tensor holds numbers of one kind, and {array.dtype} is none that PyTorch has",
            "array.astype('float64')",
            rule="numpy.dtype",
        )
    return d


def _store(data: Any, size: tuple[int, ...], dim: int, read: Any, d: dtype, into: list) -> None:
    if dim == len(size):
        into.append(read(data, d))
        return
    try:
        items = data if isinstance(data, (list, tuple)) else list(data)
    except TypeError:
        refuse(TypeError, "not a sequence", f"{data!r} stands where its neighbours are sequences", rule="data.ragged")
    if len(items) != size[dim]:
        refuse(
            ValueError,
            f"expected sequence of length {size[dim]} at dim {dim} (got {len(items)})",
            f"a tensor has no ragged edge: the first sequence at dim {dim} has {size[dim]} items, this one {len(items)}",
            rule="data.ragged",
            dim=dim,
            expected=size[dim],
            got=len(items),
        )
    for item in items:
        _store(item, size, dim + 1, read, d, into)


def _as_float(x: Any, d: dtype) -> float:
    return float.__float__(x) if isinstance(x, float) else x.__float__() if hasattr(x, "__float__") else float(x)


def _as_complex(x: Any, d: dtype) -> complex:
    return complex(x)


def _as_bool(x: Any, d: dtype) -> bool:
    return bool(x)


def _as_integer(x: Any, d: dtype) -> int:
    whole = x if isinstance(x, (int, float)) else x.__index__()
    limits = np.iinfo(d.numpy)
    low = limits.min if d.is_signed else -limits.max
    if not low <= whole <= limits.max:
        refuse(
            RuntimeError,
            f"value cannot be converted to type {d.name} without overflow",
            f"{d} holds {limits.min} to {limits.max}, and {whole} lies outside",
            "a wider dtype",
            rule="number.range",
        )
    return int(whole)


_STORE = {dtypes.BOOL: _as_bool, dtypes.INTEGER: _as_integer, dtypes.FLOAT: _as_float, dtypes.COMPLEX: _as_complex}


def _numbers(flat: list, d: dtype) -> np.ndarray:
    if d.kind == dtypes.INTEGER:
        return np.array([n & 0xFFFFFFFFFFFFFFFF for n in flat], np.uint64).astype(d.numpy)
    if d.kind == dtypes.FLOAT:
        return cast(np.array(flat, np.float64), d)
    return quietly(np.array(flat).astype, d.numpy)
