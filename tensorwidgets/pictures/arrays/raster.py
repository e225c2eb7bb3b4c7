"""The values of a large array as a small image: samples at even steps, pale for the smallest and deep for the largest.

Only the samples are read. Large arrays have few, because each may lie on a different page.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..drawing.html import div, escape
from ..drawing.png import write
from ..drawing.tokens import EDGE, MUTED, VALUES, WASH, ramps
from .values import short

HEAVY = 1 << 24
"""Bytes from which on an array counts as large even for sampling."""


@dataclass(frozen=True, slots=True)
class Raster:
    """Rows of samples; None where a value is not a finite number."""

    rows: tuple[tuple[float | None, ...], ...]
    every: tuple[int, int]
    ahead: int = 0
    """How many dimensions come before these rows and columns: at index 0 in each of them."""

    @property
    def low(self) -> float:
        return min((v for row in self.rows for v in row if v is not None), default=0.0)

    @property
    def high(self) -> float:
        return max((v for row in self.rows for v in row if v is not None), default=0.0)

    @property
    def odd(self) -> int:
        """How many samples are not a finite number."""
        return sum(v is None for row in self.rows for v in row)

    def words(self) -> str:
        """What the image shows."""
        odd = f"; {self.odd:,} grey samples are masked or no finite number" if self.odd else ""
        down, across = self.every
        if len(self.rows) == 1:
            step = "every value" if across == 1 else f"one value in every {across:,}"
        elif down == across == 1:
            step = "every value"
        else:
            rows, columns = (f"every {what}" if n == 1 else f"one {what} in every {n:,}"
                             for n, what in ((down, "row"), (across, "column")))  # fmt: skip
            step = f"{rows} and {columns}"
        if self.ahead:
            step += f" of [{'0, ' * self.ahead}:, :]"
        if self.low == self.high:
            some = any(v is not None for row in self.rows for v in row)
            return f"{step}, all {short(self.low)}{odd}" if some else f"{step}{odd}"
        return f"{step}, from {short(self.low)} (pale) to {short(self.high)} (deep){odd}"

    def html(self) -> str:
        high, wide = len(self.rows), len(self.rows[0])
        scale = max(1, min(6, 288 // wide, 192 // high))
        low, span = self.low, self.high - self.low
        lines = []
        for row in self.rows:
            line = bytearray()
            for v in row:
                shade = VALUES if v is None else round((v - low) / span * (VALUES - 1)) if span else 0
                line += bytes([shade]) * scale
            lines += [bytes(line)] * (scale if high > 1 else 24)
        palette = b"".join(bytes.fromhex(colour[1:]) for colour in [*ramps()[2], EDGE])
        data = b64encode(write(lines, 1, palette)).decode()
        words = escape(self.words())
        image = (
            f'<img alt="{words}" src="data:image/png;base64,{data}" width="{wide * scale}" '
            f'height="{len(lines)}" style="border:1px solid {EDGE};background:{WASH}">'
        )
        return div(
            image + div(words, f"color:{MUTED};max-width:300px;white-space:normal"),
            "font-size:11px;line-height:16px;margin:12px 0 0",
        )


def raster_of(size: tuple[int, ...], itemsize: int, read: Callable[[tuple[slice, ...]], list[Any]]) -> Raster | None:
    """Samples of the last two dimensions, the others at 0; None for values that are not real numbers."""
    if not size or 0 in size:
        return None
    heavy = math.prod(size) * itemsize > HEAVY
    most = (16, 16) if heavy else (48, 72)
    down, across = (1, size[-1]) if len(size) == 1 else size[-2:]
    wide = most[1] if len(size) > 1 else 24 if heavy else 288
    every = -(-down // most[0]), -(-across // wide)
    block = tuple(slice(0, 1) for _ in size[:-2])
    block += (slice(None, None, every[0]),) * (len(size) > 1) + (slice(None, None, every[1]),)
    values = [_number(v) for v in read(block)]
    if any(v is _NO_NUMBER for v in values):
        return None
    columns = -(-across // every[1])
    rows = tuple(tuple(values[k : k + columns]) for k in range(0, len(values), columns))
    return Raster(rows, every, max(len(size) - 2, 0))


_NO_NUMBER: Any = object()


def _number(value: Any) -> float | None:
    if isinstance(value, (str, bytes, complex)) or not hasattr(value, "__float__"):
        return _NO_NUMBER
    try:
        number = float(value)
    except (OverflowError, ValueError, TypeError):
        return None
    return number if math.isfinite(number) else None
