"""Ops that read elements by index: gather, take, take_along_dim, index_select."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy import chunks
from ...backends.numpy.chunked_reduce import fold
from ...declare.by_signature import calls, out_apart, same_dtype
from ...declare.rules import Answer, Result
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.lookups import checked_dim
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of
from ...types import dtypes, formats
from ..views.reshaping import broadcast_size

INT64_32 = (dtypes.int64, dtypes.int32)


def at_least_1d(array: np.ndarray) -> np.ndarray:
    """Returns an array; a zero-dimensional one as a vector of one element."""
    return array if array.ndim else array.reshape(1)


def check_bounds(
    index: np.ndarray, dim: int, length: int, error: type[Exception] = RuntimeError, least: int = 0, prefix: str = ""
) -> None:
    """Refuse an index outside its dimension, before anything is read or written."""
    if not index.size or within(index, least, length):
        return
    bad = int(index[(index < least) | (index >= length)][0])
    refuse(
        error,
        f"{prefix}index {bad} is out of bounds for dimension {dim} with size {length}",
        f"dimension {dim} has the places 0 to {length - 1}, and {bad} is not among them"
        if length
        else f"dimension {dim} has no elements",
        *([f"a tensor with {bad + 1} places or more in dimension {dim}"] if bad >= length else []),
        rule="index.bounds",
        index=bad,
        dim=dim,
        size=length,
    )


def within(places: np.ndarray, least: int, length: int) -> bool:
    """Returns whether all indices lie from the minimum up to the length (exclusive)."""
    if least == 0 and places.dtype.kind == "i" and places.size >= chunks.FROM:
        # As unsigned integers, negative indices are the largest: one comparison instead of two.
        return bool(fold(np.maximum, places.view(f"u{places.itemsize}"), tuple(range(places.ndim))) < length)
    return least <= int(places.min()) and int(places.max()) < length


def open_grid(shape: tuple[int, ...], dim: int, index: np.ndarray) -> tuple:
    """Returns a key of open index grids, with the index itself along one dimension."""
    ndim = len(shape)
    return tuple(
        [
            index if d == dim else np.arange(n, like=index).reshape((1,) * d + (n,) + (1,) * (ndim - d - 1))
            for d, n in enumerate(shape)
        ]
    )


def _ways_to_dims(size: tuple[int, ...], index: tuple[int, ...], dim: int) -> list[str]:
    """How an index gets as many dimensions as the tensor that it reads."""
    if len(index) == len(size) - 1 and all(n <= m for n, m in zip(index, size[:dim] + size[dim + 1 :], strict=True)):
        return [f"index.unsqueeze({dim}), for one element of each line along dimension {dim}"]
    return [f"an index with {len(size)} dimension{'' if len(size) == 1 else 's'}"]


def check_along(op_name: str, input: Tensor, index: Tensor, dim: int) -> None:
    """What an index must be for gather: whole numbers, of the input's dimensions, nowhere larger but along `dim`."""
    if not index._array.size:
        return
    check_whole(op_name, index)
    a, b = input._array.shape or (1,), index._array.shape or (1,)
    if len(a) != len(b):
        refuse(
            RuntimeError,
            "Index tensor must have the same number of dimensions as input tensor",
            f"the index has size {list(b)}, the tensor {list(a)}",
            *_ways_to_dims(a, b, dim),
            rule="gather.ndim",
            sizes=(a, b),
        )
    for d, (n, m) in enumerate(zip(a, b, strict=True)):
        if d != dim and m > n:
            refuse(
                RuntimeError,
                f"Size does not match at dimension {d} expected index {list(index._array.shape)} to be no larger than "
                f"self {list(input._array.shape)} apart from dimension {dim}",
                f"along dimension {d} an element is read at its own place: the tensor has {n} of those, the index {m}",
                rule="gather.size",
                dim=d,
                sizes=(n, m),
            )


def check_whole(op_name: str, index: Tensor) -> None:
    if index._dtype not in INT64_32:
        refuse(
            RuntimeError,
            f"{op_name}(): Expected dtype int32/int64 for index",
            f"an index counts places, and {index._dtype} is not a dtype for that",
            "index.long()",
            rule="index.dtype",
            dtype=index._dtype,
        )


def check_long(op_name: str, index: Tensor) -> None:
    if index._dtype is not dtypes.int64:
        refuse(
            RuntimeError,
            f"{op_name}(): Expected a long tensor for index, but got {index._dtype._type_name}",
            f"{op_name} counts places in int64, and this index is of {index._dtype}",
            "index.long()",
            rule="index.dtype",
            dtype=index._dtype,
        )


def fill_gathered(target: np.ndarray, array: np.ndarray, along: int, index: np.ndarray) -> None:
    if not index.size:
        return
    check_bounds(index, along, (array.shape or (1,))[along])
    places, values = at_least_1d(index), at_least_1d(array)
    if places.size >= chunks.FROM and values.flags.c_contiguous and values.dtype.isbuiltin == 1:
        _gather_flat(at_least_1d(target), values, along, places)
    else:
        target[...] = values[open_grid(places.shape, along, places)].reshape(target.shape)


