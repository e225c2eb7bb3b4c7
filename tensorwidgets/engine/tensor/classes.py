"""Tensors as instances of a class of the user's own."""

from __future__ import annotations

from typing import Any

from ..errors.reasons import refuse
from .keys import KEY_AUTOGRAD, KEY_CLASS
from .tensor import Tensor


def in_class(t: Tensor, cls: type[Tensor]) -> Tensor:
    """A fresh tensor as an instance of a subclass."""
    if cls is Tensor:
        return t
    result = object.__new__(cls)
    result._array, result._dtype, result._base, result._keys = t._array, t._dtype, t._base, _keys_in(cls, t._keys)
    result._notes.update(t._notes)
    if result._keys & KEY_AUTOGRAD:
        result._origin = t._origin
    return result


def become(t: Tensor, cls: type[Tensor]) -> None:
    """Make a tensor an instance of another class, which adds nothing to its layout."""
    t.__class__ = cls
    t._keys = _keys_in(cls, t._keys)


def _keys_in(cls: type[Tensor], keys: int) -> int:
    """The keys of a tensor as an instance of a class."""
    return keys | KEY_CLASS if cls._stays else keys & ~KEY_CLASS


def check_class(cls: Any) -> None:
    """Refuse what is not a class of tensors."""
    if not (isinstance(cls, type) and issubclass(cls, Tensor)):
        refuse(
            TypeError,
            "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure your "
            "class inherits from Tensor.",
            f"{getattr(cls, '__name__', cls)} is not a tensor",
            "class Mine(torch.Tensor): ...",
            rule="subclass.type",
        )
