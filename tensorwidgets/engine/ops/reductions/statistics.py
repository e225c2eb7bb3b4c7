"""Statistics: variance, quantiles, norms and counts, over all dimensions or some."""

from __future__ import annotations

from math import prod
from typing import Any, NoReturn

import numpy as np

from ... import geometry
from ...backends.numpy import float_sum
from ...backends.numpy.casts import cast
from ...backends.numpy.without_warnings import quietly
from ...declare.by_signature import no_kernel, same_dtype
from ...declare.reductions import as_it_is, fold_as, folded, left_over, long_for_small, put, reduced_dims
from ...declare.rules import Answer, Result, chosen, composite_row, store
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor, checked_dim
from ...types import dtypes
from ...types.dtypes import COMPLEX, FLOAT, INTEGER, dtype
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
    return dim, float(correction), keepdim


def _moments(
    values: np.ndarray, dims: tuple[int, ...], correction: float, keepdim: bool, kept: dtype
) -> tuple[Any, Any]:
    """Returns variance and mean."""
    count = prod(values.shape[d] for d in dims)
    # PyTorch keeps both in float64 from the first number on.
    mean = quietly(np.true_divide, folded(np.add, values, dims, True, as_it_is, d=kept), float(count))
    total = folded(np.add, values, dims, keepdim, _square_apart, mean, d=kept)
    spread = quietly(np.true_divide, total, max(0.0, count - correction))
    return spread, mean if keepdim else mean.reshape(left_over(values.shape, dims, False))


