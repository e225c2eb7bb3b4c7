"""Which strings are valid names, how messages list names, and which dimension has a name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ..errors.reasons import Reason, sure

Names = tuple[str | None, ...]
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def listed(names: Sequence[str | None]) -> str:
    """Names as PyTorch prints them in its messages.

    >>> listed(("a", None))
    "['a', None]"
    """
    return "[" + ", ".join(quoted(name) for name in names) + "]"


def quoted(name: str | None) -> str:
    return "None" if name is None else f"'{name}'"


def words(names: Iterable[object]) -> Names | Reason:
    """The names, if each is valid; "*" means no name, like None.

    >>> words(["batch", "*"])
    ('batch', None)
    """
    known: list[str | None] = []
    for name in names:
        if name is not None and not isinstance(name, str):
            return Reason(
                "names.type", TypeError, f"expected None or string for Dimname but got {type(name).__name__}",
                f"A name is a word or None, and {name!r} is neither.",
            )  # fmt: skip
        if name == "*":
            name = None
        if name is not None and not IDENTIFIER.fullmatch(name):
            return no_identifier(name)
        known.append(name)
    return tuple(known)


def checked(names: Iterable[object], ndim: int) -> Names | Reason:
    """The names, if they are valid for a tensor of `ndim` dimensions."""
    known = words(names)
    if isinstance(known, Reason):
        return known
    if len(known) != ndim:
        return Reason(
            "names.count", RuntimeError,
            f"Number of names ({len(known)}) and number of dimensions in tensor ({ndim}) do not match. Attempted to "
            f"create a tensor with names {listed(known)}",
            f"{len(known)} names for {ndim} dimensions: each dimension has one, or None.",
            ("None for a dimension that has no name",), {"names": known, "dims": ndim},
        )  # fmt: skip
    return no_doubles(known) or known


def no_identifier(name: str) -> Reason:
    return Reason(
        "names.identifier", RuntimeError,
        "Invalid name: a valid identifier contains only digits, alphabetical characters, and/or underscore and "
        f"starts with a non-digit. got: '{name}'.",
        f"'{name}' is not an identifier.",
        ("letters, digits and underscores, no digit in front",), {"name": name},
    )  # fmt: skip


def no_doubles(names: Names) -> Reason | None:
    double = next((name for k, name in enumerate(names) if name is not None and name in names[:k]), None)
    if double is None:
        return None
    return Reason(
        "names.double", RuntimeError,
        f"Cannot construct a tensor with duplicate names. Got names: {listed(names)}.",
        f"'{double}' would name {names.count(double)} dimensions, so it could not tell them apart.",
        ("a name of its own for each dimension",), {"name": double, "names": names},
    )  # fmt: skip


def position(names: Names, name: str) -> int | Reason:
    """The dimension that has a name.

    >>> position(("batch", "channel"), "channel")
    1
    """
    if name in names:
        return names.index(name)
    if name == "*":
        return Reason(
            "names.star", RuntimeError, "Please look up dimensions by name, got: name = None.",
            "* stands for a dimension without a name, and there may be several of those.", ("a number",),
        )  # fmt: skip
    if not IDENTIFIER.fullmatch(name):
        return no_identifier(name)
    known = [n for n in names if n is not None]
    return Reason(
        "names.unknown", RuntimeError, f"Name '{name}' not found in Tensor{listed(names)}.",
        f"The dimensions are called {', '.join(known)}." if known else "None of the dimensions has a name.",
        () if known else ("x.refine_names(...) gives names to dimensions that have none",),
        {"name": name, "names": names},
    )  # fmt: skip


def without(names: Names, dims: Iterable[int]) -> Names:
    """The names that remain after some dimensions are removed.

    >>> without(("batch", "channel", "width"), (1, -1))
    ('batch',)
    """
    gone = {d % len(names) for d in dims} if names else ()
    return tuple([name for d, name in enumerate(names) if d not in gone])


def numbers_of(names: Names, dims: Any) -> Any:
    """Replace names of dimensions by their numbers; anything else is returned unchanged.

    >>> numbers_of(("batch", "channel"), "channel"), numbers_of(("batch", "channel"), ["batch"])
    (1, [0])
    >>> numbers_of(("batch",), -1)
    -1
    """
    if isinstance(dims, str):
        return sure(position(names, dims))
    if isinstance(dims, (tuple, list)) and dims and isinstance(dims[0], str):
        sure(words(dims))
        return type(dims)([sure(position(names, "*" if name is None else name)) for name in dims])
    return dims
