"""The history of an allocator: bytes in use and reserved over time, and the steps around the one that is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ..drawing.curves import SCALE, Curves
from ..drawing.html import div, escape, row, table, td, th
from ..drawing.scene import columns, note
from ..drawing.tokens import CLASH, CLASH_TINT, CURVE, EDGE, HOT, LINE, MID, MONO, MUTED, SANS, WASH
from .allocator_rows import LABEL, WIDE, Unit
from .allocator_states import States

AROUND, HIGH = 8, 66
"""How many steps have a cell of their own, and how high the chart is."""
FITS = 8
"""How many letters a step's cell has room for."""
SIGNS = {"alloc": "+", "free": "−", "late": "−", "empty": "empty", "oom": "+"}


class Moment(NamedTuple):
    """One step in a few words."""

    sign: str
    key: str
    words: str
    bad: bool

    @property
    def fitting(self) -> str:
        """The sign as its cell can hold it: whole, without its size, or with an ellipsis; never a cut number."""
        if len(self.sign) <= FITS:
            return self.sign
        what, *_, last = self.sign.split(" ")
        short = f"{what} {last}" if self.bad or last == "seg" else self.sign.rpartition(" ")[0]
        short = self.sign if short == what else short
        return short if len(short) <= FITS else f"{short[: FITS - 1]}…"


