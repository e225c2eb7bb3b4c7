"""Colours, faces and sizes of every picture; a test computes their contrast.

HTML is drawn on light paper only. Each light colour has one dark partner, so the script turns a picture
dark by replacing one by the other; that is why a painter may use no colour that is not in this file.
"""

from __future__ import annotations

from functools import cache

from .colour import oklch

SANS = "system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif"
MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace"
WIDTH = 828
"""Pixels of a picture between its paddings: an output cell is 860 wide."""
NARROW = 536
"""The same beside JupyterLab's file browser, on a screen of 1,024: what needs more gives way."""

PAPER, INK, MUTED, EDGE, RULE, WASH, HOT = (
    "#ffffff", "#16191d", "#5a636e", "#848c96", "#d9dde2", "#f4f5f7", "#111418",
)  # fmt: skip
CLASH, CLASH_TINT = "#c2152f", "#fee9e8"
"""For a mistake only, always with a glyph or a word."""

LINE = {
    "blue": "#056fad", "orange": "#906200", "green": "#007a58", "purple": "#9e4f7c",
    "vermillion": "#b14d00", "sky": "#0271a0",
}  # fmt: skip
MID = {
    "blue": "#94cefe", "orange": "#e9c084", "green": "#8ddab9", "purple": "#f3b0d3",
    "vermillion": "#f9b695", "sky": "#8dd1fa",
}  # fmt: skip
TINT = {
    "blue": "#e1f1ff", "orange": "#fcecd5", "green": "#daf6e9", "purple": "#fee7f2",
    "vermillion": "#ffeadf", "sky": "#def2ff",
}  # fmt: skip
CURVE = {
    "blue": "#027fc7", "orange": "#ac6a01", "green": "#048b5a", "purple": "#bf5295",
    "vermillion": "#c85816", "sky": "#0582b4",
}  # fmt: skip
"""For images of curves, which the script cannot repaint: each stands out as much on light paper as on dark."""
CHANNELS = {"R": MID["vermillion"], "G": MID["green"], "B": MID["blue"], "A": WASH}
"""The colours of an image, always with their letters."""
HUES = ("blue", "orange", "green", "purple")
"""Axes, letters and storages take these in order, together with the line of the same place in `LINES`."""
LINES = ("solid", "dashed", "double", "dotted")

_DARK = {
    PAPER: "#111111", INK: "#eceef1", MUTED: "#a3abb5", EDGE: "#78818c", RULE: "#343a41", WASH: "#1c2024",
    HOT: "#ffffff", CLASH: "#ff7d81", CLASH_TINT: "#4f191c",
    LINE["blue"]: "#3f9add", LINE["orange"]: "#e69f00", LINE["green"]: "#20a97d", LINE["purple"]: "#cc79a7",
    LINE["vermillion"]: "#ea7126", LINE["sky"]: "#56b4e9",
    MID["blue"]: "#195d8b", MID["orange"]: "#765001", MID["green"]: "#00684b", MID["purple"]: "#7f3f63",
    MID["vermillion"]: "#844421", MID["sky"]: "#035f87",
    TINT["blue"]: "#062e49", TINT["orange"]: "#3c2600", TINT["green"]: "#023424", TINT["purple"]: "#421d32",
    TINT["vermillion"]: "#45200b", TINT["sky"]: "#022f45",
}  # fmt: skip

PLACES, VALUES = 34, 12
"""Steps of the two ramps. More could not be distinguished, and the script needs a list of all of them."""


@cache
def ramps() -> tuple[list[str], list[str], list[str], list[str]]:
    """Place light, place dark, value light, value dark: even in lightness."""
    place = [k / (PLACES - 1) for k in range(PLACES)]
    value = [k / (VALUES - 1) for k in range(VALUES)]
    return (
        [oklch(0.965 - 0.275 * t, 0.045 + 0.055 * t, 105 + 150 * t) for t in place],
        [oklch(0.29 + 0.225 * t, 0.055 + 0.055 * t, 285 - 165 * t) for t in place],
        [oklch(0.97 - 0.27 * t, 0.01 + 0.09 * t, 250) for t in value],
        [oklch(0.25 + 0.27 * t, 0.02 + 0.08 * t, 250) for t in value],
    )


def place(k: int, n: int) -> str:
    """Fill for storage position k of n.

    >>> place(0, 12), place(11, 12)
    ('#f7f6d3', '#709ed8')
    """
    return ramps()[0][round(k / (n - 1) * (PLACES - 1)) if n > 1 else 0]


def value(t: float) -> str:
    """Fill for magnitude t in 0..1."""
    return ramps()[2][round(min(1.0, max(0.0, t)) * (VALUES - 1))]


def hue(k: int) -> str:
    """Which of the four hues the k-th axis, letter or storage has."""
    return HUES[k % len(HUES)]


def axis_colour(k: int) -> str:
    return LINE[hue(k)]


def line(k: int) -> str:
    """The line pattern that goes with `hue`: never colour alone."""
    return LINES[k % len(LINES)]


@cache
def dark_of() -> dict[str, str]:
    """Every colour that a painter may use, with its counterpart for dark mode; the four axes come first."""
    place_light, place_dark, value_light, value_dark = ramps()
    axes = {LINE[name]: _DARK[LINE[name]] for name in HUES}
    return (
        axes | _DARK | dict(zip(place_light, place_dark, strict=True)) | dict(zip(value_light, value_dark, strict=True))
    )


def hatch() -> str:
    """The pattern of unread storage, in a form that JupyterLab's sanitiser keeps."""
    stops = ",".join(f"{EDGE} 0 {k + 4}%,#0000 0 {k + 25}%" for k in (0, 25, 50, 75))
    return f"background:{PAPER} linear-gradient(135deg,{stops}) 0 0/11px 11px"
