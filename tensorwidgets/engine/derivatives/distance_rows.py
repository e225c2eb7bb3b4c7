"""The gradient of distances, an op of its own: PyTorch cannot differentiate it again."""

from __future__ import annotations

from math import inf
from typing import Any

from ..dispatch import stations
from ..dispatch.registry import Op
from ..tensor.tensor import Tensor
from .ops import torch


def cdist_backward(grad: Tensor, x1: Tensor, x2: Tensor, p: float, distance: Tensor) -> Tensor:
    """Computes the gradient of the first rows of `cdist`."""
    difference = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    return (_factor(difference, p, distance) * grad.unsqueeze(-1)).sum(-2)


def _factor(difference: Any, p: float, distance: Any) -> Any:
    """The derivative of a p-norm by the elements of its vector; zeros where the norm is zero."""
    if p == 0:
        return torch.zeros_like(difference)
    if p == 1:
        return difference.sign()
    distance = distance.unsqueeze(-1)
    if p == inf:
        return difference.sign() * (difference.abs() == distance)
    powers = difference if p == 2 else difference.sign() * difference.abs() ** (p - 1)
    return (powers / distance ** (p - 1)).masked_fill(distance == 0, 0)


_ROW = Op("_cdist_backward", "reduction", "other", cdist_backward.__doc__ or "", forms=frozenset())
cdist_backward = stations.bind(_ROW, cdist_backward)
