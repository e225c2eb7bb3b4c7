"""Checks before a write to a tensor. All of them run before the first byte changes."""

from __future__ import annotations

from typing import Any

from numpy import may_share_memory, ndarray

from .. import geometry
from ..errors.reasons import refuse
from ..memory import MetaArray
from ..types.dtypes import dtype
from ..types.promotion import can_cast
from .keys import KEY_MOVED, KEY_PROMISE
from .lookups import geometry_of, size_and_stride
from .storages.untyped import refuse_read_only
from .tensor import Tensor


def check_writable(t: Tensor, alike: bool = False) -> None:
    """Refuse a write into memory that is lent for reading or that overlaps itself.

    Where all elements are written `alike`, it does not matter that some lie on top of each other.
    """
    array = t._array
    if type(array) is MetaArray:
        return
    if type(array) is ndarray and not array.flags.writeable:
        refuse_read_only()
    if not alike or t._keys & KEY_PROMISE:
        check_no_internal_overlap(t)


def check_no_internal_overlap(t: Tensor) -> None:
    """Refuse to write to a tensor whose elements overlap in memory."""
    array = t._array
    if type(array) is not MetaArray and array.flags.forc:
        return
    size, stride = size_and_stride(t)
    if geometry.overlap(size, stride) == "yes":
        dim = next((d for d, (n, s) in enumerate(zip(size, stride, strict=True)) if n > 1 and s == 0), None)
        refuse(
            RuntimeError,
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation.",
            f"dimension {dim} has stride 0: its {size[dim]} elements are one and the same in memory"
            if dim is not None
            else f"size {size} with stride {stride} reads some elements more than once",
            "x = x.clone()",
            rule="write.overlap",
            size=size,
            stride=stride,
            dim=dim,
        )


def check_no_partial_overlap(target: Tensor, source: Tensor) -> bool:
    """Refuse a write that overwrites part of an input before it is read.

    Returns whether it may do so in a way that PyTorch does not look for: elements are then written one after the other.
    """
    if target is source or not share_storage(target, source):
        return False
    a, b = geometry_of(target), geometry_of(source)
    found = geometry.memory_overlap(a, target._array.itemsize, b, source._array.itemsize)
    if found == "partial":
        _refuse_overlap(a, b)
    if found != "maybe" or a == b:
        return False
    return may_share_memory(target._array, source._array, max_work=LOOK)  # type: ignore[arg-type]


LOOK = 100  # NumPy takes any number, and its stubs two
"""How much work NumPy may do to find that elements of two views, such as both ends of rows, lie apart."""


def check_no_overlap(target: Tensor, source: Tensor) -> None:
    """Refuse a write that overwrites any of an input before it is read."""
    if target is source:
        _refuse_overlap(geometry_of(target), geometry_of(source))
    if type(target._array) is MetaArray or not share_storage(target, source):
        return
    a, b = geometry_of(target), geometry_of(source)
    if geometry.memory_overlap(a, target._array.itemsize, b, source._array.itemsize) in ("partial", "full"):
        _refuse_overlap(a, b)


def share_storage(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors share a storage."""
    one = a if a._base is None or a._keys & KEY_MOVED else a._base
    two = b if b._base is None or b._keys & KEY_MOVED else b._base
    if one is two:
        return True
    # A storage without a Python object yet belongs to one tensor and its views.
    return one._storage is not None and one._storage is two._storage


def _refuse_overlap(written: Any, read: Any) -> None:
    refuse(
        RuntimeError,
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
        "location. Please clone() the tensor before performing the operation.",
        f"both lie in one storage: one reads size {read.size}, stride {read.stride}, offset {read.offset}; "
        f"the other writes size {written.size}, stride {written.stride}, offset {written.offset}",
        "y.clone() for the tensor that is read",
        rule="write.partial_overlap",
        read=read,
        written=written,
    )


def check_cast(result: dtype, target: dtype) -> None:
    """Refuse to write a result into a dtype of a lower kind."""
    if not can_cast(result, target):
        refuse(
            RuntimeError,
            f"result type {result._type_name} can't be cast to the desired output type {target._type_name}",
            f"the result is of {result}, and {target} cannot hold its kind",
            f"x = x.to({result})",
            rule="write.cast",
            result=result,
            target=target,
        )


def check_same_size(target: tuple[int, ...], result: tuple[int, ...]) -> None:
    """Refuse an in-place result that would have to grow the tensor."""
    if target != result:
        refuse(
            RuntimeError,
            f"output with shape {list(target)} doesn't match the broadcast shape {list(result)}",
            "an in-place operation cannot change the size of the tensor that it writes to",
            "x = x.add(y), which makes a new tensor",
            rule="write.size",
            target=target,
            result=result,
        )


def check_reads(target: Tensor, sources: Any) -> bool:
    """`check_no_partial_overlap` for each tensor that is read."""
    in_order = False
    for source in sources:
        if isinstance(source, Tensor) and type(source._array) is not MetaArray:
            in_order |= check_no_partial_overlap(target, source)
    return in_order
