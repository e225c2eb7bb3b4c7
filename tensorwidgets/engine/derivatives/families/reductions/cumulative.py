"""Running sums and differences between neighbors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...declaring import differentiate, parts
from ...number_rows import div_number, mul_number
from ...ops import torch
from ...private_rows import slice_of

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


def reversed_sums(grad: Tensor, dim: int) -> Any:
    """For each element the sum of itself and all after it."""
    if grad.numel() <= 1 or grad.shape[dim] == 1:
        return grad
    return grad.flip(dim).cumsum(dim).flip(dim)


def of_log_sums(grad: Tensor, input: Tensor, result: Tensor, dim: int) -> Any:
    """The gradient of logcumsumexp, by logarithms so that nothing overflows."""
    if not grad.dim() or not grad.numel():
        return grad

    def summed(logarithm: Tensor) -> Any:
        return ((logarithm - result).flip(dim).logcumsumexp(dim).flip(dim) + input).exp()

    if grad.is_complex():
        return summed(grad.conj().log()).conj()
    size, least = grad.abs().log(), torch.finfo(grad.dtype).min
    return summed(torch.where(grad > 0, size, least)) - summed(torch.where(grad < 0, size, least))


differentiate("cumsum", input=lambda grad, dim: reversed_sums(grad, dim))
differentiate("logcumsumexp", input=lambda grad, input, result, dim: of_log_sums(grad, input, result, dim))


# -- neighbors ---------------------------------------------------------------------------------------------------


@parts("diff")
def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Any:
    """sub of two slices, n times"""
    looked_at = n or prepend is not None or append is not None
    if not input.dim() or n < 0 or looked_at and not -input.dim() <= dim < input.dim():
        raise ValueError("the row itself refuses this")
    for more in (prepend, append):
        if more is not None and (more.dim() != input.dim() or _without(more, dim) != _without(input, dim)):
            raise ValueError("the row itself refuses this")
    if n == 0:  # prepend and append are ignored then
        return torch.zeros_like(input).copy_(input)
    pieces = [t for t in (prepend, input, append) if t is not None]
    x = torch.cat(pieces, dim) if len(pieces) > 1 else input
    for _ in range(min(n, x.shape[dim])):
        size = x.shape[dim] - 1
        before = x.narrow(dim, 0, size)  # first: PyTorch computes the right operand before the left
        x = x.narrow(dim, 1, size) - before
    return x


def _without(t: Tensor, dim: int) -> list[int]:
    """The size without one dimension."""
    size = list(t.shape)
    del size[dim]
    return size


def _pairs(t: Tensor, dim: int) -> tuple[Any, Any]:
    """Each element but the first, and the one before it."""
    n = t.shape[dim]
    before = slice_of(t, dim % t.dim(), 0, max(n - 1, 0), 1)  # first, as PyTorch's right operands
    return slice_of(t, dim % t.dim(), 1, n, 1), before


def _steps(x: Tensor, y: Tensor, dim: int) -> Any:
    """The distances between points, lined up with a dimension of y."""
    if x.dim() == 1:
        if x.shape[0] != y.shape[dim]:
            raise ValueError("the row itself refuses this")
        size = [1] * y.dim()
        size[dim] = x.shape[0]
        x = x.view(size)
    elif x.dim() < y.dim():
        x = x.view([1] * (y.dim() - x.dim()) + list(x.shape))
    after, before = _pairs(x, dim)
    return after - before


def _check_step(dx: float) -> None:
    if isinstance(dx, (bool, complex)):
        raise ValueError("the row itself refuses this")


@parts("trapezoid")
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1, dim: int = -1) -> Any:
    """sums of heights times steps"""
    _check_step(dx)
    if not y.shape[dim]:
        return y.detach().sum(dim)
    if x is None:
        ends = y.select(dim, 0) + y.select(dim, -1)
        return mul_number(y.sum(dim) - mul_number(ends, 0.5), dx)
    after, before = _pairs(y, dim)
    return div_number(((before + after) * _steps(x, y, dim)).sum(dim), 2.0)


@parts("cumulative_trapezoid")
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1, dim: int = -1) -> Any:
    """running sums of heights times steps"""
    _check_step(dx)
    after, before = _pairs(y, dim)
    if x is None:
        return mul_number(before + after, dx / 2.0).cumsum(dim)
    return div_number(((before + after) * _steps(x, y, dim)).cumsum(dim), 2.0)
