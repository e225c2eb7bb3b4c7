"""Ops that select by a condition: where, nonzero and the masked ops."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy.branchless_where import choose
from ...backends.numpy.casts import cast, number_array
from ...calling.arguments import as_number
from ...declare.by_signature import calls, out_apart, own_result, writes
from ...declare.pointwise import common_dtype
from ...declare.rules import Answer, ByValues, Result, compute
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...memory.places import number_of
from ...tensor.lookups import size_and_stride
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.results import check_out
from ...tensor.scalars import check_fits, fill_number
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of
from ...tensor.write_checks import check_reads, check_same_size, check_writable
from ...types import dtypes
from ...types.cpp_names import cpp_name
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import dtype
from ..views.reshaping import broadcast_size
from .setitem import warn_if_overlapping, write_where


def as_operand(value: Any) -> Any:
    return value if isinstance(value, Tensor) else as_number(value)


def fill_chosen(target: np.ndarray, condition: np.ndarray, input: Any, other: Any, d: dtype) -> None:
    """Write elements of one array where a condition is true, else of another; either may be a Python number."""
    yes, no = [number_array(o, d) if type(o) in NUMBERS else cast(o, d) for o in (input, other)]
    if type(target) is not np.ndarray:
        yes, no = number_of(yes), number_of(no)
    mask = condition if condition.dtype == bool else condition.astype(bool)
    if any(np.may_share_memory(target, a) for a in (yes, no, mask)):
        target[...] = np.where(mask, yes, no)
    else:
        choose(mask, yes, no, target)


NUMBERS = frozenset((bool, int, float, complex))


def chosen(condition: Tensor, input: Tensor | float, other: Tensor | float) -> Answer:
    """The rule of `where` with three arguments."""
    operands = (input, other)
    d = common_dtype(operands)
    _check_condition(condition)
    tensors = [condition, *[o for o in operands if isinstance(o, Tensor)]]
    size = broadcast_size(*[t._array.shape for t in tensors])
    layouts = [size_and_stride(o) if isinstance(o, Tensor) else ((), ()) for o in (condition, *operands)]
    one, two = [o._array if isinstance(o, Tensor) else _fitting(o, d) for o in operands]
    return Result(size, d, geometry.pointwise_stride(size, layouts)), (condition._array, one, two, d)


def _fitting(number: Any, d: dtype) -> Any:
    """The number itself, once the dtype is known to hold it."""
    check_fits(number, d, 1)
    return number


@calls(
    "where",
    "Selects elements of two tensors by a condition; of a condition alone, returns the indices of true elements.",
    kernel=fill_chosen,
    rule=chosen,
)
def where(
    condition: Tensor,
    input: Tensor | None = None,
    other: Tensor | float | None = None,
    out: Tensor | None = None,
    **given: Any,
) -> Any:
    if other is None:
        return OPS["nonzero"].function(condition, as_tuple=True)
    one = as_number(given["self"]) if given else as_operand(input)
    two = as_operand(other)
    if out is not None:
        check_out(common_dtype((one, two)), out, "Expected out type to be {Wanted} but got {Got}")
    return compute(fill_chosen, chosen(condition, one, two), out)


def _check_condition(condition: Tensor) -> None:
    if condition._dtype is dtypes.uint8:
        warn("where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future "
             "version of PyTorch. Use a boolean condition instead.", once=True)  # fmt: skip
    elif condition._dtype is not dtypes.bool_:
        refuse(
            RuntimeError,
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{condition._dtype._type_name}",
            "a condition is true or false at each place",
            "condition.bool()",
            "condition != 0",
            rule="where.condition",
            dtype=condition._dtype,
        )


# -- places ------------------------------------------------------------------------------------------------------


def places(array: np.ndarray) -> np.ndarray:
    """Returns the indices of all nonzero elements, one per row."""
    if not array.ndim:
        return np.empty((int(bool(array)), 0), np.int64, like=array)
    found = np.nonzero(array)
    return np.transpose(found) if type(array) is np.ndarray else np.stack(found, axis=1)


def true_places(input: Tensor, out: Tensor | None = None) -> Answer:
    """The rule of `nonzero`: int64, the indices of each dimension one after the other in memory."""
    _check_long_out("nonzero", out)
    out_apart(out, input)
    return ByValues("nonzero", dtypes.int64, lambda size: (1, size[0])), (input._array,)


@calls(
    "nonzero",
    "Returns the indices of all nonzero elements: one per row, or a tensor per dimension.",
    kernel=places,
    rule=true_places,
    decided_by="values",
)
def nonzero(input: Tensor, out: Tensor | None = None, as_tuple: bool = False) -> Any:
    if as_tuple:
        if out is not None:
            refuse(
                RuntimeError,
                "nonzero does not support the out kwarg when as_tuple is True",
                "a tuple is as long as the tensor has dimensions, and out= is one tensor",
                "as_tuple=False",
                rule="out.count",
            )
        return OPS["unbind"].function(nonzero(input if input._array.ndim else OPS["unsqueeze"].function(input, 0)), 1)
    return compute(places, true_places(input, out), out)


def _check_long_out(name: str, out: Tensor | None) -> None:
    if out is not None and out._dtype is not dtypes.int64:
        refuse(
            RuntimeError,
            f"{name}: Expected out tensor to have scalar type Long but got scalar type{out._dtype._type_name}",
            "places are counted in int64",
            "out=torch.empty(0, dtype=torch.int64)",
            rule="out.dtype",
        )


@calls("argwhere", "Returns the indices of all nonzero elements, one per row.", kernel=places, decided_by="values")
def argwhere(input: Tensor) -> Answer:
    return true_places(input)


def fill_static(target: np.ndarray, array: np.ndarray, fill_value: int) -> None:
    result = places(array)[: len(target)]
    target[: len(result)] = result
    target[len(result) :] = fill_value


@calls(
    "nonzero_static",
    "Returns the indices of the first `size` nonzero elements; missing rows are filled with fill_value.",
    kernel=fill_static,
)
def nonzero_static(input: Tensor, size: int, fill_value: int = -1, out: Tensor | None = None) -> Answer:
    if size < 0:
        refuse(
            RuntimeError,
            "nonzero_static: 'size' must be an non-negative integer",
            "the number of rows is counted",
            rule="nonzero.size",
        )
    _check_long_out("nonzero_static", out)
    return Result((size, input._array.ndim), dtypes.int64), (input._array, fill_value)


# -- masks -------------------------------------------------------------------------------------------------------


def masked(array: np.ndarray, mask: np.ndarray, size: tuple[int, ...]) -> np.ndarray:
    """Returns the elements where a mask is true; both are expanded to a size."""
    return np.broadcast_to(array, size)[np.broadcast_to(mask, size)]


@calls(
    "masked_select",
    "Returns the elements where a mask is true, as a vector.",
    kernel=masked,
    decided_by="values",
)
def masked_select(input: Tensor, mask: Tensor, out: Tensor | None = None) -> Answer:
    if mask._dtype is not dtypes.bool_:
        refuse(
            RuntimeError,
            "masked_select: expected BoolTensor for mask",
            f"a mask is true or false at each place, and this one is of {mask._dtype}",
            "mask.bool()",
            rule="mask.dtype",
        )
    if out is not None and out._dtype is not input._dtype:
        refuse(
            RuntimeError,
            "masked_select(): self and result must have the same scalar type",
            "masked_select does not convert its result to the dtype of out=",
            f"out=torch.empty(0, dtype={input._dtype})",
            rule="out.dtype",
        )
    out_apart(out, input, mask)
    size = broadcast_size(mask._array.shape, input._array.shape)
    return ByValues("masked_select", input._dtype), (input._array, mask._array, size)


def check_mask(name: str, mask: Tensor, called: str) -> None:
    if mask._dtype is not dtypes.bool_:
        refuse(
            RuntimeError,
            f"{name} only supports boolean masks, but got mask with dtype {called}",
            "a mask is true or false at each place",
            "mask.bool()",
            rule="mask.dtype",
            dtype=mask._dtype,
        )


def fill_masked(target: np.ndarray, array: np.ndarray, mask: np.ndarray, number: np.ndarray) -> None:
    choose(mask, number, array if array.shape == target.shape else np.broadcast_to(array, target.shape), target)


@calls("masked_fill", "Returns a copy filled with one number where a mask is true.", kernel=fill_masked)
def masked_fill(input: Tensor, mask: Tensor, value: Tensor | complex) -> Answer:
    size = broadcast_size(mask._array.shape, input._array.shape)
    number = _mask_number(input, mask, value)
    return Result(size, input._dtype), (input._array, mask._array, number)


@writes("masked_fill_", "In-place form of `masked_fill`.", write_where)
def masked_fill_(input: Tensor, mask: Tensor, value: complex) -> Answer:
    warn_if_overlapping(input, "masked_fill_")
    check_writable(input, alike=True)
    check_reads(input, (mask,))
    number = _mask_number(input, mask, value)
    _same_or_grown(input, mask)
    return own_result(input), (mask._array, number)


def _mask_number(input: Tensor, mask: Tensor, value: Tensor | complex) -> np.ndarray:
    """Returns the fill value in the dtype of the tensor."""
    if isinstance(value, Tensor):
        if value._array.ndim:
            refuse(
                RuntimeError,
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{value._array.ndim} dimension(s).",
                "one number fills all the places",
                "torch.where(mask, value, x)",
                rule="fill.value",
            )
        value = value.item() if place_of(value).has_numbers else 0
    check_mask("masked_fill_", mask, cpp_name(mask._dtype))
    if input._dtype in dtypes.ONLY_STORED:
        refuse_dtype("masked_fill", input._dtype)
    return fill_number(as_number(value), input._dtype)


def _same_or_grown(input: Tensor, mask: Tensor) -> None:
    check_same_size(input._array.shape, broadcast_size(input._array.shape, mask._array.shape))


def fill_scattered(target: np.ndarray, array: np.ndarray, mask: np.ndarray, source: np.ndarray) -> None:
    target[...] = array
    write_scattered(target, mask, source)


@calls(
    "masked_scatter",
    "Returns a copy with the elements of another tensor written, in order, where a mask is true.",
    kernel=fill_scattered,
)
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Answer:
    size = broadcast_size(mask._array.shape, input._array.shape)
    _check_one_dtype(input, source)
    _check_mask(mask)
    return Result(size, input._dtype), (input._array, mask._array, source._array)


def write_scattered(target: np.ndarray, mask: np.ndarray, source: np.ndarray) -> None:
    """Write the elements of a source, in order, where a mask is true; too few are written before this is refused."""
    where_true = np.broadcast_to(mask, target.shape)
    count = int(np.count_nonzero(where_true))
    if source.size < count:
        target[tuple(place[: source.size] for place in np.nonzero(where_true))] = source.reshape(-1)
        refuse(
            RuntimeError,
            "Number of elements of source < number of ones in mask",
            f"the mask is true {count} times, and the source has {source.size} elements",
            rule="mask.count",
        )
    if np.may_share_memory(target, source):  # PyTorch reads each element after it has written the ones before
        given = source.reshape(-1)
        for number, place in enumerate(np.argwhere(where_true)):
            target[tuple(place)] = given[number]
    else:
        target[where_true] = source.reshape(-1)[:count]


@writes("masked_scatter_", "In-place form of `masked_scatter`.", write_scattered)
def masked_scatter_(input: Tensor, mask: Tensor, source: Tensor) -> Answer:
    check_writable(input)
    _check_one_dtype(input, source)
    mask = OPS["expand"].function(mask, input._array.shape) if mask._array.shape != input._array.shape else mask
    _check_mask(mask)
    return own_result(input), (mask._array, source._array)


def _check_one_dtype(input: Tensor, source: Tensor) -> None:
    if input._dtype is not source._dtype:
        refuse(
            RuntimeError,
            f"masked_scatter: expected self and source to have same dtypes but got{input._dtype._type_name} and "
            f"{source._dtype._type_name}",
            "masked_scatter does not convert",
            f"source.to({input._dtype})",
            rule="scatter.dtype",
        )


def _check_mask(mask: Tensor) -> None:
    if mask._dtype is dtypes.uint8:
        warn("masked_scatter_ received a mask with dtype torch.uint8, this behavior is now deprecated,please use a "
             "mask with dtype torch.bool instead.")  # fmt: skip
    check_mask("masked_scatter_", mask, mask._dtype._type_name)


# -- methods -----------------------------------------------------------------------------------------------------


def where_method(self: Tensor, condition: Tensor, other: Tensor | complex) -> Any:
    """Selects elements of this tensor where a condition is true, else of another."""
    must_be_tensor("where", self)
    return OPS["where"].function(condition, self, other)


METHODS = {"where": where_method}
