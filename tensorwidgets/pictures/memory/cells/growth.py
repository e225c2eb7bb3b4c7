"""What grew since the last look: the names that lead to more bytes than they did then."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...arrays.values import bytes_text, count
from ...drawing.html import div, escape, row, table, tag, td, th
from ...drawing.scene import columns
from ...drawing.tokens import LINE, MID, MONO, MUTED, SANS, TINT
from ...parts.to_scale import number
from ..census import Census

MOST = 5
"""How many names are told."""
GRAPHS = "what graphs keep"
"""Counted like a name: bytes that the graphs of named results keep and no name leads to."""
OFTEN = 3
"""From how many looks in a row on it is said that a name grew at each of them."""


@dataclass(frozen=True)
class Grown:
    """A name that leads to more than at the last look."""

    name: str
    before: int
    now: int
    more_arrays: int
    in_a_row: int
    """At how many looks in a row it grew, this one included."""

    def words(self) -> str:
        """`+800 bytes, 1 more array`."""
        arrays = f", {count(self.more_arrays, 'more array')}" if self.more_arrays > 0 else ""
        often = f"; it grew at each of the last {self.in_a_row} looks" if self.in_a_row >= OFTEN else ""
        return f"+{bytes_text(self.now - self.before)}{arrays}{often}"


@dataclass(frozen=True)
class Growth:
    """The names that grew, most first, with bars to scale."""

    grown: tuple[Grown, ...]
    more: int = 0

    def html(self) -> str:
        most = max(one.now for one in self.grown)
        rows = []
        left = "text-align:left;vertical-align:top;padding:4px 8px 4px 0"
        for one in self.grown:
            parts = _part(100 * one.before / most, f"background:{MID['green']}")
            parts += _part(100 * (one.now - one.before) / most, f"background:{TINT['green']};{_EDGE}")
            bar = div(parts, "height:12px;line-height:12px;font-size:0;white-space:nowrap;margin:3px 0 0")
            said = tag("b", escape(one.name)) + div(
                escape(one.words()), f"font:400 12px/16px {SANS};color:{MUTED};overflow-wrap:anywhere"
            )
            rows.append(row(th(said, "row", f"{left};font:400 12px/18px {MONO}") + td(bar, left)))
        title = div("Grew since the last look", f"font:600 12px/18px {SANS};margin:16px 0 2px")
        more = div(f"and {count(self.more, 'more name')}", f"font:400 12px/18px {SANS}") if self.more else ""
        return title + table(rows, [0, 190], cls="tw-grown") + more

    def text(self) -> str:
        rows = [[one.name, f"{bytes_text(one.before)} -> {bytes_text(one.now)}", one.words()] for one in self.grown]
        more = f"\nand {count(self.more, 'more name')}" if self.more else ""
        return "\nGrew since the last look\n" + columns(rows, left=True) + more


_EDGE = f"border-right:2px solid {LINE['green']};box-sizing:border-box"


def _part(wide: float, look: str) -> str:
    return tag("span", "", f"display:inline-block;height:12px;width:{number(max(wide, 1))}%;{look}") if wide else ""


@dataclass
class Looks:
    """Remembers how much each name of a notebook led to at the last look.

    >>> import numpy as np
    >>> from tensorwidgets.pictures.memory.census import census
    >>> looks, history = Looks(), [np.ones(2)]
    >>> looks.since(census({"history": history}, contents=False))
    >>> history.append(np.ones(3))
    >>> print(looks.since(census({"history": history}, contents=False)).text())
    <BLANKLINE>
    Grew since the last look
    history  16 bytes -> 40 bytes  +24 bytes, 1 more array
    """

    last: dict[str, tuple[int, int]] | None = None
    """Bytes and arrays of each name."""
    in_a_row: dict[str, int] = field(default_factory=dict)

    def since(self, now: Census) -> Growth | None:
        """What grew, None for nothing; and remembers this look."""
        here = sizes_by_name(now)
        here[GRAPHS] = now.graphs.nbytes, len(now.graphs.alone)
        before, self.last = self.last, here
        if before is None:
            return None
        grown = []
        streaks = {}
        for name, (nbytes, arrays) in here.items():
            old = before.get(name)
            if old is not None and nbytes > old[0]:
                streaks[name] = self.in_a_row.get(name, 0) + 1
                grown.append(Grown(name, old[0], nbytes, arrays - old[1], streaks[name]))
        self.in_a_row = streaks
        grown.sort(key=lambda one: one.before - one.now)
        return Growth(tuple(grown[:MOST]), max(len(grown) - MOST, 0)) if grown else None


def sizes_by_name(now: Census) -> dict[str, tuple[int, int]]:
    """Bytes of the storages that each outer name leads to, and how many arrays; a storage counts for each."""
    sizes: dict[str, tuple[int, int]] = {}
    for s in now.storages:
        inner = [_outer(one.name) for one in now.of(s)]
        for name in dict.fromkeys(inner):
            nbytes, arrays = sizes.get(name, (0, 0))
            sizes[name] = nbytes + s.nbytes * (not s.planned), arrays + inner.count(name)
    return sizes


def _outer(name: str) -> str:
    """The name that the way to an array begins with: `history` of `history[3].x`."""
    return re.split(r"[.\[]", name, maxsplit=1)[0]
