"""Giving a tensor another size, and its storage more bytes when they are needed."""

from __future__ import annotations

import gc
import warnings

import numpy as np

from . import geometry
from .geometry import Geometry
from .storage import UntypedStorage
from .tensor import Tensor, geometry_of, storage_of


def resize(t: Tensor, size: tuple[int, ...], stride: tuple[int, ...] | None = None) -> None:
    """Make a tensor look at so many elements of its storage, from its offset on. The storage grows if it must."""
    wanted = geometry.contiguous_stride(size) if stride is None else stride
    offset = t.storage_offset()
    storage = storage_of(t)
    needed = (offset + geometry.extent(size, wanted)) * t._dtype.itemsize if 0 not in size else 0
    if needed > storage.nbytes():
        grow(t, needed)
    place(t, Geometry(size, wanted, offset))


def place(t: Tensor, g: Geometry) -> None:
    """Let a tensor look at its own storage by another geometry."""
    t._array = storage_of(t)._array(g.size, g.stride, g.offset, t._dtype.numpy)
    if 0 in g.size:
        t._empty_offset = g.offset


def grow(t: Tensor, nbytes: int) -> None:
    """More bytes for a storage, for all tensors that look at it."""
    storage = storage_of(t)
    sharing = [(view, geometry_of(view)) for view in _tensors_of(t, storage)] if storage.nbytes() else []
    fresh = np.empty(nbytes, np.uint8)
    fresh[: storage.nbytes()] = storage._bytes
    storage._bytes, storage._nbytes = fresh, nbytes
    storage._typed.clear()
    for view, g in sharing:
        place(view, g)


def _tensors_of(t: Tensor, storage: UntypedStorage) -> list[Tensor]:
    """Every tensor on a storage. Growing is so rare that nobody keeps a list: the garbage collector knows them all."""
    root = t if t._base is None else t._base
    candidates = gc.get_referrers(root, storage)
    holders = [c for c in candidates if isinstance(c, Tensor)]
    # A storage is held in its root's __dict__, which the collector names in the root's place.
    holders += [h for c in candidates if isinstance(c, dict) for h in gc.get_referrers(c) if isinstance(h, Tensor)]
    views = [v for h in holders for v in gc.get_referrers(h) if isinstance(v, Tensor) and v._base is h]
    unique = {id(x): x for x in [root, t, *holders, *views] if storage_of(x) is storage}
    return list(unique.values())


def resize_output(out: Tensor, size: tuple[int, ...], stride: tuple[int, ...] | None = None) -> None:
    """Give an `out=` tensor the size of the result; PyTorch warns when it held elements."""
    if out._array.size:
        warnings.warn(
            f"An output with one or more elements was resized since it had shape {list(out._array.shape)}, which "
            "does not "
            f"match the required output shape {list(size)}. This behavior is deprecated, and in a future PyTorch "
            "release "
            "outputs will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by "
            "resizing it, inplace, to zero elements with t.resize_(0).",
            UserWarning,
            stacklevel=5,
        )
    resize(out, size, stride)
