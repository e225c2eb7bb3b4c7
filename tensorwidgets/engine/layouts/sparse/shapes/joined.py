"""Sparse tensors joined along a dimension: the coordinates of each begin where those before it end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....declare.pointwise import common_dtype
from ....dispatch.registry import OPS, find
from ....dispatch.stations import no_kernel
from ....errors.reasons import refuse
from ....tensor.lookups import checked_dim
from ....tensor.tensor import Tensor
from ....tensor.type_names import type_name
from ..accessors import no_backend
from ..parts.tensors import COO, coo, coo_kernel, fresh, int64, is_coo, is_sparse
from .exchanged import unsqueeze


@coo_kernel("cat")
def cat(tensors: Sequence[Tensor], dim: int = 0, *, out: Tensor | None = None) -> Tensor:
    tensors = _all_tensors(tensors)
    first = tensors[0]
    if out is not None:
        no_kernel(find("cat"), COO, "cat.out")
    if not is_sparse(first):
        no_backend(first, "_values")
    for place, t in enumerate(tensors):
        if not is_coo(t):
            refuse(
                RuntimeError,
                f"Concatenating sparse tensors, but a dense tensor was found at position {place}.",
                f"the others have layout={next(x._array.layout for x in tensors if is_coo(x))}",
                "x.to_sparse()",
                rule="sparse.mixed",
            )
    dim = checked_dim(dim, first._array.ndim)
    if not first._array.ndim:
        message = "Dimension out of range (expected to be in range of [-1, 0], but got 1)"
        refuse(IndexError, message, "numbers are stacked, not joined", "torch.stack(tensors)", rule="dim.range")
    for place, t in enumerate(tensors):
        _check_joined(first._array, t._array, dim, place)
    n = first._array.sparse_dim
    d = common_dtype(tuple(tensors))
    total = sum(t._array.shape[dim] for t in tensors)
    size = (*first._array.shape[:dim], total, *first._array.shape[dim + 1 :])
    indices, values, before = [], [], 0
    for t in tensors:
        parts = t._array
        rows, own = parts.indices._array, OPS["to"].function(parts.values, d)._array
        if dim < n:
            rows = rows.copy()
            rows[dim] += before
        else:
            wide = np.zeros((len(own), *size[n:]), own.dtype)
            inside: list[Any] = [slice(None)] * wide.ndim
            inside[dim - n + 1] = slice(before, before + parts.shape[dim])
            wide[tuple(inside)] = own
            own = wide
        before += parts.shape[dim]
        indices.append(rows)
        values.append(own)
    merged = np.concatenate(indices, 1)
    checked = all(t._array.checked for t in tensors)
    return coo(int64(merged), fresh(np.concatenate(values), d), size, merged.shape[1] < 2, checked)


def _check_joined(first: Any, other: Any, dim: int, place: int) -> None:
    own, its = list(first.shape), list(other.shape)
    if len(own) != len(its) or own[:dim] + own[dim + 1 :] != its[:dim] + its[dim + 1 :]:
        refuse(
            RuntimeError,
            f"All tensors must have the same shape: {own} (except in the concatenating dimension), but found shape: "
            f"{its} at position {place}.",
            f"they are joined along dimension {dim}",
            rule="cat.size",
        )
    if (first.sparse_dim, first.dense_dim) != (other.sparse_dim, other.dense_dim):
        refuse(
            RuntimeError,
            f"All tensors must have the same sparse_dim and dense_dim: {first.sparse_dim}, "
            f"{first.dense_dim}, but tensor "
            f"at position {place} has {other.sparse_dim}, {other.dense_dim}.",
            "they keep elements of different sizes",
            rule="cat.dims",
        )


@coo_kernel("stack")
def stack(tensors: Sequence[Tensor], dim: int = 0, *, out: Tensor | None = None) -> Tensor:
    tensors = _all_tensors(tensors)
    dim = checked_dim(dim, tensors[0]._array.ndim + 1)
    for place, t in enumerate(tensors):
        if t._array.shape != tensors[0]._array.shape:
            refuse(
                RuntimeError,
                f"stack expects each tensor to be equal size, but got {list(tensors[0]._array.shape)} at entry 0 and "
                f"{list(t._array.shape)} at entry {place}",
                "they become neighbours along a new dimension",
                rule="stack.size",
            )
    return cat([OPS["unsqueeze"].function(t, dim) for t in tensors], dim)


def _all_tensors(tensors: Sequence[Any]) -> list[Tensor]:
    for place, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            message = f"expected Tensor as element {place} in argument 0, but got {type_name(t)}"
            refuse(TypeError, message, "only tensors are joined", "torch.tensor(…)", rule="argument.type")
    return list(tensors)


def _joined(name: str, n: int, dim: Callable[..., Any]) -> None:
    def kernel(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
        raise_one = OPS[f"atleast_{n}d"].function
        each = [raise_one(t) for t in _all_tensors(tensors)]
        return cat(each, dim(each[0]._array.ndim))

    coo_kernel(name)(kernel)


_joined("vstack", 2, lambda n: 0)
_joined("hstack", 1, lambda n: 0 if n == 1 else 1)
_joined("dstack", 3, lambda n: 2)


@coo_kernel("column_stack")
def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    return cat([unsqueeze(t, 1) if t._array.ndim == 1 else t for t in tensors], 1)
