"""The stations of one call, from what was called to what computes. `show.route("add", a, b)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..arrays.sources import is_array, library_of
from ..arrays.values import count
from ..drawing.html import div, escape, framed, row, table, td
from ..drawing.picture import Picture
from ..drawing.scene import Block, Sentence, Title, note
from ..drawing.tokens import EDGE, INK, LINE, MID, MONO, MUTED, PAPER, TINT, WIDTH

REFUSED = "refused"


def route_picture(stations: Sequence[tuple[str, str]]) -> Picture:
    """The picture of a call's stations, each a place and what happens there."""
    (_, called), *rest = stations
    name = called.partition(":")[0]
    blocks: list[Block] = [Title(f"The path of {name}", count(len(stations), "station")), Line(tuple(stations))]
    chosen = next((s for s in rest if s[0] not in ("recording", "keys", "kernel")), rest[0] if rest else stations[0])
    after = "The keys of the arguments choose the path, and nothing else does."
    if any(station == "autocast" for station, _ in rest):
        after = "The open block of autocast chooses the dtypes; the keys of the arguments choose the rest of the path."
    return Picture([*blocks, Sentence(chosen[0], chosen[1], after)])


@dataclass(frozen=True)
class Line:
    """Boxes with arrows between them; the one where the way was chosen is filled."""

    stations: tuple[tuple[str, str], ...]

    def html(self) -> str:
        n = len(self.stations)
        arrow = 24
        wide = min(260, (WIDTH - arrow * (n - 1)) // n)
        cells = ""
        for k, (place, what) in enumerate(self.stations):
            if k:
                cells += td("→", f"font:400 18px/20px {MONO};color:{MUTED}")
            cells += td(self._inside(place, what), self._look(place, what), f"k-A{k}", note(place, what))
        widths = [wide, *[w for _ in range(n - 1) for w in (arrow, wide)]]
        return framed(table([row(cells)], widths, cls="tw-route", least=min(n, 5) * 110))

    def _inside(self, place: str, what: str) -> str:
        head = div(escape(place), f"font:600 13px/20px {MONO};color:{INK}")
        return head + div(escape(what), f"font:400 11px/16px {MONO};color:{INK}")

    def _look(self, place: str, what: str) -> str:
        look = "text-align:left;vertical-align:top;padding:8px 10px;white-space:normal;overflow-wrap:break-word;"
        if REFUSED in what:
            return look + f"background:{TINT['vermillion']};border:2px dashed {LINE['vermillion']}"
        if place in ("call", "keys", "recording"):
            return look + f"background:{PAPER};border:1px solid {EDGE}"
        if place == "kernel":
            return look + f"background:{TINT['green']};border:1px solid {EDGE}"
        return look + f"background:{MID['blue']};border:1px solid {EDGE}"

    def text(self) -> str:
        width = max(len(place) for place, _ in self.stations)
        return "\n".join(f"{place:<{width}}  {what}" for place, what in self.stations)


def called_route(op: Any, args: tuple, kwargs: dict) -> Any:
    """The stations of a call that is not made, or those of a route that is there already."""
    if hasattr(op, "stations"):
        return op.stations
    if is_array(op) or not (isinstance(op, str) or callable(op)):
        raise TypeError("show.route() takes the name of an op, and its arguments after it: show.route('add', x, 1)")
    from ...engine.dispatch.route import stations

    for thing in (*args, *kwargs.values()):
        if is_array(thing) and (library := library_of(thing)) != "tensorwidgets":
            raise TypeError(
                "show.route draws the path of a call through tensorwidgets, and a call with "
                f"{'a tensor' if library == 'PyTorch' else 'an array'} of {library} does not take it"
            )
    return stations(op, args, kwargs)
