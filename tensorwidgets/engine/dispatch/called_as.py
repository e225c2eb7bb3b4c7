"""How the user has spelled the call that is under way: as a function, or as a method and by which of its names.

PyTorch's refusals count an argument's position without the tensor that a method is called on, and use the name that
was written. All spellings run one function here. The code of each carries its own name, so that it can be read off the
stack when something has to be refused, and costs nothing before.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors.package import PACKAGE_NAME

if TYPE_CHECKING:
    from collections.abc import Callable


_SPELLINGS: dict[int, tuple[str, bool, CodeType]] = {}
"""By the identity of the code: codes that differ in their qualified name alone are equal."""


def method_code(code: CodeType, name: str) -> CodeType:
    """A wrapper's code under the name of a method."""
    own = code.replace(co_name=name, co_qualname=f"Tensor.{name}")
    _SPELLINGS[id(own)] = name, True, own
    return own


def short_name(name: str) -> str:
    """What a function of a room is called, as in PyTorch.

    >>> short_name("nn.functional.relu"), short_name("linalg.norm")
    ('relu', 'linalg_norm')
    """
    return name.removeprefix("nn.functional.").replace(".", "_")


_ROOMS = "nn.functional linalg special fft signal.windows sparse".split()
MODULES_OF_ROWS = frozenset((PACKAGE_NAME, *(f"{PACKAGE_NAME}.{room}" for room in _ROOMS)))
"""The modules in which functions of rows are public."""


def place_of_row(name: str) -> tuple[str, str]:
    """The module of a row's public function, and its name there: pickle finds it by both.

    >>> place_of_row("nn.functional.relu"), place_of_row("relu")
    (('tensorwidgets.nn.functional', 'relu'), ('tensorwidgets', 'relu'))
    """
    room, _, short = name.rpartition(".")
    module = f"{PACKAGE_NAME}.{room}"
    return (module, short) if module in MODULES_OF_ROWS else (PACKAGE_NAME, name)


def under_name(function: Callable[..., Any], name: str) -> Any:
    """A function that knows by which of its names it is called."""
    if not isinstance(function, FunctionType):
        return function
    code = function.__code__.replace(co_name=name, co_qualname=name)
    _SPELLINGS[id(code)] = name, False, code
    own = FunctionType(code, function.__globals__, name, function.__defaults__, function.__closure__)
    own.__kwdefaults__, own.__name__ = function.__kwdefaults__, short_name(name)
    own.__doc__ = function.__doc__
    own.__module__, own.__qualname__ = place_of_row(name)
    own.__dict__.update(function.__dict__)
    return own


def spelling() -> tuple[str | None, bool]:
    """The name by which the call under way is spelled, where it is known, and whether it is a method.

    >>> spelling()
    (None, False)
    """
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE_NAME:
        result = _SPELLINGS.get(id(frame.f_code))
        if result is not None:
            return result[:2]
        frame = frame.f_back  # type: ignore[assignment]
    return None, False


def in_method() -> bool:
    """Whether the nearest spelling on the stack is a method's; a quick look, for calls that are under way.

    >>> in_method()
    False
    """
    frame: FrameType | None = sys._getframe(2)
    for _ in range(8):
        if frame is None:
            return False
        known = _SPELLINGS.get(id(frame.f_code))
        if known is not None:
            return known[1]
        frame = frame.f_back
    return False


def is_operator(symbol: str) -> bool:
    """Whether the call under way was written as an operator, by the method that Python calls for it.

    >>> is_operator("__lshift__")
    False
    """
    frame: FrameType | None = sys._getframe(1)
    for _ in range(14):
        if frame is None:
            return False
        if frame.f_code.co_name == symbol:
            return True
        frame = frame.f_back
    return False


def called_method() -> str | None:
    """The name of the method that is being called; None for a function.

    >>> called_method() is None
    True
    """
    name, method = spelling()
    return name if method else None


_OWN = (f"{PACKAGE_NAME}.engine", f"{PACKAGE_NAME}.pictures")

_ELSEWHERE = (
    f"{PACKAGE_NAME}.engine.expressions",
    f"{PACKAGE_NAME}.engine.explain",
    f"{PACKAGE_NAME}.engine.calling.for_users",
)
"""Rooms of the engine that make a user's calls."""


def makes_calls_inside(frame: FrameType) -> bool:
    """Whether a frame is the engine's or a picture's, and makes a call for itself."""
    module = frame.f_globals.get("__name__", "")
    return module.startswith(_OWN) and not module.startswith(_ELSEWHERE)


def _entry() -> FrameType | None:
    """The frame by which the user's call came in; None where the user makes none."""
    frame: FrameType | None = sys._getframe(1)
    entry = None
    while frame is not None and makes_calls_inside(frame):
        entry, frame = frame, frame.f_back
    return entry


class Operator(NamedTuple):
    """What is known of an operator's function."""

    method: str
    """The method that PyTorch calls for it."""
    op: str
    """The op that is called with its operands in their order, if there is one."""
    has_other: bool
    """Whether Python asks the other operand where this one declines."""
    code: CodeType


_OPERATORS: dict[int, Operator] = {}


def mark_operator(function: Any, method: str, op: str, has_other: bool = False) -> Any:
    """Note that a function is an operator."""
    code = function.__code__ = function.__code__.replace(co_name=function.__name__)  # an object of its own
    _OPERATORS[id(code)] = Operator(method, op, has_other, code)
    return function


def operator_called() -> Operator | None:
    """The user's operator, if the call under way was made by one.

    >>> operator_called() is None
    True
    """
    entry = _entry()
    return None if entry is None else _OPERATORS.get(id(entry.f_code))


def spelled_by_user(op_name: str) -> tuple[str | None, bool]:
    """How the user spelled the call of an op that is under way, and whether as a method.

    There is no name where it was the engine that called the op, on its way to something else.

    >>> spelled_by_user("add")
    (None, False)
    """
    entry = _entry()
    if entry is None:
        return None, False
    known = _SPELLINGS.get(id(entry.f_code))
    if known is not None:
        return known[:2] if op_name in _ops_called(known[0]) else (None, False)
    op = entry.f_locals.get("op")
    return (op_name if getattr(op, "name", None) == op_name else None), False


def _ops_called(name: str) -> frozenset[str]:
    """The ops that a name is spelled for: its own, or that of which it is an alias."""
    from .registry import OPS

    count, found = _CALLED.get(name, (0, frozenset()))
    if count != len(OPS):
        aliases = {name, name.removesuffix("_")}
        others = [op.name for op in OPS.values() if not aliases.isdisjoint(op.aliases)]
        found = frozenset((name, *others, *[other + "_" for other in others]))
        _CALLED[name] = len(OPS), found
    return found


_CALLED: dict[str, tuple[int, frozenset[str]]] = {}
"""The answers so far, with how many ops there were."""
