"""The scale of an axis: where numbers lie on it, and which of them are written beside it.

>>> Scale.over([0.5, 7.0]).ticks(5)
[0.0, 2.0, 4.0, 6.0]
>>> Scale.over([0.02, 700.0], log=True).ticks(5)
[0.1, 1.0, 10.0, 100.0, 1000.0]
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

WIDE = 50.0
"""From this ratio of the largest to the smallest on, an axis is in powers of ten, if nothing else is asked for."""

LEAST, MOST = math.ulp(0.0), sys.float_info.max
"""The smallest and the largest float: no axis goes beyond."""


class Scale(NamedTuple):
    """An axis from `low` to `high`."""

    low: float
    high: float
    log: bool = False

    @classmethod
    def over(cls, values: Iterable[float], log: bool | None = None) -> Scale:
        """An axis for these numbers, with a little room at both ends; `log=None` decides by their spread."""
        numbers = np.fromiter(values, float)
        numbers = numbers[np.isfinite(numbers)]
        if not numbers.size:
            return cls(0.0, 1.0)
        low, high = float(numbers.min()), float(numbers.max())
        positive = low > 0
        if log is None:
            log = positive and high / low > WIDE
        if log and high > 0:
            low = low if positive else max(float(numbers[numbers > 0].min()), high * 1e-12)
            room = max(math.exp(0.05 * (math.log(high) - math.log(low))), 1.05)
            return cls(max(low / room, LEAST), min(high * room, MOST), True)
        low, high = (min(max(end, -MOST / 4), MOST / 4) for end in (low, high))
        room = (high - low) * 0.05 or abs(high) * 0.05 or 0.5
        # Numbers that begin near zero are seen from zero on.
        return cls(0.0 if positive and low < (high - low) * 0.6 else low - room, high + room)

    def at(self, values: np.ndarray | float) -> np.ndarray:
        """Where numbers lie, from 0 to 1; nan for what a scale in powers of ten cannot hold."""
        values = np.asarray(values, float)
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.log:
                inside = np.where(values > 0, np.log(values), np.nan)
                return (inside - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
            return np.where(np.isfinite(values), values - self.low, np.nan) / (self.high - self.low)

    def ticks(self, most: int) -> list[float]:
        """Round numbers on the axis, at most this many."""
        if self.log:
            low, high = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            if high - low >= 1:
                apart = max(1, -(-(high - low + 1) // most))
                return [10.0**p for p in range(low, high + 1, apart)]
            fine = [m * 10.0**p for p in range(low - 1, high + 1) for m in (1, 2, 5)]
            return [tick for tick in fine if self.low <= tick <= self.high][:most] or [self.low]
        rough = (self.high - self.low) / max(most - 1, 1)
        power = 10.0 ** math.floor(math.log10(rough))
        sizes = [m * power for m in (0.1, 0.2, 0.5, 1, 2, 5, 10)]
        at = next(k for k, size in enumerate(sizes) if size >= rough * 0.999)
        found = self._multiples(sizes[at])
        # One number alone is no scale.
        return found if len(found) > 1 else self._multiples(sizes[at - 1])

    def _multiples(self, step: float) -> list[float]:
        begin, end = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        digits = max(12, 3 - math.floor(math.log10(step)))
        return [round(k * step, digits) for k in range(begin, end + 1)]


def tick_text(value: float) -> str:
    """A number beside an axis, short but exact.

    >>> tick_text(1000.0), tick_text(0.05), tick_text(1e-6), tick_text(2500000.0)
    ('1,000', '0.05', '1e-6', '2.5e6')
    """
    if value and (abs(value) >= 1e6 or abs(value) < 1e-3):
        number, _, power = f"{value:e}".partition("e")
        number = number.rstrip("0").rstrip(".")
        return f"{number}e{int(power)}"
    return f"{value:,.6g}" if abs(value) < 1000 else f"{value:,.0f}"
