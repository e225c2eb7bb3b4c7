"""A value in a few characters: what stands in a cell."""

from __future__ import annotations

import math
from typing import Any

GLYPHS = {"nan": "×", "inf": "∞", "-inf": "−∞"}
"""What a cell shows for a value that no scale holds; the text twin keeps the words."""

WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def short(value: Any) -> str:
    """At most six characters, exact where that is possible.

    >>> [short(v) for v in (19.0, 0.1, 1 / 3, 123456789, 1e-5, float("nan"), True, 1 + 2j, "hello world")]
    ['19', '0.1', '0.333', '1.2e8', '1e-5', 'nan', 'True', '1+2j', 'hello…']
    """
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int):
        return (
            str(value) if -100000 < value < 1000000 else _float(float(value)) if abs(value) < 1e300 else "big"
        )
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, complex):
        text = f"{short(value.real)}{'' if math.copysign(1, value.imag) < 0 else '+'}{short(value.imag)}j"
        return text if len(text) <= 6 else text[:5] + "…"
    if isinstance(value, (str, bytes)):
        text = value if isinstance(value, str) else value.decode("latin-1")
        return text if len(text) <= 6 else text[:5] + "…"
    if hasattr(value, "__float__") and not hasattr(value, "__len__"):
        return _float(float(value))
    text = str(value) if _plain(value) else type(value).__name__
    return text if len(text) <= 6 else text[:5] + "…"


def _plain(value: Any) -> bool:
    """Whether str() of it can hold no address: tuples of a record, dates."""
    if isinstance(value, tuple):
        return all(isinstance(v, (int, float, str, bool)) for v in value)
    return type(value).__module__ == "datetime"


def _float(value: float) -> str:
    if value != value:
        return "nan"
    if value in (math.inf, -math.inf):
        return "inf" if value > 0 else "-inf"
    for digits in (4, 3, 2, 1):
        text = f"{value:.{digits}g}"
        if "e" in text:
            number, power = text.split("e")
            text = f"{number}e{int(power)}"
        if len(text) <= 5 + (value < 0):
            return text
    return text


def count(n: int, one: str, many: str = "") -> str:
    """A number with its noun: `one view`, `12 elements`."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def spell(n: int) -> str:
    """Small numbers in words."""
    return WORDS[n] if n < len(WORDS) else f"{n:,}"


def index_text(index: tuple[int, ...]) -> str:
    """As it is written behind a name: `[1, 2]`; nothing where there is no index."""
    return f"[{', '.join(map(str, index))}]" if index else ""


def shape_text(size: tuple[int, ...]) -> str:
    """As Python writes a tuple: `(3, 4)`, `(3,)`."""
    return f"({', '.join(map(str, size))}{',' if len(size) == 1 else ''})"
