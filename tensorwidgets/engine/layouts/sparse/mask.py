"""`sparse_mask`: the elements of a tensor at the coordinates of another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...declare.by_parts import Made, chosen, computes
from ...declare.pointwise import common_dtype
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...types.promotion import can_cast
from .accessors import no_backend
from .conversion import matrix_indices
from .parts.checks import ready
from .parts.coalescing import coalesce, linear
from .parts.merge import intersected
from .parts.same_indices import with_values
from .parts.tensors import Compressed, Coordinates, fresh, is_compressed, is_coo, is_sparse, layout_name

# -- kernels -----------------------------------------------------------------------------------------------------


def picked(array: np.ndarray, mask: Coordinates) -> np.ndarray:
    """The elements of an array at the coordinates of a mask."""
    values = array[tuple(mask.indices._array)]
    return np.array(np.broadcast_to(values, mask.values._array.shape), order="C")


def matched(input: Tensor, mask: Coordinates) -> np.ndarray:
    """The elements of a COO tensor at the coordinates of a mask; zero where it stores none."""
    own = coalesce(input)._array
    sparse = own.shape[: own.sparse_dim]
    place, result = intersected(linear(mask.indices._array, sparse), linear(own.indices._array, sparse))
    values = np.zeros((mask.nnz, *own.values._array.shape[1:]), own.values._array.dtype)
    values[result] = own.values._array[place[result]]
    return values


def picked_from_matrix(input: Tensor, mask: Compressed) -> np.ndarray:
    """The elements or blocks of a matrix at the indices of a compressed mask."""
    dense = OPS["to_dense"].function(input)._array if is_sparse(input) else input._array
    rows, columns = matrix_indices(mask)
    if mask.block:
        a, b = mask.block
        blocks = dense.reshape(dense.shape[0] // a, a, dense.shape[1] // b, b, *dense.shape[2:])
        return np.ascontiguousarray(blocks[rows, :, columns])
    return np.ascontiguousarray(dense[rows, columns])


# -- the rule ----------------------------------------------------------------------------------------------------


@computes(chosen)
def sparse_mask(input: Tensor, mask: Tensor) -> Any:
    """The elements at the indices of the mask, whose values do not matter."""
    if is_compressed(input) and not is_compressed(mask):
        refuse(
            RuntimeError,
            "sparse_mask_sparse_compressed expects mask to have sparse compressed layout, got " + layout_name(mask),
            "a compressed tensor needs a compressed mask",
            "x.to_sparse()",
            rule="sparse.layout",
        )
    if input._array.shape != mask._array.shape:
        refuse(
            RuntimeError,
            f"sparse_mask(): operands have incompatible sizes; self has size {list(input._array.shape)} but mask has "
            f"size {list(mask._array.shape)}",
            "mask and tensor need the same size",
            rule="sparse.size",
        )
    if not is_sparse(mask):
        if is_coo(input):
            no_backend(mask, "_nnz")
        no_backend(mask, "sparse_mask")
    parts = mask._array
    ready(parts)
    if is_compressed(mask):
        return _of_compressed(input, mask)
    if input is mask:
        return input
    if is_coo(input):
        return _of_coo(input, mask)
    return _with_values(input, mask, picked, input._array, parts)


def _with_values(input: Tensor, mask: Tensor, kernel: Callable[..., np.ndarray], *given: Any) -> Made:
    return Made(lambda values: with_values(mask, fresh(values, input._dtype)), (kernel, *given))


def _of_coo(input: Tensor, mask: Tensor) -> Made:
    common = common_dtype((input, mask))
    if input._array.nnz and mask._array.nnz and not can_cast(common, input._dtype):
        refuse(
            RuntimeError,
            f"Can't convert result type {common._type_name} to output {input._dtype._type_name}",
            f"the mask has dtype {mask._dtype}, although only its indices matter",
            f"mask.to({input._dtype})",
            rule="sparse.dtype",
        )
    own, parts = input._array, mask._array
    if own.sparse_dim != parts.sparse_dim:
        refuse(
            RuntimeError,
            "sparse_mask(): the number of sparse dimensions in `self` should match that of the `mask`. Got "
            f"`self.sparse_dim() == {own.sparse_dim}` != `mask.sparse_dim() == {parts.sparse_dim}`.",
            f"one has {own.sparse_dim}, the mask {parts.sparse_dim}",
            rule="sparse.dims",
        )
    return _with_values(input, mask, matched, input, parts)


def _of_compressed(input: Tensor, mask: Tensor) -> Made:
    parts = mask._array
    if parts.batch_dim:
        refuse(
            RuntimeError,
            f"sparse_mask: masks with layout {layout_name(mask)} of batches are not supported",
            "only single matrices are supported",
            rule="sparse.layout",
        )
    return _with_values(input, mask, picked_from_matrix, input, parts)
