"""The HTML of a picture as a tree of elements with their styles. It knows what `drawing/html.py` writes, and no more.

>>> root = read('<div style="color:#111111;font:400 13px/20px mono">a<b>b</b></div>')
>>> [(node.tag, node.text) for node in root.children]
[('', 'a'), ('b', '')]
>>> root.children[1].style["font-weight"], root.children[1].style["color"]
('700', '#111111')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from html.parser import HTMLParser

INHERITED = (
    "color", "font-size", "font-weight", "font-family", "line-height", "text-align", "white-space", "overflow-wrap",
    "border-spacing",
)  # fmt: skip
LONE = {"br", "img", "col"}
SIDES = ("top", "right", "bottom", "left")


@dataclass
class Node:
    """An element, or a run of text, whose `tag` is empty. Its style stays as it is once it has been measured."""

    tag: str
    style: dict[str, str]
    text: str = ""
    children: list[Node] = field(default_factory=list)
    span: int = 1
    rows: int = 1
    source: str = ""
    natural: tuple[int, int] = (0, 0)
    """The width and height of an image."""
    heights: dict[float, float] = field(default_factory=dict, init=False, repr=False, compare=False)
    """How high a table's cell is at each width at which it has been measured: what is in it is laid out for that."""

    def pixels(self, name: str, of: float = 0) -> float | None:
        """A length; a part of a hundred is one of `of`. None where nothing is said."""
        told = self.style.get(name)
        return None if told is None else length(told, of)

    def edge(self, name: str, side: str, of: float = 0) -> float:
        """A padding or a margin on one side."""
        return self.pixels(f"{name}-{side}", of) or 0.0

    def border(self, side: str) -> tuple[float, str, str]:
        """Width, line and colour of a border; a width of 0 for none."""
        return self._borders[side]

    @cached_property
    def _borders(self) -> dict[str, tuple[float, str, str]]:
        style, out = self.style, {}
        for side in SIDES:
            line = style.get(f"border-{side}-style", "none")
            wide = length(style.get(f"border-{side}-width", "0"), 0) or 0.0 if line != "none" else 0.0
            out[side] = wide, line, style.get(f"border-{side}-color", style["color"])
        return out

    @cached_property
    def around(self) -> tuple[float, float, float, float]:
        """Border and padding: above, right, below, left."""
        top, right, bottom, left = (self.edge("padding", side) + self.border(side)[0] for side in SIDES)
        return top, right, bottom, left


def length(text: str, of: float) -> float | None:
    """Pixels; None for `auto` and for what is not a length.

    >>> length("12px", 0), length("50%", 80), length("0", 0), length("auto", 0)
    (12.0, 40.0, 0.0, None)
    """
    number = _number(text)
    if number is None:
        return None
    return number[0] * of / 100 if number[1] else number[0]


@lru_cache(4096)
def _number(text: str) -> tuple[float, bool] | None:
    """A length's number, and whether it is a part of a hundred. A picture says a few lengths thousands of times."""
    number = re.fullmatch(r"(-?[\d.]+)(px|%)?", text.strip())
    return None if number is None else (float(number[1]), number[2] == "%")


def read(html: str) -> Node:
    """The first element of a text."""
    reader = _Reader()
    reader.feed(html)
    return reader.root.children[0]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        start = {
            "color": "#000000",
            "font-size": "13px",
            "font-weight": "400",
            "font-family": "",
            "line-height": "20px",
        }
        self.root = Node("", start)
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        parent = self.open[-1]
        style = {name: parent.style[name] for name in INHERITED if name in parent.style}
        if tag in ("b", "th"):
            style["font-weight"] = "700"
        style |= spread(given.get("style", ""))
        node = Node(
            tag, style, span=int(given.get("colspan", given.get("span", "1"))), rows=int(given.get("rowspan", "1")),
            source=given.get("src", ""), natural=(int(given.get("width", "0")), int(given.get("height", "0"))),
        )  # fmt: skip
        parent.children.append(node)
        if tag not in LONE:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        if tag not in LONE:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        parent = self.open[-1]
        style = {name: parent.style[name] for name in INHERITED if name in parent.style}
        parent.children.append(Node("", style, data))


@lru_cache(4096)
def spread(text: str) -> Mapping[str, str]:
    """An inline style with its shorthands taken apart: later words win.

    >>> spread("border:1px solid #848c96;border-left:0;padding:2px 4px")["border-left-width"]
    '0'
    """
    out: dict[str, str] = {}
    for part in filter(None, text.split(";")):
        name, _, value = (word.strip() for word in part.partition(":"))
        if name in ("padding", "margin", "border-width", "border-style"):
            words = value.split()
            four = (words * 4)[:4] if len(words) < 3 else [*words, words[1]][:4]
            stem, _, kind = name.partition("-")
            out |= {f"{stem}-{side}{f'-{kind}' if kind else ''}": one for side, one in zip(SIDES, four, strict=True)}
        elif name == "border" or name in (f"border-{side}" for side in SIDES):
            which = SIDES if name == "border" else (name.removeprefix("border-"),)
            for side in which:
                out |= _border(side, value)
        elif name == "font":
            out |= _font(value)
        elif name == "background":
            out["background"] = value
        else:
            out[name] = value
    return out


def _border(side: str, value: str) -> dict[str, str]:
    words = value.split()
    wide = next((w for w in words if w[0].isdigit()), "3px")
    line = next((w for w in words if w in ("solid", "dashed", "dotted", "double")), "none")
    out = {f"border-{side}-width": wide, f"border-{side}-style": line}
    colour = next((w for w in words if w.startswith("#")), "")
    return out | ({f"border-{side}-color": colour} if colour else {})


def _font(value: str) -> dict[str, str]:
    weight, size, family = value.split(" ", 2)
    size, _, high = size.partition("/")
    return {"font-weight": weight, "font-size": size, "line-height": high or size, "font-family": family}
