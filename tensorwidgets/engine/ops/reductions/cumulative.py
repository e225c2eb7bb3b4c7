"""Cumulative ops along a dimension: cumsum, cumprod, cummax and others; diff, gradient, trapezoid."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...backends.numpy.casts import cast
from ...backends.numpy.parallel_scan import accumulate
from ...backends.numpy.rounded_steps import rounding
from ...backends.numpy.sums.float_sum import sum_dtype
from ...backends.numpy.without_warnings import quietly
from ...calling.arguments import as_number
from ...declare.by_signature import same_dtype
from ...declare.reductions import left_over, long_for_small, reduced_dims
from ...declare.rules import Answer, Result, composite_row, computed_row, store, written_over
from ...declare.views import as_dim
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.copying import warn_if_part_is_lost
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.results import copy_to
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version, version_owner
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX, FLOAT, HALVES, dtype
from ...types.promotion import combine, dtype_of_number, promote_types
from ..pointwise.checks import check_sub

running = partial(computed_row, family="running", category="other")

NOT_CONVERTED = "expected scalar_type {Wanted} but found {Got}"
"""The refusal of an `out=` of another dtype."""


def like(input: Tensor, d: dtype) -> Result:
    """A contiguous result of the input's size, whatever strides the input has."""
    return Result(input._array.shape, d)


def fill_accumulated(target: np.ndarray, values: np.ndarray, ufunc: np.ufunc, dim: int, keep: dtype) -> None:
    values = cast(values, keep)
    if not values.ndim:
        target[...] = values
    elif keep in HALVES:  # PyTorch accumulates these in float32
        target[...] = cast(quietly(ufunc.accumulate, cast(values, dtypes.opmath(keep)), dim), keep)
    else:
        values = values.copy() if np.may_share_memory(values, target) else values
        accumulate(ufunc, values, dim, target, sum_dtype(keep._in_numpy))
    if ufunc is np.add and values.ndim and keep._kind >= FLOAT:
        _without_negative_zeros(target, dim)


def _without_negative_zeros(sums: np.ndarray, dim: int) -> None:
    """Make a running sum start from 0, as PyTorch's does: -0 can only be in it while all terms are -0."""
    first = sums[(slice(None),) * dim + (slice(1),)]
    if (first.real == 0).any() or sums.dtype.kind == "c" and (first.imag == 0).any():
        quietly(np.add, sums, sums.dtype.type(0), sums)


def _accumulated(name: str, ufunc: np.ufunc, words: str) -> None:
    @running(name, words, fill_accumulated, out="same")
    def cumulate(input: Tensor, dim: int, *, dtype: dtype | None = None, out: Tensor | None = None) -> Answer:
        must_be_tensor(name, input)
        d = checked_dim(as_dim(name, dim), input._array.ndim)
        if out is not None and dtype is None:
            keep = out._dtype
        else:
            keep = long_for_small(input._dtype) if dtype is None else dtypes.of_type(dtype)
        if keep is dtypes.bool_ or keep in dtypes.ONLY_STORED:
            same_dtype(out, keep)
            if input._array.ndim and input._array.size:  # there is nothing to add up otherwise
                refuse_dtype(f"{name}_out_cpu", keep)
        if keep is not input._dtype:
            warn_if_part_is_lost(input, keep)
        return like(input, keep), (input._array, ufunc, d, keep)

    written_over(name)


_accumulated("cumsum", np.add, "Returns the cumulative sum along a dimension.")
_accumulated("cumprod", np.multiply, "Returns the cumulative product along a dimension.")


def fill_running_extreme(targets: tuple[np.ndarray, ...], values: np.ndarray, most: np.ufunc, dim: int) -> None:
    values = values if values.dtype.isbuiltin == 1 else values.astype(np.float32)
    rows = tuple([t if t.ndim else t.reshape(1) for t in (values, *targets)])
    store(rows[1:], _extremes(rows[0], most, dim))


