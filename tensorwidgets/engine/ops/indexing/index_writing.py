"""Ops that write slices by index: index_add, index_copy, index_fill, index_reduce."""

from __future__ import annotations

import numpy as np

from ...backends.numpy.sums.added_rows import add_rows, can_add_rows
from ...backends.numpy.without_warnings import quietly
from ...calling.arguments import as_number
from ...declare.by_signature import Writing, overwrites
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...geometry import extent
from ...memory.places import number_of
from ...tensor.lookups import checked_dim, geometry_of, storage_of
from ...tensor.scalars import fill_number
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of
from ...tensor.write_checks import check_no_overlap, check_writable
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import BOOL
from ..pointwise.rows import REALS
from .gathering import at_least_1d, check_bounds, check_long, check_slices
from .scattering import reduce_into
from .setitem import warn_if_overlapping

__all__ = ["index_add", "index_copy", "index_fill", "index_reduce"]


def rows(shape: tuple[int, ...], dim: int, index: np.ndarray) -> tuple:
    """The key of whole slices along a dimension."""
    return (slice(None),) * (dim % (len(shape) or 1)) + (at_least_1d(index),)


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
    if dim and dim >= source._array.ndim:
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


def check_added(
    size: tuple[int, ...], index: np.ndarray, along: int, source: np.ndarray, factor: np.ndarray | None
) -> None:
    if factor is not None or len(size) < 2 or 0 < along < len(size) - 1 and 0 not in size:
        check_slices(index, (size or (1,))[along])
    elif 0 not in size:  # PyTorch goes another way for the first and the last of several dimensions
        check_bounds(index, along, size[along])


def fill_added(
    target: np.ndarray, index: np.ndarray, along: int, source: np.ndarray, factor: np.ndarray | None
) -> None:
    values, target = at_least_1d(source), at_least_1d(target)
    if factor is not None:
        values = quietly(np.multiply, values, number_of(factor))
    if not target.size:
        return
    if along == 0 and can_add_rows(target, index, values) and not np.may_share_memory(target, values):
        add_rows(target, index, values)
    else:
        reduce_into(target, rows(target.shape, along, index), values, "add", wide=target.ndim > 1)


@overwrites(
    "index_add", "Returns a copy with slices added at indices along one dimension.", fill_added, check=check_added
)
def index_add(op_name: str, input: Tensor, dim: int, index: Tensor, source: Tensor, alpha: complex = 1) -> Writing:
    along = checked_dim(dim, input._array.ndim)
    _check_slices_of("index_add_", input, along, index, source)
    if op_name.endswith("_"):
        check_writable(input)
    factor = fill_number(as_number(alpha), input._dtype)
    once = alpha is True or type(alpha) is int and alpha == 1
    return Writing((index._array, along, source._array, None if once else factor), (index, source))


def check_reduced(
    size: tuple[int, ...], index: np.ndarray, along: int, source: np.ndarray, reduce: str, include_self: bool
) -> None:
    length = (size or (1,))[along]
    if not include_self:  # PyTorch fills the slices first, and may count from the end there
        check_bounds(index, along, length, IndexError, -length)
    check_slices(index, length)


def fill_reduced(
    target: np.ndarray, index: np.ndarray, along: int, source: np.ndarray, reduce: str, include_self: bool
) -> None:
    if not index.size:
        return
    target = at_least_1d(target)
    key = rows(target.shape, along, index)
    reduce_into(target, key, at_least_1d(source), reduce, include_self, wide=False)


