"""Ops that rearrange elements: repeat, roll, flip, rot90 and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from ... import geometry
from ...calling.arguments import as_int
from ...declare.by_signature import CATEGORY, calls, spread
from ...declare.rules import Answer, Result, composite_row, computed_row
from ...dispatch.registry import OPS
from ...errors.reasons import refuse, sure
from ...tensor.lookups import checked_dim, size_and_stride
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from .joining import common_format

# -- repeated ----------------------------------------------------------------------------------------------------


def fill_repeated(target: np.ndarray, array: np.ndarray, padded: tuple[int, ...], times: tuple[int, ...]) -> None:
    """Write an array of size `padded`, apart from leading ones, repeatedly along each dimension."""
    if target.size:
        # Each dimension becomes two: the repetition, and the position in it.
        twice = [part for n, k in zip(padded, times, strict=True) for part in (k, n)]
        target.reshape(twice)[...] = array.reshape([part for n in padded for part in (1, n)])


@computed_row(
    "repeat",
    "Repeats the tensor along each dimension. A copy.",
    fill_repeated,
    forms="method",
    category="other",
    family="gather",
    out=None,
)
def repeat(input: Tensor, *repeats: Any, **named: Any) -> Answer:
    return repeated(input, spread("repeat", repeats, named, "repeats"))


def repeated(input: Tensor, times: tuple[int, ...]) -> Answer:
    """The rule of repetition along each dimension; new dimensions come first."""
    own = input._array.shape
    if len(times) < len(own):
        refuse(
            RuntimeError,
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
            f"the tensor has {len(own)} dimensions, and repeats has {len(times)}",
            "torch.tile(x, …), which adds ones",
            rule="repeat.ndim",
        )
    padded = (1,) * (len(times) - len(own)) + own
    size = tuple([n * k for n, k in zip(padded, times, strict=True)])
    negative = next((n for n in size if n < 0), None)
    if negative is not None:
        refuse(
            RuntimeError,
            f"Trying to create tensor with negative dimension {negative}: {list(size)}",
            "the number of repeats must not be negative",
            rule="size.negative",
            size=size,
        )
    return Result(size, input._dtype), (input._array, padded, times)


@composite_row(
    "tile",
    "Repeats the tensor along its dimensions; `dims` may name only the last ones. A copy.",
    family="gather",
    category=CATEGORY,
)
def tile(input: Tensor, *dims: Any, **named: Any) -> Tensor:
    must_be_tensor("tile", input)
    times = spread("tile", dims, named, "dims", 2)
    missing = input._array.ndim - len(times)
    return OPS["repeat"].function(input, (1,) * missing + tuple(times))


def fill_interleaved(target: np.ndarray, array: np.ndarray | None, times: Any, along: int | None) -> None:
    """Write each slice of an array as often as `times` says; without an array, the index of each slice."""
    if array is None:
        target[...] = np.repeat(np.arange(times.size, like=times), times)
        return
    if along is None:
        array, along = array.reshape(-1), 0
    length = array.shape[along]
    one_for_all = np.ndim(times) and times.size == 1
    places = np.repeat(np.arange(length, like=array), int(times.reshape(-1)[0]) if one_for_all else times)
    if target.size:
        target[...] = array[(slice(None),) * along + (places,)]


@calls(
    "repeat_interleave",
    "Repeats each element, or each slice along a dimension.",
    category="other",
    kernel=fill_interleaved,
)
def repeat_interleave(
    repeats: Any, input: Tensor | None = None, dim: int | None = None, output_size: int | None = None
) -> Answer:
    if input is None:
        return _places_repeated(repeats, output_size)
    flat = dim is None
    size = (input._array.size,) if flat else input._array.shape
    if not size:
        _no_slices(repeats, dim)
    if isinstance(repeats, Tensor):
        _check_rank(repeats)
    along = checked_dim(0 if dim is None else dim, len(size))
    total = _total(repeats, size[along], output_size, dim or 0)
    size = (*size[:along], total, *size[along + 1 :])
    times = repeats._array if isinstance(repeats, Tensor) else as_int(repeats)
    return Result(size, input._dtype), (input._array, times, None if flat else along)


def _total(repeats: Tensor | int, length: int, output_size: int | None, dim: int) -> int:
    """Returns the number of slices of the result."""
    if not isinstance(repeats, Tensor):
        total = _one_count(repeats) * length
    else:
        _check_known(repeats, output_size)
        _check_times(repeats, length, dim)
        if not place_of(repeats).has_numbers:
            return output_size or 0
        total = int(repeats._array.sum()) * (1 if repeats._array.size == length else length)
    _check_total(total, output_size, for_each=isinstance(repeats, Tensor))
    return total


def _check_known(repeats: Tensor, output_size: int | None) -> None:
    if not place_of(repeats).has_numbers and output_size is None:
        refuse(
            RuntimeError,
            "cannot repeat_interleave a meta tensor without output_size",
            "how often each slice comes is a number, and a meta tensor has none",
            "output_size=…",
            rule="meta.values",
        )


def _one_count(repeats: Any) -> int:
    times = as_int(repeats)
    if times < 0:
        refuse(
            RuntimeError,
            "Repeats must be non-negative",
            f"nothing can be repeated {times} times",
            rule="repeat.negative",
        )
    return times


def _no_slices(repeats: Any, dim: int | None) -> NoReturn:
    """Refuse a dimension of a number. PyTorch adds a dimension behind it for one count, and names that one."""
    if isinstance(repeats, Tensor):
        _check_rank(repeats)
        message = f"Dimension specified as {dim} but tensor has no dimensions"
    else:
        checked_dim(dim, 0)
        _one_count(repeats)
        message = "Dimension out of range (expected to be in range of [-1, 0], but got 1)"
    why = "a tensor without dimensions has no slices to repeat"
    refuse(IndexError, message, why, "x.repeat_interleave(n)", rule="dim.range")


def _check_rank(repeats: Tensor) -> None:
    if repeats._array.ndim > 1:
        refuse(
            RuntimeError,
            "repeats must be 0-dim or 1-dim tensor",
            f"repeats takes one number for each slice, and has {repeats._array.ndim} dimensions",
            "repeats.reshape(-1)",
            rule="repeat.ndim",
        )


def _check_times(repeats: Tensor, length: int, dim: int) -> None:
    _check_rank(repeats)
    if repeats._array.size not in (1, length):
        refuse(
            RuntimeError,
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{repeats._array.size} and input.size({dim}) = {length}",
            "repeats needs one number for each slice",
            rule="repeat.count",
        )
    if place_of(repeats).has_numbers:
        _check_counts(repeats)


def _check_counts(repeats: Tensor) -> None:
    if repeats._dtype not in (dtypes.int64, dtypes.int32):
        refuse_dtype("repeat_interleave_cpu", repeats._dtype)
    if repeats._array.size and int(repeats._array.min()) < 0:
        refuse(
            RuntimeError,
            "repeats can not be negative",
            "the number of repeats must not be negative",
            rule="repeat.negative",
        )


def _check_total(total: int, output_size: int | None, for_each: bool = True) -> None:
    if output_size is not None and output_size != total:
        refuse(
            RuntimeError,
            "allocated size does not match required size"
            if for_each
            else f"repeat_interleave: Invalid output_size, expected {total} but got {output_size}",
            f"output_size says {output_size}, and the repeats add up to {total}",
            rule="repeat.output_size",
        )


def _places_repeated(repeats: Tensor, output_size: int | None) -> Answer:
    """The rule of the index of each slice, repeated."""
    if place_of(repeats).has_numbers and repeats._dtype not in (dtypes.int64, dtypes.int32):
        refuse_dtype("repeat_interleave_cpu", repeats._dtype)
    if repeats._array.ndim != 1:
        refuse(
            RuntimeError,
            "repeat_interleave only accept 1D vector as repeat",
            f"repeats has {repeats._array.ndim} dimensions",
            "repeats.reshape(-1)",
            rule="repeat.ndim",
        )
    _check_known(repeats, output_size)
    if place_of(repeats).has_numbers:
        _check_counts(repeats)
        total = int(repeats._array.sum())
        _check_total(total, output_size)
    else:
        total = output_size or 0
    return Result((total,), repeats._dtype), (None, repeats._array, None)


# -- moved -------------------------------------------------------------------------------------------------------


def fill_rolled(target: np.ndarray, array: np.ndarray, by: tuple[int, ...], axes: tuple[int, ...] | None) -> None:
    """Copy two slices for each shifted dimension to their new positions; without axes, of the flattened array."""
    if axes is None:
        target, array, axes = target.reshape(-1), array.reshape(-1), (0,)
    if target.size:
        _rolled(target, array, by, axes)


@computed_row(
    "roll",
    "Shifts elements along dimensions; elements beyond the end come back at the start.",
    fill_rolled,
    category="other",
    family="gather",
    out=None,
)
def roll(input: Tensor, shifts: int | Sequence[int], dims: int | Sequence[int] = ()) -> Answer:
    must_be_tensor("roll", input)
    dims = () if dims is None else dims
    by = (shifts,) if not isinstance(shifts, (tuple, list)) else tuple(shifts)
    along = (dims,) if not isinstance(dims, (tuple, list)) else tuple(dims)
    by, along = spread("roll", by, {"shifts": ()}, "shifts", 2), spread("roll", along, {"dims": ()}, "dims", 3)
    if not by:
        refuse(RuntimeError, "`shifts` required", "shifts must not be empty", "shifts=1", rule="roll.shifts")
    size, stride = size_and_stride(input)
    if not along and len(by) == 1:
        return Result(size, input._dtype), (input._array, by, None)
    if len(by) != len(along):
        refuse(
            RuntimeError,
            f"shifts and dimensions must align. shifts: {len(by)}, dims:{len(along)}",
            "shifts needs one number for each dimension",
            rule="roll.count",
        )
    if not input._array.ndim:
        refuse(
            IndexError,
            f"Dimension specified as {along[0]} but tensor has no dimensions",
            "a zero-dimensional tensor has no dimension to shift along",
            rule="dim.none",
        )
    if 0 in size:
        along = (0,) * len(along)  # whatever they are: nothing is shifted, and PyTorch does not look at them
    axes = tuple([checked_dim(d, input._array.ndim) for d in along])
    kept = None
    if 0 in size:  # PyTorch clones it, and a clone preserves the order of the dimensions
        kept = geometry.preserve_stride(size, stride)
    elif all(n % size[axis] for n, axis in zip(by, axes, strict=True)):  # it joins two parts, as cat does
        kept = common_format([(size, stride)], size)
    return Result(size, input._dtype, kept), (input._array, by, axes)


def _rolled(target: np.ndarray, array: np.ndarray, by: tuple[int, ...], axes: tuple[int, ...]) -> None:
    total = dict.fromkeys(axes, 0)
    for shift, axis in zip(by, axes, strict=True):
        total[axis] += shift
    pairs: list[tuple[list[slice], list[slice]]] = [([slice(None)] * array.ndim, [slice(None)] * array.ndim)]
    for axis, shift in total.items():
        n = array.shape[axis]
        cut = -shift % n
        results = []
        for to, from_ in pairs:
            for new, old in ((slice(0, n - cut), slice(cut, n)), (slice(n - cut, n), slice(0, cut))):
                results.append(([*to], [*from_]))
                results[-1][0][axis], results[-1][1][axis] = new, old
        pairs = results
    for to, from_ in pairs:
        target[tuple(to)] = array[tuple(from_)]


def fill_flipped(target: np.ndarray, array: np.ndarray, axes: tuple[int, ...]) -> None:
    target[...] = np.flip(array, axes)


@computed_row(
    "flip",
    "Reverses the order of the elements along dimensions. A copy.",
    fill_flipped,
    category="other",
    family="gather",
    out=None,
)
def flip(input: Tensor, *dims: Any, **named: Any) -> Answer:
    must_be_tensor("flip", input)
    along = spread("flip", dims, named, "dims", 2)
    axes = sure(geometry.wrap_dims(along, input._array.ndim, one_by_one=True))
    size, stride = size_and_stride(input)
    axes = axes if size else ()
    return Result(size, input._dtype, geometry.preserve_stride(size, stride)), (input._array, axes)


@calls("fliplr", "Reverses the order of the columns. A copy.", category="other")
def fliplr(input: Tensor) -> Tensor:
    if input._array.ndim < 2:
        refuse(RuntimeError, "Input must be >= 2-d.", "the tensor has no columns", "x.flip(0)", rule="flip.ndim")
    return OPS["flip"].function(input, 1)


@calls("flipud", "Reverses the order of the rows. A copy.", category="other")
def flipud(input: Tensor) -> Tensor:
    if input._array.ndim < 1:
        refuse(RuntimeError, "Input must be >= 1-d.", "the tensor has no rows", rule="flip.ndim")
    return OPS["flip"].function(input, 0)


def fill_rotated(target: np.ndarray, array: np.ndarray, quarters: int, plane: tuple[int, int]) -> None:
    target[...] = np.rot90(array, quarters, plane)


@computed_row(
    "rot90",
    "Rotates the plane of two dimensions by multiples of 90 degrees. A copy.",
    fill_rotated,
    category="other",
    family="gather",
    out=None,
)
def rot90(input: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Answer:
    must_be_tensor("rot90", input)
    ndim = input._array.ndim
    if len(dims) != 2:
        refuse(
            RuntimeError,
            f"expected total rotation dims == 2, but got dims = {len(dims)}",
            "a plane has two dimensions",
            rule="rot90.dims",
        )
    if ndim < 2:
        refuse(
            RuntimeError,
            f"expected total dims >= 2, but got total dims = {ndim}",
            "rotation needs two dimensions",
            rule="rot90.ndim",
        )
    if dims[0] == dims[1] or abs(dims[0] - dims[1]) == ndim and max(dims) < ndim:
        refuse(
            RuntimeError,
            f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}",
            "a plane needs two different dimensions",
            rule="rot90.dims",
        )
    a, b = [checked_dim(d, ndim) for d in dims]
    quarters = k % 4
    size, stride = size_and_stride(input)
    turned = list(size)
    kept = None if quarters == 0 else geometry.preserve_stride(size, stride)
    if quarters % 2 and kept is not None:
        turned[a], turned[b] = size[b], size[a]
        steps = list(kept)
        steps[a], steps[b] = kept[b], kept[a]
        kept = tuple(steps)
    return Result(tuple(turned), input._dtype, kept), (input._array, quarters, (a, b))
