"""Distances: dist, cdist, and renorm, which cuts a length to a limit."""

from __future__ import annotations

from math import prod
from typing import Any

from ..declaring import differentiate, parts
from ..ops import torch
from ..private_rows import euclidean_dist
from .norms import of_norm


def of_distance(grad: Any, input: Any, other: Any, result: Any, p: Any) -> tuple[Any, Any]:
    """The gradients of the norm of a difference."""
    own = of_norm(grad, input - other, result, p, None, False)
    return own, None if own is None else -own


differentiate("dist", together=(
    "input other", lambda grad, input, other, result, p=2: of_distance(grad, input, other, result, p)))  # fmt: skip


# -- all pairs ---------------------------------------------------------------------------------------------------

IF_MANY, ALWAYS = "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist"
MANY = 25
"""With more points than this, PyTorch computes Euclidean distances by a product of matrices."""


def _by_product(call: dict) -> bool:
    x1, x2, mode = call["x1"], call["x2"], call.get("compute_mode", IF_MANY)
    many = x1.shape[-2] > MANY or x2.shape[-2] > MANY
    asked = mode in (ALWAYS, 1) or many and mode in (IF_MANY, None, 0)
    return bool(asked and call.get("p", 2) == 2 and x1.numel() and x2.numel())


@parts("cdist", when=_by_product)
def cdist(x1: Any, x2: Any, p: float = 2.0, compute_mode: Any = None) -> Any:
    """expand, view and a product of matrices"""
    batch = tuple(torch.broadcast_shapes(x1.shape[:-2], x2.shape[:-2]))
    size = (*batch, x1.shape[-2], x2.shape[-2])
    if prod(batch) != 1:
        x1, x2 = (
            t.expand(*batch, *t.shape[-2:]).contiguous().view(prod(batch), *t.shape[-2:]) for t in (x1, x2)
        )  # fmt: skip
    return euclidean_dist(x1, x2).view(size)


def of_pairs(grad: Any, x1: Any, x2: Any, result: Any, p: Any) -> tuple[Any, Any]:
    """The gradients of the distances between all pairs of rows."""
    own = of_norm(grad, x1.unsqueeze(-2) - x2.unsqueeze(-3), result, p, -1, False)
    if own is None:
        return torch.zeros_like(x1), torch.zeros_like(x2)
    return own.sum(-2), -own.sum(-3)


def of_product(grad: Any, x1: Any, x2: Any, result: Any) -> tuple[Any, Any]:
    """The same for distances by a product of matrices."""
    ratio = (grad / result).masked_fill(result == 0, 0)
    return (
        x1 * ratio.sum(-1, keepdim=True) - ratio.matmul(x2),
        x2 * ratio.sum(-2).unsqueeze(-1) - ratio.mT.matmul(x1),
    )


differentiate("cdist", together=(
    "x1 x2", lambda grad, x1, x2, result, p=2.0: of_pairs(grad, x1, x2, result, p)))  # fmt: skip
differentiate("_euclidean_dist", node="EuclideanDistBackward0", together=("x1 x2", of_product))


# -- lengths that are cut ----------------------------------------------------------------------------------------


def of_renorm(grad: Any, x: Any, p: Any, dim: int, maxnorm: Any) -> Any:
    """The gradient of slices that were scaled down where their norm was too large."""
    others = tuple(d for d in range(x.dim()) if d != dim % x.dim())
    norm = torch.linalg.vector_norm(x, p, others, True)
    along = x.conj() * grad
    along = (along.real if along.is_complex() else along).sum(others, keepdim=True)
    inverse = (norm + 1e-7).reciprocal()
    scaled = maxnorm * inverse * (grad - inverse * of_norm(along, x, norm, p, others, True))
    return torch.where(norm > maxnorm, scaled, grad)


differentiate("renorm", input=lambda grad, input, p, dim, maxnorm: of_renorm(grad, input, p, dim, maxnorm))
