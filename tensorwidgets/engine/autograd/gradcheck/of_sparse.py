"""as_sparse_gradcheck: how is the gradient of a sparse tensor checked? As that of its values, which are strided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...derivatives.ops import torch
from ...tensor.tensor import Tensor
from ...types import formats

_SPARSE = frozenset(
    (formats.sparse_coo, formats.sparse_csr, formats.sparse_csc, formats.sparse_bsr, formats.sparse_bsc)
)


def as_sparse_gradcheck(gradcheck: Callable) -> Callable:
    """A `gradcheck` that also takes functions of sparse tensors, and functions that return some.

    >>> import tensorwidgets as torch
    >>> check = torch.sparse.as_sparse_gradcheck(torch.autograd.gradcheck)
    >>> x = torch.tensor([[0.0, 1.0], [2.0, 3.0]], dtype=torch.float64).to_sparse().requires_grad_()
    >>> check(lambda x: x * 2, x)
    True
    """

    def gradcheck_with_sparse_support(func: Callable, inputs: Any, **kwargs: Any) -> Any:
        masked = kwargs.pop("masked", False)
        given = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
        pairs = [_by_values(each, masked) if _is_checked(each) else (each, _itself) for each in given]

        def of_values(*values: Any, **named: Any) -> Any:
            results = func(*[make(value) for value, (_, make) in zip(values, pairs, strict=True)], **named)
            if isinstance(results, (list, tuple)):
                return tuple(_dense(each, masked) for each in results)
            return _dense(results, masked)

        return gradcheck(of_values, tuple(values for values, _ in pairs), **kwargs)

    return gradcheck_with_sparse_support


def _is_checked(value: Any) -> bool:
    return isinstance(value, Tensor) and value.requires_grad and value.layout in _SPARSE


def _itself(value: Any) -> Any:
    return value


def _dense(result: Any, masked: bool) -> Any:
    return result.to_dense(masked_grad=masked) if _is_checked(result) else result


def _by_values(t: Any, masked: bool) -> tuple[Tensor, Callable[[Any], Any]]:
    """The values of a sparse tensor, and a function that makes it of values. Unless `masked`, it stores all zeros."""
    if not masked:
        t = t.to_dense().sparse_mask(_everywhere(t))
    t = t.detach()
    size, layout = tuple(t.shape), t.layout
    if t.layout is formats.sparse_coo:
        indices, values, coalesced = t._indices(), t._values(), t.is_coalesced()
        return values.requires_grad_(), lambda new: torch.sparse_coo_tensor(indices, new, size, is_coalesced=coalesced)
    by_rows = layout in (formats.sparse_csr, formats.sparse_bsr)
    outer, inner = (t.crow_indices(), t.col_indices()) if by_rows else (t.ccol_indices(), t.row_indices())
    return t.values().requires_grad_(), lambda new: torch.sparse_compressed_tensor(
        outer, inner, new, size, layout=layout
    )


def _everywhere(t: Any) -> Any:
    """A mask of the layout of a sparse tensor that stores every place."""
    ones, dense = torch.ones(tuple(t.shape), dtype=torch.bool), t.dense_dim()
    if t.layout is formats.sparse_coo:
        return ones.to_sparse(t.dim() - dense)
    batch = t.dim() - dense - 2
    blocks = t.values().shape[batch + 1 : batch + 3] if t.layout in (formats.sparse_bsr, formats.sparse_bsc) else None
    return ones.to_sparse(layout=t.layout, blocksize=blocks, dense_dim=dense)
