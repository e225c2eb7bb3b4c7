"""Variances and standard deviations, covariances and correlations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....errors.warnings import warn
from ....ops.linalg.distances import check_cov
from ...declaring import differentiate, parts
from ...helpers import over, times
from ...number_rows import mul_number, sub_number
from ...ops import torch
from ...reduced import count_of, dims_of, opened

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


def _freedom(
    shape: tuple[int, ...], dim: int | Sequence[int] | None, correction: float | None, unbiased: bool | None
) -> float:
    """How many elements count; `unbiased` is an old way to say that the correction is 1."""
    if unbiased is not None:
        correction = int(unbiased)
    return count_of(shape, dim) - (1 if correction is None else correction)


def of_variance(
    grad: Tensor,
    x: Tensor,
    dim: int | Sequence[int] | None,
    correction: float | None,
    unbiased: bool | None,
    keepdim: bool,
) -> Any:
    """The gradient of a variance: twice the distance from the mean."""
    dims = dims_of(dim, x.dim())
    free = _freedom(tuple(x.shape), dim, correction, unbiased)
    if dim is None:
        mean = x.mean()
    else:
        grad = opened(grad, dim, x.dim(), keepdim or x.dim() == 1)
        mean = x.mean(dims, keepdim=True) if dims else x
    if free <= 0 and (dim is None or not x.dim()):
        return grad * torch.where(x == mean, float("nan"), float("inf"))
    return times(grad, 2.0 / free if free else float("inf")) * (x - mean)


def of_deviation(
    grad: Tensor,
    result: Tensor,
    x: Tensor,
    dim: int | Sequence[int] | None,
    correction: float | None,
    unbiased: bool | None,
    keepdim: bool,
) -> Any:
    """The gradient of a standard deviation; 0 where there is none."""
    own = (grad / times(result, 2)).masked_fill(result == 0, 0)
    return of_variance(own, x, dim, correction, unbiased, keepdim)


def of_mean(grad: Tensor, shape: tuple[int, ...], dim: int | Sequence[int] | None, keepdim: bool) -> Any:
    """The gradient of a mean."""
    return over(opened(grad, dim, len(shape), keepdim).expand(shape), count_of(shape, dim))


def both(
    of_first: Callable[..., Any], grads: tuple, shape: tuple[int, ...], dim: int | Sequence[int] | None, keepdim: bool
) -> Any:
    """The gradient of a variance or deviation that came with its mean."""
    first = None if grads[0] is None else of_first(grads[0])
    second = None if grads[1] is None else of_mean(grads[1], shape, dim, keepdim)
    return second if first is None else first if second is None else first + second


differentiate(
    "var",
    input=lambda grad, input, dim=None, correction=None, unbiased=None, keepdim=False: of_variance(
        grad, input, dim, correction, unbiased, keepdim),
)  # fmt: skip
differentiate(
    "std",
    input=lambda grad, input, result, dim=None, correction=None, unbiased=None, keepdim=False: of_deviation(
        grad, result, input, dim, correction, unbiased, keepdim),
)  # fmt: skip
differentiate(
    "var_mean",
    input=lambda grads, input, dim=None, correction=None, unbiased=None, keepdim=False: both(
        lambda grad: of_variance(grad, input, dim, correction, unbiased, keepdim),
        grads, tuple(input.shape), dim, keepdim),
)  # fmt: skip
differentiate(
    "std_mean",
    input=lambda grads, input, result, dim=None, correction=None, unbiased=None, keepdim=False: both(
        lambda grad: of_deviation(grad, result, input, dim, correction, unbiased, keepdim),
        grads, tuple(input.shape), dim, keepdim),
)  # fmt: skip


@parts("cov")
def cov(input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Any = None) -> Any:
    """sum, div, sub and mm"""
    check_cov(input, fweights, aweights)
    x = input.view(1, -1) if input.dim() < 2 else input
    weights = fweights if aweights is None else aweights if fweights is None else fweights * aweights
    total = torch.tensor(x.shape[1], device=x.device) if weights is None else weights.sum()
    if weights is not None and total.item() == 0:
        raise ValueError("the row itself refuses this")
    mean = (x if weights is None else x * weights).sum(1) / total
    if aweights is None:
        free = sub_number(total, correction)
    else:
        free = total - mul_number((weights * aweights).sum(), correction) / total if correction != 0 else total
    if free.item() <= 0:
        warn("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.")
        free = torch.zeros_like(free)
    apart = x - mean.unsqueeze(1)
    weighted = apart if weights is None else apart * weights
    products = apart.mm(weighted.t().conj())
    if products.is_complex() and products.numel() == 1:
        products = torch.complex(products.real, torch.zeros_like(products.real))
    return (products / free).squeeze()


@parts("corrcoef")
def corrcoef(input: Tensor) -> Any:
    """cov, divided by the deviations of rows and columns"""
    c = torch.cov(input)
    if not c.dim():
        return c / c
    variances = c.diagonal()
    deviations = (variances.real if c.is_complex() else variances).sqrt()
    c = c / deviations.view(-1, 1) / deviations.view(1, -1)
    if c.is_complex():
        return torch.complex(c.real.clamp(-1, 1), c.imag.clamp(-1, 1))
    return c.clamp(-1, 1)
