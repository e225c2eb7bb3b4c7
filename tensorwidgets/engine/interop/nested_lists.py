"""From Python data to numbers in memory: the size and dtype of nested lists, and their numbers as an array.

Plain nested lists of plain numbers, which nearly all are, are flattened level by level and read by NumPy in one go.
Anything else (NumPy scalars, tensors, foreign arrays, ragged lists, numbers out of range) is read element by
element as PyTorch does, with PyTorch's errors.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from ..backends.numpy.casts import cast
from ..errors.reasons import refuse
from ..geometry import contiguous_stride
from ..tensor.scalars import integer_fits, refuse_number
from ..tensor.tensor import Tensor
from ..tensor.type_names import type_name
from ..tensor.wrapping import empty_array
from ..types import dtypes
from ..types.dtypes import dtype
from ..types.promotion import promote_types

_NESTING = 128
"""PyTorch follows no lists deeper than this; NumPy none deeper than 64."""


def array_of(data: Any, wanted: dtype | None = None) -> tuple[np.ndarray, dtype]:
    """The numbers of nested sequences as a fresh array, and their dtype.

    >>> array_of([[1, 2], [3, 4]])
    (array([[1, 2],
           [3, 4]]), torch.int64)
    >>> array_of([True, 2.5])[1]
    torch.float32
    """
    result = read_at_once(data, wanted)
    if result is not None:
        return result
    if isinstance(data, (str, bytes)):
        refuse_text(data)
    size = size_of(data)
    d = infer_dtype(data) if wanted is None else wanted
    if 0 in size:
        return _empty(size, d), d
    flat: list = []
    _store(data, size, 0, d, flat)
    return _array_of_numbers(flat, d).reshape(size), d


def _empty(size: tuple[int, ...], d: dtype) -> np.ndarray:
    return empty_array(size, contiguous_stride(size), d)


# -- the fast way ------------------------------------------------------------------------------------------------

_STRONGEST = ((complex, dtypes.default_complex), (float, dtypes.get_default_dtype), (int, lambda: dtypes.int64))


def read_at_once(data: Any, wanted: dtype | None) -> tuple[np.ndarray, dtype] | None:
    """Lists and tuples of one length a level, with plain numbers at the bottom, as an array; None for all else."""
    shape: list[int] = []
    level = [data]
    while True:
        kinds = set(map(type, level))
        if not kinds <= {list, tuple}:
            break
        lengths = set(map(len, level))
        if len(lengths) != 1 or len(shape) == 64:
            return None
        shape += lengths
        if shape[-1] == 0:
            d = wanted or dtypes.get_default_dtype()
            return _empty(tuple(shape), d), d
        level = level[0] if len(level) == 1 else list(chain.from_iterable(level))
    if kinds == {np.ndarray}:
        return _stacked(level, shape, wanted)
    if not kinds <= {bool, int, float, complex}:
        return None
    d = wanted or next((d() for kind, d in _STRONGEST if kind in kinds), dtypes.bool_)
    array = _of_plain_numbers(level, kinds, d)
    return None if array is None else (array.reshape(shape), d)


def _of_plain_numbers(flat: list, kinds: set[type], d: dtype) -> np.ndarray | None:
    if d._kind == dtypes.BOOL:
        return np.array(flat, np.bool_)
    if d._kind == dtypes.COMPLEX:
        return cast(np.array(flat, np.complex128), d)
    if complex in kinds:
        return None
    if d._kind == dtypes.FLOAT:
        return cast(np.array(flat, np.float64), d)
    if float in kinds or d is dtypes.uint64:
        return None
    try:
        array = np.array(flat, np.int64)
    except OverflowError:
        return None
    fits = d is dtypes.int64 or integer_fits(int(array.min()), d) and integer_fits(int(array.max()), d)
    return cast(array, d) if fits else None


def _stacked(arrays: list[np.ndarray], shape: list[int], wanted: dtype | None) -> tuple[np.ndarray, dtype] | None:
    """NumPy arrays of one shape and dtype, one after the other."""
    first = arrays[0]
    d = dtypes.from_numpy_dtype(first.dtype)
    if d is None or first.ndim == 0 or first.size == 0 or len(shape) + first.ndim > 64:
        return None
    if any(a.shape != first.shape or a.dtype != first.dtype for a in arrays) or wanted not in (None, d):
        return None
    return np.stack(arrays).reshape([*shape, *first.shape]), d


# -- the exact way -----------------------------------------------------------------------------------------------


def is_sequence(x: Any) -> bool:
    """What PyTorch goes into: whatever has items by number; a tensor counts as one number."""
    if isinstance(x, (Mapping, Tensor, type)) or isinstance(x, np.generic) and not isinstance(x, (str, bytes)):
        return False
    return hasattr(type(x), "__getitem__")


def size_of(data: Any) -> tuple[int, ...]:
    """The size of nested sequences: the lengths along the first items.

    >>> size_of([[1, 2, 3], [4, 5, 6]])
    (2, 3)
    """
    size: list[int] = []
    while is_sequence(data):
        size.append(len(data))
        if len(size) > _NESTING:
            refuse(
                ValueError,
                f"too many dimensions '{type_name(data)}'",
                *_never_ending(data),
                rule="data.depth",
            )
        if size[-1] == 0:
            break
        try:
            data = data[0]
        except Exception:
            refuse(
                ValueError,
                f"could not determine the shape of object type '{type_name(data)}'",
                "it has a length, and yet no item 0",
                rule="data.shape",
            )
    return tuple(size)


def _never_ending(data: Any) -> tuple[str, ...]:
    """Why a sequence has no size, and what to write in its place."""
    if isinstance(data, str):
        number = "[words.index(w) for w in texts], where words lists each word once"
        return "a tensor holds numbers, and this is a text", f"{number}: numbers in place of texts"
    return ("the lists never end",)


def infer_dtype(data: Any) -> dtype:
    """The dtype of Python data.

    >>> infer_dtype([1, 2.5]), infer_dtype(1 + 2j)
    (torch.float32, torch.complex64)
    """
    if isinstance(data, (np.ndarray, np.generic)) and not isinstance(data, (str, bytes)):
        return numpy_dtype_of(data)
    if isinstance(data, float):
        return dtypes.get_default_dtype()
    if isinstance(data, bool):
        return dtypes.bool_
    if isinstance(data, int):
        return dtypes.int64
    if isinstance(data, complex):
        return dtypes.default_complex()
    if isinstance(data, Tensor):
        return data._dtype
    if isinstance(data, (str, bytes)):
        refuse_text(data)
    if is_sequence(data):
        result: dtype | None = None
        # By number, as PyTorch asks: a series of pandas has NumPy's numbers there, and Python's when it is iterated.
        for item in data if isinstance(data, (list, tuple)) else map(data.__getitem__, range(len(data))):
            if item is data:
                refuse(
                    TypeError, "new(): self-referential lists are incompatible", "a list that holds itself has no end"
                )
            d = infer_dtype(item)
            result = d if result is None else promote_types(result, d)
            if result is dtypes.complex128:
                break
        return result or dtypes.get_default_dtype()
    refuse(
        RuntimeError,
        f"Could not infer dtype of {type_name(data)}",
        f"a tensor holds numbers, and {type_name(data)} is no kind of number",
        *(["float('nan') in place of None"] if data is None else []),
        rule="data.kind",
    )


def refuse_text(data: Any) -> None:
    refuse(
        TypeError,
        f"new(): invalid data type '{type_name(data)}'",
        "a tensor holds numbers",
        "[ord(c) for c in text]",
        rule="data.text",
    )


def numpy_dtype_of(array: Any) -> dtype:
    """The dtype of a NumPy array or scalar, or PyTorch's refusal."""
    d = dtypes.from_numpy_dtype(array.dtype if array.dtype.isnative else array.dtype.newbyteorder("="))
    if d is None:
        refuse(
            TypeError,
            f"can't convert np.ndarray of type numpy.{array.dtype.type.__name__}. The only supported types are: "
            "float64, "
            "float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and "
            "bool.",
            f"a tensor holds numbers of one dtype, and PyTorch does not have {array.dtype}",
            "np.unique(array, return_inverse=True)[1], which gives each string a number"
            if array.dtype.kind in "SU"
            else "array.astype('float64')",
            rule="numpy.dtype",
        )
    return d


