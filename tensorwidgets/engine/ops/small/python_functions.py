"""Python functions applied to each element in place: apply_ and map_."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends.numpy.casts import cast
from ...declare.by_signature import own_result, writes
from ...declare.rules import Answer
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of
from ...tensor.write_checks import check_writable
from ...types.cpp_names import cpp_tensor_type
from ...types.dtypes import dtype


def write_applied(target: np.ndarray, function: Callable, d: dtype, *beside: np.ndarray) -> None:
    """Replace each element by what a function returns for it, and for the elements beside it."""
    for index in np.ndindex(target.shape):
        numbers = [array[index].item() for array in (target, *beside)]
        target[index] = cast(np.asarray(_number(function(*numbers), d)), d)


def _number(value: Any, d: dtype) -> Any:
    """What a function returned, refused as PyTorch does if it is not a number."""
    if isinstance(value, (str, bytes, type(None))):
        kind = type(value).__name__
        refuse(
            TypeError,
            f"must be real number, not {kind}"
            if d.is_floating_point
            else f"'{kind}' object cannot be interpreted as an integer",
            "what the function returns becomes an element",
            rule="data.number",
        )
    return value


@writes(
    "apply_",
    "Replaces each element by the result of a Python function of it.",
    write_applied,
    category="other",
    counted=False,
)
def apply_(input: Tensor, callable: Callable) -> Answer:
    _refuse_meta("apply_", input)
    check_writable(input, alike=True)  # PyTorch does not ask whether elements overlap
    return own_result(input), (callable, input._dtype)


@writes(
    "map_",
    "Replaces each element by the result of a Python function of it and the element of another tensor.",
    write_applied,
    category="other",
    counted=False,
)
def map_(input: Tensor, other: Tensor, callable: Callable) -> Answer:
    must_be_tensor("map_", other, "other", because="the function is called with an element of each tensor")
    _refuse_meta("map_", input)
    if other._dtype is not input._dtype:
        refuse(
            TypeError,
            f"map_: expected {cpp_tensor_type(input._dtype)} for 'other' (got {cpp_tensor_type(other._dtype)})",
            "map_ does not convert",
            f"other.to({input._dtype})",
            rule="map.dtype",
        )
    check_writable(input, alike=True)
    paired = OPS["expand"].function(other, input._array.shape)._array
    return own_result(input), (callable, input._dtype, paired)


def _refuse_meta(name: str, t: Tensor) -> None:
    if not place_of(t).has_numbers:
        refuse(
            TypeError,
            f"{name} is only implemented on CPU tensors",
            "a meta tensor has no elements",
            rule="meta.values",
        )


__all__ = ["apply_", "map_"]
