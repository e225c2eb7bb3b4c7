"""Gradients that are rows of their own, so that a second order has PyTorch's nodes."""

from __future__ import annotations

from typing import Any

from ..dispatch import stations
from ..dispatch.registry import Op
from .ops import torch


def _threshold_backward(grad_output: Any, input: Any) -> Any:
    return torch.where(input <= 0, 0, grad_output)


threshold_backward = stations.bind(
    Op("threshold_backward", "pointwise", "pointwise", "The gradient of relu, zero where its result is.",
       forms=frozenset()),
    _threshold_backward,
)  # fmt: skip

__all__ = ["threshold_backward"]
