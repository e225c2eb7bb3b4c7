"""Parts without stored elements, and plain tensors to make parts of."""

from __future__ import annotations

import numpy as np

from ....dispatch.registry import OPS
from ....memory import MetaArray
from ....tensor.tensor import Tensor
from ....tensor.wrapping import wrap, wrap_any, wrap_view
from ....types import dtypes
from .tensors import coo


def zeros(size: tuple[int, ...], d: dtypes.dtype, meta: bool = False) -> Tensor:
    """A plain tensor of zeros."""
    if meta:
        from ....geometry import contiguous_stride

        strides = tuple([s * d.itemsize for s in contiguous_stride(size)])
        return wrap_any(MetaArray(size, strides, d._in_numpy), d)
    return OPS["zeros"].function(size, dtype=d)


def of_zeros(size: tuple[int, ...], sparse_dim: int, d: dtypes.dtype, meta: bool = False) -> Tensor:
    """A COO tensor without stored elements and with `sparse_dim` sparse dimensions."""
    return coo(
        zeros((sparse_dim, 0), dtypes.int64, meta), zeros((0, *size[sparse_dim:]), d, meta), size, True
    )  # fmt: skip


def shared(t: Tensor) -> Tensor:
    """Another plain tensor on the same memory."""
    return wrap_view(t._array, t) if type(t._array) is np.ndarray else wrap_any(t._array, t._dtype)


def plain(array: np.ndarray, d: dtypes.dtype) -> Tensor:
    """A plain tensor around a contiguous array of its own."""
    return wrap(np.ascontiguousarray(array) if array.ndim else array, d)