@overwrites(
    "index_reduce",
    "Returns a copy with slices reduced (prod, mean, amax, amin) at indices along one dimension.",
    fill_reduced,
    check=check_reduced,
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
    warn("index_reduce() is in beta and the API may change at any time.", once=True)
    length = (input._array.shape or (1,))[along]
    if not length and input._array.ndim > 1 and index._array.size:
        refuse(
            IndexError,
            f"select(): index 0 out of range for tensor of size {list(input._array.shape)} at dimension {along}",
            f"dimension {along} has no elements",
            rule="index.bounds",
        )
    _check_reduction(input, reduce, bool(index._array.size), include_self)
    return Writing((index._array, along, source._array, reduce, include_self), (index, source))


def _check_reduction(input: Tensor, reduce: str, some: bool, include_self: bool) -> None:
    """Refuse dtypes for which PyTorch has no kernel: it reduces numbers one by one, or slices by the ops of that name.

    `some` says whether there is an index: without one, no slice is multiplied or compared.
    """
    d, bare = input._dtype, input._dtype in dtypes.BAREBONES_UNSIGNED
    if not include_self and d not in REALS:
        refuse_dtype("index_reduce_func_exclude_input_init", d)
    if input._array.ndim <= 1:
        if d not in REALS:
            refuse_dtype("index_func_", d)
    elif some and reduce in ("amax", "amin") and (d.is_complex or bare):
        refuse_dtype("maximum_cpu" if reduce == "amax" else "minimum_cpu", d)
    elif some and reduce == "mean" and (d._kind == BOOL or bare):
        refuse_dtype("add_stub" if bare else "div_floor_cpu", d)


def _check_place(op_name: str, input: Tensor, dim: int, index: Tensor) -> None:
    """Refuse to write slices along a dimension without elements.

    PyTorch looks at one slice by another size and stride, and says whether the storage has enough bytes for that.
    """
    if (
        not place_of(input, index).has_numbers
        or not index._array.size
        or not input._array.ndim
        or input._array.shape[dim]
    ):
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
    if 0 not in size:
        check_bounds(index._array, dim, 0, IndexError)


def check_copied(size: tuple[int, ...], index: np.ndarray, along: int, source: np.ndarray) -> None:
    if 0 not in size:
        check_bounds(index, along, (size or (1,))[along], IndexError, prefix="index_copy_(): ")


def fill_copied(target: np.ndarray, index: np.ndarray, along: int, source: np.ndarray) -> None:
    target = at_least_1d(target)
    if index.size and target.size:
        target[rows(target.shape, along, index)] = at_least_1d(source)


@overwrites(
    "index_copy",
    "Returns a copy with slices written at indices along one dimension.",
    fill_copied,
    check=check_copied,
)
def index_copy(op_name: str, input: Tensor, dim: int, index: Tensor, source: Tensor) -> Writing:
    along = checked_dim(dim, input._array.ndim)
    if op_name.endswith("_"):  # PyTorch looks at the memory first
        check_writable(input)
        for each in (index, source):
            check_no_overlap(input, each)
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
    return Writing((index._array, along, source._array), (index, source))


def check_filled(size: tuple[int, ...], index: np.ndarray, along: int, number: np.ndarray) -> None:
    if 0 not in size:
        length = (size or (1,))[along]
        check_bounds(index, along, length, IndexError, -length)


def fill_slices(target: np.ndarray, index: np.ndarray, along: int, number: np.ndarray) -> None:
    if target.size:
        target = at_least_1d(target)
        target[rows(target.shape, along, index)] = number


@overwrites(
    "index_fill",
    "Returns a copy with the slices at indices along one dimension filled with one number.",
    fill_slices,
    check=check_filled,
    preserve=True,
    alike=True,
)
def index_fill(op_name: str, input: Tensor, dim: int, index: Tensor, value: Tensor | complex) -> Writing:
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
        value = value.item() if place_of(value).has_numbers else 0
    value = as_number(value)
    if index._dtype is not dtypes.int64:
        refuse(
            IndexError,
            "index_fill_(): Expected dtype int64 for index.",
            f"places are counted in int64, and this index is of {index._dtype}",
            "index.long()",
            rule="index.dtype",
        )
    if op_name == "index_fill_":
        check_no_overlap(input, index)
        warn_if_overlapping(input, op_name)
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
    _check_place(op_name, input, along, index)
    return Writing((index._array, along, number), (index,))
