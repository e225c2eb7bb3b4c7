"""Convert between dense, COO and compressed layouts. Elements that are not stored are zero."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import geometry
from ...declare.by_parts import Made, chosen, computes
from ...dispatch.meta import refuse_values
from ...dispatch.registry import OPS
from ...errors.reasons import refuse, sure
from ...tensor.keys import KEY_META
from ...tensor.lazy_conj import values_of
from ...tensor.tensor import Tensor
from ...types import dtypes, formats
from .parts.checks import ready
from .parts.coalescing import coalesce, coordinates, linear
from .parts.empty import of_zeros, zeros
from .parts.same_indices import again
from .parts.tensors import (
    BLOCKED,
    BY_ROWS,
    NAMES,
    TURNED,
    Compressed,
    compressed,
    coo,
    fresh,
    int64,
    is_compressed,
    is_coo,
    is_sparse,
)

if TYPE_CHECKING:
    from ...types.dtypes import dtype
    from ...types.formats import layout

# -- to dense ----------------------------------------------------------------------------------------------------


def dense_array(t: Tensor) -> np.ndarray:
    """The elements as a contiguous array."""
    parts = t._array
    ready(parts)
    values = parts.values._array
    out = zeros(parts.shape, t._dtype)._array  # raises if memory is insufficient
    if is_coo(t):
        place(out, parts.indices._array, values, parts.coalesced)
        return out
    for batch in np.ndindex(parts.outer._array.shape[:-1]):
        rows, columns = matrix_indices(parts, batch)
        target = out[batch]
        if parts.block:
            a, b = parts.block
            blocks = target.reshape(target.shape[0] // a, a, target.shape[1] // b, b, *target.shape[2:])
            # Two index arrays around a slice move the indexed dimensions first: (block, row in it, column in it).
            blocks[rows, :, columns] = values[batch]
        else:
            target[rows, columns] = values[batch]
    return out


@computes(dense_array)
def to_dense(input: Tensor, dtype: dtype | None = None, *, masked_grad: bool | None = None) -> Any:
    """Converts to a dense (strided) tensor."""
    if not is_sparse(input):
        return input if dtype is None else OPS["to"].function(input, dtype)
    if input._keys & KEY_META:
        no_meta("_to_dense")
    if dtype is not None:
        refuse(
            RuntimeError,
            f"dtype argument is not supported by {'sparse_to_dense' if is_coo(input) else 'sparse_csr_to_dense'}",
            "convert the layout first and the dtype second",
            f"x.to_dense().to({dtype})",
            rule="sparse.dtype",
        )
    return Made(lambda array: fresh(array, input._dtype), (input,))


def place(out: np.ndarray, indices: np.ndarray, values: np.ndarray, once: bool) -> None:
    """Add values to the elements of a contiguous array at their coordinates."""
    sparse = out.shape[: len(indices)]
    flat = out.reshape(prod(sparse), *out.shape[len(indices) :])
    keys = linear(indices, sparse)
    if once:
        flat[keys] += values
    else:
        np.add.at(flat, keys, values)


def matrix_indices(parts: Any, batch: tuple[int, ...] = ()) -> tuple[np.ndarray, np.ndarray]:
    """The row and column of each stored element (or block) of one compressed matrix."""
    outer, inner = parts.outer._array[batch], parts.inner._array[batch].astype(np.int64, copy=False)
    lines = np.repeat(np.arange(len(outer) - 1), np.diff(outer))
    return (lines, inner) if parts.layout in BY_ROWS else (inner, lines)


def no_meta(called: str) -> None:
    """Refuse an op that would read the indices of a meta tensor."""
    refuse(
        NotImplementedError,
        f"Could not run 'aten::{called}' with arguments from the 'SparseMeta' backend.",
        "a sparse tensor on the meta device has no elements",
        rule="sparse.meta",
    )


# -- to coordinates ----------------------------------------------------------------------------------------------


def sparse_dims_of(t: Tensor, sparse_dim: int | None, layout: layout | None, dense_dim: int | None) -> int:
    """How many leading dimensions of a dense tensor become sparse."""
    n = t._array.ndim
    if dense_dim is not None:
        if not 0 <= dense_dim <= n:
            _range("dense_dim", n, dense_dim)
        return n - dense_dim
    if sparse_dim is None:
        return n
    if n and not 1 <= sparse_dim <= n or not n and sparse_dim:
        _range("sparse_dim", n, sparse_dim)
    return sparse_dim


def _range(argument: str, n: int, given: int) -> None:
    words = f"dense_to_sparse: {argument} argument must be in [0,{n}] range, but {given} is given"
    if argument == "sparse_dim" and not given:
        words = "dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0"
    refuse(RuntimeError, words, f"the tensor has {n} dimensions", rule="sparse.dims")


def kept(array: np.ndarray, sparse_dim: int) -> tuple[np.ndarray, np.ndarray, bool]:
    """The coordinates and values of what is not zero in an array; and that they are sorted."""
    mask = array != 0
    if array.ndim > sparse_dim:
        mask = mask.any(axis=tuple(range(sparse_dim, array.ndim)))
    if sparse_dim == 0:
        none = np.zeros((0, int(bool(mask))), np.int64)
        return none, array.reshape(1, *array.shape)[: none.shape[1]].copy(), True
    flat = np.flatnonzero(mask)
    values = np.ascontiguousarray(array).reshape(mask.size, *array.shape[sparse_dim:])[flat]
    return coordinates(flat, array.shape[:sparse_dim]), values, True


def unfolded(parts: Compressed) -> tuple[np.ndarray, np.ndarray, bool]:
    """The coordinates and values of a compressed tensor, and whether they are sorted."""
    ready(parts)
    values = parts.values._array
    result, stored = [], []
    for batch in np.ndindex(parts.outer._array.shape[:-1]):
        rows, columns = matrix_indices(parts, batch)
        own = values[batch]
        if parts.block:
            a, b = parts.block
            n = len(rows)
            rows = np.broadcast_to((rows * a)[:, None, None] + np.arange(a)[:, None], (n, a, b)).reshape(-1)
            columns = np.broadcast_to((columns * b)[:, None, None] + np.arange(b), (n, a, b)).reshape(-1)
            own = own.reshape(n * a * b, *own.shape[3:])
        result.append(np.stack([*[np.full(len(rows), n) for n in batch], rows, columns]))
        stored.append(own)
    indices = np.ascontiguousarray(np.concatenate(result, 1))
    rising = parts.layout is formats.sparse_csr
    if parts.block:
        rising = bool((np.diff(linear(indices, parts.shape)) > 0).all())
    return indices, np.concatenate(stored), rising


def _as_coo(t: Tensor, kernel: Callable[..., Any], *given: Any) -> Made:
    def make(found: tuple[np.ndarray, np.ndarray, bool]) -> Tensor:
        return coo(int64(found[0]), fresh(found[1], t._dtype), t._array.shape, found[2])

    return Made(make, (kernel, *given))


@computes(chosen)
def coo_of_dense(t: Tensor, sparse_dim: int) -> Any:
    """The non-zero elements in COO layout."""
    if t._keys & KEY_META:
        return of_zeros(t._array.shape, sparse_dim, t._dtype, True)

    def make(found: tuple[np.ndarray, np.ndarray, bool]) -> Tensor:
        indices = int64(found[0])
        if (
            sparse_dim == 1 < t._array.ndim
        ):  # a row that PyTorch makes of the column that `nonzero` finds, and both are contiguous
            indices = OPS["t"].function(int64(found[0].reshape(-1, 1)))
        return coo(indices, fresh(found[1], t._dtype), t._array.shape, True)

    return Made(make, (kept, values_of(t), sparse_dim))


@computes(chosen)
def coo_of(t: Tensor) -> Made:
    """A compressed tensor in COO layout."""
    return _as_coo(t, unfolded, t._array)


# -- to compressed -----------------------------------------------------------------------------------------------


def _layout(t: Tensor) -> Any:
    return t._array.layout if is_sparse(t) else formats.strided


_SHORT = {
    formats.sparse_csr: "csr", formats.sparse_csc: "csc", formats.sparse_bsr: "bsr", formats.sparse_bsc: "bsc",
}  # fmt: skip


_GENERIC = {"Strided": "dense_to_sparse", "Sparse": "sparse_coo_to_sparse"}
"""The names of `to_sparse(layout=…)` in PyTorch's messages."""


