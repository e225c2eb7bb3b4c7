"""Curves as an image without a background, so that it lies on light paper as well as on dark.

No element that a host keeps can draw a slanted line, so curves are painted here, on twice as many pixels as are shown.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

import numpy as np

from .html import escape
from .png import write
from .tokens import LINES

SCALE = 2
"""Pixels of the image for one pixel of the page."""
LEVELS = 7
"""Steps of opacity at the edge of a line."""
DASHES = {"solid": (), "dashed": (9.0, 5.0), "double": (14.0, 3.0, 3.0, 3.0), "dotted": (3.0, 3.0)}
"""How long the pieces of a line are, on and off in turns. Where a border is double, a curve is dashed and dotted."""


class Curves:
    """An image on which curves are painted; what is painted later lies above."""

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self.index = np.zeros((height * SCALE, width * SCALE), np.uint8)
        self.palette: list[tuple[str, float]] = []
        """Colour and opacity of each number in the image but 0, which is nothing."""
        self.first: dict[tuple[str, int], int] = {}

    def _paint(
        self, rows: np.ndarray, across: np.ndarray, cover: np.ndarray, colour: str, opacity: float = 1.0
    ) -> None:
        """Paints a colour on pixels; `cover` says how much of each."""
        first, levels = self._entries(colour, LEVELS, 1.0)
        level = np.rint(np.clip(cover, 0, 1) * (opacity * levels)).astype(np.int32)
        painted = level > 0
        rows, across, level = rows[painted], across[painted], level[painted]
        before = self.index[rows, across].astype(np.int32) - first + 1
        level = np.where((before >= 1) & (before <= levels), np.maximum(level, before), level)
        self.index[rows, across] = level + (first - 1)

    def _entries(self, colour: str, levels: int, strongest: float) -> tuple[int, int]:
        """The first entry of a colour in the palette, and how many it has, from pale to `strongest`."""
        if (colour, levels) not in self.first:
            self.first[colour, levels] = 1 + len(self.palette)
            self.palette += [(colour, strongest * k / levels) for k in range(1, levels + 1)]
        return self.first[colour, levels], levels

    def band(self, xs: np.ndarray, low: np.ndarray, high: np.ndarray, colour: str) -> None:
        """A pale area between two curves, over ascending x."""
        columns = np.arange(self.width * SCALE) + 0.5
        lo, hi = (np.interp(columns, np.asarray(xs) * SCALE, np.asarray(y) * SCALE) for y in (low, high))
        inside = (columns >= xs[0] * SCALE - 0.5) & (columns <= xs[-1] * SCALE + 0.5)
        rows, across, cover = self._between(np.minimum(lo, hi), np.maximum(lo, hi))
        self._paint(rows, across, cover * inside[across], colour, 0.3)

    def curve(self, xs: np.ndarray, ys: np.ndarray, colour: str, line: str = "solid", thick: float = 1.8) -> None:
        """A curve over ascending x, in pixels of the page. It has gaps where y is not finite."""
        xs, ys = np.asarray(xs, float) * SCALE, np.asarray(ys, float) * SCALE
        good = np.isfinite(ys)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], good.astype(int), [0]])))
        for start, stop in edges.reshape(-1, 2).tolist():
            self._piece(xs[start:stop], ys[start:stop], colour, line, thick * SCALE)

    def _piece(self, xs: np.ndarray, ys: np.ndarray, colour: str, line: str, thick: float) -> None:
        if len(xs) == 1:
            # A number without neighbours is a dot, all of it on the image.
            r = 1.4 * thick / SCALE
            x, y = (min(max(at / SCALE, r), end - r) for at, end in ((xs[0], self.width), (ys[0], self.height)))
            self.dot(x, y, colour, r)
            return
        wide = self.index.shape[1]
        borders = np.interp(np.arange(wide + 1), xs, ys)
        lo, hi = np.minimum(borders[:-1], borders[1:]), np.maximum(borders[:-1], borders[1:])
        column = np.clip(xs.astype(int), 0, wide - 1)
        np.minimum.at(lo, column, ys)
        np.maximum.at(hi, column, ys)
        # A steep line is as thick as a flat one across its own way.
        half = thick / 2 * np.minimum(np.hypot(1, hi - lo), 2.5)
        middle = np.arange(wide) + 0.5
        shown = (middle >= xs[0] - 1) & (middle <= xs[-1] + 1)
        dashes = DASHES[line]
        if dashes:
            along = np.cumsum(np.hypot(1, hi - lo)) % (sum(dashes) * SCALE)
            shown &= np.searchsorted(np.cumsum(dashes) * SCALE, along, side="right") % 2 == 0
        rows, across, cover = self._between(lo - half, hi + half)
        self._paint(rows, across, cover * shown[across], colour)

    def _between(self, lo: np.ndarray, hi: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The pixels between two heights of each column: rows, columns, and how much of each lies between."""
        high = self.index.shape[0]
        lo, hi = np.clip(lo, 0, high), np.clip(hi, 0, high)
        first = np.minimum(np.floor(lo).astype(np.int64), high - 1)
        counts = np.maximum(np.ceil(hi).astype(np.int64) - first, 0)
        across = np.repeat(np.arange(len(lo)), counts)
        rows = np.arange(len(across)) - np.repeat(np.cumsum(counts) - counts, counts) + first[across]
        return rows, across, np.minimum(rows + 1, hi[across]) - np.maximum(rows, lo[across])

    def stroke(self, points: Sequence[tuple[float, float]], colour: str, thick: float = 1.8) -> None:
        """A line through points in any direction."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        for (x0, y0), (x1, y1) in zip(scaled, scaled[1:], strict=False):
            reach = thick * SCALE / 2 + 1
            left, right = int(max(min(x0, x1) - reach, 0)), int(min(max(x0, x1) + reach + 1, self.index.shape[1]))
            top, bottom = int(max(min(y0, y1) - reach, 0)), int(min(max(y0, y1) + reach + 1, self.index.shape[0]))
            if left >= right or top >= bottom:
                continue
            rows, across = (part.ravel() for part in np.mgrid[top:bottom, left:right])
            y, x = rows + 0.5, across + 0.5
            dx, dy = x1 - x0, y1 - y0
            length = dx * dx + dy * dy
            t = np.clip(((x - x0) * dx + (y - y0) * dy) / length, 0, 1) if length else 0.0
            far = np.hypot(x - x0 - t * dx, y - y0 - t * dy)
            self._paint(rows, across, thick * SCALE / 2 + 0.5 - far, colour)

    def dot(self, x: float, y: float, colour: str, radius: float) -> None:
        """A filled circle."""
        self.stroke([(x, y), (x, y)], colour, 2 * radius)

    def bands(self, levels: np.ndarray, colour: str, strongest: float) -> None:
        """A colour over the whole image in as many opacities as there are whole numbers in `levels`, from 0."""
        most = int(levels.max())
        if most:
            first, _ = self._entries(colour, most, strongest)
            np.copyto(self.index, levels + (first - 1), where=levels > 0, casting="unsafe")

    def lines(self, cover: np.ndarray, colour: str) -> None:
        """A colour over the whole image, as much as `cover` says of each pixel."""
        rows, across = np.nonzero(cover > 0)
        self._paint(rows, across, cover[rows, across], colour)

    def mark(self, x: float, y: float, colour: str, shape: int) -> None:
        """A small sign: a dot, a square, a cross, a triangle, a ring or a plus."""
        r = 3.2
        if shape % 6 == 0:
            self.dot(x, y, colour, r)
        elif shape % 6 == 1:
            self.stroke([(x - r + 1, y - r + 1), (x + r - 1, y - r + 1), (x + r - 1, y + r - 1), (x - r + 1, y + r - 1),
                         (x - r + 1, y - r + 1), (x + r - 1, y + r - 1)], colour, 2.4)  # fmt: skip
        elif shape % 6 == 2:
            self.stroke([(x - r, y - r), (x + r, y + r)], colour, 2)
            self.stroke([(x - r, y + r), (x + r, y - r)], colour, 2)
        elif shape % 6 == 3:
            self.stroke([(x, y - r - 1), (x + r + 1, y + r), (x - r - 1, y + r), (x, y - r - 1)], colour, 2)
        elif shape % 6 == 4:
            turns = np.linspace(0, 2 * np.pi, 13)
            self.stroke([(x + r * np.cos(t), y + r * np.sin(t)) for t in turns], colour, 1.6)
        else:
            self.stroke([(x - r - 1, y), (x + r + 1, y)], colour, 2)
            self.stroke([(x, y - r - 1), (x, y + r + 1)], colour, 2)

    def png(self) -> str:
        """The image as text for a data URI."""
        palette = bytes(3) + b"".join(bytes.fromhex(colour[1:]) for colour, _ in self.palette)
        opacity = bytes(1) + bytes(round(255 * part) for _, part in self.palette)
        rows = [line.tobytes() for line in self.index]
        return b64encode(write(rows, 1, palette, opacity, 6)).decode()

    def img(self, words: str, style: str, keeps_shape: bool = False) -> str:
        """The image as an element. Where it `keeps_shape` it says its size: a page makes it smaller as a whole."""
        size = f' width="{self.width}" height="{self.height}"' if keeps_shape else ""
        return f'<img alt="{escape(words)}"{size} src="data:image/png;base64,{self.png()}" style="{style}">'


def sample(colour: str, line: str) -> str:
    """A short piece of a curve, for a legend."""
    piece = Curves(30, 10)
    piece.curve(np.array([0.0, 30.0]), np.array([5.0, 5.0]), colour, line, 2.5)
    return piece.img(f"{line} line:", "width:30px;max-width:none;height:10px;vertical-align:middle;margin:0 6px 0 0")


def dot(colour: str, place: str) -> str:
    """A dot of ten pixels as an image, for marking a curve."""
    image = Curves(10, 10)
    image.dot(5, 5, colour, 3.5)
    return image.img("", f"{place};width:10px;max-width:none;height:10px")


def sample_of_path(colour: str, shape: int) -> str:
    """A short piece of a path with its sign, for a legend."""
    piece = Curves(34, 14)
    piece.stroke([(1, 7), (33, 7)], colour)
    piece.mark(17, 7, colour, shape)
    signs = ("dot", "square", "cross", "triangle", "ring", "plus")
    return piece.img(
        f"{signs[shape % 6]}:", "width:34px;max-width:none;height:14px;vertical-align:middle;margin:0 6px 0 0"
    )


def pattern(k: int) -> str:
    """The line of the k-th curve: never colour alone."""
    return LINES[k % len(LINES)]
