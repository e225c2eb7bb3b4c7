"""Derivatives of embeddings: gradients are added up row by row, or kept as sparse rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....backward_rows import slope_row
from ....beside import zeros_beside
from ....declaring import differentiate
from ....helpers import refuse_gradient
from ....ops import torch

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor


def of_table(
    grad: Tensor,
    indices: Tensor,
    weight_shape: tuple[int, ...],
    padding_idx: int,
    scale_grad_by_freq: bool,
    sparse: bool,
) -> Any:
    """The gradient of the table; the row `padding_idx` gets none."""
    if sparse and scale_grad_by_freq:
        refuse_gradient(
            "embedding_backward: scale_grad_by_freq not supported with sparse gradients",
            "each row of a sparse gradient is stored as it came, and its number counted nowhere",
            "sparse=False",
        )
    if sparse and not grad.numel():
        indices = indices.new_zeros(0)  # PyTorch keeps no rows without elements
    numbers = indices.reshape(-1).long()
    rows = grad.reshape(numbers.numel(), grad.shape[-1])
    if padding_idx >= 0 and bool((numbers == padding_idx).any()):
        others = (numbers != padding_idx).nonzero().squeeze(1)
        numbers, rows = numbers.index_select(0, others), rows.index_select(0, others)
    if scale_grad_by_freq:
        counts = torch.bincount(numbers, minlength=weight_shape[0]).index_select(0, numbers)
        rows = rows / counts.unsqueeze(1).to(rows.dtype)
    if sparse:
        return torch.sparse_coo_tensor(numbers.unsqueeze(0), rows, tuple(weight_shape), check_invariants=False)
    whole = zeros_beside(grad, tuple(weight_shape))
    return whole.index_add(0, numbers, rows) if torch.is_grad_enabled() else whole.index_add_(0, numbers, rows)


embedding_dense_backward = slope_row("embedding_dense_backward", "The gradient of the table of an embedding.")(of_table)

differentiate(
    "embedding", weight=lambda grad, indices, weight_shape, padding_idx=-1, scale_grad_by_freq=False, sparse=False:
    (embedding_dense_backward if torch.is_grad_enabled() and not sparse else of_table)(
        grad, indices, weight_shape, padding_idx, scale_grad_by_freq, sparse))  # fmt: skip
