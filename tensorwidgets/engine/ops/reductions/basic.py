"""Basic reductions: sum, prod, mean, amax, argmax, max, all and others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...backends.numpy.chunked_reduce import along_kept, fold
from ...backends.numpy.without_warnings import quietly
from ...calling.reading import Notations
from ...declare.reductions import (
    BLOCK,
    accumulate,
    fold_as,
    folded,
    left_over,
    long_for_small,
    put,
    reduced_dims,
    refuse_float8,
    strips,
)
from ...declare.rules import Answer, Result, composite_row, computed_row
from ...dispatch import registry
from ...errors.reasons import refuse
from ...memory.places import as_array
from ...tensor.copying import warn_if_part_is_lost
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.results import check_out, copy_to
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX, FLOAT, dtype
from ...types.promotion import can_cast
from ...types.return_types import result
from ..ordering.sorting import comparable

accumulate(
    "sum", np.add, "Returns the sum of all elements, or along the given dimensions.", long_for_small, stub="sum_cpu",
    fast=True,
)  # fmt: skip
accumulate(
    "prod", np.multiply, "Returns the product of all elements, or along the given dimension.", long_for_small,
    stub="prod_out_cpu",
)  # fmt: skip

row = partial(computed_row, family="reduction", category="reduction")


_OF_MEAN = "inexact|mean.dtype_out(): input types can't be cast to the desired output type {Got}"


def fill_mean(
    target: np.ndarray, values: np.ndarray, dims: tuple[int, ...], keepdim: bool, count: int, d: dtype
) -> None:
    total = fold_as(np.add, values, dims, keepdim, dtypes.opmath(d))
    put(target, as_array(quietly(np.true_divide, total, total.dtype.type(count))))


@row("mean", "Returns the mean of all elements, or along the given dimensions.", fill_mean)
def mean(
    input: Tensor, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Answer:  # fmt: skip
    must_be_tensor("mean", input)
    keep = input._dtype if dtype is None else dtype
    if keep._kind not in (FLOAT, COMPLEX):
        _refuse_mean(input._dtype, dtype)
    array = input._array
    dims = reduced_dims(dim, array.ndim)
    if out is not None:
        check_out(keep, out, "same" if dtype is not None else _OF_MEAN if dim is None else "")
        if can_cast(keep, out._dtype):  # PyTorch adds up in the dtype of out=
            keep = out._dtype
        elif keep._kind == FLOAT:
            keep = dtypes.get_default_dtype()  # of the quotient of whole numbers, which is refused
    count = 1
    for d in dims:
        count *= array.shape[d]
    if dtype is not None:
        warn_if_part_is_lost(input, keep)
    refuse_float8("sum_cpu", keep)
    return Result(left_over(array.shape, dims, keepdim), keep), (array, dims, keepdim, count, keep)


def _refuse_mean(own: dtype, asked: dtype | None) -> None:
    which = "Input" if asked is None else "Optional"
    refuse(
        RuntimeError,
        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
        f"Got: {own._type_name}"
        if asked is None
        else f"mean(): could not infer output dtype. {which} dtype must be either a floating point or complex dtype. "
        f"Got: {asked._type_name}",
        "the mean of truth values is the share that is True, a fraction, and torch.bool cannot hold a fraction"
        if own is dtypes.bool_
        else f"the mean of {own} numbers is seldom a whole number",
        "x.float().mean()",
        "x.mean(dtype=torch.float32)",
        rule="mean.dtype",
        dtype=own,
    )


# -- extremes ----------------------------------------------------------------------------------------------------


def _refuse_complex(stub: str, d: dtype) -> None:
    if d._kind == COMPLEX or d in dtypes.ONLY_STORED:
        if d._kind == COMPLEX:
            refuse_dtype(stub, d, "complex numbers have no order", "x.abs()")
        refuse_dtype(stub, d, f"PyTorch orders no {d}", "x.to(torch.int64)")


def _refuse_empty(name: str, size: tuple[int, ...], dim: int | Sequence[int] | None) -> None:
    """Refuse dimensions without elements. The message counts them as the call does, from the end where it does so."""
    if 0 not in size:
        return
    if dim is None or isinstance(dim, Sequence) and not len(dim):
        refuse(
            RuntimeError,
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
            "with the "
            "'dim' argument.",
            "an empty tensor has no extreme element",
            "x.numel() first",
            rule=f"{name}.empty",
        )
    empty = next(
        (d for d in (dim if isinstance(dim, Sequence) else (dim,)) if size[checked_dim(d, len(size))] == 0), None
    )
    if empty is None:
        return
    refuse(
        IndexError,
        f"{name}(): Expected reduction dim {empty} to have non-zero size.",
        f"dimension {empty} has no elements to compare",
        rule=f"{name}.empty",
    )


def _place(find: Callable, values: np.ndarray, axis: int | None) -> np.ndarray:
    """The index of the extreme element. NumPy finds it in contiguous rows; others are searched strip by strip."""
    if values.ndim < 2 or values.size <= BLOCK or values.flags.c_contiguous and axis is None:
        return as_array(find(comparable(values), axis=axis))
    if axis is None:
        firsts = [int(find(comparable(row))) for row in values]
        ends = np.array([row.flat[first] for row, first in zip(values, firsts, strict=True)])
        best = int(find(comparable(ends)))
        return as_array(best * (values.size // len(values)) + firsts[best])
    if values.flags.c_contiguous and axis == values.ndim - 1 and values.dtype.isbuiltin == 1:
        return along_kept(lambda rows: find(rows, axis=axis, keepdims=True), values, (axis,))
    longest = max((d for d in range(values.ndim) if d != axis), key=lambda d: values.shape[d])
    results = [find(comparable(values[cut]), axis=axis) for cut in strips(values, longest)]
    return np.concatenate(results, longest - (axis < longest))


def _same_dtype(input: Tensor, out: Tensor | None) -> None:
    """Refuse an `out=` of another dtype than the input."""
    if out is not None and out._dtype is not input._dtype:
        own, other = input._dtype._type_name, out._dtype._type_name
        refuse(
            RuntimeError,
            f"Expected the dtype for input and out to match, but got {own} for input's dtype and {other} for out's "
            "dtype.",
            "the result is one of the elements, and is not converted to the dtype of out=",
            f"out=torch.empty(0, dtype={input._dtype})",
            rule="out.dtype",
        )


def fill_extreme(target: np.ndarray, values: np.ndarray, ufunc: np.ufunc, dims: tuple[int, ...], keepdim: bool) -> None:
    if values.dtype.isbuiltin == 1:
        target[...] = fold(ufunc, values, dims, None, keepdim)
    else:
        target[...] = folded(ufunc, values, dims, keepdim, comparable)


def _extreme(name: str, ufunc: np.ufunc, words: str, stub: str) -> None:
    @row(name, words, fill_extreme)
    def amax(
        input: Tensor, dim: int | Sequence[int] = (), keepdim: bool = False, *, out: Tensor | None = None
    ) -> Answer:
        must_be_tensor(name, input)
        array = input._array
        _same_dtype(input, out)
        _refuse_empty(name, array.shape, dim)
        dims = reduced_dims(dim, array.ndim)
        if array.size:
            _refuse_complex(stub, input._dtype)
        return Result(left_over(array.shape, dims, keepdim), input._dtype), (array, ufunc, dims, keepdim)


_extreme("amax", np.maximum, "Returns the largest element, or along the given dimensions; NaN wins.", "max_values_cpu")
_extreme("amin", np.minimum, "Returns the smallest element, or along the given dimensions; NaN wins.", "min_values_cpu")


def fill_position(target: np.ndarray, values: np.ndarray, find: Callable, axis: int | None) -> None:
    target[...] = _place(find, values, axis).reshape(target.shape)


def _position(name: str, find: Callable, words: str, stub: str) -> None:
    @row(name, words, fill_position, out="same")
    def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Answer:
        must_be_tensor(name, input)
        array = input._array
        if input._dtype is dtypes.bool_ or input._dtype._kind == COMPLEX:
            kind = "bool" if input._dtype is dtypes.bool_ else "complex"
            refuse(
                RuntimeError,
                f"{name}(): does not support {kind} input",
                "these elements have no order, so there is no largest",
                "x.int()",
                rule=f"{name}.dtype",
            )
        d = None
        if dim is None:
            if array.size == 0:
                refuse(
                    IndexError,
                    f"{name}(): Expected reduction dim to be specified for input.numel() == 0.",
                    "an empty tensor has no extreme element",
                    rule=f"{name}.empty",
                )
            size = (1,) * array.ndim if keepdim else ()
        else:
            d = checked_dim(dim, array.ndim)
            if array.ndim and array.shape[d] == 0:
                refuse(IndexError, f"{name}(): Expected reduction dim {d} to have non-zero size.", rule=f"{name}.empty")
            size = left_over(array.shape, (d,), keepdim) if array.ndim else ()
        _refuse_complex(stub, input._dtype)
        return Result(size, dtypes.int64), (array, find, d if array.ndim else None)


_position(
    "argmax", np.argmax, "Returns the index of the largest element, of all or along the given dimension.", "argmax_cpu"
)
_position(
    "argmin", np.argmin, "Returns the index of the smallest element, of all or along the given dimension.", "argmin_cpu"
)


def _extreme_with_place(name: str, fold: str, place: str, pair: str, words: str) -> None:
    notations = Notations(name)

    @composite_row(name, words, family="reduction", category="reduction")
    def max(*args: Any, **named: Any) -> Any:
        given = notations.read(args, named)
        input, dim, keepdim, out = given["input"], given.get("dim"), given.get("keepdim", False), given.get("out")
        OPS = registry.OPS
        if "other" in given:
            return OPS[pair].function(input, given["other"], out=out)
        if dim is None:
            if input._array.size == 0:
                _refuse_empty(name, (0,), None)
            _refuse_complex(f"{name}_all", input._dtype)
            return copy_to(out, OPS[fold].function(input))
        d = checked_dim(dim, input._array.ndim)
        if input._array.ndim:
            _refuse_empty(name, input._array.shape, (d,))
        if input._dtype._kind == COMPLEX:
            refuse(
                RuntimeError,
                f"{name}(): does not support complex input",
                "complex numbers have no order",
                "x.abs()",
                rule=f"{name}.dtype",
            )
        if input._array.ndim and 0 not in input._array.shape:
            _refuse_complex(f"{name}_cpu", input._dtype)
        values = OPS[fold].function(input, d, keepdim) if input._array.ndim else input.clone()
        plain_kind = input._dtype is dtypes.bool_
        source = input.view(dtypes.uint8) if plain_kind else input
        places = OPS[place].function(source, d, keepdim)
        if out is not None:
            values, places = copy_to(out[0], values, "same"), copy_to(out[1], places, "same")
        return result(name if out is None else f"{name}_out", ("values", "indices"), (values, places))


_extreme_with_place(
    "max",
    "amax",
    "argmax",
    "maximum",
    "Returns the largest element; with a dimension also its index; of two tensors, the element-wise maximum.",
)
_extreme_with_place(
    "min",
    "amin",
    "argmin",
    "minimum",
    "Returns the smallest element; with a dimension also its index; of two tensors, the element-wise minimum.",
)


# -- truth -------------------------------------------------------------------------------------------------------


def fill_truth(target: np.ndarray, values: np.ndarray, ufunc: np.ufunc, dims: tuple[int, ...], keepdim: bool) -> None:
    target[...] = fold(ufunc, values, dims, None, keepdim)


def _truth(name: str, ufunc: np.ufunc, words: str) -> None:
    @row(name, words, fill_truth)
    def all(
        input: Tensor, dim: int | Sequence[int] | None = None, keepdim: bool = False, *, out: Tensor | None = None
    ) -> Answer:
        must_be_tensor(name, input)
        if out is not None and out._dtype not in (dtypes.bool_, dtypes.uint8):
            refuse(
                RuntimeError,
                f"{name} only supports bool tensor for result, got: {out._dtype._type_name}",
                "an answer is True or False",
                "out=torch.empty(0, dtype=torch.bool)",
                rule="out.dtype",
            )
        array, keep = input._array, dtypes.uint8 if input._dtype is dtypes.uint8 else dtypes.bool_
        if out is not None and out._dtype is dtypes.bool_:  # takes the answer for bytes as well
            keep = dtypes.bool_
        dims = reduced_dims(dim, array.ndim) if dim is None or not isinstance(dim, (tuple, list)) or dim else ()
        return Result(left_over(array.shape, dims, keepdim), keep), (array, ufunc, dims, keepdim)


_truth("all", np.logical_and, "Tests whether all elements are true, or all along the given dimensions.")
_truth("any", np.logical_or, "Tests whether any element is true, or any along the given dimensions.")


def _truth_of_bools(name: str, fold: str, words: str) -> None:
    """Declare what layers of libraries ask of a condition: one answer, which stays a tensor."""

    @composite_row(name, words, family="reduction", category="reduction")
    def one_answer(input: Tensor) -> Any:
        must_be_tensor(name, input)
        if input._dtype is not dtypes.bool_:
            refuse(
                RuntimeError,
                f"{name}: expected a tensor of bools, got {input._dtype}",
                "the elements are conditions",
                f"torch.{name}(x != 0)",
                rule=f"{name}.dtype",
            )
        return registry.OPS[fold].function(input)


_truth_of_bools("_is_all_true", "all", "Tests whether all bools are true.")
_truth_of_bools("_is_any_true", "any", "Tests whether any bool is true.")
