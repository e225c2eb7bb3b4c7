"""The board: which puzzles are solved, in how many characters, and how many stars that makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tensorwidgets.pictures.drawing.html import div, escape, row, table, tag, td, th
from tensorwidgets.pictures.drawing.picture import Picture
from tensorwidgets.pictures.drawing.scene import Block, Sentence, Title, columns
from tensorwidgets.pictures.drawing.tokens import EDGE, INK, LINE, MUTED, PAPER, SANS, TINT, WASH

from .asked import ALL, ROOMS
from .drawing import FULL
from .puzzle import Puzzle


def score(puzzle: Puzzle, length: int | None) -> str:
    """What a tile says: nothing yet, par, or the distance from it.

    >>> score(ALL[12], None), score(ALL[12], 11), score(ALL[12], 9), score(ALL[12], 14)
    ('', 'par', '-2', '+3')
    """
    if length is None:
        return ""
    return f"{length - puzzle.par:+d}" if length != puzzle.par else "par"


@dataclass(frozen=True)
class Tiles:
    """A line for each room of puzzles, with a tile for each puzzle."""

    best: Mapping[int, int]
    """The length of the shortest right answer to each puzzle that is solved."""

    def html(self) -> str:
        lines = []
        most = max(map(len, ROOMS.values()))
        for name, room in ROOMS.items():
            head = th(escape(name), "row", f"text-align:left;font:600 12px/16px {SANS};color:{INK}")
            tiles = "".join(self._tile(one) for one in room)
            lines.append(row(head + tiles + td() * (most - len(room))))
        return table(lines, [100] + [49] * most, spacing="4px 6px", cls="tw-board")

    def _tile(self, puzzle: Puzzle) -> str:
        length = self.best.get(puzzle.number)
        said = score(puzzle, length)
        solved = length is not None
        colour = LINE["green"] if solved else MUTED
        top = div(str(puzzle.number), f"font:700 13px/18px {SANS};color:{INK if solved else MUTED}")
        shown = tag("span", FULL * puzzle.stars, f"font-size:9px;color:{LINE['orange'] if solved else MUTED}")
        below = div(escape(said) or "&#160;", f"font:600 11px/14px {SANS};color:{colour}")
        paper = TINT["green"] if solved and length <= puzzle.par else WASH if solved else PAPER  # type: ignore[operator]
        edge = f"1px solid {LINE['green'] if solved else EDGE}"
        what = f"{puzzle.title}, {'solved' if solved else 'open'}"
        look = f"background:{paper};border:{edge};border-radius:6px;padding:3px 0;vertical-align:top"
        return td(top + div(shown, "line-height:12px") + below, look, title=what)

    def text(self) -> str:
        return columns([
            [name, *(f"{one.number}:{score(one, self.best.get(one.number)) or '.'}" for one in room)]
            for name, room in ROOMS.items()
        ])  # fmt: skip


def drawn(best: Mapping[int, int]) -> Picture:
    """The board for the shortest answers so far.

    >>> print(repr(drawn({12: 11, 13: 13})).splitlines()[-2])
    2 of 30 solved: 2 of 77 stars, 2 under par in all
    """
    known = {number: length for number, length in best.items() if number in ALL}
    earned, all_stars = (sum(ALL[n].stars for n in some) for some in (known, ALL))
    over = sum(length - ALL[n].par for n, length in known.items())
    under = sum(length < ALL[n].par for n, length in known.items())
    where = "at par" if not over else f"{abs(over)} {'over' if over > 0 else 'under'} par"
    said = f"{earned} of {all_stars} stars" + (f", {where} in all" if known else "")
    after = f"{under} beaten: shorter than par." if under else ""
    if len(known) == len(ALL):
        after = "All thirty. " + after
    blocks: list[Block] = [Title("The board", f"par in all {sum(one.par for one in ALL.values())}"), Tiles(known)]
    return Picture([*blocks, Sentence(f"{len(known)} of {len(ALL)} solved", said, after.strip(), "green")])
