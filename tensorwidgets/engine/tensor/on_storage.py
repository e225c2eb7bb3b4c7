"""A tensor that reads a whole storage."""

from __future__ import annotations

from typing import Any

from ..types import dtypes
from ..types.device import META
from ..types.dtypes import dtype
from .keys import KEY_META
from .storage import TypedStorage
from .tensor import Tensor
from .wrapping import wrap


def tensor_on(storage: Any, d: dtype | None = None) -> Tensor:
    """All elements of a storage, which the tensor shares; bytes are read as `d`, or one by one.

    >>> tensor_on(TypedStorage([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    if isinstance(storage, TypedStorage):
        d, storage = storage.dtype, storage.untyped()
    d = dtypes.uint8 if d is None else d
    count = storage.nbytes() // d.itemsize
    t = wrap(storage._array((count,), (1,), 0, d._in_numpy), d)
    if storage.device is META:
        t._keys = KEY_META
    t._storage = storage
    return t
