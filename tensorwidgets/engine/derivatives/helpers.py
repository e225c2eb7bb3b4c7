"""Small functions that several formulas use. Each is written in ops that have derivatives themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ..errors.reasons import refuse
from ..tensor.grad_mode import grad_enabled
from . import view_rows
from .beside import number_beside, places_beside, zeros_beside
from .number_rows import add_number, div_number, mul_number, sub_number
from .ops import torch

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor


def converts(call: dict) -> bool:
    """Whether a call converts its input first, which PyTorch records by itself."""
    return call.get("dtype") not in (None, call["input"].dtype)


def conj(x: Tensor | complex) -> Any:
    """The conjugate of a tensor or a number."""
    return x.conj() if hasattr(x, "conj") else x.conjugate()


def times(x: Tensor, number: Any) -> Any:
    """A tensor times a number, recorded as PyTorch's formulas record it."""
    return mul_number(x, number) if grad_enabled() else x * number


def over(x: Tensor, number: Any) -> Any:
    """A tensor divided by a number, recorded as PyTorch's formulas record it."""
    return div_number(x, number) if grad_enabled() else x / number


def plus(x: Tensor, number: Any) -> Any:
    """A tensor plus a number, recorded as PyTorch's formulas record it."""
    return add_number(x, number) if grad_enabled() else x + number


def less(x: Any, number: Any) -> Any:
    """A tensor less a number, recorded as PyTorch's formulas record it."""
    return sub_number(x, number) if grad_enabled() else x - number


def minus(number: Any, x: Tensor) -> Any:
    """A number less a tensor, recorded as PyTorch's formulas record it: the number is made a tensor."""
    return number_beside(x, number) - x if grad_enabled() else number - x


def but(x: Tensor, where: Tensor) -> Any:
    """A tensor with zeros in some places: filled in a graph, as in PyTorch's, and chosen outside."""
    return x.masked_fill(where, 0) if grad_enabled() else torch.where(where, 0, x)


def into_select(grad: Tensor, like: Any, dim: int, index: int) -> Any:
    """Zeros with a gradient at one index of one dimension."""
    if grad._keys and grad.is_sparse:
        no_sparse_kernel("select_backward")
    if grad_enabled():
        return view_rows.select_backward(grad, like, dim, index)
    whole = like.new_zeros()
    whole.select(dim, index).copy_(grad)
    return whole


def into_slice(grad: Tensor, like: Any, dim: int, start: int, end: int, step: int) -> Any:
    """Zeros with a gradient in a slice of one dimension."""
    if grad_enabled():
        return view_rows.slice_backward(grad, like, dim, start, end, step)
    whole = like.new_zeros()
    whole[(*(slice(None),) * (dim % len(like.shape)), slice(start, end, step))].copy_(grad)
    return whole


def split_back(grads: tuple, like: Any, dim: int, sizes: Any) -> Any:
    """The gradients of the pieces of a split, put together; zeros for pieces that are not used."""
    dim = dim % len(like.shape) if like.shape else 0
    n = like.shape[dim]
    if not isinstance(sizes, (list, tuple)):  # one length, maybe as a tensor
        length = int(sizes)
        sizes = [min(length, n - start) for start in range(0, n, length or 1)] or [n]
    pieces = []
    for g, size in zip(grads, sizes, strict=True):
        if g is None:
            shape = (*like.shape[:dim], size, *like.shape[dim + 1 :])
            g = zeros_beside(like, shape)
        pieces.append(g)
    return torch.cat(pieces, dim)


def elements_of(size: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Any:
    """The place in memory of each element of a view, as whole numbers in main memory, where some are read."""
    places = torch.tensor(offset, device="cpu")
    for n, s in zip(size, stride, strict=True):
        places = places.unsqueeze(-1) + places_beside(places, n) * s
    return places


def into_strided(
    grad: Tensor, like: Any, size: tuple[int, ...], stride: tuple[int, ...], offset: int | None, own_offset: int
) -> Any:
    """The gradient of `as_strided`: added up in a stretch of memory, then read as the tensor lies there."""
    offset = own_offset if offset is None else offset
    if 0 in like.shape or 0 in tuple(size):
        return counted(like.new_zeros(), 1)
    for d in reversed(range(len(size))):
        if size[d] == 1:
            grad = grad.squeeze(d)
        elif stride[d] == 0:
            grad = grad.sum(d)
    kept = [d for d in range(len(size)) if size[d] > 1 and stride[d]]
    size, stride = tuple([size[d] for d in kept]), tuple([stride[d] for d in kept])
    first = min(offset, own_offset)
    target = elements_of(size, stride, offset - first).reshape(-1)
    source = elements_of(like.shape, like.stride, own_offset - first)
    length = int(max(target.max(), source.max())) + 1
    memory = zeros_beside(grad, length)
    if len(target.unique()) < len(target):
        memory = memory.index_add(0, target.to(grad.device), grad.reshape(-1))
        count_write(memory)
    else:
        memory.as_strided(size, stride, offset - first).copy_(grad)
    flat = source.reshape(-1)
    count = zeros_beside(flat, length).index_add(0, flat, torch.ones_like(flat))
    if int(count.max()) > 1:
        memory = memory / count.clamp(min=1).to(grad.device)
        count_write(memory)
        count_write(memory)
    return memory.as_strided(tuple(like.shape), tuple(like.stride), own_offset - first)


def into_windows(grad: Tensor, like: Any, dimension: int, size: int, step: int) -> Any:
    """The gradient of `unfold`: the windows added up where they overlap."""
    if not like.shape:
        return grad.reshape(()).clone()
    dim = dimension % len(like.shape)
    if grad_enabled():
        return view_rows.unfold_backward(grad, tuple(like.shape), dim, size, step)
    return view_rows.windows_added(grad, tuple(like.shape), dim, size, step)


def count_write(t: Tensor) -> None:
    """Count a write of a new tensor that nobody has seen yet, where PyTorch's formula writes into zeros."""
    t._notes["_writes"] = t._writes + 1


def counted(grad: Tensor, writes: int) -> Any:
    """A new gradient with the version that it has in PyTorch, where the formula writes into zeros."""
    grad._notes["_writes"] = writes
    grad._notes["_counted"] = True
    return grad


def no_sparse_kernel(called: str) -> NoReturn:
    """PyTorch's refusal of a sparse gradient that an op has no kernel for."""
    refuse(
        NotImplementedError,
        f"Could not run 'aten::{called}' with arguments from the 'SparseCPU' backend.",
        "the gradient is sparse, and this backward step needs every element",
        "y.to_dense()",
        rule="dispatch.no_kernel",
    )


def unsqueezed(grad: Tensor, shape: Any, dim: Any = None) -> Any:
    """The gradient of a squeeze: with the dimensions of size 1 again, and itself where there were none."""
    if not shape:
        return grad
    named = (dim,) if isinstance(dim, int) else dim
    for d in range(len(shape)) if named is None else sorted(d % len(shape) for d in named):
        if shape[d] == 1:
            grad = grad.unsqueeze(d)
    return grad


def scaled(grad: Tensor, factor: complex) -> Any:
    """A gradient times the conjugate of a factor such as alpha; itself for the number 1."""
    return grad if isinstance(factor, (int, float)) and factor == 1 else times(grad, conj(factor))


def refuse_gradient(message: str, because: str, *ways: str) -> NoReturn:
    """Refuse to go back through a call whose arguments make a derivative impossible."""
    refuse(RuntimeError, message, because, *ways, rule="autograd.undefined")
