"""One thread at a time changes and draws explorers.

A kernel answers the browser in one thread while a cell that sets traits runs in another. It may hand two questions
about one explorer to both: JupyterLab asks in the thread of the cells until it has another one.

>>> with alone(), alone():
...     pass
"""

from __future__ import annotations

import os
import threading
from contextlib import AbstractContextManager
from typing import Any

_lock = threading.RLock()


def alone() -> AbstractContextManager[Any]:
    """Held by the thread that changes explorers. It is one for all of them, because one may set another."""
    return _lock


def _in_a_child() -> None:
    """A forked process has one thread, and may have copied the lock while another one held it."""
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_a_child)
