"""What calls take: flags, numbers and times, keys and values of a store. Refusals begin as those of PyTorch's C++."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NoReturn


def refuse_type(call: str, wanted: str) -> NoReturn:
    """Refuse an argument of another type."""
    raise TypeError(
        f"{call}(): incompatible function arguments. The following argument types are supported:\n    {wanted}"
    )


def refuse_to_make(wanted: str) -> NoReturn:
    """Refuse an argument of another type for a new object."""
    raise TypeError(
        f"__init__(): incompatible constructor arguments. The following argument types are supported:\n    {wanted}"
    )


def is_flag(given: Any) -> bool:
    """Whether something is true or false, and not merely empty or full."""
    return given is None or hasattr(type(given), "__bool__")


def flag(given: Any, name: str, call: str = "") -> None:
    """Refuse what is neither true nor false."""
    if not is_flag(given):
        refuse_type(call, f"{name} is a bool, not {type(given).__name__}")


def text(call: str, given: Any) -> bytes:
    """A key or a value as bytes."""
    if isinstance(given, bytes):
        return given
    if not isinstance(given, str):
        refuse_type(call, "keys and values are str or bytes")
    return given.encode()


def texts(call: str, given: Any) -> list[bytes]:
    """Several keys or values."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        refuse_type(call, "keys and values come in a list")
    return [text(call, each) for each in given]


def number(call: str, given: Any) -> int:
    """An int."""
    if not hasattr(given, "__index__"):
        refuse_type(call, "the number is an int")
    return int(given.__index__())


def duration(call: str, given: Any) -> float:
    """A time in seconds."""
    if isinstance(given, float):
        return given
    if not isinstance(given, timedelta):
        refuse_type(call, "the timeout is a datetime.timedelta")
    return given.total_seconds()
