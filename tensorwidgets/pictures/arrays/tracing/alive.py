"""Arrays that existed before the log, and whose end it will still notice."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from .log import Log
from .numpy_blocks import OURS


class Alive:
    """Arrays whose end a log notices, by their allocator or by a weak reference.

    A user's own array gets no weak reference: NumPy would refuse to resize it.
    """

    def __init__(self, arrays: Iterable[Any], log: Log):
        self.keys: set[tuple[str, int]] = set()
        self._references: dict[tuple[str, int], Any] = {}
        for array in arrays:
            inner = getattr(array, "_array", array)
            if not isinstance(inner, np.ndarray):
                continue
            root = root_of(inner)
            if root is None:
                continue
            key = ("cpu", root.__array_interface__["data"][0])
            if root.base is None:
                if _handler_of(root) == OURS:
                    self.keys.add(key)
            elif key not in self._references:
                self._references[key] = weakref.ref(root, partial(_died, log, key))
                self.keys.add(key)


def root_of(array: np.ndarray) -> np.ndarray | None:
    """The array that a view is a view of in the end: one that owns its bytes, or one over an allocator's memory.

    >>> a = np.ones(4)
    >>> root_of(a[1:][::2]) is a, root_of(np.frombuffer(b"12", "u1"))
    (True, None)
    """
    base = array.base
    while type(base) is np.ndarray:
        array, base = base, base.base
    if base is None or isinstance(base, np.ndarray):
        return array
    return None


def _died(log: Log, key: tuple[str, int], _: Any) -> None:
    log.died(key)


def _handler_of(array: np.ndarray) -> str:
    try:
        return str(np._core.multiarray.get_handler_name(array))  # type: ignore[attr-defined]
    except (AttributeError, TypeError):
        return ""
