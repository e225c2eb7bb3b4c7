"""Giving a tensor another size, and its storage more bytes when they are needed."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import geometry
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...geometry import Geometry
from ...memory.places import empty
from ...types.device import META
from ...types.dtypes import dtype
from ...types.size_limits import check_count, check_size
from .. import grad_flag, unset
from ..keys import KEY_AUTOGRAD, KEY_MOVED
from ..lookups import geometry_of, storage_of
from ..storages.untyped import MetaArray, UntypedStorage
from ..tensor import Tensor
from ..versions import VersionCounter, version_owner
from .views_beside import explained, views_beside

_BYTE = np.dtype(np.uint8)


def resize(t: Tensor, size: tuple[int, ...], stride: tuple[int, ...] | None = None) -> None:
    """Resize a tensor in place, from its offset on. The storage grows if needed."""
    if t._names is not None:
        _refuse_named(t, size)
    check_count(size)
    check_size(size, stride, t._dtype)
    wanted = geometry.contiguous_stride(size) if stride is None else stride
    offset = t.storage_offset()
    storage = storage_of(t)
    needed = (offset + geometry.extent(size, wanted)) * t._dtype.itemsize if 0 not in size else 0
    before = storage.nbytes()
    if needed > before:
        grow(storage, needed, t)
    place(t, Geometry(size, wanted, offset))
    if needed > before and unset.stand_out() and isinstance(storage._bytes, np.ndarray):
        first = -(-before // t._dtype.itemsize)
        unset.write_over(storage._bytes[first * t._dtype.itemsize : needed].view(t._array.dtype), t._dtype)


def _refuse_named(t: Tensor, size: tuple[int, ...]) -> None:
    """Refuse another size for a tensor with names."""
    from ...dimension_names import listed

    own = list(t._array.shape)
    if own != list(size):
        refuse(
            RuntimeError,
            f"Cannot resize named tensor with resize_ or resize_as_ (tried to resize Tensor{listed(t._names or ())} "
            f"with size {own} to {list(size)}). This may be caused by passing a named tensor as an `out=` argument; "
            "please ensure that the sizes are the same. ",
            "names are for the dimensions that a tensor has, and another size would have others",
            "x.rename_(None) first",
            rule="names.resize",
            size=tuple(own),
            wanted=tuple(size),
        )


def place(t: Tensor, g: Geometry) -> None:
    """Give a tensor another geometry on its own storage."""
    if t._keys & KEY_AUTOGRAD and t._array.shape != g.size:
        grad_flag.on_new_facts(t, t._dtype)
    t._array = storage_of(t)._array(g.size, g.stride, g.offset, t._dtype._in_numpy)
    if 0 in g.size:
        t._empty_offset = g.offset


def look_at(t: Tensor, storage: UntypedStorage, g: Geometry, d: dtype) -> None:
    """Move a tensor to another storage. It remains a view of its base, and its own views keep the old storage."""
    if t._base is None:
        if t._storage is not storage:
            old = storage_of(t)
            for view in views_beside(t, t):
                if not view._keys & KEY_MOVED:
                    view._storage = old
                    view._keys |= KEY_MOVED
    else:
        t._keys |= KEY_MOVED
    if t._keys & KEY_AUTOGRAD and t._dtype is not d:
        grad_flag.on_new_facts(t, d)
    t._storage, t._dtype = storage, d
    place(t, g)


def grow(storage: UntypedStorage, nbytes: int, known: Tensor | None = None) -> None:
    """Enlarge a storage, and update all tensors on it, of which one may be known."""
    _must_be_free(storage)
    if storage.device is META:
        storage._nbytes = nbytes
        for t in tensors_of(storage, known):
            place(t, geometry_of(t))
        return
    sharing = [(t, geometry_of(t)) for t in tensors_of(storage, known)]
    _move(storage, nbytes, max(nbytes, _end_of(sharing)), sharing)


def resize_storage(storage: UntypedStorage, nbytes: int) -> None:
    """Give a storage another number of bytes; tensors on it keep their sizes.

    A tensor may reach beyond the end then. PyTorch lets it read memory that is not its own; here it goes on with the
    memory that it had, until the storage is large enough again.
    """
    _must_be_free(storage)
    if nbytes > storage.nbytes() or storage.device is META:
        grow(storage, nbytes)
    elif nbytes < storage.nbytes():
        sharing = [(t, geometry_of(t)) for t in tensors_of(storage)]
        if _end_of(sharing) > nbytes:
            storage._beyond = storage._bytes if storage._beyond is None else storage._beyond
            storage._bytes, storage._nbytes = storage._bytes[:nbytes], nbytes
        else:
            _move(storage, nbytes, nbytes, sharing)


def _must_be_free(storage: UntypedStorage) -> None:
    if storage._lent:
        refuse(
            RuntimeError,
            "Trying to resize storage that is not resizable",
            "an array, a buffer or another library holds this memory, too, and would be left behind",
            "x.clone()",
            rule="storage.lent",
        )


def _end_of(sharing: list[tuple[Tensor, Geometry]]) -> int:
    """Where the last of these tensors ends, in bytes."""
    ends = [(g.offset + geometry.extent(g.size, g.stride)) * t._dtype.itemsize for t, g in sharing if 0 not in g.size]
    return max(ends, default=0)


def _move(storage: UntypedStorage, nbytes: int, room: int, sharing: list[tuple[Tensor, Geometry]]) -> None:
    """Move a storage and the tensors on it to new memory, of which it is the first bytes."""
    fresh = empty((room,), _BYTE, storage._bytes)
    kept = min(nbytes, storage.nbytes())
    fresh[:kept] = storage._bytes[:kept]
    storage._bytes, storage._nbytes = fresh, nbytes
    for t, g in sharing:
        place(t, g)
    if room > nbytes:
        storage._bytes = fresh[:nbytes]
    storage._beyond = fresh if room > nbytes else None


def tensors_of(storage: UntypedStorage, known: Tensor | None = None) -> list[Tensor]:
    """Every tensor on a storage. If one is known, it is usually the only one: no other reference is left to explain.

    Otherwise the garbage collector is asked. Growing is so rare that no list is kept.
    """
    if (
        known is not None
        and known._base is None
        and known._storage is storage
        and type(known._array) is np.ndarray
        and explained([known])
    ):
        counter = known._counter
        if counter is None or type(counter) is VersionCounter or storage_of(counter) is not storage:
            return [known]
        return [known, counter]
    holders = _referring(storage)
    results = [*holders, *[view for holder in holders for view in _referring(holder)]]
    unique = {id(x): x for x in results if storage_of(x) is storage}
    return list(unique.values())


def _referring(thing: Any) -> list[Tensor]:
    """The tensors that refer to a tensor or a storage, by a slot or by their `__dict__`."""
    direct = gc.get_referrers(thing)
    return [
        x
        for result in direct
        for x in (
            [result] if isinstance(result, Tensor) else gc.get_referrers(result) if isinstance(result, dict) else []
        )
        if isinstance(x, Tensor)
    ]


def resize_output(out: Tensor, size: tuple[int, ...], stride: tuple[int, ...] | None = None) -> None:
    """Give an `out=` tensor the size of the result; PyTorch warns when it held elements."""
    if out._array.size:
        warn_of_resized(out._array.shape, size)
    resize(out, size, stride)


def warn_of_resized(held: tuple[int, ...], size: tuple[int, ...]) -> None:
    """PyTorch's warning that a result got another size than the tensor had that it was written to."""
    warn(
        f"An output with one or more elements was resized since it had shape {list(held)}, which does not "
        f"match the required output shape {list(size)}. This behavior is deprecated, and in a future PyTorch release "
        "outputs will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by "
        "resizing it, inplace, to zero elements with t.resize_(0)."
    )


