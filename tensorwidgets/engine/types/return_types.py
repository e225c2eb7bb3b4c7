"""Results with names, printed as PyTorch's: ``torch.return_types.max(values=…, indices=…)``."""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import Any


class NamedResult(tuple):
    """A tuple whose places have names."""

    _fields: tuple[str, ...] = ()
    __slots__ = ()

    def __repr__(self) -> str:
        inside = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{inside})"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'torch.return_types.{type(self).__name__}' object has no attribute '{name}'")

    def __setitem__(self, at: Any, value: Any) -> None:
        """Refused in PyTorch's words."""
        raise TypeError(f"'torch.return_types.{type(self).__name__}' object does not support item assignment")

    def __reduce__(self) -> tuple:
        return (result, (type(self).__name__, self._fields, tuple(self)))


@cache
def kind(name: str, fields: tuple[str, ...]) -> type[NamedResult]:
    """The type of the results with these places."""
    members: dict[str, Any] = {"_fields": fields, "__slots__": (), "__module__": "torch.return_types"}
    for i, field in enumerate(fields):
        members[field] = property(itemgetter(i), doc=field)
    return type(name, (NamedResult,), members)


def result(name: str, fields: tuple[str, ...], values: tuple) -> NamedResult:
    """A named result of an op.

    >>> result("max", ("values", "indices"), (1, 2)).indices
    2
    """
    return kind(name, fields)(values)
