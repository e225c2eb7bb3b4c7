"""Sparse tensors on the meta device: each has no elements, so an empty CPU tensor can replace it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....dispatch.registry import OPS
from ....memory import MetaArray
from ....tensor.keys import KEY_META
from ....tensor.tensor import Tensor
from ....tensor.wrapping import wrap_any
from .empty import of_zeros
from .same_indices import replace
from .tensors import is_coo


def with_stand_ins(kernel: Callable, args: tuple, kwargs: dict) -> Any:
    """Call a kernel with empty CPU tensors, and return its results on the meta device."""
    pairs: list[tuple[Tensor, Tensor]] = []

    def stand_in(x: Any) -> Any:
        if is_coo(x) and x._keys & KEY_META:
            empty = of_zeros(x._array.shape, x._array.sparse_dim, x._dtype)
            pairs.append((x, empty))
            return empty
        if isinstance(x, (list, tuple)):
            return type(x)([stand_in(y) for y in x])
        return x

    result = kernel(*[stand_in(a) for a in args], **{name: stand_in(a) for name, a in kwargs.items()})
    for own, empty in pairs:
        if result is empty:
            return replace(own, without_numbers(empty))
    return _all_without(result)


def _all_without(value: Tensor) -> Any:
    if isinstance(value, Tensor):
        return without_numbers(value)
    if isinstance(value, (list, tuple)):
        return type(value)([_all_without(x) for x in value])
    return value


def without_numbers(t: Tensor) -> Tensor:
    """The same tensor on the meta device."""
    if is_coo(t):
        return of_zeros(t._array.shape, t._array.sparse_dim, t._dtype, True)
    if isinstance(t._array, MetaArray):
        return t
    if hasattr(t._array, "strides"):
        return wrap_any(MetaArray(t._array.shape, t._array.strides, t._array.dtype), t._dtype)
    return OPS["to"].function(t, "meta")
