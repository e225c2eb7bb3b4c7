"""Long sweeps in two parts: the plain run asks some of the items, and `pytest -m thorough` asks the others."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

import pytest


class Part(NamedTuple):
    """One item in so many, or the rest of them.

    >>> Part(3).of(range(8)), Part(3, rest=True).of(range(8))
    ([0, 3, 6], [1, 2, 4, 5, 7])

    With `kind` the first of each kind is among those of the plain run, and one in so many of the others:

    >>> Part(2).of("aaaaabc", kind=str.upper), Part(2, rest=True).of("aaaaabc", kind=str.upper)
    (['a', 'a', 'a', 'b', 'c'], ['a', 'a'])
    """

    every: int = 1
    rest: bool = False

    def of(self, items: Iterable[Any], kind: Callable[[Any], Hashable] | None = None) -> list[Any]:
        """The items of this part, in their order."""
        kinds, kept, others = set[Hashable](), [], 0
        for item in items:
            new = kind is not None and kind(item) not in kinds
            if kind is not None:
                kinds.add(kind(item))
            if self.rest is not (new or others % self.every == 0):
                kept.append(item)
            others += not new
        return kept

    def takes(self, number: int) -> bool:
        """Whether the item with this number belongs to this part, where nobody knows how many there are."""
        return self.rest is not (number % self.every == 0)

    def least(self, plain: int, rest: int) -> int:
        """How many items there are at least."""
        return rest if self.rest else plain

    def __str__(self) -> str:
        return f"the rest of {self.every}" if self.rest else f"1 in {self.every}"


ALL = Part()
"""The whole of a sweep."""

_THOROUGH = pytest.mark.thorough


def two_parts(every: int) -> list[Any]:
    """One item in so many, and the rest, as the parameters of a fixture; the rest is thorough."""
    return [pytest.param(Part(every)), pytest.param(Part(every, rest=True), marks=_THOROUGH)]


def in_parts(every: int) -> Any:
    """The test is run twice, and is given the `part` of its sweep to ask: one item in so many, or the rest."""
    return pytest.mark.parametrize("part", two_parts(every), ids=str)


def thorough_but(plain: Iterable[Any], values: Iterable[Any]) -> list[Any]:
    """Values for `parametrize`: those of the plain run, which are named, and the others, which are thorough.

    A tuple is the values of several arguments, as it is to `parametrize`.
    """
    kept, given = list(plain), list(values)
    assert kept and all(value in given for value in kept)

    def thorough(value: Any) -> Any:
        return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=_THOROUGH)

    return [value if value in kept else thorough(value) for value in given]
