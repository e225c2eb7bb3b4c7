"""Curves over steps: axes and words in HTML, the curves as an image that lies on any paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..arrays.values import short
from ..drawing.curves import DASHES, Curves, dot, pattern, sample
from ..drawing.html import div, escape, row, tag, td, whole_or_none
from ..drawing.scene import columns, note
from ..drawing.tokens import CLASH, CURVE, EDGE, HUES, INK, MONO, MUTED, RULE, SANS
from .scale import Scale, tick_text

WIDE, LEFT = 768, 60
"""Pixels of the curves, and of the axis at their left."""
BINS = 24
"""How many parts of the steps say what they are when they are pointed at."""
SPARKS = "▁▂▃▄▅▆▇█"
COVER = {line: sum(pieces[::2]) / sum(pieces) if pieces else 1.0 for line, pieces in DASHES.items()}
"""How much of its way each kind of line covers."""
LETTER = 7
"""Pixels of a character beside an axis."""
LETTERS = 36
"""Characters of a curve in the text."""


class Curve(NamedTuple):
    """One curve. Where it was smoothed, `low` and `high` are the band that the numbers lie in."""

    name: str
    steps: np.ndarray
    values: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    hue: int = 0
    """Which colour and pattern it has."""
    marked: tuple[float, ...] = ()
    """Steps with a dot on the curve."""
    broken: tuple[float, ...] = ()
    """Steps at which the number is nan or inf."""
    said: str = ""
    """Its last number, behind its name."""

    @property
    def colour(self) -> str:
        return CURVE[HUES[self.hue % len(HUES)]]

    @property
    def line(self) -> str:
        """The pattern; where the colours begin again, each has another."""
        return pattern(self.hue + self.hue // len(HUES))


@dataclass(frozen=True)
class Chart:
    """Curves over one x axis, which other charts may share."""

    name: str
    curves: tuple[Curve, ...]
    first: float
    last: float
    y: Scale
    high: int = 180
    notes: tuple[str, ...] = ()
    """What each part of the steps says."""
    axis: bool = True
    """Whether the steps are written below."""
    shown: tuple[str, ...] = ()

    def html(self) -> str:
        return self._legend() + self._board() + (self._steps() if self.axis else "")

    def _legend(self) -> str:
        inner = tag("b", escape(self.name), "margin:0 18px 0 0") if self.name else ""
        for curve in self.curves:
            said = tag("span", escape(f" {curve.said}"), f"color:{MUTED};font-family:{MONO}") if curve.said else ""
            words = sample(curve.colour, curve.line) + escape(curve.name) + said
            inner += tag("span", words, "margin:0 18px 0 0;white-space:nowrap") + " "
        return div(inner, f"font:400 12px/20px {SANS};color:{INK};margin:0 0 4px")

    def _board(self) -> str:
        """The image over the lines of the axis, and transparent cells over it."""
        inner = ""
        for tick in self.y.ticks(max(3, self.high // 40)):
            y = round((1 - float(self.y.at(tick))) * self.high)
            inner += div("", f"position:absolute;left:0;right:0;top:{y}px;border-top:1px solid {RULE}")
            place = f"position:absolute;left:-{LEFT}px;width:{LEFT - 8}px;top:{min(max(y - 8, -4), self.high - 12)}px"
            inner += div(escape(tick_text(tick)), f"{place};text-align:right;font:400 11px/16px {MONO};color:{MUTED}")
        inner += self._image().img(self.words(), f"position:absolute;left:0;top:0;width:100%;height:{self.high}px;"
                                   "max-width:none")  # fmt: skip
        inner += self._dots()
        for step in sorted({curve.broken[0] for curve in self.curves if curve.broken}):
            # Where a curve ends because its numbers do.
            left = self._across(step)
            look = f"bottom:2px;margin:0 0 0 -{left * 0.1:.3g}px;color:{CLASH};font:700 13px/16px {SANS}"
            inner += div("✗", f"position:absolute;left:{left:.2f}%;{look}")
        if self.notes:
            cells = "".join(
                td("", f"height:{self.high}px", f"i-bin{k}", one) for k, one in enumerate(self.notes) if one is not None
            )
            look = "position:absolute;left:0;top:0;width:100%;table-layout:fixed;border-collapse:separate"
            look += ";border-spacing:0;margin:0"
            # Its rows have no paper of their own: the curves are below them.
            cells = row(cells).replace("background:#ffffff", "background:#0000", 1)
            inner += tag("table", cells, look, "tw-chart")
        border = f"border-left:1px solid {EDGE};border-bottom:1px solid {EDGE}"
        return div(inner, f"position:relative;height:{self.high}px;margin:0 0 0 {LEFT}px;max-width:{WIDE}px;{border}")

    def _image(self) -> Curves:
        image = Curves(WIDE, self.high)
        span = max(self.last - self.first, 1e-12)
        for curve in reversed(self.curves):
            if curve.low is not None and curve.high is not None and len(curve.steps):
                xs = (curve.steps - self.first) / span * WIDE
                low, high = ((1 - np.nan_to_num(self.y.at(v), nan=0.0)) * self.high for v in (curve.low, curve.high))
                image.band(xs, high, low, curve.colour)
        # A line with gaps comes after one without, so that of two equal curves both are seen.
        for curve in sorted(reversed(self.curves), key=lambda one: COVER[one.line], reverse=True):
            if not len(curve.steps):
                continue
            xs, ys = (curve.steps - self.first) / span * WIDE, (1 - self.y.at(curve.values)) * self.high
            image.curve(xs, ys, curve.colour, curve.line)
        return image

    def _across(self, step: float) -> float:
        """Where a step lies, in parts of a hundred."""
        return 100 * (step - self.first) / max(self.last - self.first, 1e-12)

    def _dots(self) -> str:
        """The marked steps: images of their own, so that they stay round on a narrow page and whole at its edge."""
        html = ""
        for curve in self.curves:
            for step in curve.marked:
                k = int(np.searchsorted(curve.steps, step))
                y = (1 - float(self.y.at(curve.values[k]))) * self.high if k < len(curve.values) else np.nan
                if np.isfinite(y):
                    place = f"position:absolute;left:{self._across(step):.4g}%;top:{round(y) - 5}px;margin:0 0 0 -5px"
                    html += dot(curve.colour, place)
        return html

    def _steps(self) -> str:
        end = tick_text(self.last) if self.last == int(self.last) else ""
        # As many as do not touch on a page of 320 pixels. The last step stands at the right edge, and where another
        # would touch it, that is not seen.
        most = max(3, min(9, (320 - LEFT) // (LETTER * len(end) + 6)))
        ticks = [t for t in Scale(self.first, self.last).ticks(most) if t == int(t) and self.first <= t < self.last]
        place = f"position:absolute;top:2px;right:{LETTER * (len(end) + 1)}px"
        inner = "".join(div(whole_or_none(tick_text(t), 16), f"{place};left:{self._across(t):.4g}%") for t in ticks)
        inner += div(escape(end), "position:absolute;right:0;top:2px")
        look = f"position:relative;height:18px;margin:0 0 0 {LEFT}px;max-width:{WIDE}px"
        return div(inner, f"{look};font:400 11px/16px {MONO};color:{MUTED};white-space:nowrap")

    def words(self) -> str:
        """The curves in words, for a screen reader."""
        said = [f"{c.name} from {short(float(c.values[0]))} to {short(float(c.values[-1]))}"
                for c in self.curves if len(c.values)]  # fmt: skip
        return f"{self.name} over the steps: {', '.join(said) or 'nothing yet'}"

    def text(self) -> str:
        lines = []
        for curve in self.curves:
            if len(curve.values):
                start, end = short(float(curve.values[0])), short(float(curve.values[-1]))
                lines.append([curve.name, start, spark(curve, self), end])
            else:
                lines.append([curve.name, "", "nothing yet", ""])
        return columns(lines, left=True)


def spark(curve: Curve, chart: Chart) -> str:
    """A curve in one line of blocks; × where a number is nan or inf, and a space where there is none."""
    letters = [" "] * LETTERS
    span = max(chart.last - chart.first, 1e-12)
    where = np.clip(((curve.steps - chart.first) / span * LETTERS).astype(int), 0, LETTERS - 1)
    heights = chart.y.at(curve.values)
    for k in np.unique(where).tolist():
        part = heights[where == k]
        good = part[np.isfinite(part)]
        letters[k] = SPARKS[int(np.clip(good.mean() * len(SPARKS), 0, len(SPARKS) - 1))] if good.size else "×"
    # Few points are drawn as steps: each block holds until the next.
    if len(curve.steps) < LETTERS:
        for k in range(1, LETTERS):
            if letters[k] == " " and k <= where[-1]:
                letters[k] = letters[k - 1]
    return "".join(letters)


def parts(first: float, last: float, notes: Sequence[str]) -> list[tuple[float, float]]:
    """The steps that each cell is about."""
    wide = (last - first) / max(len(notes), 1)
    return [(first + k * wide, first + (k + 1) * wide) for k in range(len(notes))]


__all__ = ["BINS", "Chart", "Curve", "note", "parts", "spark"]
