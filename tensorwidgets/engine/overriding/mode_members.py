"""Members of plain tensors that never take the long route, such as `shape` and `item`, while a mode is open.

While any thread has a mode open, each of them gives way to a member that asks the mode of its thread when the user uses
it. Looked up in the class, `Tensor.shape` and `Tensor.item` stay the very objects that they are, so that a mode may
compare functions. Without a mode nothing of this is there.
"""

from __future__ import annotations

import sys
from threading import Lock
from types import MethodType
from typing import Any

from ..dispatch.called_as import makes_calls_inside
from ..ops.small.questions import QUESTIONS
from ..tensor.members import StandIn
from ..tensor.tensor import Tensor
from ..tensor.thread_state import state
from .called import Call, of_function, of_member
from .members import FOR_OWN, SHOWN, WRITTEN
from .modes import ask, on_first, on_last


class AskedMethod(StandIn):
    """A method about whose calls a mode is asked."""

    def __init__(self, name: str, plain: Any):
        self.name, self.plain = name, plain

    def __get__(self, tensor: Tensor | None, owner: type | None = None) -> Any:
        return self.plain if tensor is None else MethodType(self, tensor)

    def __call__(self, tensor: Tensor, *args: Any, **kwargs: Any) -> Any:
        caller = sys._getframe(1)
        question = QUESTIONS.get(id(caller.f_code))
        if not state.modes or question is None and makes_calls_inside(caller):
            return self.plain(tensor, *args, **kwargs)
        if question is not None:
            return ask(of_function(question), (tensor,), {})
        return ask(of_member(SHOWN.get(self.name, self.name)), (tensor, *args), kwargs)


class AskedProperty(StandIn):
    """A property about whose reading, setting and deleting a mode is asked."""

    def __init__(self, name: str, plain: Any):
        self.name, self.plain = name, plain

    def __get__(self, tensor: Tensor | None, owner: type | None = None) -> Any:
        return self.plain if tensor is None else self._asked("__get__", tensor)

    def __set__(self, tensor: Tensor, value: Any) -> None:
        self._asked("__set__", tensor, value)

    def __delete__(self, tensor: Tensor) -> None:
        self._asked("__delete__", tensor)

    def _asked(self, way: str, tensor: Tensor, *value: Any) -> Any:
        function = getattr(self.plain, way)
        is_told = way == "__get__" or self.name in WRITTEN
        if not state.modes or not is_told or makes_calls_inside(sys._getframe(2)):
            return function(tensor, *value)
        key = f"Tensor.{self.name}.{way}"
        return ask(Call(function, key, f"torch.{key}", False, False), (tensor, *value), {})


_lock = Lock()


def open_all() -> None:
    """Let all of these members ask."""
    with _lock:
        for name in FOR_OWN:
            plain = Tensor.__dict__.get(name)
            if plain is not None and not isinstance(plain, StandIn):
                asked = AskedProperty if isinstance(plain, property) else AskedMethod
                setattr(Tensor, name, asked(name, plain))


def close_all() -> None:
    """Put the members back."""
    with _lock:
        for name in FOR_OWN:
            member = Tensor.__dict__.get(name)
            if isinstance(member, StandIn):
                setattr(Tensor, name, member.plain)


on_first.append(open_all)
on_last.append(close_all)
