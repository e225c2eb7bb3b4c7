"""Softmax and its logarithm along a dimension."""

from __future__ import annotations

import numpy as np

from ...backends.numpy.casts import cast
from ...backends.numpy.in_double import exp, log
from ...backends.numpy.softmax import softmax
from ...backends.numpy.without_warnings import quietly
from ...declare.rules import Answer, Result, computed_row
from ...tensor.copying import warn_if_part_is_lost
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import HALVES, dtype
from ..pointwise.prepared import REAL_FRACTIONS

BLOCK = 32
"""How many neighbours of 16 bits PyTorch computes at once, in float32: of those of one thread."""


def fill_softmax(target: np.ndarray, values: np.ndarray, axis: int, logarithm: bool, d: dtype) -> None:
    if not target.size:
        return
    values = cast(cast(values, d), dtypes.opmath(d))
    if not target.ndim:
        values, target = values.reshape(1), target.reshape(1)
    if d in HALVES and type(values) is np.ndarray:
        target[...] = quietly(_in_16_bits, values, axis, logarithm, d)
    elif target.dtype == values.dtype and not np.may_share_memory(target, values):
        softmax(values, axis, logarithm, target)
    else:
        result = np.empty(values.shape, values.dtype, like=values)
        softmax(values, axis, logarithm, result)
        target[...] = quietly(result.astype, target.dtype)


def _in_16_bits(values: np.ndarray, axis: int, logarithm: bool, d: dtype) -> np.ndarray:
    """Softmax of float16 or bfloat16, given in float32; what PyTorch keeps on the way is rounded to that dtype too.

    It keeps the logarithms of sums along the last dimension, and the exponentials along any other.
    """

    def kept(a: np.ndarray) -> np.ndarray:
        return cast(cast(a, d), dtypes.float32)

    last = axis == values.ndim - 1
    differences = values - values.max(axis, keepdims=True)
    powers = np.ascontiguousarray(exp(differences))
    sums = powers.sum(axis, keepdims=True, dtype=np.float64).astype(np.float32)
    if logarithm:
        return cast(differences - (kept(log(kept(sums))) if last else log(sums)), d)
    if not last:  # but for whole blocks of neighbours
        inner = int(np.prod(values.shape[axis + 1 :]))
        rest = powers.reshape(-1, values.shape[axis], inner)[..., inner - inner % BLOCK :]
        rest[...] = kept(rest)
    return cast(powers / sums, d)


def _declare(name: str, logarithm: bool, words: str) -> None:
    @computed_row(
        name, words, fill_softmax, f"special.{name}", family="reduction", category="pointwise",
        out="same",
    )  # fmt: skip
    def rule(input: Tensor, dim: int, dtype: dtype | None = None) -> Answer:
        must_be_tensor(name, input)
        d = input._dtype if dtype is None else dtypes.of_type(dtype)
        size = input._array.shape
        axis = checked_dim(dim, len(size))
        if dtype is not None:
            warn_if_part_is_lost(input, d)
        if d not in REAL_FRACTIONS and 0 not in size:  # of no elements PyTorch asks no kernel
            last = axis == len(size) - 1 or not size
            refuse_dtype(f"{name}_lastdim_kernel_impl" if last else f"{name}_kernel_impl", d)
        return Result(size, d), (input._array, axis, logarithm, d)


_declare("softmax", False, "Computes softmax along a dimension: exp(x) / sum(exp(x)).")
_declare("log_softmax", True, "Computes the logarithm of softmax along a dimension, without overflow.")
