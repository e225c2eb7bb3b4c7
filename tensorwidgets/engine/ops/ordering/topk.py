"""Partial sorting: topk and kthvalue."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...backends.numpy.packed_sort import keys_of
from ...backends.numpy.unstable_sort_order import TOLD_APART, heaped_positions, kth_position, selected_positions
from ...declare.by_signature import calls, out_apart, same_dtype
from ...declare.rules import Answer, Result
from ...errors.reasons import refuse
from ...tensor.lookups import checked_dim
from ...tensor.results import check_out
from ...tensor.tensor import Tensor
from ...tensor.write_checks import check_no_internal_overlap, check_no_overlap, check_no_partial_overlap
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX
from .sorting import FIELDS, Pair, alike, comparable, no_order, order_of, pair, ranks, taken


def _rows(array: np.ndarray, axis: int) -> np.ndarray:
    """Move a dimension to the end, in a dtype that NumPy can compare."""
    moved = comparable(array)
    if axis != array.ndim - 1:
        moved = np.moveaxis(moved, axis, -1)
    return np.ascontiguousarray(moved, like=moved).reshape(-1, moved.shape[-1])


def top_places(rows: np.ndarray, k: int, largest: bool, in_order: bool) -> np.ndarray:
    """Returns the indices of the first k elements of each row.

    >>> top_places(np.array([[3, 9, 4]]), 2, True, True)
    array([[1, 2]])
    """
    n = rows.shape[1]
    if rows.size <= FEW and type(rows) is np.ndarray:
        return np.array([_top_of_few(row, k, in_order) for row in _keys(rows, largest).tolist()], np.int64)
    result, values = _partitioned(rows, k, largest) if k * 4 < n else _ordered(rows, k, largest)
    if n > TOLD_APART or type(rows) is not np.ndarray:  # elsewhere the order of equal elements is not PyTorch's
        return result
    last = values[:, -1:]
    tied = alike(values[:, 1:], values[:, :-1]).any(axis=1) | (alike(rows, last).sum(1) > alike(values, last).sum(1))
    for i in np.flatnonzero(tied | (not in_order and k * 64 > n)):
        if k * 64 <= n:
            result[i] = heaped_positions(_keys(rows[i], largest), k)
        else:
            order = order_of(rows[i], 0, largest)
            result[i] = selected_positions(ranks(rows[i][order], order), k, in_order)
    return result


FEW = 64
"""Up to so many elements, Python's numbers are quicker than arrays."""


def _keys(rows: np.ndarray, largest: bool) -> np.ndarray:
    """Whole numbers, the largest for what is first."""
    keys = keys_of(comparable(rows))
    assert keys is not None
    return keys if largest else ~keys


def _top_of_few(keys: list[int], k: int, in_order: bool) -> list[int] | np.ndarray:
    if k * 64 <= len(keys) or in_order and len(set(keys)) == len(keys):
        return sorted(range(len(keys)), key=keys.__getitem__, reverse=True)[:k]
    return selected_positions(np.array(_ranks_of_few(keys, reverse=True)), k, in_order)


def _ranks_of_few(keys: list[int], reverse: bool = False) -> list[int]:
    rank = {key: i for i, key in enumerate(sorted(set(keys), reverse=reverse))}
    return [rank[key] for key in keys]


def _ordered(rows: np.ndarray, k: int, largest: bool) -> tuple[np.ndarray, np.ndarray]:
    order = order_of(rows, 1, largest)[:, :k]
    return order, np.take_along_axis(rows, order, 1)


def _partitioned(rows: np.ndarray, k: int, largest: bool) -> tuple[np.ndarray, np.ndarray]:
    """Without a full sort; of elements that are equal to the last some are taken, as they stand."""
    n = rows.shape[1]
    some = np.argpartition(rows, n - k if largest else k - 1, axis=1)
    some = np.sort(some[:, n - k :] if largest else some[:, :k], axis=1)
    order, values = _ordered(np.take_along_axis(rows, some, 1), k, largest)
    return np.take_along_axis(some, order, 1), values


def fill_top(targets: Pair, array: np.ndarray, axis: int, k: int, largest: bool, in_order: bool) -> None:
    values, indices = targets
    if not array.ndim:
        indices[...], values[...] = 0, array
    elif values.size:
        result = top_places(_rows(array, axis), k, largest, in_order)
        size = values.shape
        if axis == array.ndim - 1:
            indices[...] = result.reshape(size)
        else:
            indices[...] = np.moveaxis(result.reshape((*size[:axis], *size[axis + 1 :], k)), -1, axis)
        values[...] = taken(array, indices, axis)


