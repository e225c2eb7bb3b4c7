"""segment_reduce: the elements along a dimension, cut into segments, and each segment reduced."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ...backends.numpy.without_warnings import quietly
from ...calling.arguments import as_number
from ...declare.by_signature import calls
from ...declare.rules import Answer, Result
from ...errors.reasons import refuse
from ...tensor.lookups import checked_dim
from ...tensor.scalars import fill_number
from ...tensor.tensor import Tensor
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import FLOAT, dtype, int32, int64

_FOLDS = {
    "sum": (np.add, 0), "mean": (np.add, 0), "prod": (np.multiply, 1), "max": (np.maximum, float("-inf")),
    "amax": (np.maximum, float("-inf")), "min": (np.minimum, float("inf")), "amin": (np.minimum, float("inf")),
}  # fmt: skip
"""How two numbers become one, and what a segment starts with."""


def _refuse(message: str, because: str, *instead: str) -> None:
    refuse(RuntimeError, message, because, *instead, rule="segments")


def fill_segments(
    target: np.ndarray, values: np.ndarray, cuts: np.ndarray, name: str, axis: int, reduce: str, start: ndarray | None,
    unsafe: bool, kinds: tuple[dtype, dtype],
) -> None:  # fmt: skip
    if not unsafe and name == "lengths":
        _check_lengths(cuts, values.shape[axis])
    _check_dtypes(name, *kinds)  # which PyTorch's kernel does last, and not on meta
    bounds = _bounds(name, cuts, values.shape[:axis], values.shape[axis])
    for at in np.ndindex(values.shape[:axis]):
        for segment, (first, last) in enumerate(bounds[at]):
            target[(*at, segment)] = folded(values[at][first:last], reduce, start)


@calls(
    "segment_reduce",
    "Consecutive segments along a dimension, each reduced to one element.",
    forms="function",
    family="reduction",
    category="reduction",
    kernel=fill_segments,
)
def segment_reduce(
    data: Tensor, reduce: str, lengths: Tensor | None = None, indices: Tensor | None = None,
    offsets: Tensor | None = None, axis: int = 0, unsafe: bool = False, initial: Tensor | complex | None = None,
) -> Answer:  # fmt: skip
    axis = checked_dim(axis, data._array.ndim)
    if indices is not None:
        _refuse("segment_reduce(): indices based reduction is not supported yet.", "lengths say the same", "lengths=")
    if lengths is None and offsets is None:
        _refuse(
            "segment_reduce(): Either lengths or offsets must be defined.",
            "something has to say where a segment ends",
            "lengths=torch.tensor([2, 3])",
        )
    if reduce not in _FOLDS:
        _refuse(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}",
            "these are the supported reductions",
        )
    name, cuts = ("offsets", offsets) if offsets is not None else ("lengths", lengths)
    assert cuts is not None
    _check_cuts(name, cuts, data, axis)
    shape = data._array.shape
    count = cuts._array.shape[-1] - (name == "offsets")
    if count < 0:
        asked = [*shape[:axis], count, *shape[axis + 1 :]]
        _refuse(f"Trying to create tensor with negative dimension {count}: {asked}", "n segments have n + 1 offsets")
    size = (*shape[:axis], count, *shape[axis + 1 :])
    start = None if initial is None else fill_number(as_number(initial), data._dtype)
    kinds = cuts._dtype, data._dtype
    return Result(size, data._dtype), (data._array, cuts._array, name, axis, reduce, start, unsafe, kinds)


def folded(rows: np.ndarray, reduce: str, start: ndarray | None) -> Any:
    """The rows reduced one after the other, and rounded after each, as PyTorch does.

    >>> folded(np.array([[1.0, 2.0], [3.0, 5.0]]), "mean", None)
    array([2. , 3.5])
    """
    fold, neutral = _FOLDS[reduce]
    first = np.full_like(rows, neutral if start is None else start, shape=(1, *rows.shape[1:]))
    total = quietly(fold.accumulate, np.concatenate((first, rows)))[-1]
    if reduce != "mean" or (not len(rows) and start is not None):
        return total
    return quietly(np.true_divide, total, np.asarray(len(rows)).astype(rows.dtype))


def _check_cuts(name: str, cuts: Tensor, data: Tensor, axis: int) -> None:
    ndim = cuts._array.ndim
    if data._array.ndim < ndim:
        _refuse(
            f"Expected data.dim() >= {name}_value.dim() to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)",
            f"{name} have more dimensions than the data",
        )
    if axis != ndim - 1:
        _refuse(
            f"segment_reduce(): Expected axis to be the last dimension of {name} but got {axis}.",
            f"{name} have a dimension for each one of the data up to axis",
        )


def _check_lengths(lengths: np.ndarray, count: int) -> None:
    """Refuse lengths that do not add up to the number of elements."""
    if not lengths.size:
        _refuse(
            "min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
            "'dim' argument.",
            "no segment has a length to check",
            "unsafe=True",
        )
    if lengths.min() < 0:
        _refuse("lengths contains negative value!", "a segment has 0 elements or more")
    if (lengths.sum(-1) != count).any():
        _refuse(
            "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when "
            "!unsafe.",
            f"the segments together need to have all {count} elements",
            "unsafe=True, to leave elements out",
        )


def _check_dtypes(name: str, cuts: dtype, data: dtype) -> None:
    if cuts not in (int32, int64):
        refuse_dtype(f"_segment_reduce_{name}_cpu_kernel1", cuts, "places are counted in int32 or int64")
    if data._kind != FLOAT:
        refuse_dtype("_segment_reduce_cpu", data, "segments are reduced for floating-point numbers alone")


def _bounds(name: str, cuts: np.ndarray, outer: tuple[int, ...], length: int) -> np.ndarray:
    """First and last place of each segment: an array of pairs behind the sizes of lengths."""
    ends = cuts[..., 1:] if name == "offsets" else np.cumsum(cuts, -1)
    starts = cuts[..., :-1] if name == "offsets" else ends - cuts
    if (ends < starts).any():
        _refuse(
            "Expected segment_length >= 0 to be true, but got false.  (Could this error message be improved?  If so, "
            "please report an enhancement request to PyTorch.)",
            "a segment ends where it begins, or behind",
        )
    if cuts.shape[:-1] != outer or (starts < 0).any() or (ends > length).any():
        # PyTorch reads whatever memory lies there.
        _refuse(
            f"segment_reduce(): {name} name elements that the data does not have",
            f"{name} of size {list(cuts.shape)} reach beyond {length} elements along the dimension, or beyond the "
            f"dimensions {list(outer)} before it",
        )
    return np.stack((starts, ends), -1)
