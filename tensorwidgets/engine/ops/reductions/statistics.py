"""Variances and standard deviations, sums and means without NaN, logsumexp, aminmax, dist."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ...backends.numpy.casts import cast
from ...backends.numpy.chunked_reduce import shaped
from ...backends.numpy.in_double import exp, log
from ...backends.numpy.rounded_steps import rounding
from ...backends.numpy.sums import float_sum
from ...backends.numpy.sums.ordered_sum import MOST
from ...backends.numpy.without_warnings import quietly
from ...declare.by_signature import same_dtype
from ...declare.reductions import as_it_is, fold_as, folded, left_over, long_for_small, put, reduced_dims
from ...declare.rules import Answer, Result, composite_row, store
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...memory.places import as_array
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.results import check_out
from ...tensor.scalars import check_fits
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.cpp_names import cpp_name
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX, FLOAT, dtype
from ...types.return_types import result
from .basic import row

# -- spread ------------------------------------------------------------------------------------------------------


def _spread_arguments(name: str, args: tuple, named: dict[str, Any]) -> tuple[Any, float, bool]:
    """dim, correction and keepdim, from the old spelling (unbiased) or the new one (correction)."""
    rest = list(args)
    dim = named.pop("dim", None)
    unbiased = named.pop("unbiased", None)
    correction = named.pop("correction", None)
    keepdim = named.pop("keepdim", False)
    if rest and isinstance(rest[0], bool):
        unbiased = rest.pop(0)
    elif rest:
        dim = rest.pop(0)
    if rest:
        unbiased = rest.pop(0)
    if rest:
        keepdim = rest.pop(0)
    if named:
        refuse(TypeError, f"{name}() got an unexpected keyword argument '{next(iter(named))}'", rule="argument.unknown")
    if correction is None:
        correction = 1 if unbiased is None or unbiased else 0
    check_fits(correction, dtypes.float64)
    return dim, float(correction.real), keepdim


def _moments(
    values: np.ndarray, dims: tuple[int, ...], correction: float, keepdim: bool, kept: dtype, rounded: bool
) -> tuple[Any, Any]:
    """Returns variance and mean; from a `rounded` mean of all elements."""
    count = prod(values.shape[d] for d in dims)
    if rounded and len(dims) == values.ndim and values.dtype.kind == "f":
        # Of all elements, PyTorch takes the mean as a tensor has it.
        mean = fold_as(np.add, values, dims, True, kept)
        mean = quietly(np.true_divide, mean.astype(kept._in_numpy), kept._in_numpy.type(count)).astype(np.float64)
    else:  # PyTorch keeps both in float64 from the first number on.
        mean = quietly(np.true_divide, folded(np.add, values, dims, True, as_it_is, d=kept), float(count))
        if values.dtype == np.float64 and type(values) is np.ndarray and 0 < values.size <= MOST:
            first = values[tuple([slice(1) if d in dims else slice(None) for d in range(values.ndim)])]
            mean = np.where((values == first).all(dims, keepdims=True), first, mean)  # equal numbers have no spread
    total = folded(np.add, values, dims, keepdim, _square_apart, mean, d=kept)
    # Of no numbers there is no spread, not even with a negative correction.
    spread = quietly(np.true_divide, total, max(0.0, count - correction) if count else 0.0)
    return spread, mean if keepdim else mean.reshape(left_over(values.shape, dims, False))


def _updated(mean: Any, values: np.ndarray, dims: tuple[int, ...]) -> Any:
    """The mean as PyTorch keeps it up to date, one number after the other: an infinite one leaves NaN, unless it is the
    last. Complex numbers are two."""
    if values.dtype.kind == "c":
        kept = np.empty(mean.shape, mean.dtype)
        for to, part in ((kept.real, values.real), (kept.imag, values.imag)):
            to[...] = _updated(quietly(np.mean, part, dims, np.float64).reshape(mean.shape), part, dims)
        return kept
    infinite = quietly(np.isinf, values)
    last = infinite[tuple([slice(-1, None) if d in dims else slice(None) for d in range(values.ndim)])]
    stays = last & (infinite.sum(dims, keepdims=True) == 1)
    return np.where(quietly(np.isinf, mean) & ~stays.reshape(mean.shape), np.nan, mean)


def _square_apart(values: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """How far numbers lie from their mean, squared; in float64, as the mean is."""
    apart = as_array(np.subtract(values, mean))
    return apart.real**2 + apart.imag**2 if values.dtype.kind == "c" else np.multiply(apart, apart, apart)


def _warn_of_freedom(values: np.ndarray, name: str, dims: tuple[int, ...], correction: float) -> None:
    """PyTorch's warning where nothing is left to divide by; it looks at both parts of complex numbers."""
    # Without numbers PyTorch counts none, even where a dimension folded is long.
    count = prod([values.shape[d] for d in dims]) if values.size else 0
    if count - correction <= 0:
        for _ in range(1 + (values.dtype.kind == "c")):
            warn(
                f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
                "(input numel divided by output numel)."
            )


