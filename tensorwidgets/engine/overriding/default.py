"""What `Tensor.__torch_function__` does: results become instances of the class."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any

from ..derivatives.private_rows import alias
from ..dispatch.kinds import KINDS, NonStridedArray
from ..errors.reasons import refuse
from ..tensor.classes import check_class, in_class
from ..tensor.handing_on import WithoutClasses
from ..tensor.keys import KEY_AUTOGRAD, KEY_CLASS, KEY_NAMES
from ..tensor.passed import call_below
from ..tensor.tensor import Tensor
from ..tensor.type_names import type_name
from ..tensor.wrapping import wrap_view


def as_subclass(self: Tensor, cls: type[Tensor]) -> Tensor:
    """A view of these elements that is an instance of a class of your own."""
    if not isinstance(cls, type):
        refuse(
            TypeError,
            f"cls must be a type (got {type_name(cls)})",
            f"{cls!r} is not a class",
            "x.as_subclass(Mine), where Mine is a class below torch.Tensor",
            rule="subclass.type",
        )
    check_class(cls)
    if self._keys & _SPARSE:  # which PyTorch has only in its own class, since a view of one has neither
        self.untyped_storage() if self._keys & KINDS["sparse"].key else self.stride()
    if self._keys & KEY_AUTOGRAD and not isinstance(self._array, NonStridedArray):
        view = call_below(KEY_CLASS | KEY_NAMES, alias, self)
        if self._names is not None:
            view._names = self._names
            view._keys |= KEY_NAMES
    else:
        view = wrap_view(self._array, self)
        if self._empty_offset:
            view._empty_offset = self._empty_offset
    return in_class(view, cls)


def converted(result: Any, cls: type[Tensor]) -> Any:
    """A result, and all that is in it, as instances of a class.

    >>> class Mine(Tensor): ...
    >>> converted((Tensor([1.0]), 2), Mine)
    (Mine([1.]), 2)
    """
    if isinstance(result, Tensor):
        return result if isinstance(result, cls) else as_subclass(result, cls)
    if isinstance(result, (tuple, list)) and any(isinstance(part, (Tensor, tuple, list)) for part in result):
        return type(result)([converted(part, cls) for part in result])
    return result


def kept_as_they_are() -> tuple[Callable, ...]:
    """What returns a tensor that is kept somewhere, and not a new one: such results stay what they are."""
    return (Tensor._base.__get__, Tensor.grad.__get__)  # type: ignore[union-attr, attr-defined]


def _is_pytorchs(function: Any) -> bool:
    """Whether it is a function of PyTorch itself, which also asks tensors of ours and cannot compute with them."""
    if sys.modules.get("torch", _OURS) is _OURS:
        return False
    if type(function) is FunctionType:
        module = function.__globals__.get("__name__", "")
    elif type(function) is BuiltinFunctionType:
        module = function.__module__ or "torch"  # whose functions in C belong to none
    else:
        owner = getattr(function, "__self__", function)
        module = getattr(getattr(owner, "__objclass__", owner), "__module__", "")
    return str(module).partition(".")[0] == "torch"


_OURS = sys.modules[__name__.partition(".")[0]]


def __torch_function__(
    cls: type[Tensor], func: Callable, types: Any, args: tuple = (), kwargs: dict[str, Any] | None = None
) -> Any:
    """Make a call as if its tensors were plain, and give what comes out this class."""
    if not all(issubclass(cls, t) for t in types) or _is_pytorchs(func):
        return NotImplemented
    with WithoutClasses():
        result = func(*args, **(kwargs or {}))
    return result if cls is Tensor or func in kept_as_they_are() else converted(result, cls)


__torch_function__.__qualname__ = "Tensor.__torch_function__"
_SPARSE = KINDS["sparse"].key | KINDS["sparse_csr"].key

METHODS: dict[str, Any] = {"__torch_function__": classmethod(__torch_function__), "as_subclass": as_subclass}
