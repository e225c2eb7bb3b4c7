"""What a picture is made of: a list of blocks, each of which says itself in HTML and in plain text.

The blocks that every picture needs are here: a title, remarks, the sentence, blocks side by side, a table
of words. Grids of cells are in `grid`, storages in `strip`. A new kind of block is any object with these
two methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from . import tokens
from .html import div, escape, framed, row, table, tag, td, th
from .inline import Line, bold, markup, terms, words
from .tokens import INK, MONO, MUTED, RULE, SANS, WASH


class Block(Protocol):
    """A part of a picture."""

    def html(self) -> str: ...

    def text(self) -> str: ...


class Cell(NamedTuple):
    """One element as it is seen somewhere: in a storage, in a view, in a result.

    `keys` are its classes for linking (`k-A9`); `note` is `subject | reason`, shown when the cell is in
    hand; `kind` is one of solid, ghost, copied, hatch, clash, missing, plain, gap, right, wrong, agrees;
    `mark` is "" or what the static picture shows as an example: "linked" or "hand".
    """

    text: str
    keys: str = ""
    note: str = ""
    fill: str = ""
    kind: str = "solid"
    mark: str = ""
    full: str = ""
    """The whole value, for the text twin, where `text` is cut."""


def note(subject: str, reason: str) -> str:
    """What a cell says when it is hovered or focused. No other text contains the bar between the two.

    >>> note("(a | b)[0]", "offset = 0 -> byte 0")
    '(a|b)[0] | offset = 0 -> byte 0'
    """
    return f"{subject.replace(' | ', '|')} | {reason.replace(' | ', '|')}"


@dataclass(frozen=True)
class Title:
    """What the picture is of, and the facts about it at the right."""

    head: Line
    aside: str = ""

    def html(self) -> str:
        side = (
            tag(
                "span",
                escape(self.aside),
                f"float:right;padding:0 0 0 16px;text-align:right;font:400 12px/20px {MONO};color:{MUTED}",
            )
            if self.aside
            else ""
        )
        # The facts come second, so that on a narrow page they are below the title; hidden, the box reaches around them.
        head = tag("span", markup(self.head), f"font:600 15px/20px {SANS}")
        return div(head + side, "margin:0 0 12px;overflow:hidden;overflow-wrap:break-word", "tw-title")

    def text(self) -> str:
        return words(self.head) + (f" ({self.aside})" if self.aside else "")


@dataclass(frozen=True)
class Heading:
    """A heading inside a picture."""

    head: Line
    top: int = 24

    def html(self) -> str:
        return div(markup(self.head), f"font:600 13px/20px {SANS};margin:{self.top}px 0 8px")

    def text(self) -> str:
        return "\n" + words(self.head)


@dataclass(frozen=True)
class Note:
    """A remark in words."""

    line: Line
    width: int = 720
    top: int = 10

    def html(self) -> str:
        if not words(self.line):
            return ""
        look = f"font:400 12px/18px {SANS};color:{MUTED};margin:{self.top}px 0 0;max-width:{self.width}px"
        return div(markup(self.line), look)

    def text(self) -> str:
        return wrap(words(self.line)) if words(self.line) else ""


@dataclass(frozen=True)
class Code:
    """Lines of code or of numbers, unchanged."""

    lines: tuple[Line, ...]
    width: int = 0

    def html(self) -> str:
        # A line that is too long goes on below, further in.
        hang = "white-space:pre-wrap;padding-left:4ch;text-indent:-4ch"
        body = "".join(div(markup(line) or "&#160;", hang) for line in self.lines)
        look = f"font:400 12px/20px {MONO};background:{WASH};border-left:3px solid {RULE};padding:8px 12px"
        look += ";margin:12px 0 0"
        return div(body, look + (f";width:{self.width}px;max-width:100%;box-sizing:border-box" if self.width else ""))

    def text(self) -> str:
        return "\n".join("    " + words(line) for line in self.lines)


@dataclass(frozen=True)
class Sentence:
    """The sentence under a picture: the subject, the reason in its own words, and what else there is to say.

    The script replaces it by the sentence of the cell in hand. `bar` is "ink", "clash" or one of the hues.
    """

    subject: str
    reason: Line
    after: Line = ""
    bar: str = "ink"

    def html(self) -> str:
        colour = {"ink": INK, "clash": tokens.CLASH}.get(self.bar) or tokens.LINE[self.bar]
        reason = terms(self.reason) if isinstance(self.reason, str) else self.reason
        first = f"{markup(bold(self.subject))}&#8194;&#8194;{markup(reason)}"
        second = div(markup(self.after), f"font:400 12px/18px {SANS};color:{MUTED};margin:2px 0 0")
        return div(
            div(first, f"font:400 13px/20px {MONO}") + second,
            f"border-left:3px solid {colour};background:{WASH};padding:8px 12px;margin:20px 0 0;min-height:40px;"
            "overflow-wrap:break-word",
            "tw-say",
        )

    def text(self) -> str:
        first = f"{words(bold(self.subject))}: {words(self.reason)}"
        return "\n" + first + (f"\n{wrap(words(self.after))}" if words(self.after) else "")


@dataclass(frozen=True)
class Stack:
    """Blocks one below the other."""

    blocks: Sequence[Block]
    width: int = 0

    def html(self) -> str:
        inner = "".join(block.html() for block in self.blocks)
        return div(inner, f"width:{self.width}px") if self.width else inner

    def text(self) -> str:
        return "\n".join(t for t in (block.text() for block in self.blocks) if t)


@dataclass(frozen=True)
class Beside:
    """Blocks on one line, as far as there is room."""

    blocks: Sequence[Block]
    gap: int = 32
    top: int = 0
    below: int = 0

    def html(self) -> str:
        look = "display:inline-block;vertical-align:top;max-width:100%;box-sizing:border-box"
        look += f";margin:{self.top}px 0 {self.below}px"
        last = len(self.blocks) - 1
        return div(
            "".join(
                div(block.html(), f"{look};padding-right:{self.gap}px" if k < last and self.gap else look)
                for k, block in enumerate(self.blocks)
            )
        )

    def text(self) -> str:
        return "\n".join(text for text in (block.text() for block in self.blocks) if text)


@dataclass(frozen=True)
class Gap:
    """Empty space."""

    height: int = 24

    def html(self) -> str:
        return div("", f"height:{self.height}px")

    def text(self) -> str:
        return ""


@dataclass(frozen=True)
class Words:
    """A plain block of lines in the face of numbers: the facts of a view, a caption."""

    lines: tuple[Line, ...]
    width: int = 0

    def html(self) -> str:
        size = f";width:{self.width}px" if self.width else ""
        return "".join(
            div(markup(line), f"font:400 11px/16px {MONO};color:{MUTED};white-space:nowrap{size}")
            for line in self.lines
        )

    def text(self) -> str:
        return "\n".join(words(line) for line in self.lines)


@dataclass(frozen=True)
class Sheet:
    """A small table of words: column heads, then rows whose first entry names them. It gives way with the page, down
    to its longest words; from there on it is moved sideways."""

    heads: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]
    columns: tuple[int, ...]
    name: str = ""

    def html(self) -> str:
        left, cell = "text-align:left;padding:0 8px 4px 0", "text-align:left;padding:5px 8px 5px 0"
        rule = f"border-bottom:1px solid {RULE}"
        top = "".join(
            th(markup(h), "col", f"{left};font:400 11px/16px {SANS};color:{MUTED};{rule}") for h in self.heads
        )
        body = [
            row(
                th(markup(first), "row", f"{cell}{broken(first)};font-weight:700")
                + "".join(td(markup(entry), cell + broken(entry)) for entry in rest)
            )
            for first, *rest in self.rows
        ]
        style = f"font-family:{MONO};font-size:12px"
        return framed(table([row(top), *body], list(self.columns), style=style, cls="tw-sheet", whole_words=True))

    def text(self) -> str:
        lines = [[words(entry) for entry in line] for line in (self.heads, *self.rows)]
        return columns(lines, left=True)


LONGEST_WORD = 34
"""Letters of the longest word that is kept whole: the digits of a number are fewer."""


def broken(entry: Line) -> str:
    """The style of words of which one is too long to be kept whole."""
    return ";overflow-wrap:anywhere" if max(map(len, words(entry).split()), default=0) > LONGEST_WORD else ""


@dataclass(frozen=True)
class Wide:
    """Blocks on one scale, which are moved sideways together where they are wider than the page."""

    blocks: Sequence[Block]

    def html(self) -> str:
        return framed(Stack(self.blocks).html())

    def text(self) -> str:
        return Stack(self.blocks).text()


def columns(lines: Sequence[Sequence[str]], left: bool = False, space: int = 2) -> str:
    """Rows of words set in columns, as far as each row goes.

    >>> print(columns([["", "0", "1"], ["0", "10", "11"]]))
        0   1
    0  10  11
    """
    widths: list[int] = []
    for line in lines:
        for k, word in enumerate(line):
            if k == len(widths):
                widths.append(0)
            widths[k] = max(widths[k], len(word))
    out = []
    for line in lines:
        cells = [word.ljust(widths[k]) if left or k == 0 else word.rjust(widths[k]) for k, word in enumerate(line)]
        out.append((" " * space).join(cells).rstrip())
    return "\n".join(out)


def wrap(text: str, width: int = 100) -> str:
    """Words broken into lines; no word is cut."""
    lines, now = [], ""
    for word in text.split(" "):
        if now and len(now) + 1 + len(word) > width:
            lines.append(now)
            now = word
        else:
            now = f"{now} {word}" if now else word
    return "\n".join([*lines, now])