def fill_spread(target: Any, values: np.ndarray, root: bool, with_mean: bool, own: dtype, *moments: Any) -> None:
    _warn_of_freedom(values, ("std" if root else "var") + "_mean" * with_mean, *moments[:2])
    dims, correction, keepdim, kept = moments
    spread, mean = _moments(values, dims, correction, keepdim, kept, not with_mean and own in _WHOLE)
    if with_mean and values.size and not quietly(np.isfinite, mean).all():
        mean = _updated(mean, values, dims)
    spread = cast(as_array(quietly(np.sqrt, spread) if root else spread), own)
    if with_mean:
        store(target, (spread, mean))
    else:
        target[...] = spread


_WHOLE = (dtypes.float32, dtypes.float64)


def _spread(name: str, root: bool, with_mean: bool, words: str) -> None:
    @row(
        name, words, fill_spread, forms="function" if with_mean else "function method",
        returns="Tensor" if with_mean else None, out=None if with_mean else "",
    )  # fmt: skip
    def spread(input: Tensor, *args: Any, **named: Any) -> Answer:
        must_be_tensor(name, input)
        dim, correction, keepdim = _spread_arguments(name, args, named)
        if input._dtype._kind not in (FLOAT, COMPLEX):
            refuse(
                RuntimeError,
                "std and var only support floating point and complex dtypes"
                if not with_mean
                else f"{name} only support floating point and complex dtypes",
                f"the spread of {input._dtype} numbers is seldom a whole number",
                "x.float()",
                rule="spread.dtype",
            )
        dims = reduced_dims(dim, input._array.ndim, one_by_one=True)
        size, own = left_over(input._array.shape, dims, keepdim), input._dtype.to_real()
        results = Result(size, own), Result(size, input._dtype)
        moments = (dims, correction, keepdim, dtypes.opmath(input._dtype))
        return results if with_mean else results[0], (input._array, root, with_mean, own, *moments)


_spread("var", False, False, "Returns the variance of all elements, or along the given dimensions.")
_spread("std", True, False, "Returns the standard deviation of all elements, or along the given dimensions.")
_spread("var_mean", False, True, "Returns the variance and the mean of all elements, or along the given dimensions.")
_spread(
    "std_mean",
    True,
    True,
    "Returns the standard deviation and the mean of all elements, or along the given dimensions.",
)


# -- sums that look away, or keep their scale --------------------------------------------------------------------


def fill_nansum(target: np.ndarray, values: np.ndarray, dims: tuple[int, ...], keepdim: bool, keep: dtype) -> None:
    if values.dtype.kind in "biu":
        put(target, fold_as(np.add, values, dims, keepdim, keep))
    else:
        put(target, _sum_of_numbers(values, dims, keepdim, keep))


