"""Memory that a cell leaves alive although no name in the map leads to it, and what keeps it."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...arrays.holders import CYCLE, holders
from ...arrays.tracing.log import Block
from ...arrays.values import bytes_text
from ...drawing.html import div, escape
from ...drawing.tokens import LINE, MONO, TINT
from .statements import Line

MOST = 4
"""How many are shown."""
WORTH = 1 << 20
"""Memory that a library keeps for itself is shown from this many bytes on."""


@dataclass(frozen=True)
class Leak:
    """Bytes that are still alive, the lines that allocated them, and what keeps them."""

    nbytes: int
    blocks: int
    numbers: tuple[int, ...]
    """The statements that allocated them, counted from 0; -1 for what was there before."""
    holder: str
    last: str = ""
    """The last of several, which differ in their numbers: `a[64]` and `a[99]`."""

    def words(self, lines: Mapping[int, int]) -> str:
        """`800 bytes of line 2 are still alive, and no name in the map leads to them: f._cache keeps them`.

        `lines` maps statements to the numbers of their lines.
        """
        own = sorted({lines[k] for k in self.numbers if k in lines})
        of = f" of line{'s' if len(own) > 1 else ''} {', '.join(map(str, own))}" if own else ""
        return f"{bytes_text(self.nbytes)}{of} are still alive, and no name in the map leads to them: {self._why()}"

    def _why(self) -> str:
        if self.last:
            return f"{self.holder} to {self.last} keep them"
        way = "gc.collect()" if self.holder == CYCLE else "%reset -f out" if self.holder.startswith("Out[") else ""
        return f"{self.holder} keeps them" + (f": {way} frees them" if way else "")


def leaks(hidden: Mapping[Hashable, Block], names: Mapping[str, Any]) -> tuple[Leak, ...]:
    """Hidden blocks, grouped by what keeps them, the largest first."""
    keys = [key for key in hidden if isinstance(key, tuple)]
    found = holders({key: hidden[key].nbytes for key in keys}, names)
    grouped: dict[str, list[tuple[str, Block]]] = {}
    for key in keys:
        holder = found.get(key, "")
        grouped.setdefault(pattern(holder), []).append((holder, hidden[key]))
    result = []
    for pairs in grouped.values():
        nbytes = sum(block.nbytes for _, block in pairs)
        first, last = min(pairs, key=_by_number)[0], max(pairs, key=_by_number)[0]
        if nbytes < WORTH and (not first or first.startswith("the module ")):
            continue
        numbers = tuple(sorted({block.line for _, block in pairs}))
        holder = first or "something outside of Python's objects"
        result.append(Leak(nbytes, len(pairs), numbers, holder, last if last != first else ""))
    return tuple(sorted(result, key=lambda leak: -leak.nbytes))


def pattern(holder: str) -> str:
    """What holders have in common that differ in a number.

    >>> pattern("thing._kept[12].w")
    'thing._kept[].w'
    """
    return re.sub(r"\[\d+\]", "[]", holder)


def _by_number(pair: tuple[str, Block]) -> list[int]:
    return [int(digits) for digits in re.findall(r"\[(\d+)\]", pair[0])]


@dataclass(frozen=True)
class LeakRow:
    """One of them, in words, beside an edge."""

    leak: Leak
    lines: Mapping[int, int]

    def html(self) -> str:
        look = f"border-left:4px double {LINE['vermillion']};background:{TINT['vermillion']};padding:6px 10px"
        return div(escape(self.text()), f"{look};margin:8px 0 0;font:400 12px/18px {MONO};overflow-wrap:anywhere")

    def text(self) -> str:
        return self.leak.words(self.lines)


def leak_rows(found: Sequence[Leak], lines: Sequence[Line]) -> list[LeakRow]:
    """A row for each, the largest first."""
    numbers = {k: line.number for k, line in enumerate(lines)}
    return [LeakRow(leak, numbers) for leak in found[:MOST]]
