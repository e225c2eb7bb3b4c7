"""torch.jit: of it, the questions that libraries ask before they compute, and the marks that change nothing here.

There is no compiler of models, so nothing is ever being compiled.

>>> import tensorwidgets as torch
>>> torch.jit.is_scripting() or torch.jit.is_tracing()
False
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["annotate", "export", "ignore", "is_scripting", "is_tracing", "script_if_tracing", "unused"]


def is_scripting() -> bool:
    """Whether this is being compiled from its source. Here: no."""
    return False


def is_tracing() -> bool:
    """Whether this is being compiled by following its calls. Here: no."""
    return False


def annotate(the_type: Any, the_value: Any) -> Any:
    """Returns the value; the type is only for compilers."""
    return the_value


def export(fn: Callable) -> Callable:
    """Mark a function for a compiler; it stays as it is."""
    return fn


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """Mark a function that a compiler leaves to Python; it stays as it is."""
    return drop if callable(drop) else export


def unused(fn: Callable) -> Callable:
    """Mark a function that a compiler leaves out; it stays as it is."""
    return fn


def script_if_tracing(fn: Callable) -> Callable:
    """Compile a function where its calls are followed, which never happens here; it stays as it is."""
    return fn


def __getattr__(name: str) -> Any:
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
