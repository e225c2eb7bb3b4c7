"""Quantiles, which PyTorch makes of sort, gather and lerp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...beside import number_beside
from ...declaring import parts
from ...number_rows import mul_number
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


@parts("quantile")
def quantile(
    input: Tensor, q: Tensor | float, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Any:
    """sort, gather and lerp"""
    return _quantile(input, q, dim, keepdim, interpolation, False)


@parts("nanquantile")
def nanquantile(
    input: Tensor, q: Tensor | float, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Any:
    """sort, gather and lerp"""
    return _quantile(input, q, dim, keepdim, interpolation, True)


_INTERPOLATION = ("linear", "midpoint", "lower", "higher", "nearest")
_ROUNDING = {"lower": "floor", "higher": "ceil", "nearest": "round"}


def _quantile(x: Tensor, q: Any, dim: Any, keepdim: bool, interpolation: str, skip_nan: bool) -> Any:
    ndim = max(x.dim(), 1)
    if interpolation not in _INTERPOLATION or dim is not None and not -ndim <= dim < ndim:
        raise ValueError("the row itself refuses this")
    if x.dtype not in (torch.float32, torch.float64) or not x.numel():
        raise ValueError("the row itself refuses this")
    q = q if hasattr(q, "dim") else number_beside(x, q)
    if q.dtype != x.dtype or q.dim() > 1 or not q.is_meta and not bool(((q >= 0) & (q <= 1)).all()):
        raise ValueError("the row itself refuses this")
    single, q = not q.dim(), q if q.dim() else q.unsqueeze(0)
    ordered, left = _sorted(x, dim, keepdim)
    ordered = ordered.view(*left, ordered.shape[-1])
    nans = ordered.isnan()
    last = ordered.shape[-1] - 1
    if skip_nan:
        ranks = q * (nans.logical_not().sum(-1, keepdim=True) - 1)
        ranks = ranks.masked_fill(ranks < 0, 0)
    else:
        ranks, broken = mul_number(q, last), nans.any(-1, keepdim=True)
        if broken.dim() > 1:
            ranks = ranks.expand(torch.broadcast_shapes(ranks.shape, broken.shape))
        ranks = ranks.masked_fill(broken, last)
    if interpolation in _ROUNDING:
        ranks = getattr(ranks, _ROUNDING[interpolation])()
    below = ranks.long()
    values = ordered.gather(-1, below)
    if interpolation in ("linear", "midpoint"):
        weights = torch.full_like(ranks, 0.5) if interpolation == "midpoint" else ranks - below
        values.lerp_(ordered.gather(-1, ranks.ceil().long()), weights)
    if single:
        return values.squeeze_(-1)
    return values.unsqueeze_(0).transpose_(0, -1).squeeze_(-1)


def _sorted(x: Tensor, dim: int | None, keepdim: bool) -> tuple[Any, list[int]]:
    """The sorted elements in the last dimension, and the size of what is left."""
    size = list(x.shape)
    if dim is None:
        return x.flatten().sort()[0], [1] * len(size) if keepdim else []
    d = dim % len(size) if size else 0
    left = [*size[:d], *([1] if keepdim else []), *size[d + 1 :]] if size else []
    if d == len(size) - 1:
        return x.sort()[0], left
    return x.unsqueeze(-1).transpose(d, -1).sort()[0], left
