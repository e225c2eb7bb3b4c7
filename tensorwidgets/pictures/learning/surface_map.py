"""A surface seen from above: contours as an image, the paths over them, and a cell for each place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..arrays.models.descents import Point, Way
from ..arrays.values import short
from ..drawing.curves import SCALE, Curves
from ..drawing.html import div, escape, row, tag, td
from ..drawing.scene import note
from ..drawing.tokens import CURVE, EDGE, MONO, MUTED, PAPER
from ..parts.scale import Scale, tick_text

WIDE, HIGH, LEFT = 600, 400, 60
"""Pixels of the map, and of the axis at its left."""
ACROSS, DOWN = 24, 16
"""Cells of the map, which say their loss and can be chosen as the start."""
BANDS = 12
LETTERS, LINES = 60, 20
"""The map in the text."""
HUES = ("orange", "green", "sky", "vermillion", "blue", "purple")
GREY = "#5f7b93"
"""Ground and contours: as far from light paper as from dark."""


@dataclass
class Ground:
    """The loss on a grid, in bands. It stays the same while paths change."""

    values: np.ndarray
    xs: Point
    ys: Point
    names: tuple[str, str]
    _image: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        finite = self.values[np.isfinite(self.values)]
        self.low, self.high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
        # Bands are even steps of the logarithm above the lowest value, so that a valley has contours, too.
        self.room = max(0.02 * (float(np.median(finite)) - self.low), 1e-12) if finite.size else 1.0
        self.top = np.log((self.high - self.low + self.room) / self.room) or 1.0

    def heights(self, values: np.ndarray) -> np.ndarray:
        """From 0 at the lowest value to 1 at the highest."""
        with np.errstate(invalid="ignore"):
            safe = np.where(np.isfinite(values), np.clip(values, self.low, self.high), self.high)
        return np.log((safe - self.low + self.room) / self.room) / self.top

    @property
    def levels(self) -> list[float]:
        """The values of the contours."""
        return [self.low + self.room * (np.exp(self.top * k / BANDS) - 1) for k in range(1, BANDS)]

    def image(self, words: str) -> str:
        """The bands and their contours; painted once."""
        if not self._image:
            heights = _finer(self.heights(self.values), HIGH * SCALE, WIDE * SCALE) * BANDS
            holes = self._holes(*heights.shape)
            image = Curves(WIDE, HIGH)
            image.bands(np.where(holes, 0, np.minimum(heights.astype(int), BANDS - 1)), GREY, 0.3)
            steep = np.hypot(*np.gradient(heights))
            far = np.abs(heights - np.rint(heights)) / np.maximum(steep, 1e-9)
            inner = (np.rint(heights) > 0) & (np.rint(heights) < BANDS)
            contours = np.clip(1.3 - far, 0, 1) * inner
            stripes = np.add.outer(*map(np.arange, heights.shape)) % (8 * SCALE) < SCALE
            image.lines(np.where(holes, stripes, contours) * 0.7, GREY)
            self._image = image.img(words, f"display:block;width:{WIDE}px;max-width:100%;height:auto", True)
        return self._image

    @property
    def has_holes(self) -> bool:
        """Whether the loss is no finite number somewhere."""
        return not bool(np.isfinite(self.values).all())

    def _holes(self, rows: int, columns: int) -> np.ndarray:
        """On so many pixels: where the nearest place of the grid has no finite value."""
        down, across = (np.rint(np.linspace(0, n - 1, m)).astype(int)
                        for n, m in zip(self.values.shape, (rows, columns), strict=True))  # fmt: skip
        holes: np.ndarray = ~np.isfinite(self.values)[np.ix_(down, across)]
        return holes

    def place(self, at: Point) -> tuple[float, float]:
        """A point in pixels of the map."""
        x = (at[0] - self.xs[0]) / (self.xs[1] - self.xs[0]) * WIDE
        y = (self.ys[1] - at[1]) / (self.ys[1] - self.ys[0]) * HIGH
        return min(max(x, -9e3), 9e3), min(max(y, -9e3), 9e3)

    def centre(self, column: int, line: int) -> Point:
        """The middle of a cell, rounded to what is written."""
        x = self.xs[0] + (column + 0.5) * (self.xs[1] - self.xs[0]) / ACROSS
        y = self.ys[1] - (line + 0.5) * (self.ys[1] - self.ys[0]) / DOWN
        return round(x, 6), round(y, 6)

    def called(self, at: Point) -> str:
        """A point in words: `a 0.5, b -1`."""
        wide, high = self.xs[1] - self.xs[0], self.ys[1] - self.ys[0]
        # What is far too small to be seen is zero.
        x, y = (0.0 if abs(v) < 1e-9 * span else v for v, span in zip(at, (wide, high), strict=True))
        return f"{self.names[0]} {short(x)}, {self.names[1]} {short(y)}"

    def value(self, at: Point) -> float:
        """The value on the grid that is nearest to a point."""
        rows, columns = self.values.shape
        k = round((self.ys[1] - at[1]) / (self.ys[1] - self.ys[0]) * (rows - 1))
        j = round((at[0] - self.xs[0]) / (self.xs[1] - self.xs[0]) * (columns - 1))
        return float(self.values[min(max(k, 0), rows - 1), min(max(j, 0), columns - 1)])


def _finer(values: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """The grid on this many pixels, by cubic pieces (Catmull and Rom)."""
    return _weights(values.shape[0], rows) @ values @ _weights(values.shape[1], columns).T


def _weights(few: int, many: int) -> np.ndarray:
    """What each of the few places adds to each of the many."""
    at = np.linspace(0, few - 1, many)
    first = np.minimum(at.astype(int), few - 2)
    t = at - first
    parts = (-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, t**3 - t**2)
    out = np.zeros((many, few))
    for k, part in enumerate(parts):
        np.add.at(out, (np.arange(many), np.clip(first + k - 1, 0, few - 1)), part / 2)
    return out


@dataclass(frozen=True)
class Map:
    """The map with the paths of some optimizers."""

    ground: Ground
    ways: tuple[Way, ...]
    hues: tuple[int, ...]
    """Which colour and sign each path has."""
    start: Point

    def html(self) -> str:
        g = self.ground
        inner = g.image(self.words()) + self._paths()
        for tick in Scale(*g.ys).ticks(6):
            down = (g.ys[1] - tick) / (g.ys[1] - g.ys[0])
            # Its middle is at the tick, and the first and the last stay beside the map.
            lift = round(min(max(8, 16 - (1 - down) * HIGH), max(down * HIGH, 0)))
            place = f"position:absolute;left:-{LEFT}px;width:{LEFT - 8}px;top:{100 * down:.4g}%;margin:-{lift}px 0 0"
            inner += div(escape(tick_text(tick)), f"{place};text-align:right;font:400 11px/16px {MONO};color:{MUTED}")
        inner += self._cells()
        look = f"position:relative;margin:0 0 0 {LEFT}px;max-width:{WIDE}px;background:{PAPER}"
        board = div(inner, f"{look};border:1px solid {EDGE};overflow:visible")
        ticks = "".join(
            div(escape(tick_text(tick)), f"position:absolute;left:{100 * share:.1f}%;top:3px")
            for tick in Scale(*g.xs).ticks(8)
            if (share := (tick - g.xs[0]) / (g.xs[1] - g.xs[0])) < 0.95
        )
        below = f"position:relative;height:20px;margin:0 0 0 {LEFT}px;max-width:{WIDE}px;font:400 11px/16px {MONO}"
        ticks += div(escape(g.names[0]), "position:absolute;right:0;top:3px;font-weight:700")
        head = div(escape(g.names[1]), f"margin:0 0 4px {LEFT}px;font:700 11px/16px {MONO};color:{MUTED}")
        return head + board + div(ticks, f"{below};color:{MUTED};white-space:nowrap")

    def _paths(self) -> str:
        if not self.ways:
            return ""
        image = Curves(WIDE, HIGH)
        for way, hue in reversed(list(zip(self.ways, self.hues, strict=True))):
            colour = CURVE[HUES[hue % len(HUES)]]
            points = self._seen(way)
            image.stroke(points, colour, 1.6)
            last = points[0]
            for k, at in enumerate(points[1:], 1):
                # Signs that would touch are left out, but never that of the end.
                if np.hypot(at[0] - last[0], at[1] - last[1]) >= 11 or k == len(points) - 1:
                    image.mark(*at, colour, hue)
                    last = at
        x, y = self.ground.place(self.start)
        turns = np.linspace(0, 2 * np.pi, 25)
        image.stroke([(x + 6 * np.cos(t), y + 6 * np.sin(t)) for t in turns], GREY, 2)
        words = ", ".join(f"{way.name} ends at {self.ground.called(way.points[-1])}" for way in self.ways)
        return image.img(words, "position:absolute;left:0;top:0;width:100%;height:100%;max-width:none", True)

    def _seen(self, way: Way) -> list[tuple[float, float]]:
        """The points of a path in pixels. One that flees is drawn to where it leaves the map."""
        points = [self.ground.place(at) for at in way.points]
        out = [k for k, (x, y) in enumerate(points) if not (0 <= x <= WIDE and 0 <= y <= HIGH)]
        return points[: out[0] + 1] if way.left is not None and out else points

    def _cells(self) -> str:
        rows = []
        for line in range(DOWN):
            cells = ""
            for column in range(ACROSS):
                at = self.ground.centre(column, line)
                said = note(self.ground.called(at), f"loss {short(self.ground.value(at))}")
                cells += td("", f"height:{100 / DOWN:g}%", f"i-at{line * ACROSS + column}", said)
            # Its rows have no paper of their own: the map is below them.
            rows.append(row(cells).replace("background:#ffffff", "background:#0000", 1))
        look = "position:absolute;left:0;top:0;width:100%;height:100%;table-layout:fixed;border-collapse:separate"
        return tag("table", "".join(rows), f"{look};border-spacing:0;margin:0", "tw-surface")

    def words(self) -> str:
        """The surface in words, for a screen reader."""
        g = self.ground
        if g.low == g.high:
            return f"loss {short(g.low)} everywhere"
        rows, columns = g.values.shape
        k, j = divmod(int(np.argmin(np.where(np.isfinite(g.values), g.values, np.inf))), columns)
        low = (g.xs[0] + j * (g.xs[1] - g.xs[0]) / (columns - 1), g.ys[1] - k * (g.ys[1] - g.ys[0]) / (rows - 1))
        return f"loss from {short(g.low)} (pale, near {g.called(low)}) to {short(g.high)} (deep)"

    def text(self) -> str:
        return f"{self.words()}\n" + "\n".join("".join(line) for line in self.letters())

    def letters(self) -> list[list[str]]:
        """The map in characters: a digit for each band, 0 the lowest; / where the loss is no finite number; the first
        letter of each path; * the start."""
        g = self.ground
        rows, columns = g.values.shape
        down, across = (np.linspace(0, n - 1, m).astype(int) for n, m in ((rows, LINES), (columns, LETTERS)))
        picked = g.values[down][:, across]
        board = [[str(min(int(h * 10), 9)) for h in line] for line in g.heights(picked)]
        for k, j in np.argwhere(~np.isfinite(picked)).tolist():
            board[k][j] = "/"
        marks: Sequence[tuple[str, Sequence[Point]]] = [(way.name[0], way.points[1:]) for way in reversed(self.ways)]
        for letter, points in (*marks, ("*", [self.start])):
            for at in points:
                x, y = g.place(at)
                j, k = int(x / WIDE * LETTERS), int(y / HIGH * LINES)
                if 0 <= j < LETTERS and 0 <= k < LINES:
                    board[k][j] = letter
        return board
