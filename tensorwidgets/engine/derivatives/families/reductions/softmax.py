"""Softmax, its logarithm, and the logarithm of a sum of exponentials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....tensor.grad_mode import grad_enabled
from ...backward_rows import log_softmax_backward_data, of_log_softmax, of_softmax, softmax_backward_data
from ...declaring import differentiate, parts
from ...helpers import converts
from ...ops import torch
from ...reduced import opened

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor
    from ....types.dtypes import dtype


@parts("softmax", when=converts)
def softmax(input: Tensor, dim: int, dtype: dtype) -> Any:
    """to, and softmax"""
    return torch.softmax(input.to(dtype), dim)


@parts("log_softmax", when=converts)
def log_softmax(input: Tensor, dim: int, dtype: Any) -> Any:
    """to, and log_softmax"""
    return torch.log_softmax(input.to(dtype), dim)


def _weighted(grad: Tensor, result: Tensor, dim: int) -> Any:
    return softmax_backward_data(grad, result, dim) if grad_enabled() else of_softmax(grad, result, dim)


differentiate("softmax", input=lambda grad, result, dim: _weighted(grad, result, dim))
differentiate("log_softmax", input=lambda grad, result, dim: _less_the_sum(grad, result, dim))


def _less_the_sum(grad: Tensor, result: Tensor, dim: int) -> Any:
    if grad_enabled():
        return log_softmax_backward_data(grad, result, dim)
    return of_log_softmax(grad, result, dim)


def _softmax_of_both(grad: Tensor, grad_output: Tensor, output: Tensor, dim: int) -> Any:
    """The gradient of softmax's gradient by the result."""
    inner = (grad_output * output).sum(dim, keepdim=True)
    return grad_output * grad - grad * inner - grad_output * (grad * output).sum(dim, keepdim=True)


differentiate("_softmax_backward_data", node="SoftmaxBackwardDataBackward0",
              grad_output=lambda grad, output, dim: _weighted(grad, output, dim),
              output=lambda grad, grad_output, output, dim: _softmax_of_both(
                  grad, grad_output, output, dim))  # fmt: skip
differentiate("_log_softmax_backward_data", node="LogSoftmaxBackwardDataBackward0",
              grad_output=lambda grad, output, dim: grad - (grad * output.exp()).sum(dim, keepdim=True),
              output=lambda grad, grad_output, output, dim: (
                  -grad_output.sum(dim, keepdim=True) * output.exp() * grad))  # fmt: skip


def of_logsumexp(grad: Tensor, input: Tensor, result: Tensor, dim: int | Sequence[int], keepdim: bool) -> Any:
    """The share that each element has of the sum."""
    ndim = input.dim()
    return opened(grad, dim, ndim, keepdim) * (input - opened(result, dim, ndim, keepdim)).exp().conj()


differentiate(
    "logsumexp",
    input=lambda grad, input, result, dim, keepdim=False: of_logsumexp(grad, input, result, dim, keepdim),
)
