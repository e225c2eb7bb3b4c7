"""What leads from a container to one of its children: a place, a key or a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class SequenceKey:
    """A place in a sequence."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclass(frozen=True)
class MappingKey:
    """A key of a dictionary."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclass(frozen=True)
class GetAttrKey:
    """A field of a named tuple."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


KeyPath = tuple[Any, ...]


def places(values: Any) -> list[Any]:
    """The places of a sequence."""
    return [SequenceKey(place) for place in range(len(values))]


def keys(values: Any) -> list[Any]:
    """The keys of a dictionary."""
    return [MappingKey(key) for key in values]


def fields(values: Any) -> list[Any]:
    """The fields of a named tuple."""
    return [GetAttrKey(name) for name in values._fields]
