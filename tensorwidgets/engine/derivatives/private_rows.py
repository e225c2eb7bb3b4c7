"""Ops that PyTorch records under names of their own and that have no public row: slice, alias, index."""

from __future__ import annotations

from collections.abc import Callable

from .. import geometry
from ..dispatch import stations
from ..dispatch.registry import Op
from ..errors.reasons import sure
from ..ops.indexing import getitem, setitem
from ..tensor.keys import KEY_NEG
from ..tensor.lookups import geometry_of
from ..tensor.tensor import Tensor
from ..tensor.wrapping import alias_of, view_of

CATEGORY = "indexing_slicing_joining_mutating"


def _row(name: str, family: str) -> Callable[[Callable], Callable]:
    def declare(plain: Callable) -> Callable:
        op = Op(name, family, CATEGORY, plain.__doc__ or "", forms=frozenset())
        return stations.bind(op, plain)

    return declare


@_row("slice", "view")
def slice_of(input: Tensor, dim: int, start: int, end: int, step: int) -> Tensor:
    """Returns every `step`-th element from `start` to `end` along one dimension, as a view."""
    return getitem.read(input, (*(slice(None),) * (dim % input.dim()), slice(start, end, step)))


@_row("alias", "view")
def alias(input: Tensor) -> Tensor:
    """Returns a view of the same elements."""
    return view_of(input, geometry_of(input))


@_row("index", "index")
def index(input: Tensor, indices: list[Tensor | None]) -> Tensor:
    """Returns the elements at the indices, one index tensor or None for each dimension."""
    return getitem.read(input, everywhere(indices))


@_row("_put_at_", "inplace")
def put_at(input: Tensor, indices: list[Tensor | None], values: Tensor) -> Tensor:
    """Writes values at the indices, one index tensor or None for each dimension, as ``x[key] = values`` does."""
    setitem.write(input, everywhere(indices), values)
    return input


def everywhere(indices: list[Tensor | None]) -> tuple[Tensor | slice, ...]:
    """Indices as a key for brackets: the whole dimension in place of None."""
    return tuple([slice(None) if index is None else index for index in indices])


@_row("_unsafe_view", "view")
def unsafe_view(input: Tensor, size: tuple[int, ...]) -> Tensor:
    """Returns the same elements in another shape, and does not count as a view: it is called on fresh results alone."""
    found = sure(geometry.view(geometry_of(input), tuple(size)))
    return alias_of(view_of(input, found), share_version=False)


@_row("_reshape_alias", "view")
def reshape_alias(input: Tensor, size: tuple[int, ...], stride: tuple[int, ...]) -> Tensor:
    """Returns a view of another size whose strides are known."""
    from ..geometry import Geometry

    return view_of(input, Geometry(tuple(size), tuple(stride), input.storage_offset()))


@_row("_delayed_error", "copies")
def delayed_error(input: Tensor, message: str) -> Tensor:
    """Returns the same elements, through which no gradient goes: a backward pass is refused with this message."""
    return alias_of(input, share_version=False)


@_row("_neg_view", "view")
def neg_view(input: Tensor) -> Tensor:
    """Returns a view that promises the negatives of the elements."""
    view = view_of(input, geometry_of(input))
    view._keys ^= KEY_NEG
    return view


__all__ = [
    "alias", "delayed_error", "everywhere", "index", "neg_view", "put_at", "reshape_alias", "slice_of", "unsafe_view",
]  # fmt: skip
