"""What eyes make of a colour: WCAG's contrast, distance in OKLab, and sight without one kind of cone."""

from __future__ import annotations

import math

# Machado, Oliveira and Fernandes 2009, full severity, on linear light.
CONES = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour: str) -> list[float]:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]


def contrast(one: str, other: str) -> float:
    light = sorted(sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) for c in (one, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


def oklab(rgb: list[float]) -> tuple[float, float, float]:
    r, g, b = (max(0.0, v) for v in rgb)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    medium = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def distance(one: str, other: str, eyes: str = "") -> float:
    """How far apart two colours look, to all eyes or to those without one kind of cone."""
    seen = []
    for colour in (one, other):
        rgb = linear(colour)
        if eyes:
            rgb = [sum(m * v for m, v in zip(row, rgb, strict=True)) for row in CONES[eyes]]
        seen.append(oklab(rgb))
    return math.dist(*seen)
