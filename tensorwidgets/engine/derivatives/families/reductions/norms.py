"""Norms of vectors and matrices, the distance of two tensors, and renorm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....ops.linalg.norms import check_dtype
from ...declaring import differentiate, parts
from ...helpers import converts, no_sparse_kernel
from ...ops import torch
from ...reduced import dims_of, opened
from ..views import wrapped

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor
    from ....types.dtypes import dtype

INF = float("inf")


def of_norm(grad: Tensor, x: Tensor, norm: Tensor, order: float, dim: int | Sequence[int] | None, keepdim: bool) -> Any:
    """The gradient of a p-norm; None for p = 0, which only counts. It is 0 where the norm is."""
    p = 2.0 if order is None else float(order)
    if dim is not None:
        grad, norm = opened(grad, dim, x.dim(), keepdim), opened(norm, dim, x.dim(), keepdim)
    if p == 0:
        return None
    if p == 1:
        return x.sgn() * grad
    if p == 2:
        return grad * (x / norm).masked_fill_(norm == 0, 0)  # in place, which keeps the strides
    if abs(p) == INF:
        size = x.abs()
        chosen = size.eq(norm).logical_or(size.isnan())
        return x.sgn() * (grad / chosen.sum(dims_of(dim, x.dim()), keepdim=True) * chosen)
    if p < 1:
        return x.sgn() * x.abs().pow(p - 1).masked_fill(x == 0, 0) * grad * norm.pow(1 - p)
    powers = x.sgn() * x.abs().pow(p - 1) if p < 2 else x * x.abs().pow(p - 2)
    return powers * (grad / norm.pow(p - 1)).masked_fill(norm == 0, 0)


# -- vectors -----------------------------------------------------------------------------------------------------


@parts("linalg.vector_norm", when=converts)
def vector_norm(
    input: Tensor, ord: float | str | None = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Any:
    """to, and linalg.vector_norm"""
    check_dtype("linalg.vector_norm", input, dtype)
    return torch.linalg.vector_norm(input.to(dtype), ord, dim, keepdim)


differentiate(
    "linalg.vector_norm",
    input=lambda grad, input, result, ord=2, dim=None, keepdim=False: of_norm(grad, input, result, ord, dim, keepdim),
)
differentiate(
    "frobenius_norm",
    node="NormBackward1",
    input=lambda grad, input, result, dim, keepdim=False: of_norm(grad, input, result, 2, dim or None, keepdim),
)
differentiate(
    "_norm_of_all",
    node="NormBackward0",
    input=lambda grad, input, result, p: of_norm(grad, input, result, p, None, False),
)
differentiate(
    "_norm_along",
    node="NormBackward1",
    input=lambda grad, input, result, p, dim, keepdim: of_norm(grad, input, result, p, dim, keepdim),
)


# -- matrices ----------------------------------------------------------------------------------------------------


@parts("linalg.matrix_norm")
def matrix_norm(
    input: Tensor,
    ord: Any = "fro",
    dim: tuple[int, ...] = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: dtype | None = None,
) -> Any:
    """linalg.vector_norm, or amax, amin or sum of norms or singular values"""
    check_dtype("linalg.matrix_norm", input, dtype)
    rows, columns = (wrapped(d, input.dim()) for d in dim)
    if ord not in ("fro", "nuc") and (isinstance(ord, str) or abs(ord) not in (1, 2, INF)):
        raise ValueError("the row itself refuses this")
    if ord == "fro":
        return torch.linalg.vector_norm(input, 2, (rows, columns), keepdim, dtype=dtype)
    if ord == "nuc" or abs(ord) == 2:
        if input.dtype in (torch.bfloat16, torch.float16):
            raise ValueError("the row itself refuses this")
        return _by_singular_values(input, ord, rows, columns, keepdim, dtype)
    if abs(ord) == INF:
        rows, columns = columns, rows
    columns -= columns > rows and not keepdim
    sums = torch.linalg.vector_norm(input, 1, rows, keepdim, dtype=dtype)
    return _largest(sums, columns, keepdim) if ord > 0 else sums.amin(columns, keepdim)


def _largest(values: Tensor, dim: int, keepdim: bool) -> Any:
    """The largest numbers; of none of them 0, which does not depend on the matrix."""
    return values.amax(dim, keepdim) if values.shape[dim] else values.detach().sum(dim, keepdim)


def _by_singular_values(input: Tensor, ord: Any, rows: int, columns: int, keepdim: bool, dtype: Any) -> Any:
    ndim = input.dim()
    order = [*(d for d in range(ndim) if d not in (rows, columns)), rows, columns]
    moved = (input if dtype is None or dtype == input.dtype else input.to(dtype)).permute(order)
    values = torch.linalg.svdvals(moved)
    if ord == "nuc":
        result = values.sum(-1, keepdim)
    else:
        result = _largest(values, -1, keepdim) if ord > 0 else values.amin(-1, keepdim)
    if not keepdim:
        return result
    return result.unsqueeze(-1).permute([order.index(d) for d in range(ndim)])


@parts("linalg.norm")
def linalg_norm(
    input: Tensor,
    ord: int | str | None = None,
    dim: tuple[int, ...] | None = None,
    keepdim: bool = False,
    *,
    dtype: dtype | None = None,
) -> Any:
    """linalg.vector_norm or linalg.matrix_norm"""
    dims = dim if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    if ord is None and (dims is None or len(dims) in (1, 2)):
        return torch.linalg.vector_norm(input, 2, dim, keepdim, dtype=dtype)
    count = len(dims) if dims is not None else input.dim()
    if count not in (1, 2):
        raise ValueError("the row itself refuses this")
    if isinstance(ord, str) or count == 2:
        return torch.linalg.matrix_norm(input, ord, (-2, -1) if dims is None else dims, keepdim, dtype=dtype)
    return torch.linalg.vector_norm(input, ord, dims, keepdim, dtype=dtype)


differentiate("norm", node="NormBackward1", when=lambda call: call["input"].is_sparse,
              input=lambda grad, input, p: _of_sparse(grad, input, p))  # fmt: skip


def _of_sparse(grad: Tensor, input: Tensor, p: Any) -> Any:
    """The gradient of the sum of absolute values; of the other norms PyTorch lacks a kernel."""
    if p == 0:
        return None
    if p == 1:
        return input.sgn() * grad
    return no_sparse_kernel(
        "masked_fill_.Scalar" if p in (2, "fro", None) else "pow_.Scalar" if p < INF else "eq.Tensor"
    )


@parts("norm")
def norm(
    input: Tensor,
    p: float | str = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: dtype | None = None,
) -> Any:
    """linalg.vector_norm, or linalg.matrix_norm for the nuclear norm"""
    if p == "nuc":
        dims = dim if dim is not None else tuple(range(input.dim()))
        return torch.linalg.matrix_norm(input, p, dims, keepdim, dtype=dtype)
    return torch.linalg.vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype)


# -- what is made of norms ---------------------------------------------------------------------------------------


def of_distance(grad: Tensor, input: Tensor, other: Tensor, result: Tensor, p: int) -> Any:
    """The gradient of the norm of a difference."""
    return of_norm(grad, input - other, result, p, None, False)


differentiate("dist", casts=False,
              input=lambda grad, input, other, result, p=2: of_distance(grad, input, other, result, p),
              other=lambda grad, input, other, result, p=2: -of_distance(grad, input, other, result, p))  # fmt: skip


def of_renorm(grad: Tensor, x: Tensor, p: float, dim: int, maxnorm: float) -> Any:
    """The gradient of slices that were scaled down where their norm was too large."""
    others = tuple(d for d in range(x.dim()) if d != dim % x.dim())
    norm = torch.linalg.vector_norm(x, p, others, True)
    along = x.conj() * grad
    along = (along.real if along.is_complex() else along).sum(others, keepdim=True)
    inverse = (norm + 1e-7).reciprocal()
    scaled = maxnorm * inverse * (grad - inverse * of_norm(along, x, norm, p, others, True))
    return torch.where(norm > maxnorm, scaled, grad)


differentiate("renorm", input=lambda grad, input, p, dim, maxnorm: of_renorm(grad, input, p, dim, maxnorm))
