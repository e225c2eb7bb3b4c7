"""Basic reductions: sum, prod, mean, amax, argmax, max, all and others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends.numpy.chunked_reduce import along_kept, fold
from ...backends.numpy.without_warnings import quietly
from ...calling.reading import Notations
from ...declare.by_signature import same_dtype
from ...declare.reductions import (
    BLOCK,
    accumulate,
    copies,
    fold_as,
    folded,
    left_over,
    long_for_small,
    must_be_tensor,
    put,
    reduced_dims,
    refuse_float8,
    strips,
)
from ...dispatch import registry, stations
from ...dispatch.registry import Op, add_row
from ...errors.reasons import refuse
from ...tensor.results import finish
from ...tensor.storage import MetaArray
from ...tensor.tensor import Tensor, checked_dim, place_of
from ...tensor.write_checks import check_writable
from ...types import dtypes
from ...types.dtypes import COMPLEX, FLOAT, dtype
from ...types.return_types import result

accumulate(
    "sum", np.add, "Returns the sum of all elements, or along the given dimensions.", long_for_small, stub="sum_cpu"
)


def _is_meta(t: Tensor) -> bool:
    return type(t._array) is MetaArray


def row(
    name: str, words: str, signature: str, *aliases: str, category: str = "reduction", forms: str = "function method"
) -> Callable[[Callable], Callable]:
    """Declare a reduction by its kernel."""

    def declare(plain: Callable) -> Callable:
        kinds = frozenset(forms.split())
        op = Op(name, "reduction", category, words, kernel=plain, aliases=aliases, signature=signature, forms=kinds)
        add_row(op)
        return stations.bind(op, plain)

    return declare


@row(
    "prod",
    "Returns the product of all elements, or along the given dimension.",
    "(input, dim=None, keepdim=False, *, dtype=None)",
)
def prod(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    must_be_tensor("prod", input)
    keep = long_for_small(input._dtype) if dtype is None else dtype
    dims = reduced_dims(dim, input._array.ndim)
    size = left_over(input._array.shape, dims, keepdim)
    refuse_float8("prod_out_cpu", keep)

    def fill(target: np.ndarray) -> None:
        put(target, fold_as(np.multiply, input._array, dims, keepdim, keep))

    return finish(size, keep, out, fill, place_of(input))


@row(
    "mean",
    "Returns the mean of all elements, or along the given dimensions.",
    "(input, dim=None, keepdim=False, *, dtype=None, out=None)",
)
def mean(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    must_be_tensor("mean", input)
    keep = input._dtype if dtype is None else dtype
    if keep._kind not in (FLOAT, COMPLEX):
        _refuse_mean(input._dtype, dtype)
    dims = reduced_dims(dim, input._array.ndim)
    size = left_over(input._array.shape, dims, keepdim)
    count = 1
    for d in dims:
        count *= input._array.shape[d]
    refuse_float8("sum_cpu", keep)

    def fill(target: np.ndarray) -> None:
        total = fold_as(np.add, input._array, dims, keepdim, dtypes.opmath(keep))
        put(target, np.asarray(quietly(np.true_divide, total, np.asarray(count, total.dtype))))

    return finish(size, keep, out, fill, place_of(input))


def _refuse_mean(own: dtype, asked: dtype | None) -> None:
    which = "Input" if asked is None else "Optional"
    refuse(
        RuntimeError,
        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
        f"Got: {own._type_name}"
        if asked is None
        else f"mean(): could not infer output dtype. {which} dtype must be either a floating point or complex dtype. "
        f"Got: {asked._type_name}",
        f"the mean of {own} numbers is seldom a whole number",
        "x.float().mean()",
        "x.mean(dtype=torch.float32)",
        rule="mean.dtype",
        dtype=own,
    )


# -- extremes ----------------------------------------------------------------------------------------------------


def _refuse_complex(name: str, stub: str, d: dtype) -> None:
    if d._kind == COMPLEX or d in dtypes.BAREBONES_UNSIGNED or d in dtypes.FLOAT8:
        refuse(
            NotImplementedError,
            f"\"{stub}\" not implemented for '{d._type_name}'",
            "complex numbers have no order" if d._kind == COMPLEX else f"PyTorch orders no {d}",
            "x.abs()" if d._kind == COMPLEX else "x.to(torch.int64)",
            rule=f"{name}.dtype",
        )


def _refuse_empty(name: str, size: tuple[int, ...], dims: tuple[int, ...], all_dims: bool) -> None:
    empty = next((d for d in dims if size[d] == 0), None)
    if empty is None:
        return
    if all_dims:
        refuse(
            RuntimeError,
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
            "with the "
            "'dim' argument.",
            "an empty tensor has no extreme element",
            "x.numel() first",
            rule=f"{name}.empty",
        )
    refuse(
        IndexError,
        f"{name}(): Expected reduction dim {empty} to have non-zero size.",
        f"dimension {empty} has no elements to compare",
        rule=f"{name}.empty",
    )


def _ordered(array: np.ndarray) -> np.ndarray:
    """Returns an array that NumPy can compare: small floats as float32, which has the same order."""
    return array if array.dtype.isbuiltin == 1 else array.astype(np.float32)


def _place(find: Callable, values: np.ndarray, axis: int | None) -> np.ndarray:
    """Where the extreme element is. NumPy finds it in rows that lie in one piece; others are looked at in strips."""
    if values.ndim < 2 or values.size <= BLOCK or values.flags.c_contiguous and axis is None:
        return np.asarray(find(_ordered(values), axis=axis))
    if axis is None:
        firsts = [int(find(_ordered(row))) for row in values]
        ends = np.array([row.flat[first] for row, first in zip(values, firsts, strict=True)])
        best = int(find(_ordered(ends)))
        return np.asarray(best * (values.size // len(values)) + firsts[best])
    if values.flags.c_contiguous and axis == values.ndim - 1 and values.dtype.isbuiltin == 1:
        return along_kept(lambda rows: find(rows, axis=axis, keepdims=True), values, (axis,))
    longest = max((d for d in range(values.ndim) if d != axis), key=lambda d: values.shape[d])
    results = [find(_ordered(values[cut]), axis=axis) for cut in strips(values, longest)]
    return np.concatenate(results, longest - (axis < longest))


def _same_dtype(input: Tensor, out: Tensor | None) -> None:
    """An extreme is one of the elements, and goes nowhere but into its own dtype."""
    if out is not None and out._dtype is not input._dtype:
        own, other = input._dtype._type_name, out._dtype._type_name
        refuse(
            RuntimeError,
            f"Expected the dtype for input and out to match, but got {own} for input's dtype and {other} for out's "
            "dtype.",
            "an extreme is one of the elements, and is not converted on its way",
            f"out=torch.empty(0, dtype={input._dtype})",
            rule="out.dtype",
        )


def _extreme(name: str, ufunc: np.ufunc, words: str, stub: str) -> None:
    @row(name, words, "(input, dim=(), keepdim=False, *, out=None)")
    def amax(input: Tensor, dim: Any = (), keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
        must_be_tensor(name, input)
        dims = reduced_dims(dim, input._array.ndim)
        _refuse_empty(name, input._array.shape, dims, dim is None or dim == ())
        _refuse_complex(name, stub, input._dtype)
        _same_dtype(input, out)
        size = left_over(input._array.shape, dims, keepdim)

        def fill(target: np.ndarray) -> None:
            if input._array.dtype.isbuiltin == 1:
                target[...] = fold(ufunc, input._array, dims, None, keepdim)
            else:
                target[...] = folded(ufunc, input._array, dims, keepdim, _ordered)

        return finish(size, input._dtype, out, fill, place_of(input))


_extreme("amax", np.maximum, "Returns the largest element, or along the given dimensions; NaN wins.", "max_values_cpu")
_extreme("amin", np.minimum, "Returns the smallest element, or along the given dimensions; NaN wins.", "min_values_cpu")


def _position(name: str, find: Callable, words: str, stub: str) -> None:
    @row(name, words, "(input, dim=None, keepdim=False)")
    def argmax(input: Tensor, dim: Any = None, keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
        must_be_tensor(name, input)
        array = input._array
        if input._dtype is dtypes.bool_ or input._dtype._kind == COMPLEX:
            kind = "bool" if input._dtype is dtypes.bool_ else "complex"
            refuse(
                RuntimeError,
                f"{name}(): does not support {kind} input",
                "there is no largest of these",
                "x.int()",
                rule=f"{name}.dtype",
            )
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
        _refuse_complex(name, stub, input._dtype)

        def fill(target: np.ndarray) -> None:
            target[...] = _place(find, array, None if dim is None or not array.ndim else d).reshape(size)

        same_dtype(out, dtypes.int64)
        return finish(size, dtypes.int64, out, fill, place_of(input))


_position(
    "argmax", np.argmax, "Returns the index of the largest element, of all or along the given dimension.", "argmax_cpu"
)
_position(
    "argmin", np.argmin, "Returns the index of the smallest element, of all or along the given dimension.", "argmin_cpu"
)


def _into(out: tuple[Tensor, Tensor], *outcome: Tensor) -> tuple[Tensor, ...]:
    """Results written into the tensors of `out=`, resized to fit; nothing is written where one of them does not."""
    for target, source in zip(out, outcome, strict=True):
        same_dtype(target, source._dtype)
        check_writable(target)
    for target, source in zip(out, outcome, strict=True):
        finish(source._array.shape, source._dtype, target, copies(source._array), place_of(source))
    return out


def _extreme_with_place(name: str, fold: str, place: str, pair: str, words: str) -> None:
    notations = Notations(name)

    @row(name, words, "(input, dim=None, keepdim=False)")
    def max(*args: Any, **named: Any) -> Any:
        given = notations.read(args, named)
        input, dim, keepdim, out = given["input"], given.get("dim"), given.get("keepdim", False), given.get("out")
        OPS = registry.OPS
        if "other" in given:
            return OPS[pair].function(input, given["other"], out=out)
        if dim is None:
            if input._array.size == 0:
                _refuse_empty(name, (0,), (0,), True)
            _refuse_complex(name, f"{name}_all", input._dtype)
            outcome = OPS[fold].function(input)
            if out is None:
                return outcome
            return finish((), input._dtype, out, lambda target: np.copyto(target, outcome._array), place_of(input))
        d = checked_dim(dim, input._array.ndim)
        if input._dtype._kind == COMPLEX:
            refuse(
                RuntimeError,
                f"{name}(): does not support complex input",
                "complex numbers have no order",
                "x.abs()",
                rule=f"{name}.dtype",
            )
        if input._array.ndim:
            _refuse_empty(name, input._array.shape, (d,), False)
        _refuse_complex(name, f"{name}_cpu", input._dtype)
        values = OPS[fold].function(input, d, keepdim) if input._array.ndim else input.clone()
        plain_kind = input._dtype is dtypes.bool_
        source = input.view(dtypes.uint8) if plain_kind else input
        places = OPS[place].function(source, d, keepdim)
        if out is not None:
            values, places = _into(out, values, places)
        return result(name, ("values", "indices"), (values, places))


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


def _truth(name: str, ufunc: np.ufunc, words: str) -> None:
    @row(name, words, "(input, dim=None, keepdim=False)")
    def all(input: Tensor, dim: Any = None, keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
        must_be_tensor(name, input)
        if out is not None and out._dtype not in (dtypes.bool_, dtypes.uint8):
            refuse(
                RuntimeError,
                f"{name} only supports bool tensor for result, got: {out._dtype._type_name}",
                "an answer is True or False",
                "out=torch.empty(0, dtype=torch.bool)",
                rule="out.dtype",
            )
        keep = dtypes.uint8 if input._dtype is dtypes.uint8 else dtypes.bool_
        dims = reduced_dims(dim, input._array.ndim) if dim is None or not isinstance(dim, (tuple, list)) or dim else ()
        size = left_over(input._array.shape, dims, keepdim)

        def fill(target: np.ndarray) -> None:
            target[...] = fold(ufunc, input._array, dims, None, keepdim)

        return finish(size, keep, out, fill, place_of(input))


_truth("all", np.logical_and, "Tests whether all elements are true, or all along the given dimensions.")
_truth("any", np.logical_or, "Tests whether any element is true, or any along the given dimensions.")
