"""Products along a dimension: prod, cumprod. Zeros need care, for the result cannot be divided by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....tensor.grad_mode import grad_enabled
from ...beside import zeros_beside
from ...declaring import differentiate
from ...helpers import conj
from ...ops import torch
from ...reduced import opened

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor
    from ....types.dtypes import dtype


def _zeros_in(x: Tensor) -> int:
    """How many elements are zero. A meta tensor has no elements to ask: it may have one, as in PyTorch."""
    return 1 if x.is_meta else int((x == 0).sum())


def before(x: Tensor, dim: int) -> Any:
    """For each element the product of all before it."""
    one = torch.ones_like(x.narrow(dim, 0, 1))
    return torch.cat([one, x.narrow(dim, 0, x.shape[dim] - 1)], dim).cumprod(dim)


def of_the_others(x: Tensor, dim: int) -> Any:
    """For each element the product of all others, without a division."""
    if x.shape[dim] <= 1:
        return torch.ones_like(x)
    return before(x, dim) * _after(x, dim)


def _after(x: Tensor, dim: int) -> Any:
    """For each element the product of all after it."""
    one = torch.ones_like(x.narrow(dim, 0, 1))
    return torch.cat([one, x.narrow(dim, 1, x.shape[dim] - 1).flip(dim)], dim).cumprod(dim).flip(dim)


def product_of_all(grad: Tensor, input: Tensor, result: Tensor) -> Any:
    """The gradient of the product of all elements."""
    if not input.dim():
        return grad
    zeros = _zeros_in(input)
    if not zeros:
        return grad * conj(result / input)
    if zeros > 1 and not grad_enabled():
        return zeros_beside(input, tuple(input.shape))
    if input.numel() == 1:
        return grad.view(input.shape)
    return (grad * conj(of_the_others(input.contiguous().view(-1), 0))).view(input.shape)


def product_along(grad: Tensor, input: Tensor, result: Tensor, dim: int, keepdim: bool) -> Any:
    """The gradient of products along a dimension."""
    if not input.dim():
        return grad
    grad, result = opened(grad, dim, input.dim(), keepdim), opened(result, dim, input.dim(), keepdim)
    if _zeros_in(input):
        return grad if input.shape[dim] == 1 else grad * conj(of_the_others(input, dim))
    return grad * conj(result / input)


def running_product(grad: Tensor, input: Tensor, result: Tensor, dim: int) -> Any:
    """The gradient of cumprod.

    An element with zeros in its row is a factor of every later product: the product of what is before it, times a sum
    that is built from the end, ``h[k] = grad[k] + input[k + 1] * h[k + 1]``.
    """
    if input.numel() <= 1 or input.shape[dim] == 1:
        return grad
    if not _zeros_in(input):
        return (conj(result) * grad).flip(dim).cumsum(dim).flip(dim) / conj(input)
    if not grad_enabled() and not input.is_meta:
        return _around_first_zeros(grad, conj(input), conj(result), dim)
    n = input.shape[dim]
    sums = [grad.select(dim, n - 1)]
    for k in range(n - 2, -1, -1):
        sums.append(grad.select(dim, k) + conj(input.select(dim, k + 1)) * sums[-1])
    return torch.stack(sums[::-1], dim) * conj(before(input, dim))


def _around_first_zeros(grad: Tensor, x: Tensor, result: Tensor, dim: int) -> Any:
    """The gradient of cumprod without a graph: what is before the first zero of a row is divided by as elsewhere, that
    zero is a factor of all products up to the second one, and what comes later changes none of them."""
    zero = x == 0
    count = zero.cumsum(dim)
    first = zero.logical_and(count == 1)
    sums = (result * grad).masked_fill(count > 0, 0).flip(dim).cumsum(dim).flip(dim)
    place = first.to(count.dtype).argmax(dim, True)
    head = result.gather(dim, (place - 1).clamp(min=0)).masked_fill(place == 0, 1)
    rest = x.masked_fill((count != 1).logical_or(first), 1).cumprod(dim) * grad.masked_fill(count != 1, 0)
    return torch.where(first, rest.sum(dim, True) * head, torch.where(count == 0, sums / x, 0))


def _of_dtype(input: Tensor, dtype: dtype | None) -> Any:
    return input if dtype is None else input.to(dtype)


differentiate(
    "prod", node="ProdBackward0", casts=False, when=lambda call: "dim" not in call,
    input=lambda grad, input, result, dtype=None: product_of_all(grad, _of_dtype(input, dtype), result),
)  # fmt: skip
differentiate(
    "prod", node="ProdBackward1", casts=False,
    input=lambda grad, input, result, dim, keepdim=False, dtype=None: product_along(
        grad, _of_dtype(input, dtype), result, dim, keepdim),
)  # fmt: skip
differentiate(
    "cumprod", casts=False,
    input=lambda grad, input, result, dim, dtype=None: running_product(grad, _of_dtype(input, dtype), result, dim),
)  # fmt: skip
