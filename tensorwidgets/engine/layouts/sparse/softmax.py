"""Softmax over the kept elements: what is left out counts as minus infinity and stays out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...declare.by_parts import Made, computes
from ...dispatch.registry import OPS
from ...tensor.lookups import checked_dim
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from .accessors import no_backend
from .parts.coalescing import coalesce, in_order, linear
from .parts.same_indices import with_values
from .parts.tensors import fresh, is_coo

if TYPE_CHECKING:
    from ...types.dtypes import dtype


def _by_group(values: np.ndarray, keys: np.ndarray, name: str) -> np.ndarray:
    """Softmax within groups of equal keys."""
    if not len(keys):
        return values
    keys, order = in_order(keys)
    begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    lengths = np.diff(np.append(begins, len(keys)))
    wide = values[order].astype(np.float32 if values.itemsize == 2 else values.dtype, copy=False)
    wide = wide - np.repeat(np.maximum.reduceat(wide, begins), lengths, axis=0)
    powers = np.exp(wide)
    sums = np.repeat(np.add.reduceat(powers, begins), lengths, axis=0)
    result = np.empty_like(values)
    result[order] = powers / sums if name == "softmax" else wide - np.log(sums)
    return result


def shares(input: Tensor, dim: int, d: dtype | None, name: str) -> Tensor:
    """The kernel of both: softmax of the values along a dimension, sparse or dense."""
    t = coalesce(input if d is None else OPS["to"].function(input, d))
    parts, n = t._array, t._array.sparse_dim
    if dim >= n:
        return with_values(t, OPS[name].function(parts.values, dim - n + 1), apart=True)
    others = [k for k in range(n) if k != dim]
    keys = linear(parts.indices._array[others], tuple([parts.shape[k] for k in others]))
    return with_values(t, fresh(_by_group(parts.values._array, keys, name), t._dtype), apart=True)


def _along(input: Tensor, dim: int, dtype: dtype | None, name: str) -> Made:
    if not is_coo(input):
        no_backend(input, f"_sparse_{name}")
    d = input._dtype if dtype is None else dtype
    if d not in (dtypes.float32, dtypes.float64) and input._array.size:
        refuse_dtype(name, d)
    return Made(lambda result: result, (input, checked_dim(dim, input._array.ndim), dtype, name))


@computes(shares)
def softmax(input: Tensor, dim: int, dtype: dtype | None = None) -> Made:
    """Along one dimension the kept elements become shares of 1."""
    return _along(input, dim, dtype, "softmax")


@computes(shares)
def log_softmax(input: Tensor, dim: int, dtype: dtype | None = None) -> Made:
    """The logarithm of softmax."""
    return _along(input, dim, dtype, "log_softmax")