@computes(chosen)
def to_compressed(
    input: Tensor,
    layout: layout,
    blocksize: int | Sequence[int] | None = None,
    dense_dim: int | None = None,
    called: str = "",
) -> Any:
    """Convert to CSR, CSC, BSR or BSC."""
    own = _layout(input)
    to = f"to_sparse_{_SHORT[layout]}"
    name = {
        formats.strided: f"dense_to_sparse_{_SHORT[layout]}", formats.sparse_coo: f"coo_{to}", layout: to,
    }.get(own, f"sparse_compressed_{to}")  # fmt: skip
    name = called or name
    if input._keys & KEY_META and is_sparse(input):
        no_meta("_to_sparse" if called else f"_{to}")
    if input._keys & KEY_META:
        refuse_values("_to_sparse" if called else f"_{to}")
    where = f"{name}: conversion from {NAMES[own]} to {NAMES[layout]}"
    if own is formats.sparse_coo and input._array.sparse_dim != 2:
        refuse(
            RuntimeError,
            f"{where} for input tensors with sparse_dim()!=2 is not supported",
            f"this tensor has {input._array.sparse_dim} sparse dimensions, and a matrix has 2",
            rule="sparse.dims",
        )
    if dense_dim is not None and own is not formats.strided:
        refuse(
            RuntimeError,
            f"{where} with dense_dim argument given is not supported",
            "the tensor already determines which dimensions are dense",
            rule="sparse.dims",
        )
    if layout in BLOCKED:
        if blocksize is None and own not in BLOCKED:
            refuse(
                RuntimeError,
                f"{where} without blocksize argument given is not supported",
                "a block has a height and a width",
                "blocksize=(2, 2)",
                rule="sparse.block",
            )
        blocksize = _blocksize(input, name, where, blocksize, dense_dim or 0)
    if own is layout:
        return input if layout not in BLOCKED else again(input)
    if own in BLOCKED and layout not in BLOCKED:
        refuse(
            RuntimeError,
            f"{name}: expected SparseCsr or SparseCsc layout but got {NAMES[own]}",
            "the conversion does not split or merge blocks",
            f"x.to_dense().{to}()",
            rule="sparse.layout",
        )
    if own is formats.strided:
        return _compressed_of_dense(input, layout, name, blocksize, dense_dim or 0)
    if is_compressed(input) and input._array.batch_dim:
        if TURNED[own] is not layout:
            words = f"{where} for batched inputs is not supported"
            refuse(RuntimeError, words, "convert each matrix", rule="sparse.dims")
        return Made(lambda parts: _assembled(input, layout, parts), (turned_parts, input, layout, blocksize))
    return Made(lambda parts: _assembled(input, layout, parts), (compressed_parts, input, layout, blocksize))


