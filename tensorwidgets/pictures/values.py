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
    """At most five characters, exact where that is possible.

    >>> [short(v) for v in (19.0, 0.1, -1 / 3, 123456789, 1e-5, float("nan"), True, 1 + 2j, "hello world")]
    ['19', '0.1', '-0.33', '1.2e8', '1e-5', 'nan', 'True', '1+2j', 'hell…']
    """
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int):
        text = str(value) if abs(value) < 10**9 else ""
        return text if 0 < len(text) <= 5 else _float(float(value)) if abs(value) < 1e300 else "large"
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, complex):
        sign = "" if math.copysign(1, value.imag) < 0 else "+"
        return _cut(f"{short(value.real)}{sign}{short(value.imag)}j")
    if isinstance(value, (str, bytes)):
        return _cut(value if isinstance(value, str) else value.decode("latin-1"))
    if hasattr(value, "__float__") and not hasattr(value, "__len__"):
        return _float(float(value))
    return _cut(str(value) if _plain(value) else type(value).__name__)


def _cut(text: str) -> str:
    return text if len(text) <= 5 else text[:4] + "…"


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
        if len(text) <= 5:
            return text
    return text


def count(n: int, one: str, many: str = "") -> str:
    """A number with its noun: `one view`, `12 elements`."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def bytes_text(n: int) -> str:
    """How much memory, in at most about ten characters.

    >>> bytes_text(48), bytes_text(720_000), bytes_text(4_294_967_296)
    ('48 bytes', '720,000 bytes', '4.3 GB')
    """
    for size, unit in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB")):
        if n >= size:
            return f"{n / size:.1f} {unit}"
    return count(n, "byte")


def spell(n: int) -> str:
    """Small numbers in words."""
    return WORDS[n] if n < len(WORDS) else f"{n:,}"


def index_text(index: tuple[int, ...]) -> str:
    """As it is written behind a name: `[1, 2]`; nothing where there is no index."""
    return f"[{', '.join(map(str, index))}]" if index else ""


def shape_text(size: tuple[int, ...]) -> str:
    """As Python writes a tuple: `(3, 4)`, `(3,)`."""
    return f"({', '.join(map(str, size))}{',' if len(size) == 1 else ''})"