def _running_extreme(name: str, most: np.ufunc, words: str) -> None:
    @running(
        name, words, fill_running_extreme, returns=(name, ("values", "indices")), out=(NOT_CONVERTED, NOT_CONVERTED)
    )
    def cumulate(input: Tensor, dim: int) -> Answer:
        must_be_tensor(name, input)
        dim = as_dim(name, dim)
        if not input._array.ndim and not -1 <= dim <= 0:
            refuse(
                IndexError,
                f"{name}(): Expected reduction dim -1 or 0 for scalar but got {dim}",
                "a single number has no dimension to go along",
                "dim=0",
                rule="dim.range",
            )
        d = checked_dim(dim, input._array.ndim) if input._array.size else 0  # of nothing PyTorch does not look at it
        unordered = input._dtype._kind == COMPLEX or input._dtype in dtypes.ONLY_STORED
        if unordered and input._array.ndim and 0 not in input._array.shape:
            refuse_dtype(f"{name}_cpu", input._dtype, f"PyTorch orders no {input._dtype}")
        return (like(input, input._dtype), like(input, dtypes.int64)), (input._array, most, d)


def _extremes(values: np.ndarray, most: np.ufunc, dim: int) -> tuple[np.ndarray, np.ndarray]:
    """The best so far and where it was; of equals the latest, and NaN once it has come."""
    if not values.size:
        return values, np.zeros(values.shape, np.int64, like=values)
    best = quietly(so_far, most, values, dim)
    wins = (values == best) | (values != values)
    steps = np.arange(values.shape[dim], like=values).reshape(-1, *(1,) * (values.ndim - 1 - dim))
    place = so_far(np.maximum, wins * steps, dim)
    return np.take_along_axis(values, place, dim), place


def so_far(most: np.ufunc, values: np.ndarray, dim: int) -> np.ndarray:
    """The running maximum or minimum. On a GPU it looks back over twice as many elements at each step."""
    if type(values) is np.ndarray:
        if dim == values.ndim - 1:
            return most.accumulate(values, dim)
        result = np.empty(values.shape, values.dtype)
        accumulate(most, values, dim, result)  # many rows side by side
        return result
    best, far = values.copy(), 1
    rows = np.moveaxis(best, dim, 0)
    while far < len(rows):
        rows[far:] = most(rows[far:], rows[:-far])
        far *= 2
    return best


_running_extreme("cummax", np.maximum, "Returns the cumulative maximum along a dimension, and its indices.")
_running_extreme("cummin", np.minimum, "Returns the cumulative minimum along a dimension, and its indices.")


def fill_logcumsumexp(target: np.ndarray, values: np.ndarray, dim: int, keep: dtype) -> None:
    values = cast(values, dtypes.opmath(keep))
    if not values.ndim:
        target[...] = values
    elif keep._kind == COMPLEX:
        quietly(np.copyto, target, quietly(_log_sums, values.astype(np.complex128), dim), "unsafe")
    elif keep in HALVES:
        quietly(np.copyto, target, quietly(np.logaddexp.accumulate, values, dim), "unsafe")
    else:
        values = values.copy() if np.may_share_memory(values, target) else values
        accumulate(np.logaddexp, values, dim, target, sum_dtype(keep._in_numpy))


@running(
    "logcumsumexp",
    "Returns the logarithm of the cumulative sum of exponentials along a dimension.",
    fill_logcumsumexp,
)
def logcumsumexp(input: Tensor, dim: int, *, out: Tensor | None = None) -> Answer:
    must_be_tensor("logcumsumexp", input)
    keep = input._dtype
    if out is not None and out._dtype is not keep:
        refuse(
            RuntimeError,
            f"expected scalar_type {keep._type_name} but found {out._dtype._type_name}",
            f"this op does not convert its result to the dtype of out=: the result is of {keep}",
            f"out=torch.empty(0, dtype={keep})",
            rule="out.dtype",
        )
    d = checked_dim(as_dim("logcumsumexp", dim), input._array.ndim)
    if keep._kind not in (FLOAT, COMPLEX) or keep in dtypes.FLOAT8:
        refuse_dtype("logcumsumexp_out_cpu", keep, "a logarithm is seldom a whole number", "x.float()")
    return like(input, keep), (input._array, d, keep)