def _blocksize(t: Tensor, name: str, where: str, blocksize: Any, dense_dim: int) -> tuple[int, int]:
    own = list(t._array.block) if is_compressed(t) and t._array.block else None
    wanted = [blocksize] * 2 if isinstance(blocksize, int) else list(blocksize) if blocksize is not None else own
    if wanted is None or len(wanted) != 2:
        refuse(
            RuntimeError,
            f"{name}: blocksize needs to be a tuple of size 2, but got {0 if wanted is None else len(wanted)}",
            "a block has a height and a width",
            rule="sparse.block",
        )
    if own is not None and wanted != own:
        refuse(
            RuntimeError,
            f"{where} with blocksize changed from {own} to {wanted} is not supported",
            "the conversion does not split or merge blocks",
            "x.to_dense() first",
            rule="sparse.block",
        )
    size = t._array.shape
    if not is_sparse(t):
        ends = sure(geometry.wrap_dims((-dense_dim - 2, -dense_dim - 1), len(size)))
        size = size[ends[0]], size[ends[1]]
    if min(wanted) <= 0:
        refuse(
            RuntimeError,
            f"{name}: blocksize needs to be positive, but got {wanted}",
            "a block has a height and a width",
            rule="sparse.block",
        )
    if len(size) < 2 or size[0] % wanted[0] or size[1] % wanted[1]:
        refuse(
            RuntimeError,
            f"{where.split(':')[0]}: tensor sparse size ({','.join(map(str, size[:2]))}) must be divisible by given "
            f"blocksize ({','.join(map(str, wanted))})",
            "blocks tile the matrix",
            rule="sparse.block",
            size=tuple(size[:2]),
            block=tuple(wanted),
        )
    return wanted[0], wanted[1]


