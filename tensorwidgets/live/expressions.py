"""Code that a person types. The engine evaluates it step by step; Python's `eval` is never used."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..engine.errors.reasons import Reason
from ..pictures.arrays.expression import Step, steps_of
from ..pictures.arrays.layout import Layout
from ..pictures.arrays.sources import is_array
from .typed.integers import refused


def taken(source: str, names: Mapping[str, Any]) -> list[Step] | Reason:
    """The steps of an expression, or the reason why it is invalid.

    >>> [step.code for step in taken("x.T[1:]", {"x": np.ones((2, 3))})]
    ['x', '.T', '[1:]']
    >>> taken("x +", {}).because
    'It has to be one Python expression.'
    """
    try:
        steps = steps_of(source, names)
    except Exception as error:
        return reason_of(error.__cause__ or error)
    # A name that is not there has no step; its error says so.
    return steps if steps[-1].stage is not None else reason_of(steps[-1].error or ValueError(source))


def reason_of(error: BaseException) -> Reason:
    """The engine's reason for an error, or a reason made from the error's message."""
    known = getattr(error, "reason", None)
    if isinstance(known, Reason):
        # The way out of a name that is not given is a call with it, and here nothing is called.
        return replace(known, instead=()) if known.rule == "expression.unknown" else known
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    return Reason("live.refused", type(error) if isinstance(error, Exception) else RuntimeError, text)


def modules(things: Sequence[Any]) -> dict[str, Any]:
    """What an expression may call besides the arrays: NumPy, and the arrays' own library as `torch`."""
    names: dict[str, Any] = {"np": np}
    for thing in things:
        library = sys.modules.get(type(thing).__module__.partition(".")[0])
        if library is not None and hasattr(library, "as_strided"):
            names["torch"] = library
    return names


def drawable(value: Any) -> bool:
    """Whether it is a strided array."""
    if not is_array(value):
        return False
    try:
        Layout.of(value, values=False)
    except (TypeError, RuntimeError, NotImplementedError):
        return False
    return True


def no_array(code: str, value: Any) -> Reason:
    """The reason for an expression whose value is not an array."""
    kind = type(value).__name__
    text = f"{code} gives {'an' if kind[0] in 'aeiou' else 'a'} {kind}, and only strided arrays are drawn."
    return refused("value", text)
