"""What a puzzle is: what goes in, what is wanted, which tools there are, and the slips that are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Asks = Literal["values", "view", "memory", "names", "gradient", "both"]
"""What is looked at: the result; the result and that nothing was copied; the result and the order in memory; the
result and its names; the gradient; the result and the gradient."""

PARTS: dict[Asks, tuple[str, ...]] = {
    "values": ("result",),
    "view": ("result",),
    "memory": ("result", "its memory"),
    "names": ("result",),
    "gradient": ("gradient",),
    "both": ("result", "gradient"),
}
BRACKETS, ARITHMETIC, COMPARING, BITS, MATMUL = "[ ]", "+ - * / // % **", "comparisons", "& | ^ ~ and shifts", "@"
"""The tools that are no names. A puzzle lists them beside the names of methods."""


class Slip(NamedTuple):
    """A wrong answer that many would give, and what is said to it.

    It keeps to the rules of its puzzle. Another answer with the same outcome gets the same sentence.
    """

    source: str
    says: str


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """One puzzle."""

    number: int
    title: str
    stars: int
    """From 1 to 5."""
    par: int
    """How many characters a good answer takes, without blanks and without `lambda x:`."""
    takes: tuple[str, ...]
    given: Callable[[Any], Sequence[tuple[Any, ...]]]
    """From a library to the cases: the first is drawn, the others keep a copied picture from passing."""
    wanted: Callable[..., Any]
    """From the given numbers, as nested lists, to the wanted ones. Where two parts are wanted, a tuple of two."""
    rule: str
    tools: tuple[str, ...]
    nudge: str
    slips: tuple[Slip, ...]
    asks: Asks = "values"
    dtype: str | None = None
    """The dtype of the result. None: it follows from the tools."""
    names: tuple[str, ...] = ()
    """The names of the result's dimensions."""
    given_names: tuple[tuple[str, ...], ...] = ()
    """The names of the dimensions of what goes in."""
    calls: int | None = None
    """How many calls there may be. None: any number."""

    @property
    def parts(self) -> tuple[str, ...]:
        """What the wanted pictures are called."""
        return PARTS[self.asks]

    @property
    def signature(self) -> str:
        """How an answer begins: `lambda x, y:`."""
        return f"lambda {', '.join(self.takes)}:"

    @property
    def longest(self) -> int:
        """More characters than this are refused."""
        return max(3 * self.par, 40)


def numbers(library: Any, *size: int, first: int = 1, step: int = 1) -> Any:
    """Whole numbers in reading order, all different.

    >>> import tensorwidgets as torch
    >>> numbers(torch, 2, 3, first=10, step=5)
    tensor([[10, 15, 20],
            [25, 30, 35]])
    """
    count = 1
    for length in size:
        count *= length
    return library.arange(first, first + step * count, step).reshape(size)