def _assembled(t: Tensor, layout: layout, parts: tuple[np.ndarray, np.ndarray, np.ndarray]) -> Tensor:
    return compressed(layout, int64(parts[0]), int64(parts[1]), fresh(parts[2], t._dtype), t._array.shape)


def of_coordinates(t: Tensor, layout: layout, block: tuple[int, int] | None = None) -> Tensor:
    """A coalesced matrix in a compressed layout."""
    if is_coo(t) and t._array.sparse_dim != 2:
        refuse(
            RuntimeError,
            f"coo_to_{layout.name}: conversion from Sparse to {NAMES[layout]} for input tensors with sparse_dim()!=2 "
            "is not supported",
            "a batch of compressed matrices is no matrix",
            "x.to_dense()",
            rule="sparse.batch",
        )
    return _assembled(t, layout, compressed_parts(t, layout, block))


def compressed_parts(
    t: Tensor, layout: layout, block: tuple[int, int] | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The parts of a sparse matrix in a compressed layout."""
    parts = coalesce(t if is_coo(t) else coo_of(t))._array
    return lines_of(parts.indices._array, parts.values._array, parts.shape, layout, block)


def turned_parts(t: Tensor, layout: layout, block: tuple[int, int] | None) -> list[np.ndarray]:
    """The parts of a batch of compressed matrices, each of which is converted by itself."""
    parts = t._array
    batch = parts.outer._array.shape[:-1]
    pieces = []
    for index in np.ndindex(batch):
        outer, inner, values = (fresh(part._array[index].copy(), part._dtype) for part in parts.all())
        matrix = compressed(parts.layout, outer, inner, values, parts.shape[len(batch) :])
        pieces.append(compressed_parts(matrix, layout, block))
    return [np.stack(each).reshape(*batch, *each[0].shape) for each in zip(*pieces, strict=True)]


def lines_of(
    indices: np.ndarray, values: np.ndarray, shape: tuple[int, ...], layout: layout, block: tuple[int, int] | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where each line begins, the indices in the lines and the values, of sorted coordinates."""
    rows, columns = indices
    if block is not None:
        shape = (shape[0] // block[0], shape[1] // block[1])
        rows, columns, values = _blocks(rows, columns, values, shape, block)
    if layout in BY_ROWS:
        outer, inner, lines = rows, columns, shape[0]
    else:
        order = np.argsort(columns, kind="stable")
        outer, inner, values, lines = columns[order], rows[order], values[order], shape[1]
    begins = zeros((lines + 1,), dtypes.int64)._array
    np.cumsum(np.bincount(outer, minlength=lines), out=begins[1:])
    return begins, inner.copy(), values.copy()


def _blocks(
    rows: np.ndarray, columns: np.ndarray, values: np.ndarray, grid: tuple[int, ...], block: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The non-zero blocks: their rows, columns and values."""
    a, b = block
    keys = (rows // a) * grid[1] + columns // b
    places, which = np.unique(keys, return_inverse=True)
    result = zeros((len(places), a, b, *values.shape[1:]), dtypes.FROM_NUMPY[values.dtype])._array
    result[which, rows % a, columns % b] = values
    return *np.divmod(places, grid[1]), result


def _compressed_of_dense(t: Tensor, layout: layout, name: str, block: Any, dense_dim: int) -> Made:
    array = values_of(t)
    n = array.ndim
    if n < 2:
        refuse(
            RuntimeError,
            f"{name}: number of dimensions must be at least 2, but got {n}",
            "rows and columns need two dimensions",
            rule="sparse.dims",
        )
    if not 0 <= dense_dim <= n - 2:
        refuse(
            RuntimeError,
            f"{name}: dense_dim argument must be in [0,{n - 2}] range, but {dense_dim} is given",
            f"two of the {n} dimensions belong to the matrix",
            rule="sparse.dims",
        )
    batch = array.shape[: n - 2 - dense_dim]
    if 0 in batch:
        refuse(
            RuntimeError,
            f"to_sparse_{_SHORT[layout]}: Expected product of batch dimensions to be non-zero.",
            "there is no matrix in this batch",
            rule="sparse.batch",
        )
    return Made(lambda parts: _assembled(t, layout, parts), (batch_parts, array, len(batch), layout, block))


def batch_parts(array: np.ndarray, batch_dim: int, layout: layout, block: Any) -> list[np.ndarray]:
    """The parts of a dense matrix, or of a batch of them, in a compressed layout."""
    batch = array.shape[:batch_dim]
    pieces = []
    for index in np.ndindex(batch):
        matrix = np.ascontiguousarray(array[index])
        pieces.append(lines_of(*kept(matrix, 2)[:2], matrix.shape, layout, block))
    if len({len(inner) for _, inner, _ in pieces}) > 1:
        refuse(
            RuntimeError,
            "Expect the same number of specified elements per batch.",
            f"the matrices of this batch store {', '.join(str(len(inner)) for _, inner, _ in pieces)} elements",
            rule="sparse.batch",
        )
    return [np.stack(each).reshape(*batch, *each[0].shape) for each in zip(*pieces, strict=True)]


@computes(chosen)
def to_sparse(
    input: Tensor,
    sparse_dim: int | None = None,
    *,
    layout: layout | None = None,
    blocksize: tuple[int, ...] | None = None,
    dense_dim: int | None = None,
) -> Any:
    """Convert to another sparse layout, COO by default."""
    if layout is formats.strided:
        return OPS["to_dense"].function(input)
    if blocksize is not None and layout not in BLOCKED:
        own = NAMES[_layout(input)]
        refuse(
            RuntimeError,
            f"{_GENERIC.get(own, 'sparse_compressed_to_sparse')}: conversion from {own} to "
            f"{NAMES[layout or formats.sparse_coo]} with blocksize argument given is not supported",
            "this layout stores single elements, not blocks",
            rule="sparse.block",
        )
    if layout is not None and layout is not formats.sparse_coo:
        if layout in TURNED:
            return to_compressed.rule(input, layout, blocksize, dense_dim, _GENERIC.get(NAMES[_layout(input)], ""))
        refuse(
            RuntimeError,
            f"to_sparse: conversion from {NAMES[_layout(input)]} to {NAMES[layout]} is not supported",
            "to_sparse converts only to sparse layouts",
            "x.to_dense()",
            rule="sparse.layout",
        )
    if is_coo(input):
        if sparse_dim is not None and sparse_dim != input._array.sparse_dim:
            refuse(
                RuntimeError,
                "to_sparse: conversion from Sparse to Sparse with sparse_dim argument !=self.sparse_dim() is not "
                "supported",
                f"this tensor has {input._array.sparse_dim} sparse dimensions",
                f"x.to_dense().to_sparse({sparse_dim})",
                rule="sparse.dims",
            )
        return input
    if is_compressed(input):
        if sparse_dim is not None and sparse_dim != 2:
            refuse(
                RuntimeError,
                f"sparse_compressed_to_sparse: conversion from {NAMES[_layout(input)]} to Sparse with sparse_dim "
                "argument !=2 is not supported",
                "compressed tensors have 2 sparse dimensions",
                f"x.to_dense().to_sparse({sparse_dim})",
                rule="sparse.dims",
            )
        return coo_of.rule(input)
    return coo_of_dense.rule(input, sparse_dims_of(input, sparse_dim, layout, dense_dim))


to_sparse_coo = to_sparse


@computes(chosen)
def to_sparse_csr(input: Tensor, dense_dim: int | None = None) -> Any:
    return to_compressed.rule(input, formats.sparse_csr, None, dense_dim)


@computes(chosen)
def to_sparse_csc(input: Tensor, dense_dim: int | None = None) -> Any:
    return to_compressed.rule(input, formats.sparse_csc, None, dense_dim)


@computes(chosen)
def to_sparse_bsr(input: Tensor, blocksize: int | Sequence[int], dense_dim: int | None = None) -> Any:
    return to_compressed.rule(input, formats.sparse_bsr, blocksize, dense_dim)


@computes(chosen)
def to_sparse_bsc(input: Tensor, blocksize: int | Sequence[int], dense_dim: int | None = None) -> Any:
    return to_compressed.rule(input, formats.sparse_bsc, blocksize, dense_dim)
