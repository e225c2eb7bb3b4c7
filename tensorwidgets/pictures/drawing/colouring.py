"""Every cell of a picture says its own colour, because hosts colour tables.

JupyterLab gives each table the ink of its theme. A picture that is not trusted stays light in a dark theme, so a cell
that took its ink from the table would be white on pale.
"""

from __future__ import annotations

import re
from functools import lru_cache

_TAG = re.compile(r"<(/?)(\w+)([^>]*)>")
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
    parts: list[str] = []
    written = 0
    for tag in _TAG.finditer(html):
        end, name, rest = tag.groups()
        if end:
            inherited.pop()
            continue
        if name in EMPTY:
            continue
        found = rest.find(_STYLE)
        style = found + len(_STYLE)
        own = _colour(rest[style : rest.index('"', style)]) if found >= 0 else None
        colour = own or inherited[-1]
        inherited.append(colour)
        if own is None and name in COLOURED_BY_HOSTS and not html.startswith("</", tag.end()):
            at = tag.start(3) + style if found >= 0 else tag.end(3)
            parts += [html[written:at], f"color:{colour};" if found >= 0 else f'{_STYLE}color:{colour}"']
            written = at
    return "".join([*parts, html[written:]])


@lru_cache(4096)
def _colour(style: str) -> str | None:
    """The colour that a style says. A picture has a dozen styles and thousands of elements."""
    own = _COLOUR.search(style)
    return own[1] if own else None
