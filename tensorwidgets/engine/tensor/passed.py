"""Which stations a call has already passed, tensor by tensor.

A station that does its part calls on as if its key were not there. The tensors themselves stay as they are, because
other threads compute with them at the same time; what is hidden is noted here, for this thread and this call alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any


class _Hidden(threading.local):
    """The hidden keys of this thread. The mapping is replaced and never changed, so an interrupt leaves it whole."""

    keys: dict[int, int] = {}


_hidden = _Hidden()


def keys_left(t: Any) -> int:
    """The keys of a tensor at the stations that its call has not passed yet."""
    hidden = _hidden.keys
    return t._keys & ~hidden.get(id(t), 0) if hidden else t._keys


def call_without(key: int, tensors: Iterable[Any], function: Callable[..., Any], *args: Any) -> Any:
    """Call a function while a key of these tensors is hidden from this thread.

    >>> import tensorwidgets as torch
    >>> x = torch.ones(2, names=("N",))
    >>> call_without(x._keys, [x], keys_left, x), keys_left(x) == x._keys
    (0, True)
    """
    before = _hidden.keys
    now = dict(before)
    for t in tensors:
        now[id(t)] = now.get(id(t), 0) | key
    try:
        _hidden.keys = now
        return function(*args)
    finally:
        _hidden.keys = before
