"""Quantiles, interpolated between neighbors in sorted order."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from ... import geometry
from ...backends.numpy.without_warnings import quietly
from ...declare.reductions import left_over
from ...declare.rules import Answer, Written
from ...errors.reasons import refuse
from ...memory.places import moved, place_of
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import dtypes
from .basic import row

_INTERPOLATION = ("linear", "lower", "higher", "midpoint", "nearest")


def fill_quantiles(
    target: np.ndarray, values: np.ndarray, q: float, dim: int | None, interpolation: str, skip_nan: bool
) -> None:
    places = np.atleast_1d(np.asarray(q, values.dtype))
    if not ((places >= 0) & (places <= 1)).all():
        _refuse_place("quantile() q values must be in the range [0, 1]")
    rows = values.reshape(-1) if dim is None or not values.ndim else np.moveaxis(values, dim, -1)
    result = _between(np.sort(rows, -1), places, interpolation, skip_nan)
    target[...] = np.moveaxis(result, -1, 0).reshape(target.shape)


def _quantile(name: str, skip_nan: bool, words: str) -> None:
    @row(name, words, fill_quantiles)
    def quantile(
        input: Tensor,
        q: float,
        dim: int | None = None,
        keepdim: bool = False,
        *,
        interpolation: str = "linear",
        out: Tensor | None = None,
    ) -> Answer:
        must_be_tensor(name, input)
        _check_quantile(input, q, interpolation, out)
        size = input._array.shape
        d = None if dim is None else checked_dim(dim, len(size))
        if d is None:
            left = (1,) * len(size) if keepdim else ()
        else:
            left = left_over(size, (d,), keepdim) if size else ()
        writes = 2 if interpolation in ("linear", "midpoint") else 1
        result = Written(left, input._dtype, None, writes)
        if isinstance(q, Tensor) and q._array.ndim:
            # PyTorch brings the places q to the front as a view, so they lie innermost.
            count = q._array.size
            inner = (1, *[n * count for n in geometry.contiguous_stride(left)])
            result = Written((count, *left), input._dtype, inner, writes + 2)
        places = q._array if isinstance(q, Tensor) else q
        return result, (input._array, places, d, interpolation, skip_nan)


def _check_quantile(input: Tensor, q: float, interpolation: str, out: Tensor | None) -> None:
    """Refuse what PyTorch refuses, in its order; it names both functions `quantile`."""
    own, name = input._dtype, "quantile"
    if not isinstance(q, Tensor) and not 0 <= q <= 1:
        _refuse_place(f"{name}() q must be in the range [0, 1] but got {q:g}")
    if interpolation not in _INTERPOLATION:
        refuse(
            RuntimeError,
            f"{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got "
            f"{interpolation}",
            "these are the ways to go between two numbers",
            rule="quantile.interpolation",
        )
    if input._array.size == 0:
        refuse(
            RuntimeError, f"{name}() input tensor must be non-empty", "nothing lies in between", rule="quantile.empty"
        )
    if isinstance(q, Tensor) and q._array.ndim > 1:
        refuse(
            RuntimeError, f"{name}() q must be a scalar or 1D tensor", "one place, or a row of them", rule="quantile.q"
        )
    if own not in (dtypes.float32, dtypes.float64):
        refuse(
            RuntimeError,
            f"{name}() input tensor must be either float or double dtype",
            f"{own} numbers have nothing in between",
            "x.float()",
            rule="quantile.dtype",
        )
    if isinstance(q, Tensor) and q._dtype is not own:
        refuse(
            RuntimeError,
            f"{name}() q tensor must be same dtype as the input tensor",
            f"q is {q._dtype}, the input {own}",
            f"q.to({own})",
            rule="quantile.q",
        )
    if out is not None and (out._dtype is not own or out.device != input.device):
        what, mine, other = ("be on the", input.device, out.device) if out._dtype is own else ("be", own, out._dtype)
        kind = "device" if out._dtype is own else "dtype"
        refuse(
            RuntimeError,
            f"{name}() out tensor must {what} same {kind} as the input tensor",
            f"the result is not converted: out= is of {other}, the input of {mine}",
            f"out=torch.empty(0, {kind}={mine})",
            rule="out.dtype",
        )


def _refuse_place(message: str) -> NoReturn:
    refuse(RuntimeError, message, "0 is the smallest, 1 the largest", rule="quantile.q")


def _between(rows: np.ndarray, q: np.ndarray, interpolation: str, skip_nan: bool) -> np.ndarray:
    """The places q of sorted rows (NaN last), in the last dimension."""
    n = rows.shape[-1]
    q = moved(q, place_of(rows))
    nans = np.isnan(rows).sum(-1)[..., None]
    last = (n - 1 - nans if skip_nan else np.full_like(nans, n - 1)).astype(rows.dtype)
    ranks = np.maximum(q.astype(rows.dtype) * last, 0)
    if interpolation == "nearest":
        ranks = np.round(ranks)
    elif interpolation == "lower":
        ranks = np.floor(ranks)
    elif interpolation == "higher":
        ranks = np.ceil(ranks)
    below = np.floor(ranks).astype(np.int64)
    outcome = np.take_along_axis(rows, below, -1)
    if interpolation in ("linear", "midpoint"):
        above = np.ceil(ranks).astype(np.int64)
        weight = np.where(below == above, 0, 0.5 if interpolation == "midpoint" else ranks - below).astype(rows.dtype)
        outcome = quietly(_lerp, outcome, np.take_along_axis(rows, above, -1), weight)
    return outcome if skip_nan else np.where(nans > 0, np.nan, outcome)


def _lerp(low: np.ndarray, high: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """From whichever end is nearer, as PyTorch's lerp does."""
    return np.where(weight < 0.5, low + weight * (high - low), high - (high - low) * (1 - weight))


_quantile("quantile", False, "Computes the q-th quantiles of all elements, or along a dimension.")
_quantile("nanquantile", True, "Computes the q-th quantiles of the elements that are not NaN.")
