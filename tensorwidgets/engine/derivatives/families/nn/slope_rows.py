"""The gradients of prelu and of embeddings as rows of their own, so that a second order has PyTorch's nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...declaring import differentiate, refuse_derivative
from ...ops import torch
from .declaring import gradient_row

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


@gradient_row("_prelu_kernel_backward", "The gradients of prelu.")
def prelu_kernel_backward(grad_output: Tensor, input: Tensor, weight: Tensor) -> tuple:
    """The gradients of input and weight."""
    return (
        torch.where(input > 0, grad_output, grad_output * weight),
        torch.where(input > 0, 0, grad_output * input),
    )


def _second_of_prelu(grads: tuple, grad_output: Tensor, input: Tensor, weight: Tensor) -> tuple:
    of_input, of_weight = (*grads, None)[:2]
    whole, below, to_input, to_weight = None, None, None, None
    if of_weight is not None:
        below = of_weight * input
        to_input = torch.where(input >= 0, 0, of_weight * grad_output)
    if of_input is not None:
        whole = of_input
        below = of_input * weight if below is None else of_input * weight + below
        to_weight = torch.where(input >= 0, 0, of_input * grad_output)
    return torch.where(input >= 0, 0 if whole is None else whole, below), to_input, to_weight


differentiate(
    "_prelu_kernel_backward", node="PreluKernelBackwardBackward0",
    together=("grad_output input weight", _second_of_prelu))  # fmt: skip


def embedding_rows(grad: Tensor, indices: Tensor, padding_idx: int) -> Any:
    """What is looked up in the gradient of a gradient; the row `padding_idx` has none."""
    rows = grad.index_select(0, indices.reshape(-1))
    if padding_idx >= 0:
        rows.masked_fill_((indices == padding_idx).reshape(-1, 1), 0)
    return rows.view((*indices.shape, -1))


differentiate(
    "embedding_dense_backward", node="EmbeddingDenseBackwardBackward0",
    grad=lambda grad, indices, padding_idx: embedding_rows(grad, indices, padding_idx))  # fmt: skip


def _refuse_bags(grad: Tensor) -> Any:
    refuse_derivative("the derivative for '_embedding_bag_backward' is not implemented.")


differentiate(
    "_embedding_bag_backward", node="EmbeddingBagBackwardBackward0",
    grad=lambda grad: _refuse_bags(grad), per_sample_weights=lambda grad: _refuse_bags(grad))  # fmt: skip
