"""What reductions took away: dimensions that are opened again, and gradients shared among the chosen elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from .beside import zeros_beside
from .helpers import counted

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor


def dims_of(dim: int | Sequence[int] | None, ndim: int) -> tuple[int, ...]:
    """The dimensions that a call reduces, counted from the left; all of them for None and ().

    >>> dims_of(-1, 3), dims_of((0, -1), 3), dims_of(None, 2)
    ((2,), (0, 2), (0, 1))
    """
    if dim is None or not isinstance(dim, int) and not len(dim):
        return tuple(range(ndim))
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    return tuple(d % ndim for d in dims) if ndim else ()


def opened(t: Tensor, dim: Any, ndim: int, keepdim: bool) -> Any:
    """A result of a reduction with a dimension of size 1 for each one that is gone."""
    if keepdim or not ndim:
        return t
    for d in sorted(dims_of(dim, ndim)):
        t = t.unsqueeze(d)
    return t


def count_of(shape: tuple[int, ...], dim: int | Sequence[int] | None) -> int:
    """How many elements go into each result."""
    return prod(shape[d] for d in dims_of(dim, len(shape)))


def shared(grad: Tensor, chosen: Tensor, dim: int | Sequence[int] | None) -> Any:
    """A gradient divided among the elements that are chosen along some dimensions, 0 for the others."""
    dims = dims_of(dim, chosen.dim())
    return grad / (chosen.sum(dims, keepdim=True) if dims else chosen.sum()) * chosen


def into_places(grad: Tensor, places: Tensor, shape: tuple[int, ...], dim: int, keepdim: bool) -> Any:
    """Zeros of the size of a tensor with a gradient at the places along a dimension that were chosen."""
    dim = dim % len(shape) if shape else 0
    if shape and not keepdim:
        grad, places = grad.unsqueeze(dim), places.unsqueeze(dim)
    return counted(zeros_beside(grad, shape).scatter(dim, places, grad), 2)


__all__ = ["count_of", "dims_of", "into_places", "opened", "shared"]
