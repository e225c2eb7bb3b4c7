"""Unique elements or slices: unique and unique_consecutive."""

from __future__ import annotations

from functools import partial
from math import prod

import numpy as np

from ...declare.rules import Answer, ByValues, computed_row
from ...dispatch.meta import refuse_values
from ...errors.reasons import refuse
from ...geometry import contiguous_stride
from ...tensor.keys import KEY_META
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX
from .sorting import comparable


def _checked(name: str, missing: str, input: Tensor) -> None:
    must_be_tensor(name, input)
    if input._keys & KEY_META:
        refuse_values(missing)  # before a dtype or a dimension is refused
    if input._dtype._kind == COMPLEX or input._dtype in dtypes.FLOAT8:
        refuse_dtype(name, input._dtype, f"PyTorch orders no {input._dtype} here")


def _runs(starts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of a row of yes and no, whether something new begins: where, the number of each place's run, the lengths."""
    first = np.flatnonzero(starts)
    return first, np.cumsum(starts) - 1, np.diff(np.append(first, len(starts)))


def _starts(rows: np.ndarray) -> np.ndarray:
    """Returns whether each row differs from the previous one."""
    new = np.empty(len(rows), bool, like=rows)
    new[:1] = True
    if len(rows) > 1:
        differs = rows[1:] != rows[:-1]
        new[1:] = differs if rows.ndim == 1 else differs.any(axis=1)
    return new


def find_unique(
    array: np.ndarray, along: int | None, ordered: bool, return_inverse: bool, return_counts: bool
) -> np.ndarray | tuple[np.ndarray, ...]:
    """The kernel: the first of each group of equal elements or slices; of each run, if they are not `ordered`."""
    parts = array.reshape(-1) if along is None else np.moveaxis(array, along, 0)
    rows = parts if parts.ndim == 1 else parts.reshape(len(parts), prod(parts.shape[1:]))
    if ordered:
        rows = comparable(rows)
        order = np.argsort(rows, kind="stable") if rows.ndim == 1 else np.lexsort(rows.T[::-1])
        first, run, counts = _runs(_starts(rows[order]))
        first, inverse = order[first], np.empty_like(run)
        inverse[order] = run
    else:
        first, inverse, counts = _runs(_starts(rows))
    values = parts[first] if along is None else np.moveaxis(parts[first], 0, along)
    more = (inverse.reshape(array.shape if along is None else -1),) * return_inverse + (counts,) * return_counts
    return (values, *more) if more else values


def _found(
    name: str, input: Tensor, dim: int | None, ordered: bool, return_inverse: bool, return_counts: bool
) -> Answer:
    """The rule of both ops."""
    along = None if dim is None else _along(input, dim)
    values = ByValues(name, input._dtype, None if along is None else partial(_slice_by_slice, along))
    more = (ByValues(name, dtypes.int64),) * (return_inverse + return_counts)
    return (values, *more) if more else values, (input._array, along, ordered, return_inverse, return_counts)


def _along(input: Tensor, dim: int) -> int:
    if not input._array.ndim:
        refuse(
            IndexError,
            f"Dimension specified as {dim} but tensor has no dimensions",
            "a tensor without dimensions has no slices",
            rule="dim.none",
        )
    along = checked_dim(dim, input._array.ndim)
    if 0 in (*input._array.shape[:along], *input._array.shape[along + 1 :]):
        refuse(
            RuntimeError,
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied",
            "slices without elements cannot be told apart",
            rule="unique.empty",
        )
    return along


def _slice_by_slice(along: int, size: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of slices that lie in memory one after the other, whichever dimension they are of."""
    if 0 in size:
        return contiguous_stride(size)
    dense = contiguous_stride((size[along], *size[:along], *size[along + 1 :]))
    return (*dense[1 : along + 1], dense[0], *dense[along + 1 :])


unique_row = partial(computed_row, family="gather", category="reduction", out=None, decided_by="values")


@unique_row(
    "unique", "Returns the unique elements, or the unique slices along a dimension, in sorted order.", find_unique
)
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Answer:
    missing = "_unique2" if dim is None else "unique_dim"
    _checked("unique" if dim is None else "unique_dim", missing, input)
    return _found(missing, input, dim, True, return_inverse, return_counts)


@unique_row(
    "unique_consecutive", "Removes all but the first of each run of equal elements, or of equal slices.", find_unique
)
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Answer:
    name = "unique" if dim is None or dim == 0 and input.dim() == 1 else "unique_dim"
    _checked(name, "unique_consecutive", input)
    return _found("unique_consecutive", input, dim, False, return_inverse, return_counts)
