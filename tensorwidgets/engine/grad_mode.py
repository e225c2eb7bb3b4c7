"""Whether in-place writes to leaves are refused. Gradients themselves are not computed here yet."""

from __future__ import annotations

import threading

_state = threading.local()


def grad_enabled() -> bool:
    """Whether gradient recording is on in this thread; it is, unless it was switched off.

    >>> grad_enabled()
    True
    """
    return getattr(_state, "enabled", True)


def set_grad_enabled(on: bool) -> bool:
    """Switch it, and answer what it was."""
    before = grad_enabled()
    _state.enabled = bool(on)
    return before
