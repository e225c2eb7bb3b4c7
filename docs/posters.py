"""Draw the posters: `python docs/posters.py` writes docs/posters/*.png, each in light and dark. It needs a browser.

Each poster is the upper part of what `show` draws, under the code that made it. `python docs/posters.py head_split`
draws one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import tensorwidgets as torch
from tensorwidgets.course import photo
from tensorwidgets.pictures import Picture, show
from tensorwidgets.pictures.drawing import png
from tensorwidgets.pictures.drawing.browser import photograph
from tensorwidgets.pictures.drawing.scene import Beside, Block, Code, Gap, Stack, Title
from tensorwidgets.pictures.parts.lens import Lens
from tensorwidgets.pictures.parts.memory_bar import Bar

FOLDER = Path(__file__).parent / "posters"
LARGEST = 60_000
"""Bytes of one image at most."""


@dataclass(frozen=True)
class Poster:
    """A title, the lines of code, and what makes the arrays with their labels."""

    title: str
    code: tuple[str, ...]
    arrays: Callable[[], dict[str, Any]]

    def picture(self) -> Picture:
        """The bars alone: no cells by rows and columns, no sentence."""
        arrays = self.arrays()
        drawn = show(*arrays.values(), labels=list(arrays)).blocks
        title = drawn[0]
        cells = next(k for k, block in enumerate(drawn) if isinstance(block, Beside))
        aside = title.aside if isinstance(title, Title) else ""
        bars: list[Block] = [without_example(block) for block in drawn[1 : cells - 1]]
        return Picture([Title(self.title, aside), Code(self.code), Gap(16), *bars])


def without_example(block: Block) -> Block:
    """A block without the marks of the element that the sentence of a picture is about."""
    if isinstance(block, Stack):
        return replace(block, blocks=[without_example(part) for part in block.blocks])
    if isinstance(block, Bar):
        return replace(block, mark=None)
    if isinstance(block, Lens):
        return replace(block, cells=tuple(cell._replace(mark="") for cell in block.cells))
    return block


def _transpose() -> dict[str, Any]:
    x = torch.arange(96).view(8, 12)
    return {"x": x, "x.t()": x.t()}


def _heads() -> dict[str, Any]:
    x = torch.arange(4 * 32 * 64).view(4, 32, 64)
    return {"q": x.view(4, 32, 8, 8).transpose(1, 2).rename("batch", "head", "token", "feature")}


def _channels() -> dict[str, Any]:
    x = torch.arange(3 * 8 * 8).view(1, 3, 8, 8)
    names = ("image", "channel", "row", "column")
    return {"x": x.rename(*names), "y": x.contiguous(memory_format=torch.channels_last).rename(*names)}


def _patches() -> dict[str, Any]:
    x = torch.arange(64 * 64).view(64, 64)
    return {"p": x.unfold(0, 16, 16).unfold(1, 16, 16).rename("patch_row", "patch_column", "row", "column")}


def _large() -> dict[str, Any]:
    x = np.zeros((10_000, 10_000), np.float32)
    return {"v": x[2_500:7_500:2, ::-1]}


def _photograph() -> dict[str, Any]:
    x = photo().rename("row", "column", "colour")
    return {"x": x, "crop": x[24:72, 32:96]}


def _bytes() -> dict[str, Any]:
    x = torch.tensor([1.0, -2.0, 0.5, 100.0, 3.0, 7.25])
    return {"x": x, "x.view(torch.uint8)": x.view(torch.uint8)}


def _hankel() -> dict[str, Any]:
    x = torch.arange(23)
    return {"x": x, "h": x.as_strided((12, 12), (1, 1))}


POSTERS = {
    "photograph": Poster(
        "A crop of a photograph copies nothing",
        ("x = photo()      # row, column, colour", "crop = x[24:72, 32:96]", "show(x, crop)"),
        _photograph,
    ),
    "bytes": Poster(
        "Six floats, or twenty-four bytes",
        ("x = torch.tensor([1.0, -2.0, 0.5, 100.0, 3.0, 7.25])", "show(x, x.view(torch.uint8))"),
        _bytes,
    ),
    "windows_of_one": Poster(
        "Twelve rows of twelve, from twenty-three numbers",
        ("h = torch.arange(23).as_strided((12, 12), (1, 1))", "show(x, h)"),
        _hankel,
    ),
    "transpose": Poster(
        "A transpose moves no number",
        ("x = torch.arange(96).view(8, 12)", "show(x, x.t())"),
        _transpose,
    ),
    "head_split": Poster(
        "Heads interleave inside each token",
        ("q = x.view(4, 32, 8, 8).transpose(1, 2)      # batch, head, token, feature", "show(q)"),
        _heads,
    ),
    "channels_last": Poster(
        "NCHW keeps planes, channels_last keeps pixels",
        ("y = x.contiguous(memory_format=torch.channels_last)", "show(x, y)"),
        _channels,
    ),
    "sliding_window": Poster(
        "Windows overlap and copy nothing",
        ("w = torch.arange(64).unfold(0, 12, 4)", "show(w)"),
        lambda: {"w": torch.arange(64).unfold(0, 12, 4).rename("window", "place")},
    ),
    "patches": Poster(
        "Patches of an image are two windows at once",
        ("p = x.unfold(0, 16, 16).unfold(1, 16, 16)      # x: 64 rows, 64 columns", "show(p)"),
        _patches,
    ),
    "batch_of_sequences": Poster(
        "A batch of sequences",
        ("x = torch.arange(32 * 100 * 512).view(32, 100, 512)      # sequence, step, feature", "show(x)"),
        lambda: {"x": torch.arange(32 * 100 * 512).view(32, 100, 512).rename("sequence", "step", "feature")},
    ),
    "broadcast": Poster(
        "A broadcast reads the same place again",
        ("b = torch.arange(48)[:, None].expand(48, 1000)", "show(b)"),
        lambda: {"b": torch.arange(48)[:, None].expand(48, 1000)},
    ),
    "strided_slice": Poster(
        "A slice skips, and keeps all of its storage",
        ("s = torch.arange(80).view(8, 10)[::2, 1:]", "show(s)"),
        lambda: {"s": torch.arange(80).view(8, 10)[::2, 1:]},
    ),
    "column": Poster(
        "A column touches every row",
        ("c = torch.arange(10_000).view(100, 100)[:, 3]", "show(c)"),
        lambda: {"c": torch.arange(10_000).view(100, 100)[:, 3]},
    ),
    "backwards": Poster(
        "A negative stride walks to the left",
        ("r = np.arange(60)[::-2]", "show(r)"),
        lambda: {"r": np.arange(60)[::-2]},
    ),
    "diagonal": Poster(
        "A diagonal is one step of n + 1",
        ("d = torch.arange(64).view(8, 8).diagonal()", "show(d)"),
        lambda: {"d": torch.arange(64).view(8, 8).diagonal()},
    ),
    "hundred_million": Poster(
        "A hundred million elements at a glance",
        ("v = np.zeros((10_000, 10_000), np.float32)[2_500:7_500:2, ::-1]", "show(v)"),
        _large,
    ),
}


def small(data: bytes) -> bytes:
    """The same image with a palette of its most frequent colours."""
    rows = np.stack([np.frombuffer(row, np.uint8) for row in png.read(data)])
    channels = rows.shape[1] * rows.shape[0] // (int.from_bytes(data[16:20], "big") * rows.shape[0])
    pixels = rows.reshape(-1, channels)[:, :3].astype(np.int64)
    packed = pixels @ np.array([65536, 256, 1])
    known, index, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colours = np.stack([known >> 16, known >> 8 & 255, known & 255], axis=1)
    best = np.argsort(-counts, kind="stable")[:48]
    far = ((colours[:, None].astype(np.int32) - colours[best][None]) ** 2).sum(axis=2)
    index = far.argmin(axis=1).astype(np.uint8)[index.ravel()].reshape(len(rows), -1)
    return png.write([row.tobytes() for row in index], 1, colours[best].astype(np.uint8).tobytes())


def main(names: list[str]) -> None:
    for name in names or POSTERS:
        page = POSTERS[name].picture().page()
        for theme in ("light", "dark"):
            data = small(photograph(page, theme == "dark"))
            if len(data) > LARGEST:
                raise ValueError(f"{name}.{theme}.png has {len(data):,} bytes, and {LARGEST:,} is the most")
            (FOLDER / f"{name}.{theme}.png").write_bytes(data)
            print(f"{name}.{theme}.png {len(data):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
