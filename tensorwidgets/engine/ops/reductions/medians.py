"""Medians and modes: one element chosen along a dimension, and its index."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy.casts import cast
from ...backends.numpy.unstable_sort_order import SMALL, TOLD_APART, inserted, last_position
from ...declare.reductions import left_over
from ...declare.rules import Answer, Result, chosen
from ...errors.reasons import refuse
from ...memory.places import as_array
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import BOOL, COMPLEX, FLOAT, dtype
from .basic import row
from .cumulative import so_far


def _no_order(name: str, d: dtype) -> None:
    if d._kind == COMPLEX or d is dtypes.bool_ or d in dtypes.ONLY_STORED:
        refuse_dtype(name, d, f"PyTorch sorts no {d} here", "x.int()")


def fill_middle(target: np.ndarray, values: np.ndarray, skip_nan: bool, kept: dtype, d: dtype) -> None:
    values = cast(values, kept)
    if values.size:
        target[...] = cast(as_array(_median(values.reshape(-1), skip_nan)[0]), d)
    else:
        np.copyto(target, _of_nothing(d), casting="unsafe")


def _of_nothing(d: dtype) -> Any:
    """The median of no elements: what C++ makes of NaN in this dtype."""
    if d in (dtypes.int32, dtypes.int64):
        return np.iinfo(d._in_numpy).min
    return True if d._kind == BOOL else np.nan if d._kind >= FLOAT else 0


def fill_middles(targets: tuple[np.ndarray, ...], values: np.ndarray, skip_nan: bool, kept: dtype, dim: int) -> None:
    fill_pair(targets, _median(_rows(cast(values, kept), dim), skip_nan))


def _rows(values: np.ndarray, dim: int) -> np.ndarray:
    """The array with a dimension moved to the end; a single number as one row."""
    return np.moveaxis(values, dim, -1) if values.ndim else values.reshape(1)


def fill_pair(targets: tuple[np.ndarray, ...], pair: tuple[np.ndarray, np.ndarray]) -> None:
    """Write elements and their indices, whose reduced dimension may be kept with size 1."""
    for target, value in zip(targets, pair, strict=True):
        np.copyto(target, np.reshape(value, target.shape), casting="unsafe")


def _values_and_indices(name: str, input: Tensor, dim: int, keepdim: bool, because: str) -> tuple[Any, int]:
    """Describe one element along a dimension and its index; returns the dimension, too."""
    size = input._array.shape
    d = checked_dim(dim, len(size))
    if size and size[d] == 0:
        refuse(
            IndexError,
            f"{name}(): Expected reduction dim {d} to have non-zero size.",
            because.format(d=d),
            rule="reduction.empty",
        )
    left = left_over(size, (d,), keepdim) if size else ()
    return (Result(left, input._dtype), Result(left, dtypes.int64)), d


_OF_MEDIANS = (
    "Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but type torch.{Got}Tensor "
    "does not equal torch.{Wanted}Tensor (while checking arguments for median)",
    "Expected tensor for argument #1 'indices' to have scalar type Long; but got torch.{Got}Tensor instead (while "
    "checking arguments for median)",
)
"""The refusals of an `out=` of another dtype."""


def _middle(name: str, skip_nan: bool, words: str) -> None:
    @row(
        name, words, chosen,
        returns=(name, ("values", "indices")), out=_OF_MEDIANS,
    )  # fmt: skip
    def middle(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Answer:
        must_be_tensor(name, input)
        d = input._dtype
        array, kept = input._array, dtypes.opmath(d)
        if dim is None:
            if 0 not in array.shape:
                _no_order("median_cpu", d)
            return Result((), d), (fill_middle, array, skip_nan, kept, d)
        results, along = _values_and_indices("median", input, dim, keepdim, "dimension {d} has no middle")
        _no_order("median_out", d)
        return results, (fill_middles, array, skip_nan, kept, along)


def _median(values: np.ndarray, skip_nan: bool) -> tuple[np.ndarray, np.ndarray]:
    """The lower of the two middles along the last dimension, and where it is; NaN wins unless it is skipped."""
    k, nan = (values.shape[-1] - 1) // 2, values != values
    if skip_nan and nan.any():
        return _median_of_numbers(values, nan)
    middle = np.partition(values, k, -1)[..., k : k + 1]
    # Of the elements equal to it, the one that a stable sort would put there.
    before = k - (values < middle).sum(-1, keepdims=True)
    place = ((values == middle).cumsum(-1) > before).argmax(-1)
    if nan.any():
        place = np.where(nan.any(-1), nan.argmax(-1), place)
    return np.take_along_axis(values, as_array(place)[..., None], -1)[..., 0], place


def _median_of_numbers(values: np.ndarray, nan: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same of the elements that are not NaN: of each row as many as it has."""
    k = np.maximum((values.shape[-1] - nan.sum(-1) - 1) // 2, 0)
    order = np.argsort(values, axis=-1, kind="stable")
    place = np.take_along_axis(order, as_array(k)[..., None], -1)[..., 0]
    return np.take_along_axis(values, as_array(place)[..., None], -1)[..., 0], place


_middle("median", False, "Returns the median, the lower one of two; with a dimension also its index.")
_middle("nanmedian", True, "Returns the median of the elements that are not NaN; with a dimension also its index.")


def fill_mode(targets: tuple[np.ndarray, ...], values: np.ndarray, dim: int, kept: dtype) -> None:
    moved = _rows(cast(values, kept), dim)
    n = moved.shape[-1]
    steps, ordered = np.arange(n, like=moved), np.sort(moved, -1)
    begins = np.zeros(moved.shape, np.int64, like=moved)  # NaN equals nothing, not itself
    begins[..., 1:] = (ordered[..., 1:] != ordered[..., :-1]) * steps[1:]
    longest = (steps - so_far(np.maximum, begins, moved.ndim - 1)).argmax(-1)
    found = moved == np.take_along_axis(ordered, as_array(longest)[..., None], -1)
    place = np.where(found.any(-1), n - 1 - found[..., ::-1].argmax(-1), 0)  # of two zeros, the sign of the last
    if type(moved) is np.ndarray:
        _follow_the_sort(moved.reshape(-1, n), found.reshape(-1, n), place.reshape(-1))
    fill_pair(targets, (np.take_along_axis(moved, as_array(place)[..., None], -1)[..., 0], place))


def _follow_the_sort(rows: np.ndarray, found: np.ndarray, place: np.ndarray) -> None:
    """Of equal elements, PyTorch's index is that of the one which its unstable sort puts last.

    It sorts NaN as if it were equal to everything, and counts each alone.
    """
    nan = (rows != rows).any(-1)
    if rows.shape[-1] <= SMALL:
        for i in np.flatnonzero(nan).tolist():
            place[i] = _longest_run(rows[i].tolist())
        return
    if rows.shape[-1] > TOLD_APART:
        return
    for i in np.flatnonzero(~nan & (found.sum(-1) > 1)).tolist():
        ranks = np.unique(rows[i], return_inverse=True)[1]
        place[i] = last_position(ranks, int(ranks[place[i]]))


def _longest_run(values: list[float]) -> int:
    """The index of the last element of the longest run of equal ones, the first of several."""
    order = inserted(values)
    longest = run = place = 0
    for k, i in enumerate(order):
        run += 1
        if k + 1 == len(order) or values[i] != values[order[k + 1]]:
            if run > longest:
                longest, place = run, i
            run = 0
    return place


@row(
    "mode",
    "Returns the most frequent element along a dimension, the smallest if there are several, and its index.",
    fill_mode,
    returns=("mode", ("values", "indices")),
    out=(
        "expected scalar type '{Wanted}' but got '{Got}' for values output",
        "expected scalar type '{Wanted}' but got '{Got}' for indices output",
    ),
)
def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Answer:
    must_be_tensor("mode", input)
    results, d = _values_and_indices("mode", input, dim, keepdim, "nothing comes most often")
    if input._dtype is not dtypes.bool_ and input._array.ndim and 0 not in input._array.shape:
        _no_order("mode_cpu", input._dtype)
    return results, (input._array, d, dtypes.opmath(input._dtype))