@calls("gather", "Gathers elements along one dimension at the given indices.", kernel=fill_gathered)
def gather(input: Tensor, dim: int, index: Tensor, sparse_grad: bool = False, out: Tensor | None = None) -> Answer:
    along = checked_dim(dim, input._array.ndim)
    if out is not None:
        out_apart(out, input, index)
    check_along("gather", input, index, along)
    same_dtype(out, input._dtype)
    return Result(index._array.shape, input._dtype), (input._array, along, index._array)


def _gather_flat(target: np.ndarray, values: np.ndarray, along: int, places: np.ndarray) -> None:
    """Gather from a contiguous array by positions in the whole of it. They are known to be within."""
    step = values.strides[along] // values.itemsize
    ahead = np.zeros((1,) * values.ndim, np.int64, like=values)
    for d, n in enumerate(places.shape):
        if d != along:
            ahead = ahead + (np.arange(n, like=values) * (values.strides[d] // values.itemsize)).reshape(
                (1,) * d + (n,) + (1,) * (values.ndim - d - 1)
            )
    flat = values.reshape(-1)
    starts = np.broadcast_to(ahead, places.shape)

    def piece(key: tuple[slice, ...]) -> None:
        at = places[key]
        if values.ndim > 1:
            at = np.multiply(at, step, dtype=np.int64)
            at += starts[key]
        np.take(flat, at, out=target[key], mode="wrap")

    chunks.run_parallel(piece, chunks.cuts(target.shape, target.strides))


def fill_taken(target: np.ndarray, array: np.ndarray, places: np.ndarray) -> None:
    count = array.size
    check_flat(places, count)
    if not target.size:
        return
    if type(array) is np.ndarray and array.flags.c_contiguous and target.flags.c_contiguous:
        np.take(array.reshape(-1), places, out=target, mode="wrap")
    else:
        positive = np.where(places < 0, places + count, places)
        target[...] = at_least_1d(array)[np.unravel_index(positive, array.shape or (1,))]


@calls("take", "Returns the elements at flat indices into the tensor.", kernel=fill_taken)
def take(input: Tensor, index: Tensor, out: Tensor | None = None) -> Answer:
    check_long("take", index)
    if out is not None and out._dtype is not input._dtype:
        refuse(
            RuntimeError,
            f"take(): self and out expected to have the same dtype, but got self.dtype = {input._dtype._type_name} and "
            f"out.dtype = {out._dtype._type_name}",
            "take does not convert its result to the dtype of out=",
            f"out=torch.empty(0, dtype={input._dtype})",
            rule="out.dtype",
        )
    count = input._array.size
    if not count and index._array.size:
        refuse(
            IndexError,
            "take(): tried to take from an empty tensor",
            "there are no elements to take",
            rule="take.empty",
        )
    out_apart(out, input, index)
    return Result(index._array.shape, input._dtype), (input._array, index._array)


def check_flat(index: np.ndarray, count: int) -> None:
    """Refuse a flat index outside a tensor."""
    if not index.size or -count <= int(index.min()) and int(index.max()) < count:
        return
    bad = int(index[(index < -count) | (index >= count)][0])
    refuse(
        IndexError,
        f"out of range: tried to access index {bad} on a tensor of {count} elements.",
        f"indices range from {-count} to {count - 1}",
        rule="index.bounds",
        index=bad,
        size=count,
    )


@calls(
    "take_along_dim",
    "Gathers elements along one dimension, or of the flattened tensor, at broadcast indices.",
)
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None, out: Tensor | None = None) -> Tensor:
    named = {} if out is None else {"out": out}
    if dim is None:
        flat, index = OPS["view"].function(input, -1), OPS["view"].function(indices, -1)
        return OPS["gather"].function(flat, 0, index, **named)  # type: ignore[no-any-return]
    if input._array.ndim != indices._array.ndim:
        refuse(
            RuntimeError,
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{input._array.ndim} dimensions for input, and {indices._array.ndim} dimensions for indices",
            "the sizes are matched dimension by dimension",
            "indices.unsqueeze(0)",
            rule="gather.ndim",
        )
    if indices._dtype is not dtypes.int64:
        refuse(
            RuntimeError,
            f"torch.take_along_dim(): dtype of indices should be Long but got {indices._dtype._type_name}",
            f"an index counts places in int64, and this one is of {indices._dtype}",
            "indices.long()",
            rule="index.dtype",
        )
    along = checked_dim(dim, input._array.ndim)
    if not input._array.ndim:
        refuse(
            IndexError,
            f"Dimension specified as {along} but tensor has no dimensions",
            "a tensor without dimensions has no dimension to look along",
            "input.reshape(1)",
            rule="dim.range",
        )
    a, b = list(input._array.shape), list(indices._array.shape)
    of_input, of_index = list(b), list(a)
    of_input[along], of_index[along] = a[along], b[along]
    input = OPS["expand"].function(input, broadcast_size(tuple(a), tuple(of_input)))
    indices = OPS["expand"].function(indices, broadcast_size(tuple(of_index), tuple(b)))
    return gather_wrapped(input, along, indices, named)


