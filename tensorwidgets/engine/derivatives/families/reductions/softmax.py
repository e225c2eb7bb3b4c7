"""Softmax, its logarithm, and the logarithm of a sum of exponentials."""

from __future__ import annotations

from typing import Any

from ...declaring import differentiate, parts
from ...ops import torch
from ...reduced import opened


def _converts(call: dict) -> bool:
    """Whether a call converts its input first, which PyTorch records by itself."""
    return call.get("dtype") not in (None, call["input"].dtype)


@parts("softmax", when=_converts)
def softmax(input: Any, dim: int, dtype: Any) -> Any:
    """to, and softmax"""
    return torch.softmax(input.to(dtype), dim)


@parts("log_softmax", when=_converts)
def log_softmax(input: Any, dim: int, dtype: Any) -> Any:
    """to, and log_softmax"""
    return torch.log_softmax(input.to(dtype), dim)


def _weighted(grad: Any, result: Any, dim: int) -> Any:
    weighted = grad * result
    return weighted - result * weighted.sum(dim, keepdim=True)


differentiate("softmax", input=lambda grad, result, dim: _weighted(grad, result, dim))
differentiate("log_softmax", input=lambda grad, result, dim: grad - result.exp() * grad.sum(dim, keepdim=True))


def of_logsumexp(grad: Any, input: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    """The share that each element has of the sum."""
    ndim = input.dim()
    return opened(grad, dim, ndim, keepdim) * (input - opened(result, dim, ndim, keepdim)).exp().conj()


differentiate(
    "logsumexp",
    input=lambda grad, input, result, dim, keepdim=False: of_logsumexp(grad, input, result, dim, keepdim),
)
