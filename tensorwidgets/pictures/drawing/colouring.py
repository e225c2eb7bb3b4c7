"""Every cell of a picture says its own colour, because hosts colour tables.

JupyterLab gives each table the ink of its theme. A picture that is not trusted stays light in a dark theme, so a cell
that took its ink from the table would be white on pale.
"""

from __future__ import annotations

import re
from functools import lru_cache

_STYLE = ' style="'
_COLOUR = re.compile(r"(?:^|;)color:(#\w+)")
COLOURED_BY_HOSTS = ("td", "th ", "th>", "b ", "b>", "caption")
"""How elements begin that hold words and that style sheets of hosts colour, by name or through their table."""
EMPTY = ("col ", "col>", "img", "br")
"""How elements without an end tag begin."""


def with_own_colours(html: str, ink: str) -> str:
    """The HTML of a picture in which each such element that holds words says the colour that it inherits.

    >>> with_own_colours('<tr style="color:#5a636e"><td>1</td><td style="color:#c2152f">2</td></tr>', "#16191d")
    '<tr style="color:#5a636e"><td style="color:#5a636e">1</td><td style="color:#c2152f">2</td></tr>'
    """
    inherited = [ink]
    pieces = html.split("<")
    steps = enumerate(zip(pieces[1:], [*pieces[2:], " "], strict=True), 1)
    for k, (piece, following) in steps:
        if piece[0] == "/":
            inherited.pop()
            continue
        if piece.startswith(EMPTY):
            continue
        leaf = following[0] == "/"  # nothing is inside but words
        words = piece.startswith(COLOURED_BY_HOSTS) and not (leaf and piece[-1] == ">")
        if leaf:
            next(steps)  # its end: nothing inherits from it
            if not words:
                continue
        before, found, after = piece.partition(_STYLE)
        if ">" in before:  # words that look like a style
            found = ""
        own = _colour(after.partition('"')[0]) if found else None
        if not leaf:
            inherited.append(own or inherited[-1])
        if words and own is None:
            colour = f"color:{inherited[-1]}"
            end = piece.index(">")
            pieces[k] = f"{before}{_STYLE}{colour};{after}" if found else f'{piece[:end]}{_STYLE}{colour}"{piece[end:]}'
    return "<".join(pieces)


@lru_cache(4096)
def _colour(style: str) -> str | None:
    """The colour that a style says. A picture has a dozen styles and thousands of elements."""
    own = _COLOUR.search(style)
    return own[1] if own else None
