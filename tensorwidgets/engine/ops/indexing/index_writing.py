"""Ops that write slices or elements by index: index_add, index_copy, index_fill, index_reduce, put, index_put."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy.without_warnings import quietly
from ...calling.arguments import as_number
from ...declare.by_signature import Writing, no_kernel, overwrites
from ...errors.reasons import refuse
from ...geometry import extent
from ...tensor.scalars import fill_number
from ...tensor.storage import MetaArray
from ...tensor.tensor import Tensor, any_meta, checked_dim, geometry_of, storage_of
from ...types import dtypes
from ...types.dtypes import BOOL
from .gathering import as_array, check_bounds, check_flat, check_long, check_slices
from .getitem import _check_value, _gather
from .index_key import check_bounds as check_all_bounds
from .index_key import expanded
from .scattering import fold_at, reduce_into

__all__ = ["index_add", "index_copy", "index_fill", "index_put", "index_reduce", "put"]


def rows(shape: tuple[int, ...], dim: int, index: Tensor) -> tuple:
    """The key of whole slices along a dimension."""
    return (slice(None),) * (dim % (len(shape) or 1)) + (as_array(index),)


def _check_slices_of(op_name: str, input: Tensor, dim: int, index: Tensor, source: Tensor) -> None:
    """Check the index and source of index_add and index_reduce."""
    if index._array.ndim > 1:
        refuse(
            IndexError,
            f"{op_name}(): Index is supposed to be a vector, but got dim: {index._array.ndim} with type: "
            f"{index._dtype._type_name} and size: {list(index._array.shape)}",
            "each element of the index selects one slice",
            "index.reshape(-1)",
            rule="index.ndim",
        )
    if index._dtype not in (dtypes.int64, dtypes.int32):
        refuse(
            RuntimeError,
            f"{op_name}(): Expected dtype int32/int64 for index but got: {index._dtype._type_name}",
            "an index counts places",
            "index.long()",
            rule="index.dtype",
        )
    if input._dtype is not source._dtype:
        refuse(
            RuntimeError,
            f"{op_name}(): self ({input._dtype._type_name}) and source ({source._dtype._type_name}) must have the same "
            "scalar type",
            f"{op_name} does not convert",
            f"source.to({input._dtype})",
            rule="index.source_dtype",
        )
    if source._array.ndim and dim >= source._array.ndim:
        refuse(
            RuntimeError,
            f"{op_name}(): Indexing dim {dim} is out of bounds of the source tensor with dim {source._array.ndim}",
            "the source has slices along the same dimension",
            rule="index.source_dim",
        )
    count = (source._array.shape or (1,))[dim] if source._array.ndim else 1
    if index._array.size != count and not source._array.ndim:
        refuse(
            IndexError,
            "Dimension specified as 0 but tensor has no dimensions",
            "a source without dimensions has one element, which goes to one place",
            rule="index.count",
        )
    if index._array.size != count:
        refuse(
            RuntimeError,
            f"{op_name}(): Number of indices ({index._array.size}) should be equal to source.size(dim): ({count}), "
            f"for dim: {dim}",
            "each slice of the source goes to one place",
            rule="index.count",
        )
    own, given = list(input._array.shape), list(source._array.shape)
    del own[dim : dim + 1], given[dim : dim + 1]
    if own != given or input._array.ndim != source._array.ndim:
        refuse(
            RuntimeError,
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{list(input._array.shape)} source.shape = {list(source._array.shape)}",
            "a slice of the source is as large as one of the tensor",
            rule="index.slice_size",
        )


@overwrites(
    "index_add",
    "Returns a copy with slices added at indices along one dimension.",
)
def index_add(op_name: str, input: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Any = 1) -> Writing:
    along = checked_dim(dim, input._array.ndim)
    _check_slices_of("index_add_", input, along, index, source)
    factor = fill_number(as_number(alpha), input._dtype)
    ndim = input._array.ndim
    if ndim < 2 or 0 < along < ndim - 1 and input._array.size:
        check_slices(index, (input._array.shape or (1,))[along])
    elif input._array.size:  # PyTorch goes another way for the first and the last of several dimensions
        check_bounds(index, along, input._array.shape[along])

    def write(target: np.ndarray) -> None:
        values = as_array(source)
        target = target if target.ndim else target.reshape(1)
        if not (alpha is True or type(alpha) is int and alpha == 1):
            values = quietly(np.multiply, values, factor)
        if target.size:
            reduce_into(target, rows(target.shape, along, index), values, "add", wide=target.ndim > 1)

    return Writing(write, (index, source))


@overwrites(
    "index_reduce",
    "Returns a copy with slices reduced (prod, mean, amax, amin) at indices along one dimension.",
)
def index_reduce(
    op_name: str, input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, include_self: bool = True
) -> Writing:
    if reduce not in ("prod", "mean", "amax", "amin"):
        refuse(
            RuntimeError,
            f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.",
            "these are the supported reductions",
            "x.index_add(dim, index, source), for sums",
            rule="index.reduce",
        )
    along = checked_dim(dim, input._array.ndim)
    _check_slices_of("index_reduce_", input, along, index, source)
    length = (input._array.shape or (1,))[along]
    if not length and input._array.ndim > 1 and index._array.size:
        refuse(
            IndexError,
            f"select(): index 0 out of range for tensor of size {list(input._array.shape)} at dimension {along}",
            f"dimension {along} has no elements",
            rule="index.bounds",
        )
    check_slices(index, length)
    if reduce == "mean" and input._dtype._kind == BOOL:
        no_kernel("div_floor_cpu", input._dtype)

    def write(target: np.ndarray) -> None:
        values = as_array(source)
        target = target if target.ndim else target.reshape(1)
        key = rows(target.shape, along, index)
        reduce_into(target, key, values, reduce, include_self, wide=False)

    return Writing(write, (index, source))


def _check_place(op_name: str, input: Tensor, dim: int, index: Tensor) -> None:
    """Refuse to write slices along a dimension without elements.

    PyTorch looks at one slice by another size and stride, and says whether the storage has enough bytes for that.
    """
    if any_meta(input, index) or not index._array.size or not input._array.ndim or input._array.shape[dim]:
        return
    size, stride, offset = geometry_of(input)
    count = index._array.size
    size, stride = (*size[:dim], count, *size[dim + 1 :]), (*stride[:dim], 0, *stride[dim + 1 :])
    inplace = op_name.endswith("_")  # else it is the copy that is written
    offset, own = (offset, storage_of(input).nbytes()) if inplace else (0, 0)
    itemsize = input._dtype.itemsize
    needed = (offset + extent(size, stride)) * itemsize
    if 0 not in size and needed > own:
        refuse(
            RuntimeError,
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize {itemsize} "
            f"requiring a storage size of {needed} are out of bounds for storage of size {own}",
            f"dimension {dim} has no elements to write to",
            rule="index.bounds",
        )


@overwrites(
    "index_copy",
    "Returns a copy with slices written at indices along one dimension.",
)
def index_copy(op_name: str, input: Tensor, dim: int, index: Tensor, source: Tensor) -> Writing:
    along = checked_dim(dim, input._array.ndim)
    if index._array.ndim > 1:
        refuse(
            IndexError,
            f"index_copy_(): Index should have dimension 1 or 0 (got {index._array.ndim})",
            "each element of the index selects one slice",
            "index.reshape(-1)",
            rule="index.ndim",
        )
    own, given = input._array.shape, source._array.shape
    if not given and index._array.size != 1:
        refuse(
            IndexError,
            f"index_copy_(): When source is scalar, index should have one element (got {index._array.size})",
            "one element goes to one place",
            rule="index.count",
        )
    if own and given and len(own) != len(given):
        refuse(
            IndexError,
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source "
            f"dimensionality ({len(given)}), destination dimensionality ({len(own)})",
            "a slice of the source is as large as one of the tensor",
            rule="index.source_dim",
        )
    check_long("index_copy_", index)
    if input._dtype is not source._dtype:
        refuse(
            RuntimeError,
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{input._dtype._type_name} and (source) {source._dtype._type_name}",
            "index_copy does not convert",
            f"source.to({input._dtype})",
            rule="index.source_dtype",
        )
    of_own, of_given = list(own), list(given)
    del of_own[along : along + 1], of_given[along : along + 1]
    if of_own != of_given:
        refuse(
            RuntimeError,
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: "
            f"{' '.join(map(str, of_own))} at dimension {along} and source slice shape: "
            f"{' '.join(map(str, of_given))} at dimension 0.",
            "a slice of the source is as large as one of the tensor",
            rule="index.slice_size",
        )
    if given and index._array.size != given[along]:
        refuse(
            IndexError,
            f"index_copy_(): Number of indices ({index._array.size}) should be equal to source.size(dim) "
            f"({given[along]})",
            "each slice of the source goes to one place",
            rule="index.count",
        )
    _check_place(op_name, input, along, index)
    if input._array.size:
        check_bounds(index, along, (own or (1,))[along], IndexError, prefix="index_copy_(): ")

    def write(target: np.ndarray) -> None:
        target = target if target.ndim else target.reshape(1)
        if index._array.size and target.size:
            target[rows(target.shape, along, index)] = as_array(source)

    return Writing(write, (index, source))


@overwrites(
    "index_fill",
    "Returns a copy with the slices at indices along one dimension filled with one number.",
    preserve=True,
    alike=True,
)
def index_fill(op_name: str, input: Tensor, dim: int, index: Tensor, value: Any) -> Writing:
    if isinstance(value, Tensor):
        if value._array.ndim:
            refuse(
                RuntimeError,
                "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{value._array.ndim} dimension(s).",
                "one number fills the slices",
                "x.index_copy(dim, index, value)",
                rule="fill.value",
            )
        value = 0 if type(value._array) is MetaArray else value.item()
    value = as_number(value)
    if index._dtype is not dtypes.int64:
        refuse(
            IndexError,
            "index_fill_(): Expected dtype int64 for index.",
            f"places are counted in int64, and this index is of {index._dtype}",
            "index.long()",
            rule="index.dtype",
        )
    if isinstance(value, complex) and input._dtype._kind != dtypes.COMPLEX:
        refuse(
            RuntimeError,
            "index_fill_(): Converting complex Scalar to non-complex type is not supported",
            f"{input._dtype} has no imaginary part",
            rule="number.range",
        )
    along = checked_dim(dim, input._array.ndim)
    if index._array.ndim > 1:
        refuse(
            RuntimeError,
            "Index has to be a vector/scalar",
            "each element of the index selects one slice",
            "index.reshape(-1)",
            rule="index.ndim",
        )
    number = fill_number(value, input._dtype)
    length = (input._array.shape or (1,))[along]
    _check_place(op_name, input, along, index)
    if input._array.size:
        check_bounds(index, along, length, IndexError, -length)

    def write(target: np.ndarray) -> None:
        if not target.size:
            return
        target = target if target.ndim else target.reshape(1)
        target[rows(target.shape, along, index)] = number

    return Writing(write, (index,))


# -- single elements ---------------------------------------------------------------------------------------------


@overwrites(
    "put",
    "Returns a copy with elements written at flat indices into the tensor.",
    preserve=True,
)
def put(op_name: str, input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Writing:
    check_long("put_", index)
    if input._dtype is not source._dtype:
        refuse(
            RuntimeError,
            f"put_(): self and source expected to have the same dtype, but got self.dtype = {input._dtype._type_name} "
            f"and source.dtype = {source._dtype._type_name}",
            "put does not convert",
            f"source.to({input._dtype})",
            rule="index.source_dtype",
        )
    if index._array.size != source._array.size:
        refuse(
            IndexError,
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = "
            f"{source._array.size}, index.numel() = {index._array.size}",
            "each element goes to one place",
            rule="index.count",
        )
    count = input._array.size
    if not count and index._array.size:
        refuse(
            IndexError,
            "put_(): Tried to put elements into an empty tensor",
            "an empty tensor has no places",
            rule="put.empty",
        )
    check_flat(index, count)

    def write(target: np.ndarray) -> None:
        if not index._array.size:
            return
        places, values = index._array.reshape(-1), source._array.reshape(-1)
        target = target if target.ndim else target.reshape(1)
        key = np.unravel_index(np.where(places < 0, places + count, places), target.shape)
        if accumulate:
            fold_at(target, key, values, "add")
        else:
            target[key] = values

    return Writing(write, (index, source))


@overwrites(
    "index_put",
    "Returns a copy with values written or added at the positions given by a tuple of index tensors.",
    preserve=True,
)
def index_put(op_name: str, input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Writing:
    for i, each in enumerate(indices):
        if not isinstance(each, Tensor):
            refuse(
                TypeError,
                f"expected Tensor as element {i} in argument 1, but got {type(each).__name__}",
                f"element {i} of the list is not a tensor",
                rule="argument.type",
            )
    if not indices:
        refuse(
            RuntimeError,
            "sym_strides() called on an undefined Tensor",
            "the list of indices is empty",
            "x.copy_(values)",
            rule="index.none",
        )
    used = sum([t._array.ndim if t._dtype in (dtypes.bool_, dtypes.uint8) else 1 for t in indices])
    if used > input._array.ndim:
        refuse(
            IndexError,
            f"too many indices for tensor of dimension {input._array.ndim} (got {len(indices)})",
            f"{used} indices are given, and the tensor has {input._array.ndim} dimensions",
            rule="index.too_many",
        )
    placed, dim = [], 0
    for each in indices:
        placed.append((dim, each))
        dim += each._array.ndim if each._dtype in (dtypes.bool_, dtypes.uint8) else 1
    if any_meta(input, *indices):
        return Writing(lambda target: None)
    result = expanded(input._array.shape, placed)
    gather = _gather(geometry_of(input), result)
    _check_value(values, input._dtype, gather.size)
    check_all_bounds(input._array.shape, result)

    def write(target: np.ndarray) -> None:
        key: list[Any] = [slice(None)] * target.ndim
        for d, places in result:
            key[d] = places
        if 0 in gather.size:
            return
        if accumulate:
            fold_at(target, tuple(key), values._array, "add")
        else:
            target[tuple(key)] = values._array

    return Writing(write, (*indices, values))
