"""How our engine is called as a sample asks for it, in the form that can be differentiated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.operators.ask import answer

ON_A_CLONE = frozenset(("zero_",))
"""Operators that exist in place alone: the database writes to a copy, since a leaf cannot be written to."""


def called(name: str, variant: str) -> Callable[..., Any]:
    """The operator as a function of a sample's arguments."""

    def call(input: Any, *args: Any, **named: Any) -> Any:
        given = input.clone() if name in ON_A_CLONE else input
        return answer(name, variant, given, list(args), named)

    return call


def on_a_clone(op: Callable[..., Any]) -> Callable[..., Any]:
    """The in-place form of an operator, on a copy."""

    def call(input: Any, *args: Any, **named: Any) -> Any:
        copy = input.clone()
        op(copy, *args, **named)
        return copy

    return call
