"""Sorting: sort, argsort, msort. NaN counts as the largest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import geometry
from ...backends.numpy import packed_sort
from ...backends.numpy.unstable_sort_order import SMALL, TOLD_APART, sorted_positions
from ...declare.by_signature import calls, out_apart, same_dtype
from ...declare.rules import Answer, Result
from ...errors.reasons import refuse
from ...tensor.lookups import checked_dim, size_and_stride
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtypes import COMPLEX


def comparable(array: np.ndarray) -> np.ndarray:
    """An array that NumPy compares as PyTorch does: the small floats go by float32, whose order is the same."""
    return array if array.dtype.isbuiltin == 1 else array.astype(np.float32)


def order_of(array: np.ndarray, axis: int, descending: bool = False) -> np.ndarray:
    """Returns the indices of a stable sort.

    >>> order_of(np.array([2.0, np.nan, 1.0, 2.0]), 0, descending=True)
    array([1, 0, 3, 2])
    """
    values = comparable(array)
    if array.shape[axis] >= packed_sort.FROM and array.size >= packed_sort.IN_ALL:
        rows = np.moveaxis(values, axis, -1)
        outcome = packed_sort.order(rows.reshape(-1, rows.shape[-1]), descending)
        if outcome is not None:
            return np.moveaxis(outcome.reshape(rows.shape), -1, axis)
    if not descending:
        return np.argsort(values, axis=axis, kind="stable")
    backwards = np.flip(np.argsort(np.flip(values, axis), axis=axis, kind="stable"), axis)
    return array.shape[axis] - 1 - backwards


def ranks(ordered: np.ndarray, order: np.ndarray) -> np.ndarray:
    """The rank of each element of a row, from its elements in order and where they were; equal ones share a rank."""
    outcome = np.empty(len(order), np.int64, like=order)
    outcome[order] = np.concatenate([[0], np.cumsum(~alike(ordered[1:], ordered[:-1]))]) if len(order) else []
    return outcome


def alike(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns whether elements are equal, or both NaN."""
    return (a == b) | ((a != a) & (b != b)) if a.dtype.kind == "f" else a == b


def unstable_order(array: np.ndarray, axis: int, descending: bool) -> np.ndarray:
    """The places of the elements in the order of PyTorch's sort, which exchanges equal ones."""
    order = order_of(array, axis, descending)
    n = array.shape[axis]
    if not SMALL < n <= TOLD_APART or not array.size or not array.strides[axis]:  # PyTorch sorts no expanded dimension
        return order
    rows = np.ascontiguousarray(np.moveaxis(order, axis, -1)).reshape(-1, n)
    values = np.take_along_axis(np.moveaxis(comparable(array), axis, -1).reshape(-1, n), rows, 1)
    for i in np.flatnonzero(alike(values[:, 1:], values[:, :-1]).any(axis=1)):
        rows[i] = sorted_positions(ranks(values[i], rows[i]))
    moved = np.moveaxis(order, axis, -1)
    return np.moveaxis(rows.reshape(moved.shape), -1, axis)


def no_order(name: str, d: dtypes.dtype) -> None:
    """Refuse complex numbers as PyTorch does."""
    if d._kind == COMPLEX:
        refuse(
            RuntimeError,
            f" {name} does not support complex dtypes on CPU",
            "complex numbers have no order",
            "x.abs()",
            rule="order.complex",
        )


def pair(out: Sequence[Tensor] | None) -> tuple[Tensor | None, Tensor | None]:
    """The two tensors of `out=`."""
    return (None, None) if out is None else tuple(out)  # type: ignore[return-value]


FIELDS = ("values", "indices")
Pair = tuple[np.ndarray, np.ndarray]
"""The arrays of values and of indices."""


def fill_sorted(targets: Pair, array: np.ndarray, axis: int, descending: bool, stable: bool | None) -> None:
    values, indices = targets
    fill_positions(indices, array, axis, descending, stable)
    values[...] = taken(array, indices, axis) if array.ndim else array


def taken(array: np.ndarray, places: np.ndarray, axis: int) -> np.ndarray:
    """The elements at places along an axis; of a row, without what NumPy prepares for several."""
    return array[places] if array.ndim == 1 else np.take_along_axis(array, places, axis)


def fill_positions(target: np.ndarray, array: np.ndarray, axis: int, descending: bool, stable: bool | None) -> None:
    target[...] = (order_of if stable else unstable_order)(array, axis, descending) if array.ndim else 0


@calls(
    "sort",
    "Sorts the elements along a dimension; returns them and their indices.",
    category="comparison",
    kernel=fill_sorted,
    returns=("sort", FIELDS),
)
def sort(
    input: Tensor,
    dim: int = -1,
    descending: bool = False,
    stable: bool | None = None,
    out: Sequence[Tensor] | None = None,
) -> Answer:
    values, indices = pair(out)
    axis = checked_dim(dim, input._array.ndim)
    same_dtype(values, input._dtype)
    same_dtype(indices, dtypes.int64)
    no_order("Sort", input._dtype)
    size, stride = size_and_stride(input)
    kept = geometry.preserve_stride(size, stride)
    results = Result(size, input._dtype, kept), Result(size, dtypes.int64, kept)
    return results, (input._array, axis, descending, stable)


@calls(
    "argsort",
    "Returns the indices that sort the tensor along a dimension.",
    category="comparison",
    kernel=fill_positions,
)
def argsort(
    input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False, out: Tensor | None = None
) -> Answer:
    axis = checked_dim(dim, input._array.ndim)
    no_order("Sort", input._dtype)
    same_dtype(out, dtypes.int64)
    out_apart(out, input)
    size, stride = size_and_stride(input)
    return Result(size, dtypes.int64, geometry.preserve_stride(size, stride)), (input._array, axis, descending, stable)


def fill_along_first(target: np.ndarray, array: np.ndarray) -> None:
    target[...] = np.take_along_axis(array, order_of(array, 0), 0) if array.ndim else array


@calls("msort", "Sorts the elements along the first dimension.", category="comparison", kernel=fill_along_first)
def msort(input: Tensor, out: Tensor | None = None) -> Answer:
    no_order("Sort", input._dtype)
    same_dtype(out, input._dtype)
    size, stride = size_and_stride(input)
    return Result(size, input._dtype, geometry.preserve_stride(size, stride)), (input._array,)


__all__ = ["alike", "argsort", "comparable", "msort", "no_order", "order_of", "pair", "ranks", "sort", "taken"]
