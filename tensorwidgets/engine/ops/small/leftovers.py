"""Small ones: sums back to a size, pieces that do not count as views, the order of dimensions, Python functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy.casts import cast
from ...declare.by_signature import calls, plainly, spread
from ...dispatch.registry import OPS
from ...errors.reasons import Reason, refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor, alias_of, bump_version, is_meta, size_and_stride
from ...tensor.write_checks import check_writable
from ...types import formats


@plainly(
    "sum_to_size",
    "Sums over the dimensions in which a tensor of the given size would be expanded.",
    forms="method",
    family="reduction",
    category="other",
)
def sum_to_size(input: Tensor, *size: Any, **named: Any) -> Tensor:
    wanted = spread("sum_to_size", size, named, "size")
    own = input._array.shape
    if isinstance(geometry.expand(geometry.contiguous(wanted), own), Reason) or -1 in wanted:
        refuse(
            RuntimeError,
            f"size {{{list(wanted)}}} is not expandable to size {{{list(own)}}}.",
            "only dimensions that stretching has made can be summed away",
            rule="sum.size",
            size=wanted,
            own=own,
        )
    if wanted == own and own:
        return input
    if not wanted:
        return OPS["sum"].function(input)
    first = len(own) - len(wanted)
    gone = [*range(first), *[first + d for d, n in enumerate(wanted) if n == 1 != own[first + d]]]
    total = OPS["sum"].function(input, gone, True)
    return OPS["view"].function(total, wanted) if first else total


def _unsafe(name: str, safe: str, way: str, words: str) -> None:
    @calls(name, words, way, category="other")
    def pieces(input: Tensor, dim: int = 0, **how: Any) -> Any:
        result = OPS[safe].function(input, *how.values(), dim)
        apart = [alias_of(input, False, piece._array) for piece in result]
        for piece, view in zip(apart, result, strict=True):
            piece._empty_offset = view._empty_offset
        return tuple(apart)


_unsafe(
    "unsafe_split",
    "split",
    "Tensor input, int split_size, int dim = 0",
    "Splits the tensor like `split`, but the pieces do not count as views.",
)
_unsafe(
    "unsafe_chunk",
    "chunk",
    "Tensor input, int chunks, int dim = 0",
    "Splits the tensor like `chunk`, but the pieces do not count as views.",
)
_unsafe(
    "unsafe_split_with_sizes",
    "split",
    "Tensor input, tuple of ints split_sizes, int dim = 0",
    "Splits the tensor like `split_with_sizes`, but the pieces do not count as views.",
)


def dim_order(self: Tensor, *, ambiguity_check: Any = False) -> tuple[int, ...]:
    """The dimensions by their strides, the largest first.

    >>> import tensorwidgets as torch
    >>> torch.ones(2, 3).t().dim_order()
    (1, 0)
    """
    size, stride = size_and_stride(self)
    if not isinstance(ambiguity_check, bool) and not (
        isinstance(ambiguity_check, list) and all(isinstance(f, formats.memory_format) for f in ambiguity_check)
    ):
        refuse(
            TypeError,
            "The ambiguity_check argument must be a bool or a list of memory formats.",
            "it says whether an order that is not the only one is refused",
            rule="dim_order.check",
        )
    if ambiguity_check is not False:
        _check_one_order(self, size, stride, ambiguity_check)
    # Dimensions of equal stride: the longer one lies outside.
    return tuple(sorted(range(len(size)), key=lambda d: (-stride[d], -(size[d] > 1) if 0 in size else 0)))


def _check_one_order(t: Tensor, size: tuple[int, ...], stride: tuple[int, ...], check: Any) -> None:
    listed = list(check) if isinstance(check, list) else []
    if 0 in [s for s, n in zip(stride, size, strict=True) if n > 1]:
        _ambiguous("The tensor does not have unique dim order.")
    strides = [s for s, n in zip(stride, size, strict=True)]
    if len(set(strides)) == len(strides):
        return
    fitting = [f for f in listed if geometry.is_contiguous(size, stride, f.name)]
    if len(fitting) != 1:
        _ambiguous("The tensor does not have unique dim order, or cannot map to exact one of the given memory formats.")


def _ambiguous(message: str) -> None:
    refuse(
        RuntimeError,
        message,
        "two dimensions have one stride, so that either may be the outer one",
        rule="dim_order.ambiguous",
    )


# -- Python functions of elements --------------------------------------------------------------------------------


@plainly(
    "apply_",
    "Replaces each element by the result of a Python function of it.",
    forms="method",
    family="inplace",
    category="other",
)
def apply_(input: Tensor, callable: Callable) -> Tensor:
    _no_numbers("apply_", input)
    check_writable(input)
    array = input._array
    for place in np.ndindex(array.shape):
        array[place] = cast(np.asarray(callable(array[place].item())), input._dtype)
    bump_version(input)
    return input


@plainly(
    "map_",
    "Replaces each element by the result of a Python function of it and the element of another tensor.",
    forms="method",
    family="inplace",
    category="other",
)
def map_(input: Tensor, other: Tensor, callable: Callable) -> Tensor:
    must_be_tensor("map_", other, "other", because="the function is called with an element of each tensor")
    _no_numbers("map_", input)
    if other._dtype is not input._dtype:
        refuse(
            TypeError,
            f"map_: expected torch.{input._dtype._type_name}Tensor for 'other' "
            f"(got torch.{other._dtype._type_name}Tensor)",
            "map_ does not convert",
            f"other.to({input._dtype})",
            rule="map.dtype",
        )
    check_writable(input)
    array, paired = input._array, OPS["expand"].function(other, input._array.shape)._array
    for place in np.ndindex(array.shape):
        array[place] = cast(np.asarray(callable(array[place].item(), paired[place].item())), input._dtype)
    bump_version(input)
    return input


def _no_numbers(name: str, t: Tensor) -> None:
    if is_meta(t):
        refuse(
            TypeError,
            f"{name} is only implemented on CPU tensors",
            "a meta tensor has no elements",
            rule="meta.values",
        )


METHODS = {"dim_order": dim_order}
__all__ = ["METHODS", "apply_", "map_", "sum_to_size"]
