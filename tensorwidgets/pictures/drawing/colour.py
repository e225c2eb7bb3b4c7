"""One colour from lightness, chroma and hue, so that a ramp's steps look even."""

from __future__ import annotations

import math


def oklch(light: float, chroma: float, hue: float) -> str:
    """The colour as hex; chroma gives way until the colour fits into sRGB.

    >>> oklch(0.965, 0.045, 105)
    '#f7f6d3'
    """
    while True:
        rgb = _linear_rgb(light, chroma, hue)
        if chroma < 1e-4 or all(-1e-4 <= v <= 1 + 1e-4 for v in rgb):
            return "#" + "".join(f"{round(255 * _encode(min(1.0, max(0.0, v)))):02x}" for v in rgb)
        chroma -= 0.002


def _linear_rgb(light: float, chroma: float, hue: float) -> tuple[float, float, float]:
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _encode(v: float) -> float:
    return 12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055
