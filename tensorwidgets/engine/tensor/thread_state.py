"""What is set for one thread: recording of gradients, inference mode, hidden keys, hooks on saved tensors.

All of it is in one place, and nothing is stored for what has its usual value. So one look says whether anything is
unusual, which the smallest recorded calls ask.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..types.device import this_thread


class ThreadState(threading.local):
    """The settings of this thread; an attribute that is not set has the value of the class."""

    enabled = True
    """Whether operations are recorded for gradients."""
    inference = False
    keys: dict[int, int] = {}
    """The hidden keys of single tensors, by id. The mapping is replaced and never changed, so an interrupt leaves it
    whole."""
    of_all = 0
    """The hidden keys of all tensors."""
    hooks: tuple = ()
    """The open `saved_tensors_hooks`: pairs of functions, the innermost last."""
    refusal: str | None = None
    """The message with which `saved_tensors_hooks` is refused, if it is."""
    multithreading = True
    """What `set_multithreading_enabled` has set, which changes nothing here."""
    as_laid_out = True
    """Whether a gradient that is laid out otherwise than its leaf is copied: `enforce_grad_layout_policy`."""
    modes: tuple = ()
    """The open modes that calls are handed to, the innermost last: `overriding.modes`."""
    autocast: dict[str, Any] = {}
    """The dtype of products by kind of device, where `autocast` is on: `dispatch.autocast`."""
    autocast_dtypes: dict[str, Any] = {}
    """The dtypes that `set_autocast_dtype` has set, by kind of device."""
    autocast_cache = True
    """Whether weights that `autocast` has converted are kept until its outermost block ends."""
    autocast_nesting = 0
    """In how many blocks of `autocast` this thread is."""

    def put(self, name: str, value: Any) -> None:
        """Set one attribute, or forget it if it is the usual one."""
        own, here = self.__dict__, threading.get_ident()
        if value == getattr(type(self), name):
            own.pop(name, None)
            if not own:
                unusual_threads.discard(here)
        else:
            unusual_threads.add(here)
            own[name] = value
        if name in on_change:
            on_change[name](here, bool(value))

    def put_back(self, settings: dict[str, Any]) -> None:
        """Set everything as it was when `__dict__` was copied."""
        for name in {*self.__dict__, *settings}:
            self.put(name, settings.get(name, getattr(type(self), name)))


state = ThreadState()

autocast_weights: dict[int, tuple[Any, Any]] = {}
"""The weights that open blocks of `autocast` have converted, by the id of the weight: a weak reference to it, and the
result.
"""


def autocast_now() -> dict[str, Any]:
    """What is set for autocast in this thread."""
    return {name: getattr(state, name) for name in ("autocast", "autocast_dtypes", "autocast_cache")}


@contextmanager
def autocast_as(settings: dict[str, Any]) -> Iterator[None]:
    """A block of autocast as it was set once."""
    before = autocast_now()
    if before == settings and not settings["autocast"]:
        yield
        return
    for name, value in settings.items():
        state.put(name, value)
    state.put("autocast_nesting", state.autocast_nesting + 1)
    try:
        yield
    finally:
        state.put("autocast_nesting", state.autocast_nesting - 1)
        if not state.autocast_nesting:
            autocast_weights.clear()
        for name, value in before.items():
            state.put(name, value)


class Transforms(threading.local):
    """Whether this thread is inside a function that `torch.func` transforms."""

    under_way = False


transforms = Transforms()

carried: list[threading.local] = [state, this_thread, transforms]
"""What a thread takes over that goes on with a call of another one."""


def carry() -> Callable[[], None]:
    """A function that gives another thread the settings that this one has now."""
    settings = [(local, dict(local.__dict__)) for local in carried]

    def take_over() -> None:
        for local, values in settings:
            local.__dict__.update(values)
        if state.__dict__:
            unusual_threads.add(threading.get_ident())

    return take_over


on_change: dict[str, Callable[[int, bool], None]] = {}
"""By the name of a setting: called with a thread and whether the setting is now another than the usual one."""

unusual_threads: set[int] = set()
"""The threads in which anything is set at the moment. While there are none, a small call need not ask for its own. A
thread is added before something is set and taken away after that has ended: one too many costs time alone.
"""
