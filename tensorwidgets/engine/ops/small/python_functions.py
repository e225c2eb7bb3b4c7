"""Python functions applied to each element in place: apply_ and map_."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...backends.numpy.casts import cast
from ...declare.by_signature import plainly
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor, bump_version, is_meta
from ...tensor.write_checks import check_writable


@plainly(
    "apply_",
    "Replaces each element by the result of a Python function of it.",
    forms="method",
    family="inplace",
    category="other",
)
def apply_(input: Tensor, callable: Callable) -> Tensor:
    _refuse_meta("apply_", input)
    check_writable(input)
    array = input._array
    for index in np.ndindex(array.shape):
        array[index] = cast(np.asarray(callable(array[index].item())), input._dtype)
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
    _refuse_meta("map_", input)
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
    for index in np.ndindex(array.shape):
        array[index] = cast(np.asarray(callable(array[index].item(), paired[index].item())), input._dtype)
    bump_version(input)
    return input


def _refuse_meta(name: str, t: Tensor) -> None:
    if is_meta(t):
        refuse(
            TypeError,
            f"{name} is only implemented on CPU tensors",
            "a meta tensor has no elements",
            rule="meta.values",
        )


__all__ = ["apply_", "map_"]
