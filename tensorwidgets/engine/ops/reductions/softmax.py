"""Softmax and its logarithm along a dimension."""

from __future__ import annotations

import numpy as np

from ...backends.numpy import chunks
from ...backends.numpy.casts import cast
from ...backends.numpy.float_sum import ROW, of_rows, total
from ...backends.numpy.in_double import DOUBLE, SINGLE, exp
from ...backends.numpy.without_warnings import quietly
from ...dispatch import stations
from ...dispatch.registry import Op, add_row
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.results import finish
from ...tensor.tensor import Tensor, checked_dim, place_of
from ...types import dtypes
from ...types.dtypes import HALVES, dtype
from ..pointwise.prepared import REAL_FRACTIONS, refuse_dtype


def in_pieces(values: np.ndarray, axis: int, logarithm: bool, out: np.ndarray) -> None:
    """`parts` a few rows at a time, so that they stay in the cache from the first step to the last."""
    if values.size <= EXACT and values.dtype == SINGLE:
        result = np.empty(values.shape, DOUBLE)
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
"""Up to so many elements all steps are taken in float64; of more, only the exponentials and their sum."""


def parts(values: np.ndarray, axis: int, logarithm: bool, out: np.ndarray) -> None:
    """Softmax along an axis into `out`; the largest element is taken off first, so that nothing overflows."""
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


def _declare(name: str, logarithm: bool, words: str) -> None:
    def plain(input: Tensor, dim: int, dtype: dtype | None = None, *, out: Tensor | None = None) -> Tensor:
        must_be_tensor(name, input)
        d = input._dtype if dtype is None else dtypes.of_type(dtype)
        axis = checked_dim(dim, input._array.ndim)
        size = input._array.shape
        if d not in REAL_FRACTIONS:
            last = axis == len(size) - 1 or not size
            refuse_dtype(f"{name}_lastdim_kernel_impl" if last else f"{name}_kernel_impl", d)

        def fill(target: np.ndarray) -> None:
            if not target.size:
                return
            values = input._array if input._dtype is d else cast(input._array, d)
            if d in HALVES:
                values = quietly(values.astype, np.float32)
            if not size:
                axis_, values, into = 0, values.reshape(1), target.reshape(1)
            else:
                axis_, into = axis, target
            if into.dtype == values.dtype and not np.may_share_memory(into, values):
                in_pieces(values, axis_, logarithm, into)
            else:
                result = np.empty(values.shape, values.dtype)
                in_pieces(values, axis_, logarithm, result)
                into[...] = quietly(result.astype, into.dtype)

        return finish(size, d, out, fill, place_of(input))

    op = Op(
        name, "reduction", "pointwise", words, kernel=plain, aliases=(f"special.{name}",),
        forms=frozenset(("function", "method")),
    )  # fmt: skip
    stations.bind(add_row(op), plain)


_declare("softmax", False, "Computes softmax along a dimension: exp(x) / sum(exp(x)).")
_declare("log_softmax", True, "Computes the logarithm of softmax along a dimension, without overflow.")
