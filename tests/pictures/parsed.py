"""HTML read back: what a browser would find in a picture, for tests to hold against an oracle."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

VOID = {"br", "col", "img", "meta", "hr", "input"}


@dataclass
class Element:
    """A tag with its attributes and what is inside."""

    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    words: str = ""

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def all(self, tag: str = "", cls: str = "") -> list[Element]:
        """Descendants in document order."""
        out, ahead = [], self.children[::-1]
        while ahead:
            child = ahead.pop()
            if (not tag or child.tag == tag) and (not cls or cls in child.classes):
                out.append(child)
            ahead += child.children[::-1]
        return out

    def text(self) -> str:
        return self.words + "".join(child.text() for child in self.children)

    @property
    def style(self) -> dict[str, str]:
        pairs = (part.split(":", 1) for part in self.attributes.get("style", "").split(";") if ":" in part)
        return {name.strip(): value.strip() for name, value in pairs}


class _Reader(HTMLParser):
    """Reads any page. Pictures, which are written more strictly, are read by `_plainly` in half the time."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.top = Element("top", {})
        self.open = [self.top]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].words += data


_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)((?: [\w:-]+(?:=\"[^\"]*\")?)*)>([^<]*)")
_ATTRIBUTE = re.compile(r' ([\w:-]+)(?:="([^"]*)")?')
_CODE = {"script", "style"}
_OTHERWISE = {"textarea", "title", "plaintext", "xmp", "iframe", "noembed", "noframes"}
"""Elements in which a tag is a word."""


def _plainly(html: str) -> Element | None:
    """The elements of a page that holds plain tags, words and code alone; None for any other page."""
    top = Element("top", {})
    opened = [top]
    place = html.find("<")
    if place < 0:
        return None
    top.words = unescape(html[:place])
    while place < len(html):
        found = _TAG.match(html, place)
        if found is None or found[2] in _OTHERWISE:
            return None
        end, tag, told, words = found.groups()
        place = found.end()
        if end:
            assert opened[-1].tag == tag and not told, f"</{tag}> closes <{opened[-1].tag}>"
            opened.pop()
        else:
            element = Element(tag, {name.lower(): unescape(value) for name, value in _ATTRIBUTE.findall(told)})
            opened[-1].children.append(element)
            if tag not in VOID:
                opened.append(element)
        if tag in _CODE and not end:
            place = html.lower().find(f"</{tag}", found.start(4))
            if place < 0:
                return None
            element.words = html[found.start(4) : place]
        elif words:
            opened[-1].words += unescape(words)
    assert opened == [top], f"<{opened[-1].tag}> is not closed"
    return top


def parse(html: str) -> Element:
    """The elements of a picture; a tag that is not closed fails."""
    plain = _plainly(html)
    if plain is not None:
        return plain
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert [e.tag for e in reader.open] == ["top"]
    return reader.top


def keys(element: Element) -> list[tuple[str, int]]:
    """The storage letters and numbers that a cell carries: `k-A9` is ("A", 9)."""
    found = (re.fullmatch(r"k-([A-Z]+)(\d+)", name) for name in element.classes)
    return [(m[1], int(m[2])) for m in found if m]


def cells(table: Element) -> list[Element]:
    """The cells of a table that stand for elements."""
    return [td for td in table.all("td") if keys(td)]
