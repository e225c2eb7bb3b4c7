"""A picture on paper, as SVG and as PNG: its HTML laid out, in light or dark colours."""

from __future__ import annotations

import re

from ..drawing.tokens import WIDTH, dark_of
from .layout import Holder, Paper, read
from .marks import Mark
from .pixels import png
from .svg import svg

WIDE = WIDTH + 32


def laid_out(html: str, dark: bool = False) -> tuple[list[Mark], float]:
    """The marks of a picture, and its height in pixels."""
    if dark:
        partner = dark_of()
        html = re.sub(r"#\w{6}\b", lambda colour: partner.get(colour[0], colour[0]), html)
    paper = Paper()
    high = paper.block(read(html), 0, 0, WIDE, Holder())
    return paper.marks, high


def svg_of(html: str, title: str, words: str, dark: bool = False) -> str:
    """A picture as the text of an SVG."""
    marks, high = laid_out(html, dark)
    return svg(marks, WIDE, high, title, words)


def png_of(html: str, dark: bool = False) -> bytes:
    """A picture as the bytes of a PNG."""
    marks, high = laid_out(html, dark)
    return png(marks, WIDE, high)
