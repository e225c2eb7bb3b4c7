"""Products that PyTorch makes of others: matmul of tensors with any numbers of dimensions, outer, kron, chains."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from ....errors.warnings import warn
from ....ops.linalg.tensor_products import CHAIN_MATMUL_DEPRECATED
from ...declaring import parts
from ...ops import torch
from ...private_rows import unsafe_view

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

# -- matmul ------------------------------------------------------------------------------------------------------


@parts("matmul")
def matmul(input: Tensor, other: Tensor) -> Any:
    """dot, mv, mm, or one product of folded or expanded batches, by the numbers of dimensions."""
    p, q = input.dim(), other.dim()
    if not p or not q:
        raise ValueError("the row itself refuses this")
    if p == 1 and q == 1:
        return torch.dot(input, other)
    if p == 2 and q == 1:
        return torch.mv(input, other)
    if p == 1 and q == 2:
        return torch.mm(input.unsqueeze(0), other).squeeze_(0)
    if p == 2 and q == 2:
        return torch.mm(input, other)
    if _folds(input, other):
        return _folded(input, other)
    if p == q == 3 and input.shape[0] != other.shape[0]:  # without a batch, the other factor can be folded
        if input.shape[0] == 1 and input.requires_grad:
            return matmul(input.squeeze(0), other)
        if other.shape[0] == 1 and other.requires_grad:
            return matmul(input, other.squeeze(0))
    return _batched(input, other)


def _folds(input: Tensor, other: Tensor) -> bool:
    """Whether the batch of one factor becomes rows of a single matrix.

    A factor without a batch that requires a gradient is never expanded: its gradient would have the whole batch's size
    before it is summed. Otherwise the batch is folded where that needs no copy.
    """
    p, q = input.dim(), other.dim()
    if max(p, q) < 3 or min(p, q) > 2:
        return False
    if (other if p >= q else input).requires_grad:
        return True
    if p == 2:
        return False
    large = input if p >= q else other.mT
    if not large.numel():
        return True
    size, stride = large.shape, large.stride()
    return all(stride[d] == stride[d + 1] * size[d + 1] for d in range(large.dim() - 2))


def _folded(input: Tensor, other: Tensor) -> Any:
    turned = other.dim() > input.dim()
    large, small = (other.mT, input.t() if input.dim() == 2 else input) if turned else (input, other)
    size = tuple(large.shape[:-1])
    rows = large.reshape((prod(size), large.shape[-1]))
    if small.dim() == 1:
        return unsafe_view(torch.mv(rows, small), size)
    result = unsafe_view(torch.mm(rows, small), (*size, small.shape[1]))
    return result.mT.contiguous() if turned else result


def _batched(input: Tensor, other: Tensor) -> Any:
    p, q = input.dim(), other.dim()
    rows = tuple(input.shape[-2:]) if p > 1 else (1, *input.shape)
    columns = tuple(other.shape[-2:]) if q > 1 else tuple(other.shape)
    batch = tuple(torch.broadcast_shapes(input.shape[:-2], other.shape[:-2]))
    count = prod(batch)
    left = input.expand((*batch, *rows)).reshape((count, *rows))
    right = other.expand((*batch, *columns)).reshape((count, *columns))
    size = (*batch, *rows[: p > 1], *columns[1:])
    if q == 1:
        return unsafe_view(torch.bmm(left, right.unsqueeze(2)).squeeze(-1), size)
    return unsafe_view(torch.bmm(left, right), size)


# -- others ------------------------------------------------------------------------------------------------------


@parts("outer")
def outer(input: Tensor, vec2: Tensor) -> Any:
    """mul of a column and a row"""
    if input.dim() != 1 or vec2.dim() != 1:
        raise ValueError("the row itself refuses this")
    return torch.mul(input.reshape((input.shape[0], 1)), vec2)


@parts("inner")
def inner(input: Tensor, other: Tensor) -> Any:
    """tensordot over the last dimensions"""
    if not input.dim() or not other.dim():
        return torch.mul(input, other)
    if input.shape[-1] != other.shape[-1]:
        raise ValueError("the row itself refuses this")
    return torch.tensordot(input, other, ([-1], [-1]))


@parts("tensordot")
def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Any:
    """mm of the tensors as matrices; dot, or mul and sum, where one element is left"""
    first, second = _summed_dims(a, b, dims)
    for i, j in zip(first, second, strict=True):
        if a.shape[i] != b.shape[j] and 1 not in (a.shape[i], b.shape[j]):
            raise ValueError("the row itself refuses this")
        if b.shape[j] == 1:  # a dimension of size 1 meets every element: the other factor is summed first
            a = a.sum(i, keepdim=True)
        elif a.shape[i] == 1:
            b = b.sum(j, keepdim=True)
    left = [d for d in range(a.dim()) if d not in first]
    right = [d for d in range(b.dim()) if d not in second]
    size = [*[a.shape[d] for d in left], *[b.shape[d] for d in right]]
    inside = prod(a.shape[d] for d in first)
    rows, columns = prod(a.shape[d] for d in left), prod(b.shape[d] for d in right)
    one, two = a.permute((*left, *first)), b.permute((*second, *right))
    if rows != 1 or columns != 1:
        return torch.mm(one.reshape((rows, inside)), two.reshape((inside, columns))).reshape(size)
    if one.is_contiguous() and two.is_contiguous():
        return torch.dot(one.flatten(), two.flatten()).reshape(size)
    return (one.squeeze() * two.squeeze()).sum().reshape(size)


def _summed_dims(a: Tensor, b: Tensor, dims: Any) -> tuple[list[int], list[int]]:
    if hasattr(dims, "tolist"):
        dims = dims.tolist()
    if isinstance(dims, int):
        if not 0 <= dims <= min(a.dim(), b.dim()):
            raise ValueError("the row itself refuses this")
        return list(range(a.dim() - dims, a.dim())), list(range(dims))
    first, second = dims
    if any(not -t.dim() <= d < t.dim() for t, chosen in ((a, first), (b, second)) for d in chosen):
        raise ValueError("the row itself refuses this")
    return [d % a.dim() for d in first], [d % b.dim() for d in second]


@parts("kron")
def kron(input: Tensor, other: Tensor) -> Any:
    """mul, where each dimension is two"""
    ndim = max(input.dim(), other.dim())
    x = (1,) * (ndim - input.dim()) + tuple(input.shape)
    y = (1,) * (ndim - other.dim()) + tuple(other.shape)
    one = unsafe_view(input, [n for size in x for n in (size, 1)])
    two = unsafe_view(other, [n for size in y for n in (1, size)])
    return unsafe_view(one * two, [n * m for n, m in zip(x, y, strict=True)])


@parts("linalg.vecdot")
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Any:
    """vdot of vectors, mul and sum of others"""
    if x.dtype != y.dtype:
        raise ValueError("the row itself refuses this")
    if x.dim() == 1 and y.dim() == 1:
        return torch.vdot(x, y)
    return (x.conj() * y).sum(dim)


@parts("linalg.matmul")
def linalg_matmul(input: Tensor, other: Tensor) -> Any:
    """matmul"""
    return torch.matmul(input, other)


# -- chains ------------------------------------------------------------------------------------------------------


@parts("linalg.multi_dot")
def multi_dot(tensors: Sequence[Tensor]) -> Any:
    """mm, in the order that needs the fewest multiplications"""
    first, *middle, last = tensors
    size = (*first.shape[: first.dim() - 1], *last.shape[1:])
    chain = [first.unsqueeze(0) if first.dim() == 1 else first, *middle]
    chain.append(last.unsqueeze(-1) if last.dim() == 1 else last)
    return _chained(chain).view(size)


@parts("chain_matmul")
def chain_matmul(*matrices: Any) -> Any:
    """mm, in the order that needs the fewest multiplications"""
    warn(CHAIN_MATMUL_DEPRECATED, once=True)
    if len(matrices) == 1:
        return matrices[0].clone()
    return torch.linalg.multi_dot(list(matrices))


def _chained(chain: list) -> Any:
    if len(chain) == 2:
        return torch.mm(*chain)
    if len(chain) == 3:
        a, b, c = chain
        (n, k), (m, o) = a.shape, c.shape
        left_first = n * k * m + n * m * o
        right_first = k * m * o + n * k * o
        return torch.mm(torch.mm(a, b), c) if left_first <= right_first else torch.mm(a, torch.mm(b, c))
    return _multiplied(chain, cheapest_splits([*[t.shape[0] for t in chain], chain[-1].shape[1]]), 0, len(chain) - 1)


def _multiplied(chain: list, splits: dict[tuple[int, int], int], start: int, end: int) -> Any:
    if start == end:
        return chain[start]
    at = splits[start, end]
    right = _multiplied(chain, splits, at + 1, end)  # which PyTorch records first
    return torch.mm(_multiplied(chain, splits, start, at), right)


def cheapest_splits(sizes: list[int]) -> dict[tuple[int, int], int]:
    """Where to split each stretch of a chain of matrices, whose sizes are neighbors in the list.

    >>> cheapest_splits([2, 100, 3, 4])[0, 2]
    1
    """
    count = len(sizes) - 1
    cost = {(i, i): 0 for i in range(count)}
    splits = {}
    for length in range(1, count):
        for start in range(count - length):
            end = start + length
            costs = [
                cost[start, at] + cost[at + 1, end] + sizes[start] * sizes[at + 1] * sizes[end + 1]
                for at in range(start, end)
            ]
            cost[start, end] = min(costs)
            splits[start, end] = start + costs.index(min(costs))
    return splits
