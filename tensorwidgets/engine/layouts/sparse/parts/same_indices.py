"""Sparse tensors that share the parts of another one, with all of them or with new values."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn

import numpy as np

from ....errors.reasons import refuse
from ....tensor.keys import KEY_AUTOGRAD, KEY_CLASS, KEY_INFERENCE
from ....tensor.results import copy_to
from ....tensor.tensor import Tensor
from ....tensor.versions import bump_version, counter_for_alias
from ....tensor.wrapping import alias_of
from ....tensor.write_checks import check_cast
from .tensors import Compressed, Coordinates, around, int64, is_compressed, is_coo


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
        if not isinstance(value._array, (Coordinates, Compressed)):
            if is_coo(out) or is_compressed(out):
                _refuse_dense(value, out)
            return copy_to(out, value)
    if type(out._array) is not type(value._array):
        _refuse_dense(value, out)
    if value._dtype is not out._dtype:
        check_cast(value._dtype, out._dtype)
        from ....dispatch.registry import OPS

        value = with_values(value, OPS["to"].function(value._array.values, out._dtype))
    return replace(out, value)


def _refuse_dense(value: Tensor, out: Tensor) -> NoReturn:
    refuse(
        RuntimeError,
        "_internal_get_SparseTensorImpl: not a sparse tensor"
        if is_coo(value)
        else "Expected result Tensor to be of format CSR",
        f"the result has layout={value.layout}, and out= has layout={out.layout}",
        "out= of the layout of the result, or none",
        rule="sparse.out",
    )


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


def view_kernel(kernel: Callable) -> Callable:
    """Decorator: a kernel whose result PyTorch takes for a view, although it has indices of its own: a write to it
    counts for both.
    """

    @wraps(kernel)
    def viewed(input: Tensor, *args: Any, **named: Any) -> Tensor:
        result = kernel(input, *args, **named)
        if result is input:
            return result
        if result._base is not None:  # one of its numbers
            result = alias_of(result, share_version=False)
        result._counter = counter_for_alias(input)
        return result

    return viewed


_OWN_KEYS = KEY_AUTOGRAD | KEY_CLASS | KEY_INFERENCE


def replace(t: Tensor, new: Tensor, counts: bool = True) -> Tensor:
    """Replace a tensor's parts by another's: the last step of every in-place op that changes more than values. The
    tensor keeps its class and its place in the graph.
    """
    t._array, t._dtype = new._array, new._dtype
    t._keys = new._keys & ~_OWN_KEYS | t._keys & _OWN_KEYS
    if counts:
        bump_version(t)
    return t
