"""A mode is asked about every call of a block, also of calls without tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, NamedTuple

from ..calling.notation import torch_signatures
from ..dispatch import other_classes, stations
from ..dispatch.asking import answer, asked_among, parts_of, refuse_all, types_among
from ..dispatch.other_classes import MAKES_TENSORS
from ..dispatch.registry import Op, watching
from ..dispatch.stations import in_our_words, read_first
from ..errors.reasons import refuse
from ..tensor.handing_on import asks_classes
from ..tensor.tensor import Tensor
from ..tensor.thread_state import state
from .called import Call, as_handed_on, called, of_member, of_two, relevant


class Count:
    """How many modes are open in all threads."""

    def __init__(self) -> None:
        self.open, self.lock = 0, Lock()

    def up(self) -> None:
        """One more is opened."""
        with self.lock:
            self.open += 1
            for tell in on_first if self.open == 1 else ():
                tell()

    def down(self) -> None:
        """One is closed."""
        with self.lock:
            self.open -= 1
            for tell in on_last if not self.open else ():
                tell()


class Open(NamedTuple):
    """A mode that is open; each time that it is opened is one of its own."""

    mode: Any
    token: object


on_first: list[Callable[[], None]] = []
on_last: list[Callable[[], None]] = []
"""Called when a thread opens the first mode of all, and when the last one is closed; `mode_members` enters these."""

_count = Count()


def push(mode: Any) -> None:
    """Open a mode in this thread."""
    opened = Open(mode, object())
    watching.add(opened.token)
    _count.up()
    state.put("modes", (*state.modes, opened))


def pop() -> Any:
    """Close the innermost mode of this thread."""
    *others, opened = state.modes
    watching.discard(opened.token)
    _count.down()
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
    if not state.modes or op.name in _NOT_TOLD:
        return None
    call = called(op)
    if call is None:
        return None
    if not call.in_python and all(isinstance(value, Tensor) for value in asked_among(parts_of(args, kwargs))):
        read_first(op, args, in_our_words(op, kwargs) if kwargs else kwargs)
    return (ask(call, args, kwargs),)


def ask(call: Call, args: tuple, kwargs: dict) -> Any:
    """What the innermost mode answers to a call, or else the classes of its arguments."""
    call = of_two(call, args, kwargs)
    given, named = as_handed_on(call.key, args, kwargs) if call.in_python else (args, kwargs)
    asked = asked_among(parts_of(given, named)) if asks_classes() and call.key not in MAKES_TENSORS else []
    types = types_among(relevant(call, given, named)) if call.in_python else tuple(map(type, asked))
    if not types and asks_itself(call.key):
        types = (type(given[0]),)
    with without_innermost() as mode:
        if not call.in_python and getattr(mode.__torch_function__, "__self__", None) is not mode:
            refuse(
                RuntimeError,
                "Defining your mode's `__torch_function__` as a classmethod is not supported, please make it a plain "
                "method",
                "a mode is an object, which may keep something between calls",
                "def __torch_function__(self, func, types, args=(), kwargs=None): …",
                rule="dispatch.declined",
            )
        result = mode.__torch_function__(call.function, types, given, named if named or call.in_python else None)
    if result is NotImplemented:
        result = answer(call.function, asked, types, given, named if named or call.in_python else None, call.in_python)
    if result is NotImplemented and not call.is_operator:
        refuse_all(call.name, tuple(map(type, asked)), call.in_python, mode)
    return result


_NOT_TOLD = frozenset("set_ from_numpy frombuffer from_dlpack delitem".split())
"""Ops about which PyTorch asks no mode."""
_BY_ITSELF = frozenset("__bool__ __complex__ __float__ __index__ __int__ __invert__ apply_ new new_tensor".split())


def asks_itself(key: str) -> bool:
    """Whether a mode gets the class of a method's own tensor even if that is plain: it does if there are no arguments.

    >>> asks_itself("Tensor.abs"), asks_itself("Tensor.sum"), asks_itself("abs")
    (True, False, False)
    """
    _, _, name = key.partition("Tensor.")
    if not name:
        return False
    return "." in name or torch_signatures().get(key) == ("-",) or name in _BY_ITSELF


def _ask_of_operator(name: str, args: tuple) -> tuple[Any] | None:
    return (ask(of_member(name, True), args, {}),) if state.modes else None


stations.ask_mode, other_classes.ask_mode = ask_mode, _ask_of_operator
