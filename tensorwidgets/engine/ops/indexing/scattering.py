"""Ops that write elements by index along one dimension: scatter and its reductions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy import ndarray

from ...backends.numpy.sums.added_rows import add_rows, can_add_rows
from ...backends.numpy.without_warnings import quietly
from ...calling.arguments import as_number
from ...declare.by_signature import Writing, overwrites
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.lookups import checked_dim
from ...tensor.scalars import fill_number
from ...tensor.tensor import Tensor
from ...tensor.write_checks import check_no_overlap, check_writable
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import BOOL, COMPLEX, dtype
from .gathering import at_least_1d, check_bounds, check_whole, open_grid

FOLDS = {
    "sum": np.add, "add": np.add, "prod": np.multiply, "multiply": np.multiply, "mean": np.add, "amax": np.maximum,
    "amin": np.minimum,
}  # fmt: skip


def fold_at(target: np.ndarray, key: tuple, values: int | ndarray, reduce: str) -> None:
    """Reduce values into the elements at a key, also for duplicate indices."""
    fold = FOLDS[reduce]
    if type(target) is np.ndarray:
        if fold is not np.add or not _adds_whole_rows(target, key, values):
            quietly(fold.at, *_flat(target, key, values))
    elif fold is np.multiply:
        _multiply_at(target, key, values)
    else:  # what CuPy's arrays have instead
        getattr(target, _SCATTERS[fold])(key, values)


def _adds_whole_rows(target: ndarray, key: tuple, values: Any) -> bool:
    """Add whole rows if the key is an index of rows alone: several times as quick. Returns whether it did."""
    index, *rest = key
    if type(index) is not ndarray or index.dtype.kind != "i" or any([type(k) is not slice or k != _ALL for k in rest]):
        return False
    if type(values) is not ndarray or not index.size or values.shape != (*index.shape, *target.shape[1:]):
        return False
    if not (values.flags.c_contiguous and target.flags.c_contiguous) or np.may_share_memory(target, values):
        return False
    table, rows, places = target.reshape(len(target), -1), values.reshape(index.size, -1), index.reshape(-1)
    if rows.shape[1] < 2 or not can_add_rows(table, places, rows) or places.max() >= len(table):
        return False
    add_rows(table, places, rows)
    return True


_ALL = slice(None)

MANY = 256
"""From this many values on, computing their places in memory is quicker than NumPy's `at` with several indices."""