def gather_wrapped(input: Tensor, dim: int, index: Tensor, named: dict[str, Any]) -> Tensor:
    """`gather` with indices modulo the length, so that negative ones count from the end."""
    length = (input._array.shape or (1,))[dim]
    if index._dtype is dtypes.int64 and place_of(index).has_numbers and index._array.size and length:
        if int(index._array.min()) < 0 or int(index._array.max()) >= length:
            index = OPS["remainder"].function(index, length)
    return OPS["gather"].function(input, dim, index, **named)


def fill_selected(target: np.ndarray, array: np.ndarray, along: int, index: np.ndarray) -> None:
    length = (array.shape or (1,))[along]
    if array.ndim < 2 or array.size and along != 1:
        check_slices(index, length)
    elif index.size:
        _check_places(index, length)
    places = at_least_1d(index)
    if not target.size:
        return
    if not array.ndim:
        target[...] = array
    elif type(array) is np.ndarray and array.flags.c_contiguous and target.flags.c_contiguous:
        np.take(array, places, axis=along, out=target, mode="clip")
    else:
        target[...] = array[(slice(None),) * along + (places,)]


@calls("index_select", "Returns the slices along one dimension at the given indices.", kernel=fill_selected)
def index_select(input: Tensor, dim: int, index: Tensor, out: Tensor | None = None) -> Answer:
    along = checked_dim(dim, input._array.ndim)
    if index._array.ndim > 1:
        refuse(
            IndexError,
            "index_select(): Index is supposed to be a vector",
            f"the index has {index._array.ndim} dimensions",
            "x[index]",
            rule="index.ndim",
        )
    if not input._array.ndim and index._array.size != 1:
        refuse(
            RuntimeError,
            f"index_select(): Index to scalar can have only 1 value, got {index._array.size} value(s)",
            "a tensor without dimensions has one element",
            rule="index.scalar",
        )
    if index._dtype not in INT64_32:
        refuse(
            RuntimeError,
            "index_select(): Expected dtype int32 or int64 for index",
            f"an index counts places, and {index._dtype} is not a dtype for that",
            "index.long()",
            rule="index.dtype",
        )
    if out is not None and out._dtype is not input._dtype:
        refuse(
            RuntimeError,
            "index_select(): self and result must have the same scalar type",
            "index_select does not convert its result to the dtype of out=",
            f"out=torch.empty(0, dtype={input._dtype})",
            rule="out.dtype",
        )
    out_apart(out, input, index)
    shape = input._array.shape
    if len(shape) > 1 and not (input._array.size and along != 1) and index._array.size and not shape[along]:
        refuse(
            RuntimeError,
            "index_select(): self indexing axis dim should be positive",
            "the dimension has no elements to select",
            rule="index.bounds",
        )
    size = (*shape[:along], index._array.size, *shape[along + 1 :]) if shape else ()
    return Result(size, input._dtype), (input._array, along, index._array)


def _check_places(index: np.ndarray, length: int) -> None:
    """The same in the words of another kernel, which PyTorch has for dimension 1 and for empty tensors."""
    if within(index, 0, length):
        return
    bad = int(index[(index < 0) | (index >= length)].reshape(-1)[0])
    refuse(
        RuntimeError,
        f"INDICES element is out of DATA bounds, id={bad} axis_dim={length}",
        f"the dimension has the places 0 to {length - 1}",
        rule="index.bounds",
        index=bad,
        size=length,
    )


def check_slices(index: np.ndarray, length: int) -> None:
    """Refuse an index outside the dimension, with the message of index_select."""
    if not index.size or 0 <= int(index.min()) and int(index.max()) < length:
        return
    bad = int(index[(index < 0) | (index >= length)].reshape(-1)[0])
    refuse(
        IndexError,
        "index out of range in self",
        f"place {bad} is asked for, and the dimension has the places 0 to {length - 1}",
        rule="index.bounds",
        index=bad,
        size=length,
    )


@calls(
    "narrow_copy",
    "Performs the same operation as `narrow`, but copies the elements.",
)
def narrow_copy(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    if input._array.ndim and dim >= input._array.ndim:
        refuse(
            RuntimeError,
            "Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false.  (Could this error "
            "message be improved?  If so, please report an enhancement request to PyTorch.)",
            f"the dimensions are 0 to {input._array.ndim - 1}",
            rule="dim.range",
        )
    if input._array.ndim and length < 0:
        n = input._array.shape[checked_dim(dim, input._array.ndim)]
        OPS["narrow"].function(input, dim, start, 0)  # refuses a start out of range first
        start += n if start < 0 else 0
        refuse(
            RuntimeError,
            f"start ({start}) + length ({length}) exceeds dimension size ({n}).",
            "a length cannot be negative",
            rule="narrow.length",
        )
    result = OPS["narrow"].function(input, dim, start, length)
    return OPS["clone"].function(result, memory_format=formats.contiguous_format)


__all__ = ["at_least_1d", "check_bounds", "gather", "index_select", "open_grid", "take"]
