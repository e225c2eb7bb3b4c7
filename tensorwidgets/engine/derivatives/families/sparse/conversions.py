"""Sparse tensors made of values, converted between layouts, masked, and their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...declaring import differentiate, not_differentiable, parts
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor
    from ....types.dtypes import dtype
    from ....types.formats import layout

# -- rows whose results are indices or numbers -------------------------------------------------------------------

not_differentiable(
    "is_coalesced indices _indices _values _nnz sparse_dim dense_dim crow_indices col_indices ccol_indices row_indices "
    "indices_copy sparse_resize_ sparse_resize_and_clear_ resize_as_sparse_ _coalesced_"
)

# -- made of values ----------------------------------------------------------------------------------------------


def values_where(grad: Tensor, stored: Tensor) -> Any:
    """The values of a gradient at the stored elements of a tensor."""
    masked = grad.sparse_mask(stored)
    return (masked._values() if masked.is_sparse else masked.values()).detach()


def _another_dtype(call: dict) -> bool:
    return call.get("dtype") is not None and hasattr(call.get("values"), "dtype")


@parts("sparse_coo_tensor", when=_another_dtype)
def _coo_of_converted(values: Tensor, dtype: dtype, **given: Any) -> Any:
    """sparse_coo_tensor of values.to(dtype)"""
    return torch.sparse_coo_tensor(values=values.to(dtype), **given)


differentiate(
    "sparse_coo_tensor",
    node="SparseCooTensorWithDimsAndTensorsBackward0",
    values=lambda grad, result: values_where(grad, result),
)
differentiate(
    "sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor sparse_compressed_tensor",
    node="SparseCompressedTensorBackward0",
    values=lambda grad, result: values_where(grad, result),
)

# -- between layouts ---------------------------------------------------------------------------------------------


def in_layout(grad: Tensor, layout: layout, block: tuple[int, int] | None) -> Any:
    """A gradient in the layout of the tensor that was converted, with its blocks."""
    if layout is torch.strided:
        return grad.to_dense()
    return grad if grad.layout is layout else grad.to_sparse(layout=layout, blocksize=block)


differentiate(
    "to_sparse", node="ToSparseBackward0", when=lambda call: call.get("sparse_dim") is not None,
    input=lambda grad, input_layout, input_block: in_layout(grad, input_layout, input_block),
)  # fmt: skip
for _row, _node in (
    ("to_sparse to_sparse_coo", "ToSparseBackward1"),
    ("to_sparse_csr", "ToSparseCsrBackward0"),
    ("to_sparse_csc", "ToSparseCscBackward0"),
    ("to_sparse_bsr", "ToSparseBsrBackward0"),
    ("to_sparse_bsc", "ToSparseBscBackward0"),
):
    differentiate(
        _row, node=_node, input=lambda grad, input_layout, input_block: in_layout(grad, input_layout, input_block)
    )
differentiate("to_dense", input=lambda grad, input, masked_grad=None: _to_stored(grad, input, masked_grad))
differentiate("coalesce", input=lambda grad: grad)


def _to_stored(grad: Tensor, input: Tensor, masked: bool | None) -> Any:
    """The gradient of a dense form: at the stored elements, or whole if `masked_grad=False`."""
    if input.layout is torch.strided:
        return grad.to_dense()
    if masked is not False:
        return grad.sparse_mask(input.coalesce() if input.is_sparse else input)
    return grad.to_sparse(input.sparse_dim()) if input.is_sparse else grad.to_sparse(layout=input.layout)


# -- parts and masks ---------------------------------------------------------------------------------------------

differentiate("values values_copy", node="ValuesBackward0", input=lambda grad, input: _around(grad, input.detach()))


def _around(values: Tensor, input: Tensor) -> Any:
    """A sparse tensor with the indices of another one."""
    size = tuple(input.shape)
    if input.is_sparse:
        return torch.sparse_coo_tensor(input.indices(), values, size, is_coalesced=True)
    by_rows = input.layout in (torch.sparse_csr, torch.sparse_bsr)
    outer, inner = (
        (input.crow_indices(), input.col_indices()) if by_rows else (input.ccol_indices(), input.row_indices())
    )
    return torch.sparse_compressed_tensor(outer, inner, values, size, layout=input.layout)


differentiate("sparse_mask", input=lambda grad, mask, input_layout: _through_mask(grad, mask, input_layout))


def _through_mask(grad: Tensor, mask: Tensor, layout: layout) -> Any:
    """The gradient at the stored elements of a mask; refused if one of both has no coordinates."""
    mask.is_coalesced()
    grad.is_coalesced()
    masked = grad.sparse_mask(mask)
    return masked.to_dense() if layout is torch.strided else masked
