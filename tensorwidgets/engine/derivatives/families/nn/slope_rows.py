"""The gradients of prelu, glu, rrelu and embeddings as rows, so that a second order has PyTorch's nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ...backward_rows import once_rounded, slope_row
from ...declaring import differentiate, refuse_derivative
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


@slope_row("_prelu_kernel_backward", "The gradients of prelu.")
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


# -- glu and rrelu -----------------------------------------------------------------------------------------------


@slope_row("glu_backward", "The gradient of glu.")
def glu_backward(grad_output: Tensor, input: Tensor, dim: int) -> Any:
    """The gradient of both halves."""
    a, b = input.chunk(2, dim)
    gate = b.sigmoid()
    return _of_gate(grad_output, a, gate, dim)


@once_rounded
def _of_gate(grad_output: Tensor, a: Tensor, gate: Tensor, dim: int) -> Any:
    return torch.cat([gate * grad_output, grad_output * ((1 - gate) * gate * a)], dim).contiguous()


def _glu_by_grad(grad: Tensor, input: Tensor, dim: int) -> Any:
    of_a, of_b = grad.chunk(2, dim)
    a, b = input.chunk(2, dim)
    gate = b.sigmoid()
    return of_a * gate + of_b * a * gate * (1 - gate)


def _glu_by_input(grad: Tensor, grad_output: Tensor, input: Tensor, dim: int) -> Any:
    of_a, of_b = grad.chunk(2, dim)
    a, b = input.chunk(2, dim)
    gate = b.sigmoid()
    steep = grad_output * gate * (1 - gate)
    return torch.cat([of_b * steep, of_a * steep + of_b * a * steep * (1 - gate * 2)], dim)


differentiate(
    "glu_backward",
    node="GluBackwardBackward0",
    grad_output=lambda grad, input, dim: _glu_by_grad(grad, input, dim),
    input=lambda grad, grad_output, input, dim: _glu_by_input(grad, grad_output, input, dim),
)


@slope_row("rrelu_with_noise_backward", "The gradient of rrelu.")
def rrelu_with_noise_backward(
    grad_output: Tensor, input: Tensor, noise: Any, lower: float, upper: float, training: bool, is_result: bool
) -> Any:
    """The gradient times the slope of each element."""
    if training and upper - lower > 1e-6:
        return noise * grad_output
    return torch._nn.leaky_relu_backward(grad_output, input, (lower + upper) / 2, is_result)


differentiate(
    "rrelu_with_noise_backward",
    node="RreluWithNoiseBackwardBackward0",
    grad_output=lambda grad, input, noise, lower, upper, training, is_result: rrelu_with_noise_backward(
        grad, input, noise, lower, upper, training, is_result
    ),
    input=lambda grad: torch.zeros_like(grad),
)

# -- embeddings --------------------------------------------------------------------------------------------------


def embedding_rows(grad: Tensor, indices: Tensor, padding_idx: int) -> Any:
    """What is looked up in the gradient of a gradient; the row `padding_idx` has none."""
    rows = grad.index_select(0, indices.reshape(-1))
    if padding_idx >= 0:
        rows.masked_fill_((indices == padding_idx).reshape(-1, 1), 0)
    return rows.view((*indices.shape, -1))


differentiate(
    "embedding_dense_backward", node="EmbeddingDenseBackwardBackward0",
    grad=lambda grad, indices, padding_idx: embedding_rows(grad, indices, padding_idx))  # fmt: skip


def _refuse_bags() -> NoReturn:
    refuse_derivative("the derivative for '_embedding_bag_backward' is not implemented.")


differentiate(
    "_embedding_bag_backward", node="EmbeddingBagBackwardBackward0",
    grad=lambda grad: _refuse_bags(), per_sample_weights=lambda grad: _refuse_bags())  # fmt: skip
