"""Sparse tensors that share the parts of another one, with all of them or with new values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors.reasons import refuse
from ....tensor.tensor import Tensor
from ....tensor.versions import bump_version
from .tensors import Compressed, Coordinates, around, int64, is_coo


def with_values(t: Tensor, values: Tensor, coalesced: bool | None = None, apart: bool = False) -> Tensor:
    """A tensor with the same indices, or a copy of them, and these values."""
    parts = t._array
    if is_coo(t):
        flag = parts.coalesced if coalesced is None else coalesced
        indices = parts.indices
        if apart or not indices._array.flags.c_contiguous:  # which PyTorch's copies are
            indices = int64(np.array(indices._array, order="C"))
        return around(Coordinates(indices, values, parts.shape, flag, parts.checked))
    return around(Compressed(parts.layout, parts.outer, parts.inner, values, parts.shape, parts.checked))


def into(out: Any, value: Tensor) -> Tensor:
    """The result, or `out=` after it was set to the result."""
    if out is None:
        return value
    if is_coo(out) or not isinstance(value._array, (Coordinates, Compressed)):
        from ....dispatch.registry import OPS

        if not isinstance(value._array, (Coordinates, Compressed)):
            if out._array.shape != value._array.shape:
                OPS["resize_"].function(out, *value._array.shape)
            return OPS["copy_"].function(out, value)
    if type(out._array) is not type(value._array):
        refuse(
            RuntimeError,
            "_internal_get_SparseTensorImpl: not a sparse tensor"
            if is_coo(value)
            else "Expected result Tensor to be of format CSR",
            f"the result has layout={value.layout}, and out= has layout={out.layout}",
            "out= of the layout of the result, or none",
            rule="sparse.out",
        )
    return replace(out, value)


def expected(what: str, because: str) -> None:
    """Refuse in the words of PyTorch's checks of what its own code expects."""
    refuse(
        RuntimeError,
        f"Expected {what} to be true, but got false.  (Could this error message be improved?  If so, please report an "
        "enhancement request to PyTorch.)",
        because,
        rule="sparse.out",
    )


def again(t: Tensor, *, keep_flag: bool = False) -> Tensor:
    """Another tensor with the same parts."""
    parts = t._array
    result = around(
        Coordinates(parts.indices, parts.values, parts.shape, parts.coalesced, parts.checked)
        if is_coo(t)
        else Compressed(parts.layout, parts.outer, parts.inner, parts.values, parts.shape, parts.checked)
    )
    result._requires_grad = keep_flag and t._requires_grad
    return result


def replace(t: Tensor, new: Tensor) -> Tensor:
    """Replace a tensor's parts by another's: the last step of every in-place op that changes more than values."""
    t._array, t._dtype = new._array, new._dtype
    t._keys = new._keys
    bump_version(t)
    return t
