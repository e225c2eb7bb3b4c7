"""Distances between rows, and matrices of powers."""

from __future__ import annotations

from math import prod
from typing import Any

from ...declaring import differentiate, not_implemented, parts
from ...linalg_rows import cdist_backward, euclidean_dist, pdist_backward
from ...ops import torch

# -- pairs of rows -----------------------------------------------------------------------------------------------


def _multiplies(call: dict) -> bool:
    """Whether Euclidean distances come from one product of matrices, as they do for many rows."""
    mode = call.get("compute_mode", 0)
    mode = {None: 0, "use_mm_for_euclid_dist_if_necessary": 0, "use_mm_for_euclid_dist": 1}.get(mode, mode)
    one, two = call["x1"], call["x2"]
    if call.get("p", 2.0) != 2 or one.dim() < 2 or two.dim() < 2 or mode not in (0, 1):
        return False
    if not one.numel() or not two.numel():
        return False
    return mode == 1 or one.shape[-2] > 25 or two.shape[-2] > 25


@parts("cdist", when=_multiplies)
def cdist(x1: Any, x2: Any, p: float = 2.0, compute_mode: Any = None) -> Any:
    """_euclidean_dist of expanded batches, and view"""
    batch = tuple(torch.broadcast_shapes(x1.shape[:-2], x2.shape[:-2]))
    size = (*batch, x1.shape[-2], x2.shape[-2])
    if prod(batch) != 1:
        count = prod(batch)
        x1, x2 = (x.expand((*batch, *x.shape[-2:])).contiguous().view((count, *x.shape[-2:])) for x in (x1, x2))
    return euclidean_dist(x1, x2).view(size)


def _of_euclidean(grad: Any, x1: Any, x2: Any, result: Any) -> tuple[Any, Any]:
    ratio = (grad / result).masked_fill(result == 0, 0)
    return (
        x1 * ratio.sum(-1, keepdim=True) - ratio @ x2,
        x2 * ratio.sum(-2).unsqueeze(-1) - ratio.mT @ x1,
    )


differentiate("_euclidean_dist", node="EuclideanDistBackward0",
              together=("x1 x2", lambda grad, x1, x2, result: _of_euclidean(grad, x1, x2, result)))  # fmt: skip
differentiate(
    "cdist",
    x1=lambda grad, x1, x2, result, p=2.0: cdist_backward(grad, x1, x2, p, result),
    x2=lambda grad, x1, x2, result, p=2.0: cdist_backward(grad.mT, x2, x1, p, result.mT),
)
differentiate(
    "_cdist_backward", node="CdistBackwardBackward0",
    grad=lambda: not_implemented("_cdist_backward"),
    x1=lambda: not_implemented("_cdist_backward"),
    x2=lambda: not_implemented("_cdist_backward"),
)  # fmt: skip
differentiate("pdist", input=lambda grad, input, result, p=2.0: pdist_backward(grad, input, p, result))
differentiate(
    "_pdist_backward", node="PdistBackwardBackward0",
    grad=lambda: not_implemented("_pdist_backward"),
    input=lambda: not_implemented("_pdist_backward"),
)  # fmt: skip

# -- powers of a vector ------------------------------------------------------------------------------------------


@parts("linalg.vander")
def linalg_vander(x: Any, *, N: Any = None) -> Any:  # noqa: N803
    """cat of ones and cumprod of the expanded vector"""
    if not x.dim():
        x = x.unsqueeze(-1)
    if N is not None and N <= 1:
        raise ValueError("the row itself refuses this")
    count = x.shape[-1] if N is None else N
    powers = x.unsqueeze(-1).expand((*x.shape, count - 1)).cumprod(-1)
    return torch.cat((torch.ones((*x.shape, 1), dtype=x.dtype), powers), -1)


@parts("vander")
def vander(x: Any, N: Any = None, increasing: bool = False) -> Any:  # noqa: N803
    """copy_ and cumprod of the columns of a new tensor, and flip"""
    if x.dim() != 1 or N is not None and N < 0:
        raise ValueError("the row itself refuses this")
    count = x.shape[0] if N is None else N
    result = x.new_empty((x.shape[0], count))
    if count > 0:
        result.select(1, 0).fill_(1)
    if count > 1:
        rest = result[:, 1:]
        rest.copy_(x.unsqueeze(1))
        result[:, 1:].copy_(result[:, 1:].cumprod(1))
    return result if increasing else result.flip((1,))


