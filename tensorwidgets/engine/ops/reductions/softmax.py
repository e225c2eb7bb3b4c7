"""Softmax and its logarithm along a dimension."""

from __future__ import annotations

from math import prod

import numpy as np

from ...backends.numpy.casts import cast
from ...backends.numpy.softmax import by_rounded_steps, softmax
from ...backends.numpy.without_warnings import quietly
from ...declare.rules import Answer, Result, computed_row
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtypes import HALVES, dtype
from ..pointwise.prepared import REAL_FRACTIONS, refuse_dtype


def fill_softmax(target: np.ndarray, values: np.ndarray, axis: int, logarithm: bool, d: dtype) -> None:
    if not target.size:
        return
    values = cast(cast(values, d), dtypes.opmath(d))
    if not target.ndim:
        values, target = values.reshape(1), target.reshape(1)
    if d in HALVES and _rounds_a_step(values.shape, axis, logarithm):
        target[...] = cast(by_rounded_steps(values, axis, logarithm, d._in_numpy), d)
    elif target.dtype == values.dtype and not np.may_share_memory(target, values):
        softmax(values, axis, logarithm, target)
    else:
        result = np.empty(values.shape, values.dtype, like=values)
        softmax(values, axis, logarithm, result)
        target[...] = quietly(result.astype, target.dtype)


def _rounds_a_step(size: tuple[int, ...], axis: int, logarithm: bool) -> bool:
    """Whether PyTorch rounds a step to 16 bits: a logarithm of rows, or the powers of columns, when they are few."""
    last = axis == len(size) - 1
    return last if logarithm else not last and prod(size[axis + 1 :]) < 32


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
        if d not in REAL_FRACTIONS:
            last = axis == len(size) - 1 or not size
            refuse_dtype(f"{name}_lastdim_kernel_impl" if last else f"{name}_kernel_impl", d)
        return Result(size, d), (input._array, axis, logarithm, d)


_declare("softmax", False, "Computes softmax along a dimension: exp(x) / sum(exp(x)).")
_declare("log_softmax", True, "Computes the logarithm of softmax along a dimension, without overflow.")
