"""Whether in-place writes to leaves are refused. Gradients themselves are not computed here yet."""

from __future__ import annotations

import threading
from contextlib import ContextDecorator

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


class set_grad(ContextDecorator):
    """A stretch of code in which gradient recording is on, or off."""

    _on = False

    def __init__(self, mode: bool | None = None):
        self._wanted = self._on if mode is None else bool(mode)

    def __enter__(self) -> None:
        self._before = set_grad_enabled(self._wanted)

    def __exit__(self, *exc: object) -> None:
        set_grad_enabled(self._before)


class no_grad(set_grad):
    """Nothing is recorded for gradients; writes to leaves are allowed.

    >>> with no_grad():
    ...     grad_enabled()
    False
    """


class enable_grad(set_grad):
    """Recording for gradients is on again."""

    _on = True