def _flat(target: ndarray, key: tuple, values: Any) -> tuple[ndarray, Any, Any]:
    """The same arguments with one dimension, if the key has an index for each: NumPy's `at` is then quicker."""
    whole = target, key, values
    if len(key) != target.ndim or len(key) < 2 or not target.flags.c_contiguous:
        return whole
    if type(values) is not ndarray or values.size < MANY:
        return whole
    places: Any = 0
    for index, size, step in zip(key, target.shape, target.strides, strict=True):
        if type(index) is not ndarray or index.dtype != np.int64 or not index.size:
            return whole
        if index.min() < 0 or index.max() >= size:
            return whole
        places = places + index * (step // target.itemsize)
    if places.shape != values.shape:
        return whole
    return target.reshape(-1), places.reshape(-1), values.reshape(-1)


def _multiply_at(target: Any, key: tuple, values: Any) -> None:
    """Multiply on a device: first by the first value for each element, then by the second, and so on."""
    places = np.arange(target.size, like=target).reshape(target.shape)[key].reshape(-1)
    factors = np.broadcast_to(values, target[key].shape).reshape(-1)
    order = np.argsort(places, kind="stable")
    places, factors = places[order], factors[order]
    count = places.size
    index = np.arange(count, like=target)
    begins = np.searchsorted(places, places)
    turns = index - begins
    for turn in range(int(turns.max()) + 1 if count else 0):
        now = turns == turn
        at = np.unravel_index(places[now], target.shape)
        target[at] = target[at] * factors[now]


_SCATTERS: dict[Any, str] = {np.add: "scatter_add", np.maximum: "scatter_max", np.minimum: "scatter_min"}


def start_over(target: np.ndarray, key: tuple, reduce: str) -> None:
    """Write the identity element of a reduction to the elements at a key."""
    target[key] = neutral(target.dtype, reduce)


def neutral(d: np.dtype, reduce: str) -> Any:
    """Returns the identity element of a reduction.

    >>> neutral(np.dtype("float32"), "amax"), neutral(np.dtype("int8"), "amin")
    (-inf, 127)
    """
    if reduce in ("sum", "add", "mean"):
        return 0
    if reduce in ("prod", "multiply"):
        return 1
    if d.kind == "b":
        return reduce == "amin"
    if d.kind in "iu":
        return int(np.iinfo(d).min if reduce == "amax" else np.iinfo(d).max)
    return float("-inf") if reduce == "amax" else float("inf")


def divided(target: np.ndarray, key: tuple, counts: np.ndarray) -> None:
    """Divide each element that was written by its count; integers are rounded down."""
    if target.dtype.kind in "iu":
        np.floor_divide(target, counts.astype(target.dtype), out=target)
    else:
        quietly(np.true_divide, target, counts.astype(target.real.dtype), target)


def reduce_into(
    target: np.ndarray, key: tuple, values: ndarray, reduce: str, include_self: bool = True, wide: bool = True
) -> None:
    """The kernel of every reducing scatter. A `wide` sum of 16-bit floats is kept in float32 and rounded once."""
    if not include_self:
        start_over(target, key, reduce)
    if wide and target.dtype.itemsize == 2 and target.dtype.kind not in "iu":
        kept = target.astype(np.float32)
        fold_at(kept, key, values.astype(np.float32), reduce)
        target[...] = quietly(kept.astype, target.dtype)
    else:
        fold_at(target, key, values, reduce)
    if reduce == "mean":
        counts = np.full_like(target, int(include_self), np.int64)
        fold_at(counts, key, 1, "add")
        divided(target, key, np.maximum(counts, 1))


def check_scatter(input: Tensor, dim: int, index: Tensor, src: Any) -> None:
    """What an index must be for scatter: nowhere larger than what is written and what is read."""
    if isinstance(src, Tensor) and input._dtype is not src._dtype:
        refuse(
            RuntimeError,
            "scatter(): Expected self.dtype to be equal to src.dtype",
            f"scatter does not convert: the tensor is of {input._dtype}, the source of {src._dtype}",
            f"src.to({input._dtype})",
            rule="scatter.dtype",
        )
    shape = index._array.shape
    if not index._array.size:
        return
    for named, t in (("self", input), ("src", src)):
        if isinstance(t, Tensor) and (t._array.ndim or 1) != (len(shape) or 1):
            if 0 < t._array.ndim < len(shape) and t is src:  # PyTorch looks at its sizes, one after the other
                checked_dim(t._array.ndim, t._array.ndim)
            refuse(
                RuntimeError,
                f"Index tensor must have the same number of dimensions as {named} tensor",
                f"the index has size {list(shape)}, {named} has {list(t._array.shape)}",
                rule="scatter.ndim",
            )
    own, given = input._array.shape or (1,), src._array.shape or (1,) if isinstance(src, Tensor) else None
    for d, n in enumerate(shape or (1,)):
        if d != dim and n > own[d] or given is not None and n > given[d]:
            limit = f" and to be no larger size than src {list(src._array.shape)}" if given is not None else ""
            refuse(
                RuntimeError,
                f"Expected index {list(shape)} to be no larger than self {list(input._array.shape)} apart from "
                f"dimension {dim}{limit}",
                f"dimension {d} has size {n} in the index, and only "
                + (f"{own[d]} in self" if d != dim and n > own[d] else f"{given[d]} in src" if given else ""),
                rule="scatter.size",
                dim=d,
            )


def _prepared(
    op_name: str,
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Any,
    reduce: str | None,
    include_self: bool = True,
    check: Callable[[], None] | None = None,
) -> Writing:
    """What scatter and its reductions write; `check` looks at the reduction, after all that is seen by the sizes."""
    along = checked_dim(dim, input._array.ndim)
    if index._array.size:
        check_whole("scatter", index)
    check_scatter(input, along, index, src)
    read = (index, src) if isinstance(src, Tensor) else (index,)
    if op_name.endswith("_"):
        check_writable(input)
        for each in read:
            check_no_overlap(input, each)
    if check is not None:
        check()
    values = src._array if isinstance(src, Tensor) else fill_number(as_number(src), input._dtype)
    return Writing((index._array, along, values, isinstance(src, Tensor), reduce, include_self), read)


def check_scattered(size: tuple[int, ...], index: np.ndarray, along: int, *rest: Any) -> None:
    if index.size:
        check_bounds(index, along, (size or (1,))[along])


def fill_scattered(
    target: np.ndarray,
    index: np.ndarray,
    along: int,
    values: np.ndarray,
    many: bool,
    reduce: str | None,
    include_self: bool,
) -> None:
    """Write `many` values, or one number, at indices along a dimension; or reduce them into what is there."""
    if not index.size:
        return
    target, places = at_least_1d(target), at_least_1d(index)
    key = open_grid(places.shape, along, places)
    if many:
        values = at_least_1d(values)[tuple([slice(n) for n in places.shape])]
    if reduce is None:
        target[key] = values
    else:
        reduce_into(target, key, values, reduce, include_self)


def _check_named(reduce: str | None) -> None:
    if reduce is not None and reduce not in ("add", "multiply"):
        refuse(
            RuntimeError,
            "reduce argument must be either add or multiply.",
            f"scatter has no reduction called {reduce!r}",
            "x.scatter_reduce(dim, index, src, 'amax')",
            rule="scatter.reduce",
        )


scatters = partial(overwrites, kernel=fill_scattered, check=check_scattered)


@scatters(
    "scatter",
    "Returns a copy with elements written at indices along one dimension; the last write to an index wins.",
)
def scatter(
    op_name: str,
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor | None = None,
    value: complex | None = None,
    reduce: str | None = None,
) -> Writing:
    if reduce in ("add", "multiply") and isinstance(src, Tensor):
        warn(
            "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future "
            "PyTorch release. Use torch.scatter_reduce instead for more reduction options.",
            once=True,
        )
    return _prepared(
        op_name, input, dim, index, value if src is None else src, reduce, check=partial(_check_named, reduce)
    )


@scatters(
    "scatter_add",
    "Returns a copy with elements added at indices along one dimension.",
)
def scatter_add(op_name: str, input: Tensor, dim: int, index: Tensor, src: Tensor) -> Writing:
    return _prepared(op_name, input, dim, index, src, "add")


@scatters(
    "scatter_reduce",
    "Returns a copy with elements reduced (sum, prod, mean, amax, amin) at indices along one dimension.",
)
def scatter_reduce(
    op_name: str, input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool = True
) -> Writing:
    reduce = SHORT_NAMES.get(reduce, reduce)
    check = partial(check_reduce, reduce, input._dtype)
    return _prepared(op_name, input, dim, index, src, reduce, include_self, check)


SHORT_NAMES = {"max": "amax", "min": "amin"}
"""Names of reductions that PyTorch takes but does not list. It computes no gradients of them."""


def check_reduce(reduce: str, d: dtype) -> None:
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        refuse(
            RuntimeError,
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}",
            "these are the supported reductions",
            rule="scatter.reduce",
        )
    if reduce == "mean" and d._kind == BOOL or reduce in ("amax", "amin") and d._kind == COMPLEX:
        refuse_dtype(
            f"scatter_gather_tensor_cpu_reduce_{reduce}", d, "complex numbers have no order" * (d._kind == COMPLEX)
        )
