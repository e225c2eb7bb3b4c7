"""What reductions share: which dimensions are reduced, which size is left, and in which dtype a sum is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from .. import geometry
from ..backends.numpy.casts import cast
from ..backends.numpy.chunked_reduce import fold, reduced, shaped
from ..backends.numpy.rounded_product import rounded_product
from ..backends.numpy.sums import float_sum
from ..backends.numpy.sums.float_sum import FEW
from ..backends.numpy.sums.ordered_product import ordered_product
from ..backends.numpy.sums.ordered_sum import MOST, ordered_sum
from ..backends.numpy.without_warnings import quietly, run
from ..dispatch.registry import Op, add_row, watching
from ..dispatch.stations import bind, long_route, publish
from ..errors.reasons import Reason
from ..memory.places import as_array
from ..tensor.copying import warn_if_part_is_lost
from ..tensor.must_be_tensor import must_be_tensor
from ..tensor.results import check_out
from ..tensor.tensor import Tensor
from ..tensor.wrapping import _new
from ..types import dtypes
from ..types.dtype_refusals import refuse_dtype
from ..types.dtypes import FLOAT, INTEGER, dtype
from .rules import Answer, Result, follow
from .views import as_dim

_asarray, _empty = np.asarray, np.empty

SHORT = 1 << 13
"""Fewer elements than these are summed at once."""

_ALL = [tuple(range(ndim)) for ndim in range(65)]
"""All dimensions, by their number."""


def reduced_dims(dim: int | Sequence[int] | None, ndim: int, one_by_one: bool = False) -> tuple[int, ...]:
    """The dimensions that are reduced, counted from the left; all of them if none is named.

    `one_by_one` refuses what comes first in the list, as std and norms do; others look first for what is out of range.

    >>> reduced_dims(-1, 3), reduced_dims(None, 2), reduced_dims((0, 1), 3)
    ((2,), (0, 1), (0, 1))
    """
    if dim is None or (isinstance(dim, (tuple, list)) and not dim):
        return tuple(range(ndim))
    dims = tuple(dim) if isinstance(dim, (tuple, list)) else (as_dim("reduction", dim),)
    result = geometry.wrap_dims(dims, ndim, one_by_one)
    if isinstance(result, Reason):
        result.refuse()
    return result if ndim else ()


def left_over(size: tuple[int, ...], dims: tuple[int, ...], keepdim: bool) -> tuple[int, ...]:
    """The size of the result.

    >>> left_over((2, 3, 4), (1,), True)
    (2, 1, 4)
    """
    if keepdim:
        return tuple([1 if d in dims else n for d, n in enumerate(size)])
    return tuple([n for d, n in enumerate(size) if d not in dims])


def accumulate(
    name: str, ufunc: np.ufunc, words: str, result_dtype: Callable[[dtype], dtype], *aliases: str, stub: str,
    fast: bool = False,
) -> Op:  # fmt: skip
    """Declare a reduction that folds a ufunc over the dimensions named.

    `fast` is for sums: few numbers of the common dtypes go to NumPy at once.
    """

    def rule(
        input: Tensor, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: dtype | None = None,
        out: Tensor | None = None,
    ) -> Answer:  # fmt: skip
        must_be_tensor(name, input)
        source, keep = input._array, result_dtype(input._dtype) if dtype is None else dtype
        if out is not None:
            if dtype is not None:
                check_out(dtypes.of_type(dtype), out, "same")
            keep = out._dtype  # what is summed is converted first
        dims = reduced_dims(dim, source.ndim)
        size = left_over(source.shape, dims, keepdim)
        if dtype is not None:
            warn_if_part_is_lost(input, keep)
        refuse_float8(stub, keep)
        return Result(size, keep), (source, ufunc, dims, keepdim, keep)

    rule.__qualname__ = name
    op = add_row(Op(name, "reduction", "reduction", words, rule=rule, kernel=ufunc, aliases=aliases))
    plain = follow(rule, fill_folded)

    reduce = ufunc.reduce
    summed = frozenset((dtypes.float32, dtypes.float64, dtypes.int64))

    def call(*args: Any, **more: Any) -> Tensor:
        if len(args) == 1 and not more and type(input := args[0]) is Tensor:
            if not input._keys and input._dtype in summed and not watching:
                d, a = input._dtype, input._array
                n = a.size
                if n < SHORT:
                    try:
                        if d is not dtypes.int64 and (n > FEW or a.ndim > 1):
                            r = _asarray(run(ordered_sum, a, _ALL[a.ndim]))
                        else:  # into an array: NumPy would make a number, of which an array is made slowly
                            r = run(reduce, a, 0 if a.ndim == 1 else None, None, _empty((), a.dtype))
                        t = _new(Tensor)
                        t._array = r
                        t._dtype = d
                        t._base = None
                        t._keys = 0
                        return t
                    except RuntimeError:
                        pass
        elif not more and args and type(args[0]) is Tensor and not args[0]._keys and not watching:
            if op.fitting.get(tuple(map(type, args))):
                with suppress(Exception):  # whatever is wrong, the long way says so
                    return plain(*args)  # type: ignore[no-any-return]
        return long_route(op, args, more)

    if fast:
        publish(op, call, plain)
    else:
        bind(op, plain)
    return op


def fill_folded(
    target: np.ndarray, source: np.ndarray, ufunc: np.ufunc, dims: tuple[int, ...], keepdim: bool, keep: dtype
) -> None:
    if ufunc is np.multiply and keep in dtypes.HALVES and type(source) is np.ndarray and source.size and dims:
        numbers = source if source.dtype == keep._in_numpy else cast(source, keep)
        product = quietly(rounded_product, numbers, dims)
        put(target, product.reshape(target.shape))
        return
    put(target, fold_as(ufunc, source, dims, keepdim, keep))


def fold_as(ufunc: np.ufunc, source: np.ndarray, dims: tuple[int, ...], keepdim: bool, keep: dtype) -> np.ndarray:
    """Fold a ufunc over numbers converted to a dtype; 16-bit floats are folded as float32.

    Products and sums of many float32 are kept in float64 and rounded when they are written. A ufunc widens the numbers
    itself if it can; others are converted block by block.
    """
    kept = dtypes.opmath(keep)
    if keep is not kept and source.dtype != keep._in_numpy:
        # Numbers are rounded to 16 bits first, as PyTorch does.
        return folded(ufunc, source, dims, keepdim, lambda v: cast(v, kept), d=keep)
    if source.dtype == kept._in_numpy:
        wider = float_sum.sum_dtype(source.dtype)
        if wider and ufunc is np.add:
            return shaped(float_sum.total(source, dims), source, dims, keepdim)
        if ufunc is np.multiply and source.dtype.kind == "f" and source.size <= MOST and type(source) is np.ndarray:
            return shaped(quietly(ordered_product, source, dims), source, dims, keepdim)
        return fold(ufunc, source, dims, wider or kept._in_numpy, keepdim)
    if kept._kind < FLOAT and _widens(source.dtype, kept._in_numpy):
        return fold(ufunc, source, dims, kept._in_numpy, keepdim)
    return folded(ufunc, source, dims, keepdim, as_it_is, d=kept)


def put(target: np.ndarray, value: Any) -> None:
    """Write numbers into a result; what is too large for its dtype becomes infinite, without a warning."""
    if target.dtype.itemsize == 2 and value.dtype == np.float64:
        value = quietly(value.astype, np.float32)  # PyTorch rounds twice, too
    quietly(np.copyto, target, value, "unsafe")


BLOCK = 1 << 17
"""The number of elements in a block, for reductions that need memory for what they fold."""


def folded(
    ufunc: np.ufunc,
    values: np.ndarray,
    dims: tuple[int, ...],
    keepdim: bool,
    of: Callable[..., np.ndarray],
    *others: np.ndarray,
    d: dtype | None = None,
) -> np.ndarray:
    """Fold a ufunc over a function of the elements, block by block: no array of the input's size is made.

    Elements are converted to `d` first, if given; sums and products of float32 are float64. The `others` have size 1
    along the reduced dimensions, and are cut at the same positions as the values.

    >>> folded(np.add, np.arange(4.0), (0,), False, np.square)
    np.float64(14.0)
    """

    def block(part: np.ndarray, also: tuple, keep: bool) -> np.ndarray:
        result = as_array(quietly(of, part if d is None else cast(part, d), *also))
        kept = float_sum.sum_dtype(result.dtype) if ufunc is np.add or ufunc is np.multiply else None
        return reduced(ufunc, result, dims, kept, keep)

    if values.size <= BLOCK or type(values) is not np.ndarray:
        return block(values, others, keepdim)
    axis = max(range(values.ndim), key=lambda dim: values.shape[dim])
    parts = []
    for cut in strips(values, axis):
        parts.append(block(values[cut], others if axis in dims else tuple([b[cut] for b in others]), True))
    if axis in dims:
        total = quietly(ufunc.reduce, np.stack(parts))
    else:
        total = np.concatenate(parts, axis)
    return total if keepdim else total.reshape(left_over(values.shape, dims, False))


def strips(values: np.ndarray, axis: int) -> Iterator[tuple]:
    """An array cut along a dimension into parts of about one block."""
    step = max(1, BLOCK * values.shape[axis] // values.size)
    for start in range(0, values.shape[axis], step):
        yield (*(slice(None),) * axis, slice(start, start + step))


def as_it_is(values: np.ndarray) -> np.ndarray:
    """The identity: a function that leaves the elements as they are."""
    return values


def _widens(from_: np.dtype, to: np.dtype) -> bool:
    """Whether a ufunc's own dtype= may widen the elements as it goes, without a copy of the input."""
    return from_.isbuiltin == 1 and to.isbuiltin == 1 and np.can_cast(from_, to, "safe")


def refuse_float8(stub: str, d: dtype) -> None:
    """Refuse float8: it is for storing, and is not summed."""
    if d in dtypes.FLOAT8:
        refuse_dtype(stub, d, f"{d} is for storing: convert to a wider type before computing", "x.float()")


def long_for_small(d: dtype) -> dtype:
    """The dtype of a sum: int64 for integers."""
    return dtypes.int64 if d._kind <= INTEGER else d
