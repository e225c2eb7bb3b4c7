"""Binary search in sorted boundaries: searchsorted, bucketize."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy.casts import cast, number_array
from ...calling.arguments import as_number
from ...declare.by_signature import calls
from ...declare.pointwise import common_dtype
from ...declare.rules import Answer, Result
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.lookups import size_and_stride
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX, dtype
from ...types.promotion import promote_types
from .sorting import comparable

# -- sorted boundaries -------------------------------------------------------------------------------------------


def positions(boundaries: np.ndarray, values: np.ndarray, right: bool, sorter: np.ndarray | None = None) -> np.ndarray:
    """Returns how many boundaries of its row are less than each value (`right`: or equal to it).

    >>> positions(np.array([1, 3, 5]), np.array([3, 9]), False)
    array([1, 3])
    """
    flat = boundaries.ndim == 1
    if flat and sorter is None and _plainly_sorted(boundaries) and not _has_nan(values):
        return np.searchsorted(boundaries, values, "right" if right else "left")
    # PyTorch's binary search, for all values at once; its steps decide the result for NaN and unsorted boundaries.
    length = boundaries.shape[-1]
    if not values.size or not length:
        return np.zeros(values.shape, np.int64, like=values)
    table = boundaries.reshape(-1, length)
    order = None if sorter is None else sorter.reshape(-1, length)
    rows = 0 if flat else np.arange(len(table), like=table).reshape(-1, 1)
    asked = values if flat else values.reshape(len(table), -1)
    low, high = np.zeros_like(asked, np.int64), np.full_like(asked, length, np.int64)
    while True:
        open_ = low < high
        if not open_.any():
            return low.reshape(values.shape)
        middle = np.minimum(low + ((high - low) >> 1), length - 1)
        seen = table[rows, middle if order is None else order[rows, middle]]
        after = ~(seen > asked) if right else ~(seen >= asked)
        low = np.where(open_ & after, middle + 1, low)
        high = np.where(open_ & ~after, middle, high)


def _plainly_sorted(boundaries: np.ndarray) -> bool:
    return bool(np.all(boundaries[1:] >= boundaries[:-1])) and not _has_nan(boundaries[-1:])


def _has_nan(values: np.ndarray) -> bool:
    return values.dtype.kind == "f" and bool(np.isnan(values).any())


def fill_searched(
    target: np.ndarray, boundaries: np.ndarray, values: Any, d: dtype, right: bool, sorter: np.ndarray | None
) -> None:
    if sorter is not None and sorter.size and not 0 <= int(sorter.min()) <= int(sorter.max()) < boundaries.shape[-1]:
        _refuse("sorter index out of range", f"the places run from 0 to {boundaries.shape[-1] - 1}")
    asked = cast(values, d) if hasattr(values, "dtype") else number_array(values, d)
    target[...] = positions(comparable(cast(boundaries, d)), comparable(asked), right, sorter)


def _searched(boundaries: Tensor, values: Any, right: bool, out_int32: bool, sorter: Tensor | None = None) -> Answer:
    d = common_dtype((boundaries, values)) if not isinstance(values, Tensor) else values._dtype
    d = boundaries._dtype if d is boundaries._dtype else promote_types(boundaries._dtype, d)
    if (d._kind == COMPLEX or d is dtypes.bool_) and not (isinstance(values, Tensor) and 0 in values._array.shape):
        refuse_dtype("searchsorted_out_cpu", d)
    if not isinstance(values, Tensor) or values._array.size:
        _warn_of_order(values, "input value")
        _warn_of_order(boundaries, "boundary")
    asked = values._array if isinstance(values, Tensor) else values
    order = None if sorter is None else sorter._array
    size = asked.shape if isinstance(values, Tensor) else ()
    return Result(size, _counted(out_int32)), (boundaries._array, asked, d, right, order)


def _warn_of_order(t: Any, called: str) -> None:
    if isinstance(t, Tensor) and not geometry.is_contiguous(*size_and_stride(t)):
        warn(
            f"torch.searchsorted(): {called} tensor is non-contiguous, this will lower the performance due to extra "
            "data copy when converting non-contiguous tensor to contiguous, please use contiguous "
            f"{called} tensor if possible. This message will only appear once per program.",
            once=True,
        )


def _counted(out_int32: bool) -> dtype:
    return dtypes.int32 if out_int32 else dtypes.int64


@calls(
    "searchsorted",
    "Returns the indices at which values would be inserted into a sorted sequence.",
    forms="function",
    category="other",
    kernel=fill_searched,
)
def searchsorted(
    sorted_sequence: Tensor,
    input: Tensor | None = None,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
    out: Tensor | None = None,
    **given: Any,
) -> Answer:
    values = as_number(given["self"]) if given else input
    if side is not None and side not in ("left", "right"):
        _refuse(f"side can only be 'left' or 'right' but got {side}", "a value goes before its equals or after them")
    if side == "left" and right:
        _refuse(
            "side and right can't be set to opposites, got side of left while right was True",
            "both say whether a value goes before its equals or after them",
        )
    own = sorted_sequence._array.shape
    if isinstance(values, Tensor):
        asked, ndim, count = values._array.shape, values._array.ndim, values._array.size
    else:
        asked, ndim, count = (), 0, 1
    if sorter is not None:
        _check_sorter(sorter, own)
    if not ndim and len(own) != 1:
        _refuse(
            "input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor "
            f"dim({len(own)}) and input value's dim({ndim}) numel({count})",
            "each row of boundaries is asked for values of its own",
        )
    if not own:
        _refuse(
            "boundaries tensor should have positive dimension, but got 0 dimension",
            "one boundary is a row of length 1",
        )
    if len(own) != 1 and own[:-1] != asked[:-1]:
        _refuse(
            "boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value "
            f"tensor must match, but we got boundaries tensor {list(own)} and input value tensor {list(asked)}",
            "each row of boundaries is asked for values of its own",
        )
    _check_out(out, out_int32)
    return _searched(sorted_sequence, values, right or side == "right", out_int32, sorter)


def _refuse(message: str, because: str) -> None:
    refuse(RuntimeError, f"torch.searchsorted(): {message}", because, rule="searchsorted")


def _check_out(out: Tensor | None, out_int32: bool) -> None:
    if out is not None and out._dtype is not _counted(out_int32):
        _refuse(
            "output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on whether out_int32 "
            f"flag is True, but we got output tensor's dtype {out._dtype._type_name} and out_int32 flag is "
            f"{out_int32}",
            "out_int32 decides the dtype of the result",
        )


def _check_sorter(sorter: Tensor, own: tuple[int, ...]) -> None:
    if sorter._array.shape != own:
        _refuse(
            f"boundary and sorter must have the same size, but got boundary tensor {list(own)}and got sorter tensor "
            f"{list(sorter._array.shape)}",
            "the sorter says in which order the boundaries are sorted",
        )
    if sorter._dtype is not dtypes.int64:
        _refuse(
            f"sorter must be a tensor of long dtype but got dtype {sorter._dtype._type_name}",
            "the sorter holds places",
        )


@calls(
    "bucketize",
    "Returns the index of the bucket between boundaries that each value belongs to.",
    forms="function",
    category="other",
    kernel=fill_searched,
)
def bucketize(
    boundaries: Tensor,
    input: Tensor | None = None,
    out_int32: bool = False,
    right: bool = False,
    out: Tensor | None = None,
    **given: Any,
) -> Answer:
    values = as_number(given["self"]) if given else input
    if boundaries._array.ndim != 1:
        refuse(
            RuntimeError,
            f"boundaries tensor must be 1 dimension, but got dim({boundaries._array.ndim})",
            "the boundaries are one row",
            "torch.searchsorted(boundaries, x), for a row of them each",
            rule="bucketize.ndim",
        )
    _check_out(out, out_int32)
    return _searched(boundaries, values, right, out_int32)
