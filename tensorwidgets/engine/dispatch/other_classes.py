"""Calls that are answered by an argument that is not a tensor: an object whose class has `__torch_function__`.

Nothing asks for such objects before a call. No kernel takes them, so the call fails, and is handed on only then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..calling.notation import torch_signatures
from ..errors.package import PACKAGE_NAME
from ..tensor.handing_on import asks_classes
from ..tensor.keys import KEY_CLASS
from ..tensor.tensor import Tensor
from .asking import HANDLER, asked_among, is_asked, is_default, parts_of, refuse_all, types_among
from .asking import answer as answer_by
from .called_as import operator_called, spelled_by_user
from .registry import watching

if TYPE_CHECKING:
    from .registry import Op

_BY_KEY = {"getitem": "__getitem__", "setitem": "__setitem__"}
"""Ops that ask the class of an index, or of what is written, however deep in the key it is."""


MAKES_TENSORS = frozenset(("tensor", "as_tensor", "asarray"))
"""Functions about which PyTorch asks a mode, but no class."""


def answer(op: Op, args: tuple, kwargs: dict) -> tuple[Any] | None:
    """What the user's call that has failed returns nevertheless, in a tuple; None if it stays refused."""
    function, rest = op.function, args[1:]
    if args and not isinstance(args[0], Tensor) and _is_attribute(function, type(args[0])) and not _of_python(op.name):
        return (function(*rest, **kwargs),)
    if op.name in _BY_KEY:
        return _answer_to_key(_BY_KEY[op.name], args)
    if not any(_strangers((*args, *kwargs.values()))) or not asks_classes():
        return None
    if any(_asks(value) for value in parts_of(args, kwargs)):
        return None  # for the station has asked all classes
    name, method = spelled_by_user(op.name)
    return None if name is None or name in MAKES_TENSORS else answer_of(name, method, args, kwargs)


def _answer_to_key(method: str, args: tuple) -> tuple[Any] | None:
    parts = list(_all_parts(args))
    operator = operator_called()
    if operator is None or operator.method != method or not any(map(is_stranger, parts)) or not asks_classes():
        return None
    asked = asked_among(parts)
    classes = tuple(map(type, asked))
    result = answer_by(getattr(Tensor, method), asked, classes, args, None)
    if result is NotImplemented:
        refuse_all(f"torch.Tensor.{method}", classes, False)
    return (result,)


def _all_parts(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _all_parts(value)
        else:
            yield value


def answers_itself(value: Any) -> bool:
    """Whether a class answers for a value even where the value can stand for a number."""
    return is_stranger(value) and asks_classes()


def answer_of(name: str, method: bool, args: tuple, kwargs: dict) -> tuple[Any] | None:
    """The same for a call whose spelling is known."""
    called = getattr(Tensor, name, None) if method else public_function(name)
    if called is None or not asks_classes() or not any(_strangers((*args, *kwargs.values()))):
        return None
    return tell(name, method, args, kwargs)


ask_mode: Callable[[str, tuple], tuple[Any] | None] = lambda name, args: None  # noqa: E731
"""What the innermost mode answers to an operator, in a tuple; `overriding.modes` has it."""
tell: Callable[[str, bool, tuple, dict], tuple[Any] | None] = lambda name, method, args, kwargs: None  # noqa: E731
"""The answer of the classes of some arguments to a function or a method by its name; `overriding.called` has it."""


def answered_by_class(method: str, self: Tensor, other: Any) -> Any:
    """What the class of the other operand answers for an operator, by the name of the method that it stands for."""
    if not is_stranger(other) or not asks_classes():
        return NotImplemented
    if watching:
        answered = ask_mode(method, (self, other))
        if answered is not None:
            return answered[0]
    asked = asked_among((self, other))
    return answer_by(getattr(Tensor, method), asked, tuple(map(type, asked)), (self, other), None)


def answered_by_left(method: str, self: Tensor, other: Tensor) -> tuple[Any] | None:
    """What the class of the left operand answers, in a tuple, when Python asks the right one, a plain tensor: the left
    one has declined, and is asked once more. None where it has nothing to say of its own."""
    if not asks_classes() or is_default(type(other)) or not is_asked(type(other)):
        return None
    asked = asked_among((self, other))
    if method in _IN_C:
        return (answer_by(getattr(Tensor, method), asked, tuple(map(type, asked)), (self, other), None),)
    return (answer_by(getattr(Tensor, method), asked, types_among((self, other)), (self, other), {}, True),)


_IN_C = frozenset(("bitwise_and", "bitwise_or", "bitwise_xor"))


def is_stranger(value: Any) -> bool:
    """Whether it is not a tensor, and its class answers for calls."""
    return hasattr(type(value), HANDLER) and not isinstance(value, Tensor)


def _asks(value: Any) -> bool:
    return isinstance(value, Tensor) and bool(value._keys & KEY_CLASS)


def _strangers(values: tuple) -> Iterator[Any]:
    for value in values:
        for part in value if isinstance(value, (list, tuple)) else (value,):
            if is_stranger(part):
                yield part


def public_function(name: str) -> Any:
    """A function as users look it up, by its name in the package.

    >>> import tensorwidgets as torch
    >>> public_function("linalg.det") is torch.linalg.det
    True
    """
    found: Any = sys.modules[PACKAGE_NAME]
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