def _store(data: Any, size: tuple[int, ...], dim: int, d: dtype, into: list) -> None:
    """Every element of nested sequences, in order, as a number of the dtype."""
    if dim == len(size):
        into.append(_READ[d._kind](data, d))
        return
    items = data if isinstance(data, (list, tuple)) else _items(data)
    if len(items) != size[dim]:
        refuse(
            ValueError,
            f"expected sequence of length {size[dim]} at dim {dim} (got {len(items)})",
            f"all rows of a tensor are equally long: the first sequence at dim {dim} has {size[dim]} items, this one "
            f"{len(items)}",
            "torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True), which adds zeros",
            "[torch.tensor(row) for row in rows], a list of tensors",
            rule="data.ragged",
            dim=dim,
            expected=size[dim],
            got=len(items),
        )
    for item in items:
        _store(item, size, dim + 1, d, into)


def _items(data: Any) -> list:
    try:
        items = iter(data)
    except TypeError:
        refuse(TypeError, "not a sequence", f"{data!r} is not a sequence, and its neighbours are", rule="data.ragged")
    return list(items)


def _one_element(x: Any) -> Any:
    """A tensor inside the data counts as one number."""
    if isinstance(x, Tensor) and x._array.size != 1:
        refuse(
            ValueError,
            "only one element tensors can be converted to Python scalars",
            f"inside a list, a tensor counts as one number, and this one has {x._array.size} elements",
            "torch.stack([…])",
            rule="data.tensor",
        )
    return x