@calls(
    "topk",
    "Returns the k largest or smallest elements along a dimension, and their indices.",
    category="comparison",
    kernel=fill_top,
    returns=("topk", FIELDS),
)
def topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True, out: Sequence[Tensor] | None = None
) -> Answer:
    values, indices = pair(out)
    axis = checked_dim(dim, input._array.ndim)
    shape = input._array.shape
    if not 0 <= k <= (shape[axis] if shape else 1):
        refuse(
            RuntimeError,
            "selected index k out of range",
            f"dimension {axis} has {shape[axis] if shape else 1} elements, and {k} are asked for",
            f"k={shape[axis] if shape else 1}, which is all of them",
            rule="topk.k",
            k=k,
        )
    same_dtype(values, input._dtype)
    same_dtype(indices, dtypes.int64)
    no_order("topk", input._dtype)
    if input._dtype is dtypes.bool_:
        refuse(
            RuntimeError,
            "topk does not support bool dtypes on CPU",
            "topk does not support bool",
            "x.int()",
            rule="topk.bool",
        )
    for each in (values, indices):
        if each is not None:
            check_no_internal_overlap(each)
            check_no_partial_overlap(each, input)
    size = (*shape[:axis], k, *shape[axis + 1 :]) if shape else ()
    results = Result(size, input._dtype), Result(size, dtypes.int64)
    return results, (input._array, axis, k, largest, sorted)


def fill_kth(targets: Pair, array: np.ndarray, axis: int, k: int) -> None:
    values, indices = targets
    if not array.size:
        return
    if not array.ndim:
        indices[...], values[...] = 0, array
        return
    kept = (*array.shape[:axis], 1, *array.shape[axis + 1 :])
    places = _kth(array, axis, k - 1).reshape(kept)
    indices[...] = places.reshape(indices.shape)
    values[...] = taken(array, places, axis).reshape(values.shape)


@calls(
    "kthvalue",
    "Returns the k-th smallest element along a dimension, and its index.",
    category="comparison",
    kernel=fill_kth,
    returns=("kthvalue", FIELDS),
)
def kthvalue(
    input: Tensor, k: int, dim: int = -1, keepdim: bool = False, out: Sequence[Tensor] | None = None
) -> Answer:
    values, indices = pair(out)
    if values is not None and values._dtype is not input._dtype:
        refuse(
            RuntimeError,
            "output values must be of same type as input",
            f"the elements are of {input._dtype}, and the first of out= is of {values._dtype}",
            rule="out.dtype",
        )
    axis = checked_dim(dim, input._array.ndim)
    shape = input._array.shape
    if shape and not shape[axis]:
        refuse(
            IndexError,
            f"kthvalue(): Expected reduction dim {axis} to have non-zero size.",
            "the tensor has no elements",
            rule="kthvalue.empty",
        )
    if not 1 <= k <= (shape[axis] if shape else 1):
        refuse(
            RuntimeError,
            f"kthvalue(): selected number k out of range for dimension {axis}",
            f"the dimension has {shape[axis] if shape else 1} elements, counted from 1, and k is {k}",
            rule="kthvalue.k",
            k=k,
        )
    if values is not None and indices is not None:
        for each in (values, indices):
            out_apart(each, input)
        check_no_overlap(values, indices)
    if shape and (input._dtype is dtypes.bool_ or input._dtype._kind == COMPLEX):
        refuse_dtype("kthvalue_cpu", input._dtype)
    same_dtype(values, input._dtype)
    check_out(dtypes.int64, indices, "output indices must be of scalar type {Wanted}")
    kept = (*shape[:axis], 1, *shape[axis + 1 :]) if shape else ()
    size = kept if keepdim or not shape else (*shape[:axis], *shape[axis + 1 :])
    return (Result(size, input._dtype), Result(size, dtypes.int64)), (input._array, axis, k)


def _kth(array: np.ndarray, axis: int, k: int) -> np.ndarray:
    rows = _rows(array, axis)
    n = rows.shape[1]
    if n > TOLD_APART:
        return np.argpartition(rows, k, axis=1)[:, k]
    if rows.size <= FEW and type(rows) is np.ndarray:
        return np.array([kth_position(np.array(_ranks_of_few(row)), k) for row in _keys(rows, True).tolist()])
    order = order_of(rows, 1)
    values = np.take_along_axis(rows, order, 1)
    result = order[:, k]
    for i in np.flatnonzero(alike(values, values[:, k : k + 1]).sum(axis=1) > 1):
        result[i] = kth_position(ranks(values[i], order[i]), k)
    return result
