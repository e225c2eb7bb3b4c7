"""Calls that are answered by an argument that is not a tensor: an object whose class has `__torch_function__`.

Nothing asks for such objects before a call. No kernel takes them, so the call fails, and is handed on only then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..calling.notation import torch_signatures
from ..errors.reasons import refuse
from ..tensor.tensor import Tensor
from .called_as import spelled_by_user

if TYPE_CHECKING:
    from .registry import Op

_PACKAGE = __name__.partition(".")[0]


def answer(op: Op, args: tuple, kwargs: dict) -> tuple[Any] | None:
    """What the user's call that has failed returns nevertheless, in a tuple; None if it stays refused."""
    function, rest = op.function, args[1:]
    if args and not isinstance(args[0], Tensor) and _is_attribute(function, type(args[0])) and not _of_python(op.name):
        return (function(*rest, **kwargs),)
    if not any(_strangers((*args, *kwargs.values()))):
        return None
    name, method = spelled_by_user(op.name)
    return None if name is None else answer_of(name, method, args, kwargs)


def answer_of(name: str, method: bool, args: tuple, kwargs: dict) -> tuple[Any] | None:
    """The same for a call whose spelling is known."""
    strangers = list(_strangers((*args, *kwargs.values())))
    called = getattr(Tensor, name, None) if method else public_function(name)
    if not strangers or called is None:
        return None
    result = handed_on(called, strangers, args, kwargs)
    if result is NotImplemented:
        _refuse(f"{'Tensor.' if method else ''}{name}", strangers)
    return (result,)


def answered_by_class(method: str, self: Tensor, other: Any) -> Any:
    """What the class of the other operand answers for an operator, by the name of the method that it stands for."""
    if not is_stranger(other):
        return NotImplemented
    return handed_on(getattr(Tensor, method), [other], (self, other), {})


def is_stranger(value: Any) -> bool:
    """Whether it is not a tensor, and its class answers for calls."""
    return hasattr(type(value), "__torch_function__") and not isinstance(value, Tensor)


def _strangers(values: tuple) -> Iterator[Any]:
    for value in values:
        for part in value if isinstance(value, (list, tuple)) else (value,):
            if is_stranger(part):
                yield part


def handed_on(called: Callable[..., Any], strangers: list[Any], args: tuple, kwargs: dict) -> Any:
    """The answer of the first class that has one: a class made from another is asked before that one."""
    asked: list[Any] = []
    for stranger in strangers:
        if all(type(stranger) is not type(other) for other in asked):
            later = (i for i, other in enumerate(asked) if issubclass(type(stranger), type(other)))
            asked.insert(next(later, len(asked)), stranger)
    types = tuple(map(type, asked))
    for stranger in asked:
        result = stranger.__torch_function__(called, types, args, kwargs or None)
        if result is not NotImplemented:
            return result
    return NotImplemented


def public_function(name: str) -> Any:
    """A function as users look it up, by its name in the package.

    >>> import tensorwidgets as torch
    >>> public_function("linalg.det") is torch.linalg.det
    True
    """
    found: Any = sys.modules[_PACKAGE]
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _of_python(name: str) -> bool:
    """Whether PyTorch has written the function in Python, so that it becomes a method in a class."""
    return any(way.startswith("def ") for way in torch_signatures().get(name, ()))


def _is_attribute(function: Callable[..., Any], cls: type) -> bool:
    """Whether a class has the function as an attribute: PyTorch's, not written in Python, does not get the instance."""
    code = getattr(function, "__wrapped__", None)
    return any(
        type(value) is FunctionType and (value is function or getattr(value, "__wrapped__", 0) is code)
        for base in cls.__mro__
        for value in vars(base).values()
    )


def _refuse(name: str, strangers: list[Any]) -> None:
    lines = [f"  - tensor subclass {cls!r}" for cls in dict.fromkeys(map(type, strangers))]
    refuse(
        TypeError,
        f"Multiple dispatch failed for 'torch.{name}'; all __torch_function__ handlers returned NotImplemented:\n\n"
        + "\n".join(lines)
        + "\n\nFor more information, try re-running with TORCH_LOGS=not_implemented",
        "the class of this argument says that it cannot answer",
        rule="argument.type",
    )