def _as_float(x: Any, d: dtype) -> float:
    return x if type(x) is float else float(_one_element(x)) if isinstance(x, Tensor) else _real(x)


def _real(x: Any) -> float:
    # ldexp reads numbers as C does: a string is not a number.
    try:
        return math.ldexp(x, 0)
    except TypeError as error:
        message = f"must be real number, not {type_name(x)}"
        refuse(
            TypeError, message if "must be" in str(error) else str(error), f"{x!r} is not a number", rule="data.number"
        )


def _index(x: Any) -> int:
    try:
        return operator.index(x)
    except TypeError as error:
        if isinstance(x, Tensor):
            raise
        message = f"'{type_name(x)}' object cannot be interpreted as an integer"
        refuse(
            TypeError,
            message if "cannot be" in str(error) else str(error),
            f"{x!r} is not a number",
            rule="data.number",
        )


def _as_complex(x: Any, d: dtype) -> complex:
    if isinstance(x, (complex, Tensor)) or hasattr(type(x), "__complex__"):
        return complex(_one_element(x))
    return complex(_real(x))


def _as_bool(x: Any, d: dtype) -> bool:
    return bool(x) if isinstance(x, (float, complex, np.bool_)) else _index(x) != 0


def _as_integer(x: Any, d: dtype) -> int:
    if d is dtypes.uint64:
        return _as_unsigned(x)
    if not isinstance(x, float):
        x = _index(x)
        if not -(1 << 63) <= x < 1 << 63:
            refuse(
                ValueError,
                "Overflow when unpacking long long",
                f"{x} does not fit into 64 bits",
                "a float",
                rule="number.overflow",
            )
    if not integer_fits(float(x) if isinstance(x, float) else x, d):
        refuse_number(x, d, d._name)
    return int(x)


def _as_unsigned(x: Any) -> int:
    if not isinstance(x, int):
        refuse(TypeError, "an integer is required", f"uint64 is read from Python integers only, not from {x!r}")
    if not 0 <= x < 1 << 64:
        message = "can't convert negative int to unsigned" if x < 0 else "int too big to convert"
        refuse(OverflowError, message, f"uint64 holds 0 to {(1 << 64) - 1}", rule="number.overflow")
    return int(x)


_READ: dict[int, Callable[[Any, dtype], Any]] = {
    dtypes.BOOL: _as_bool,
    dtypes.INTEGER: _as_integer,
    dtypes.FLOAT: _as_float,
    dtypes.COMPLEX: _as_complex,
}


def _array_of_numbers(flat: list, d: dtype) -> np.ndarray:
    if d._kind == dtypes.INTEGER:
        return np.array([n & 0xFFFFFFFFFFFFFFFF for n in flat], np.uint64).astype(d._in_numpy)
    wide = {dtypes.FLOAT: np.float64, dtypes.COMPLEX: np.complex128, dtypes.BOOL: np.bool_}[d._kind]
    return cast(np.array(flat, wide), d)
