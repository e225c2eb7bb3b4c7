"""Sparse and quantized tensors, and rows that make tensors from numbers or answer questions."""

from __future__ import annotations

from typing import Any

from ...errors.reasons import refuse
from ..declaring import differentiate, not_differentiable, refused
from ..ops import torch

# -- rows whose results come from no tensor that has a gradient --------------------------------------------------

not_differentiable(
    "zeros ones empty full empty_strided empty_permuted eye arange range linspace logspace tril_indices triu_indices "
    "from_numpy frombuffer from_dlpack scalar_tensor unravel_index rand randn randint randperm cuda"
)
not_differentiable(
    "is_coalesced indices _indices _values _nnz sparse_dim dense_dim crow_indices col_indices ccol_indices row_indices "
    "indices_copy sparse_resize_ resize_as_sparse_ _coalesced_ sparse.spdiags"
)
not_differentiable(
    "quantize_per_tensor quantize_per_channel quantize_per_tensor_dynamic _make_per_tensor_quantized_tensor "
    "_make_per_channel_quantized_tensor _empty_affine_quantized _empty_per_channel_affine_quantized "
    "quantization_report int_repr qscheme q_scale q_zero_point q_per_channel_scales q_per_channel_zero_points "
    "q_per_channel_axis dequantize"
)
refused("lobpcg")

# -- between layouts ---------------------------------------------------------------------------------------------


def dense(grad: Any) -> Any:
    """A gradient with every element stored."""
    return grad.to_dense() if grad.layout is not torch.strided else grad


for _row, _node in (
    ("to_sparse to_sparse_coo", "ToSparseBackward1"),
    ("to_sparse_csr", "ToSparseCsrBackward0"),
    ("to_sparse_csc", "ToSparseCscBackward0"),
    ("to_sparse_bsr", "ToSparseBsrBackward0"),
    ("to_sparse_bsc", "ToSparseBscBackward0"),
):
    differentiate(_row, node=_node, input=dense)
differentiate("to_dense", input=lambda grad, input: _where_stored(grad, input))
differentiate("coalesce", node="ToSparseBackward1", input=lambda grad: grad)
differentiate("values values_copy", node="ValuesBackward0", input=lambda grad, input: _into_places(grad, input))


def _where_stored(grad: Any, input: Any) -> Any:
    """A gradient at the stored places of a sparse tensor, and zeros elsewhere."""
    if not input.is_sparse:
        return grad
    places = input.detach()._indices()
    ones = torch.ones(tuple(input.detach()._values().shape), dtype=torch.bool)
    stored = torch.zeros(tuple(input.shape), dtype=torch.bool)
    stored[tuple(places)] = ones
    return torch.where(stored, grad, 0)


def _into_places(grad: Any, input: Any) -> Any:
    """A gradient of the stored values as a tensor of the whole size."""
    if not input.is_sparse:
        refuse(
            NotImplementedError,
            "torch.sparse_csr_tensor: gradients of its values are for later",
            "this package has no code yet that gathers a gradient at compressed rows",
            "torch.sparse_coo_tensor(indices, values, size)",
            rule="name.later",
        )
    places = input.detach()._indices()
    return torch.sparse_coo_tensor(places, grad, tuple(input.shape)).to_dense()


differentiate(
    "sparse_mask",
    input=lambda grad, mask: dense(grad) * (dense(mask.detach()) != 0),
)
refused(
    "smm hspmm sspaddmm sparse.mm sparse.addmm sparse_coo_tensor sparse.sampled_addmm sparse.sum sparse.softmax "
    "sparse.log_softmax sparse_csr_tensor "
    "sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor sparse_compressed_tensor"
)


def _inside(grad: Any, input: Any, scale: float, zero_point: int, quant_min: int, quant_max: int) -> Any:
    """The gradient where the number was not cut off at the ends of the range."""
    steps = torch.round(input / scale) + zero_point
    return torch.where((steps >= quant_min) & (steps <= quant_max), grad, 0)


differentiate(
    "fake_quantize_per_tensor_affine", node="FakeQuantizePerTensorAffineCachemaskBackward0",
    input=lambda grad, input, scale, zero_point, quant_min, quant_max: _inside(
        grad, input, scale, zero_point, quant_min, quant_max),
)  # fmt: skip
refused("fake_quantize_per_channel_affine")

# -- names -------------------------------------------------------------------------------------------------------

differentiate("refine_names rename", node="AliasBackward0", input=lambda grad: grad)
