"""What a view is made of, and the strides of a freshly laid out one.

Sizes, strides and offsets are plain ints counted in elements; a size or a stride is a tuple of them.
"""

from __future__ import annotations

from functools import partial
from math import prod
from typing import NamedTuple

from ..errors.reasons import Reason

Ints = tuple[int, ...]


class Geometry(NamedTuple):
    """Where the elements of a view lie in its storage.

    >>> Geometry((2, 3), (3, 1), 0).stride
    (3, 1)
    """

    size: Ints
    stride: Ints
    offset: int


make = partial(tuple.__new__, Geometry)
"""`Geometry` from one tuple, at half the cost of calling the class: every view of the engine is made here."""

LARGEST = 2**63 - 1
UNSIGNED_LARGEST = 2**64 - 1


def numel(size: Ints) -> int:
    """How many elements?

    >>> numel((2, 3)), numel(()), numel((2, 0))
    (6, 1, 0)
    """
    return prod(size)


def contiguous_stride(size: Ints) -> Ints:
    """Row-major strides; a size of 0 counts as 1, as PyTorch has it.

    >>> contiguous_stride((2, 3, 4)), contiguous_stride((2, 0, 4))
    ((12, 4, 1), (4, 4, 1))
    """
    ndim = len(size)
    if ndim == 1:
        return (1,)
    if ndim == 2:
        return (size[1] or 1, 1)
    if not ndim:
        return ()
    stride = [1] * ndim
    step = 1
    for dim in range(ndim - 1, 0, -1):
        step *= size[dim] or 1
        stride[dim - 1] = step
    return tuple(stride)


def contiguous(size: Ints, offset: int = 0) -> Geometry:
    """A row-major geometry of this size.

    >>> contiguous((2, 3), 4)
    Geometry(size=(2, 3), stride=(3, 1), offset=4)
    """
    return make((size, contiguous_stride(size), offset))


def channels_last_stride(size: Ints) -> Ints | Reason:
    """Strides of (N, C, H, W) with the channels of one pixel side by side.

    >>> channels_last_stride((1, 3, 4, 5))
    (60, 1, 15, 3)
    """
    if len(size) != 4:
        return _wrong_rank(size, 4, "channels_last")
    _, c, h, w = size
    return (h * w * c, 1, w * c, c)


def channels_last_3d_stride(size: Ints) -> Ints | Reason:
    """Strides of (N, C, D, H, W) with the channels of one voxel side by side.

    >>> channels_last_3d_stride((1, 3, 2, 4, 5))
    (120, 1, 60, 15, 3)
    """
    if len(size) != 5:
        return _wrong_rank(size, 5, "channels_last_3d")
    _, c, d, h, w = size
    return (d * h * w * c, 1, h * w * c, w * c, c)


def memory_format_stride(size: Ints, memory_format: str) -> Ints | Reason:
    """The strides of a fresh tensor in a memory format.

    >>> memory_format_stride((2, 3), "contiguous_format")
    (3, 1)
    """
    if memory_format == "contiguous_format":
        return contiguous_stride(size)
    if memory_format == "channels_last":
        return channels_last_stride(size)
    return channels_last_3d_stride(size)


def count_overflow(size: Ints) -> Reason | None:
    """Can the elements be counted? Not with a size below 0, nor beyond what 64 bits hold.

    >>> print(count_overflow((2, 3)), count_overflow((-5, 3)).message)
    None numel: integer multiplication overflow
    """
    total = 1
    for n in size:
        total *= n
        if n < 0 or total > UNSIGNED_LARGEST:  # while it multiplies, PyTorch has one bit more
            break
    else:
        if total <= LARGEST:
            return None
    because = f"{n} is not a size." if n < 0 else f"{list(size)} makes more elements than 64 bits can count."
    message = "numel: integer multiplication overflow"
    return Reason("size.count", RuntimeError, message, because, facts={"size": size})


def _wrong_rank(size: Ints, rank: int, memory_format: str) -> Reason:
    return Reason(
        "format.rank",
        RuntimeError,
        f"required rank {rank} tensor to use {memory_format} format",
        because=f"{memory_format} orders exactly {rank} dimensions; {list(size)} has {len(size)}.",
        instead=("x.contiguous()",),
        facts={"size": size, "rank": rank, "format": memory_format},
    )
