"""Extremes, medians and other elements that are chosen: the gradient goes to the element that was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...beside import zeros_beside
from ...declaring import differentiate, not_differentiable, parts
from ...helpers import counted
from ...ops import torch
from ...reduced import dims_of, into_places, shared

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


def extreme(grad: Tensor, input: Tensor, result: Tensor, dim: int | Sequence[int] | None, keepdim: bool) -> Any:
    """The gradient of the largest or smallest element, shared by those that are equal."""
    if not keepdim and input.dim():
        size = [1 if d in dims_of(dim, input.dim()) else n for d, n in enumerate(input.shape)]
        grad, result = grad.reshape(size), result.reshape(size)
    return shared(grad, result == input, dim)


def extreme_of_all(grad: Tensor, input: Tensor, result: Tensor) -> Any:
    """The same of all elements; a result that is NaN is any element that is NaN."""
    chosen = (input == result).logical_or(input.isnan().logical_and(result.isnan()))
    return counted(torch.zeros_like(input).masked_fill(chosen, grad / chosen.sum()), 1)


def both_extremes(grads: tuple, input: Tensor, least: Tensor, most: Tensor, dim: int | None, keepdim: bool) -> Any:
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


@parts("max", when=lambda call: "other" in call)
def max_of_two(input: Tensor, other: Tensor) -> Any:
    """maximum"""
    return torch.maximum(input, other)


@parts("min", when=lambda call: "other" in call)
def min_of_two(input: Tensor, other: Tensor) -> Any:
    """minimum"""
    return torch.minimum(input, other)


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
        input=lambda grad, result1, input_shape, dim, keepdim=False: into_places(
            grad, result1, input_shape, dim, keepdim),
    )  # fmt: skip

for _name in ("mode", "kthvalue"):
    differentiate(
        _name,
        input=lambda grad, result1, input_shape, dim=-1, keepdim=False: into_places(
            grad, result1, input_shape, dim, keepdim),
    )  # fmt: skip

for _name in ("cummax", "cummin"):
    differentiate(
        _name,
        input=lambda grad, result1, input, dim: (
            counted(zeros_beside(grad, tuple(input.shape)).scatter_add(dim, result1, grad), 2)),
    )  # fmt: skip

not_differentiable("argmax argmin")
