"""Statistics: variance, quantiles, norms and counts, over all dimensions or some."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NoReturn

import numpy as np

from ... import geometry
from ...backends.numpy import float_sum
from ...backends.numpy.casts import cast
from ...backends.numpy.without_warnings import quietly
from ...declare.by_signature import no_kernel, same_dtype
from ...declare.reductions import as_it_is, folded, left_over, must_be_tensor, put, reduced_dims
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.results import finish
from ...tensor.tensor import Tensor, checked_dim, is_meta, place_of, wrap
from ...types import dtypes
from ...types.dtypes import COMPLEX, FLOAT, HALVES, INTEGER, dtype
from ...types.return_types import result
from .basic import row


def wide(t: Tensor) -> np.ndarray:
    """Returns the elements in the dtype that PyTorch computes them in."""
    return cast(t._array, dtypes.float32) if t._dtype in HALVES else t._array


def copier(value: Any, size: tuple[int, ...]) -> Callable[[np.ndarray], None]:
    """Returns a function that fills a result with a known value."""

    def fill(target: np.ndarray) -> None:
        np.copyto(target, np.reshape(value, size), casting="unsafe")

    return fill


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


def _moments(input: Tensor, dims: tuple[int, ...], correction: float, keepdim: bool) -> tuple[Any, Any]:
    """Variance and mean."""
    values, kept = input._array, dtypes.opmath(input._dtype)
    count = prod(values.shape[d] for d in dims)
    # PyTorch keeps both in float64 from the first number on.
    mean = quietly(np.true_divide, folded(np.add, values, dims, True, as_it_is, d=kept), float(count))
    total = folded(np.add, values, dims, keepdim, _square_apart, mean, d=kept)
    spread = quietly(np.true_divide, total, max(0.0, count - correction))
    return spread, mean if keepdim else mean.reshape(left_over(input._array.shape, dims, False))


def _square_apart(values: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """How far numbers lie from their mean, squared; in float64, as the mean is."""
    apart = np.asarray(np.subtract(values, mean))
    return apart.real**2 + apart.imag**2 if values.dtype.kind == "c" else np.multiply(apart, apart, apart)


def _spread(name: str, root: bool, with_mean: bool, words: str) -> None:
    forms = "function" if with_mean else "function method"

    @row(name, words, "(input, dim=None, *, correction=1, keepdim=False, out=None)", forms=forms)
    def spread(input: Tensor, *args: Any, out: Tensor | None = None, **named: Any) -> Any:
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
        size = left_over(input._array.shape, dims, keepdim)
        own = input._dtype.to_real()
        outcome: Any = (None, None)
        if not is_meta(input):
            outcome = _moments(input, dims, correction, keepdim)

        def fill(target: np.ndarray) -> None:
            target[...] = cast(np.asarray(quietly(np.sqrt, outcome[0]) if root else outcome[0]), own)

        spread = finish(size, own, out, fill, place_of(input))
        if not with_mean:
            return spread
        mean = finish(size, input._dtype, None, lambda t: np.copyto(t, outcome[1], casting="unsafe"), place_of(input))
        return spread, mean


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


@row(
    "nansum",
    "Returns the sum of the elements that are not NaN.",
    "(input, dim=None, keepdim=False, *, dtype=None, out=None)",
)
def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Tensor:
    must_be_tensor("nansum", input)
    if input._dtype._kind == COMPLEX:
        refuse(
            RuntimeError,
            "nansum on CPU does not support complex inputs",
            "a complex number is NaN in parts",
            "x.sum()",
            rule="nansum.dtype",
        )
    if input._dtype._kind <= INTEGER or is_meta(input):
        return OPS["sum"].function(input, dim, keepdim, dtype=dtype, out=out)
    keep = input._dtype if dtype is None else dtypes.of_type(dtype)
    if keep._kind == COMPLEX:
        no_kernel("nansum_cpu", keep)
    dims = reduced_dims(dim, input._array.ndim)
    size = left_over(input._array.shape, dims, keepdim)

    def fill(target: np.ndarray) -> None:
        put(target, _sum_of_numbers(input._array, dims, keepdim, keep))

    return finish(size, keep, out, fill, place_of(input))


def _sum_of_numbers(values: np.ndarray, dims: tuple[int, ...], keepdim: bool, keep: dtype) -> np.ndarray:
    """Sum the elements that are not NaN, accumulated as a dtype."""
    kept = dtypes.opmath(keep)

    def numbers(part: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(part), kept._in_numpy.type(0), cast(cast(part, keep), kept))

    return folded(np.add, values, dims, keepdim, numbers)


@row(
    "nanmean",
    "Returns the mean of the elements that are not NaN.",
    "(input, dim=None, keepdim=False, *, dtype=None, out=None)",
)
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Tensor:
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
    if input._dtype._kind == COMPLEX or is_meta(input) or dtype is not None and dtypes.of_type(dtype)._kind == COMPLEX:
        dims = reduced_dims(dim, input._array.ndim)
        there = OPS["sum"].function(OPS["logical_not"].function(OPS["isnan"].function(input)), dims, keepdim)
        return OPS["div"].function(OPS["nansum"].function(input, dim, keepdim, dtype=dtype), there, out=out)
    keep = input._dtype if dtype is None else dtypes.of_type(dtype)
    dims = reduced_dims(dim, input._array.ndim)
    size = left_over(input._array.shape, dims, keepdim)

    def fill(target: np.ndarray) -> None:
        total = _sum_of_numbers(input._array, dims, keepdim, keep)
        count = folded(np.add, input._array, dims, keepdim, lambda v: ~np.isnan(v))
        put(target, np.asarray(quietly(np.true_divide, total, count)))

    return finish(size, keep, out, fill, place_of(input))


@row(
    "logsumexp",
    "Returns the logarithm of the sum of exponentials, without overflow.",
    "(input, dim, keepdim=False, *, out=None)",
    "special.logsumexp",
)
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
    must_be_tensor("logsumexp", input)
    keep = input._dtype if input._dtype._kind >= FLOAT else dtypes.get_default_dtype()
    dims = reduced_dims(dim, input._array.ndim)
    size = left_over(input._array.shape, dims, keepdim)

    def fill(target: np.ndarray) -> None:
        values, kept = input._array, dtypes.opmath(keep)
        if 0 in values.shape:
            target[...] = -np.inf
            return
        top = folded(np.maximum, values, dims, True, lambda v: v.real, d=kept)
        top = np.where(np.isfinite(top), top, top.dtype.type(0))
        wide = float_sum.sum_dtype(kept._in_numpy)
        total = folded(np.add, values, dims, keepdim, lambda v, t: np.exp(np.subtract(v, t, dtype=wide)), top, d=kept)
        put(target, quietly(np.add, quietly(np.log, total), top.reshape(size)))

    return finish(size, keep, out, fill, place_of(input))


@row("count_nonzero", "Counts the nonzero elements, of all or along the given dimensions.", "(input, dim=None)")
def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    must_be_tensor("count_nonzero", input)
    dims = reduced_dims(dim, input._array.ndim)

    def fill(target: np.ndarray) -> None:
        put(target, folded(np.add, input._array, dims, False, lambda v: v != 0))

    return finish(left_over(input._array.shape, dims, False), dtypes.int64, None, fill, place_of(input))


@row("aminmax", "Returns the smallest and the largest element.", "(input, *, dim=None, keepdim=False, out=None)")
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
    return result("aminmax", ("min", "max"), values)


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


def _middle(name: str, skip_nan: bool, words: str) -> None:
    @row(name, words, "(input, dim=None, keepdim=False, *, out=None)")
    def middle(input: Tensor, dim: Any = None, keepdim: bool = False, *, out: Any = None) -> Any:
        must_be_tensor(name, input)
        _no_order(f"{name}_cpu" if dim is None else "median_out", input._dtype)
        array = wide(input)
        if dim is None:
            if array.size == 0:
                empty = np.nan if input._dtype._kind == FLOAT else np.iinfo(array.dtype).min

                return finish((), input._dtype, out, lambda t: np.copyto(t, empty, casting="unsafe"), place_of(input))

            def fill(target: np.ndarray) -> None:
                target[...] = cast(np.asarray(_median(array.reshape(-1), skip_nan)[0]), input._dtype)

            return finish((), input._dtype, out, fill, place_of(input))
        d = checked_dim(dim, array.ndim)
        if array.ndim and array.shape[d] == 0:
            refuse(
                IndexError,
                f"{name}(): Expected reduction dim {d} to have non-zero size.",
                f"dimension {d} has no middle",
                rule="middle.empty",
            )
        size = left_over(array.shape, (d,), keepdim) if array.ndim else ()
        outcome: Any = (None, None)
        if not is_meta(input):
            outcome = _median(np.moveaxis(array, d, -1) if array.ndim else array.reshape(1), skip_nan)
        outs = out if out is not None else (None, None)
        filled = [
            finish(size, kind, o, copier(f, size), place_of(input))
            for kind, o, f in zip((input._dtype, dtypes.int64), outs, outcome, strict=True)
        ]
        return result(name, ("values", "indices"), tuple(filled))


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


@row("mode", "Returns the most frequent element along a dimension, the smallest if there are several, and its index.",
     "(input, dim=-1, keepdim=False, *, out=None)")  # fmt: skip
def mode(input: Tensor, dim: int = -1, keepdim: bool = False, *, out: Any = None) -> Any:
    must_be_tensor("mode", input)
    array = wide(input)
    d = checked_dim(dim, array.ndim)
    if array.ndim and array.shape[d] == 0:
        refuse(
            IndexError,
            f"mode(): Expected reduction dim {d} to have non-zero size.",
            "nothing comes most often",
            rule="mode.empty",
        )
    size = left_over(array.shape, (d,), keepdim) if array.ndim else ()
    if is_meta(input):
        places_for = zip((input._dtype, dtypes.int64), out or (None, None), strict=True)
        pair = tuple([finish(size, kind, o, lambda target: None, place_of(input)) for kind, o in places_for])
        return result("mode", ("values", "indices"), pair)
    moved = np.moveaxis(array, d, -1) if array.ndim else array.reshape(1)
    values = np.empty(moved.shape[:-1], array.dtype)
    places = np.empty(moved.shape[:-1], np.int64)
    for at in np.ndindex(moved.shape[:-1]):
        kinds, counts = np.unique(moved[at], return_counts=True)
        best = kinds[np.argmax(counts)]
        values[at] = best
        places[at] = np.flatnonzero(moved[at] == best)[-1] if best == best else moved.shape[-1] - 1
    outs = out if out is not None else (None, None)
    filled = [
        finish(size, kind, o, copier(f, size), place_of(input))
        for kind, o, f in ((input._dtype, outs[0], values), (dtypes.int64, outs[1], places))
    ]
    return result("mode", ("values", "indices"), tuple(filled))


_INTERPOLATION = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(name: str, skip_nan: bool, words: str) -> None:
    @row(name, words, "(input, q, dim=None, keepdim=False, *, interpolation='linear', out=None)")
    def quantile(
        input: Tensor, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear", out: Any = None
    ) -> Tensor:
        must_be_tensor(name, input)
        own, scalar = input._dtype, not isinstance(q, Tensor) or q._array.ndim == 0
        _check_quantile(input, q, dim, interpolation, out)
        places = np.atleast_1d(_numbers(q) if isinstance(q, Tensor) else np.asarray(q, own._in_numpy))
        array = input._array
        d = None if dim is None else checked_dim(dim, array.ndim)
        if array.size == 0 if d is None else array.ndim and array.shape[d] == 0:
            refuse(
                RuntimeError,
                "quantile() input tensor must be non-empty",
                "nothing lies in between",
                rule="quantile.empty",
            )
        if d is None:
            left = (1,) * array.ndim if keepdim else ()
        else:
            left = left_over(array.shape, (d,), keepdim) if array.ndim else ()
        size = left if scalar else (places.size, *left)

        def fill(target: np.ndarray) -> None:
            rows = array.reshape(-1) if d is None or not array.ndim else np.moveaxis(array, d, -1)
            outcome = _between(np.sort(rows, -1), places, interpolation, skip_nan)
            target[...] = np.moveaxis(outcome, -1, 0).reshape(size)

        # PyTorch brings the places q to the front as a view, so they lie innermost.
        inner = None if scalar else (1, *[n * places.size for n in geometry.contiguous_stride(left)])
        return finish(size, own, out, fill, place_of(input), inner)


def _numbers(q: Tensor) -> np.ndarray:
    """Where to look; of a meta tensor, as many places, all 0."""
    return np.zeros(q._array.shape, q._dtype._in_numpy) if is_meta(q) else q._array


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
    if out is not None and (out._dtype is not own or is_meta(out) is not is_meta(input)):
        what, mine, other = ("be on the", input.device, out.device) if out._dtype is own else ("be", own, out._dtype)
        kind = "device" if out._dtype is own else "dtype"
        refuse(
            RuntimeError,
            f"{name}() out tensor must {what} same {kind} as the input tensor",
            f"out= is not converted to: it is of {other}, the input of {mine}",
            f"out=torch.empty(0, {kind}={mine})",
            rule="out.dtype",
        )
    if isinstance(q, Tensor) and ((_numbers(q) < 0) | (_numbers(q) > 1)).any():
        _refuse_place(f"{name}() q values must be in the range [0, 1]")


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


@row("dist", "Returns the p-norm of the difference of two tensors.", "(input, other, p=2)")
def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    must_be_tensor("dist", input)
    apart = OPS["sub"].function(input, other)
    if apart._dtype._kind < FLOAT:
        apart = apart.to(dtypes.get_default_dtype())
    return OPS["linalg.vector_norm"].function(apart, float(p))


# -- counting ----------------------------------------------------------------------------------------------------


@row(
    "bincount",
    "Counts how often each non-negative integer occurs, or sums the weights of its occurrences.",
    "(input, weights=None, minlength=0)",
    category="other",
)
def bincount(input: Tensor, weights: Any = None, minlength: int = 0) -> Tensor:
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
    array = input._array
    if array.ndim != 1 or weights is not None and array.size and bool((array < 0).any()):
        _refuse_counting()
    if weights is not None and weights._array.shape != array.shape:
        refuse(
            RuntimeError,
            "weights should be 1-d and have the same length as input",
            "one weight for each element",
            rule="bincount.weights",
        )
    summed = None if weights is None else weights._array.astype(np.float64, copy=False)
    try:
        outcome = np.bincount(array, summed, minlength)
    except ValueError:  # a negative one; np.bincount looks at all of them anyway
        _refuse_counting()
    if weights is None:
        return wrap(outcome.astype(np.int64, copy=False), dtypes.int64)
    d = dtypes.float32 if weights._dtype is dtypes.float32 else dtypes.float64
    return wrap(outcome.astype(d._in_numpy, copy=False), d)


def _refuse_counting() -> NoReturn:
    refuse(
        RuntimeError,
        "bincount only supports 1-d non-negative integral inputs.",
        "each element names a place from 0 on",
        rule="bincount.input",
    )
