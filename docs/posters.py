"""Draw the posters: `python docs/posters.py` writes docs/posters/*.png, each in light and dark. It needs a browser.

Each poster is what `show` draws of some code, under that code, and without the sentence below it: the bars, and the
cells by rows and columns where there are few. `python docs/posters.py head_split` draws one.
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
from tensorwidgets.pictures.drawing.inline import bold
from tensorwidgets.pictures.drawing.scene import Beside, Block, Cell, Code, Gap, Stack, Title, Words
from tensorwidgets.pictures.memory.image import ImageView
from tensorwidgets.pictures.parts.lens import Lens
from tensorwidgets.pictures.parts.memory_bar import Bar
from tensorwidgets.pictures.parts.view_grid import ViewGrid

FOLDER = Path(__file__).parent / "posters"
LARGEST = 60_000
"""Bytes of one image at most."""


@dataclass(frozen=True)
class Poster:
    """A title, the lines of code, and what makes the arrays with their labels.

    `cells` are the labels of the views whose cells are drawn by rows and columns, with one element marked as the
    example. If there are two, only what the second reads has a colour in the first. An image is drawn as an image, in
    as many more colours as `shades`.
    """

    title: str
    code: tuple[str, ...]
    arrays: Callable[[], dict[str, Any]]
    cells: tuple[str, ...] = ()
    shades: int = 0

    def picture(self) -> Picture:
        """The bars and the cells: no sentence."""
        arrays = self.arrays()
        drawn = show(*arrays.values(), labels=list(arrays)).blocks
        title = drawn[0]
        end, beside = next((k, block) for k, block in enumerate(drawn) if isinstance(block, Beside))
        aside = title.aside if isinstance(title, Title) else ""
        bars = list(drawn[1 : end - 1])
        if sum(isinstance(block, Stack) for block in bars) > 1:
            bars = _named(bars, list(arrays))
        views = [view for label, view in zip(arrays, beside.blocks, strict=True) if label in self.cells]
        if not any(isinstance(view, ViewGrid) for view in views):
            bars = [without_example(block) for block in bars]
        below: list[Block] = [Gap(16), replace(beside, blocks=_chosen(views))] if views else []
        return Picture([Title(self.title, aside), Code(self.code), Gap(16), *bars, *below])


def _named(bars: list[Block], labels: list[str]) -> list[Block]:
    """Where each array has a storage of its own, its label above the bars of that storage."""
    names = iter(labels)
    return [
        Stack([Words(((bold(next(names)),),)), block]) if isinstance(block, Stack) else block for block in bars
    ]  # fmt: skip


def _chosen(views: list[Block]) -> list[Block]:
    """The views; of the first, what the second does not read is without colour."""
    if all(isinstance(view, ImageView) for view in views):
        return [Photo(view) for view in views if isinstance(view, ImageView)]
    match views:
        case [ViewGrid() as whole, ViewGrid() as part]:
            read = {key for cell in part.cells.values() for key in cell.keys.split() if key.startswith("k-")}
            pale = {at: cell if read & set(cell.keys.split()) else _pale(cell) for at, cell in whole.cells.items()}
            return [replace(whole, cells=pale), part]
    return views


def _pale(cell: Cell) -> Cell:
    return cell._replace(fill="")


@dataclass(frozen=True)
class Photo:
    """An image under its label, without the numbers of its first pixels."""

    view: ImageView

    def html(self) -> str:
        return Words(self.view.caption[:1]).html() + self.view.image.html()

    def text(self) -> str:
        return self.view.text()


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
    x = torch.arange(24).view(4, 6)
    return {"x": x, "x.t()": x.t()}


def _heads() -> dict[str, Any]:
    x = torch.arange(4 * 32 * 64).view(4, 32, 64)
    return {"q": x.view(4, 32, 8, 8).transpose(1, 2).rename("batch", "head", "token", "feature")}


def _channels() -> dict[str, Any]:
    x = photo()[32:48, 48:64].permute(2, 0, 1)[None].contiguous()
    names = ("image", "channel", "row", "column")
    return {"x": x.rename(*names), "y": x.contiguous(memory_format=torch.channels_last).rename(*names)}


def _patches() -> dict[str, Any]:
    x = torch.arange(64).view(8, 8)
    return {"p": x.unfold(0, 4, 4).unfold(1, 4, 4).rename("patch_row", "patch_column", "row", "column")}


def _large() -> dict[str, Any]:
    x = np.zeros((10_000, 10_000), np.float32)
    return {"v": x[2_500:7_500:2, ::-1]}


def _photograph() -> dict[str, Any]:
    x = photo().rename("row", "column", "colour")
    return {"crop": x[24:72, 32:96]}


def _bytes() -> dict[str, Any]:
    x = torch.tensor([1.0, -2.0, 0.5, 100.0, 3.0, 7.25])
    return {"x": x, "x.view(torch.uint8)": x.view(torch.uint8)}


def _hankel() -> dict[str, Any]:
    x = torch.arange(19)
    return {"x": x, "h": x.as_strided((10, 10), (1, 1))}


def _slice() -> dict[str, Any]:
    x = torch.arange(24).view(4, 6)
    return {"x": x, "s": x[::2, 1:]}


def _column() -> dict[str, Any]:
    x = torch.arange(24).view(4, 6)
    return {"x": x, "c": x[:, 3]}


def _diagonal() -> dict[str, Any]:
    x = torch.arange(16).view(4, 4)
    return {"x": x, "d": x.diagonal()}


POSTERS = {
    "photograph": Poster(
        "A crop of a photograph copies nothing",
        ("x = photo()      # row, column, colour", "crop = x[24:72, 32:96]", "show(crop)"),
        _photograph,
        cells=("crop",),
        shades=20,
    ),
    "bytes": Poster(
        "Six floats, or twenty-four bytes",
        ("x = torch.tensor([1.0, -2.0, 0.5, 100.0, 3.0, 7.25])", "show(x, x.view(torch.uint8))"),
        _bytes,
        cells=("x",),
    ),
    "windows_of_one": Poster(
        "Ten rows of ten, from nineteen numbers",
        ("x = torch.arange(19)", "h = x.as_strided((10, 10), (1, 1))", "show(x, h)"),
        _hankel,
        cells=("h",),
    ),
    "transpose": Poster(
        "A transpose moves no number",
        ("x = torch.arange(24).view(4, 6)", "show(x, x.t())"),
        _transpose,
        cells=("x", "x.t()"),
    ),
    "head_split": Poster(
        "Heads interleave inside each token",
        (
            "x = torch.arange(4 * 32 * 64).view(4, 32, 64)      # batch, token, feature",
            "q = x.view(4, 32, 8, 8).transpose(1, 2)            # batch, head, token, feature",
            "show(q)",
        ),
        _heads,
    ),
    "channels_last": Poster(
        "NCHW keeps planes, channels_last keeps pixels",
        (
            "x = photo()[32:48, 48:64].permute(2, 0, 1)[None].contiguous()      # image, channel, row, column",
            "y = x.contiguous(memory_format=torch.channels_last)",
            "show(x, y)",
        ),
        _channels,
    ),
    "sliding_window": Poster(
        "Windows overlap and copy nothing",
        ("w = torch.arange(32).unfold(0, 8, 4)      # window, place", "show(w)"),
        lambda: {"w": torch.arange(32).unfold(0, 8, 4).rename("window", "place")},
        cells=("w",),
    ),
    "patches": Poster(
        "Patches of an image are two windows at once",
        ("x = torch.arange(64).view(8, 8)      # an image", "p = x.unfold(0, 4, 4).unfold(1, 4, 4)", "show(p)"),
        _patches,
        cells=("p",),
    ),
    "batch_of_sequences": Poster(
        "A batch keeps each sequence in one piece",
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
        ("x = torch.arange(24).view(4, 6)", "s = x[::2, 1:]", "show(x, s)"),
        _slice,
        cells=("x", "s"),
    ),
    "column": Poster(
        "A column touches every row",
        ("x = torch.arange(24).view(4, 6)", "c = x[:, 3]", "show(x, c)"),
        _column,
        cells=("x", "c"),
    ),
    "backwards": Poster(
        "A negative stride walks to the left",
        ("r = np.arange(60)[::-2]", "show(r)"),
        lambda: {"r": np.arange(60)[::-2]},
    ),
    "diagonal": Poster(
        "A diagonal is one step of n + 1",
        ("x = torch.arange(16).view(4, 4)", "d = x.diagonal()", "show(x, d)"),
        _diagonal,
        cells=("x", "d"),
    ),
    "hundred_million": Poster(
        "A quarter of 100,000,000 elements at a glance",
        ("v = np.zeros((10_000, 10_000), np.float32)[2_500:7_500:2, ::-1]", "show(v)"),
        _large,
    ),
}


def small(data: bytes, shades: int = 0) -> bytes:
    """The same image with a palette: its most frequent colours, and more of what is alike, for a photograph."""
    rows = np.stack([np.frombuffer(row, np.uint8) for row in png.read(data)])
    channels = rows.shape[1] * rows.shape[0] // (int.from_bytes(data[16:20], "big") * rows.shape[0])
    pixels = rows.reshape(-1, channels)[:, :3].astype(np.int64)
    packed = pixels @ np.array([65536, 256, 1])
    known, index, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colours = np.stack([known >> 16, known >> 8 & 255, known & 255], axis=1)
    best = colours[np.argsort(-counts, kind="stable")[:48]]
    if shades:
        alike, group = np.unique(colours >> 5, axis=0, return_inverse=True)
        many = np.bincount(group.ravel(), counts, len(alike))
        mean = [np.bincount(group.ravel(), counts * colours[:, k], len(alike)) // many for k in range(3)]
        most = np.argsort(-many, kind="stable")[:shades]
        best = np.concatenate([best, np.stack(mean, axis=1)[most].astype(np.int64)])
    far = ((colours[:, None].astype(np.int32) - best[None]) ** 2).sum(axis=2)
    index = far.argmin(axis=1).astype(np.uint8)[index.ravel()].reshape(len(rows), -1)
    return png.write([row.tobytes() for row in index], 1, best.astype(np.uint8).tobytes())


def main(names: list[str]) -> None:
    for name in names or POSTERS:
        page = POSTERS[name].picture().page()
        for theme in ("light", "dark"):
            data = small(photograph(page, theme == "dark"), POSTERS[name].shades)
            if len(data) > LARGEST:
                raise ValueError(f"{name}.{theme}.png has {len(data):,} bytes, and {LARGEST:,} is the most")
            (FOLDER / f"{name}.{theme}.png").write_bytes(data)
            print(f"{name}.{theme}.png {len(data):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
