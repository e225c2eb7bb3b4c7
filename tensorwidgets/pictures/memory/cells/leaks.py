"""What a cell leaves alive that no name of the map leads to, and who keeps it."""

from __future__ import annotations

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
"""How many are told."""
WORTH = 1 << 20
"""What a library keeps for itself is told from this many bytes on."""


@dataclass(frozen=True)
class Leak:
    """Bytes that live on, the lines that allocated them, and who keeps them."""

    nbytes: int
    blocks: int
    numbers: tuple[int, ...]
    """The statements that allocated them, counted from 0; -1 for what was there before."""
    holder: str

    def words(self, lines: Mapping[int, int]) -> str:
        """`800 bytes of line 2 are alive behind no name: f._cache keeps them`; `lines` are the numbers of lines."""
        own = sorted({lines[k] for k in self.numbers if k in lines})
        of = f" of line{'s' if len(own) > 1 else ''} {', '.join(map(str, own))}" if own else ""
        return f"{bytes_text(self.nbytes)}{of} are alive behind no name above: {self._why()}"

    def _why(self) -> str:
        return f"{self.holder} keeps them" + (": gc.collect() frees them" if self.holder == CYCLE else "")


def leaks(hidden: Mapping[Hashable, Block], names: Mapping[str, Any]) -> tuple[Leak, ...]:
    """Hidden blocks by who keeps them, the largest first."""
    keys = [key for key in hidden if isinstance(key, tuple)]
    found = holders(keys, names)
    grouped: dict[str, list[Block]] = {}
    for key in keys:
        holder = found.get(key, "")
        grouped.setdefault(holder, []).append(hidden[key])
    result = []
    for holder, blocks in grouped.items():
        nbytes = sum(block.nbytes for block in blocks)
        if nbytes < WORTH and (not holder or holder.startswith("the module ")):
            continue
        numbers = tuple(sorted({block.line for block in blocks}))
        result.append(Leak(nbytes, len(blocks), numbers, holder or "something outside of Python's objects"))
    return tuple(sorted(result, key=lambda leak: -leak.nbytes))


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
