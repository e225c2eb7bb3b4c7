"""torch.jit: of it, the questions that libraries ask before they compute, and the marks that change nothing here.

There is no compiler of models, so nothing is ever being compiled: what `script` returns is what it was given, and
Python runs it.

>>> import tensorwidgets as torch
>>> torch.jit.is_scripting() or torch.jit.is_tracing()
False
>>> @torch.jit.script
... def double(x: torch.Tensor) -> torch.Tensor:
...     return 2 * x
>>> double(torch.ones(2))
tensor([2., 2.])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ..engine.errors.reasons import refuse
from ..engine.errors.warnings import warn
from ..nn.modules.module import Module

__all__ = [
    "Attribute", "Error", "Final", "ScriptFunction", "ScriptModule", "annotate", "export", "ignore", "is_scripting",
    "is_tracing", "script", "script_if_tracing", "unused",
]  # fmt: skip


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
    if callable(drop):
        return drop
    if not isinstance(drop, bool):
        message = f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}"
        refuse(RuntimeError, message, "it marks a function", "@torch.jit.ignore", rule="argument.type")
    if drop:
        warn(
            "ignore(True) has been deprecated. TorchScript will now drop the function call on compilation. Use "
            "torch.jit.unused now. {}",
            FutureWarning,
        )
    return export


def unused(fn: Callable) -> Callable:
    """Mark a function that a compiler leaves out; it stays as it is."""
    return fn


def script_if_tracing(fn: Callable) -> Callable:
    """Compile a function where its calls are followed, which never happens here; it stays as it is."""
    return fn


_script_if_tracing = script_if_tracing
_overload = _overload_method = unused


class Error(Exception):
    """What a compiled function raises. None is compiled here: it is there to be caught."""


class Attribute(NamedTuple):
    """A value, and the type by which a compiler knows it.

    >>> Attribute(3, int).value
    3
    """

    value: Any
    type: Any


class ScriptModule(Module):
    """A compiled layer, of which there are none here: a class to ask for with `isinstance`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        refuse(
            NotImplementedError,
            f"torch.jit.{type(self).__name__} is for later",
            "no layer is compiled here",
            "torch.nn.Module",
            rule="name.later",
        )


class ScriptFunction:
    """A compiled function, of which there are none here: a class to ask for with `isinstance`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        message = f"torch.jit.{type(self).__name__} is for later"
        refuse(NotImplementedError, message, "no function is compiled here", "the function", rule="name.later")


def script(obj: Any, optimize: Any = None, _frames_up: int = 0, _rcb: Any = None, example_inputs: Any = None) -> Any:
    """Compile a function, a class or a layer. Nothing is compiled here: it stays as it is, and Python runs it."""
    warn("`torch.jit.script` is deprecated. Please switch to `torch.compile` or `torch.export`.", DeprecationWarning)
    if obj is None or isinstance(obj, (int, float, complex, str, tuple)):
        message = f"{type(obj)} is a built-in class"
        refuse(TypeError, message, "functions, classes and layers are compiled", rule="argument.type")
    return obj


class TracerWarning(Warning):
    """What a tracer warns of. Nothing is traced here."""


_TO_COME = ("freeze", "fork", "load", "optimize_for_inference", "save", "trace", "trace_module", "wait")


def __getattr__(name: str) -> Any:
    if name in _TO_COME:
        from ..engine.compat.to_come import to_come

        return to_come(__name__, name)
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
