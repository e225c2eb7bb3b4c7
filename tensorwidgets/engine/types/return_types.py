"""Results with names, printed as PyTorch's: ``torch.return_types.max(values=…, indices=…)``."""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import Any

from .built_in import BuiltIn


class NamedResult(tuple):
    """A tuple whose places have names."""

    _fields: tuple[str, ...] = ()
    __slots__ = ()

    def __repr__(self) -> str:
        inside = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{inside})"

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._fields:
            raise AttributeError("readonly attribute")
        object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple:
        return (result, (type(self).__name__, self._fields, tuple(self)))


@cache
def kind(name: str, fields: tuple[str, ...]) -> type[NamedResult]:
    """The type of the results with these places."""
    members: dict[str, Any] = {"_fields": fields, "__slots__": (), "__module__": "torch.return_types"}
    for i, field in enumerate(fields):
        members[field] = property(itemgetter(i), doc=field)
    made: type[NamedResult] = BuiltIn(name, (NamedResult,), members, package="torch.return_types")
    return made


def result(name: str, fields: tuple[str, ...], values: tuple) -> NamedResult:
    """A named result of an op.

    >>> result("max", ("values", "indices"), (1, 2)).indices
    2
    """
    return kind(name, fields)(values)
