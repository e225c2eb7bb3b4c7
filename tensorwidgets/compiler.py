"""torch.compiler: of it, the questions that libraries ask, and the marks that change nothing where nothing is compiled.

>>> import tensorwidgets as torch
>>> torch.compiler.is_compiling()
False
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["allow_in_graph", "assume_constant_result", "disable", "is_compiling", "is_dynamo_compiling", "is_exporting"]


def is_compiling() -> bool:
    """Whether this is being compiled. Here: no."""
    return False


def is_dynamo_compiling() -> bool:
    """Whether this is being compiled by following its bytecode. Here: no."""
    return False


def is_exporting() -> bool:
    """Whether this is being compiled for another program. Here: no."""
    return False


def disable(fn: Callable | None = None, recursive: bool = True, *, reason: str | None = None) -> Callable:
    """Mark a function that is not to be compiled; it stays as it is."""
    return allow_in_graph if fn is None else fn


def allow_in_graph(fn: Callable) -> Callable:
    """Mark a function that a compiler takes as it stands; it stays as it is."""
    return fn


def assume_constant_result(fn: Callable) -> Callable:
    """Mark a function that always gives the same; it stays as it is."""
    return fn


def __getattr__(name: str) -> Any:
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
