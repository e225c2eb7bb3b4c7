"""Classes that are registered by what they are: with fields, as dataclasses are, or constant."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from ...engine.errors.reasons import refuse
from ...engine.errors.warnings import warn
from .containers import CONTAINERS, Container
from .keys import GetAttrKey

CONSTANTS: set[type] = set()
"""Classes whose objects have no leaves."""


@dataclasses.dataclass(frozen=True, slots=True)
class ConstantNode:
    """What a spec keeps of a constant."""

    value: Any


def register_dataclass(
    cls: type,
    *,
    field_names: list[str] | None = None,
    drop_field_names: list[str] | None = None,
    serialized_type_name: str | None = None,
) -> None:
    """Make a class a container of its fields; those that are None, or dropped, are no children.

    >>> from dataclasses import dataclass
    >>> from tensorwidgets.utils._pytree import tree_map
    >>> @dataclass
    ... class Point:
    ...     x: int
    ...     y: int
    >>> register_dataclass(Point)
    >>> tree_map(lambda number: number * 10, Point(1, 2)).y
    20
    """
    names = _fields_of(cls, field_names, drop_field_names or [])

    def flatten(tree: Any) -> tuple[list[Any], Any]:
        values = {name: getattr(tree, name) for name in names}
        there = [name for name in names if values[name] is not None]
        return [values[name] for name in there], [there, [name for name in names if values[name] is None]]

    def unflatten(children: Iterable[Any], context: Any) -> Any:
        there, empty = context
        return cls(**dict(zip(there, children, strict=True)), **dict.fromkeys(empty))

    _register(cls, Container(flatten, unflatten, lambda tree: [GetAttrKey(name) for name in flatten(tree)[1][0]]))


def _fields_of(cls: type, field_names: list[str] | None, dropped: list[str]) -> list[str]:
    """The names of the fields that are children, refused if they are not those that the class is made with."""
    if not dataclasses.is_dataclass(cls):
        if field_names is None:
            refuse(
                ValueError,
                f"field_names must be specified with a list of all fields used to initialize {cls}, as it is not a "
                "dataclass.",
                "only dataclasses know their fields",
                rule="argument.value",
            )
        return field_names
    own = [f.name for f in dataclasses.fields(cls) if f.init]
    if field_names is None:
        return own
    wanted, given = set(own) - set(dropped), set(field_names)
    if wanted != given:
        message = "field_names does not include all dataclass fields.\n"
        if wanted - given:
            message += (
                f"Missing fields in `field_names`: {wanted - given}. If you want to include these fields in the "
                "pytree, please add them to `field_names`, otherwise please add them to `drop_field_names`.\n"
            )
        if given - wanted:
            message += (
                f"Unexpected fields in `field_names`: {given - wanted}. Please remove these fields, or add them to "
                "`drop_field_names`.\n"
            )
        refuse(ValueError, message, "a tree is put together again from all of its fields", rule="argument.value")
    return field_names


def register_constant(cls: type) -> None:
    """Make a class a container without leaves: its objects stay as they are, and specs compare them.

    >>> from dataclasses import dataclass
    >>> from tensorwidgets.utils._pytree import tree_flatten
    >>> @dataclass(frozen=True)
    ... class Norm:
    ...     order: int
    >>> register_constant(Norm)
    >>> tree_flatten([Norm(2), 5])[0]
    [5]
    """
    for name in ("__eq__", "__hash__"):
        if getattr(cls, name) is (object.__eq__ if name == "__eq__" else None):
            refuse(
                TypeError,
                f"register_constant(cls) expects `cls` to have a non-default `{name}` implementation.",
                "two specs are equal if their constants are",
                rule="argument.type",
            )
    _register(cls, Container(lambda tree: ([], ConstantNode(tree)), lambda children, node: node.value, lambda tree: []))
    CONSTANTS.add(cls)


def is_constant_class(cls: Any) -> bool:
    """Whether `register_constant` was called with this class."""
    return isinstance(cls, type) and cls in CONSTANTS


def _register(cls: type, container: Container) -> None:
    """These classes may be registered again, with a warning."""
    if cls in CONTAINERS:
        warn(f"{cls} is already registered as pytree node. Overwriting the previous registration.")
    CONTAINERS[cls] = container
