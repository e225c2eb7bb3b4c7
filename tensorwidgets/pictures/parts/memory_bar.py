"""A storage as a bar to scale, and views on it as combs: the spacing of teeth is the stride, their number the size.

Where teeth are too close, the next bar shows the start of the view larger, and a funnel leads to it. All widths are
parts of a hundred, so a bar is as wide as its host lets it be. Places are margins, because JupyterLab removes a `left`
in parts of a hundred from what it does not trust.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from ..arrays.combs import Comb, Level, Tooth, runs, solid, teeth
from ..drawing.html import div, escape, tag
from ..drawing.inline import Ink, Line, axis, markup, words
from ..drawing.tokens import (
    CHANNELS,
    EDGE,
    HOT,
    INK,
    MID,
    MONO,
    MUTED,
    PAPER,
    RULE,
    TINT,
    WASH,
    axis_colour,
    hatch,
    hue,
    line,
)
from .to_scale import placed, ramp

DRAWN = 256
"""The largest number of teeth in one comb of the picture."""
HIGH, LANE, ARCH, TOOTH = 18, 10, 14, 10
"""Pixels: a bar, the bar of one of several views, an arch, a tooth."""
NAMED = 2
"""How wide a tooth is, in parts of a hundred, that bears the letter of its colour."""
MANY, LEAST = 9, 0.7
"""Up to how many teeth all have arches, and the narrowest arch in parts of a hundred."""
LANES = 6
"""How many rows teeth that overlap are drawn in."""


STRIPES = f"background:linear-gradient(90deg,#0000 50%,{PAPER} 50%) 0 0/4px 4px"
"""Over what is read with gaps too small to draw."""


@dataclass(frozen=True)
class Reach:
    """A view, for the bars: its combs, and the words for each of them."""

    name: str
    combs: tuple[Comb, ...]
    said: tuple[str, ...]
    """The stride, the size and what they mean, one for each comb."""
    steps: tuple[str, ...]
    """The stride, for its arches: `+8,192`."""
    at: int
    """The first element's byte."""
    itemsize: int
    """Of an element; 0 where the view has none."""
    channel: int | None = None
    """The dimension of an image's colours."""


class Again(NamedTuple):
    """A dimension of stride 0, and the words for it."""

    dim: int
    size: int
    said: str


