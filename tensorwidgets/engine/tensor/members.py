"""Members of the class `Tensor` for special kinds of tensor: a member may check the keys first.

A sparse tensor has another `stride`, `item` and `__repr__` than a plain one, and both are of the same class. So each
such member asks first. Members that are called often ask in their own body (`@asks_kinds`); all others are opened once,
when the engine is imported, so a tensor of a new kind changes nothing for plain ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import getattr_static
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from .tensor import Tensor

_F = TypeVar("_F", bound=Callable)

ANSWERS: dict[str, dict[int, Any]] = {}
"""What kinds of tensor answer: by the name of a member, then by the key of the kind."""

_ABSENT: Any = type("Absent", (), {"__slots__": ()})()

_closed: dict[str, Any] = {}
"""Members that were opened, as they were before."""


def answer(t: Tensor, name: str) -> Any:
    """The member that a tensor's kind defines under a name; None if it defines none."""
    for key, own in ANSWERS.get(name, {}).items():
        if t._keys & key:
            return own
    return None


def asks_kinds(method: _F) -> _F:
    """Mark a method that asks for its kind's answer in its own body."""
    method.asks_kinds = True  # type: ignore[attr-defined]
    return method


def add_answers(cls: type, key: int, answers: dict[str, Any]) -> None:
    """Let a class answer otherwise where a key is set: methods, properties, or constants by name."""
    for name, own in answers.items():
        ANSWERS.setdefault(name, {})[key] = own
        open_member(cls, name)


def take_answers(cls: type, key: int) -> None:
    """Undo `add_answers`, and restore members that no kind defines any more."""
    for name, by_key in list(ANSWERS.items()):
        if by_key.pop(key, None) is not None and not by_key:
            close_member(cls, name)


def open_member(cls: type, name: str) -> None:
    """Make a member of the class ask the keys first, if it does not yet."""
    standing_in, plain = _taken_apart(getattr_static(cls, name, _ABSENT))
    if name in _closed or getattr(plain, "asks_kinds", False):
        return
    _closed[name] = _taken_apart(vars(cls).get(name, _ABSENT))[1]
    known = ANSWERS.get(name)
    example = next(iter(known.values()), None) if plain is _ABSENT and known else plain
    is_method = isinstance(example, FunctionType)
    _put(cls, name, standing_in, _method(name, plain) if is_method else _property(name, plain))


def close_member(cls: type, name: str) -> None:
    """Give a member back as it was before it was opened, unless it was opened for good."""
    if name in _closed and name not in opened_for_good:
        plain = _closed.pop(name)
        if plain is _ABSENT:
            delattr(cls, name)
        else:
            _put(cls, name, _taken_apart(vars(cls)[name])[0], plain)


class StandIn:
    """What stands in for a member while a mode is open (`overriding.mode_members`), and the member as it is."""

    plain: Any


def _taken_apart(member: Any) -> tuple[StandIn | None, Any]:
    return (member, member.plain) if isinstance(member, StandIn) else (None, member)


def _put(cls: type, name: str, standing_in: StandIn | None, member: Any) -> None:
    """Set a member, behind what stands in for it."""
    if standing_in is None:
        setattr(cls, name, member)
    else:
        standing_in.plain = member


opened_for_good: set[str] = set()
"""Members that the package's own kinds answer; they are opened when the engine is imported."""


def _method(name: str, plain: Callable[..., Any]) -> Callable:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if self._keys:
            own = answer(self, name)
            if own is not None:
                return own(self, *args, **kwargs)
        if plain is _ABSENT:
            raise _missing(name)
        return plain(self, *args, **kwargs)

    return wraps(plain)(method) if plain is not _ABSENT else method


def _property(name: str, plain: Any) -> property:
    def get(self: Tensor) -> Any:
        own = answer(self, name) if self._keys else None
        member = plain if own is None else own
        if member is _ABSENT:
            raise _missing(name)
        return member.fget(self) if isinstance(member, property) and member.fget is not None else member

    def set_(self: Tensor, value: Tensor | None) -> None:
        own = answer(self, name) if self._keys else None
        member = plain if own is None else own
        if not isinstance(member, property) or member.fset is None:
            raise not_writable(name)
        member.fset(self, value)

    def delete(self: Tensor) -> None:
        own = answer(self, name) if self._keys else None
        member = plain if own is None else own
        if not isinstance(member, property) or member.fdel is None:
            raise not_writable(name)
        member.fdel(self)

    known = [plain, *ANSWERS.get(name, {}).values()]
    described = plain if isinstance(plain, property) else next(iter(known[1:]), None)
    if isinstance(described, property) and described.fget is not None:
        get.__annotations__ = described.fget.__annotations__
    writable, erasable = (any(_acts(getattr(m, part, None)) for m in known) for part in ("fset", "fdel"))
    words = described.__doc__ if isinstance(described, property) else None
    return closed_property(name, property(get, set_ if writable else None, delete if erasable else None, words))


def close_properties(cls: type) -> None:
    """Let properties that follow from others refuse to be set and deleted in PyTorch's words."""
    for name, member in list(vars(cls).items()):
        if type(member) is property:
            setattr(cls, name, closed_property(name, member))


def closed_property(name: str, member: property) -> property:
    """A property that refuses to be set and deleted, unless it can be."""

    def refuse(self: Tensor, value: Any = None) -> None:
        raise not_writable(name)

    refuse.refuses = True  # type: ignore[attr-defined]
    return property(member.fget, member.fset or refuse, member.fdel or refuse, member.__doc__)


def is_writable(member: property) -> bool:
    """Whether a property can be set."""
    return _acts(member.fset)


def _acts(function: Any) -> bool:
    """Whether a setter or deleter is there, and does more than refuse."""
    return function is not None and not hasattr(function, "refuses")


def not_writable(name: str) -> AttributeError:
    """The error for a property that follows from others."""
    return AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")


def _missing(name: str) -> AttributeError:
    return AttributeError(f"'Tensor' object has no attribute '{name}'")
