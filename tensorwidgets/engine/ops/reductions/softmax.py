"""Softmax and its logarithm along a dimension."""

from __future__ import annotations

import numpy as np

from ...backends.numpy import chunks
from ...backends.numpy.casts import cast
from ...backends.numpy.float_sum import ROW, of_rows, total
from ...backends.numpy.in_double import DOUBLE, SINGLE, exp
from ...backends.numpy.without_warnings import quietly
from ...declare.rules import Answer, Result, computed_row
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtypes import dtype
from ..pointwise.prepared import REAL_FRACTIONS, refuse_dtype


def in_pieces(values: np.ndarray, axis: int, logarithm: bool, out: np.ndarray) -> None:
    """`parts` a few rows at a time, so that they stay in the cache from the first step to the last."""
    if values.size <= EXACT and values.dtype == SINGLE:
        result = np.empty(values.shape, DOUBLE, like=values)
        quietly(parts, values.astype(DOUBLE), axis, logarithm, result)
        np.copyto(out, result, casting="same_kind")
        return
    others = [d for d in range(values.ndim) if d != axis and values.shape[d] > 1]
    if values.size < chunks.FROM or not others:
        quietly(parts, values, axis, logarithm, out)
        return
    cut = max(others, key=lambda d: out.strides[d])
    before = (slice(None),) * cut
    rows = max(1, 2 * chunks.PIECE * values.shape[cut] // values.size)
    if out.strides[cut] < out.strides[axis]:
        rows = max(rows, 256)  # neighbours: few of them at a time would be read from far apart
    pieces = chunks.spans(values.shape[cut], rows)
    chunks.run_parallel(lambda s: quietly(parts, values[(*before, s)], axis, logarithm, out[(*before, s)]), pieces)


EXACT = 1 << 16
"""The number of elements up to which all steps are in float64; above it, only the exponentials and their sum are."""


def parts(values: np.ndarray, axis: int, logarithm: bool, out: np.ndarray) -> None:
    """Compute softmax along an axis into `out`; the largest element is subtracted first, so that nothing overflows."""
    np.subtract(values, np.max(values, axis, keepdims=True), out)
    powers = exp(out, None if logarithm else out)
    if axis == powers.ndim - 1 and powers.flags.c_contiguous and powers.shape[-1] >= ROW:
        sums = of_rows(powers.reshape(-1, powers.shape[-1])).reshape(*powers.shape[:-1], 1)
    else:
        sums = np.expand_dims(total(powers, (axis,)), axis)
    if logarithm:
        np.subtract(out, np.log(sums).astype(out.dtype), out)
    else:
        np.divide(out, sums.astype(out.dtype), out)


def fill_softmax(target: np.ndarray, values: np.ndarray, axis: int, logarithm: bool, d: dtype) -> None:
    if not target.size:
        return
    values = cast(cast(values, d), dtypes.opmath(d))
    if not target.ndim:
        values, target = values.reshape(1), target.reshape(1)
    if target.dtype == values.dtype and not np.may_share_memory(target, values):
        in_pieces(values, axis, logarithm, target)
    else:
        result = np.empty(values.shape, values.dtype, like=values)
        in_pieces(values, axis, logarithm, result)
        target[...] = quietly(result.astype, target.dtype)


def _declare(name: str, logarithm: bool, words: str) -> None:
    @computed_row(
        name, words, fill_softmax, f"special.{name}", family="reduction", category="pointwise",
    )  # fmt: skip
    def softmax(input: Tensor, dim: int, dtype: dtype | None = None) -> Answer:
        must_be_tensor(name, input)
        d = input._dtype if dtype is None else dtypes.of_type(dtype)
        size = input._array.shape
        axis = checked_dim(dim, len(size))
        if d not in REAL_FRACTIONS:
            last = axis == len(size) - 1 or not size
            refuse_dtype(f"{name}_lastdim_kernel_impl" if last else f"{name}_kernel_impl", d)
        return Result(size, d), (input._array, axis, logarithm, d)


_declare("softmax", False, "Computes softmax along a dimension: exp(x) / sum(exp(x)).")
_declare("log_softmax", True, "Computes the logarithm of softmax along a dimension, without overflow.")