def _square_apart(values: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """How far numbers lie from their mean, squared; in float64, as the mean is."""
    apart = np.asarray(np.subtract(values, mean))
    return apart.real**2 + apart.imag**2 if values.dtype.kind == "c" else np.multiply(apart, apart, apart)


def fill_spread(target: Any, values: np.ndarray, root: bool, with_mean: bool, own: dtype, *moments: Any) -> None:
    spread, mean = _moments(values, *moments)
    spread = cast(np.asarray(quietly(np.sqrt, spread) if root else spread), own)
    if with_mean:
        store(target, (spread, mean))
    else:
        target[...] = spread


def _spread(name: str, root: bool, with_mean: bool, words: str) -> None:
    @row(
        name, words, fill_spread, forms="function" if with_mean else "function method",
        shown="(input, dim=None, *, correction=1, keepdim=False, out=None)",
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
        dims = reduced_dims(dim, input._array.ndim)
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
    shown="(input, dim=None, keepdim=False, *, dtype=None, out=None)",
)
def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Answer:
    must_be_tensor("nansum", input)
    if input._dtype._kind == COMPLEX:
        refuse(
            RuntimeError,
            "nansum on CPU does not support complex inputs",
            "a complex number is NaN in parts",
            "x.sum()",
            rule="nansum.dtype",
        )
    keep = long_for_small(input._dtype) if dtype is None else dtypes.of_type(dtype)
    if keep._kind == COMPLEX and input._dtype._kind == FLOAT:
        no_kernel("nansum_cpu", keep)
    dims = reduced_dims(dim, input._array.ndim)
    return Result(left_over(input._array.shape, dims, keepdim), keep), (input._array, dims, keepdim, keep)


def _sum_of_numbers(values: np.ndarray, dims: tuple[int, ...], keepdim: bool, keep: dtype) -> np.ndarray:
    """Sum the elements that are not NaN, accumulated as a dtype."""
    kept = dtypes.opmath(keep)

    def numbers(part: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(part), kept._in_numpy.type(0), cast(cast(part, keep), kept))

    return folded(np.add, values, dims, keepdim, numbers)


def fill_nanmean(target: np.ndarray, values: np.ndarray, dims: tuple[int, ...], keepdim: bool, keep: dtype) -> None:
    total = _sum_of_numbers(values, dims, keepdim, keep)
    count = folded(np.add, values, dims, keepdim, lambda v: ~np.isnan(v))
    put(target, np.asarray(quietly(np.true_divide, total, count)))


@row(
    "nanmean",
    "Returns the mean of the elements that are not NaN.",
    fill_nanmean,
    shown="(input, dim=None, keepdim=False, *, dtype=None, out=None)",
)
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Answer:
    must_be_tensor("nanmean", input)
    if input._dtype._kind not in (FLOAT, COMPLEX):
        refuse(
            RuntimeError,
            f"nanmean(): expected input to have floating point or complex dtype but got {input._dtype._type_name}",
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
    return nansum(input, dim, keepdim, dtype=dtype)


def fill_logsumexp(target: np.ndarray, values: np.ndarray, dims: tuple[int, ...], keepdim: bool, kept: dtype) -> None:
    if 0 in values.shape:
        target[...] = -np.inf
        return
    top = folded(np.maximum, values, dims, True, lambda v: v.real, d=kept)
    top = np.where(np.isfinite(top), top, top.dtype.type(0))
    wide = float_sum.sum_dtype(kept._in_numpy)
    total = folded(np.add, values, dims, keepdim, lambda v, t: np.exp(np.subtract(v, t, dtype=wide)), top, d=kept)
    put(target, quietly(np.add, quietly(np.log, total), top.reshape(target.shape)))


@row(
    "logsumexp",
    "Returns the logarithm of the sum of exponentials, without overflow.",
    fill_logsumexp,
    "special.logsumexp",
    shown="(input, dim, keepdim=False, *, out=None)",
)
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Answer:
    must_be_tensor("logsumexp", input)
    keep = input._dtype if input._dtype._kind >= FLOAT else dtypes.get_default_dtype()
    dims = reduced_dims(dim, input._array.ndim)
    size = left_over(input._array.shape, dims, keepdim)
    return Result(size, keep), (input._array, dims, keepdim, dtypes.opmath(keep))


def fill_count(target: np.ndarray, values: np.ndarray, dims: tuple[int, ...]) -> None:
    put(target, folded(np.add, values, dims, False, lambda v: v != 0))


@row(
    "count_nonzero",
    "Counts the nonzero elements, of all or along the given dimensions.",
    fill_count,
    shown="(input, dim=None)",
    out=None,
)
def count_nonzero(input: Tensor, dim: Any = None) -> Answer:
    must_be_tensor("count_nonzero", input)
    dims = reduced_dims(dim, input._array.ndim)
    return Result(left_over(input._array.shape, dims, False), dtypes.int64), (input._array, dims)


@composite_row(
    "aminmax",
    "Returns the smallest and the largest element.",
    family="reduction",
    category="reduction",
    shown="(input, *, dim=None, keepdim=False, out=None)",
)
def aminmax(input: Tensor, *, dim: Any = None, keepdim: bool = False, out: Any = None) -> Any:
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
    least, most = out if out is not None else (None, None)
    for target in (least, most):
        same_dtype(target, input._dtype)
    values = (
        OPS["amin"].function(input, where, keepdim, out=least),
        OPS["amax"].function(input, where, keepdim, out=most),
    )
    return result("aminmax" if out is None else "aminmax_out", ("min", "max"), values)


# -- the middle --------------------------------------------------------------------------------------------------


def _no_order(name: str, d: dtype) -> None:
    if d._kind == COMPLEX or d in (dtypes.bool_, *dtypes.BAREBONES_UNSIGNED, *dtypes.FLOAT8):
        refuse(
            NotImplementedError,
            f"\"{name}\" not implemented for '{d._type_name}'",
            f"PyTorch sorts no {d} here",
            "x.int()",
            rule="middle.dtype",
        )


def fill_middle(target: np.ndarray, values: np.ndarray, skip_nan: bool, kept: dtype, d: dtype) -> None:
    values = cast(values, kept)
    if values.size:
        target[...] = cast(np.asarray(_median(values.reshape(-1), skip_nan)[0]), d)
    else:
        np.copyto(target, np.nan if d._kind == FLOAT else np.iinfo(values.dtype).min, casting="unsafe")


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


def _middle(name: str, skip_nan: bool, words: str) -> None:
    @row(
        name, words, chosen, shown="(input, dim=None, keepdim=False, *, out=None)",
        returns=(name, ("values", "indices")),
    )  # fmt: skip
    def middle(input: Tensor, dim: Any = None, keepdim: bool = False) -> Answer:
        must_be_tensor(name, input)
        d = input._dtype
        _no_order(f"{name}_cpu" if dim is None else "median_out", d)
        array, kept = input._array, dtypes.opmath(d)
        if dim is None:
            return Result((), d), (fill_middle, array, skip_nan, kept, d)
        results, along = _values_and_indices(name, input, dim, keepdim, "dimension {d} has no middle")
        return results, (fill_middles, array, skip_nan, kept, along)


def _median(values: np.ndarray, skip_nan: bool) -> tuple[np.ndarray, np.ndarray]:
    """The lower of the two middles along the last dimension, and where it is; NaN wins unless it is skipped."""
    n = values.shape[-1]
    order = np.argsort(values, axis=-1, kind="stable")
    if values.dtype.kind == "f":
        nans = np.isnan(values).sum(-1)
        first_nan = np.argmax(np.isnan(values), -1)
        k = (n - nans - 1) // 2 if skip_nan else np.full(nans.shape, (n - 1) // 2)
        k = np.where(k < 0, 0, k)
        place = np.take_along_axis(order, np.asarray(k)[..., None], -1)[..., 0]
        if not skip_nan:
            place = np.where(nans > 0, first_nan, place)
    else:
        place = order[..., (n - 1) // 2]
    return np.take_along_axis(values, np.asarray(place)[..., None], -1)[..., 0], place


_middle("median", False, "Returns the median, the lower one of two; with a dimension also its index.")
_middle("nanmedian", True, "Returns the median of the elements that are not NaN; with a dimension also its index.")


def fill_mode(targets: tuple[np.ndarray, ...], values: np.ndarray, dim: int, kept: dtype) -> None:
    moved = _rows(cast(values, kept), dim)
    best = np.empty(moved.shape[:-1], moved.dtype)
    indices = np.empty(moved.shape[:-1], np.int64)
    for at in np.ndindex(best.shape):
        kinds, counts = np.unique(moved[at], return_counts=True)
        most = kinds[np.argmax(counts)]
        best[at] = most
        indices[at] = np.flatnonzero(moved[at] == most)[-1] if most == most else moved.shape[-1] - 1
    fill_pair(targets, (best, indices))


@row(
    "mode",
    "Returns the most frequent element along a dimension, the smallest if there are several, and its index.",
    fill_mode,
    shown="(input, dim=-1, keepdim=False, *, out=None)",
    returns=("mode", ("values", "indices")),
)
def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Answer:
    must_be_tensor("mode", input)
    results, d = _values_and_indices("mode", input, dim, keepdim, "nothing comes most often")
    return results, (input._array, d, dtypes.opmath(input._dtype))


_INTERPOLATION = ("linear", "lower", "higher", "midpoint", "nearest")


def fill_quantiles(
    target: np.ndarray, values: np.ndarray, q: Any, dim: int | None, interpolation: str, skip_nan: bool
) -> None:
    places = np.atleast_1d(np.asarray(q, values.dtype))
    if ((places < 0) | (places > 1)).any():
        _refuse_place("quantile() q values must be in the range [0, 1]")
    rows = values.reshape(-1) if dim is None or not values.ndim else np.moveaxis(values, dim, -1)
    result = _between(np.sort(rows, -1), places, interpolation, skip_nan)
    target[...] = np.moveaxis(result, -1, 0).reshape(target.shape)


def _quantile(name: str, skip_nan: bool, words: str) -> None:
    @row(name, words, fill_quantiles, shown="(input, q, dim=None, keepdim=False, *, interpolation='linear', out=None)")
    def quantile(
        input: Tensor, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear", out: Any = None
    ) -> Answer:
        must_be_tensor(name, input)
        _check_quantile(input, q, dim, interpolation, out)
        size = input._array.shape
        d = None if dim is None else checked_dim(dim, len(size))
        if 0 in size if d is None else size and size[d] == 0:
            refuse(
                RuntimeError,
                "quantile() input tensor must be non-empty",
                "nothing lies in between",
                rule="quantile.empty",
            )
        if d is None:
            left = (1,) * len(size) if keepdim else ()
        else:
            left = left_over(size, (d,), keepdim) if size else ()
        result = Result(left, input._dtype)
        if isinstance(q, Tensor) and q._array.ndim:
            # PyTorch brings the places q to the front as a view, so they lie innermost.
            count = q._array.size
            inner = (1, *[n * count for n in geometry.contiguous_stride(left)])
            result = Result((count, *left), input._dtype, inner)
        places = q._array if isinstance(q, Tensor) else q
        return result, (input._array, places, d, interpolation, skip_nan)


def _check_quantile(input: Tensor, q: Any, dim: Any, interpolation: str, out: Tensor | None) -> None:
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
    if input._array.size == 0 and (dim is None or input._array.ndim == 1):
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
            f"out= is not converted to: it is of {other}, the input of {mine}",
            f"out=torch.empty(0, {kind}={mine})",
            rule="out.dtype",
        )


def _refuse_place(message: str) -> NoReturn:
    refuse(RuntimeError, message, "0 is the smallest, 1 the largest", rule="quantile.q")


def _between(rows: np.ndarray, q: np.ndarray, interpolation: str, skip_nan: bool) -> np.ndarray:
    """The places q of sorted rows (NaN last), in the last dimension."""
    n = rows.shape[-1]
    nans = np.isnan(rows).sum(-1)[..., None]
    last = (n - 1 - nans if skip_nan else np.full(nans.shape, n - 1)).astype(rows.dtype)
    ranks = np.maximum(q.astype(rows.dtype) * last, 0)
    if interpolation == "nearest":
        ranks = np.round(ranks)
    elif interpolation == "lower":
        ranks = np.floor(ranks)
    elif interpolation == "higher":
        ranks = np.ceil(ranks)
    below = np.floor(ranks).astype(np.int64)
    above = np.ceil(ranks).astype(np.int64)
    weight = rows.dtype.type(0.5) if interpolation == "midpoint" else ranks - below
    low, high = np.take_along_axis(rows, below, -1), np.take_along_axis(rows, above, -1)
    weight = np.where(below == above, 0, weight).astype(rows.dtype)
    # From whichever end is nearer, as PyTorch's lerp does.
    outcome = np.where(weight < 0.5, low + weight * (high - low), high - (high - low) * (1 - weight))
    return outcome if skip_nan else np.where(nans > 0, np.nan, outcome)


_quantile("quantile", False, "Computes the q-th quantiles of all elements, or along a dimension.")
_quantile("nanquantile", True, "Computes the q-th quantiles of the elements that are not NaN.")

# -- norms -------------------------------------------------------------------------------------------------------


@composite_row(
    "dist",
    "Returns the p-norm of the difference of two tensors.",
    family="reduction",
    category="reduction",
    shown="(input, other, p=2)",
)
def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    must_be_tensor("dist", input)
    apart = OPS["sub"].function(input, other)
    if apart._dtype._kind < FLOAT:
        apart = apart.to(dtypes.get_default_dtype())
    return OPS["linalg.vector_norm"].function(apart, float(p))


# -- counting ----------------------------------------------------------------------------------------------------


def fill_counts(target: np.ndarray, values: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Returns the counts: how many there are depends on the largest element."""
    if weights is not None:
        if (values < 0).any():
            _refuse_counting()
        weights = weights.astype(np.float64, copy=False)
    try:
        return np.bincount(values, weights, target.size).astype(target.dtype, copy=False)
    except ValueError:  # a negative one; np.bincount looks at all of them anyway
        _refuse_counting()


@row(
    "bincount",
    "Counts how often each non-negative integer occurs, or sums the weights of its occurrences.",
    fill_counts,
    category="other",
    shown="(input, weights=None, minlength=0)",
    out=None,
)
def bincount(input: Tensor, weights: Any = None, minlength: int = 0) -> Answer:
    must_be_tensor("bincount", input)
    if minlength < 0:
        refuse(RuntimeError, "minlength should be >= 0", "a length is counted", rule="bincount.minlength")
    if input._dtype._kind != INTEGER:
        refuse(
            NotImplementedError,
            f"\"bincount_cpu\" not implemented for '{input._dtype._type_name}'",
            "only whole numbers name a place",
            "x.long()",
            rule="bincount.dtype",
        )
    if input._array.ndim != 1:
        _refuse_counting()
    if weights is None:
        return Result((minlength,), dtypes.int64), (input._array, None)
    if weights._array.shape != input._array.shape:
        refuse(
            RuntimeError,
            "weights should be 1-d and have the same length as input",
            "one weight for each element",
            rule="bincount.weights",
        )
    d = dtypes.float32 if weights._dtype is dtypes.float32 else dtypes.float64
    return Result((minlength,), d), (input._array, weights._array)


def _refuse_counting() -> NoReturn:
    refuse(
        RuntimeError,
        "bincount only supports 1-d non-negative integral inputs.",
        "each element names a place from 0 on",
        rule="bincount.input",
    )