@dataclass(frozen=True)
class Bar:
    """One level: a run of bytes, what is read of it, and the combs of one view below it."""

    level: Level
    caption: Line
    aside: str
    nbytes: int
    """Of the whole storage: a colour is a place in it."""
    reaches: tuple[Reach, ...]
    """The views that colour the bar."""
    view: Reach | None = None
    """The view whose combs are below the bar."""
    frame: tuple[int, int] | None = None
    """What the next bar, or the cells, show larger."""
    mark: tuple[int, int] | None = None
    """The element that is the example."""
    ends: tuple[str, str] = ("", "")
    repeats: tuple[Again, ...] = ()
    """Dimensions of stride 0, drawn with the whole storage."""
    lines: tuple[str, ...] = ()
    """What the text says of the view: a line for each dimension."""
    letter: str = ""
    """Of the storage."""
    ghost: bool = False
    """Whether the storage is a plan without bytes."""
    high: int = HIGH
    foot: int = 0
    """The bytes of a cell, in whose middle arches stand; 0 where there are no cells."""

    # -- HTML --------------------------------------------------------------------------------------------------

    def html(self) -> str:
        head = f"{tag('span', escape(self.aside), 'float:right')}{markup(self.caption)}"
        out = div(head, f"font:400 12px/18px {MONO};color:{MUTED};margin:0 0 3px")
        out += div(self._read() + self._marks(), self._look(), "tw-bar")
        if self.ends[1]:
            ends = tag("span", escape(self.ends[1]), "float:right") + escape(self.ends[0])
            out += div(ends, f"font:400 11px/16px {MONO};color:{MUTED}")
        if self.view is not None:
            out += "".join(self.comb(self.view, k) for k in self.level.combs)
            if self.level.dense is not None:
                out += self.filled(self.view, self.level.dense)
            out += "".join(self.again(self.view, again) for again in self.repeats)
        return out

    def _look(self) -> str:
        if self.ghost:
            return f"position:relative;height:{self.high}px;border:1px dotted {EDGE}"
        return f"position:relative;height:{self.high}px;{hatch()};border:solid {EDGE};border-width:1px 0"

    def at(self, byte: int) -> float:
        """Where a byte is, in parts of a hundred."""
        return 100 * (byte - self.level.start) / max(self.level.nbytes, 1)

    def box(self, start: int, stop: int) -> str:
        """The style of what lies on these bytes; what reaches over an edge is cut there."""
        left, right = max(self.at(start), 0.0), min(self.at(stop), 100.0)
        return placed(left, right)

    def _read(self) -> str:
        out = ""
        for reach in () if self.ghost else self.reaches:
            which = max(self.level.combs if reach is self.view else _all_drawn(reach, self.level), default=-1)
            start, stop = self.level.start, self.level.stop
            whole = solid(reach.combs, which)
            for run in runs(reach.combs, which, reach.itemsize, reach.at, start, stop, DRAWN):
                stripes = "" if whole else div("", f"height:{self.high}px;{STRIPES}")
                fill = f"background:{ramp(run.start, run.stop, self.nbytes)}"
                # What is narrower than a pixel would be lost.
                look = f"{self.box(run.start, run.stop)};height:{self.high}px;min-width:2px"
                out += div(stripes, f"{look};{fill}")
        return out

    def _marks(self) -> str:
        """The frame of what is below, and the mark of the example, which the script moves to the cell in hand."""
        out, look = "", ""
        if self.frame is not None and self.level.start < self.frame[1] and self.frame[0] < self.level.stop:
            look = f"box-sizing:border-box;border:2px solid {INK};top:-3px;height:{self.high + 6}px"
            out += div("", f"{self.box(*self.frame)};{look}")
        first, last = self.mark or (self.level.stop, self.level.stop + 1)
        wide = 100 * (last - first) / max(self.level.nbytes, 1)
        inside = 0 <= self.at(first) < 100
        left = self.at(first) if inside else -9
        look = f"{placed(left, left + wide)};min-width:3px"
        mark = div("", f"{look};height:{self.high}px;background:{HOT}", self._classes())
        return out + div(mark, f"position:absolute;width:100%;height:{self.high}px;overflow:hidden")

    def _classes(self) -> str:
        """What the script knows of a bar: its storage, its first byte, and how many there are."""
        return f"tw-at k-{self.letter} {self.level.start} {self.level.nbytes}" if self.letter else ""

    def comb(self, view: Reach, which: int) -> str:
        """The teeth of one comb, arches between the first of them, and its words."""
        comb = view.combs[which]
        found = self.teeth(view, which)
        lanes = min(-(-comb.wide // abs(comb.step)), LANES)
        inner = self._arches(view, which, [tooth for tooth in found if tooth.lead])
        high = TOOTH if lanes == 1 else TOOTH - 4
        colour, tint = axis_colour(comb.dim), (TINT if lanes == 1 else MID)[hue(comb.dim)]
        side = "left" if comb.step > 0 else "right"
        for tooth in found:
            look = f"1px solid {RULE};background:{WASH}"
            letter = ""
            if tooth.lead and comb.dim == view.channel:
                letter, tint = list(CHANNELS.items())[tooth.number]
                letter = "" if self.at(tooth.stop) - self.at(tooth.start) < NAMED else letter
            if tooth.lead:
                look = f"2px {line(comb.dim)} {colour};background:{tint}"
            top = ARCH + tooth.number % lanes * (high + 1)
            look = f"top:{top}px;height:{high}px;box-sizing:border-box;border-{side}:{look}"
            if lanes > 1:
                look += f";border-{'right' if side == 'left' else 'left'}:2px solid {PAPER}"
            if letter:
                look += f";font:700 9px/{high}px {MONO};color:{INK};text-align:center"
            inner += div(letter, f"{self.box(tooth.start, tooth.stop)};{look}")
        html = self._said(view, which)
        return html + div(inner, f"position:relative;height:{ARCH + lanes * (high + 1)}px", "tw-comb")

    def filled(self, view: Reach, which: int) -> str:
        """A comb whose teeth are too close to be told apart."""
        comb = view.combs[which]
        colour = axis_colour(comb.dim)
        side = "left" if comb.step > 0 else "right"
        look = f"border-{side}:2px {line(comb.dim)} {colour};box-sizing:border-box;height:{TOOTH}px"
        teeth = f"background:{TINT[hue(comb.dim)]} linear-gradient(90deg,{colour} 25%,#0000 25%) 0 0/4px 4px"
        inner = "".join(
            div("", f"{self.box(run.start, run.stop)};{look};{teeth}")
            for run in runs(view.combs, which - 1, view.itemsize, view.at, self.level.start, self.level.stop, DRAWN)
        )
        return self._said(view, which) + div(inner, f"position:relative;height:{TOOTH}px", "tw-filled")

    def again(self, view: Reach, again: Again) -> str:
        """A dimension of stride 0: the same place, drawn as a pile of sheets."""
        said = div(markup(axis(again.said, again.dim, under=False)), f"font:400 11px/16px {MONO};margin:6px 0 0")
        inner = ""
        low, high = (view.combs[0].start, view.combs[0].stop) if view.combs else (view.at, view.at + view.itemsize)
        look = f"box-sizing:border-box;height:8px;background:{TINT[hue(again.dim)]}"
        for k in range(min(again.size, 4)):
            edge = f"border:1px {'dotted' if k else 'solid'} {axis_colour(again.dim)}"
            inner += div("", f"{self.box(low, high)};top:{4 * k}px;{look};{edge}")
        return said + div(inner, f"position:relative;height:{4 * min(again.size, 4) + 4}px", "tw-again")

    def teeth(self, view: Reach, which: int) -> list[Tooth]:
        """The teeth that are drawn: no more than one picture holds, each place once, those of the first comb last."""
        level = self.level
        kept = level.kept if which == level.fixed else 0
        found: dict[int, Tooth] = {}
        for tooth in islice(teeth(view.combs, which, level.start, level.stop, kept), 8 * DRAWN):
            found.setdefault(tooth.start, tooth)
            if len(found) == DRAWN:
                break
        return sorted(found.values(), key=lambda tooth: tooth.lead)

    def _said(self, view: Reach, which: int) -> str:
        said: tuple[str | Ink, ...] = (axis(view.said[which], view.combs[which].dim, under=False),)
        level = self.level
        if level.kept and which == level.fixed:
            said = (*said, f"; the first {level.kept} are drawn")
        return div(markup(said), f"font:400 11px/16px {MONO};color:{MUTED};margin:6px 0 0")

    def arches(self, view: Reach, which: int) -> str:
        """The arches of a comb alone: where a step fits."""
        if abs(view.combs[which].step) >= self.level.nbytes:
            return ""
        return self._arches(view, which, [tooth for tooth in self.teeth(view, which) if tooth.lead])

    def _arches(self, view: Reach, which: int, first: Sequence[Tooth]) -> str:
        """An arch from each tooth to the next with the step in it; of many, the first three with the step beside."""
        comb, text = view.combs[which], view.steps[which]
        far = 100 * abs(comb.step) / max(self.level.nbytes, 1)
        fits = far >= 2.4 * len(text) + 1
        count = len(first) if fits and len(first) <= MANY else 4 if far > 1.5 else 2
        colour, out, end = axis_colour(comb.dim), "", -1.0
        face = f"top:0;height:{ARCH}px;font:400 11px/13px {MONO};color:{colour}"
        look = (
            f"box-sizing:border-box;border:{2 if far > 1.5 else 1}px {line(comb.dim)};border-bottom:0;"
            f"border-radius:{'7px 7px' if far > 1.5 else '3px 3px'} 0 0;"
            f"text-align:center;{face}"
        )
        for here, there in zip(first[:count], first[1:count], strict=False):
            left, right = sorted((self.foot_of(here, comb), self.foot_of(there, comb)))
            if far < LEAST or right > 100 or left < 0:
                break
            out += div(escape(text) if fits else "", f"{placed(left, right)};{look}")
            end = right if comb.step > 0 else 100 - left
        if not fits and 0 <= end < 60:
            room = (
                f"{placed(end, 100)};text-align:left" if comb.step > 0 else f"{placed(0, 100 - end)};text-align:right"
            )
            out += div(escape(text), f"{room};box-sizing:border-box;padding:0 6px;white-space:nowrap;{face}")
        return out

    def foot_of(self, tooth: Tooth, comb: Comb) -> float:
        """Where an arch stands on a tooth: on its first edge, or in the middle of a cell."""
        if self.foot:
            return self.at(tooth.start) + 50 * self.foot / self.level.nbytes
        return self.at(tooth.start if comb.step > 0 else tooth.stop)

    # -- text --------------------------------------------------------------------------------------------------

    def text(self) -> str:
        if self.level.fixed or self.level.kept:
            return ""
        head = f"{words(self.caption)}: {self.aside}" if self.aside else words(self.caption)
        return "\n".join([head, *(f"  {line}" for line in self.lines)])


def _all_drawn(reach: Reach, level: Level) -> list[int]:
    """The combs of a view that can be told apart on a bar that is not about it."""
    out = []
    for k, comb in enumerate(reach.combs):
        if level.nbytes > 128 * abs(comb.step):
            break
        out.append(k)
    return out
