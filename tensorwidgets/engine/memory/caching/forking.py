"""May a process fork while another thread is inside an allocator? The fork waits, so that the child has whole ones.

In the child the other thread is gone. A lock that it held would never be released, and what it was changing would stay
half changed.
"""

from __future__ import annotations

import os
import threading
from typing import Any
from weakref import WeakSet

PATIENCE = 1.0
"""Seconds to wait for one lock. A signal handler may fork in the very thread that holds it."""

_outer: WeakSet[Any] = WeakSet()
_inner: WeakSet[Any] = WeakSet()
_held: list[Any] = []


def outer_lock(owner: Any) -> Any:
    """A lock for `owner`, which may take the lock of an allocator while it holds its own."""
    _outer.add(owner)
    return threading.Lock()


def inner_lock(owner: Any) -> Any:
    """A lock for `owner`, an allocator: while it is held, no other is taken."""
    _inner.add(owner)
    return threading.RLock()


def _before() -> None:
    for owner in [*_outer, *_inner]:
        lock = getattr(owner, "_lock", None)  # None in the middle of the owner's constructor
        if lock is not None and lock.acquire(timeout=PATIENCE):
            _held.append(lock)


def _after() -> None:
    while _held:
        _held.pop().release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after)