@row(
    "nansum",
    "Returns the sum of the elements that are not NaN.",
    fill_nansum,
)
def nansum(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Answer:
    must_be_tensor("nansum", input)
    dims = reduced_dims(dim, input._array.ndim, one_by_one=True)
    if input._dtype._kind == COMPLEX:
        refuse(
            RuntimeError,
            "nansum on CPU does not support complex inputs",
            "a complex number is NaN in parts",
            "x.sum()",
            rule="nansum.dtype",
        )
    if dtype is None:
        keep = long_for_small(input._dtype) if out is None else out._dtype
    else:
        keep = dtypes.of_type(dtype)
    if dtype is not None and out is not None and out._dtype is not keep:
        own, wanted = cpp_name(out._dtype), cpp_name(keep)
        refuse(
            RuntimeError,
            f"nansum: provided dtype must match dtype of result. Got {out._dtype._type_name} and {keep._type_name}."
            if input._dtype._kind == FLOAT
            else f"Expected out tensor to have dtype {wanted}, but got {own} instead",
            "the sum would have another dtype than out=",
            f"out=torch.empty(0, dtype={keep})",
            rule="out.dtype",
        )
    if input._dtype._kind == FLOAT and (keep._kind == COMPLEX or dtype is None and keep._kind != FLOAT):
        refuse_dtype("nansum_cpu", keep)
    return Result(left_over(input._array.shape, dims, keepdim), keep), (input._array, dims, keepdim, keep)


def _sum_of_numbers(values: np.ndarray, dims: tuple[int, ...], keepdim: bool, keep: dtype) -> np.ndarray:
    """Sum the elements that are not NaN, accumulated as a dtype."""
    kept = dtypes.opmath(keep)

    def numbers(part: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(part), kept._in_numpy.type(0), cast(cast(part, keep), kept))

    if type(values) is np.ndarray and values.size <= MOST and float_sum.sum_dtype(kept._in_numpy):
        plain = values.dtype == keep._in_numpy and keep is kept and not np.isnan(values).any()
        return shaped(float_sum.total(values if plain else numbers(values), dims), values, dims, keepdim)
    return folded(np.add, values, dims, keepdim, numbers)


def fill_nanmean(target: np.ndarray, values: np.ndarray, dims: tuple[int, ...], keepdim: bool, keep: dtype) -> None:
    total = _sum_of_numbers(values, dims, keepdim, keep)
    count = folded(np.add, values, dims, keepdim, lambda v: ~np.isnan(v))
    total = rounding(target.dtype, as_array(total).dtype)(total)  # a sum of 16 bits
    put(target, as_array(quietly(np.true_divide, total, count)))


@row(
    "nanmean",
    "Returns the mean of the elements that are not NaN.",
    fill_nanmean,
)
def nanmean(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Answer:
    must_be_tensor("nanmean", input)
    if input._dtype._kind not in (FLOAT, COMPLEX):
        refuse(
            RuntimeError,
            f"nanmean(): expected input to have floating point or complex dtype but got {input._dtype._type_name}"
            if out is None
            else "nanmean(): integral types and 'Bool' are not supported for nanmean, even for empty tensors.",
            "whole numbers are never NaN, and their mean is seldom whole",
            "x.float().mean()",
            rule="mean.dtype",
        )
    if dtype is not None and dtypes.of_type(dtype)._kind not in (FLOAT, COMPLEX):
        refuse(
            RuntimeError,
            "nanmean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. "
            f"Got: {dtypes.of_type(dtype)._type_name}",
            "a mean is seldom a whole number",
            "dtype=torch.float32",
            rule="mean.dtype",
        )
    reduced_dims(dim, input._array.ndim)  # PyTorch counts the numbers first
    return nansum(input, dim, keepdim, dtype=dtype, out=out)


def fill_logsumexp(target: np.ndarray, values: np.ndarray, dims: tuple[int, ...], keepdim: bool, d: dtype) -> None:
    if 0 in values.shape:
        target[...] = -np.inf
        return
    kept = dtypes.opmath(d)
    top = folded(np.maximum, values, dims, True, lambda v: v.real, d=kept)
    top = np.where(np.isfinite(top), top, top.dtype.type(0))
    if values.dtype == target.dtype == kept._in_numpy and values.size <= MOST and type(values) is np.ndarray:
        powers = quietly(exp, quietly(np.subtract, values, top))
        sums = shaped(float_sum.total(powers, dims), values, dims, keepdim)
        target[...] = quietly(np.add, quietly(log, sums), top.reshape(target.shape))
        return
    wide = float_sum.sum_dtype(kept._in_numpy)
    r = rounding(target.dtype, np.dtype(wide or kept._in_numpy))  # PyTorch rounds each step to 16 bits
    total = folded(
        np.add, values, dims, keepdim, lambda v, t: r(np.exp(r(np.subtract(v, t, dtype=wide)))), top, d=kept
    )  # fmt: skip
    put(target, quietly(np.add, r(quietly(np.log, r(total))), top.reshape(target.shape)))


@row(
    "logsumexp",
    "Returns the logarithm of the sum of exponentials, without overflow.",
    fill_logsumexp,
    "special.logsumexp",
)
def logsumexp(input: Tensor, dim: int | Sequence[int], keepdim: bool = False, *, out: Tensor | None = None) -> Answer:
    must_be_tensor("logsumexp", input)
    keep = input._dtype if input._dtype._kind >= FLOAT else dtypes.get_default_dtype()
    check_out(keep, out, "inexact|logsumexp(): Expected floating point type for result tensor, but got: {Got}")
    dims = reduced_dims(dim, input._array.ndim)
    size = left_over(input._array.shape, dims, keepdim)
    if isinstance(dim, (list, tuple)) and not dim and input._array.ndim and input._array.size and not keepdim:
        refuse(
            RuntimeError,
            f"output with shape [] doesn't match the broadcast shape {[1] * input._array.ndim}",
            "an empty list of dimensions means all of them here, and PyTorch adds what it kept of each",
            f"x.logsumexp({list(range(input._array.ndim))})",
            rule="dim.none",
        )
    return Result(size, keep), (input._array, dims, keepdim, keep)


@composite_row(
    "aminmax",
    "Returns the smallest and the largest element.",
    family="reduction",
    category="reduction",
)
def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False, out: Tensor | None = None) -> Any:
    must_be_tensor("aminmax", input)
    if input._array.size == 0 and dim is None:
        refuse(
            RuntimeError,
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.",
            "an empty tensor has no extreme element",
            rule="amin.empty",
        )
    where = () if dim is None else dim
    if dim is not None and input._array.ndim:
        along = checked_dim(dim, input._array.ndim)
        if not input._array.shape[along]:
            refuse(
                IndexError,
                f"aminmax: Expected reduction dim {along} to have non-zero size.",
                f"dimension {along} has no elements to compare",
                rule="amin.empty",
            )
    if input._dtype._kind == COMPLEX or input._dtype in dtypes.ONLY_STORED:
        refuse_dtype("aminmax_cpu", input._dtype, f"PyTorch orders no {input._dtype} here")
    least, most = out if out is not None else (None, None)
    for target in (least, most):
        same_dtype(target, input._dtype)
    values = (
        OPS["amin"].function(input, where, keepdim, out=least),
        OPS["amax"].function(input, where, keepdim, out=most),
    )
    return result("aminmax" if out is None else "aminmax_out", ("min", "max"), values)


@composite_row(
    "dist",
    "Returns the p-norm of the difference of two tensors.",
    family="reduction",
    category="reduction",
)
def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    must_be_tensor("dist", input)
    apart = OPS["sub"].function(input, other)
    if apart._dtype._kind < FLOAT:
        refuse(
            RuntimeError,
            f"norm(): input dtype should be either floating point or complex. Got {apart._dtype._type_name} instead.",
            f"the distance of {apart._dtype} numbers is seldom a whole number",
            "torch.dist(x.float(), y.float())",
            rule="dist.dtype",
            dtype=apart._dtype,
        )
    return OPS["linalg.vector_norm"].function(apart, float(p))
