"""Storages whose bytes are copied from a buffer, in the order of this machine or of another one."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import numpy as np

from ...errors.reasons import refuse
from ...types import dtypes
from ...types.dtypes import COMPLEX, dtype
from .untyped import UntypedStorage

_NATIVE = sys.byteorder


def bytes_of(
    d: dtype, *buffer: Any, byte_order: str | None = None, count: int = -1, offset: int = 0, **others: Any
) -> UntypedStorage:
    """The bytes of some elements of a buffer, with those of each element in the order of this machine.

    >>> bytes_of(dtypes.int16, bytearray([1, 2, 3, 4]), byte_order="big").tolist()
    [2, 1, 4, 3]
    """
    given: Any = dict(zip(("buffer", "byte_order", "count", "offset"), buffer, strict=False))
    source, order = given.get("buffer", others.get("buffer")), given.get("byte_order", byte_order)
    count, offset = given.get("count", count), given.get("offset", offset)
    if source is None:
        _refuse(TypeError, "function missing required argument 'buffer' (pos 1)")
    if not isinstance(order, str) and (order is not None or "byte_order" in given):
        _refuse(TypeError, f"argument 2 must be str, not {'None' if order is None else type(order).__name__}")
    size = d.itemsize
    if order is None and size > 1:
        _refuse(RuntimeError, "function missing required argument 'byte_order' (pos 2)")
    if order not in (None, "big", "little", "native") and size > 1:
        _refuse(ValueError, f"invalid byte_order '{order}' (expected 'big', 'little', or 'native')")
    try:
        memoryview(source)
    except TypeError:
        _refuse(TypeError, f"a bytes-like object is required, not '{type(source).__name__}'")
    numbers = np.frombuffer(memoryview(source).cast("B"), np.uint8)
    if not 0 <= offset <= len(numbers):
        words = f"offset must be non-negative and no greater than buffer length ({offset}) , but got {len(numbers)}"
        _refuse(ValueError, words)
    left = len(numbers) - offset
    if count < 0 and left % size:
        _refuse(ValueError, f"buffer size ({len(numbers)}) must be a multiple of element size ({size})")
    count = left // size if count < 0 else count
    if count * size > left:
        words = f"buffer has only {left} elements after offset {offset}, but specified a size of {count}"
        _refuse(ValueError, words)
    chosen = numbers[offset : offset + count * size].copy()
    if d is dtypes.bool_:
        chosen = (chosen != 0).view(np.uint8)
    elif order in ("big", "little") and order != _NATIVE:
        part = size // 2 if d._kind == COMPLEX else size
        chosen = np.ascontiguousarray(chosen.reshape(-1, part)[:, ::-1]).reshape(-1)
    return UntypedStorage(chosen)


def _refuse(kind: type[Exception], message: str) -> NoReturn:
    refuse(
        kind,
        message,
        "a buffer is read by the order of its bytes, from a place on, so many elements",
        'torch.FloatStorage.from_buffer(buffer, "native")',
        rule="storage.buffer",
    )
