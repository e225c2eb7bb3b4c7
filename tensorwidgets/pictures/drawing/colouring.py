"""Every cell of a picture says its own colour, because hosts colour tables.

JupyterLab gives each table the ink of its theme. A picture that is not trusted stays light in a dark theme, so a cell
that took its ink from the table would be white on pale.
"""

from __future__ import annotations

import re

_TAG = re.compile(r"<(/?)(\w+)([^>]*)>")
_STYLE = re.compile(r' style="([^"]*)"')
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
    at = 0
    for tag in _TAG.finditer(html):
        end, name, rest = tag.groups()
        parts.append(html[at : tag.start()])
        at = tag.end()
        if end:
            inherited.pop()
        elif name not in EMPTY:
            style = _STYLE.search(rest)
            own = _COLOUR.search(style[1]) if style else None
            inherited.append(own[1] if own else inherited[-1])
            if name in COLOURED_BY_HOSTS and own is None and html[at : at + 2] != "</":
                parts.append(_coloured(tag[0], style, inherited[-1]))
                continue
        parts.append(tag[0])
    return "".join([*parts, html[at:]])


def _coloured(tag: str, style: re.Match[str] | None, colour: str) -> str:
    if style is None:
        return f'{tag[:-1]} style="color:{colour}">'
    return tag.replace(' style="', f' style="color:{colour};', 1)
