"""Costs of ops that pick elements by indices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy import ndarray

from ...interop.foreign_arrays import is_array, is_storage
from ..counting import Shape, numel, shape, times, together
from .call import Call, Cost
from .linear import free

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor
    from ...types.dtypes import dtype


def getitem(call: Call) -> Cost:
    """Numbers and slices make a view; index arrays and masks make a copy."""
    x, key = call.args
    if is_storage(x):
        return Cost(x.size() if isinstance(key, slice) else 0, 100 * (x.size() if isinstance(key, slice) else 1))
    if not is_array(x):
        return Cost(work=2000 + 10 * len(x) if isinstance(key, slice) else 2000)
    keys = key if isinstance(key, tuple) else (key,)
    if not any(is_array(k) or isinstance(k, (list, tuple, range)) for k in keys):
        return free(call)
    n = _picked(shape(x), keys)
    read = sum(numel(k) for k in keys if is_array(k) or isinstance(k, (list, tuple)))
    return Cost(n, n * 20 + read * 100, n + 4 * read)


def _picked(size: Shape, keys: tuple) -> int:
    """Elements of x[key] where the key holds index arrays."""
    left, indices, at = list(size), [], 0
    for place, k in enumerate(keys):
        if k is Ellipsis:
            after = sum(_dims(j) for j in keys[place + 1 :])
            at = max(at, len(left) - after)
        elif is_array(k) or isinstance(k, (list, tuple, range)):
            one, dims = shape(k), _dims(k)
            indices.append((times(*one),) if dims != 1 or _is_mask(k) else one)
            for d in range(at, min(at + dims, len(left))):
                left[d] = 1
            at += dims
        elif k is not None:
            at += 1
    return times(together(indices), *left)


def _is_mask(k: Any) -> bool:
    if is_array(k):
        return str(k.dtype).rpartition(".")[2] in ("bool", "uint8")
    while isinstance(k, (list, tuple)) and k:
        k = k[0]
    return isinstance(k, bool) or is_array(k) and _is_mask(k)


def _dims(k: Any) -> int:
    """How many dimensions a part of a key takes up."""
    return 0 if k is None or k is Ellipsis else len(shape(k)) if _is_mask(k) else 1


def taken(
    call: Call, x: Tensor | ndarray | None, indices: ndarray | Sequence[int] | None, dim: bool | dtype | None
) -> Cost:
    """Whole rows by their numbers: `take(x, indices, axis)`."""
    return _rows(x, indices, dim)


def selected(call: Call, x: Tensor | ndarray, dim: Any, indices: ndarray | None) -> Cost:
    """The same in PyTorch's order: `index_select(x, dim, indices)`."""
    return _rows(x, indices, dim)


def _rows(x: Tensor | ndarray | None, indices: ndarray | Sequence[int] | None, dim: Any) -> Cost:
    if is_array(dim) and not is_array(indices):
        indices, dim = dim, indices
    many, size = numel(indices), shape(x)
    if dim is None:
        n = many
    elif type(dim) is int and -len(size) <= dim < len(size):
        n = times(many, *size[:dim], *size[dim:][1:])
    else:
        n = times(many, *size)
    return Cost(n, n * 20 + many * 20, n)


def written(call: Call) -> Cost:
    """A copy, and some of it written anew; where index arrays are stretched, their whole shape."""
    n = call.total + call.stretched
    return Cost(n, n * 60, n)


def indexed_writes(call: Call, x: Tensor, indices: int, values: ndarray) -> Cost:
    """x[indices] = values, as a function."""
    keys = tuple(indices) if isinstance(indices, (list, tuple)) else (indices,)
    n = _picked(shape(x), keys)
    return Cost(numel(x), n * 60 + numel(x) * 4 + numel(values) * 4, n + numel(x))
