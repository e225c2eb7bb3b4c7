"""torch.compiler: of it, the questions that libraries ask, and the marks that change nothing where nothing is compiled.

>>> import tensorwidgets as torch
>>> torch.compiler.is_compiling()
False
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .engine.errors.reasons import refuse

__all__ = [
    "allow_in_graph", "assume_constant_result", "compile", "disable", "is_compiling", "is_dynamo_compiling",
    "is_exporting", "reset",
]  # fmt: skip
_MODES = ("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")


def is_compiling() -> bool:
    """Whether this is being compiled. Here: no."""
    return False


def is_dynamo_compiling() -> bool:
    """Whether this is being compiled by following its bytecode. Here: no."""
    return False


def is_exporting() -> bool:
    """Whether this is being compiled for another program. Here: no."""
    return False


def compile(
    model: Callable | None = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Callable = "inductor",
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    name: str | None = None,
    disable: bool = False,
    recompile_limit: int | None = None,
    isolate_recompiles: bool = False,
    shapes_spec: Any = None,
) -> Any:
    """Compile a function or a layer. Nothing is compiled here: it stays as it is, and Python runs it.

    >>> import tensorwidgets as torch
    >>> @torch.compile
    ... def double(x):
    ...     return 2 * x
    >>> double(torch.ones(2))
    tensor([2., 2.])
    """
    if mode is not None and options is not None:
        message = "Either mode or options can be specified, but both can't be specified at the same time."
        refuse(RuntimeError, message, "a mode is a choice of options", rule="argument.value")
    if mode is not None and mode not in _MODES:
        message = f"Unrecognized mode={mode}, should be one of: {', '.join(_MODES)}"
        refuse(RuntimeError, message, "none of them compiles here", rule="argument.value")
    if model is None:
        return compile
    if not callable(model):
        message = f"A callable function is expected, but {type(model)} is provided."
        refuse(AssertionError, message, "functions and layers are compiled", rule="argument.type")
    return model


def reset() -> None:
    """Forget what was compiled. Here: nothing."""


def disable(fn: Callable | None = None, recursive: bool = True, *, reason: str | None = None) -> Callable:
    """Mark a function that is not to be compiled; it stays as it is."""
    if fn is None:
        return disable
    return _function(fn, "fn must be callable")


def allow_in_graph(fn: Any) -> Any:
    """Mark a function, or several in a list, that a compiler takes as it stands; it stays as it is."""
    if isinstance(fn, (list, tuple)):
        return [allow_in_graph(each) for each in fn]
    return _function(fn, "allow_in_graph expects a callable")


def _function(fn: Callable, message: str) -> Callable:
    if not callable(fn):
        refuse(AssertionError, message, "functions are marked for the compiler", rule="argument.type")
    return fn


def assume_constant_result(fn: Callable) -> Callable:
    """Mark a function that always gives the same; it stays as it is."""
    return fn


def __getattr__(name: str) -> Any:
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
