"""Parts without stored elements, and plain tensors to make parts of."""

from __future__ import annotations

import numpy as np

from ....dispatch.registry import OPS
from ....memory import MetaArray
from ....tensor.tensor import Tensor
from ....tensor.versions import counter_for_alias
from ....tensor.wrapping import alias_of, wrap, wrap_any, wrap_view
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


def shared(part: Tensor, of: Tensor, view: bool = False) -> Tensor:
    """A plain tensor on the memory of a part, whose writes are counted as writes of the sparse tensor."""
    if type(part._array) is not np.ndarray:
        return wrap_any(part._array, part._dtype)
    result = alias_of(part, share_version=False)
    result._counter = counter_for_alias(of)
    return wrap_view(part._array, result) if view else result


def plain(array: np.ndarray, d: dtypes.dtype) -> Tensor:
    """A plain tensor around a contiguous array of its own."""
    return wrap(np.ascontiguousarray(array) if array.ndim else array, d)
