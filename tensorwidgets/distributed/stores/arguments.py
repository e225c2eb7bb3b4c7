"""What the calls of a store take: keys and values as bytes, numbers and times."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NoReturn


def _refuse(call: str, wanted: str) -> NoReturn:
    raise TypeError(
        f"{call}(): incompatible function arguments. The following argument types are supported:\n    {wanted}"
    )


def text(call: str, given: Any) -> bytes:
    """A key or a value as bytes."""
    if isinstance(given, bytes):
        return given
    if not isinstance(given, str):
        _refuse(call, "keys and values are str or bytes")
    return given.encode()


def texts(call: str, given: Any) -> list[bytes]:
    """Several keys or values."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        _refuse(call, "keys and values come in a list")
    return [text(call, each) for each in given]


def number(call: str, given: Any) -> int:
    """An int."""
    if not hasattr(given, "__index__"):
        _refuse(call, "the number is an int")
    return int(given.__index__())


def duration(call: str, given: Any) -> float:
    """A time in seconds."""
    if not isinstance(given, timedelta):
        _refuse(call, "the timeout is a datetime.timedelta")
    return given.total_seconds()
