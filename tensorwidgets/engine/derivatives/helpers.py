"""Small functions that several formulas use. Each is written in ops that have derivatives themselves."""

from __future__ import annotations

from typing import Any, NoReturn

from ..errors.reasons import refuse
from ..tensor.grad_mode import grad_enabled
from .ops import torch


def conj(x: Any) -> Any:
    """The conjugate of a tensor or a number."""
    return x.conj() if hasattr(x, "conj") else x.conjugate()


def into_select(grad: Any, like: Any, dim: int, index: int) -> Any:
    """Zeros with a gradient at one index of one dimension."""
    if grad._keys and grad.is_sparse:
        no_sparse_kernel("select_backward")
    whole = like.new_zeros()
    whole.select(dim, index).copy_(grad)
    return whole


def into_slice(grad: Any, like: Any, dim: int, start: Any, end: Any, step: int) -> Any:
    """Zeros with a gradient in a slice of one dimension."""
    whole = like.new_zeros()
    whole[(*(slice(None),) * dim, slice(start, end, step))].copy_(grad)
    return whole


def split_back(grads: tuple, like: Any, dim: int, sizes: Any) -> Any:
    """The gradients of the pieces of a split, put together; zeros for pieces that are not used."""
    dim = dim % len(like.shape) if like.shape else 0
    n = like.shape[dim]
    if isinstance(sizes, int):
        sizes = [min(sizes, n - start) for start in range(0, n, sizes)] if sizes else [n]
    pieces = []
    for g, size in zip(grads, sizes, strict=True):
        if g is None:
            shape = (*like.shape[:dim], size, *like.shape[dim + 1 :])
            g = torch.zeros(shape, dtype=like.dtype, device=like.device)
        pieces.append(g)
    return torch.cat(pieces, dim)


def elements_of(size: Any, stride: Any, offset: int) -> Any:
    """The place in memory of each element of a view, as whole numbers."""
    places = torch.tensor(offset)
    for n, s in zip(size, stride, strict=True):
        places = places.unsqueeze(-1) + torch.arange(n) * s
    return places


def into_strided(grad: Any, like: Any, size: Any, stride: Any, offset: Any, own_offset: int) -> Any:
    """The gradient of `as_strided`: added up in a stretch of memory, then read as the tensor lies there."""
    offset = own_offset if offset is None else offset
    if 0 in like.shape or 0 in tuple(size):
        return like.new_zeros()
    first = min(offset, own_offset)
    target = elements_of(size, stride, offset - first).reshape(-1)
    source = elements_of(like.shape, like.stride, own_offset - first)
    length = int(max(target.max(), source.max())) + 1
    memory = torch.zeros(length, dtype=grad.dtype).index_add(0, target, grad.reshape(-1))
    flat = source.reshape(-1)
    count = torch.zeros(length, dtype=torch.long).index_add(0, flat, torch.ones_like(flat))
    if int(count.max()) > 1:
        memory = memory / count.clamp(min=1)
    return counted(memory.index_select(0, flat).reshape(like.shape), 1)


def into_windows(grad: Any, like: Any, dimension: int, size: int, step: int) -> Any:
    """The gradient of `unfold`: the windows added up where they overlap."""
    if not like.shape:
        return grad.reshape(())
    dim = dimension % len(like.shape)
    n = like.shape[dim]
    places = torch.arange(n).unfold(0, size, step).reshape(-1)
    moved = grad.movedim(dim, -2)
    flat = moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])
    shape = (*like.shape[:dim], *like.shape[dim + 1 :], n)
    whole = torch.zeros(shape, dtype=grad.dtype).index_add(len(shape) - 1, places, flat)
    whole = whole.movedim(-1, dim)
    return whole if grad_enabled() else whole.contiguous()


def counted(grad: Any, writes: int) -> Any:
    """A new gradient with the version that it has in PyTorch, where the formula writes into zeros."""
    if not grad_enabled():
        grad.__dict__["_writes"] = writes
        grad.__dict__["_counted"] = True
    return grad


def no_sparse_kernel(called: str) -> NoReturn:
    """PyTorch's refusal of a sparse gradient that an op has no kernel for."""
    refuse(
        NotImplementedError,
        f"Could not run 'aten::{called}' with arguments from the 'SparseCPU' backend.",
        "the gradient is sparse, and this way back needs every element",
        "y.to_dense()",
        rule="dispatch.no_kernel",
    )


def scaled(grad: Any, factor: Any) -> Any:
    """A gradient times the conjugate of a factor such as alpha; itself for the number 1."""
    return grad if isinstance(factor, (int, float)) and factor == 1 else grad * conj(factor)


def refuse_gradient(message: str, because: str, *ways: str) -> NoReturn:
    """Refuse to go back through a call whose arguments make a derivative impossible."""
    refuse(RuntimeError, message, because, *ways, rule="autograd.undefined")
