"""Sums and norms of sparse tensors. A sum over all sparse dimensions gives a dense result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...declare.by_parts import Made, chosen, computes
from ...declare.reductions import long_for_small, reduced_dims
from ...dispatch.registry import OPS, find
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...types import dtypes
from .accessors import no_backend
from .conversion import coo_of, of_coordinates
from .parts.checks import ready
from .parts.coalescing import coalesce
from .parts.same_indices import into
from .parts.tensors import COMPRESSED, COO, compressed_kernel, coo, coo_kernel, expects, int64, is_coo, layout_name

if TYPE_CHECKING:
    from ...types.dtypes import dtype

_sum = OPS["sum"].function


@coo_kernel("sum")
def sum_(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    d = dtype or long_for_small(input._dtype)
    dims = reduced_dims(dim, input._array.ndim)
    result = _summed(input, dims, d)
    if keepdim:
        for k in sorted(dims):
            result = OPS["unsqueeze"].function(result, k)
    return into(out, result)


def _summed(t: Tensor, dims: tuple[int, ...], wanted: dtypes.dtype | None) -> Tensor:
    parts = t._array
    ready(parts)
    n = parts.sparse_dim
    d = wanted or t._dtype
    dense = tuple([k - n + 1 for k in dims if k >= n])
    values = _sum(parts.values, dense, dtype=d) if dense else OPS["to"].function(parts.values, d)
    left = [k for k in range(n) if k not in dims]
    if len(left) == n and n:
        size = tuple([m for k, m in enumerate(parts.shape) if k not in dims])
        return (
            coo(parts.indices, values, size, parts.coalesced)
            if not dense
            else _together(parts.indices._array, values, size)
        )
    if not left:
        return _sum(values, 0, dtype=wanted)
    size = tuple([m for k, m in enumerate(parts.shape) if k not in dims])
    return _together(parts.indices._array[left], values, size)


def _together(indices: np.ndarray, values: Tensor, size: tuple[int, ...]) -> Tensor:
    return coalesce(coo(int64(indices), values, size))


def sum_of_all(t: Tensor, d: dtypes.dtype | None) -> Tensor:
    """The sum of the stored elements."""
    return _sum(coalesce(t)._array.values, dtype=d)


@computes(chosen)
def sparse_sum(input: Tensor, dim: int | Sequence[int] | None = None, dtype: dtype | None = None) -> Any:
    """torch.sparse.sum: the dtype stays, unless another is named."""
    if not is_coo(input):
        if dim is not None:
            no_backend(input, "_indices")
        expects(input, "coalesce", "sparse coordinate")
    if dim is None:
        return Made(lambda result: result, (sum_of_all, input, dtype))
    if isinstance(dim, (tuple, list)) and not dim:
        return input if dtype is None else OPS["to"].function(input, dtype)
    return Made(lambda result: result, (_summed, input, reduced_dims(dim, input._array.ndim), dtype))


@compressed_kernel("sum")
def sum_compressed(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    if out is not None and dim is not None:
        no_kernel(find("sum"), COMPRESSED, "sum.IntList_out")
    if dim is None:
        return into(out, _sum(input._array.values, dtype=dtype))
    if input._array.layout.name != "sparse_csr":
        refuse(
            RuntimeError,
            "Currently the only compressed sparse format supported for sum.dim_IntList is CSR, but got layout "
            + layout_name(input),
            "sums along rows and columns have one kernel",
            "x.to_dense()",
            rule="sparse.layout",
        )
    if not keepdim:
        refuse(
            RuntimeError,
            "reduction operations on CSR tensors with keepdim=False is unsupported",
            "a vector has no rows to be compressed",
            "keepdim=True",
            rule="sparse.keepdim",
        )
    dims = reduced_dims(dim, 2)
    d = dtype or long_for_small(input._dtype)
    t = OPS["to"].function(coo_of(input), d)
    indices = t._array.indices._array.copy()
    for k in dims:
        indices[k] = 0
    size = tuple([1 if k in dims else n for k, n in enumerate(input._array.shape)])
    return into(out, of_coordinates(_together(indices, t._array.values, size), input._array.layout))


@coo_kernel("norm")
def norm(
    input: Tensor,
    p: float | str = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: dtype | None = None,
) -> Tensor:
    if out is not None:
        no_kernel(find("norm"), COO, "norm.out")
    dims = () if dim is None else reduced_dims(dim, input._array.ndim)
    if keepdim and (not dims or len(dims) == input._array.ndim) or dtype is not None:
        refuse(
            RuntimeError,
            "norm_sparse currently does not support "
            + ("keepdim=True" if keepdim and (not dims or len(dims) == input._array.ndim) else "'dtype' argument"),
            "the result is one number of the dtype of the tensor",
            rule="sparse.norm",
        )
    if dims and len(dims) != input._array.ndim:
        refuse(
            RuntimeError,
            "norm_sparse currently only supports full reductions, so 'dim' must either be empty or "
            "contain all dimensions "
            "of the input",
            "a norm along some dimensions would leave a tensor",
            "x.to_dense().norm(dim=…)",
            rule="sparse.norm",
        )
    if input._dtype._kind < dtypes.FLOAT:
        refuse(
            RuntimeError,
            f"norm(): input dtype should be either floating point or complex. Got {input._dtype._type_name} instead.",
            "a norm of integers is rarely an integer",
            "x.float()",
            rule="norm.dtype",
        )
    return OPS["norm"].function(coalesce(input)._array.values.reshape(-1), p, dtype=dtype)


@coo_kernel("any")
def any_(input: Tensor, *args: Any, **named: Any) -> Tensor:
    if args or named:
        no_kernel(find("any"), COO, "any.dim" if named.get("out") is None else "any.out")
    return OPS["any"].function(coalesce(input)._array.values)
