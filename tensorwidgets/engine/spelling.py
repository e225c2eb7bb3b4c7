"""How the user has spelled the call that is under way: as a function, or as a method and by which of its names.

PyTorch's refusals count an argument's position without the tensor that a method is called on, and use the name that
was written. All spellings run one function here. The code of each carries its own name, so that it can be read off the
stack when something has to be refused, and costs nothing before.
"""

from __future__ import annotations

import sys
from types import CodeType, FunctionType
from typing import Any

_PACKAGE = __name__.partition(".")[0]
_SPELLINGS: dict[int, tuple[str, bool, CodeType]] = {}
"""By the identity of the code: codes that differ in their qualified name alone are equal."""


def method_code(code: CodeType, name: str) -> CodeType:
    """A wrapper's code under the name of a method."""
    own = code.replace(co_name=name, co_qualname=f"Tensor.{name}")
    _SPELLINGS[id(own)] = name, True, own
    return own


def under_name(function: Any, name: str) -> Any:
    """A function that knows by which of its names it is called."""
    if not isinstance(function, FunctionType):
        return function
    code = function.__code__.replace(co_name=name, co_qualname=name)
    _SPELLINGS[id(code)] = name, False, code
    own = FunctionType(code, function.__globals__, name, function.__defaults__, function.__closure__)
    own.__kwdefaults__ = function.__kwdefaults__
    own.__doc__, own.__module__ = function.__doc__, function.__module__
    own.__dict__.update(function.__dict__)
    return own


def spelling() -> tuple[str | None, bool]:
    """The name by which the call under way is spelled, where it is known, and whether it is a method.

    >>> spelling()
    (None, False)
    """
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        found = _SPELLINGS.get(id(frame.f_code))
        if found is not None:
            return found[:2]
        frame = frame.f_back  # type: ignore[assignment]
    return None, False


def called_method() -> str | None:
    """The name of the method that is being called; None for a function.

    >>> called_method() is None
    True
    """
    name, method = spelling()
    return name if method else None
