"""Ops of linear algebra that PyTorch records under names of their own and that have no public row."""

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
        op = Op(name, "reduction", "other", plain.__doc__ or "", forms=frozenset())
        return stations.bind(op, plain)

    return declare


@_row("_euclidean_dist")
def euclidean_dist(x1: Tensor, x2: Tensor) -> Tensor:
    """Computes the Euclidean distances between all pairs of rows."""
    result: Tensor = torch.cdist(x1, x2, compute_mode="use_mm_for_euclid_dist")
    return result


@_row("_cdist_backward")
def cdist_backward(grad: Tensor, x1: Tensor, x2: Tensor, p: float, distance: Tensor) -> Tensor:
    """Computes the gradient of the first rows of `cdist`."""
    difference = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    return (difference_factor(difference, grad, p, distance) * grad.unsqueeze(-1)).sum(-2)


@_row("_pdist_backward")
def pdist_backward(grad: Tensor, input: Tensor, p: float, distance: Tensor) -> Tensor:
    """Computes the gradient of `pdist`, each row against those after it."""
    n = input.shape[0]
    first, second = torch.triu_indices(n, n, 1)
    part = difference_factor(input[first] - input[second], grad, p, distance) * grad.unsqueeze(-1)
    return torch.zeros_like(input).index_add(0, first, part).index_add(0, second, -part)


def difference_factor(difference: Any, grad: Any, p: float, distance: Any) -> Any:
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
