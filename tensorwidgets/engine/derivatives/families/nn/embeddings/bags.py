"""Derivatives of bags of embeddings and of bilinear maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....ops.nn.embeddings.bags import MAX, MEAN, SUM
from ....backward_rows import slope_row
from ....beside import zeros_beside
from ....declaring import differentiate, real_alone
from ....ops import torch
from .tables import of_table

if TYPE_CHECKING:
    from .....tensor.tensor import Tensor


def _of_bags(
    grad: Tensor, indices: Tensor, weight_shape: tuple[int, ...], result1: Tensor, result2: Tensor, result3: Tensor,
    per_sample_weights: Tensor | None = None, scale_grad_by_freq: bool = False, mode: int = SUM, sparse: bool = False,
    padding_idx: int = -1,
) -> Any:  # fmt: skip
    """The gradient of the table: each row of a bag gets that of the bag; of the largest, the row that it is from."""
    if mode == MAX:
        taken = result2.clamp(max=1).to(grad.dtype).unsqueeze(1)
        return zeros_beside(grad, tuple(weight_shape)).scatter_add(0, result3, grad * taken)
    if mode == MEAN:
        grad = grad * result2.clamp(min=1).to(grad.dtype).reciprocal().unsqueeze(1)
    rows = grad.index_select(0, result1)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    return of_table(rows, indices, weight_shape, padding_idx, scale_grad_by_freq, sparse)


def _recorded_of_bags(
    grad: Tensor, indices: Tensor, weight_shape: tuple[int, ...], result1: Tensor, result2: Tensor, result3: Tensor,
    per_sample_weights: Tensor | None = None, scale_grad_by_freq: bool = False, mode: int = SUM, sparse: bool = False,
    padding_idx: int = -1,
) -> Any:  # fmt: skip
    """The gradient of the table, as a row if it is recorded."""
    run = embedding_bag_backward if torch.is_grad_enabled() else _of_bags
    return run(
        grad, indices, weight_shape, result1, result2, result3, per_sample_weights, scale_grad_by_freq, mode, sparse,
        padding_idx,
    )  # fmt: skip


def _of_weights(grad: Tensor, weight: Tensor, indices: Tensor, result1: Tensor, padding_idx: int = -1) -> Any:
    """The gradient of the weights of a sum: the product of what was looked up with the gradient of its bag."""
    found = (grad.index_select(0, result1) * weight.index_select(0, indices)).sum(1)
    return torch.where(indices == padding_idx, 0, found) if padding_idx >= 0 else found


embedding_bag_backward = slope_row("_embedding_bag_backward", "The gradient of the table of bags of embeddings.")(
    _of_bags
)

differentiate(
    "_embedding_bag",
    node="EmbeddingBagBackward0",
    results=(0,),
    weight=_recorded_of_bags,
    per_sample_weights=_of_weights,
)

real_alone("_trilinear")
differentiate(
    "_trilinear",
    i1=lambda grad, i2, i3: product(grad, i2, i3, ("nk", "kij", "nj", "ni")),
    i2=lambda grad, i1, i3: product(i1, grad, i3, ("ni", "nk", "nj", "kij")),
    i3=lambda grad, i1, i2: product(i1, i2, grad, ("ni", "kij", "nk", "nj")),
)


@slope_row("_trilinear_sum", "The sum of the products of three tensors, by the names of their dimensions.")
def product(i1: Tensor, i2: Tensor, i3: Tensor, names: tuple[str, str, str, str]) -> Any:
    """The names are those of the three tensors and of the result."""
    sums = torch.einsum(f"{names[0]},{names[1]},{names[2]}->{names[3]}", i1, i2, i3)
    return sums + 0  # a sum begins with 0, which has no sign


differentiate(
    "_trilinear_sum",
    node="TrilinearBackward0",
    i1=lambda grad, i2, i3, names: product(grad, i2, i3, (names[3], names[1], names[2], names[0])),
    i2=lambda grad, i1, i3, names: product(i1, grad, i3, (names[0], names[3], names[2], names[1])),
    i3=lambda grad, i1, i2, names: product(i1, i2, grad, (names[0], names[1], names[3], names[2])),
)
