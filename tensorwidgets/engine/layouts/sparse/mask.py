"""`sparse_mask`: the elements of a tensor at the coordinates of another."""

from __future__ import annotations

import numpy as np

from ...declare.pointwise import common_dtype
from ...dispatch.kinds import TensorKind
from ...dispatch.registry import find
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor, wrap
from ...types.promotion import can_cast
from .accessors import no_backend
from .conversion import matrix_indices
from .parts.checks import ready
from .parts.coalescing import coalesce, linear
from .parts.merge import intersected
from .parts.same_indices import with_values
from .parts.tensors import is_compressed, is_coo, is_sparse, layout_name


def sparse_mask(input: Tensor, mask: Tensor) -> Tensor:
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
        no_kernel(find("sparse_mask"), TensorKind("dense", 0, "CPU", "every element is kept", None))
    parts = mask._array
    ready(parts)
    if is_compressed(mask):
        return _masked_compressed(input, mask)
    if input is mask:
        return input
    if is_coo(input):
        return _masked_coo(input, mask)
    values = input._array[tuple(parts.indices._array)]
    values = np.array(np.broadcast_to(values, parts.values._array.shape), order="C")
    return with_values(mask, wrap(values, input._dtype))


def _masked_coo(input: Tensor, mask: Tensor) -> Tensor:
    common = common_dtype((input, mask))
    if input._array.nnz and mask._array.nnz and not can_cast(common, input._dtype):
        refuse(
            RuntimeError,
            f"Can't convert result type {common._type_name} to output {input._dtype._type_name}",
            f"the mask has dtype {mask._dtype}, although only its indices matter",
            f"mask.to({input._dtype})",
            rule="sparse.dtype",
        )
    own, parts = coalesce(input)._array, mask._array
    if own.sparse_dim != parts.sparse_dim:
        refuse(
            RuntimeError,
            "sparse_mask(): the number of sparse dimensions in `self` should match that of the `mask`. Got "
            f"`self.sparse_dim() == {own.sparse_dim}` != `mask.sparse_dim() == {parts.sparse_dim}`.",
            f"one has {own.sparse_dim}, the mask {parts.sparse_dim}",
            rule="sparse.dims",
        )
    sparse = own.shape[: own.sparse_dim]
    place, result = intersected(linear(parts.indices._array, sparse), linear(own.indices._array, sparse))
    values = np.zeros((parts.nnz, *own.values._array.shape[1:]), own.values._array.dtype)
    values[result] = own.values._array[place[result]]
    return with_values(mask, wrap(values, input._dtype))


def _masked_compressed(input: Tensor, mask: Tensor) -> Tensor:
    parts = mask._array
    dense = input.to_dense()._array if is_sparse(input) else input._array
    if parts.batch_dim:
        refuse(
            RuntimeError,
            f"sparse_mask: masks with layout {layout_name(mask)} of batches are not supported",
            "only single matrices are supported",
            rule="sparse.layout",
        )
    rows, columns = matrix_indices(parts)
    if parts.block:
        a, b = parts.block
        blocks = dense.reshape(dense.shape[0] // a, a, dense.shape[1] // b, b, *dense.shape[2:])
        kept = blocks[rows, :, columns]
    else:
        kept = dense[rows, columns]
    return with_values(mask, wrap(np.ascontiguousarray(kept), input._dtype))
