"""Small questions about a tensor, asked as functions."""

from __future__ import annotations

from typing import Any

from ..print_options import set_printoptions
from ..storage import TypedStorage, UntypedStorage
from ..tensor import Tensor


def is_tensor(obj: Any) -> bool:
    """Whether it is a tensor."""
    return isinstance(obj, Tensor)


def is_storage(obj: Any) -> bool:
    """Whether it is a storage."""
    return isinstance(obj, (TypedStorage, UntypedStorage))


def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex numbers."""
    return input.is_complex()


def is_floating_point(input: Tensor) -> bool:
    """Whether the elements are floating-point numbers."""
    return input.is_floating_point()


def numel(input: Tensor) -> int:
    """How many elements there are."""
    return input.numel()


FACE: dict[str, Any] = {
    "is_tensor": is_tensor, "is_storage": is_storage, "is_complex": is_complex, "is_floating_point": is_floating_point,
    "numel": numel, "set_printoptions": set_printoptions,
}  # fmt: skip

__all__ = ["FACE", "is_complex", "is_floating_point", "is_storage", "is_tensor", "numel", "set_printoptions"]
