"""Distances between all pairs of rows."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from ...declaring import differentiate, not_implemented, parts
from ...distance_rows import cdist_backward, euclidean_dist
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

IF_MANY, ALWAYS = "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist"
MANY = 25
"""With more points than this, PyTorch computes Euclidean distances by a product of matrices."""


def _by_product(call: dict) -> bool:
    x1, x2, mode = call["x1"], call["x2"], call.get("compute_mode", IF_MANY)
    if min(x1.dim(), x2.dim()) < 2:
        return False
    many = x1.shape[-2] > MANY or x2.shape[-2] > MANY
    asked = mode in (ALWAYS, 1) or many and mode in (IF_MANY, None, 0)
    return bool(asked and call.get("p", 2) == 2 and x1.numel() and x2.numel())


@parts("cdist", when=_by_product)
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: Any = None) -> Any:
    """expand, view and a product of matrices"""
    batch = tuple(torch.broadcast_shapes(x1.shape[:-2], x2.shape[:-2]))
    size = (*batch, x1.shape[-2], x2.shape[-2])
    count = prod(batch)
    if count != 1:
        x1, x2 = (x.expand(*batch, *x.shape[-2:]).contiguous().view(count, *x.shape[-2:]) for x in (x1, x2))
    return euclidean_dist(x1, x2).view(size)


def of_product(grad: Tensor, x1: Tensor, x2: Tensor, result: Tensor) -> tuple[Any, Any]:
    """The gradients of distances by a product of matrices; zeros where a distance is zero."""
    ratio = (grad / result).masked_fill(result == 0, 0)
    return (
        x1 * ratio.sum(-1, keepdim=True) - ratio.matmul(x2),
        x2 * ratio.sum(-2).unsqueeze(-1) - ratio.mT.matmul(x1),
    )


differentiate("_euclidean_dist", node="EuclideanDistBackward0", together=("x1 x2", of_product))
differentiate(
    "cdist",
    x1=lambda grad, x1, x2, result, p=2.0: cdist_backward(grad, x1, x2, p, result),
    x2=lambda grad, x1, x2, result, p=2.0: cdist_backward(grad.mT.contiguous(), x2, x1, p, result.mT.contiguous()),
)
differentiate(
    "_cdist_backward",
    node="CdistBackwardBackward0",
    grad=lambda: not_implemented("_cdist_backward"),
    x1=lambda: not_implemented("_cdist_backward"),
    x2=lambda: not_implemented("_cdist_backward"),
    distance=lambda: not_implemented("_cdist_backward"),
)
