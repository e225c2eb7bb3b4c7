"""Results with names, printed as PyTorch's: ``torch.return_types.max(values=…, indices=…)``."""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import Any

from .built_in import BuiltIn

_DICT = dict


class NamedResult(tuple):
    """A tuple whose places have names. It has no `_fields`, by which libraries know a `namedtuple`."""

    __match_args__: tuple[str, ...] = ()
    n_fields: int = 0
    n_sequence_fields: int = 0
    n_unnamed_fields: int = 0
    __slots__ = ()

    def __new__(cls, sequence: Any, dict: Any = None) -> Any:
        name, count = f"torch.return_types.{cls.__name__}", cls.n_fields
        try:
            values = tuple(sequence)
        except TypeError:
            raise TypeError("constructor requires a sequence") from None
        if dict is not None and type(dict) is not _DICT:
            raise TypeError(f"{name}() takes a dict as second arg, if any")
        if len(values) != count:
            raise TypeError(f"{name}() takes a {count}-sequence ({len(values)}-sequence given)")
        return tuple.__new__(cls, values)

    def __repr__(self) -> str:
        inside = ",\n".join(f"{name}={value!r}" for name, value in zip(self.__match_args__, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{inside})"

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.__match_args__:
            raise AttributeError("readonly attribute")
        object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple:
        return (result, (type(self).__name__, self.__match_args__, tuple(self)))


@cache
def kind(name: str, fields: tuple[str, ...]) -> type[NamedResult]:
    """The type of the results with these places."""
    members: dict[str, Any] = {"__match_args__": fields, "__slots__": (), "__module__": "torch.return_types"}
    members |= {"n_fields": len(fields), "n_sequence_fields": len(fields)}
    for i, field in enumerate(fields):
        members[field] = property(itemgetter(i), doc=field)
    made: type[NamedResult] = BuiltIn(name, (NamedResult,), members, package="torch.return_types")
    return made


def result(name: str, fields: tuple[str, ...], values: tuple) -> NamedResult:
    """A named result of an op.

    >>> result("max", ("values", "indices"), (1, 2)).indices
    2
    """
    return tuple.__new__(kind(name, fields), values)
