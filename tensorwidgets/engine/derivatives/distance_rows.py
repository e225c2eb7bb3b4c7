"""Ops that PyTorch makes `cdist` of: distances by a product, and the gradient, which it cannot differentiate again."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from ..dispatch import stations
from ..dispatch.registry import Op
from ..tensor.tensor import Tensor
from .ops import torch


def _row(name: str) -> Callable[[Callable], Callable]:
    def declare(plain: Callable) -> Callable:
        return stations.bind(Op(name, "reduction", "other", plain.__doc__ or "", forms=frozenset()), plain)

    return declare


@_row("_euclidean_dist")
def euclidean_dist(x1: Tensor, x2: Tensor) -> Tensor:
    """Computes the Euclidean distances between all pairs of rows by a product of matrices."""
    result: Tensor = torch.cdist(x1, x2, compute_mode="use_mm_for_euclid_dist")
    return result


@_row("_cdist_backward")
def cdist_backward(grad: Tensor, x1: Tensor, x2: Tensor, p: float, distance: Tensor) -> Tensor:
    """Computes the gradient of the first rows of `cdist`."""
    difference = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    return (_factor(difference, p, distance) * grad.unsqueeze(-1)).sum(-2)


def _factor(difference: Tensor, p: float, distance: Tensor) -> Any:
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
