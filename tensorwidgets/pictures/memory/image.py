"""An array that is an image is shown as one: height, width and three or four channels, alone or as a batch of them.

The numbers of its first pixels are below, one table for each channel. Pixels are read at even steps, never all of a
large image.

>>> import numpy as np
>>> found = image_of(np.zeros((512, 512, 3), np.uint8))
>>> found.words()
'shown as an image of 512 × 512 pixels, red, green, blue, uint8; every third row and column'
>>> image_of(np.zeros((2, 3, 4), np.uint8)) is None
True
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..arrays.sources import Source, source_of
from ..arrays.values import shape_text
from ..arrays.window import Window
from ..drawing.html import div, escape, row, table, td
from ..drawing.inline import Line, axis, bold, words
from ..drawing.png import write
from ..drawing.scene import Cell
from ..drawing.tokens import EDGE, MUTED, WASH, WIDTH
from ..parts.grid import Grid, caption_width, captioned

LEAST = 16
"""Pixels that an image is high and wide at least; what is smaller is a table of numbers."""
SAMPLES, SHOWN = 192, 400
"""The largest number of pixels read along a side, and about how many are shown."""
BATCH = 6
"""How many images of a batch are shown."""
CHANNELS = ("red", "green", "blue", "alpha")
WINDOW = 4, 5
"""Rows and columns of the first image whose numbers are drawn."""
_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth"}


@dataclass(frozen=True)
class Axes:
    """Which dimension is what; `batch` is None for one image."""

    high: int
    wide: int
    channel: int
    batch: int | None = None


def axes_of(size: tuple[int, ...]) -> Axes | None:
    """Height x width x channels, channels x height x width, and batches of either; None for any other size.

    >>> axes_of((64, 64, 3)), axes_of((8, 3, 32, 32)), axes_of((64, 64, 5))
    (Axes(high=0, wide=1, channel=2, batch=None), Axes(high=2, wide=3, channel=1, batch=0), None)
    """
    if len(size) not in (3, 4):
        return None
    first = len(size) - 3
    batch = 0 if first else None
    for axes in (Axes(first, first + 1, first + 2, batch), Axes(first + 1, first + 2, first, batch)):
        if size[axes.channel] in (3, 4) and min(size[axes.high], size[axes.wide]) >= LEAST and 0 not in size:
            return axes
    return None


@dataclass(frozen=True)
class Image:
    """Samples of an image, or of the first images of a batch, as rows of bytes."""

    size: tuple[int, ...]
    axes: Axes
    dtype: str
    every: int
    pixels: tuple[tuple[bytes, ...], ...]
    """The rows of each image."""

    @property
    def channels(self) -> int:
        return self.size[self.axes.channel]

    @property
    def window(self) -> Window:
        """The elements that are drawn as numbers: a corner of the first image in each channel."""
        kept = {self.axes.high: WINDOW[0], self.axes.wide: WINDOW[1], self.axes.channel: 4}
        sizes = enumerate(self.size)
        return Window(self.size, tuple(tuple(range(min(n, kept.get(d, 1)))) for d, n in sizes))

    def letter(self, index: tuple[int, ...]) -> str:
        """The letter of an element's colour: R, G, B or A."""
        return CHANNELS[index[self.axes.channel]][0].upper()

    def words(self) -> str:
        """What is seen."""
        high, wide = self.size[self.axes.high], self.size[self.axes.wide]
        many = ""
        if self.axes.batch is not None:
            n = self.size[self.axes.batch]
            many = "one image" if n == 1 else f"{n:,} images" if n <= BATCH else f"{BATCH} of {n:,} images"
        shown = f"as {many}" if many else "as an image"
        text = f"shown {shown} of {high:,} × {wide:,} pixels, {', '.join(CHANNELS[: self.channels])}, {self.dtype}"
        text += " from 0 to 1" if self.dtype.startswith(("float", "bfloat")) else ""
        if self.every > 1:
            text += f"; every {_ORDINALS.get(self.every, f'{self.every:,}th')} row and column"
        return text

    def html(self) -> str:
        words = escape(self.words())
        many = len(self.pixels) > 1
        scale = max(1, (96 if many else SHOWN) // max(len(self.pixels[0]), len(self.pixels[0][0]) // self.channels))
        html = ""
        for number, lines in enumerate(self.pixels):
            wide, high = len(lines[0]) // self.channels * scale, len(lines) * scale
            alt = f"image {number}: {words}" if many else words
            html += (
                f'<img alt="{alt}" src="data:image/png;base64,{self._png(lines, scale)}" width="{wide}" '
                f'height="{high}" style="border:1px solid {EDGE};background:{WASH};margin:0 8px 4px 0">'
            )
        return html + div(words, f"font-size:11px;line-height:16px;color:{MUTED};margin:0 0 12px")

    def _png(self, lines: tuple[bytes, ...], scale: int) -> str:
        step = self.channels
        rows = []
        for line in lines:
            wide = b"".join(line[k : k + step] * scale for k in range(0, len(line), step))
            rows += [wide] * scale
        return b64encode(write(rows, step)).decode()


def image_of(array: Any) -> Image | None:
    """The image that an array is by its size, its type and its numbers: bytes, or floats from 0 to 1; else None."""
    source = array if isinstance(array, Source) else source_of(array)
    axes = axes_of(source.size)
    numbers = source.dtype == "uint8" or source.dtype in ("float16", "bfloat16", "float32", "float64")
    if axes is None or source.read is None or not numbers:
        return None
    size = source.size
    every = max(1, math.ceil(max(size[axes.high], size[axes.wide]) / (SAMPLES // (2 if axes.batch is not None else 1))))
    block = [slice(None)] * len(size)
    block[axes.high] = block[axes.wide] = slice(None, None, every)
    count = 1
    if axes.batch is not None:
        count = min(size[axes.batch], BATCH)
        block[axes.batch] = slice(0, count)
    values = source.read(tuple(block))
    if source.dtype != "uint8":
        if not all(0 <= v <= 1 for v in values):
            return None
        values = [round(255 * v) for v in values]
    high, wide = (-(-size[d] // every) for d in (axes.high, axes.wide))
    data, channels = bytes(values), size[axes.channel]
    one = high * wide * channels
    pictures = []
    for start in range(0, count * one, one):
        image = data[start : start + one]
        if axes.channel < axes.high:
            planes = [image[k * high * wide : (k + 1) * high * wide] for k in range(channels)]
            image = bytes(v for pixel in zip(*planes, strict=True) for v in pixel)
        line = wide * channels
        pictures.append(tuple(image[k : k + line] for k in range(0, one, line)))
    return Image(size, axes, source.dtype, every, tuple(pictures))


@dataclass(frozen=True)
class ImageView:
    """A view that is an image: its picture, and the numbers of its first pixels, one table for each channel."""

    caption: tuple[Line, ...]
    image: Image
    stride: tuple[int, ...]
    cells: Mapping[tuple[int, ...], Cell]

    def html(self) -> str:
        grids = "".join(
            div(self._grid(k).html(), "display:inline-block;vertical-align:top;margin:0 20px 12px 0")
            for k in range(self.image.channels)
        )
        style = "text-align:left;white-space:normal"
        body = table(
            [row(td(self.image.html(), style)), row(td(grids, style))], style=f"max-width:{WIDTH}px", cls="tw-view",
            caption=captioned(self.caption),
        )  # fmt: skip
        return div(body, f"min-width:{caption_width(self.caption)}px")

    def _grid(self, channel: int) -> Grid:
        """The corner of one channel."""
        axes, window = self.image.axes, self.image.window
        down, across = window.kept[axes.high], window.kept[axes.wide]
        lines = [[self.cells[self._index(i, j, channel)] for j in across] for i in down]
        steps = self.stride[axes.high], self.stride[axes.wide]
        gap = (0 if steps[0] == 1 else 6, 0 if steps[1] == 1 else 6)
        return Grid(
            lines, [str(i) for i in down], [str(j) for j in across], (axes.high, axes.wide), gap, 36, 28,
            caption=(self._head(channel),),
        )  # fmt: skip

    def _index(self, i: int, j: int, channel: int) -> tuple[int, ...]:
        axes = self.image.axes
        index = [0] * len(self.image.size)
        index[axes.high], index[axes.wide], index[axes.channel] = i, j, channel
        return tuple(index)

    def _head(self, channel: int) -> Line:
        """`[:, :, 0] red`."""
        axes = self.image.axes
        parts: list[Any] = ["["]
        for d in range(len(self.image.size)):
            parts.append(", " if d else "")
            fixed = {axes.channel: str(channel), axes.batch: "0"}.get(d, ":")
            parts.append(axis(fixed, d, under=False) if fixed != ":" else ":")
        return (*parts, "] ", bold(CHANNELS[channel]))

    def text(self) -> str:
        first = words(self.caption[0])
        rest = "; ".join(words(line) for line in self.caption[1 + len(self.image.size) :]).replace("from ", "")
        size, stride = shape_text(self.image.size), shape_text(self.stride)
        head = f"\n{first}: size {size}, stride {stride}, {rest}\n{self.image.words()}"
        return "\n".join([head, *(self._grid(k).text() for k in range(self.image.channels))])