def _log_sums(values: np.ndarray, d: int) -> np.ndarray:
    """logcumsumexp of complex numbers, one after the other as PyTorch adds them: no exponential overflows or vanishes,
    and an imaginary part keeps its turns."""
    rows = np.moveaxis(values, d, 0)
    sums = np.empty_like(rows)
    last = np.full_like(rows, -np.inf, shape=rows.shape[1:])
    for k in range(len(rows)):
        sums[k] = last = _log_sum(rows[k], last)
    return np.moveaxis(sums, 0, d)


def _log_sum(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The logarithm of the sum of two exponentials: the larger number, and what the smaller one adds to it."""
    less = (x.real < y.real) & ~np.isnan(y)
    small, large = np.where(less, x, y), np.where(less, y, x)
    sums = np.log1p(np.exp(small - large)) + large
    same = np.isinf(large.real) & (small.real == large.real)  # whose difference is no number
    if same.any():
        sums = np.where(same, np.where(large.real < 0, small, np.log(np.exp(small) + np.exp(large))), sums)
    return np.where(np.isnan(x) | np.isnan(y), complex(np.nan, np.nan), sums)


# -- differences and areas ---------------------------------------------------------------------------------------


@composite_row(
    "diff", "Computes the n-th differences of adjacent elements along a dimension.", family="running", category="other"
)
def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    must_be_tensor("diff", input)
    if not input._array.ndim:
        refuse(
            RuntimeError,
            "diff expects input to be at least one-dimensional",
            "one number has no neighbour",
            rule="diff.zero_dim",
        )
    if n < 0:
        refuse(RuntimeError, f"order must be non-negative but got {n}", "n counts how often", rule="diff.order")
    given = n or prepend is not None or append is not None
    d = checked_dim(dim, input._array.ndim) if given else 0  # which is not looked at where nothing is subtracted
    for more in (prepend, append):
        if more is not None:
            _check_with_number(input._array.shape, more._array.shape, d)
    parts = [p for p in (prepend, input, append) if p is not None]
    x = OPS["cat"].function(parts, d) if len(parts) > 1 else input
    narrow = OPS["narrow"].function
    subtract = OPS["logical_xor" if x._dtype is dtypes.bool_ else "sub"].function
    for _ in range(min(n, x._array.shape[d])):
        length = max(x._array.shape[d] - 1, 0)
        if not x._array.shape[d]:
            break
        x = subtract(narrow(x, d, 1, length), narrow(x, d, 0, length))
    if n == 0:  # prepend and append are ignored then
        x = OPS["clone"].function(input)
        if not version_owner(x)._writes:  # PyTorch copies into a tensor that is there
            bump_version(x)
    return copy_to(out, x, "" if n else NOT_CONVERTED)


def _check_with_number(size: tuple[int, ...], more: tuple[int, ...], along: int) -> None:
    """What is prepended or appended differs from the input in one dimension at most."""
    if len(more) != len(size):
        refuse(
            RuntimeError,
            "diff expects prepend or append to be the same dimension as input",
            f"the input has {len(size)} dimensions, and the other argument has {len(more)}",
            rule="diff.beside",
        )
    for d, (n, m) in enumerate(zip(size, more, strict=True)):
        if d != along and n != m:
            refuse(
                RuntimeError,
                "diff expects the shape of tensor to prepend or append to match that of input except along the "
                f"differencing dimension; input.size({d}) = {n}, but got tensor.size({d}) = {m}",
                f"only dimension {along}, along which neighbours are subtracted, may differ",
                rule="diff.beside",
            )


def fill_gradients(
    targets: tuple[np.ndarray, ...], values: np.ndarray, dims: tuple[int, ...], edge_order: int, *steps: Any
) -> None:
    for target, dim, step in zip(targets, dims, steps, strict=True):
        h = step.item() if isinstance(step, np.ndarray) and not step.ndim else step
        fill: Callable = _fill_at_places if np.ndim(h) else _fill_at_steps
        if target.dtype.itemsize == 2 and not np.ndim(h):
            fill = _fill_in_16_bits
        # Between places, differences are rounded to the dtype of the elements.
        kept = np.ndim(h) and values.dtype.kind not in "iub"
        own = values if kept else cast(values, dtypes.FROM_NUMPY[target.dtype])
        quietly(fill, np.moveaxis(target, dim, 0), np.moveaxis(own, dim, 0), edge_order, h)


def _fill_at_steps(target: np.ndarray, x: np.ndarray, edge_order: int, step: float) -> None:
    """The gradient along the first dimension, in which all distances are equal, in PyTorch's steps."""
    h = target.dtype.type(step)
    target[1:-1] = (x[2:] - x[:-2]) / 2 / h
    if edge_order == 1:
        first, last = x[1] - x[0], x[-1] - x[-2]
    else:
        first, last = -1.5 * x[0] + 2 * x[1] - 0.5 * x[2], 0.5 * x[-3] - 2 * x[-2] + 1.5 * x[-1]
    target[0], target[-1] = first / h, last / h


def _fill_at_places(target: np.ndarray, x: np.ndarray, edge_order: int, places: np.ndarray) -> None:
    """The same where each element has a coordinate."""
    places = places.astype(target.dtype) if places.dtype.kind in "iub" else places
    steps = np.diff(places).reshape(-1, *(1,) * (x.ndim - 1))
    h, k = steps[:-1], steps[1:]
    inner = -k / (h * (h + k)) * x[:-2] + (k - h) / (h * k) * x[1:-1] + h / (k * (h + k)) * x[2:]
    if edge_order == 1:
        first, last = _with_number(np.divide, x[1] - x[0], steps[0]), _with_number(np.divide, x[-1] - x[-2], steps[-1])
    else:
        h, k = steps[0], steps[1]
        weights = -(2 * h + k) / (h * (h + k)), (h + k) / (h * k), -h / (k * (h + k))
        a, b, c = (_with_number(np.multiply, row, weight) for row, weight in zip(x[:3], weights, strict=True))
        first = a + b + c
        h, k = steps[-2], steps[-1]
        weights = k / (h * (h + k)), -(k + h) / (h * k), (2 * k + h) / (k * (h + k))
        a, b, c = (_with_number(np.multiply, row, weight) for row, weight in zip(x[-3:], weights, strict=True))
        last = a + b + c
    target[1:-1], target[0], target[-1] = inner, first, last


def _with_number(ufunc: np.ufunc, x: np.ndarray, number: np.ndarray) -> Any:
    """A product or quotient with one number, which does not change the precision, as a tensor without dimensions."""
    kept = np.result_type(x.dtype, np.complex64) if number.dtype.kind == "c" and x.dtype.kind != "c" else x.dtype
    wide = np.dtype(np.float32) if kept.itemsize == 2 else kept
    # A factor comes before its row, and is rounded; a divisor comes after it, and is not.
    number = number.astype(kept) if ufunc is np.multiply else number
    return ufunc(x.astype(wide), number.astype(wide)).astype(kept)


def _fill_in_16_bits(target: np.ndarray, values: np.ndarray, edge_order: int, step: float) -> None:
    """The gradient of 16-bit floats along the first dimension: every difference is rounded, as in PyTorch."""
    wide = np.dtype(np.float32)
    r, x, h = rounding(target.dtype, wide), values.astype(wide), wide.type(step)
    target[1:-1] = r(x[2:] - x[:-2]) / (2 * h)
    if edge_order == 1:
        target[0], target[-1] = r(x[1] - x[0]) / h, r(x[-1] - x[-2]) / h
    else:
        target[0] = r(r(r(-1.5 * x[0]) + r(2 * x[1])) - r(0.5 * x[2])) / h
        target[-1] = r(r(r(0.5 * x[-3]) - r(2 * x[-2])) + r(1.5 * x[-1])) / h


@running(
    "gradient",
    "Estimates the gradient along dimensions by central differences.",
    fill_gradients,
    forms="function",
    category="pointwise",
    returns="tuple[Tensor, ...]",
    out=None,
)
def gradient(input: Tensor, *, spacing: Any = None, dim: tuple[int, ...] | None = None, edge_order: int = 1) -> Answer:
    must_be_tensor("gradient", input)
    if input._dtype is dtypes.uint8:
        refuse(
            RuntimeError,
            "torch.gradient does not support uint8 input.",
            "a difference may be negative",
            "x.int()",
            rule="gradient.dtype",
        )
    dims = range(input._array.ndim) if dim is None else ([dim] if isinstance(dim, int) else list(dim))
    steps = _spacings(spacing, len(dims), named=dim is not None)
    if edge_order not in (1, 2):
        refuse(
            RuntimeError, "torch.gradient only supports edge_order=1 and edge_order=2.", "1 or 2", rule="gradient.order"
        )
    places = list(reduced_dims(tuple(dims), input._array.ndim)) if dims else []
    if dims and not places:
        input.size(dims[0])  # a number has no dimension: the refusal is that of size
    for d in places:
        if input._array.shape[d] < edge_order + 1:
            refuse(
                RuntimeError,
                "torch.gradient expected each dimension size to be at least edge_order+1",
                f"dimension {d} has {input._array.shape[d]} places",
                rule="gradient.size",
            )
    for step in steps:
        if isinstance(step, Tensor) and step._array.ndim != 1:
            refuse(
                RuntimeError,
                "torch.gradient expected each element of spacing to have one dimension, but got an element with "
                f"{step._array.ndim} dimensions!",
                "a tensor holds the place of each element along a dimension",
                rule="gradient.spacing",
            )
    for d, step in zip(places, steps, strict=False):
        n = input._array.shape[d]
        if isinstance(step, Tensor) and step._array.size != n:
            refuse(
                RuntimeError,
                f"torch.gradient expected {n} coordinates along dimension {d}, but got {step._array.size}",
                "PyTorch pairs differences with steps that are not theirs, or refuses what does not broadcast",
                "spacing of as many places as the dimension has",
                rule="gradient.spacing",
            )
    if places and input._dtype is dtypes.bool_:
        check_sub("gradient", (input, input))
    arrays = [step._array if isinstance(step, Tensor) else step for step in steps]
    results = tuple([Result(input._array.shape, _slope_dtype(input, step)) for step in steps])
    return results, (input._array, tuple(places), edge_order, *arrays)


def _slope_dtype(input: Tensor, step: Any) -> dtype:
    """The dtype of differences divided by a step; whole numbers become fractions before they are divided."""
    default = dtypes.get_default_dtype()
    if not isinstance(step, Tensor):
        d = combine(input._dtype, None, dtype_of_number(step))
        d = d if d._kind >= FLOAT else default
    else:
        d = step._dtype if step._dtype._kind >= FLOAT else default
        d = promote_types(input._dtype, d)
    if d is dtypes.complex32:
        refuse_dtype("div_cpu", d)
    return d


def _spacings(spacing: Any, count: int, named: bool) -> list[Any]:
    if spacing is None:
        return [1.0] * count
    if isinstance(spacing, Tensor):
        spacing = as_number(spacing)
    if isinstance(spacing, (int, float, complex, np.generic)):
        return [spacing] * count
    listed = list(spacing)
    if len(listed) != count:
        refuse(
            RuntimeError,
            "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the "
            f"same length, but got a spacing argument of length {len(listed)} and a dim argument of length {count}."
            if named
            else "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to "
            f"'self.dim() = {count}', "
            f"since dim argument was not given, but got a list of length {len(listed)}",
            "one step, or one for each dimension",
            rule="gradient.spacing",
        )
    return listed


def _by_heights(y: Tensor, dx: float, d: int) -> Tensor:
    """The sum of the heights without half of both ends, times their distance, as PyTorch computes it."""
    select, sum_, add, sub, mul = (OPS[name].function for name in ("select", "sum", "add", "sub", "mul"))
    ends = add(select(y, d, 0), select(y, d, -1))
    area: Tensor = mul(sub(sum_(y, d), mul(ends, 0.5)), dx)
    return area


def _widths(name: str, ndim: int, count: int, x: Tensor, dim: int) -> Tensor:
    """How far apart the places of the heights are, with as many dimensions as the heights have."""
    size = x._array.shape
    if len(size) == 1 and (count or name != "trapezoid") and size[0] != count:
        refuse(
            RuntimeError,
            f"{name}: There must be one `x` value for each sample point",
            f"there are {count} values along dimension {dim}, and {size[0]} places",
            rule="area.places",
        )
    if len(size) == 1:
        x = x.view([-1 if i == dim else 1 for i in range(ndim)])
    elif len(size) < ndim:
        x = x.view((1,) * (ndim - len(size)) + size)
    narrow, last = OPS["narrow"].function, max(x._array.shape[dim] - 1, 0)
    return OPS["sub"].function(narrow(x, dim, min(1, x._array.shape[dim]), last), narrow(x, dim, 0, last))


def _area(name: str, cumulative: bool, words: str, *aliases: str) -> None:
    @composite_row(name, words, *aliases, family="running", forms="function", category="blas_lapack")
    def area(y: Tensor, x: Tensor | None = None, *, dx: float = 1, dim: int = -1) -> Tensor:
        must_be_tensor(name, y)
        ops = OPS
        if not y._array.ndim and (x is not None or not cumulative):
            y.size(dim if x is None else checked_dim(dim, 0))  # which is refused
        d = checked_dim(dim, y._array.ndim) if y._array.ndim else 0
        if not cumulative and y._array.ndim and not y._array.shape[d]:  # of no values there is no area
            return ops["zeros"].function(left_over(y._array.shape, (d,), False), dtype=y._dtype)
        if dtypes.bool_ in (y._dtype, None if x is None else x._dtype) and (y._array.ndim or cumulative):
            which = "`y`" if x is None else "`x` or `y`"
            refuse(
                RuntimeError,
                f"{name}: received a bool input for {which}, but bool is not supported",
                "truths have no height",
                "y.float()",
                rule="area.bool",
            )
        if not y._array.ndim:
            refuse(
                IndexError,
                "slice() cannot be applied to a 0-dim tensor."
                if cumulative
                else f"Dimension specified as {dim} but tensor has no dimensions",
                "a single value encloses no area",
                "y.reshape(1)",
                rule="dim.range",
            )
        length = max(y._array.shape[d] - 1, 0)
        narrow, add, mul, div = (ops[n].function for n in ("narrow", "add", "mul", "div"))
        if x is None and isinstance(dx, (complex, bool)):
            refuse(
                RuntimeError,
                f"{name}: Currently, we only support dx as a real number.",
                "a width is a real number",
                "dx=1",
                rule="area.width",
            )
        if x is None and not cumulative:
            return _by_heights(y, dx, d)
        both = add(narrow(y, d, 0, length), narrow(y, d, min(1, y._array.shape[d]), length))
        if x is None:
            return ops["cumsum"].function(mul(both, dx / 2), d)
        both = mul(both, _widths(name, y._array.ndim, y._array.shape[d], x, d))
        return div(ops["cumsum" if cumulative else "sum"].function(both, d), 2)


_area("trapezoid", False, "Integrates along a dimension by the trapezoidal rule.", "trapz")
_area("cumulative_trapezoid", True, "Integrates cumulatively along a dimension by the trapezoidal rule.")
