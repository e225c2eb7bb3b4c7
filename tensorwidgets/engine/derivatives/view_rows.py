"""Gradients of views as rows of their own, so that a second order has PyTorch's nodes: the way back of a way back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..dispatch import stations
from ..dispatch.registry import Op
from ..ops.indexing.index_key import MASKS
from .beside import places_beside, zeros_beside
from .ops import torch
from .private_rows import everywhere

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor


def _row(name: str, words: str) -> Callable[[Callable], Callable]:
    def declare(plain: Callable) -> Callable:
        op = Op(name, "copies", "indexing_slicing_joining_mutating", words, forms=frozenset())
        return stations.bind(op, plain)

    return declare


def _fresh(like: Any, look: Callable[[Any], Any], grad: Tensor) -> Any:
    """Zeros with a gradient in the part that a view showed."""
    whole = like.new_zeros()
    look(whole).copy_(grad)
    whole._notes.pop("_writes", None)  # PyTorch writes below what counts
    return whole


@_row("select_backward", "The gradient of select.")
def select_backward(grad: Tensor, like: Any, dim: int, index: int) -> Any:
    return _fresh(like, lambda whole: whole.select(dim, index), grad)


@_row("slice_backward", "The gradient of a slice.")
def slice_backward(grad: Tensor, like: Any, dim: int, start: Any, end: Any, step: int) -> Any:
    dim = dim % len(like.shape)
    return _fresh(like, lambda whole: whole[(*(slice(None),) * dim, slice(start, end, step))], grad)


@_row("diagonal_backward", "The gradient of diagonal.")
def diagonal_backward(grad: Tensor, like: Any, offset: int, dim1: int, dim2: int) -> Any:
    return _fresh(like, lambda whole: whole.diagonal(offset, dim1, dim2), grad)


@_row("unfold_backward", "The gradient of unfold.")
def unfold_backward(grad_in: Tensor, input_sizes: tuple[int, ...], dim: int, size: int, step: int) -> Any:
    return windows_added(grad_in, input_sizes, dim, size, step)


@_row("_index_put_impl", "The gradient of an index of tensors.")
def index_put_impl(input: Tensor, indices: Any, values: Any) -> Any:
    return added_at(input, indices, values)


def added_at(input: Any, indices: Any, values: Any) -> Any:
    """Adds values to a copy at the indices, one index tensor or None for each dimension."""
    if all(index is not None for index in indices):
        return input.index_put(tuple(indices), values, accumulate=True)
    placed = [(dim, index) for dim, index in enumerate(indices) if index is not None]
    if len(placed) == 1:
        dim, index = placed[0]
        if index.dtype in MASKS and index.dim() == 1:
            index = index.nonzero().reshape(-1)
        if index.dtype not in MASKS and index.dim():
            rows = index.to(input.device).reshape(-1).remainder(max(input.shape[dim], 1))
            return input.index_add(dim, rows, values.flatten(dim, dim + index.dim() - 1))
    numbers = places_beside(input, input.numel()).reshape(input.shape)[everywhere(indices)]
    flat = input.reshape(-1).index_add(0, numbers.reshape(-1), values.expand(numbers.shape).reshape(-1))
    return flat.reshape(input.shape)


__all__ = ["diagonal_backward", "index_put_impl", "select_backward", "slice_backward", "unfold_backward"]


def windows_added(grad: Tensor, shape: tuple[int, ...], dim: int, size: int, step: int) -> Any:
    """The windows of a gradient added up in zeros."""
    n = shape[dim]
    places = places_beside(grad, n).unfold(0, size, step).reshape(-1)
    moved = grad.movedim(dim, -2)
    flat = moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])
    turned = (*shape[:dim], *shape[dim + 1 :], n)
    whole = zeros_beside(grad, turned).index_add(len(shape) - 1, places, flat)
    return whole.movedim(-1, dim).clone(memory_format=torch.contiguous_format)