# -- all or nothing ----------------------------------------------------------------------------------------------


class Kept:
    """A tensor as it was before a call that may fail, numbers included."""

    def __init__(self, t: Tensor):
        self.tensor, self.storage, self.owner = t, storage_of(t), version_owner(t)
        self.array, self.dtype, self.keys, self.empty_offset = t._array, t._dtype, t._keys, t._empty_offset
        self.numbers = None if type(t._array) is MetaArray else t._array.copy()
        self.writes, self.nbytes = self.owner._writes, self.storage._nbytes
        self.bytes = getattr(self.storage, "_bytes", None)

    def put_back(self) -> None:
        """Undo what the call did to the tensor, and to the storage below it."""
        t, storage = self.tensor, self.storage
        if storage._nbytes != self.nbytes:
            others = [(x, geometry_of(x)) for x in tensors_of(storage, t) if x is not t]
            storage._nbytes = self.nbytes
            if self.bytes is not None:
                storage._bytes = self.bytes
            for x, g in others:
                place(x, g)
        t._array, t._dtype, t._keys, t._empty_offset = self.array, self.dtype, self.keys, self.empty_offset
        if (
            self.numbers is not None
            and self.owner._writes != self.writes
            and getattr(self.array.flags, "writeable", True)
        ):
            self.array[...] = self.numbers
        self.owner._writes = self.writes


def all_or_nothing(call: Callable, args: tuple, kwargs: dict) -> Any:
    """A call with several `out=`: if one of them is refused, the others are as they were before."""
    kept = [Kept(t) for t in kwargs["out"] if isinstance(t, Tensor)]
    try:
        return call(*args, **kwargs)
    except Exception:
        for each in reversed(kept):
            each.put_back()
        raise
