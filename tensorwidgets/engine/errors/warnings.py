"""Warnings that point at the user's line, however deep in the engine they arise."""

from __future__ import annotations

import sys
import warnings

from .package import PACKAGE_NAME

_shown: set[str] = set()
_always = False


def warn(message: str, category: type[Warning] = UserWarning, *, once: bool | str = False) -> None:
    """Warn at the nearest line outside this package; with `once`, only the first time in a session.

    A text as `once` is what several messages have in common, of which one appears.
    """
    if once and not _always:
        key = message if once is True else str(once)
        if key in _shown:
            return
        _shown.add(key)
    level = 2
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE_NAME:
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)


def warn_of_lost_part() -> None:
    """PyTorch's warning where complex numbers become real ones."""
    warn("Casting complex values to real discards the imaginary part", once=True)


def set_warn_always(b: bool, /) -> None:
    """Choose whether warnings that normally appear once appear each time.

    >>> set_warn_always(False)
    >>> is_warn_always_enabled()
    False
    """
    global _always
    _always = b


def is_warn_always_enabled() -> bool:
    """Whether warnings that normally appear once appear each time."""
    return _always
