"""A picture as PNG by Pillow, two dots to a pixel, for machines without a browser."""

from __future__ import annotations

import io
import math
from base64 import b64decode
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .fills import dashes, gradient_of
from .marks import END, Arch, Box, Clip, Frame, Line, Mark, Photo, Word

DOTS = 2
_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts", "C:/Windows/Fonts")
_FILES = {
    (True, False): "DejaVuSansMono.ttf", (True, True): "DejaVuSansMono-Bold.ttf", (False, False): "DejaVuSans.ttf",
    (False, True): "DejaVuSans-Bold.ttf",
}  # fmt: skip


def png(marks: Sequence[Mark], wide: float, high: float) -> bytes:
    """The bytes of the file."""
    from PIL import Image

    image = Image.new("RGB", (math.ceil(wide * DOTS), math.ceil(high * DOTS)), "#ffffff")
    canvas = _Canvas(image)
    for mark in marks:
        canvas.draw(mark)
    out = io.BytesIO()
    canvas.image.save(out, "PNG", optimize=True)
    return out.getvalue()


@cache
def font_file(mono: bool, bold: bool) -> str | None:
    """The file of a face that has all signs of the pictures: Matplotlib brings it, and most systems have it."""
    name = _FILES[mono, bold]
    spec = find_spec("matplotlib")
    if spec is not None and spec.submodule_search_locations:
        path = Path(spec.submodule_search_locations[0], "mpl-data", "fonts", "ttf", name)
        if path.exists():
            return str(path)
    return next((str(path) for folder in _FOLDERS for path in sorted(Path(folder).rglob(name))), None)


@cache
def font(mono: bool, bold: bool, size: float) -> Any:
    from PIL import ImageFont

    path = font_file(mono, bold)
    return ImageFont.load_default(size) if path is None else ImageFont.truetype(path, size)


