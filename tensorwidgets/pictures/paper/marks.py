"""What is drawn on paper: rectangles, lines, texts and images at their places, in the order of painting."""

from __future__ import annotations

from typing import NamedTuple


class Box(NamedTuple):
    """A filled rectangle. `fill` is a background as CSS writes it."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    round: float = 0


class Line(NamedTuple):
    """A straight line with its middle on these points."""

    x: float
    y: float
    to_x: float
    to_y: float
    wide: float
    kind: str
    colour: str


class Arch(NamedTuple):
    """The left, upper and right side of a rectangle with round corners, in one line."""

    x: float
    y: float
    width: float
    height: float
    round: float
    wide: float
    kind: str
    colour: str


class Frame(NamedTuple):
    """A rectangle with round corners, as a line."""

    x: float
    y: float
    width: float
    height: float
    round: float
    wide: float
    kind: str
    colour: str


class Word(NamedTuple):
    """A run of text; `y` is its base line."""

    x: float
    y: float
    text: str
    width: float
    size: float
    mono: bool
    bold: bool
    colour: str
    struck: bool = False


class Photo(NamedTuple):
    """An image, as the address that holds its bytes."""

    x: float
    y: float
    width: float
    height: float
    source: str


class Clip(NamedTuple):
    """Until the clip ends, only what is inside of this rectangle is drawn. A height below 0 ends the last one."""

    x: float
    y: float
    width: float
    height: float


END = Clip(0, 0, 0, -1)
Mark = Box | Line | Arch | Frame | Word | Photo | Clip
