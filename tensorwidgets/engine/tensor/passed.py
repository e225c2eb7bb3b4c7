"""Which stations a call has already passed, tensor by tensor.

A station that does its part calls on as if its key were not there. The tensors themselves stay as they are, because
other threads compute with them at the same time; what is hidden is noted here, for this thread and this call alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import get_ident
from typing import TYPE_CHECKING, Any

from .thread_state import state, unusual_threads

if TYPE_CHECKING:
    from .tensor import Tensor


def keys_left(t: Tensor) -> int:
    """The keys of a tensor at the stations that its call has not passed yet."""
    hidden = state.keys
    keys = t._keys & ~state.of_all
    return keys & ~hidden.get(id(t), 0) if hidden else keys


def call_without(key: int, tensors: Iterable[Any], function: Callable[..., Any], *args: Any) -> Any:
    """Call a function while a key of these tensors is hidden from this thread.

    >>> import tensorwidgets as torch
    >>> x = torch.ones(2, names=("N",))
    >>> call_without(x._keys, [x], keys_left, x), keys_left(x) == x._keys
    (0, True)
    """
    before = state.keys
    now = dict(before)
    for t in tensors:
        now[id(t)] = now.get(id(t), 0) | key
    try:
        state.put("keys", now)
        return function(*args)
    finally:
        state.put("keys", before)


def call_below(key: int, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function while a key of all tensors, also of those that it makes, is hidden from this thread."""
    own = state.__dict__  # which `put` would write to
    before = own.get("of_all", 0)
    try:
        unusual_threads.add(get_ident())
        own["of_all"] = before | key
        return function(*args)
    finally:
        if before:
            own["of_all"] = before
        else:
            own.pop("of_all", None)
            if not own:
                unusual_threads.discard(get_ident())


def shown_again(key: int) -> int:
    """Show a key of all tensors to this thread again, inside `call_below`. Returns what `hide_again` needs."""
    before = state.of_all
    state.put("of_all", before & ~key)
    return before


def hide_again(before: int) -> None:
    """End what `shown_again` began."""
    state.put("of_all", before)