class _Canvas:
    def __init__(self, image: Any) -> None:
        self.image = image
        self.under: list[tuple[Any, tuple[int, int, int, int]]] = []

    @property
    def pen(self) -> Any:
        from PIL import ImageDraw

        return ImageDraw.Draw(self.image)

    def draw(self, mark: Mark) -> None:
        match mark:
            case Box():
                self.box(mark)
            case Line():
                self.line(mark)
            case Arch():
                # The arch of a rectangle whose lower side is far below.
                x, y, w, h = (DOTS * v for v in (mark.x, mark.y, mark.width, mark.height))
                r = min(DOTS * mark.round, w / 2)
                self.bent(
                    [(x, y + h), *_corner(x + r, y + r, r, 180), *_corner(x + w - r, y + r, r, 270), (x + w, y + h)],
                    mark,
                )
            case Frame():
                x, y, w, h = (DOTS * v for v in (mark.x, mark.y, mark.width, mark.height))
                r = min(DOTS * mark.round, w / 2, h / 2)
                corners = (
                    (x + r, y + r, 180),
                    (x + w - r, y + r, 270),
                    (x + w - r, y + h - r, 0),
                    (x + r, y + h - r, 90),
                )
                around = [point for cx, cy, begin in corners for point in _corner(cx, cy, r, begin)]
                self.bent([*around, around[0]], mark)
            case Word():
                self.word(mark)
            case Photo():
                self.photo(mark)
            case Clip() if mark == END:
                before, place = self.under.pop()
                before.paste(self.image.crop(place), place[:2])
                self.image = before
            case Clip():
                self.under.append((self.image.copy(), _dots(mark.x, mark.y, mark.width, mark.height)))

    def box(self, box: Box) -> None:
        from PIL import Image, ImageDraw

        place = _dots(box.x, box.y, box.width, box.height)
        wide, high = place[2] - place[0], place[3] - place[1]
        if wide <= 0 or high <= 0:
            return
        shape = Image.new("L", (wide, high), 255)
        if box.round:
            shape = Image.new("L", (wide, high), 0)
            ImageDraw.Draw(shape).rounded_rectangle((0, 0, wide - 1, high - 1), DOTS * box.round, 255)
        if box.fill.startswith("#"):
            self.image.paste(Image.new("RGB", (wide, high), box.fill.split()[0]), place[:2], shape)
        if "gradient" in box.fill:
            face = self.shaded(box, wide, high)
            self.image.paste(face.convert("RGB"), place[:2], face.getchannel("A"))

    def shaded(self, box: Box, wide: int, high: int) -> Any:
        """A gradient, or its tile again and again."""
        import numpy as np
        from PIL import Image

        found = gradient_of(box)
        y, x = np.mgrid[0:high, 0:wide]
        x, y = (x + 0.5) / DOTS, (y + 0.5) / DOTS
        if found.tile:
            x, y = x % found.wide, y % found.high
        x1, y1, x2, y2 = found.ends
        along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / max((x2 - x1) ** 2 + (y2 - y1) ** 2, 1e-9)
        colours = np.array([_rgba(colour) for colour, _ in found.stops], float)
        places = np.array([at for _, at in found.stops])
        after = np.clip(np.searchsorted(places, along, "right"), 1, len(places) - 1) if len(places) > 1 else along * 0
        after = after.astype(int)
        before = np.maximum(after - 1, 0)
        gap = places[after] - places[before]
        part = np.clip(np.where(gap > 0, (along - places[before]) / np.where(gap > 0, gap, 1), 1.0), 0, 1)[..., None]
        mixed = colours[before] * (1 - part) + colours[after] * part
        return Image.fromarray(mixed.round().astype(np.uint8), "RGBA")

    def line(self, mark: Line) -> None:
        if mark.kind == "double":
            third, flat = mark.wide / 3, mark.y == mark.to_y
            for shift in (-third, third):
                dx, dy = (0.0, shift) if flat else (shift, 0.0)
                self.line(Line(mark.x + dx, mark.y + dy, mark.to_x + dx, mark.to_y + dy, third, "solid", mark.colour))
            return
        if not dashes(mark.wide, mark.kind):
            flat, half = mark.y == mark.to_y, mark.wide / 2
            x, y = (mark.x, mark.y - half) if flat else (mark.x - half, mark.y)
            wide, high = (mark.to_x - mark.x, mark.wide) if flat else (mark.wide, mark.to_y - mark.y)
            place = _dots(x, y, wide, high)
            if place[2] > place[0] and place[3] > place[1]:
                self.pen.rectangle((*place[:2], place[2] - 1, place[3] - 1), mark.colour)
            return
        self.bent([(DOTS * mark.x, DOTS * mark.y), (DOTS * mark.to_x, DOTS * mark.to_y)], mark)

    def bent(self, points: Sequence[tuple[float, float]], mark: Line | Arch | Frame) -> None:
        """A line through points, in dashes where it has some."""
        pen, wide = self.pen, max(1, round(DOTS * mark.wide))
        pattern = [DOTS * one for one in dashes(mark.wide, mark.kind)]
        for run in _dashed(points, pattern) if pattern else [points]:
            pen.line([(round(x - 0.5), round(y - 0.5)) for x, y in run], mark.colour, wide, "curve")

    def word(self, mark: Word) -> None:
        if not mark.text.strip():
            return
        size = DOTS * mark.size
        face = font(mark.mono, mark.bold, size)
        wide = face.getlength(mark.text)
        if wide > DOTS * mark.width + 1:
            face = font(mark.mono, mark.bold, size * DOTS * mark.width / wide)
        self.pen.text((DOTS * mark.x, DOTS * mark.y), mark.text, mark.colour, face, "ls")
        if mark.struck:
            y = mark.y - 0.3 * mark.size
            self.line(Line(mark.x, y, mark.x + mark.width, y, 1, "solid", mark.colour))

    def photo(self, mark: Photo) -> None:
        from PIL import Image

        image = Image.open(io.BytesIO(b64decode(mark.source.partition(",")[2]))).convert("RGBA")
        place = _dots(mark.x, mark.y, mark.width, mark.height)
        way = Image.Resampling.NEAREST if image.width < place[2] - place[0] else Image.Resampling.LANCZOS
        image = image.resize((max(place[2] - place[0], 1), max(place[3] - place[1], 1)), way)
        self.image.paste(image.convert("RGB"), place[:2], image.getchannel("A"))


def _dots(x: float, y: float, wide: float, high: float) -> tuple[int, int, int, int]:
    return round(DOTS * x), round(DOTS * y), round(DOTS * (x + wide)), round(DOTS * (y + high))


def _rgba(colour: str) -> tuple[int, int, int, int]:
    if colour == "#0000":
        return 0, 0, 0, 0
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16), 255


def _corner(x: float, y: float, r: float, begin: int) -> list[tuple[float, float]]:
    """A quarter of a circle, clockwise."""
    turns = [math.radians(begin + 90 * k / 8) for k in range(9)]
    return [(x + r * math.cos(turn), y + r * math.sin(turn)) for turn in turns]


def _dashed(points: Sequence[tuple[float, float]], pattern: Sequence[float]) -> list[list[tuple[float, float]]]:
    """The dashes of a line through points."""
    out: list[list[tuple[float, float]]] = [[points[0]]]
    drawn, left, which = True, pattern[0], 0
    for (x, y), (to_x, to_y) in zip(points, points[1:], strict=False):
        far = math.hypot(to_x - x, to_y - y)
        done = 0.0
        while far - done > left:
            done += left
            at = (x + (to_x - x) * done / far, y + (to_y - y) * done / far)
            if drawn:
                out[-1].append(at)
            else:
                out.append([at])
            drawn, which = not drawn, (which + 1) % len(pattern)
            left = pattern[which]
        left -= far - done
        if drawn:
            out[-1].append((to_x, to_y))
    return [run for run in out if len(run) > 1]
