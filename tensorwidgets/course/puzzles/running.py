"""What an answer does: run on each case, and seen as plain numbers, whatever library it ran on."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, nan
from typing import Any, NamedTuple

from tensorwidgets.course.checking.plainly import Table, plainly, table_of
from tensorwidgets.course.checking.tensors_asked import share
from tensorwidgets.pictures.arrays.layout import Layout
from tensorwidgets.pictures.arrays.sources import is_array

from .puzzle import Puzzle


class Outcome(NamedTuple):
    """What one run came to. Two answers with equal outcomes are the same to a puzzle."""

    parts: tuple[Table, ...] = ()
    """The tables that are compared with the wanted ones; none where there is a refusal."""
    dtype: str = ""
    names: tuple[str | None, ...] = ()
    copied: bool = False
    refused: str = ""
    """Why there is no result."""


def run(puzzle: Puzzle, function: Callable[..., Any], given: tuple[Any, ...]) -> Outcome:
    """The outcome of a function on one case, which it may not survive: an exception becomes a refusal."""
    x = given[0]
    follows = puzzle.asks in ("gradient", "both")
    try:
        if follows:
            x = x.clone().requires_grad_()
        gave = function(x, *given[1:])
        if not is_array(gave):
            return Outcome(refused=f"it gives {_named(gave)}, and not a tensor")
        if not follows:
            return _of_result(puzzle, gave, x)
        if not gave.requires_grad:
            return Outcome(refused="no gradient reaches x: nothing in it depends on x, or all of it is detached")
        gave.sum().backward()
        result = (_table(gave.detach()),) if puzzle.asks == "both" else ()
        return Outcome((*result, _table(x.grad)))
    except Exception as wrong:
        first = (str(wrong).splitlines() or [""])[0]
        return Outcome(refused=f"{type(wrong).__name__}: {first}")


def _of_result(puzzle: Puzzle, gave: Any, x: Any) -> Outcome:
    names = tuple(gave.names) if puzzle.asks == "names" else ()
    plain = gave.rename(None) if names else gave
    layout = Layout.of(plain, values=False)
    parts = [_table(plain)]
    if puzzle.asks == "memory":
        count = len(parts[0].values)
        parts.append(_table(plain.as_strided((count,), (1,), 0)))
    return Outcome(tuple(parts), layout.dtype, names, puzzle.asks == "view" and not share(plain, x))


def wanted(puzzle: Puzzle, given: tuple[Any, ...]) -> tuple[Table, ...]:
    """The wanted tables of one case."""
    found = puzzle.wanted(*(_lists(one) for one in given))
    listed = found if len(puzzle.parts) > 1 else (found,)
    return tuple(_rounded(table_of(one)) for one in listed)


def table_given(one: Any) -> Table:
    """What goes in, as a table."""
    return _table(one)


def _lists(one: Any) -> Any:
    return (one.rename(None) if _has_names(one) else one).tolist()


def _has_names(one: Any) -> bool:
    return any(name is not None for name in getattr(one, "names", ()))


def _table(one: Any) -> Table:
    plain = plainly(one.rename(None) if _has_names(one) else one)
    if not isinstance(plain, (Table, bool, int, float)):
        raise ValueError("the result is too large to be looked at")
    return _rounded(plain if isinstance(plain, Table) else Table((), (plain,)))


def _rounded(table: Table) -> Table:
    """To four decimals, where two right ways may round differently. There is one NaN, so that it equals itself."""
    return Table(table.size, tuple(_number(v) if isinstance(v, float) else v for v in table.values))


def _number(v: float) -> float:
    return nan if isnan(v) else round(v, 4)


def _named(value: Any) -> str:
    return "nothing (None)" if value is None else f"{type(value).__name__} {value!r}"[:60]
