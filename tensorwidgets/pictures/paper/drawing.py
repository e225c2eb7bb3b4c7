"""A picture on paper, as SVG and as PNG: its HTML laid out, in light or dark colours."""

from __future__ import annotations

import re
from math import ceil
from typing import NamedTuple

from ..drawing.tokens import WIDTH, dark_of
from .layout import Holder, Paper, read
from .marks import Mark
from .pixels import png
from .svg import svg

WIDE = WIDTH + 32


class Sheet(NamedTuple):
    """What is on the paper, and its size in pixels."""

    marks: list[Mark]
    wide: float
    high: float


def laid_out(html: str, dark: bool = False) -> Sheet:
    """A picture on paper of the usual width, or on wider paper if one of its tables needs it."""
    if dark:
        partner = dark_of()
        html = re.sub(r"#\w{6}\b", lambda colour: partner.get(colour[0], colour[0]), html)
    sheet, lacking = _sheet(html, WIDE)
    return sheet if not lacking else _sheet(html, WIDE + ceil(lacking))[0]


def _sheet(html: str, wide: float) -> tuple[Sheet, float]:
    """The sheet, and how many pixels it lacks."""
    paper, root = Paper(), read(html)
    root.style["width"] = f"{wide}px"
    high = paper.block(root, 0, 0, wide, Holder())
    return Sheet(paper.marks, wide, high), paper.lacking


def svg_of(html: str, title: str, words: str, dark: bool = False) -> str:
    """A picture as the text of an SVG."""
    marks, wide, high = laid_out(html, dark)
    return svg(marks, wide, high, title, words)


def png_of(html: str, dark: bool = False) -> bytes:
    """A picture as the bytes of a PNG."""
    return png(*laid_out(html, dark))
