"""HTML read back: what a browser would find in a picture, for tests to hold against an oracle."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
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
        out = []
        for child in self.children:
            if (not tag or child.tag == tag) and (not cls or cls in child.classes):
                out.append(child)
            out += child.all(tag, cls)
        return out

    def text(self) -> str:
        return self.words + "".join(child.text() for child in self.children)

    @property
    def style(self) -> dict[str, str]:
        pairs = (part.split(":", 1) for part in self.attributes.get("style", "").split(";") if ":" in part)
        return {name.strip(): value.strip() for name, value in pairs}


class _Reader(HTMLParser):
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


def parse(html: str) -> Element:
    """The elements of a picture; a tag that is not closed fails."""
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
