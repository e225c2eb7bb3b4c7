"""The number line: the numbers of each format near a given one, and the distance to the nearest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ..arrays.decimals import decimal, scientific
from ..arrays.number_formats import Float, is_finite, power_of
from ..drawing.html import div, escape
from ..drawing.tokens import CLASH, EDGE, INK, MONO, MUTED
from ..paper.fonts import width_of

LEFT, WIDTH = 112, 690
LETTER = 2.0
"""The width of a letter in parts of a hundred, where the page is narrow."""
LEAST = 420
"""Pixels of the narrowest page: numbers below the line that would meet there have lines of their own."""
SMALL = 11
"""The size of these numbers."""
SINGLE = 30
"""More numbers than this on one lane are drawn as a texture, evenly spaced as they are."""


class Lane(NamedTuple):
    """One format's numbers between two ends, and the one that it stores; none where they are too many to be even."""

    label: str
    numbers: tuple[Fraction, ...]
    stored: Fraction
    gap: Fraction
    runs: tuple[tuple[Fraction, Fraction, Fraction], ...] = ()
    """From where to where, and at which distance: it doubles at each power of two."""


@dataclass(frozen=True)
class NumberLine:
    """Lanes over one stretch of numbers, the coarsest first."""

    wanted: Fraction
    name: str
    low: Fraction
    high: Fraction
    lanes: tuple[Lane, ...]

    def html(self) -> str:
        labels_below = self._scale_labels()
        high = 40 + 44 * len(self.lanes) + 14 * max((line for *_, line in labels_below), default=0)
        parts = [_box(self._x(self.wanted), 14, 6 + 44 * len(self.lanes), f"border-left:2px dashed {CLASH}", by=-1)]
        name = f"font:700 12px/14px {MONO};text-align:center;color:{CLASH}"
        parts.append(_box(self._x(self.wanted), -2, 14, name, self.name, by=-60, wide="120px"))
        labels = ""
        for k, lane in enumerate(self.lanes):
            y = 30 + 44 * k
            labels += _box(0, y + 4, 16, f"font:700 12px/16px {MONO};color:{INK}", lane.label, wide=f"{LEFT}px")
            parts += self._lane(lane, y)
        parts += self._scale(30 + 44 * len(self.lanes), labels_below)
        board = f"position:absolute;left:{LEFT}px;right:0;max-width:{WIDTH}px;top:0;height:{high}px;white-space:nowrap"
        inner = labels + div("".join(parts), board)
        return div(inner, f"position:relative;height:{high + 12}px;min-width:{LEAST}px;margin:24px 0 0")

    def _lane(self, lane: Lane, y: int) -> list[str]:
        parts = [_box(0, y + 12, 0, f"border-top:1px solid {EDGE}", wide="100%")]
        if not lane.numbers:
            return [*parts, *self._texture(lane, y)]
        for number in lane.numbers:
            mine = number == lane.stored
            thick = 4 if mine else 2
            look = f"border-left:{thick}px solid {INK if mine else EDGE}"
            parts.append(_box(self._x(number), y + (2 if mine else 6), 20 if mine else 12, look, by=-thick // 2))
        here, there = self._x(self.wanted), self._x(lane.stored)
        if here != there:
            wide = f"{abs(there - here):.5g}%"
            parts.append(_box(min(here, there), y + 10, 4, f"background:{CLASH}", wide=wide))
        text = decimal(lane.stored, 20)
        before = there < here or there + 2 + len(text) * LETTER > 100
        look = f"font:700 11px/14px {MONO};text-align:{'right' if before else 'left'};color:{INK}"
        room = math.ceil(width_of(text, SMALL, mono=True)) + 2
        return [*parts, _box(there, y - 10, 14, look, text, by=-room - 6 if before else 6, wide=f"{room}px")]

    def _texture(self, lane: Lane, y: int) -> list[str]:
        """Numbers too close to be drawn one by one: a pattern with their own distance, as far as dots allow."""
        parts: list[str] = []
        finest = float(WIDTH)
        for low, high, gap in lane.runs or ((self.low, self.high, Fraction(0)),):
            step = float(gap / (self.high - self.low) * WIDTH)
            finest = min(finest, step)
            apart = f"{float(gap / (high - low)) * 100:.4g}%" if step > 3 else "3px"
            look = f"background:linear-gradient(90deg,{EDGE} 1px,#0000 1px,#0000 100%) 0 0/{apart} 12px"
            parts.append(_box(self._x(low), y + 6, 12, look, wide=f"{self._x(high) - self._x(low):.5g}%"))
        if finest > 3:
            parts.append(_box(self._x(lane.stored), y + 2, 20, f"border-left:4px solid {INK}", by=-2))
        return parts

    def _scale(self, y: int, labels: Sequence[tuple[Fraction, str, int]]) -> list[str]:
        parts = []
        for number, side, line in labels:
            text = decimal(number, 16)
            wide = 2 * math.ceil(width_of(text, SMALL, mono=True) / 2) + 2
            by = {"left": 0, "right": -wide, "center": -wide // 2}[side]
            look = f"font:400 {SMALL}px/14px {MONO};color:{MUTED};text-align:{side}"
            parts.append(_box(self._x(number), y + 14 * line, 14, look, text, by=by, wide=f"{wide}px"))
        return parts

    def _scale_labels(self) -> list[tuple[Fraction, str, int]]:
        """The numbers below the line, where their text is from there, and on which line of text."""
        marks = self.lanes[0].numbers
        ends: list[float] = []  # of the text on each line
        labels = []
        for k, number in enumerate(marks if len(marks) <= 5 else (marks[0], marks[-1])):
            side = "left" if k == 0 else "right" if number == self.high else "center"
            wide = width_of(decimal(number, 16), SMALL, mono=True)
            begin = self._x(number) / 100 * (LEAST - LEFT) - {"left": 0, "right": 1, "center": 0.5}[side] * wide
            line = next((n for n, end in enumerate(ends) if end + 7 < begin), len(ends))
            ends[line : line + 1] = [begin + wide]
            labels.append((number, side, line))
        return labels

    def _x(self, number: Fraction) -> float:
        """The place of a number, in parts of a hundred."""
        (above, below), (low, part) = number.as_integer_ratio(), self.low.as_integer_ratio()
        wide = self.high - self.low
        # A quotient of whole numbers is rounded once, so no fraction has to be in its lowest terms.
        return (above * part - low * below) * wide.denominator / (below * part * wide.numerator) * 100

    def text(self) -> str:
        lines = [f"\nNear {self.name}, from {decimal(self.low, 16)} to {decimal(self.high, 16)}:"]
        for lane in self.lanes:
            off = lane.stored - self.wanted
            error = f"{'+' if off > 0 else ''}{scientific(off)}" if off else "exact"
            many = f"{len(lane.numbers)} numbers" if lane.numbers else "too many numbers to draw"
            lines.append(f"  {lane.label}: {decimal(lane.stored, 20)} ({error}), gap {scientific(lane.gap)}, {many}")
        return "\n".join(lines)


def _box(x: float, y: int, height: int, style: str, text: str = "", by: int = 0, wide: str = "0") -> str:
    """A box at a part of a hundred, moved by some pixels."""
    place = f"position:absolute;left:{x:.5g}%;top:{y}px;width:{wide};height:{height}px;white-space:nowrap"
    return div(escape(text), f"{place};{f'margin-left:{by}px;' if by else ''}{style}".rstrip(";"))


def number_lines(wanted: Fraction, name: str, formats: Sequence[tuple[str, Float]]) -> list[NumberLine]:
    """One line or two, each with formats whose numbers lie close enough together to be seen side by side."""
    lanes = []
    for label, form in formats:
        bits = form.encode(wanted)
        stored, gap = form.decode(bits), form.gap(bits)
        if is_finite(stored) and gap is not None:
            lanes.append((gap, label, form, Fraction(stored)))
    lanes.sort(key=lambda lane: -lane[0])
    out: list[NumberLine] = []
    while lanes and len(out) < 2:
        coarse = lanes[0][0]
        group = [lane for lane in lanes if lane[0] * 40 >= coarse]
        finer = [lane for lane in lanes if coarse > lane[0] * 40 and lane[0] * 2**20 >= coarse]
        if len(group) < 3 and finer:
            group.append(finer[0])
        group = group[:3]
        line = _line(wanted, name, [(label, form, stored, gap) for gap, label, form, stored in group])
        if line is not None and (len(line.lanes) > 1 or not out):
            out.append(line)
        seen = [lane for lane in group if lane[0] * 40 >= coarse]
        # The finest of one line is the coarsest of the next.
        rest = [lane for lane in lanes if lane[0] < seen[-1][0]]
        lanes = [seen[-1], *rest] if rest and len(seen) > 1 else rest
        if len(lanes) < 2:
            break
    return out


def _line(wanted: Fraction, name: str, group: Sequence[tuple[str, Float, Fraction, Fraction]]) -> NumberLine | None:
    _, coarse, stored, _ = group[0]
    bits = coarse.encode(wanted)
    below, above = coarse.neighbour(bits, False), coarse.neighbour(bits, True)
    if stored > wanted:
        above = coarse.neighbour(coarse.encode(stored), True)
        low = coarse.neighbour(coarse.encode(below), False) if is_finite(below) else below
    elif stored < wanted:
        low = below
        above = coarse.neighbour(coarse.encode(above), True) if is_finite(above) else above
    else:
        low = below
    if not (is_finite(low) and is_finite(above)):
        return None
    first, last = Fraction(low), Fraction(above)
    lanes = tuple(
        Lane(label, _between(form, stored, first, last), stored, gap, _runs(form, first, last))
        for label, form, stored, gap in group
    )
    return NumberLine(wanted, name, first, last, lanes)


def _between(form: Float, stored: Fraction, low: Fraction, high: Fraction) -> tuple[Fraction, ...]:
    """All numbers of a format between two ends, or none if they are too many to draw."""
    widest = form.gap(form.encode(max(abs(low), abs(high))))
    if widest is not None and high - low > widest * (SINGLE + 1):
        return ()  # there are more than that even if all lay as far apart as the largest of them
    result = [stored] if low <= stored <= high else []
    for up in (False, True):
        bits = form.encode(stored)
        while len(result) <= SINGLE:
            bits = form.beside(bits, up)
            after = form.decode(bits)
            if not is_finite(after) or not low <= after <= high:
                break
            result.append(Fraction(after))
    return tuple(sorted(result)) if len(result) <= SINGLE else ()


def _runs(form: Float, low: Fraction, high: Fraction) -> tuple[tuple[Fraction, Fraction, Fraction], ...]:
    """Stretches with one distance between numbers; none about zero, where there are too many of them.

    >>> from tensorwidgets.pictures.arrays.number_formats import BFLOAT16
    >>> [(str(a), str(b), str(gap)) for a, b, gap in _runs(BFLOAT16, Fraction(7, 8), Fraction(3, 2))]
    [('7/8', '1', '1/256'), ('1', '3/2', '1/128')]
    """
    if low <= 0 <= high:
        return ()
    if high < 0:
        return tuple((-b, -a, gap) for a, b, gap in reversed(_runs(form, -high, -low)))
    powers = range(power_of(low) + 1, power_of(high) + 1)
    ends = [low, *(Fraction(2) ** power for power in powers if low < Fraction(2) ** power < high), high]
    runs = []
    for a, b in zip(ends, ends[1:], strict=False):
        runs.append((a, b, Fraction(2) ** (max(power_of(a), 1 - form.bias) - form.mantissa)))
    return tuple(runs)
