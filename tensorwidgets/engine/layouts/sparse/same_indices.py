"""Sparse tensors that share the indices of another one and have new values."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .members import replace
from .parts import Compressed, Coordinates, around, is_coo


def with_values(t: Tensor, values: Tensor, coalesced: bool | None = None) -> Tensor:
    """A tensor with the same indices and these values."""
    parts = t._array
    if is_coo(t):
        flag = parts.coalesced if coalesced is None else coalesced
        return around(Coordinates(parts.indices, values, parts.shape, flag, parts.checked))
    return around(Compressed(parts.layout, parts.outer, parts.inner, values, parts.shape, parts.checked))


def into(out: Any, value: Tensor) -> Tensor:
    """The result, or `out=` after it was set to the result."""
    if out is None:
        return value
    if is_coo(out) or not isinstance(value._array, (Coordinates, Compressed)):
        from ...dispatch.registry import OPS

        if not isinstance(value._array, (Coordinates, Compressed)):
            if out._array.shape != value._array.shape:
                OPS["resize_"].function(out, *value._array.shape)
            return OPS["copy_"].function(out, value)
    return replace(out, value)
