"""Extremes, medians and other elements that are chosen: the gradient goes to the element that was."""

from __future__ import annotations

from typing import Any

from ..declaring import differentiate, not_differentiable, parts
from ..number_rows import mul_number
from ..ops import torch
from ..reduced import into_places, opened, shared


def extreme(grad: Any, input: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    """The gradient of the largest or smallest element, shared by those that are equal."""
    ndim = input.dim()
    return shared(opened(grad, dim, ndim, keepdim), opened(result, dim, ndim, keepdim) == input, dim)


def extreme_of_all(grad: Any, input: Any, result: Any) -> Any:
    """The same of all elements; a result that is NaN is any element that is NaN."""
    chosen = (input == result).logical_or(input.isnan().logical_and(result.isnan()))
    return chosen * (grad / chosen.sum())


def both_extremes(grads: tuple, input: Any, least: Any, most: Any, dim: Any, keepdim: bool) -> Any:
    """The gradient of aminmax."""
    found = [extreme(g, input, r, dim, keepdim) for g, r in zip(grads, (least, most), strict=True) if g is not None]
    return found[0] if len(found) == 1 else found[0] + found[1]


for _name in ("amax", "amin"):
    differentiate(
        _name, input=lambda grad, input, result, dim=(), keepdim=False: extreme(grad, input, result, dim, keepdim)
    )
differentiate(
    "aminmax",
    input=lambda grads, input, result, result1, dim=None, keepdim=False: both_extremes(
        grads, input, result, result1, dim, keepdim),
)  # fmt: skip

for _name, _node in (("max", "Maximum"), ("min", "Minimum")):

    @parts(_name, when=lambda call: "other" in call)
    def of_two(input: Any, other: Any, _name: str = _node.lower()) -> Any:
        """maximum or minimum"""
        return getattr(torch, _name)(input, other)


_ROWS = {
    "max": ("MaxBackward1", "MaxBackward0"),
    "min": ("MinBackward1", "MinBackward0"),
    "median": ("MedianBackward0", "MedianBackward1"),
    "nanmedian": ("NanmedianBackward0", "NanmedianBackward1"),
}
"""The nodes of these rows: of all elements, along a dimension."""

for _name, (_of_all, _along) in _ROWS.items():
    differentiate(
        _name, node=_of_all, when=lambda call: "dim" not in call,
        input=lambda grad, input, result: extreme_of_all(grad, input, result),
    )  # fmt: skip
    differentiate(
        _name, node=_along,
        input=lambda grad, result1, input_like, dim, keepdim=False: into_places(
            grad, result1, input_like, dim, keepdim),
    )  # fmt: skip

for _name in ("mode", "kthvalue"):
    differentiate(
        _name,
        input=lambda grad, result1, input_like, dim=-1, keepdim=False: into_places(
            grad, result1, input_like, dim, keepdim),
    )  # fmt: skip

for _name in ("cummax", "cummin"):
    differentiate(
        _name,
        input=lambda grad, result1, input_shape, dim: (
            torch.zeros(input_shape, dtype=grad.dtype).scatter_add(dim, result1, grad) if input_shape else grad),
    )  # fmt: skip

not_differentiable("argmax argmin")


# -- quantiles ---------------------------------------------------------------------------------------------------


@parts("quantile")
def quantile(input: Any, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear") -> Any:
    """sort, gather and lerp"""
    return _quantile(input, q, dim, keepdim, interpolation, False)


@parts("nanquantile")
def nanquantile(input: Any, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear") -> Any:
    """sort, gather and lerp"""
    return _quantile(input, q, dim, keepdim, interpolation, True)


_ROUNDING = {"lower": "floor", "higher": "ceil", "nearest": "round"}


def _quantile(x: Any, q: Any, dim: Any, keepdim: bool, interpolation: str, skip_nan: bool) -> Any:
    q = q if hasattr(q, "dim") else torch.tensor(q, dtype=x.dtype)
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


def _sorted(x: Any, dim: Any, keepdim: bool) -> tuple[Any, list[int]]:
    """The sorted elements in the last dimension, and the size of what is left."""
    size = list(x.shape)
    if dim is None:
        return x.flatten().sort()[0], [1] * len(size) if keepdim else []
    d = dim % len(size) if size else 0
    left = [*size[:d], *([1] if keepdim else []), *size[d + 1 :]] if size else []
    if d == len(size) - 1:
        return x.sort()[0], left
    return x.unsqueeze(-1).transpose(d, -1).sort()[0], left
