"""A line of text in which some words have a colour: what sentences, captions and headings are made of.

A line is a string, or a tuple of strings and `Ink`. `markup` writes it as HTML, `words` as plain text, and
both escape what came from outside.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .html import escape, plain, tag
from .tokens import CLASH, INK, LINE, MUTED, PAPER, SANS, TINT, axis_colour, line


class Ink(NamedTuple):
    """Words with a look of their own."""

    text: str
    style: str = ""
    bold: bool = False
    html: str = "span"


Line = str | Ink | tuple["str | Ink", ...]


def bold(text: object) -> Ink:
    return Ink(str(text), html="b")


def muted(text: object) -> Ink:
    return Ink(str(text), f"color:{MUTED}")


def clash(text: object) -> Ink:
    """The part of a sentence that is the mistake."""
    return Ink(str(text), f"color:{CLASH};font-weight:700")


def axis(text: object, k: int, under: bool = True) -> Ink:
    """Words that belong to axis k: its colour and its line."""
    style = f"color:{axis_colour(k)}"
    if under:
        style += f";border-bottom:{3 if line(k) == 'double' else 2}px {line(k)}"
    return Ink(str(text), style)


def chip(text: object, hue: str, pattern: str = "solid") -> Ink:
    """A verdict or a name in a box; `hue` is a name of the token table, or "clash"."""
    colour, tint = (CLASH, PAPER) if hue == "clash" else (LINE[hue], TINT[hue])
    width, pad = (3, "0 6") if pattern == "double" else (1, "1px 7")
    return Ink(
        str(text),
        f"display:inline-block;font:600 12px/16px {SANS};color:{colour};background:{tint};"
        f"border:{width}px {pattern} {colour};border-radius:4px;padding:{pad}px;"
        "vertical-align:middle",
    )


def whole(text: str, colour: str = INK) -> Ink:
    """Words that stay on one line."""
    return Ink(text, f"color:{colour};white-space:nowrap")


LONGEST_SIZE = 12
"""Letters of a size that stays on one line."""


def sized(text: str, colour: str = INK) -> tuple[str | Ink, ...]:
    """Sizes such as `(2, 3), (4,)` that stay on one line each; a long one breaks in the middle.

    >>> [part.text for part in sized("(2, 3), (16, 16, 3, 3)") if isinstance(part, Ink)]
    ['(2, 3),', '(16, 16,', '3, 3)']
    """
    parts: list[str | Ink] = []
    for one in re.split(r"(?<=\),) ", text):
        numbers = one.split(" ")
        middle = len(numbers) if len(one) <= LONGEST_SIZE else (len(numbers) + 1) // 2
        for piece in (" ".join(numbers[:middle]), " ".join(numbers[middle:])):
            parts += [" ", whole(piece, colour)] if piece else []
    return tuple(parts[1:])


def pill(text: object) -> Ink:
    """How often an element is read: `×3`, paper on ink."""
    return Ink(str(text), f"background:{INK};color:{PAPER};border-radius:7px;padding:0 5px;font-weight:700")


def markup(text: Line) -> str:
    """The line as HTML.

    >>> markup((bold("x[0]"), " <= 1"))
    '<b>x[0]</b> &lt;= 1'
    """
    if isinstance(text, str):
        return _whole(text)
    if isinstance(text, Ink):
        return tag(text.html, _whole(text.text), text.style)
    return "".join(markup(part) for part in text)


_HYPHENED = re.compile(r"(\S{0,24}\d[eE]?-\d\S{0,24}|->)")


def _whole(text: str) -> str:
    """Text whose numbers and arrows stay whole: browsers may end a line behind the hyphen of `1e-05` or `->`.

    >>> _whole("about 1e-05 each")
    'about <span style="white-space:nowrap">1e-05</span> each'
    """
    if "-" not in text:
        return escape(text)
    parts = _HYPHENED.split(text)
    return "".join(tag("span", escape(p), "white-space:nowrap") if k % 2 else escape(p) for k, p in enumerate(parts))


def words(text: Line) -> str:
    """The line as plain text.

    >>> words((bold("x[0]"), " <= 1"))
    'x[0] <= 1'
    """
    if isinstance(text, str):
        return plain(text)
    if isinstance(text, Ink):
        return plain(text.text)
    return "".join(words(part) for part in text)


_TERM = re.compile(r"(\d+\*-?\d+)")


def terms(reason: str) -> Line:
    """A sum of hops with each term in the colour of its axis; the script does the same.

    >>> [part.text for part in terms("offset = 0 + 1*1 + 2*4 = 9") if isinstance(part, Ink)]
    ['1*1', '2*4']
    """
    parts: list[str | Ink] = []
    for k, part in enumerate(_TERM.split(reason)):
        parts.append(axis(part, k // 2) if k % 2 else part)
    return tuple(parts)
