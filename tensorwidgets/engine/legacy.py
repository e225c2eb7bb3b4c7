"""The old constructors: Tensor(2, 3), FloatTensor([1, 2])."""

from __future__ import annotations

from typing import Any

from . import dtypes
from .tensor import Tensor


def legacy_new(cls: type, args: tuple, kwargs: dict) -> Tensor:
    """``Tensor(…)``: sizes or data, in the default dtype."""
    from .ops.creation import made, tensor_from

    d = dtypes.get_default_dtype()
    if len(args) == 1 and not isinstance(args[0], int):
        return tensor_from(args[0], d)
    return made(args or (0,), None, d, None, False)


METHODS: dict[str, Any] = {}
PROPERTIES: dict[str, Any] = {}
FACE: dict[str, Any] = {}
