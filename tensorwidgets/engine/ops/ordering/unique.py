"""Unique elements or slices: unique and unique_consecutive."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import memory
from ...declare.by_signature import no_kernel, plainly
from ...dispatch.meta import refuse_values
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...geometry import contiguous_stride
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.results import finish
from ...tensor.tensor import Tensor, checked_dim, place_of
from ...types import dtypes
from ...types.dtypes import COMPLEX
from .sorting import comparable


def _fresh(array: np.ndarray, d: dtypes.dtype) -> Tensor:
    return finish(array.shape, d, None, lambda target: target.__setitem__(..., array), memory.place_of(array))


def _answer(value: Tensor, inverse: np.ndarray, counts: np.ndarray, return_inverse: bool, return_counts: bool) -> Any:
    """Returns the tensor, with the inverse indices and the counts if requested."""
    more = []
    if return_inverse:
        more.append(_fresh(inverse, dtypes.int64))
    if return_counts:
        more.append(_fresh(counts, dtypes.int64))
    return (value, *more) if more else value


def _checked(name: str, input: Any) -> None:
    must_be_tensor(name, input)
    if input._dtype._kind == COMPLEX:
        no_kernel(name, input._dtype, "complex numbers have no order")


def _runs(starts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of a row of yes and no, whether something new begins: where, the number of each place's run, the lengths."""
    first = np.flatnonzero(starts)
    return first, np.cumsum(starts) - 1, np.diff(np.append(first, len(starts)))


def _starts(rows: np.ndarray) -> np.ndarray:
    """Returns whether each row differs from the previous one."""
    new = np.ones(len(rows), bool, like=rows)
    if len(rows) > 1:
        differs = rows[1:] != rows[:-1]
        new[1:] = differs if rows.ndim == 1 else differs.any(axis=1)
    return new


@plainly(
    "unique",
    "Returns the unique elements, or the unique slices along a dimension, in sorted order.",
    forms="function method",
    category="reduction",
)
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    _checked("unique", input)
    if not place_of(input).has_numbers:
        refuse_values("_unique2" if dim is None else "unique_dim")
    if dim is not None:
        return _slices(input, dim, True, return_inverse, return_counts)
    flat = input._array.reshape(-1)
    values = comparable(flat)
    order = np.argsort(values, kind="stable")
    first, run, counts = _runs(_starts(values[order]))
    inverse = np.empty(flat.size, np.int64, like=flat)
    inverse[order] = run
    result = _fresh(flat[order[first]], input._dtype)
    return _answer(result, inverse.reshape(input._array.shape), counts, return_inverse, return_counts)


@plainly(
    "unique_consecutive",
    "Removes all but the first of each run of equal elements, or of equal slices.",
    forms="function method",
    category="reduction",
)
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    must_be_tensor("unique_consecutive", input)
    if not place_of(input).has_numbers:
        refuse_values("unique_consecutive" if dim is None else "unique_dim_consecutive")
    if dim is not None:
        return _slices(input, dim, False, return_inverse, return_counts)
    flat = input._array.reshape(-1)
    first, run, counts = _runs(_starts(flat))
    result = _fresh(flat[first], input._dtype)
    return _answer(result, run.reshape(input._array.shape), counts, return_inverse, return_counts)


def _slices(input: Tensor, dim: int, ordered: bool, return_inverse: bool, return_counts: bool) -> Any:
    """unique for slices along a dimension."""
    if not input._array.ndim:
        refuse(
            IndexError,
            f"Dimension specified as {dim} but tensor has no dimensions",
            "a tensor without dimensions has no slices",
            rule="dim.none",
        )
    along = checked_dim(dim, input._array.ndim)
    moved = np.moveaxis(input._array, along, 0)
    if 0 in moved.shape[1:] or not moved.shape[0]:
        if moved.shape[0] or 0 in moved.shape[1:]:
            refuse(
                RuntimeError,
                "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied",
                "slices without elements cannot be told apart",
                rule="unique.empty",
            )
        none = np.empty(0, np.int64, like=moved)
        return _answer(OPS["clone"].function(input), none, none, return_inverse, return_counts)
    rows = comparable(moved.reshape(moved.shape[0], -1))
    order = np.lexsort(rows.T[::-1]) if ordered else np.arange(len(rows))
    first, run, counts = _runs(_starts(rows[order]))
    inverse = np.empty(len(rows), np.int64, like=rows)
    inverse[order] = run
    kept = moved[order[first]]
    # The slices lie in memory one after the other, whichever dimension they are of.
    dense = contiguous_stride(kept.shape)
    stride = (*dense[1 : along + 1], dense[0], *dense[along + 1 :])
    back = np.moveaxis(kept, 0, along)
    result = finish(
        back.shape, input._dtype, None, lambda target: target.__setitem__(..., back), place_of(input), stride
    )
    return _answer(result, inverse, counts, return_inverse, return_counts)
