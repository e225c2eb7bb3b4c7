"""Sums and softmax of sparse tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...backward_rows import sparse_softmax_backward, sparse_sum_backward
from ...declaring import differentiate, parts, refused
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor
    from ....types.dtypes import dtype

refused("_sparse_softmax_backward_data _sparse_log_softmax_backward_data _sparse_sum_backward")

# -- sums --------------------------------------------------------------------------------------------------------


@parts("sparse.sum", when=lambda call: call.get("dim") is None)
def _sum_of_values(input: Tensor, dim: Any = None, dtype: dtype | None = None) -> Any:
    """input.coalesce().values().sum()"""
    return input.coalesce().values().sum(dtype=dtype)


@parts("sparse.sum", when=lambda call: call.get("dtype") is not None)
def _sum_of_converted(input: Tensor, dim: int, dtype: dtype) -> Any:
    """sparse.sum of input.to(dtype)"""
    return torch.sparse.sum(input.to(dtype), dim)


differentiate("sparse.sum", input=lambda grad, input, dim: sparse_sum_backward(grad, input, dim))

# -- softmax -----------------------------------------------------------------------------------------------------


@parts("sparse.softmax", when=lambda call: call.get("dtype") is not None)
def _softmax_of_converted(input: Tensor, dim: int, dtype: dtype) -> Any:
    """sparse.softmax of input.to(dtype)"""
    return torch.sparse.softmax(input.to(dtype), dim)


@parts("sparse.log_softmax", when=lambda call: call.get("dtype") is not None)
def _log_softmax_of_converted(input: Tensor, dim: int, dtype: Any) -> Any:
    """sparse.log_softmax of input.to(dtype)"""
    return torch.sparse.log_softmax(input.to(dtype), dim)


differentiate(
    "sparse.softmax",
    input=lambda grad, result, input, dim: sparse_softmax_backward["_sparse_softmax_backward_data"](
        grad, result, input, dim
    ),
)
differentiate(
    "sparse.log_softmax",
    input=lambda grad, result, input, dim: sparse_softmax_backward["_sparse_log_softmax_backward_data"](
        grad, result, input, dim
    ),
)
