"""Ops that write single elements by index: put by places in the whole, index_put by one tensor a dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...declare.by_signature import Writing, overwrites
from ...errors.reasons import refuse
from ...geometry import numel
from ...tensor.deterministic import alert
from ...tensor.lookups import size_and_stride
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of, wrap
from ...tensor.write_checks import check_no_overlap
from ...types import dtypes
from .gathering import at_least_1d, check_flat, check_long
from .getitem import broadcast_indices
from .index_key import MASKS, expanded, refuse_too_many
from .index_key import check_bounds as check_all_bounds
from .scattering import fold_at
from .setitem import check_value, number_to_fill, only_mask, warn_if_overlapping

__all__ = ["index_put", "put"]


def check_put(size: tuple[int, ...], index: np.ndarray, *rest: Any) -> None:
    check_flat(index, numel(size))


def fill_put(target: np.ndarray, index: np.ndarray, source: np.ndarray, accumulate: bool) -> None:
    if not index.size:
        return
    places, values, count = index.reshape(-1), source.reshape(-1), target.size
    target = at_least_1d(target)
    key = np.unravel_index(np.where(places < 0, places + count, places), target.shape)
    if accumulate:
        fold_at(target, key, values, "add")
    else:
        target[key] = values


@overwrites(
    "put",
    "Returns a copy with elements written at flat indices into the tensor.",
    fill_put,
    check=check_put,
    preserve=True,
)
def put(op_name: str, input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Writing:
    if not accumulate:
        alert("put_")
    check_long("put_", index)
    if input._dtype is not source._dtype:
        refuse(
            RuntimeError,
            f"put_(): self and source expected to have the same dtype, but got self.dtype = {input._dtype._type_name} "
            f"and source.dtype = {source._dtype._type_name}",
            "put does not convert",
            f"source.to({input._dtype})",
            rule="index.source_dtype",
        )
    if index._array.size != source._array.size:
        refuse(
            IndexError,
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = "
            f"{source._array.size}, index.numel() = {index._array.size}",
            "each element goes to one place",
            rule="index.count",
        )
    count = input._array.size
    if not count and index._array.size:
        refuse(
            IndexError,
            "put_(): Tried to put elements into an empty tensor",
            "an empty tensor has no places",
            rule="put.empty",
        )
    return Writing((index._array, source._array, accumulate), (index, source))


def fill_positions(
    target: np.ndarray, positions: list[tuple[int, np.ndarray]], values: np.ndarray, accumulate: bool
) -> None:
    if not positions:
        return
    key: list[Any] = [slice(None)] * target.ndim
    for d, places in positions:
        key[d] = places
    if accumulate:
        fold_at(target, tuple(key), values, "add")
    else:
        target[tuple(key)] = values


@overwrites(
    "index_put",
    "Returns a copy with values written or added at the positions given by a tuple of index tensors.",
    fill_positions,
    preserve=True,
    alike=True,
)
def index_put(op_name: str, input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Writing:
    for i, each in enumerate(indices):
        if not isinstance(each, Tensor):
            refuse(
                TypeError,
                f"expected Tensor as element {i} in argument 1, but got {type(each).__name__}",
                f"element {i} of the list is not a tensor",
                rule="argument.type",
            )
    if not indices:
        if accumulate or values._array.size != 1:
            check_value(values, input._dtype, input._array.shape)
        refuse(
            RuntimeError,
            "sym_strides() called on an undefined Tensor",
            "the list of indices is empty",
            "x.copy_(values)",
            rule="index.none",
        )
    used = sum([t._array.ndim if t._dtype in (dtypes.bool_, dtypes.uint8) else 1 for t in indices])
    known = place_of(input, *indices).has_numbers
    if len(indices) > input._array.ndim or used > input._array.ndim and not known:
        refuse(
            IndexError,
            f"too many indices for tensor of dimension {input._array.ndim} (got {len(indices)})",
            f"{used} indices are given, and the tensor has {input._array.ndim} dimensions",
            rule="index.too_many",
        )
    if known and all(t._dtype in MASKS and not t._array.ndim for t in indices):
        keep, d = all(bool(t._array) for t in indices), indices[0]._dtype  # True is for every element
        indices = [wrap(np.full(input._array.shape, keep, d._in_numpy), d)]
    placed, dim = [], 0
    for each in indices:
        placed.append((dim, each))
        dim += each._array.ndim if each._dtype in (dtypes.bool_, dtypes.uint8) else 1
    if used > input._array.ndim and known:
        refuse_too_many(input._array.shape, placed)
    if not known:  # a mask says by its numbers how many positions there are
        return Writing(([], values._array, accumulate))
    if op_name == "index_put_":  # PyTorch looks at the memory before it looks at the sizes
        for source in (values, *indices):
            check_no_overlap(input, source)
    result = expanded(input._array.shape, placed)
    if op_name == "index_put_":
        warn_if_overlapping(input, "index_put_")
    gather = broadcast_indices(*size_and_stride(input), result)
    if not accumulate and values._array.size == 1 and only_mask(input._array.shape, placed) is not None:
        if op_name == "index_put_":
            warn_if_overlapping(input, "masked_fill_")
        written = number_to_fill(input._dtype, indices[0], values)
    else:
        check_value(values, input._dtype, gather.size)
        written = values._array
    if 0 not in gather.size:
        check_all_bounds(input._array.shape, result, gather.steps(gather.stride))
    return Writing(([] if 0 in gather.size else result, written, accumulate), (*indices, values))
