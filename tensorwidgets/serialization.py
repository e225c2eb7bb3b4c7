"""torch.serialization: `save` and `load` by another name, and the list of classes that libraries would let files hold.

What a file may hold is fixed here, so that no file runs code. A library may name more classes when it is imported; a
file that has one is refused when it is read.

>>> import tensorwidgets as torch
>>> torch.serialization.add_safe_globals([slice])
>>> torch.serialization.get_safe_globals()
[<class 'slice'>]
>>> torch.serialization.clear_safe_globals()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from .engine.files import load, save
from .engine.types.device import device

__all__ = ["add_safe_globals", "clear_safe_globals", "get_safe_globals", "load", "safe_globals", "save"]
DEFAULT_PROTOCOL = 2
MAP_LOCATION: TypeAlias = Callable[[Any, str], Any] | device | str | dict[str, str] | None

_named: list[Callable | tuple[Callable, str]] = []


def add_safe_globals(safe_globals: list[Callable | tuple[Callable, str]]) -> None:
    """Name classes and functions that a file may hold. Here they are kept, and `load` refuses them all the same."""
    _named.extend(each for each in safe_globals if each not in _named)


def get_safe_globals() -> list[Callable | tuple[Callable, str]]:
    """The classes and functions that were named."""
    return list(_named)


def clear_safe_globals() -> None:
    """Forget the classes and functions that were named."""
    _named.clear()


class safe_globals:  # noqa: N801 - PyTorch's name
    """Names classes and functions that a file may hold for the time of a block."""

    def __init__(self, safe_globals: list[Callable | tuple[Callable, str]]):
        self.safe_globals = safe_globals

    def __enter__(self) -> None:
        self._before = get_safe_globals()
        add_safe_globals(self.safe_globals)

    def __exit__(self, *error: object) -> None:
        _named[:] = self._before


def __getattr__(name: str) -> Any:
    from .engine.errors.missing_names import missing

    missing(__name__, name, __all__)
