"""Who else refers to an object? The interpreter's own counts answer it.

This is the proof that a memory may be used again. It holds on an interpreter with a global lock: both counts are read
in one call of C, during which no other thread, finaliser or signal handler runs. An object that is referred to nowhere
else, not even weakly, cannot be reached from anywhere else, and this remains true until we hand it out.
"""

from __future__ import annotations

import sys
from operator import call
from typing import Any
from weakref import getweakrefcount

MANY = 1 << 30
"""The count returned if the interpreter cannot tell."""

_count = getattr(sys, "getrefcount", None)
_has_lock = getattr(sys, "_is_gil_enabled", None)  # only builds that can do without the lock have the function


def _many(thing: Any) -> int:
    """The count where none is exact."""
    return MANY


_LENT = sys.version_info >= (3, 14)
"""Since Python 3.14 a local name may lend its reference, so counts no longer say how many names there are."""

references_to = _many if _count is None or _LENT or not (_has_lock is None or _has_lock()) else _count
"""`sys.getrefcount` where a count includes the container, the local names and the question itself, as in
`references_to(x) == 3`; elsewhere a count that is never that small, so that nothing is taken for unused."""


def _counts(box: list[Any]) -> tuple[int, int]:
    """Strong and weak references to the one element of a list."""
    return tuple(map(call, (_count, getweakrefcount), box * 2))  # type: ignore[return-value, arg-type]


_BASELINE = _counts([set()])[0] if _count else 0
"""The count of an object that only the list refers to."""


def others(box: list[Any]) -> int:
    """The number of references to the one element of a list, except the list's own.

    >>> box = [{1, 2}]
    >>> others(box)
    0
    >>> also = box[0]
    >>> others(box)
    1
    """
    if _count is None or _has_lock is not None and not _has_lock():
        return MANY
    strong, weak = _counts(box)
    return strong - _BASELINE + weak
