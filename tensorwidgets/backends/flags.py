"""Switches that are stored, as PyTorch stores them, and change nothing here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from ..engine.errors.reasons import refuse
from ..engine.tensor.type_names import type_name


def checked(value: Any, setter: str) -> bool:
    """A value for a switch, which is True or False."""
    if not isinstance(value, bool):
        refuse(
            RuntimeError,
            f"{setter} expects a bool, but got {type_name(value)}",
            "a switch is on or off",
            "True",
            rule="argument.type",
        )
    return value


class Flag:
    """A switch as an attribute of a module; `setter` is PyTorch's name of what sets it."""

    def __init__(self, value: bool, setter: str):
        self.value, self.setter = value, setter

    def __get__(self, module: object, kind: type | None = None) -> bool:
        return self.value

    def __set__(self, module: object, value: Any) -> None:
        self.value = checked(value, self.setter)


def give(module: str, flags: dict[str, Any]) -> None:
    """Let a module have flags."""
    kind = type("Module", (ModuleType,), dict(flags))
    sys.modules[module].__class__ = kind


def put(module: str, values: dict[str, Any]) -> None:
    """Set attributes of a module; None leaves one as it is."""
    for name, value in values.items():
        if value is not None:
            setattr(sys.modules[module], name, value)


@contextmanager
def while_set(module: str, values: dict[str, Any]) -> Iterator[None]:
    """Attributes of a module that have other values inside a block."""
    before = {name: getattr(sys.modules[module], name) for name in values}
    put(module, values)
    try:
        yield
    finally:
        put(module, before)
