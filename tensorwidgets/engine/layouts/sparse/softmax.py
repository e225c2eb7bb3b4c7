"""Softmax over the kept elements: what is left out counts as minus infinity and stays out."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...declare.by_signature import no_kernel as no_dtype
from ...dispatch.registry import OPS
from ...tensor.tensor import Tensor, checked_dim, wrap
from ...types import dtypes
from .accessors import no_backend
from .parts.coalescing import coalesce, in_order, linear
from .parts.same_indices import with_values
from .parts.tensors import is_coo


def softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Along one dimension the kept elements become shares of 1."""
    return _along(input, dim, dtype, "softmax")


def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """The logarithm of softmax."""
    return _along(input, dim, dtype, "log_softmax")


def _along(input: Tensor, dim: int, dtype: Any, name: str) -> Tensor:
    if not is_coo(input):
        no_backend(input, f"_sparse_{name}")
    t = coalesce(input if dtype is None else OPS["to"].function(input, dtype))
    if t._dtype not in (dtypes.float32, dtypes.float64) and t._array.size:
        no_dtype(name, t._dtype)
    parts = t._array
    dim = checked_dim(dim, parts.ndim)
    n = parts.sparse_dim
    if dim >= n:
        return with_values(t, OPS[name].function(parts.values, dim - n + 1))
    others = [k for k in range(n) if k != dim]
    keys = linear(parts.indices._array[others], tuple([parts.shape[k] for k in others]))
    return with_values(t, wrap(_by_group(parts.values._array, keys, name), t._dtype))


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
