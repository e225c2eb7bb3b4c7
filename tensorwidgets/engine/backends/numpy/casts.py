"""Python numbers and casts, as PyTorch does them: integers wrap, floats go to integers by way of int64."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ...errors.reasons import refuse
from ...memory.places import empty
from ...types import dtypes
from ...types.dtypes import dtype
from . import chunks, transpose_tiles
from .without_warnings import quietly

_U64 = (1 << 64) - 1


def number_array(value: Any, d: dtype) -> np.ndarray:
    """A Python number as a 0-dim array of a dtype, wrapped where it is out of range.

    >>> number_array(300, dtypes.uint8)
    array(44, dtype=uint8)
    """
    numpy_dtype = d._in_numpy
    if isinstance(value, int) and d._kind == dtypes.INTEGER:
        return _integer(int(value)).astype(numpy_dtype)
    if isinstance(value, int) and not isinstance(value, bool):
        _integer(value)
    try:
        return cast(np.asarray(value), d)
    except TypeError:
        return cast(np.asarray(complex(value)), d)


def _integer(value: int) -> np.ndarray:
    if not -(1 << 63) <= value <= _U64:
        refuse(
            OverflowError,
            "int too big to convert" if value > 0 else "can't convert negative int to unsigned",
            f"{value} does not fit into 64 bits",
            "a float",
            rule="number.overflow",
        )
    return np.array(value & _U64, np.uint64).view(np.int64)


def cast(array: np.ndarray, d: dtype) -> np.ndarray:
    """The array in another dtype, in a fresh array unless it already is; strides are kept where they are dense.

    >>> cast(np.array([-1.0, 300.0]), dtypes.uint8)
    array([255,  44], dtype=uint8)
    """
    wanted = d._in_numpy
    if array.dtype == wanted:
        return array
    if array.size >= chunks.FROM:
        result = empty_in_order_of(array, wanted)
        assign(result, array)
        return result
    return _cast(array, wanted)


def empty_in_order_of(array: np.ndarray, kind: np.dtype) -> np.ndarray:
    """An empty array of another dtype, with its dimensions in the same order in memory as those of an array."""
    order = sorted(range(array.ndim), key=array.strides.__getitem__, reverse=True)
    result = empty(tuple([array.shape[d] for d in order]), kind, array)
    return result.transpose([order.index(d) for d in range(array.ndim)])


_BY_WAY_OF = {np.dtype(d): by for d, by in zip("Qihb", (np.uint64, np.int32, np.int32, np.int32), strict=True)}
"""The integer type through which the processor converts floats; it decides the result for values out of range."""


def _cast(array: np.ndarray, wanted: np.dtype) -> np.ndarray:
    kind = array.dtype.kind
    if kind == "c" and wanted.kind != "c" and wanted.kind != "b":
        array = array.real
        kind = "f"
    if wanted.kind in "iu" and kind not in "iub":
        if kind == "f" and array.dtype.itemsize >= 4 and _within(array, wanted):
            return array.astype(wanted)
        array = quietly(array.astype, np.float64) if kind == "V" or array.dtype.itemsize < 4 else array
        return quietly(array.astype, _BY_WAY_OF.get(wanted, np.int64)).astype(wanted)
    if wanted == np.float16 and array.dtype.itemsize == 8 and kind == "f":
        # PyTorch rounds twice here: to float32 first.
        array = quietly(array.astype, np.float32)
    if wanted.isbuiltin != 1 and wanted.name == "float8_e4m3fn":
        # This one has no infinity: PyTorch stops at the largest number, ml_dtypes goes on to nan.
        return quietly(np.clip(quietly(array.astype, np.float32), -448, 448).astype, wanted)
    if array.dtype.isbuiltin != 1 and wanted.isbuiltin != 1 or wanted.isbuiltin != 1 and wanted.itemsize == 1:
        # The small floats of ml_dtypes know float32; PyTorch, too, goes by way of it.
        return quietly(quietly(array.astype, np.float32).astype, wanted)
    return quietly(array.astype, wanted)


def _within(array: np.ndarray, wanted: np.dtype) -> bool:
    """Whether floats fit into an integer dtype, so that no detour by int64 is needed. NaN does not fit."""
    if array.size < 1024:  # two passes over the numbers cost more than the detour
        return False
    ends = np.iinfo(wanted)
    return bool(ends.min <= quietly(array.min) and quietly(array.max) < ends.max + 1)


def assign(target: np.ndarray, source: ndarray) -> None:
    """Write into an array, converting as `cast` does; the source may have to be broadcast."""
    if target.size >= chunks.FROM and type(target) is np.ndarray and not np.may_share_memory(target, source):
        _assign_in_pieces(target, source)
    elif source.dtype == target.dtype:
        target[...] = source
    elif _by_numpy(source.dtype, target.dtype) and not np.may_share_memory(target, source):
        quietly(np.copyto, target, source, casting="unsafe")
    elif source.size > 0:
        target[...] = _cast(source, target.dtype)


def _by_numpy(from_: np.dtype, to: np.dtype) -> bool:
    """Whether NumPy converts while it copies as `_cast` does."""
    if from_ == to:
        return True
    if from_.isbuiltin != 1 or to.isbuiltin != 1:
        return False
    return from_.kind in "biu" or from_.kind == "f" and to.kind in "fc" and not (to.itemsize == 2)


def _assign_in_pieces(target: np.ndarray, source: np.ndarray) -> None:
    """Assign on several threads, in pieces that fit into the cache."""
    direct = _by_numpy(source.dtype, target.dtype)
    if source.size == 1:
        source = _cast(source, target.dtype)
    source = np.broadcast_to(source, target.shape)
    axes = transpose_tiles.axes(target.strides, source)
    if axes:
        keys = transpose_tiles.strips(target.shape, *axes)
    else:
        keys = chunks.cuts(
            target.shape, target.strides, chunks.elements_per_piece(target.size) if direct else chunks.PIECE
        )

    def piece(key: tuple[slice, ...]) -> None:
        part = transpose_tiles.in_scratch(source[key]) if axes else source[key]
        quietly(np.copyto, target[key], part if direct else _cast(part, target.dtype), casting="unsafe")

    chunks.run_parallel(piece, keys)