@dataclass(frozen=True)
class History:
    """The chart and the steps."""

    states: States
    k: int
    unit: Unit

    @property
    def window(self) -> range:
        """The steps that have a cell: the k-th among them, near the end."""
        last = len(self.states.steps)
        begin = max(min(self.k - AROUND // 2, last - AROUND), 0)
        return range(begin + 1, min(begin + AROUND, last) + 1)

    def html(self) -> str:
        last = len(self.states.steps)
        total = self.states.recording.total
        limit = f"border-top:2px solid {CLASH}" if total is not None else f"border-top:1px solid {EDGE}"
        small = f"font:400 11px/14px {SANS};text-align:left"
        head = div(escape(f"limit {self.unit.words(total)}"), f"{small};color:{CLASH}") if total is not None else ""
        head += div("dotted: reserved<br>filled: in use", f"{small};color:{MUTED};margin-top:{24 if head else 38}px")
        if last <= AROUND:
            bars = [self._bar(n, limit) for n in self.window]
            head = td(head, "vertical-align:top;text-align:left")
            wide = [LABEL, *[WIDE // AROUND] * last]
            return table([row(head + "".join(bars)), row(self._steps())], wide, cls="tw-history")
        steps = table([row(self._steps())], [LABEL, *[WIDE // AROUND] * len(self.window)], cls="tw-history")
        return self._board(head, limit) + steps

    def _bar(self, n: int, limit: str) -> str:
        """The column of one step."""
        high = round(self.states.reserved[n] / self.states.highest * HIGH)
        low = min(round(self.states.used[n] / self.states.highest * HIGH), high)
        look = "box-sizing:border-box;line-height:1px"
        inner = ""
        if high > low:
            inner += div("", f"height:{high - low}px;{look};border:1px dotted {EDGE};border-bottom:0")
        if low:
            edge = f"border:1px solid {LINE['blue']};border-bottom:0"
            inner += div("", f"height:{low}px;{look};background:{MID['blue']};{edge}")
        return td(inner, f"vertical-align:bottom;height:{HIGH}px;padding:0 16px;{limit}")

    def _board(self, head: str, limit: str) -> str:
        """The chart of a long history as one image, which stays while a mark moves over it."""
        states = self.states
        if states not in _drawn:
            words = f"Bytes reserved and in use over {len(states.steps)} steps"
            _drawn[states] = _curves(states).img(words, f"width:{WIDE}px;height:{HIGH}px;max-width:none;display:block")
        left = min(max(round(self.k / len(states.steps) * WIDE) - 1, 0), WIDE - 3)
        mark = f"position:absolute;top:0;left:{left}px;width:3px;height:{HIGH}px;background:{HOT}"
        side = f"position:absolute;top:-2px;left:-{LABEL}px;width:{LABEL}px"
        look = f"position:relative;width:{WIDE}px;height:{HIGH}px;margin:0 0 0 {LABEL}px;{limit}"
        return div(_drawn[states] + div("", mark) + div(head, side), f"{look};border-bottom:3px solid {WASH}")

    def _steps(self) -> str:
        first = self.window[0]
        name = f"step {first}" if first > 1 else "history"
        html = th(escape(name), "row", f"text-align:left;font:400 12px/26px {MONO};color:{MUTED}")
        for n in self.window:
            moment = moment_of(self.states, n, self.unit)
            look = f"height:26px;border:1px solid {EDGE};overflow:hidden;white-space:nowrap;"
            sign = moment.fitting
            look += f"font:400 {11 if len(sign) < 8 else 10}px/24px {MONO};"
            look += f"background:{CLASH_TINT};color:{CLASH};font-weight:700" if moment.bad else f"background:{WASH}"
            if n > first:
                look += ";border-left:0"
            keys = f"{moment.key} i-h{n}".strip()
            if n == self.k:
                look, keys = f"{look};box-shadow:inset 0 0 0 3px {HOT}", f"{keys} tw-eg tw-src"
            html += td(escape(sign), look, keys, note(f"step {n} of {len(self.states.steps)}", moment.words))
        return html

    def text(self) -> str:
        lines = [["history"], ["in use"], ["reserved"]]
        for n in self.window:
            sign = moment_of(self.states, n, self.unit).sign
            lines[0].append(f"[{sign}]" if n == self.k else sign)
            lines[1].append(self.unit.number(self.states.used[n]))
            lines[2].append(self.unit.number(self.states.reserved[n]))
        head = f"step {self.k} of {len(self.states.steps)}\n" if len(self.states.steps) > AROUND else ""
        return head + columns(lines)


_drawn: WeakKeyDictionary[States, str] = WeakKeyDictionary()
"""The image of each long history: it is the same at every step."""


def _curves(states: States) -> Curves:
    """Bytes reserved and in use over all steps. A column of pixels shows the most of the steps that fall into it."""
    image = Curves(WIDE, HIGH)
    at = np.arange(WIDE * SCALE)
    begin = at * len(states.steps) // len(at) + 1
    xs = (at + 0.5) / SCALE
    reserved, used = (
        (1 - np.maximum.reduceat(np.asarray(one[1:], float), begin - 1) / states.highest) * HIGH
        for one in (states.reserved, states.used)
    )
    image.band(xs, used, np.full(len(xs), float(HIGH)), CURVE["blue"])
    image.curve(xs, used, CURVE["blue"], thick=1.2)
    image.curve(xs, reserved, EDGE, "dotted", thick=1.2)
    return image


def moment_of(states: States, n: int, unit: Unit) -> Moment:
    """The n-th step in a few words, and the block that it is about."""
    step = states.steps[n - 1]
    event = states.recording.events[step.last - 1]
    used = f"{unit.words(states.used[n])} in use, {unit.words(states.reserved[n])} reserved"
    number = states.about[n]
    name, key = (states.name(number), f"i-b{number}") if number >= 0 else ("", "")
    size = unit.number(event.size)
    if step.kind == "oom":
        return Moment(f"+ {size} ✕", "", f"{event.size:,} bytes requested: out of memory, {used}", True)
    if step.kind == "alloc":
        return Moment(f"+ {name} {size}", key, f"{name} allocated, {event.size:,} bytes: {used}", False)
    if step.kind == "empty":
        gone = sum(states.recording.events[at].size for at in range(step.first, step.last))
        return Moment(f"− {unit.number(gone)} seg", "", f"segments returned to the driver: {used}", False)
    done = "is free now, its stream is done" if step.kind == "late" else "freed"
    return Moment(f"− {name}", key, f"{name} {done}, {event.size:,} bytes: {used}", False)
