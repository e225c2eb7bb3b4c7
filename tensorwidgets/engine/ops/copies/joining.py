"""Ops that join tensors: cat, stack and others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy.casts import assign
from ...declare.rules import Answer, Result, computed_row
from ...declare.views import as_dim
from ...errors.reasons import refuse
from ...geometry import Geometry
from ...tensor.lookups import checked_dim, geometry_of, size_and_stride
from ...tensor.tensor import Tensor
from ...tensor.write_checks import check_no_overlap
from ...types.dtypes import dtype
from ...types.promotion import can_cast, promote_types

CATEGORY = "indexing_slicing_joining_mutating"


joins = partial(computed_row, family="join", category=CATEGORY, forms="function")


def _listed(op_name: str, tensors: Sequence[Tensor]) -> list[Tensor]:
    if not isinstance(tensors, (list, tuple)):
        refuse(
            TypeError,
            f"{op_name}(): argument 'tensors' (position 1) must be tuple of Tensors, not {type(tensors).__name__}",
            "the tensors must be passed as a list or tuple",
            f"{op_name}([a, b])",
            rule="argument.type",
        )
    for i, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            refuse(
                TypeError,
                f"expected Tensor as element {i} in argument 0, but got {type(t).__name__}",
                f"element {i} of the list is not a tensor",
                "torch.tensor(…)",
                rule="argument.type",
            )
    return list(tensors)


def fill_joined(target: np.ndarray, arrays: list[np.ndarray], along: int) -> None:
    start = 0
    whole: list[Any] = [slice(None)] * target.ndim
    for array in arrays:
        stop = start + array.shape[along]
        whole[along] = slice(start, stop)
        assign(target[tuple(whole)], array)
        start = stop


@joins("cat", "Concatenates tensors along an existing dimension.", fill_joined, "concat", "concatenate")
def cat(tensors: Sequence[Tensor], dim: int = 0, *, out: Tensor | None = None, axis: Any = None) -> Answer:
    listed = _listed("cat", tensors)
    dim = as_dim("cat", dim if axis is None else axis, position=2)
    if not listed:
        refuse(
            ValueError,
            "torch.cat(): expected a non-empty list of Tensors",
            "the list of tensors is empty, so neither a size nor a dtype is known",
            "torch.empty(0, 3) for an empty list, if rows have 3 elements",
            rule="cat.empty",
        )
    for i, t in enumerate(listed):
        if not t._array.ndim:
            refuse(
                RuntimeError,
                f"zero-dimensional tensor (at position {i}) cannot be concatenated",
                "a zero-dimensional tensor has no dimension to concatenate along",
                "torch.stack([a, b])",
                rule="cat.zero_dim",
            )
    # PyTorch allows empty one-dimensional tensors in any concatenation, for compatibility with its early versions.
    parts = [t for t in listed if t._array.shape != (0,)]
    if not parts:
        return Result((0,), _promoted(listed)), ([t._array for t in listed], 0)
    ndim = parts[0]._array.ndim
    along = checked_dim(dim, ndim)
    d = _promoted(listed)
    first = parts[0]._array.shape
    for t in parts[1:]:
        _check_alike(listed, parts[0], t, along)
    size = (*first[:along], sum(t._array.shape[along] for t in parts), *first[along + 1 :])
    if out is not None:
        _check_kind(d, out)
        for t in parts:
            check_no_overlap(out, t)
    stride = common_format([size_and_stride(t) for t in parts], size)
    return Result(size, d, stride), ([t._array for t in parts], along)


def _check_kind(d: dtype, out: Tensor) -> None:
    if not can_cast(d, out._dtype):
        refuse(
            TypeError,
            f"torch.cat(): input types can't be cast to the desired output type {out._dtype._type_name}",
            f"together they are of {d}, and {out._dtype} cannot hold its kind",
            f"out=torch.empty(0, dtype={d})",
            rule="write.cast",
        )


def _promoted(tensors: list[Tensor]) -> dtype:
    """Returns the common dtype; the number of dimensions does not matter here."""
    d = tensors[0]._dtype
    for t in tensors[1:]:
        d = promote_types(d, t._dtype)
    return d


def common_format(parts: list, size: tuple[int, ...]) -> tuple[int, ...] | None:
    """Returns the strides of a result if all its parts, as (size, stride), are channels-last; else None."""
    looks = {geometry.suggested_format(*part) for part in parts}
    if len(looks) != 1 or looks == {"contiguous_format"}:
        return None
    return geometry.memory_format_stride(size, looks.pop())  # type: ignore[return-value]


def _stacked_format(listed: list[Tensor], along: int, size: tuple[int, ...]) -> tuple[int, ...] | None:
    """Returns the strides of a stack: those of the concatenated parts, with the dimension split."""
    parts = [geometry_of(t) for t in listed]
    if along == len(parts[0].size):
        return common_format([geometry.unsqueeze(g, along)[:2] for g in parts], size)  # type: ignore[index]
    joined = (*size[:along], size[along] * size[along + 1], *size[along + 2 :])
    stride = common_format([g[:2] for g in parts], joined)
    return stride and geometry.view(Geometry(joined, stride, 0), size).stride  # type: ignore[union-attr]


def _check_alike(listed: list[Tensor], first: Tensor, t: Tensor, along: int) -> None:
    a, b = first._array.shape, t._array.shape
    i = next(n for n, x in enumerate(listed) if x is t)
    if len(a) != len(b):
        refuse(
            RuntimeError,
            f"Tensors must have same number of dimensions: got {len(a)} and {len(b)}",
            f"the first has size {list(a)}, number {i} has {list(b)}",
            *_one_more(a, b, along),
            rule="cat.ndim",
            sizes=(a, b),
        )
    for dim, (n, m) in enumerate(zip(a, b, strict=True)):
        if dim != along and n != m:
            refuse(
                RuntimeError,
                f"Sizes of tensors must match except in dimension {along}. Expected size {n} but got size {m} for "
                f"tensor number {i} "
                "in the list.",
                f"dimension {dim} is {n} in the first tensor and {m} in number {i}; only dimension {along} may differ",
                *geometry.ways_to_join(a, b),
                rule="cat.size",
                dim=dim,
                sizes=(n, m),
            )


def _one_more(a: tuple[int, ...], b: tuple[int, ...], along: int) -> tuple[str, ...]:
    """The way out if one of two tensors is one slice of the other."""
    short, long = sorted((a, b), key=len)
    fits = short == long[:along] + long[along + 1 :]
    return (f"t.unsqueeze({along}), for the tensor t of size {list(short)}",) if fits else geometry.ways_to_join(a, b)


def _first_difference(a: tuple[int, ...], b: tuple[int, ...], number: int) -> str:
    """Describe where two sizes differ.

    >>> _first_difference((2, 3), (2, 4), 1)
    'Dimension 1 has size 3 in tensor 0 and 4 in tensor 1; stack needs all of them equal.'
    """
    if len(a) != len(b):
        return f"Tensor 0 has {len(a)} dimensions and tensor {number} has {len(b)}; stack needs all sizes equal."
    dim = next(d for d, (n, m) in enumerate(zip(a, b, strict=True)) if n != m)
    return (
        f"Dimension {dim} has size {a[dim]} in tensor 0 and {b[dim]} in tensor {number}; stack needs all of them equal."
    )


def fill_stacked(target: np.ndarray, arrays: list[np.ndarray], along: int) -> None:
    whole: list[Any] = [slice(None)] * target.ndim
    for i, array in enumerate(arrays):
        whole[along] = i
        assign(target[(*whole, ...)], array)


@joins("stack", "Stacks tensors of the same shape along a new dimension.", fill_stacked)
def stack(tensors: Sequence[Tensor], dim: int = 0, *, out: Tensor | None = None) -> Answer:
    listed = _listed("stack", tensors)
    dim = as_dim("stack", dim, position=2)
    if not listed:
        refuse(
            RuntimeError,
            "stack expects a non-empty TensorList",
            "the list of tensors is empty, so neither a size nor a dtype is known",
            "torch.empty(0, 3) for an empty list, if the tensors have 3 elements",
            rule="stack.empty",
        )
    first = listed[0]._array.shape
    along = checked_dim(dim, len(first) + 1)
    for i, t in enumerate(listed):
        if t._array.shape != first:
            refuse(
                RuntimeError,
                f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and "
                f"{list(t._array.shape)} at entry {i}",
                _first_difference(first, t._array.shape, i),
                *geometry.ways_to_stack(first, t._array.shape),
                rule="stack.size",
                sizes=(first, t._array.shape),
            )
    if out is not None:
        _check_kind(_promoted(listed), out)
        for t in listed:
            check_no_overlap(out, t)
    size = (*first[:along], len(listed), *first[along:])
    stride = _stacked_format(listed, along, size)
    return Result(size, _promoted(listed), stride), ([t._array for t in listed], along)
