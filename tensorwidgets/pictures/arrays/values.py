"""A value in a few characters, for a sentence or a cell."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..drawing.html import plain

GLYPHS = {"nan": "×", "inf": "∞", "-inf": "−∞"}
"""What a cell shows for a value that no scale holds; the text twin keeps the words."""

LINE = 6
"""The digits in a line of a cell."""

WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def with_article(name: str) -> str:
    """The name of a class with "a" or "an", as it is said: capitals are spelled out.

    >>> [with_article(name) for name in ("Linear", "Embedding", "LSTM", "GRU", "UNet", "S", "NoneType")]
    ['a Linear', 'an Embedding', 'an LSTM', 'a GRU', 'a UNet', 'an S', 'None']
    """
    if name == "NoneType":
        return "None"
    spelled = name[:2].isupper()
    return f"{'an' if name[0] in ('AEFHILMNORSX' if spelled else 'aeiouAEIOU') else 'a'} {name}"


def short(value: Any) -> str:
    """At most five characters, exact if possible; dates and long complex numbers are two such words.

    Whole numbers have all their digits, for no cut may read as another number.

    >>> [short(v) for v in (19.0, 0.1, -1 / 3, 123456789, 1e-5, float("nan"), True, 1 + 2j, "hello world")]
    ['19', '0.1', '-0.33', '123456789', '1e-5', 'nan', 'True', '1+2j', 'hell…']
    >>> short(3.14159 - 2.71828j), short(Date("2024-01-15T12:30"))
    ('3.142 -2.7j', '2024- 01-15…')
    """
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**20 else _float(float(value)) if abs(value) < 1e300 else "large"
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, (complex, np.complexfloating)):
        value = complex(value)  # NumPy's long double is none of Python's
        sign = "-" if math.copysign(1, value.imag) < 0 else "+"
        whole = f"{short(value.real)}{sign}{_float(abs(value.imag))}j"
        return whole if len(whole) <= 5 else f"{short(value.real)} {sign}{_float(abs(value.imag), 3)}j"
    if isinstance(value, Date):
        day, rest = value[:10], value[10:]
        if len(day) < 10 or not day[:4].isdigit():
            return value if len(value) <= 7 else _cut(value)
        return f"{day[:5]} {day[5:]}" + ("…" if rest.strip("T0:.") else "")
    if isinstance(value, (str, bytes)):
        return _cut(_spelled(value))
    if hasattr(value, "__float__") and not hasattr(value, "__len__"):
        return _float(float(value))
    value = _bare_record(value)
    return _cut(str(value) if _plain(value) else type(value).__name__)


def in_cell(value: Any) -> str:
    """`short`, with the digits of a long whole number in lines of at most six, so that they fit into a cell.

    >>> [in_cell(v) for v in (12345, 123456, 1234567, -123456789, 2**63 - 1, 0.5)]
    ['12345', '123456', '1234 567', '-123456 789', '9 223372 036854 775807', '0.5']
    """
    text = short(value)
    if len(text) <= LINE or not isinstance(value, int):
        return text
    size = 3 if len(text.lstrip("-")) <= 9 else LINE
    lines: list[str] = []
    while len(text.lstrip("-")) > LINE:
        text, line = text[:-size], text[-size:]
        lines.insert(0, line)
    return " ".join([text, *lines])


def _cut(text: str) -> str:
    return text if len(text) <= 5 else text[:4] + "…"


def _plain(value: Any) -> bool:
    """Whether str() of it can hold no address: tuples of a record, dates."""
    if isinstance(value, (tuple, list)):
        return all(isinstance(v, (int, float, complex, str, bytes, bool)) or _plain(v) for v in value)
    return type(value).__module__ == "datetime"


def _bare_record(value: Any) -> Any:
    """A record with lists in place of the arrays in it."""
    if isinstance(value, tuple):
        return tuple(map(_bare_record, value))
    return value.tolist() if isinstance(value, np.ndarray) else value


def _spelled(text: str | bytes) -> str:
    r"""A text with every mark that is not seen spelled out, so that its length is that of what is seen.

    >>> _spelled("a\0b") == _spelled(b"a\0b") == r"a\x00b", _spelled(b"\xff")
    (True, '\\xff')
    """
    if isinstance(text, str):
        return plain(text)
    return "".join(chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}" for byte in text)


def full(value: Any) -> str:
    """The whole value if a cell shortens it or cuts it into lines; otherwise an empty text.

    >>> full(0.5), full(1 / 3), full(-0.5j), full("hello world")
    ('', '0.3333333333333333', '-0-0.5j', 'hello world')
    """
    value = _bare_record(value)
    if isinstance(value, (str, bytes)):
        text = _spelled(value)
    elif isinstance(value, bool) or value is None:
        text = str(value)
    elif isinstance(value, (complex, np.complexfloating)):
        value = complex(value)
        sign = "-" if math.copysign(1, value.imag) < 0 else "+"
        text = f"{_bare(value.real)}{sign}{_bare(abs(value.imag))}j"
    elif isinstance(value, (int, float)):
        text = _bare(value)
    elif _plain(value):
        text = str(value)
    else:
        return ""
    text = text if len(text) <= 200 else text[:199] + "…"
    return "" if text == in_cell(value) else text


def is_cut(text: str) -> bool:
    """Whether a cell says less than the value, or says it on two lines."""
    return "…" in text or " " in text


def _bare(number: float) -> str:
    """A number as Python prints it, without a final `.0`."""
    return repr(number).removesuffix(".0")


class Date(str):
    """A date, a time or a length of time, as NumPy writes it."""


def _float(value: float, most: int = 5) -> str:
    if value != value:
        return "nan"
    if value in (math.inf, -math.inf):
        return "inf" if value > 0 else "-inf"
    for digits in (4, 3, 2, 1):
        text = f"{value:.{digits}g}"
        if "e" in text:
            number, power = text.split("e")
            text = f"{number}e{int(power)}"
        if len(text) <= most:
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


def few_letters(n: int) -> str:
    """A count in at most four characters. A plus says that there are more, where there is room for it.

    >>> few_letters(999), few_letters(1000), few_letters(1024), few_letters(10**6), few_letters(123_456)
    ('999', '1k', '1k+', '1M', '123k')
    """
    for k, unit in enumerate("EPTGMk"):
        size = 1000 ** (6 - k)
        if n >= size:
            return f"{n // size}{unit}{'+' if n % size else ''}"[:4] if n < 1000 * size else "…"
    return str(n)


def spell(n: int) -> str:
    """Small numbers in words."""
    return WORDS[n] if n < len(WORDS) else f"{n:,}"


def index_text(index: tuple[int, ...]) -> str:
    """As it is written behind a name: `[1, 2]`; nothing where there is no index."""
    return f"[{', '.join(map(str, index))}]" if index else ""


def shape_text(size: tuple[int, ...]) -> str:
    """As Python writes a tuple: `(3, 4)`, `(3,)`."""
    return f"({', '.join(map(str, size))}{',' if len(size) == 1 else ''})"
