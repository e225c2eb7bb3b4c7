"""Triangles and diagonals of matrices, and matrices made from a diagonal."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy.casts import cast
from ...backends.numpy.without_warnings import quietly
from ...calling.arguments import as_number
from ...declare.by_signature import Writing, calls, overwrites, own_result, same_dtype, writes
from ...declare.rules import Answer, Result
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.lookups import checked_dim, size_and_stride, slice_key
from ...tensor.scalars import fill_number
from ...tensor.tensor import Tensor
from ...tensor.write_checks import check_writable
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import dtype
from ...types.promotion import can_cast


def _triangle(name: str, words: str, above: bool) -> None:
    def fill(target: np.ndarray, diagonal: int) -> None:
        rows, columns = target.shape[-2:]
        # Row by row, to allocate no second array of the matrix's size.
        for row in range(rows):
            if above:
                target[..., row, : min(max(row + diagonal, 0), columns)] = 0
            else:
                target[..., row, min(max(row + diagonal + 1, 0), columns) :] = 0

    @overwrites(name, words, fill, category="other", alike=True)
    def prepare(op_name: str, input: Tensor, diagonal: int = 0) -> Writing:
        if input._array.ndim < 2:
            refuse(
                RuntimeError,
                f"{name}: input tensor must have at least 2 dimensions",
                "a triangle is part of a matrix",
                "x.unsqueeze(0)",
                rule="triangle.ndim",
            )
        return Writing((diagonal,))


_triangle("tril", "Returns the lower triangle of each matrix, with zeros above a diagonal.", above=False)
_triangle("triu", "Returns the upper triangle of each matrix, with zeros below a diagonal.", above=True)


def fill_diag(target: np.ndarray, array: np.ndarray, diagonal: int) -> None:
    """Write the diagonal of a matrix; of vectors, matrices with these on a diagonal of the last two dimensions."""
    if target.ndim < array.ndim:
        target[...] = np.diagonal(array, diagonal)
        return
    target[...] = 0
    n = array.shape[-1] if array.ndim else 1
    at = np.arange(n, like=array)
    target[..., at + max(-diagonal, 0), at + max(diagonal, 0)] = array


@calls(
    "diag",
    "Returns the diagonal of a matrix, or a matrix with a vector on its diagonal. A copy.",
    category="other",
    kernel=fill_diag,
)
def diag(input: Tensor, diagonal: int = 0, out: Tensor | None = None) -> Answer:
    ndim = input._array.ndim
    if ndim not in (1, 2):
        refuse(
            RuntimeError,
            f"diag(): Supports 1D or 2D tensors. Got {ndim}D",
            "a vector becomes a matrix, and a matrix a vector",
            "torch.diagonal(x, 0, -2, -1)" if ndim else "torch.diagflat(x)",
            rule="diag.ndim",
        )
    if ndim == 1 and out is not None and not can_cast(input._dtype, out._dtype):
        refuse(
            RuntimeError,
            f"diag: result type {input._dtype._type_name} can't be cast to the desired out= type "
            f"{out._dtype._type_name}",
            f"the result is of {input._dtype}",
            f"out=torch.empty(0, dtype={input._dtype})",
            rule="out.dtype",
        )
    same_dtype(out, input._dtype)
    if ndim == 1:
        side = input._array.shape[0] + abs(diagonal)
        return Result((side, side), input._dtype), (input._array, diagonal)
    n, m = input._array.shape
    length = max(min(n, m - diagonal) if diagonal >= 0 else min(n + diagonal, m), 0)
    return Result((length,), input._dtype), (input._array, max(-n, min(diagonal, m)))  # which NumPy's ints hold


def fill_embedded(target: np.ndarray, array: np.ndarray, offset: int, plane: tuple[int, int]) -> None:
    fill_diag(np.moveaxis(target, plane, (-2, -1)), array, offset)


@calls(
    "diag_embed",
    "Returns matrices with the given vectors on a diagonal and zeros elsewhere.",
    category="other",
    kernel=fill_embedded,
)
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Answer:
    ndim = input._array.ndim + 1
    a, b = checked_dim(dim1, ndim), checked_dim(dim2, ndim)
    if a == b:
        refuse(
            RuntimeError,
            f"diagonal dimensions cannot be identical {dim1}, {dim2}",
            "a matrix has two dimensions",
            rule="diag.dims",
        )
    own = input._array.shape
    side = (own[-1] if own else 1) + abs(offset)
    size = list(own[:-1])
    for d in sorted((a, b)):
        size.insert(d, side)
    return Result(tuple(size), input._dtype), (input._array, offset, (a, b))


@calls(
    "diagflat",
    "Returns a matrix with all elements of the input on a diagonal.",
    category="other",
)
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    return OPS["diag"].function(OPS["reshape"].function(input, -1), offset)


def fill_trace(target: np.ndarray, array: np.ndarray, wide: dtype) -> None:
    diagonal = cast(np.diagonal(array), wide)
    if diagonal.dtype.kind == "f" and diagonal.size and type(diagonal) is np.ndarray:
        target[...] = quietly(np.add.accumulate, diagonal, 0, np.float64)[-1]  # one after the other, as PyTorch does
        return
    target[...] = diagonal.sum(dtype=wide._in_numpy)


@calls("trace", "Returns the sum of the diagonal of a matrix.", category="other", kernel=fill_trace)
def trace(input: Tensor) -> Answer:
    if input._dtype is dtypes.bool_:
        refuse_dtype("trace", input._dtype, "truth values have no sum")
    if input._array.ndim != 2:
        refuse(
            RuntimeError,
            f"trace: expected a matrix, but got tensor with dim {input._array.ndim}",
            "the diagonal of one matrix is summed",
            "torch.diagonal(x, 0, -2, -1).sum(-1)",
            rule="trace.ndim",
        )
    own = input._dtype
    keep = dtypes.int64 if own._kind <= dtypes.INTEGER else own
    return Result((), keep), (input._array, dtypes.float32 if own in dtypes.HALVES else keep)


def write_diagonal(target: np.ndarray, number: np.ndarray, wrap: bool) -> None:
    """Write a number to the main diagonal; of a tall matrix, again after one empty row if it shall `wrap`."""
    size = target.shape
    if not target.size:
        return
    first = np.arange(min(size), like=target)
    target[(first,) * len(size)] = number
    if wrap and len(size) == 2 and size[0] > size[1] + 1:
        rows = np.arange(size[1] + 1, size[0], like=target)
        rows = rows[rows % (size[1] + 1) < size[1]]
        target[rows, rows % (size[1] + 1)] = number


@writes("fill_diagonal_", "Fills the main diagonal with one number.", write_diagonal, category="other")
def fill_diagonal_(input: Tensor, fill_value: complex, wrap: bool = False) -> Answer:
    size = input._array.shape
    if len(size) < 2:
        refuse(
            RuntimeError,
            "dimensions must larger than 1",
            "a diagonal runs through two dimensions or more",
            rule="diag.ndim",
        )
    if len(size) > 2 and len(set(size)) > 1:
        refuse(
            RuntimeError,
            "all dimensions of input must be of equal length",
            f"size {list(size)} is not a cube",
            rule="diag.cube",
        )
    number = fill_number(as_number(fill_value), input._dtype)
    check_writable(input, alike=True)
    return own_result(input), (number, wrap)


# -- copies of which a view is overwritten -----------------------------------------------------------------------


def _overwritten(input: Tensor, view_name: str, src: Tensor, *how: Any) -> Tensor:
    """Copy the input with its strides, and write another tensor to the view that an op makes of the copy."""
    copy = _same_strides(input)
    part = OPS[view_name].function(copy, *how)
    if part._array.shape != src._array.shape:
        refuse(
            RuntimeError,
            "expected src to have a size equal to the slice of self. src size = "
            f"{list(src._array.shape)}, slice size = {list(part._array.shape)}",
            "the source must have the size of the slice that it replaces",
            rule="scatter.slice",
            src=src._array.shape,
            part=part._array.shape,
        )
    OPS["copy_"].function(part, src)
    copy._writes = 0  # the copy is new
    return copy


def _same_strides(input: Tensor) -> Tensor:
    """Copy a tensor with its strides and offset, gaps included, if no two elements overlap."""
    size, stride = size_and_stride(input)
    if geometry.overlap(size, stride) == "yes":
        return OPS["clone"].function(input)
    offset = input.storage_offset()
    whole = OPS["empty"].function(offset + geometry.extent(size, stride), dtype=input._dtype, device=input.device)
    return OPS["copy_"].function(OPS["as_strided_"].function(whole, size, stride, offset), input)


@calls(
    "select_scatter",
    "Returns a copy with one slice replaced by another tensor.",
)
def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    return _overwritten(input, "select", src, dim, index)


@calls(
    "slice_scatter",
    "Returns a copy with a range of slices replaced by another tensor.",
)
def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    return _overwritten(input, "getitem", src, slice_key(input, dim, start, end, step))


@calls(
    "diagonal_scatter",
    "Returns a copy with a diagonal replaced by another tensor.",
)
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    return _overwritten(input, "diagonal", src, offset, dim1, dim2)


@calls(
    "as_strided_scatter",
    "Returns a copy with the elements at a given size and stride replaced by another tensor.",
)
def as_strided_scatter(
    input: Tensor, src: Tensor, size: tuple[int, ...], stride: tuple[int, ...], storage_offset: int | None = None
) -> Tensor:
    return _overwritten(input, "as_strided", src, size, stride, storage_offset)
