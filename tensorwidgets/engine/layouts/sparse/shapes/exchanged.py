"""Dimensions that change places, and new ones of size 1: rows of the coordinates move, elements stay."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import geometry
from ....dispatch.registry import OPS, find
from ....dispatch.stations import no_kernel
from ....errors.reasons import refuse, sure
from ....tensor.lookups import checked_dim
from ....tensor.tensor import Tensor
from ..parts.coalescing import rising
from ..parts.same_indices import again, replace, view_kernel
from ..parts.tensors import (
    BLOCKED,
    COMPRESSED,
    TURNED,
    Compressed,
    around,
    compressed_kernel,
    coo,
    coo_kernel,
    int64,
)

# -- dimensions exchanged ----------------------------------------------------------------------------------------


@coo_kernel("transpose")
@view_kernel
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    parts = input._array
    one, two = checked_dim(dim0, parts.ndim), checked_dim(dim1, parts.ndim)
    n = parts.sparse_dim
    if one == two:
        return again(input)
    if max(one, two) >= n:
        refuse(
            RuntimeError,
            f"sparse transpose: transposed dimensions must be sparse Got sparse_dim: {n}, d0: {one}, d1: {two}",
            f"dimensions {n} and up are kept whole in values",
            "x.permute(…)",
            rule="sparse.transpose",
        )
    order = list(range(parts.ndim))
    order[one], order[two] = two, one
    return _permuted(input, order)


def _permuted(t: Tensor, order: list[int]) -> Tensor:
    parts = t._array
    n = parts.sparse_dim
    size = tuple([parts.shape[k] for k in order])
    if order == list(range(parts.ndim)):
        return again(t)
    indices = int64(np.ascontiguousarray(parts.indices._array[order[:n]]))
    values = parts.values
    if order[n:] != list(range(n, parts.ndim)):
        values = OPS["permute"].function(values, 0, *[k - n + 1 for k in order[n:]])
    return coo(indices, values, size, not parts.nnz, parts.checked)


@coo_kernel("permute")
@view_kernel
def permute(input: Tensor, *places: Any, dims: Any = None) -> Tensor:
    parts = input._array
    places = places if dims is None else (dims,)
    wanted = list(places[0]) if len(places) == 1 and isinstance(places[0], (tuple, list)) else list(places)
    sure(geometry.permute(geometry.contiguous(parts.shape), tuple(wanted)))
    order = [d % parts.ndim for d in wanted]
    if any((k < parts.sparse_dim) != (place < parts.sparse_dim) for place, k in enumerate(order)):
        refuse(
            RuntimeError,
            "permute(sparse_coo): transpositions between sparse and dense dimensions are not "
            "allowed.Only transpositions "
            "within sparse and dense dimensions are supported.",
            f"dimensions {parts.sparse_dim} and up are kept whole in values",
            rule="sparse.permute",
        )
    result = _permuted(input, order)
    if wanted and (wanted[0] != 0 or order != list(range(parts.ndim))):
        # PyTorch does not see that a place counted from the end is the first.
        result._array.coalesced = parts.coalesced and wanted[0] == 0 and rising(result._array)
    return result


@coo_kernel("t")
@view_kernel
def t(input: Tensor) -> Tensor:
    parts = input._array
    if parts.sparse_dim > 2 or parts.dense_dim:
        refuse(
            RuntimeError,
            "t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got "
            f"{parts.sparse_dim} sparse and {parts.dense_dim} dense dimensions",
            "t() turns matrices",
            "x.transpose(0, 1)",
            rule="sparse.transpose",
        )
    return again(input) if parts.ndim < 2 else transpose(input, 0, 1)


@coo_kernel("adjoint")
@view_kernel
def adjoint(input: Tensor) -> Tensor:
    if input._array.ndim < 2:
        return again(input)
    return OPS["conj"].function(transpose(input, -2, -1))


@coo_kernel("numpy_T")
def reversed_dims(input: Tensor) -> Tensor:
    return permute(input, *range(input._array.ndim - 1, -1, -1))


@compressed_kernel("numpy_T", "permute")
def no_steps(input: Tensor, *places: Any, dims: Any = None) -> Tensor:
    no_kernel(find("permute"), COMPRESSED, "as_strided")


@coo_kernel("adjoint_view")
def last_two(input: Tensor, *args: Any) -> Tensor:
    return transpose(input, -2, -1)


@coo_kernel("movedim")
def movedim(input: Tensor, source: int, destination: int) -> Tensor:
    n = input._array.ndim
    pairs = [[x] if isinstance(x, int) else list(x) for x in (source, destination)]
    moved, places = ([checked_dim(d, n) for d in dims] for dims in pairs)
    rest = [d for d in range(n) if d not in moved]
    at = dict(zip(places, moved, strict=True))
    return permute(input, *[at[k] if k in at else rest.pop(0) for k in range(n)])


def _in_place(name: str) -> None:
    def kernel(input: Tensor, *args: Any, **named: Any) -> Tensor:
        return replace(input, OPS[name].function(input, *args, **named))

    coo_kernel(name + "_")(kernel)


for _name in ("t", "transpose"):
    _in_place(_name)


@compressed_kernel("t")
@view_kernel
def t_compressed(input: Tensor) -> Tensor:
    if input._array.ndim > 2:
        refuse(
            RuntimeError,
            f"t() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D",
            "t() turns matrices",
            "x.transpose(0, 1)",
            rule="sparse.transpose",
        )
    return transpose_compressed(input, 0, 1)


@compressed_kernel("transpose", "swapaxes")
@view_kernel
def transpose_compressed(input: Tensor, dim0: int, dim1: int) -> Tensor:
    parts = input._array
    one, two = checked_dim(dim0, parts.ndim), checked_dim(dim1, parts.ndim)
    b = parts.batch_dim
    if one == two:
        return again(input)
    if {one, two} != {b, b + 1}:
        kinds = ["Batch"] * b + ["Sparse"] * 2 + ["Dense"] * parts.dense_dim
        if kinds[one] != kinds[two]:
            refuse(
                RuntimeError,
                "transpose(): can only transpose dimensions of the same type (Batch, Sparse, Dense), got "
                f"{one}({kinds[one]}) and {two}({kinds[two]})",
                "rows and columns can be exchanged",
                rule="sparse.transpose",
            )
        refuse(
            RuntimeError,
            "transpose(): can only transpose 2D compressed sparse tensors' rows and columns, got dims "
            f"{dim0} and {dim1}",
            "rows and columns can be exchanged",
            rule="sparse.transpose",
        )
    size = list(parts.shape)
    size[one], size[two] = size[two], size[one]
    values = parts.values
    if parts.layout in BLOCKED:
        values = OPS["transpose"].function(values, b + 1, b + 2)
    return around(Compressed(TURNED[parts.layout], parts.outer, parts.inner, values, tuple(size), parts.checked))


@compressed_kernel("adjoint_view")
def last_two_compressed(input: Tensor, *args: Any) -> Tensor:
    return transpose_compressed(input, -2, -1)


@compressed_kernel("adjoint")
@view_kernel
def adjoint_compressed(input: Tensor) -> Tensor:
    return OPS["conj"].function(transpose_compressed(input, -2, -1))


# -- dimensions added --------------------------------------------------------------------------------------------


@coo_kernel("unsqueeze")
@view_kernel
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    parts = input._array
    place = checked_dim(dim, parts.ndim + 1)
    size = (*parts.shape[:place], 1, *parts.shape[place:])
    if place <= parts.sparse_dim:
        indices = np.insert(parts.indices._array, place, 0, axis=0)
        return coo(int64(indices), parts.values, size, parts.nnz < 2 and parts.coalesced, parts.checked)
    values = OPS["unsqueeze"].function(parts.values, place - parts.sparse_dim + 1)
    return coo(parts.indices, values, size, parts.nnz < 2 and parts.coalesced, parts.checked)


def _at_least(n: int) -> Any:
    def kernel(*tensors: Any) -> Any:
        if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
            return tuple([one(t) for t in tensors[0]])
        return one(tensors[0]) if len(tensors) == 1 else tuple([one(t) for t in tensors])

    def one(x: Tensor) -> Tensor:
        while x._array.ndim < n:
            x = unsqueeze(x, 0 if x._array.ndim < 2 else 2)
        return x

    return kernel


for _n in (1, 2, 3):
    coo_kernel(f"atleast_{_n}d")(_at_least(_n))
