"""Any view at all, so long as it stays inside its storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors.reasons import Reason
from .layout import LARGEST, Geometry, Ints, count_overflow, make


def as_strided(
    g: Geometry,
    size: Sequence[int],
    stride: Sequence[int],
    offset: int | None,
    storage_nbytes: int,
    itemsize: int,
) -> Geometry | Reason:
    """The view with this size, stride and offset (None: where g starts), if the storage holds all of it.

    >>> as_strided(Geometry((6,), (1,), 0), (2, 2), (1, 1), None, 24, 4)
    Geometry(size=(2, 2), stride=(1, 1), offset=0)
    >>> as_strided(Geometry((6,), (1,), 0), (2, 4), (3, 1), 0, 24, 4).because
    'The last element would be at place 6, and the storage ends at place 5.'
    """
    size, stride = tuple(size), tuple(stride)
    start = g.offset if offset is None else offset
    if len(size) != len(stride):
        return _refuse(
            "length",
            "mismatch in length of strides and shape",
            f"A dimension has one size and one stride: here the size has length {len(size)}, the stride {len(stride)}.",
            size=size,
            stride=stride,
        )
    if stride and min(stride) < 0:
        return _refuse(
            "negative",
            f"as_strided: Negative strides are not supported at the moment, got strides: {list(stride)}",
            "PyTorch's tensors only step forwards through storage.",
            "x.flip(dim), which copies",
            stride=stride,
        )
    if start < 0:
        because = "Storage starts at element 0."
        return _refuse("offset", f"Tensor: invalid storage offset {start}", because, offset=start)
    return _beyond(size, stride, start, storage_nbytes, itemsize) or make((size, stride, start))


def _beyond(size: Ints, stride: Ints, start: int, storage_nbytes: int, itemsize: int) -> Reason | None:
    last = start
    negative = False
    for n, step in zip(size, stride, strict=True):
        if n > 0:
            last += (n - 1) * step
        elif not n:
            return count_overflow(size)
        else:
            # PyTorch counts in unsigned 64 bits, where n - 1 of a negative n is huge
            last += (n - 1 + 2**64) * step
            negative = True
    needed = (last + 1) * itemsize
    if needed <= storage_nbytes:
        # within it, only a stride of 0 can make more elements than can be counted
        return count_overflow(size) if not all(stride) else None
    if needed > LARGEST:
        return _refuse(
            "overflow",
            f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}",
            "A size is negative." if negative else "The last element would lie further than 64 bits can say.",
            size=size,
            stride=stride,
        )
    return _refuse(
        "bounds",
        f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {start}, "
        f"and itemsize {itemsize} requiring a storage size of {needed} are out of bounds "
        f"for storage of size {storage_nbytes}",
        f"The last element would be at place {last}, and the storage {_end(storage_nbytes // itemsize)}.",
        *_fitting(size, stride, start, storage_nbytes // itemsize),
        size=size,
        stride=stride,
        offset=start,
        last=last,
        itemsize=itemsize,
        needed=needed,
        storage_nbytes=storage_nbytes,
    )


def _end(elements: int) -> str:
    return f"ends at place {elements - 1}" if elements else "is empty"


def _fitting(size: Ints, stride: Ints, start: int, held: int) -> tuple[str, ...]:
    """The longest first dimension that would still stay within the storage.

    >>> _fitting((10,), (1,), 0, 6)
    ('size [6], the longest that fits from offset 0 on',)
    """
    rest = start + sum((n - 1) * step for n, step in zip(size[1:], stride[1:], strict=True))
    if not size or min(size) < 1 or not stride[0] or rest >= held:
        return (f"an offset from 0 to {held - 1}",) if 0 < held <= start else ()
    longest = (held - 1 - rest) // stride[0] + 1
    return (f"size {[longest, *size[1:]]}, the longest that fits from offset {start} on",)


def _refuse(rule: str, message: str, because: str, *instead: str, **facts: Any) -> Reason:
    return Reason(f"strided.{rule}", RuntimeError, message, because, instead, facts)
