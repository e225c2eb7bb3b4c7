"""Every cell of a picture says its own colour, because hosts colour tables.

JupyterLab gives each table the ink of its theme. A picture that is not trusted stays light in a dark theme, so a cell
that took its ink from the table would be white on pale.
"""

from __future__ import annotations

import re
from functools import lru_cache

_STYLE = ' style="'
_COLOUR = re.compile(r"(?:^|;)color:(#\w+)")
COLOURED_BY_HOSTS = {"caption", "th", "td", "b"}
"""Elements that hold words and that style sheets of hosts colour, by name or through their table."""
EMPTY = {"col", "img", "br"}
"""Elements without an end tag."""


def with_own_colours(html: str, ink: str) -> str:
    """The HTML of a picture in which each such element that holds words says the colour that it inherits.

    >>> with_own_colours('<tr style="color:#5a636e"><td>1</td><td style="color:#c2152f">2</td></tr>', "#16191d")
    '<tr style="color:#5a636e"><td style="color:#5a636e">1</td><td style="color:#c2152f">2</td></tr>'
    """
    inherited = [ink]
    pieces = html.split("<")
    leaf = False  # the element before has nothing inside, so it was not noted as the one to inherit from
    for k, (piece, following) in enumerate(zip(pieces[1:], [*pieces[2:], ""], strict=True), 1):
        if piece[0] == "/":
            if not leaf:
                inherited.pop()
            leaf = False
            continue
        end = piece.index(">")
        name = piece[:end].partition(" ")[0]
        if name in EMPTY:
            continue
        leaf = following[:1] == "/"
        words = name in COLOURED_BY_HOSTS and not (leaf and end == len(piece) - 1)
        if leaf and not words:
            continue
        found = piece.rfind(_STYLE, 0, end)
        style = found + len(_STYLE)
        own = _colour(piece[style : piece.index('"', style)]) if found >= 0 else None
        if not leaf:
            inherited.append(own or inherited[-1])
        if words and own is None:
            at, new = (style, f"color:{inherited[-1]};") if found >= 0 else (end, f'{_STYLE}color:{inherited[-1]}"')
            pieces[k] = piece[:at] + new + piece[at:]
    return "<".join(pieces)


@lru_cache(4096)
def _colour(style: str) -> str | None:
    """The colour that a style says. A picture has a dozen styles and thousands of elements."""
    own = _COLOUR.search(style)
    return own[1] if own else None
