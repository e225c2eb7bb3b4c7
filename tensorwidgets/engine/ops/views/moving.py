"""Ops that change a tensor's storage, size or strides in place: set_, resize_ and others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import geometry
from ...declare.by_signature import spread
from ...declare.views import as_shape
from ...dispatch.kinds import KINDS, NonStridedArray
from ...dispatch.registry import OPS
from ...errors.reasons import Reason, refuse, sure
from ...geometry import Geometry
from ...tensor import grad_flag
from ...tensor.copying import stride_for
from ...tensor.grad_mode import inference_enabled
from ...tensor.keys import KEY_AUTOGRAD, KEY_CLASS, KEY_INFERENCE, KEY_META, KEY_MOVED
from ...tensor.lookups import geometry_of, size_and_stride, storage_of
from ...tensor.moving.resizing import grow, look_at, place, resize
from ...tensor.storages.typed import TypedStorage
from ...tensor.storages.untyped import UntypedStorage
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from ...tensor.versions import bump_version
from ...tensor.wrapping import alias_of, place_of
from ...types import dtypes, formats
from ...types.cpp_names import cpp_name
from .reshaping import made_of_views

if TYPE_CHECKING:
    from ...types.formats import memory_format


def resized(g: Geometry, *size: Any, memory_format: memory_format | None = None) -> Geometry:
    """A contiguous geometry at the same offset; an unchanged size keeps its strides."""
    wanted = as_shape("resize_", size)
    if memory_format is not None:
        return Geometry(wanted, stride_for(wanted, (), memory_format), g.offset)
    return g if wanted == g.size else Geometry(wanted, geometry.contiguous_stride(wanted), g.offset)


@made_of_views("resize_", "Changes the size in place; the storage grows if necessary.", forms="method", rule=resized)
def resize_(input: Tensor, *size: Any, memory_format: memory_format | None = None, **named: Any) -> Tensor:
    wanted = spread("resize_", size, named, "size")
    if memory_format is formats.preserve_format:
        message = "Unsupported memory formatPreserve"
        refuse(RuntimeError, message, "a new size has no order to keep", "x.resize_(size)", rule="format.preserve")
    stride = None if memory_format is None else stride_for(wanted, (), memory_format)
    if wanted != input._array.shape:
        resize(input, wanted)
        bump_version(input)
    if stride is not None:
        place(input, Geometry(wanted, stride, input.storage_offset()))
    return input


@made_of_views("resize_as_", "Changes the size in place to that of another tensor.", forms="function method")
def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: memory_format | None = None) -> Tensor:
    size, stride = size_and_stride(the_template)
    if memory_format is not formats.preserve_format:
        return OPS["resize_"].function(input, size, memory_format=memory_format)
    OPS["resize_"].function(input, size)
    place(input, Geometry(size, geometry.preserve_stride(size, stride), input.storage_offset()))
    return input


def set_geometry(
    g: Geometry,
    nbytes: int,
    itemsize: int,
    source: Geometry | None = None,
    storage_offset: int = 0,
    size: tuple[int, ...] | None = None,
    stride: tuple[int, ...] | None = None,
) -> Geometry | Reason:
    """The geometry of a tensor that is set to a storage of this many bytes, or to another tensor (`source`).

    It may end beyond the storage, which then grows.
    """
    if size is not None:
        return _of_size(g, nbytes, itemsize, as_shape("set_", (size,)), stride, storage_offset)
    if source is not None:
        return source
    whole = (nbytes // itemsize,)
    fits = (storage_offset + geometry.extent(g.size, g.stride)) * itemsize <= nbytes
    kept = g.stride if g.size == whole and fits else geometry.contiguous_stride(whole)  # an unchanged size keeps them
    return Geometry(whole, kept, storage_offset)


@made_of_views("set_", "Replaces the storage, size and strides of the tensor.", forms="method", rule=set_geometry)
def set_(input: Tensor, source: Any = None, storage_offset: int = 0, size: Any = None, stride: Any = None) -> Tensor:
    other = None
    if isinstance(source, Tensor) and size is not None:  # it stands for its storage, from its first element on
        other = geometry_of(source)
        if not geometry.is_contiguous(other.size, other.stride):
            refuse(
                RuntimeError,
                "passed in tensor to be used as storage must be contiguous",
                "its elements do not lie side by side",
                "x.set_(source.untyped_storage(), …)",
                rule="set.contiguous",
            )
        storage, own, storage_offset = storage_of(source), input._dtype, storage_offset + other.offset
    elif isinstance(source, Tensor):
        storage, own, other = storage_of(source), source._dtype, geometry_of(source)
        if own is not input._dtype:
            refuse(
                RuntimeError,
                f"Could not set tensor of type {cpp_name(own)} to a tensor of type {cpp_name(input._dtype)}",
                "set_ changes the storage that a tensor reads, not its dtype",
                rule="set.dtype",
            )
    elif source is None:
        place = place_of(input)
        storage = (
            UntypedStorage(place.zeros((0,), np.dtype(np.uint8))) if place.has_numbers else UntypedStorage._meta(0)
        )
        own = input._dtype
    else:
        storage, own = _storage_for(input, source)
    if storage.device is not input.device:
        refuse(
            RuntimeError,
            f'Attempted to set the storage of a tensor on device "{input.device}" to a storage on different device '
            f'"{storage.device}".  This is no longer allowed; the devices must match.',
            "one of the two has numbers, and one has none",
            "x.copy_(source)",
            rule="set.device",
        )
    g = sure(set_geometry(geometry_of(input), storage.nbytes(), own.itemsize, other, storage_offset, size, stride))
    needed = (g.offset + geometry.extent(g.size, g.stride)) * own.itemsize
    if size is not None and 0 not in g.size and needed > storage.nbytes():
        grow(storage, needed)
    if input._keys & KEY_AUTOGRAD:
        grad_flag.on_new_facts(input, None)  # as in PyTorch, even if size and dtype stay the same
    look_at(input, storage, g, own)
    bump_version(input)
    return input


def _storage_for(input: Tensor, source: UntypedStorage) -> tuple[UntypedStorage, dtypes.dtype]:
    if not isinstance(source, TypedStorage):
        return source, input._dtype
    if source.dtype is not input._dtype:
        refuse(
            RuntimeError,
            f"Expected a Storage of type {cpp_name(input._dtype)} or an UntypedStorage, but got type "
            f"{source.dtype._type_name} for argument 1 'storage'",
            "the storage must have the dtype of the tensor",
            "storage.untyped()",
            rule="set.dtype",
        )
    return source.untyped(), source.dtype


def _of_size(
    g: Geometry, nbytes: int, itemsize: int, size: tuple[int, ...], stride: tuple[int, ...] | None, offset: int
) -> Geometry | Reason:
    """The geometry of a size on a storage; one that the tensor does not have yet may end beyond the storage."""
    named = as_shape("set_", (stride,), "stride", 4) if stride is not None and (len(stride) or not size) else None
    if named is not None and len(named) != len(size):
        return Reason(
            "set.length",
            RuntimeError,
            f"unequal size length ({len(size)}) and stride length ({len(named)})",
            "each dimension has one size and one stride",
            facts={"size": size, "stride": named},
        )
    strides = named if named is not None else g.stride if size == g.size else geometry.contiguous_stride(size)
    result = geometry.as_strided(Geometry((), (), 0), size, strides, offset, nbytes, itemsize)
    if isinstance(result, Reason) and result.rule == "strided.bounds" and (size, strides) != (g.size, g.stride):
        return Geometry(size, strides, offset)
    return result


def data_of(self: Tensor) -> Tensor:
    """Returns a tensor of the same elements with its own version counter."""
    result = alias_of(self, share_version=False)
    if "_no_counter" in self._notes:
        result._keys &= ~KEY_INFERENCE
    elif result._keys & KEY_INFERENCE and not inference_enabled():
        result._notes["_counts"] = True
    return result


def keep_data(self: Tensor) -> None:
    """Refuse ``del x.data``."""
    refuse(
        RuntimeError,
        "Deleting tensor data is not allowed. Delete tensor instead!",
        "a tensor always has data; they go when the last tensor that shows them does",
        "del x",
        rule="argument.type",
    )


def same_kind(one: Tensor, other: Tensor) -> bool:
    """Whether a tensor can be given the numbers of another: both are dense or of one layout, and both have numbers."""
    kinds = KEY_META | KINDS["quantized"].key
    if (one._keys ^ other._keys) & kinds:
        return False
    strided = [not isinstance(t._array, NonStridedArray) for t in (one, other)]
    return all(strided) or not any(strided) and type(one._array) is type(other._array)


def refuse_kind() -> None:
    """Refuse numbers of another layout."""
    refuse(
        RuntimeError,
        "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor type.",
        "the two have different layouts, or one of them is on meta",
        "x = torch.tensor(…)",
        rule="data.layout",
    )


def set_data(self: Tensor, new: Tensor) -> None:
    """Give this tensor the storage, size and strides of another."""
    if not isinstance(new, Tensor):
        refuse(
            TypeError,
            f"Variable data has to be a tensor, but got {type_name(new)}",
            "a tensor's memory can be exchanged for that of another tensor",
            "x.data = torch.tensor(…)",
            rule="argument.type",
        )
    if not same_kind(self, new):
        refuse_kind()
    if self._keys & KEY_AUTOGRAD and new._dtype._kind < dtypes.FLOAT:
        refuse(
            RuntimeError,
            "data set to a tensor that requires gradients must be floating point or complex dtype",
            f"{new._dtype} holds whole numbers only, and this tensor requires a gradient",
            "x.requires_grad_(False)",
            rule="autograd.dtype",
        )
    look_at(self, storage_of(new), geometry_of(new), new._dtype)
    if new._keys & KEY_INFERENCE and not self._keys & KEY_INFERENCE:
        grad_flag.inference_leaves.exist = True
        self._notes["_counts"] = True  # its writes were counted before, and are still
    own = KEY_MOVED | KEY_AUTOGRAD | KEY_CLASS
    if self._keys & KEY_INFERENCE and not new._keys & KEY_INFERENCE and "_counts" not in self._notes:
        own |= KEY_INFERENCE
        self._notes["_no_counter"] = True  # it is not a tensor of inference mode now, and cannot count writes either
    self._keys = self._keys & own | new._keys & ~own
    self._notes.pop("_names", None)
    if new._names is not None:
        self._names = new._names
