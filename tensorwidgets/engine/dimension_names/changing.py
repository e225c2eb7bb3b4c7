"""The results of refine_names, rename and align_to on the names of a tensor.

In a list of names, `...` (or "...") stands for the dimensions that it does not mention.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..errors.reasons import Reason
from .words import Names, checked, listed, no_doubles, quoted, words


def is_rest(name: object) -> bool:
    """Whether this stands for the dimensions that are not mentioned."""
    return name is Ellipsis or name == "..."


def rest_in(call: str, wanted: Sequence[Any]) -> int | None | Reason:
    """The position of `...` among the names, or None."""
    places = [k for k, name in enumerate(wanted) if is_rest(name)]
    if len(places) > 1:
        return Reason(
            "names.ellipsis", RuntimeError,
            f"{call}: More than one Ellipsis ('...') found in names ({tuple(wanted)}). This function supports up to "
            "one Ellipsis.",
            "... stands for all dimensions that the list does not mention, so it can appear once only.", ("one ...",),
        )  # fmt: skip
    return places[0] if places else None


def expanded(call: str, names: Names, wanted: Sequence[Any]) -> tuple[Any, ...] | Reason:
    """The names for all dimensions, with `...` replaced by the names that the tensor has there.

    >>> expanded("rename", ("batch", "channel", "width"), (..., "time"))
    ('batch', 'channel', 'time')
    """
    at = rest_in(call, wanted)
    if at is None or isinstance(at, Reason):
        return tuple(wanted) if at is None else at
    after = len(wanted) - at - 1
    return (*wanted[:at], *names[at : len(names) - after], *wanted[at + 1 :])


def refine(names: Names, wanted: Sequence[Any]) -> Names | Reason:
    """Add names to dimensions without one. A dimension that has a name must be given the same one.

    >>> refine((None, "channel"), ("batch", ...))
    ('batch', 'channel')
    >>> refine(("batch",), ("time",)).facts["names"]
    ('batch', 'time')
    """
    given = expanded("refine_names", names, wanted)
    known = given if isinstance(given, Reason) else words(given)
    if isinstance(known, Reason):
        return known
    said = f"refine_names: cannot coerce Tensor{listed(names)} to Tensor{listed(known)} because "
    if len(known) != len(names):
        return Reason(
            "names.count", RuntimeError,
            f"{said}they have a different number of dims ({len(names)} and {len(known)} respectively).",
            f"{len(known)} names for {len(names)} dimensions: each dimension has one, or None.",
            ("... among the names stands for the others",), {"names": known, "dims": len(names)},
        )  # fmt: skip
    double = no_doubles(known)
    if double is not None:
        return double
    for k, (own, new) in enumerate(zip(names, known, strict=True)):
        if own is not None and own != new:
            how = "is more specific than None" if new is None else f"is different from '{new}'"
            return Reason(
                "names.refine", RuntimeError, f"{said}'{own}' {how} at index {k}",
                f"Dimension {k} is called '{own}' already, and refine_names takes no name away.",
                (f"x.rename({own}={new!r})",), {"names": (own, new), "dim": k},
            )  # fmt: skip
    return known


def renamed(call: str, names: Names, wanted: Sequence[Any], changes: Mapping[str, Any]) -> Names | Reason:
    """The names after `rename`: new ones for all dimensions, or for those that are mentioned.

    >>> renamed("rename", ("batch", "channel"), (), {"channel": "colour"})
    ('batch', 'colour')
    >>> renamed("rename", ("batch", "channel"), (None,), {})
    (None, None)
    """
    if wanted and changes:
        return Reason(
            "names.rename", RuntimeError,
            f"{call}: This function takes either positional args or keyword args, but not both. Use "
            f"tensor.{call}(*names) to name dims and tensor.{call}(**rename_map) to rename dims.",
            "Names by position are for all dimensions, names by keyword for those that change.",
            (f"x.{call}({', '.join(f'{k}={v!r}' for k, v in changes.items())})",),
        )  # fmt: skip
    if not changes:
        if len(wanted) == 1 and wanted[0] is None:
            return (None,) * len(names)
        given = expanded(call, names, wanted)
        return given if isinstance(given, Reason) else checked(given, len(names))
    for old, new in changes.items():
        if old not in names:
            return Reason(
                "names.unknown", RuntimeError,
                f"{call}: Tried to rename dim '{old}' to dim {new} in Tensor[{names}] but dim '{old}' does not exist",
                f"The dimensions are called {listed(names)}.", (), {"name": old, "names": names},
            )  # fmt: skip
    return checked([changes.get(name, name) if name is not None else None for name in names], len(names))


class Aligned(NamedTuple):
    """Names in a new order, and the old position of each: None for a new dimension of size 1."""

    names: Names
    order: tuple[int | None, ...]


def align_to(names: Names, wanted: Sequence[str | None]) -> Aligned | Reason:
    """The dimensions in the order of `wanted`; `...` stands for those that it does not mention.

    >>> align_to(("batch", "channel", "width"), ("width", "...", "time"))
    Aligned(names=('width', 'batch', 'channel', 'time'), order=(2, 0, 1, None))
    """
    dots = rest_in("align_to", wanted)
    if isinstance(dots, Reason):
        return dots
    known = words([name for name in wanted if not is_rest(name)])
    if isinstance(known, Reason):
        return known
    listed_names = known if dots is None else (*known[:dots], "...", *known[dots:])
    if dots is not None:
        if None in known:
            return _unnamed_target(known)
        rest = tuple(name for name in names if name is None or name not in listed_names)
        at = listed_names.index("...")
        order_names = listed_names[:at] + rest + listed_names[at + 1 :]
    else:
        order_names = listed_names
        for k, name in enumerate(names):
            if name is None:
                return _unnamed(names, k)
            if name not in order_names:
                return _dropped(name, order_names)
    double = no_doubles(order_names)
    if double is not None:
        return double
    spare = [k for k, name in enumerate(names) if name is None]
    order = []
    for name in order_names:
        if name is None:
            order.append(spare.pop(0) if spare else None)
        else:
            order.append(names.index(name) if name in names else None)
    return Aligned(order_names, tuple(order))


def _unnamed_target(wanted: Names) -> Reason:
    return Reason(
        "names.unnamed", RuntimeError,
        f"align_to: the desired order of dimensions cannot contain a None name, got {listed(wanted)}",
        "... stands for all dimensions that the list does not mention, and None names none of them.",
        ("a name for the new dimension",), {"names": wanted},
    )  # fmt: skip


def _unnamed(names: Names, at: int) -> Reason:
    return Reason(
        "names.unnamed", RuntimeError,
        f"align_to: All input dims must be named. Found unnamed dim at index {at} of Tensor{listed(names)}",
        f"Dimension {at} has no name, so its new position is unknown.",
        ("x.refine_names(...) gives names to dimensions that have none",), {"dim": at},
    )  # fmt: skip


def _dropped(name: str | None, wanted: Names) -> Reason:
    return Reason(
        "names.lost", RuntimeError,
        f"align_to: Cannot find dim {quoted(name)} from Tensor{listed(wanted)} in desired alignment {listed(wanted)}.",
        f"{quoted(name)} is missing from the list, and align_to never drops a dimension.",
        ("'...' among the names stands for the others",), {"name": name},
    )  # fmt: skip
