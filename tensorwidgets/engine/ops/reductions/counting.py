"""Counting: elements that are not zero, and how often each number occurs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from ...declare.reductions import folded, left_over, put, reduced_dims
from ...declare.rules import Answer, ByValues, Result
from ...errors.reasons import refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import INTEGER
from .basic import row


def fill_count(target: np.ndarray, values: np.ndarray, dims: tuple[int, ...]) -> None:
    put(target, folded(np.add, values, dims, False, lambda v: v != 0))


@row(
    "count_nonzero",
    "Counts the nonzero elements, of all or along the given dimensions.",
    fill_count,
    out=None,
)
def count_nonzero(input: Tensor, dim: int | Sequence[int] | None = None, *more: int) -> Answer:
    must_be_tensor("count_nonzero", input)
    if more:
        dim = (dim, *more)  # type: ignore[arg-type]
    dims = reduced_dims(dim, input._array.ndim)
    return Result(left_over(input._array.shape, dims, False), dtypes.int64), (input._array, dims)


def counts(values: np.ndarray, weights: np.ndarray | None, least: int, d: dtypes.dtype) -> np.ndarray:
    """Returns the counts: how many there are depends on the largest element."""
    if weights is not None:
        if (values < 0).any():
            _refuse_counting()
        weights = weights.astype(np.float64, copy=False)
    try:
        return np.bincount(values, weights, least).astype(d._in_numpy, copy=False)
    except ValueError:  # a negative one; np.bincount looks at all of them anyway
        _refuse_counting()


@row(
    "bincount",
    "Counts how often each non-negative integer occurs, or sums the weights of its occurrences.",
    counts,
    category="other",
    out=None,
    decided_by="values",
)
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Answer:
    must_be_tensor("bincount", input)
    if input._dtype._kind != INTEGER:
        refuse_dtype("bincount_cpu", input._dtype, "only whole numbers name a place", "x.long()")
    if minlength < 0:
        refuse(RuntimeError, "minlength should be >= 0", "a length is counted", rule="bincount.minlength")
    if input._array.ndim != 1:
        _refuse_counting()
    if weights is None or not input._array.size:  # without elements PyTorch does not look at the weights
        return ByValues("bincount", dtypes.int64), (input._array, None, minlength, dtypes.int64)
    if weights._array.shape != input._array.shape:
        refuse(
            RuntimeError,
            "weights should be 1-d and have the same length as input",
            "one weight for each element",
            rule="bincount.weights",
        )
    d = dtypes.float32 if weights._dtype is dtypes.float32 else dtypes.float64
    return ByValues("bincount", d), (input._array, weights._array, minlength, d)


def _refuse_counting() -> NoReturn:
    refuse(
        RuntimeError,
        "bincount only supports 1-d non-negative integral inputs.",
        "each element names a place from 0 on",
        rule="bincount.input",
    )
