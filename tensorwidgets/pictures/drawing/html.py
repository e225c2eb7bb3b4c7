"""HTML by hand: the one function that escapes, and the few elements that a picture is made of.

A picture has to survive a host that takes away style sheets, scripts, `role`, `aria-*`, `tabindex` and
`data-*`. What stays is tables, `class`, `title` and inline styles with hex colours, so these are all that
is used.
"""

from __future__ import annotations

import re

from .tokens import PAPER

# Control, bidi and zero-width marks, lone surrogates: they change how their neighbours are read, so they
# are shown.
_UNSEEN_MARKS = (
    "\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f"
)
_UNSEEN = re.compile(f"[{_UNSEEN_MARKS}]")
_NOT_AS_IT_IS = re.compile(f"[&<>\"'{_UNSEEN_MARKS}]")
"""What `escape` changes. Most texts hold none of it."""

_PARTS = re.compile(r"(?<=[\w\])])(?=\[|\.[A-Za-z_])")
"""Where a part of a name begins: before a dot or a bracket."""

MAY_BREAK = "&#8203;"
"""A space of no width: a line may break here."""


def plain(text: object) -> str:
    r"""Text from outside with every unseen mark spelled out.

    >>> plain("a\u202eb")
    'a\\u202eb'
    """
    return _UNSEEN.sub(_spell, str(text))


def _spell(mark: re.Match[str]) -> str:
    code = ord(mark[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def escape(text: object) -> str:
    """Text from outside, safe between tags and inside a quoted attribute. Every text passes here.

    >>> escape('<img onerror="x">')
    '&lt;img onerror=&quot;x&quot;&gt;'
    """
    out = str(text)
    if _NOT_AS_IT_IS.search(out) is None:
        return out
    out = plain(out).replace("&", "&amp;")
    return out.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;").replace("'", "&#39;")


def tag(name: str, inner: str = "", style: str = "", cls: str = "", title: str = "", **attributes: object) -> str:
    """One element. `inner` is HTML already; `title` and attributes are escaped here.

    >>> tag("td", "7", "padding:0", "k-A9", colspan=2)
    '<td class="k-A9" colspan="2" style="padding:0">7</td>'
    """
    out = f"<{name}"
    if cls:
        out += f' class="{escape(cls)}"'
    for key, value in attributes.items():
        if value:
            out += f' {key}="{escape(value)}"'
    if title:
        out += f' title="{escape(title)}"'
    if style:
        out += f' style="{style}"'
    return f"{out}>{inner}</{name}>"


def div(inner: str, style: str = "", cls: str = "") -> str:
    return tag("div", inner, style, cls)


def framed(inner: str, below: int = 0) -> str:
    """A part that is moved sideways alone where it is wider than the page; the script makes it a stop of Tab then."""
    return div(inner, "overflow-x:auto" + (f";padding:0 0 {below}px" if below else ""), "tw-wide")


def breaking(name: object) -> str:
    """A name whose lines break between its parts, and nowhere else as long as these fit.

    >>> breaking("net[0].weight").replace(MAY_BREAK, "/"), breaking("v1.5")
    ('net/[0]/.weight', 'v1.5')
    """
    return _PARTS.sub(MAY_BREAK, escape(name))


def whole_or_none(text: object, high: int) -> str:
    """A text that a host shows whole or, where it has too little room, not at all: it falls below the edge.

    >>> whole_or_none("", 24)
    ''
    """
    if not str(text):
        return ""
    piece = tag("span", escape(text), "display:inline-block;white-space:nowrap")
    return div(MAY_BREAK + piece, f"height:{high}px;line-height:{high}px;overflow:hidden;white-space:normal")


def row(inner: str, style: str = "", cls: str = "") -> str:
    """A table row; it sets its background, for hosts stripe the rows of tables that do not."""
    return tag("tr", inner, f"background:{PAPER};{style}".rstrip(";"), cls)


def td(inner: str = "", style: str = "", cls: str = "", title: str = "", span: int = 1, rows: int = 1) -> str:
    """A table cell with padding and alignment of its own, for hosts have theirs."""
    return tag(
        "td", inner, f"padding:0;text-align:center;{style}".rstrip(";"), cls, title,
        colspan=span if span > 1 else "", rowspan=rows if rows > 1 else "",
    )  # fmt: skip


def th(inner: str, scope: str, style: str = "", span: int = 1, cls: str = "") -> str:
    """A heading of a row (`scope="row"`) or of a column (`"col"`)."""
    return tag(
        "th", inner, f"padding:0;text-align:center;font-weight:400;{style}".rstrip(";"), cls,
        scope=scope, colspan=span if span > 1 else "",
    )  # fmt: skip


def table(
    rows: list[str], columns: list[int] | None = None, spacing: str = "0", style: str = "", cls: str = "",
    caption: str = "", least: int = 0, whole_words: bool = False,
) -> str:  # fmt: skip
    """A table with fixed columns in pixels, in the picture's own type. Columns of 0 share what is left of the page.

    With `least`, the columns give way together where the page is narrower, down to so many pixels in all; with
    `whole_words`, each of them down to its longest word.
    """
    cols = ""
    width = "table-layout:auto;width:auto"
    if columns:
        groups: list[tuple[int, int]] = []
        for w in columns:
            if groups and groups[-1][0] == w:
                groups[-1] = (w, groups[-1][1] + 1)
            else:
                groups.append((w, 1))
        whole = sum(columns)
        gives_way = least or whole_words and all(columns)
        share = (lambda w: f"{100 * w / whole:.4g}%") if gives_way else (lambda w: f"{w}px" if w else "auto")
        cols = "".join(f'<col span="{n}" style="width:{share(w)}">' for w, n in groups)
        cols = f"<colgroup>{cols}</colgroup>"
        width = f"table-layout:{'auto' if whole_words else 'fixed'}"
        width += f";width:{f'{whole}px' if all(columns) and not gives_way else '100%'}"
        width += f";max-width:{whole}px" if gives_way else ""
        width += f";min-width:{min(least, whole)}px" if least else ""
    look = f"border-collapse:separate;border-spacing:{spacing};{width};margin:0"
    look += ";font-size:13px;line-height:16px"
    return tag("table", caption + cols + "".join(rows), f"{look};{style}".rstrip(";"), cls)
