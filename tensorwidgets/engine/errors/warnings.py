"""Warnings that point at the user's line, however deep in the engine they arise."""

from __future__ import annotations

import sys
import warnings

_PACKAGE = __name__.partition(".")[0]

_told: set[str] = set()
_always = False


def warn(message: str, category: type[Warning] = UserWarning, *, once: bool = False) -> None:
    """Warn at the nearest line outside this package; what is said `once` is said once in a session."""
    if once and not _always:
        if message in _told:
            return
        _told.add(message)
    level = 2
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)


def warn_of_lost_part() -> None:
    """PyTorch's warning where complex numbers become real ones."""
    warn("Casting complex values to real discards the imaginary part", once=True)


def set_warn_always(b: bool, /) -> None:
    """Whether warnings that are said once are said each time.

    >>> set_warn_always(False)
    >>> is_warn_always_enabled()
    False
    """
    global _always
    _always = bool(b)


def is_warn_always_enabled() -> bool:
    """Whether warnings that are said once are said each time."""
    return _always
