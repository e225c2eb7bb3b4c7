"""A picture as SVG, which any program draws that knows SVG: no HTML in it, no script, no request."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence

from ..drawing.html import escape
from .fills import dashes, gradient_of
from .fonts import MONO_FACES, SANS_FACES
from .marks import END, Arch, Box, Clip, Frame, Line, Mark, Photo, Word


def svg(marks: Sequence[Mark], wide: float, high: float, title: str, words: str) -> str:
    """The whole file, with a title and the words that say the same as the picture."""
    pen = _Pen()
    body = "".join(pen.drawn(mark) for mark in marks)
    told = "\n".join(map(escape, words.split("\n")))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{n(wide)}" height="{n(high)}" '
        f'viewBox="0 0 {n(wide)} {n(high)}" role="img">\n<title>{escape(title)}</title>\n<desc>{told}</desc>\n'
        f"<defs>{''.join(pen.shared)}</defs>\n{body}</svg>\n"
    )


def n(number: float) -> str:
    """At most two decimals."""
    return f"{number:.2f}".rstrip("0").rstrip(".") or "0"


class _Pen:
    def __init__(self) -> None:
        self.shared: list[str] = []
        self.known: dict[str, str] = {}

    def drawn(self, mark: Mark) -> str:
        match mark:
            case Box():
                return self.box(mark)
            case Line():
                return line(mark)
            case Arch():
                x, y, w, h, r = mark.x, mark.y, mark.width, mark.height, min(mark.round, mark.width / 2)
                way = f"M{n(x)},{n(y + h)}V{n(y + r)}q0,{n(-r)} {n(r)},{n(-r)}"
                way += f"H{n(x + w - r)}q{n(r)},0 {n(r)},{n(r)}V{n(y + h)}"
                return f'<path d="{way}" fill="none" {stroke(mark.wide, mark.kind, mark.colour)}/>\n'
            case Frame():
                place = f'x="{n(mark.x)}" y="{n(mark.y)}" width="{n(mark.width)}" height="{n(mark.height)}"'
                return f'<rect {place} rx="{n(mark.round)}" fill="none" {stroke(mark.wide, mark.kind, mark.colour)}/>\n'
            case Word():
                return word(mark)
            case Photo():
                place = f'x="{n(mark.x)}" y="{n(mark.y)}" width="{n(mark.width)}" height="{n(mark.height)}"'
                look = ' style="image-rendering:pixelated"' if coarse(mark) else ""
                return f'<image {place} preserveAspectRatio="none"{look} href="{escape(mark.source)}"/>\n'
            case Clip() if mark == END:
                return "</g>\n"
            case Clip():
                name = f"c{len(self.shared)}"
                place = f'x="{n(mark.x)}" y="{n(mark.y)}" width="{n(mark.width)}" height="{n(mark.height)}"'
                self.shared.append(f'<clipPath id="{name}"><rect {place}/></clipPath>')
                return f'<g clip-path="url(#{name})">\n'

    def box(self, box: Box) -> str:
        place = f'x="{n(box.x)}" y="{n(box.y)}" width="{n(box.width)}" height="{n(box.height)}"'
        corner = f' rx="{n(box.round)}"' if box.round else ""
        out = ""
        colour = re.match(r"#\w+", box.fill)
        if colour:
            out += f'<rect {place}{corner} fill="{colour[0]}"/>\n'
        if "gradient" in box.fill:
            out += f'<rect {place}{corner} fill="url(#{self.gradient(box)})"/>\n'
        return out

    def gradient(self, box: Box) -> str:
        """The name of a gradient, or of a tile of one that is repeated."""
        found = gradient_of(box)
        wide, high = found.wide, found.high
        x1, y1, x2, y2 = found.ends
        # A gradient is placed in the numbers of the picture, a tile in its own.
        left, top = (0.0, 0.0) if found.tile else (box.x, box.y)
        inner = "".join(f'<stop offset="{n(100 * at)}%" {_paint(colour)}/>' for colour, at in found.stops)
        name = self.share(
            f'<linearGradient id="@" gradientUnits="userSpaceOnUse" x1="{n(left + x1)}" y1="{n(top + y1)}" '
            f'x2="{n(left + x2)}" y2="{n(top + y2)}">{inner}</linearGradient>'
        )
        if not found.tile:
            return name
        return self.share(
            f'<pattern id="@" patternUnits="userSpaceOnUse" x="{n(box.x)}" y="{n(box.y)}" width="{n(wide)}" '
            f'height="{n(high)}"><rect width="{n(wide)}" height="{n(high)}" fill="url(#{name})"/></pattern>'
        )

    def share(self, text: str) -> str:
        if text not in self.known:
            self.known[text] = f"g{len(self.known)}"
            self.shared.append(text.replace('id="@"', f'id="{self.known[text]}"'))
        return self.known[text]


def coarse(photo: Photo) -> bool:
    """Whether the image has no more pixels than its place: they are data then, and stay squares when enlarged."""
    head = base64.b64decode(photo.source.partition("base64,")[2][:32])
    return int.from_bytes(head[16:20], "big") <= photo.width  # a PNG says its width here


def _paint(colour: str) -> str:
    return 'stop-color="#000" stop-opacity="0"' if colour == "#0000" else f'stop-color="{colour}"'


def stroke(wide: float, kind: str, colour: str) -> str:
    dashed = f' stroke-dasharray="{" ".join(map(n, dashes(wide, kind)))}"' if dashes(wide, kind) else ""
    return f'stroke="{colour}" stroke-width="{n(wide)}"{dashed}'


def line(mark: Line) -> str:
    if mark.kind == "double":
        third = mark.wide / 3
        flat = mark.y == mark.to_y
        out = ""
        for shift in (-third, third):
            dx, dy = (0.0, shift) if flat else (shift, 0.0)
            one = mark._replace(
                x=mark.x + dx, y=mark.y + dy, to_x=mark.to_x + dx, to_y=mark.to_y + dy, wide=third, kind="solid"
            )
            out += line(one)
        return out
    ends = f'x1="{n(mark.x)}" y1="{n(mark.y)}" x2="{n(mark.to_x)}" y2="{n(mark.to_y)}"'
    return f"<line {ends} {stroke(mark.wide, mark.kind, mark.colour)}/>\n"


def word(mark: Word) -> str:
    if not mark.text.strip():
        return ""
    face = MONO_FACES if mark.mono else SANS_FACES
    bold = ' font-weight="700"' if mark.bold else ""
    struck = ' text-decoration="line-through"' if mark.struck else ""
    kept = ' xml:space="preserve"' if "  " in mark.text or mark.text != mark.text.strip() else ""
    fits = f' textLength="{n(mark.width)}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<text x="{n(mark.x)}" y="{n(mark.y)}" font-family="{escape(face)}" font-size="{n(mark.size)}" '
        f'fill="{mark.colour}"{bold}{struck}{kept}{fits}>{escape(mark.text)}</text>\n'
    )
