"""Histograms: histc, histogram, histogramdd."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import isfinite, prod
from typing import Any

import numpy as np

from ...backends.numpy.casts import assign
from ...backends.numpy.without_warnings import quietly, silent
from ...calling.arguments import as_number
from ...declare.rules import Answer, Result, computed_row
from ...errors.reasons import refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.scalars import check_fits
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.cpp_names import cpp_name
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX, FLOAT
from ...types.return_types import result
from ..creation.sequences import fill_linspace
from ..ordering.sorting import comparable


def _refuse(message: str, because: str) -> None:
    refuse(RuntimeError, message, because, rule="histogram")


def _refuse_no_bins(bins: int, dim: int) -> None:
    _refuse(
        f"torch.histogram(): bins must be > 0, but got {bins} for dimension {dim}", "something has to be counted in"
    )


def limits(values: np.ndarray) -> tuple[float, float]:
    """Returns the smallest and the largest element; 0 and 1 for an empty array."""
    if not values.size:
        return 0.0, 1.0
    return float(values.min()), float(values.max())


@silent
def bin_of(values: np.ndarray, edges: np.ndarray, even: bool, exact: bool) -> np.ndarray:
    """Returns the bin of each element; -1 if outside or NaN. The last bin includes its upper edge.

    >>> bin_of(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0]), True, True)
    array([ 0,  1,  1, -1])
    """
    bins = len(edges) - 1
    if not even:
        outcome = np.searchsorted(edges, values, "right") - 1
    else:
        first, last = edges[0], edges[-1]
        inside = (values >= first) & (values <= last)
        position = np.true_divide((values - first) * values.dtype.type(bins), last - first)
        inside &= np.isfinite(position)  # where it is not, PyTorch begins with the first bin
        outcome = np.where(inside, position, 0).astype(np.int64)
        if exact:
            # The division may round across an edge: look at the neighbours, too.
            low, high = np.maximum(outcome - 1, 0), np.minimum(outcome + 2, bins + 1)
            for step in range(3):
                at = np.minimum(low + step, bins)
                outcome = np.where((low + step < high) & (edges[at] <= values), at, outcome if step else low - 1)
    outcome = np.where(outcome == bins, bins - 1, outcome)
    return np.where((values >= edges[0]) & (values <= edges[-1]), outcome, -1)


def _counted(places: list[np.ndarray], sizes: tuple[int, ...], weight: np.ndarray | None, d: np.dtype) -> np.ndarray:
    inside = reduce(np.logical_and, [p >= 0 for p in places])
    flat = (
        np.ravel_multi_index([p[inside] for p in places], sizes)
        if inside.any()
        else np.empty(0, np.int64, like=places[0])
    )
    if weight is None:
        return np.bincount(flat, minlength=prod(sizes)).astype(d).reshape(sizes)
    outcome = np.bincount(flat, weight.reshape(-1)[inside], prod(sizes))  # computed in float64
    return outcome.astype(d).reshape(sizes)


def fill_histogram(
    targets: tuple[np.ndarray, ...], values: np.ndarray, coordinates: int, range_: Sequence[float] | None,
    weight: np.ndarray | None, density: bool, *given: np.ndarray | None,
) -> None:  # fmt: skip
    """Fill in the counts, and the edges along each dimension: those given, or of bins of equal width."""
    counts, *edges = targets
    if not coordinates:  # points without coordinates are in no bin
        counts[...] = 0
        return
    points = values.reshape(-1, coordinates)
    places = []
    for dim, (target, own) in enumerate(zip(edges, given, strict=True)):
        if own is None:
            ends = range_[2 * dim : 2 * dim + 2] if range_ is not None else limits(points[:, dim])
            low, high = _ends(float(ends[0]), float(ends[1]), dim)
            fill_linspace(target, low, high, dtypes.FROM_NUMPY[target.dtype])
        else:
            target[...] = own
        places.append(bin_of(points[:, dim], target, own is None, True))
    counts[...] = _counted(places, counts.shape, weight, counts.dtype)
    if density:
        _to_density(counts, edges)


# -- histc -------------------------------------------------------------------------------------------------------


def fill_histc(target: np.ndarray, values: np.ndarray, low: float, high: float) -> None:
    bins = target.size
    low, high = _range(comparable(values), low, high)
    # Only the ends are looked at; the small floats are rounded at each step, as PyTorch does.
    edges = np.array([low, *[0.0] * (bins - 1), high]).astype(values.dtype)
    places = bin_of(values.reshape(-1), edges, True, False)
    assign(target, _counted([places], (bins,), None, np.dtype(np.float64)))


def _range(values: np.ndarray, low: float, high: float) -> tuple[float, float]:
    """The range of the bins; that of the elements if none is given."""
    if low == high and values.size:
        low, high = limits(values)
    if low == high:
        low, high = low - 1, high + 1
    if not (isfinite(low) and isfinite(high)):
        _refuse(f"torch.histc: range of [{low:g}, {high:g}] is not finite", "bins need two ends")
    if low > high:
        _refuse("torch.histc: max must be larger than min", f"min is {low:g}, max {high:g}")
    return low, high


_OTHER_DTYPE = (
    "torch.histogram: input tensor and hist tensor should have the same dtype, but got input {wanted} and hist {got}"
)


@computed_row(
    "histc",
    "Counts the elements in each of `bins` bins of equal width.",
    fill_histc,
    family="gather",
    category="other",
    out=_OTHER_DTYPE,
)
def histc(input: Tensor, bins: int = 100, min: int = 0, max: int = 0, *, out: Tensor | None = None) -> Answer:
    must_be_tensor("histc", input)
    own, given = input._dtype, [as_number(end) for end in (min, max)]
    for number in given:
        check_fits(number, dtypes.float64)
    ends = (float(given[0].real), float(given[1].real))
    if bins <= 0:
        _refuse_no_bins(bins, 0)
    if ends[0] != ends[1] or not input._array.size:
        _range(np.zeros(0), *ends)
    elif own._kind == COMPLEX:
        refuse_dtype("aminmax_cpu", own, "complex numbers have no order")
    if own is dtypes.bool_:
        refuse_dtype("linspace_cpu", own)
    if out is not None and out._dtype is not own:
        _refuse(_OTHER_DTYPE.format(wanted=cpp_name(own), got=cpp_name(out._dtype)), "counts are not converted")
    if own._kind != FLOAT:
        refuse_dtype("histogram_cpu", own, "complex numbers have no order" * (own._kind == COMPLEX))
    return Result((bins,), own), (input._array, *ends)


# -- histogram ---------------------------------------------------------------------------------------------------


@computed_row(
    "histogram",
    "Counts the elements, or sums their weights, in each bin; also returns the edges of the bins.",
    fill_histogram,
    family="gather",
    category="other",
    returns=("histogram", ("hist", "bin_edges")),
    out=(
        _OTHER_DTYPE,
        "torch.histogram: input tensor and bin_edges tensor should have the same dtype, but got input {wanted} and "
        "bin_edges {got} for dimension 0",
    ),
)
def histogram(
    input: Tensor,
    bins: int | Tensor = 100,
    *,
    range: Sequence[float] | None = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> Answer:
    must_be_tensor("histogram", input)
    if not isinstance(bins, Tensor) and bins <= 0:
        _refuse_no_bins(bins, 0)
    points, size = (input._array.size, 1), None if weight is None else (weight._array.size,)
    return _histogram(input, points, [bins], range, weight, size, density)


def _hist_and_edges(tensors: tuple) -> Any:
    return result("histogramdd", ("hist", "bin_edges"), (tensors[0], tensors[1:]))


@computed_row(
    "histogramdd",
    "Counts the points, or sums their weights, in each bin of a grid; also returns the edges of the bins.",
    fill_histogram,
    family="gather",
    category="other",
    forms="function",
    returns=_hist_and_edges,
    out=None,
)
def histogramdd(
    input: Tensor,
    bins: int | Sequence[int] | Sequence[Tensor],
    range: Sequence[float] | None = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> Answer:
    must_be_tensor("histogramdd", input)
    shape = input._array.shape
    if isinstance(bins, int):
        input.size(-1)  # which refuses a number
    if len(shape) < 2:
        _refuse(
            "torch.histogramdd: input tensor should have at least 2 dimensions",
            "the last dimension holds the coordinates of a point",
        )
    wanted = [bins] * shape[-1] if isinstance(bins, int) else list(bins)
    size = None if weight is None else weight._array.shape
    return _histogram(input, shape, wanted, range, weight, size, density)


def _check_weight(input: Tensor, weight: Tensor, size: tuple[int, ...], points: tuple[int, ...]) -> None:
    if weight._dtype is not input._dtype:
        _refuse(
            "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same "
            f"dtype, but got input({cpp_name(input._dtype)}), and weight({cpp_name(weight._dtype)})",
            "weights are added up in their own dtype, without a conversion",
        )
    if size != points[:-1]:
        _refuse(
            "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor "
            f"excluding its innermost dimension, but got input with shape {list(points)} and weight with "
            f"shape {list(size)}",
            "each point has one weight",
        )


def _histogram(
    input: Tensor,
    points: tuple[int, ...],
    bins: list[Any],
    range_: Sequence[float] | None,
    weight: Tensor | None,
    size: tuple[int, ...] | None,
    density: bool,
) -> Answer:
    """The rule of both: the counts, then the edges along each dimension."""
    own, by_edges = input._dtype, bool(bins) and isinstance(bins[0], Tensor)
    if not by_edges:
        _check_range(own, points[-1], range_)
    if len(bins) != points[-1]:
        _refuse(
            f"torch.histogramdd: expected {points[-1]} sequences of bin edges for a {points[-1]}-dimensional histogram "
            f"but got {len(bins)}"
            if by_edges
            else "histogramdd: The size of bins must be equal to the innermost dimension of the input.",
            f"points have {points[-1]} coordinates, and there are bins for {len(bins)}",
        )
    _check_bins(input, bins)
    if weight is not None and size is not None:
        _check_weight(input, weight, size, points)
    for dim, wanted in enumerate(bins):
        if not isinstance(wanted, Tensor) and not wanted:
            _refuse_no_bins(wanted, dim)
    if own not in (dtypes.float32, dtypes.float64):
        refuse_dtype("histogram_cpu", own)
    edges = [wanted._array.shape[0] if isinstance(wanted, Tensor) else wanted + 1 for wanted in bins]
    counts = Result(tuple([max(n - 1, 0) for n in edges]), own)
    given = [wanted._array if isinstance(wanted, Tensor) else None for wanted in bins]
    weights = None if weight is None else weight._array
    return (counts, *[Result((n,), own) for n in edges]), (input._array, points[-1], range_, weights, density, *given)


def _check_range(own: dtypes.dtype, dims: int, range_: Sequence[float] | None) -> None:
    """Refuse ends that are no range, and without them a dtype in which PyTorch does not look for any."""
    if range_ is None:
        if own not in (dtypes.float32, dtypes.float64):
            refuse_dtype("histogramdd", own)
        return
    if len(range_) != 2 * dims:
        _refuse(
            f"torch.histogramdd: for a {dims}-dimensional histogram range should have {2 * dims} elements, "
            f"but got {len(range_)}",
            "each dimension has two ends",
        )
    for dim in range(dims):
        _ends(float(range_[2 * dim]), float(range_[2 * dim + 1]), dim)
    if own is dtypes.bool_:
        refuse_dtype("linspace_cpu", own)


def _check_bins(input: Tensor, bins: list[Any]) -> None:
    for wanted in bins:
        if not isinstance(wanted, Tensor) and wanted < -1:
            _refuse("number of steps must be non-negative", f"{wanted} bins have no edges")
    for dim, wanted in enumerate(bins):
        if not isinstance(wanted, Tensor):
            if wanted < 0:
                _refuse_no_edges(dim)
            continue
        if wanted._dtype is not input._dtype:
            _refuse(
                "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with "
                f"dtype {cpp_name(input._dtype)} and bins for dimension {dim} with dtype {cpp_name(wanted._dtype)}",
                "edges and elements are compared as they are",
            )
        if wanted._array.ndim != 1:
            _refuse(
                f"torch.histogramdd: bins tensor should have one dimension, but got {wanted._array.ndim} dimensions "
                f"in the bins tensor for dimension {dim}",
                "the edges are one row",
            )
        if not wanted._array.size:
            _refuse_no_edges(dim)


def _refuse_no_edges(dim: int) -> None:
    _refuse(
        "torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in the bins tensor for "
        f"dimension {dim}",
        "one bin has two edges",
    )


def _ends(low: float, high: float, dim: int) -> tuple[float, float]:
    if not (isfinite(low) and isfinite(high)):
        _refuse(f"torch.histogramdd: dimension {dim}'s range [{low:g}, {high:g}] is not finite", "bins need two ends")
    if low > high:
        _refuse(
            f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for dimension {dim}",
            "bins go upwards",
        )
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _to_density(hist: np.ndarray, edges: list[np.ndarray]) -> None:
    """Normalize counts to a density."""
    quietly(np.true_divide, hist, hist.sum(), hist)
    for d, each in enumerate(edges):
        widths = np.diff(each).reshape([-1 if i == d else 1 for i in range(hist.ndim)])
        quietly(np.true_divide, hist, widths, hist)
