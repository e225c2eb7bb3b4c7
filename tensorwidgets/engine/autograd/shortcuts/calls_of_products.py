"""How are products of matrices and of batches of matrices recorded with few steps in between?

As in `calls_of_rows`, None leaves a call to the general way, and the nodes are those of the ops that PyTorch makes a
product of: of batches of the same size, `expand` and a reshaping of each factor, then `bmm`.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...backends.numpy import matrix_products
from ...derivatives.declaring import TABLE
from ...dispatch.registry import OPS
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...tensor.wrapping import wrap, wrap_view
from ..saved import ABSENT
from ..saved_facts import like_array
from .calls_of_rows import edge_if_any, is_simple, record_call, version_of
from .calls_of_views import VIEW, derivative_of, lies_in_order, rows_of, viewed

MM, BMM, CLONE = TABLE["mm"][0], TABLE["bmm"][0], TABLE["clone"][0]
EXPAND, UNSAFE_VIEW = derivative_of("expand", "ExpandBackward0"), TABLE["_unsafe_view"][0]
RESHAPE_ALIAS = TABLE["_reshape_alias"][0]


def install() -> None:
    """Give the rows their quick way; runs once, when the first tensor requires a gradient."""
    assert MM.keeps == ("input_like", "mat2", "input", "mat2_like") and BMM.keeps == ("mat2", "input")
    assert EXPAND.keeps == UNSAFE_VIEW.keeps == RESHAPE_ALIAS.keeps == ("input_shape",) and not CLONE.keeps
    OPS["mm"].quick = mm
    OPS["matmul"].quick = matmul
    OPS["bmm"].quick = bmm


def _are_factors(args: tuple, more: dict) -> bool:
    """Whether these are two plain tensors of one dtype, and one of them requires a gradient."""
    if len(args) != 2 or more or state.__dict__ or not (is_simple(args[0]) and is_simple(args[1])):
        return False
    a, b = args
    if a._dtype is not b._dtype or not (a._array.size and b._array.size and a._array.ndim and b._array.ndim):
        return False
    # A view that was made under no_grad leads nowhere.
    return (not a._keys or edge_if_any(a) is not None) and (not b._keys or edge_if_any(b) is not None)


def mm(*args: Any, **more: Any) -> Tensor | None:
    """The product of two matrices."""
    if not _are_factors(args, more):
        return None
    x, y = args[0]._array, args[1]._array
    if x.ndim != 2 or y.ndim != 2 or x.shape[1] != y.shape[0] or not (args[0]._keys or args[1]._keys):
        return None
    return _product(args[0], args[1], np.empty((x.shape[0], y.shape[1]), x.dtype))


def _product(a: Tensor, b: Tensor, target: np.ndarray) -> Tensor:
    x, y = a._array, b._array
    matrix_products.matmul(x, y, target)
    first, second = edge_if_any(a), edge_if_any(b)
    values: tuple = (ABSENT, ABSENT) if first is None else (like_array(x, a._dtype), b)
    values += (ABSENT, ABSENT) if second is None else (a, like_array(y, b._dtype))
    versions = None if first is None else version_of(b), None if second is None else version_of(a)
    return record_call(MM, wrap(target, a._dtype), (first, second), values, (None, *versions, None))


def bmm(*args: Any, **more: Any) -> Tensor | None:
    """The products of two batches of matrices."""
    if not _are_factors(args, more):
        return None
    x, y = args[0]._array, args[1]._array
    if x.ndim != 3 or y.ndim != 3 or x.shape[0] != y.shape[0] or x.shape[2] != y.shape[1]:
        return None
    if not (args[0]._keys or args[1]._keys):
        return None
    return _products(args[0], args[1], np.empty((*x.shape[:2], y.shape[2]), x.dtype))


def _products(a: Tensor, b: Tensor, target: np.ndarray) -> Tensor:
    matrix_products.matmul(a._array, b._array, target)
    first, second = edge_if_any(a), edge_if_any(b)
    values = ABSENT if first is None else b, ABSENT if second is None else a
    versions = None if first is None else version_of(b), None if second is None else version_of(a)
    return record_call(BMM, wrap(target, a._dtype), (first, second), values, versions)


def matmul(*args: Any, **more: Any) -> Tensor | None:
    """The product of matrices, of a batch and a matrix, or of two batches of one size."""
    if not _are_factors(args, more):
        return None
    a, b = args
    x, y = a._array, b._array
    if not (a._keys or b._keys) or x.ndim < 2 or y.ndim < 2 or x.shape[-1] != y.shape[-2]:
        return None
    if x.ndim == 2:
        return _product(a, b, np.empty((x.shape[0], y.shape[1]), x.dtype)) if y.ndim == 2 else None
    target = np.empty((*x.shape[:-1], y.shape[-1]), x.dtype)
    if y.ndim == 2:
        rows = rows_of(a)
        if rows is None:
            return None
        return _as_fresh(_product(rows, b, target.reshape(-1, y.shape[1])), target)
    if x.shape[:-2] != y.shape[:-2]:
        return None
    left, right = _as_batch(a), _as_batch(b)
    if left is None or right is None:
        return None
    return _as_fresh(_products(left, right, target.reshape(-1, *target.shape[-2:])), target)


def _as_fresh(result: Tensor, target: np.ndarray) -> Tensor:
    """A result in other sizes that is not a view of it: nobody else has it."""
    size = result._array.shape
    return record_call(UNSAFE_VIEW, wrap(target, result._dtype), (result._origin,), (size,), None)


def _as_batch(t: Tensor) -> Tensor | None:
    """A batch of matrices with one dimension for the batch: expanded to its own size, and reshaped."""
    array = t._array
    size = prod(array.shape[:-2]), *array.shape[-2:]
    if not t._keys & KEY_AUTOGRAD:
        shaped = array.reshape(size)
        return wrap_view(shaped, t) if np.may_share_memory(shaped, array) else wrap(shaped, t._dtype)
    expanded = viewed(t, array[...], EXPAND, (array.shape,))
    if expanded is None or 1 in array.shape:
        return None
    if lies_in_order(array):
        return viewed(expanded, array.reshape(size), VIEW, (array.shape,))
    shaped = array.reshape(size)
    if np.may_share_memory(shaped, array):
        return viewed(expanded, shaped, RESHAPE_ALIAS, (array.shape,))
    copy = record_call(CLONE, wrap(shaped, t._dtype), (expanded._origin.node,), (), None)
    copy._origin.size = array.shape
    return record_call(UNSAFE_VIEW, wrap(shaped, t._dtype), (copy._origin,), (array.shape,), None)
