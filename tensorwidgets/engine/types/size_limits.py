"""Checks that 64 bits can count the elements, strides and bytes of a size, with PyTorch's errors."""

from __future__ import annotations

from typing import NoReturn

from .. import geometry
from ..errors.reasons import refuse
from ..geometry.layout import count_overflow
from .dtypes import dtype

_LARGEST = (1 << 63) - 1


def check_count(size: tuple[int, ...]) -> None:
    """Refuse sizes whose number of elements overflows."""
    too_many = count_overflow(size)
    if too_many is not None:
        too_many.refuse()


def check_size(size: tuple[int, ...], stride: tuple[int, ...] | None, d: dtype) -> None:
    """Refuse sizes below 0, and those whose bytes 64 bits cannot count."""
    check_not_negative(size)
    if stride is None:
        if geometry.numel(size) * d.itemsize <= _LARGEST and (0 not in size or _strides_fit(size)):
            return
        where = ""
    else:
        last = sum((n - 1) * s for n, s in zip(size, stride, strict=True)) if 0 not in size else 0
        if 0 <= last and (last + 1) * d.itemsize <= _LARGEST and min(stride, default=0) >= 0:
            return
        where = f" and strides={list(stride)}"
    message = f"Storage size calculation overflowed with sizes={list(size)}{where}"
    if 0 in size:
        message = "Stride calculation overflowed"
    refuse(RuntimeError, message, f"{list(size)} needs more bytes than 64 bits can count", rule="size.bytes", size=size)


def check_not_negative(size: tuple[int, ...]) -> None:
    """Refuse sizes below 0."""
    for n in size:
        if n < 0:
            refuse(
                RuntimeError,
                f"Trying to create tensor with negative dimension {n}: {list(size)}",
                f"a size is 0 or more, and {n} is negative",
                rule="size.negative",
                size=size,
            )


def _strides_fit(size: tuple[int, ...]) -> bool:
    return max(geometry.contiguous_stride(size), default=0) <= _LARGEST


MOST_DIMS = 64
"""How many dimensions NumPy's arrays have at most."""


def refuse_dims(count: int | str) -> NoReturn:
    """Refuse a tensor of more dimensions than NumPy's arrays have."""
    refuse(
        RuntimeError,
        f"a tensor has at most {MOST_DIMS} dimensions here, and this one would have {count}",
        "the elements are in a NumPy array, which cannot have more",
        "x.flatten(), or several indices for one dimension",
        rule="size.dims",
    )


def refuse_memory(nbytes: int | None, because: str = "") -> NoReturn:
    """Raise PyTorch's error for an allocation that fails."""
    if nbytes is None:
        refuse(RuntimeError, "std::bad_alloc", because or "the memory is full", rule="size.memory")
    refuse(
        RuntimeError,
        "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to "
        f"allocate {nbytes} bytes. Error code 12 (Cannot allocate memory)",
        because or f"{nbytes} bytes are more than this machine has",
        "device='meta' for the size alone",
        rule="size.memory",
        bytes=nbytes,
    )
