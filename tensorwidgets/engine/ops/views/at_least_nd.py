"""Views with a minimum number of dimensions: atleast_1d, atleast_2d, atleast_3d."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from .reshaping import made_of_views


def _raising(name: str, words: str, raise_one: Callable[..., Any]) -> None:
    @made_of_views(name, words, forms="function", category="other")
    def atleast(*tensors: Any) -> Any:
        if len(tensors) == 1 and isinstance(tensors[0], Tensor):
            return raise_one(tensors[0])
        if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
            tensors = tuple(tensors[0])
        elif len(tensors) == 1:
            refuse(
                TypeError,
                f"{name}() received an invalid combination of arguments - got ({type_name(tensors[0])}), "
                "but expected one of:\n * (Tensor input)\n * (tuple of Tensors tensors)\n",
                f"{name} makes views of tensors",
                "torch.tensor(…)",
                rule="argument.type",
            )
        for number, t in enumerate(tensors):
            if not isinstance(t, Tensor):
                refuse(
                    TypeError,
                    f"expected Tensor as element {number} in argument 0, but got {type_name(t)}",
                    f"{name} makes views of tensors",
                    "torch.tensor(…)",
                    rule="argument.type",
                )
        return tuple([raise_one(t) for t in tensors])


def _reshape(t: Tensor, *size: int) -> Tensor:
    return OPS["reshape"].function(t, size)


def _unsqueeze(t: Tensor, dim: int) -> Tensor:
    return OPS["unsqueeze"].function(t, dim)


def _to_one(t: Tensor) -> Tensor:
    return t if t._array.ndim else _reshape(t, 1)


def _to_two(t: Tensor) -> Tensor:
    return _reshape(t, 1, 1) if not t._array.ndim else _unsqueeze(t, 0) if t._array.ndim == 1 else t


def _to_three(t: Tensor) -> Tensor:
    if not t._array.ndim:
        return _reshape(t, 1, 1, 1)
    if t._array.ndim == 1:
        return _unsqueeze(_unsqueeze(t, 0), -1)
    return _unsqueeze(t, -1) if t._array.ndim == 2 else t


_raising("atleast_1d", "Returns a view with at least one dimension.", _to_one)
_raising("atleast_2d", "Returns a view with at least two dimensions; new ones come first.", _to_two)
_raising("atleast_3d", "Returns a view with at least three dimensions.", _to_three)
