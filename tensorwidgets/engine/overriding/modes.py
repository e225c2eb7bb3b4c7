"""A mode is asked about every call of a block, also of calls without tensors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..dispatch import stations
from ..dispatch.asking import answer, asked_among, parts_of, refuse_all
from ..dispatch.registry import Op, watching
from ..tensor.handing_on import asks_classes
from ..tensor.tensor import Tensor
from ..tensor.thread_state import state
from .called import as_handed_on, called


class Open(NamedTuple):
    """A mode that is open; each time that it is opened is one of its own."""

    mode: Any
    token: object


def push(mode: Any) -> None:
    """Open a mode in this thread."""
    opened = Open(mode, object())
    watching.add(opened.token)
    state.put("modes", (*state.modes, opened))


def pop() -> Any:
    """Close the innermost mode of this thread."""
    *others, opened = state.modes
    watching.discard(opened.token)
    state.put("modes", tuple(others))
    return opened.mode


def count() -> int:
    """How many modes are open in this thread."""
    return len(state.modes)


def innermost() -> Any:
    """The mode that is asked first; None where none is open."""
    return state.modes[-1].mode if state.modes else None


def all_open() -> list[Any]:
    """The modes that are open in this thread, the innermost last."""
    return [opened.mode for opened in state.modes]


@contextmanager
def without_innermost() -> Iterator[Any]:
    """The block in which a mode answers: the calls that it makes go to the next one."""
    before = state.modes
    state.put("modes", before[:-1])
    try:
        yield before[-1].mode
    finally:
        state.put("modes", before)


def ask_mode(op: Op, args: tuple, kwargs: dict) -> tuple[Any] | None:
    """What a mode answers to the user's call, in a tuple; None if there is none, or the engine makes the call."""
    if not state.modes:
        return None
    call = called(op)
    if call is None:
        return None
    given, named = as_handed_on(call.key, args, kwargs) if call.in_python else (args, kwargs)
    asked = asked_among(parts_of(given, named)) if asks_classes() else []
    types = tuple(map(type, asked))
    if call.in_python and any(type(part) is Tensor for part in parts_of(given, named)):
        types = (*types, Tensor)
    with without_innermost() as mode:
        result = mode.__torch_function__(call.function, types, given, named if named or call.in_python else None)
    if result is NotImplemented:
        result = answer(call.function, asked, types, given, named if named or call.in_python else None, call.in_python)
    if result is NotImplemented and not call.is_operator:
        refuse_all(call.name, asked, call.in_python, mode)
    return (result,)


stations.ask_mode = ask_mode
