"""Where everything of a picture is on paper: blocks, lines of text, tables, and what has a place of its own.

>>> paper = Paper()
>>> paper.block(read('<div style="padding:4px;height:20px;background:#ffffff"></div>'), 0, 0, 100, Holder())
28.0
>>> paper.marks
[Box(x=0.0, y=0.0, width=100.0, height=28.0, fill='#ffffff', round=0.0)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import NamedTuple

from .marks import END, Arch, Box, Clip, Frame, Line, Mark, Photo, Word
from .tree import SIDES, Node, length, read
from .widths import BREAK, Table, fitted, image_size, inline, mono, natural, one_line, size_of, text_width

__all__ = ["Holder", "Paper", "read"]

BASE = 0.35
"""From the middle of a line to the base line of its text, in parts of the size."""


GLUED = ("word", "pad")
"""Parts of a line that no line breaks between: there is no space."""


class Placed(NamedTuple):
    """An element with a place of its own, and where it would be without."""

    node: Node
    x: float
    y: float


@dataclass
class Holder:
    """The element that places of elements inside of it are measured from."""

    waiting: list[Placed] = field(default_factory=list)


class Item(NamedTuple):
    """A part of a line: a word, a space, an image, a block in a line, or a break."""

    kind: str
    node: Node
    width: float
    text: str = ""
    inside: tuple[Node, ...] = ()
    """The elements around it that have a background or a border."""


def collapsed(one: float, other: float) -> float:
    """The distance that two margins leave: the larger one, less what a negative one takes away.

    >>> collapsed(12, 20), collapsed(12, -6)
    (20, 6)
    """
    return max(one, other, 0) + min(one, other, 0)


class Paper:
    """Marks, added one after the other."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self.lacking = 0.0
        """How many pixels wider the paper would have to be for its tables."""

    # -- blocks ------------------------------------------------------------------------------------------------

    def block(self, node: Node, x: float, y: float, room: float, holder: Holder) -> float:
        """Draws an element of its own lines, and returns its height without margins."""
        if node.tag == "table":
            return self.table(node, x, y, room, holder)
        top, right, bottom, left = node.around
        border_box = node.style.get("box-sizing") == "border-box"
        wide = node.pixels("width", room)
        outer = room - node.edge("margin", "left", room) - node.edge("margin", "right") if wide is None else wide
        if wide is not None and not border_box:
            outer += left + right
        limit = node.pixels("max-width", room)
        outer = outer if limit is None else min(outer, limit)
        outer = max(outer, node.pixels("min-width", room) or 0)
        at = len(self.marks)
        mine = Holder() if node.style.get("position") in ("relative", "absolute") else holder
        inner = self.flow(node.children, x + left, y + top, outer - left - right, mine, node)
        told = node.pixels("height")
        high = inner + top + bottom if told is None else told + (0 if border_box else top + bottom)
        high = max(high, (node.pixels("min-height") or 0) + (0 if border_box else top + bottom))
        if mine is not holder:
            self.place(mine, node, x, y, outer, high)
        self.enclosed(node, at, x, y, outer, high)
        return float(high)

    def dressed(self, node: Node, x: float, y: float, wide: float, high: float) -> list[Mark]:
        """The background and the borders of an element."""
        out: list[Mark] = []
        rounded = length(node.style.get("border-radius", "0").split()[0], 0) or 0.0
        if node.style.get("background", "#0000") != "#0000":
            out.append(Box(float(x), float(y), float(wide), float(high), node.style["background"], rounded))
        (up, kind, colour), (right, _, _), (down, _, _), (left, _, _) = (node.border(side) for side in SIDES)
        if rounded and up and left and right and not down:
            out.append(Arch(x + left / 2, y + up / 2, wide - left, high - up / 2, rounded, up, kind, colour))
        elif rounded and up and up == right == down == left:
            h = up / 2
            out.append(Frame(x + h, y + h, wide - up, high - up, rounded, up, kind, colour))
        else:
            west, east, north, south = x + left / 2, x + wide - right / 2, y + up / 2, y + high - down / 2
            ends = {
                "top": (x, north, x + wide, north), "right": (east, y, east, y + high),
                "bottom": (x, south, x + wide, south), "left": (west, y, west, y + high),
            }  # fmt: skip
            for side, points in ends.items():
                thick, kind, colour = node.border(side)
                if thick:
                    out.append(Line(*points, thick, kind, colour))
        shadow = re.match(r"inset 0 0 0 (\d+)px (#\w+)", node.style.get("box-shadow", ""))
        if shadow:
            w = int(shadow[1])
            h = w / 2
            x, y, wide, high = x + left, y + up, wide - left - right, high - up - down
            for line in ((x, y + h, x + wide, y + h), (x, y + high - h, x + wide, y + high - h),
                         (x + h, y, x + h, y + high), (x + wide - h, y, x + wide - h, y + high)):  # fmt: skip
                out.append(Line(*line, w, "solid", shadow[2]))
        return out

    def enclosed(self, node: Node, at: int, x: float, y: float, wide: float, high: float) -> None:
        """Puts the background and borders of an element below what was drawn since `at`, and hides what leaves it."""
        before = self.dressed(node, x, y, wide, high)
        if node.style.get("overflow") == "hidden":
            before.append(Clip(x, y, wide, high))
            self.marks.append(END)
        self.marks[at:at] = before

    def place(self, holder: Holder, around: Node, x: float, y: float, wide: float, high: float) -> None:
        """Draws what has a place of its own in an element, inside of its border."""
        north, east, south, west = (around.border(side)[0] for side in SIDES)
        x, y, wide, high = x + west, y + north, wide - west - east, high - north - south
        for node, own_x, own_y in holder.waiting:
            left, right = node.pixels("left", wide), node.pixels("right", wide)
            top, bottom = node.pixels("top", high), node.pixels("bottom", high)
            outer, node = self.placed_size(node, wide, high)
            at = x + left if left is not None else x + wide - right - outer if right is not None else own_x
            at += node.edge("margin", "left", wide)
            if top is not None:
                down = y + top
            elif bottom is not None:
                down = y + high - bottom - self.height(node, wide)
            else:
                down = own_y
            self.element(node, at, down + node.edge("margin", "top"), wide)

    def placed_size(self, node: Node, wide: float, high: float) -> tuple[float, Node]:
        """The width of an element in its place, and the element with the size that its place gives it.

        An element between two sides without a size of its own reaches from one to the other.
        """
        left, right = node.pixels("left", wide), node.pixels("right", wide)
        top, bottom = node.pixels("top", high), node.pixels("bottom", high)
        over, east, under, west = node.around
        border_box = node.style.get("box-sizing") == "border-box"
        told, tall = node.pixels("width", wide), node.pixels("height", high)
        outer: float
        if told is None:
            room = wide - (left or 0) - (right or 0)
            room -= node.edge("margin", "left", wide) + node.edge("margin", "right", wide)
            outer = room if left is not None and right is not None else min(natural(node), max(room, 0) or wide)
        else:
            outer = told if border_box else told + west + east
        style = node.style | {"width": f"{outer}px", "box-sizing": "border-box"}
        if tall is None and top is not None and bottom is not None:
            style["height"] = f"{max(high - top - bottom, 0)}px"
        elif tall is not None:
            style["height"] = f"{tall if border_box else tall + over + under}px"
        return outer, replace(node, style=style)

    def element(self, node: Node, x: float, y: float, room: float) -> None:
        if node.tag == "img":
            wide, high = image_size(node, room)
            self.marks.extend([*self.dressed(node, x, y, wide, high), Photo(x, y, wide, high, node.source)])
        else:
            self.block(node, x, y, room, Holder())

    def height(self, node: Node, room: float) -> float:
        """The height of an element, drawn on paper that is thrown away."""
        return Paper().block(node, 0, 0, room, Holder())

    def flow(self, children: Sequence[Node], x: float, y: float, room: float, holder: Holder, around: Node) -> float:
        """Draws elements below each other, and lines of text; returns their height."""
        start, below = y, 0.0
        line: list[Node] = []

        def finish() -> None:
            nonlocal y, below
            if any(node.tag or node.text.strip() or node.style.get("white-space") == "pre" for node in line):
                y += self.lines(line, x, y + below, room, around) + below
                below = 0.0
            line.clear()

        for node in children:
            if node.style.get("position") == "absolute":
                finish()
                holder.waiting.append(Placed(node, x, y + below))
            elif inline(node):
                line.append(node)
            elif node.tag not in ("colgroup", "col"):
                finish()
                y += collapsed(below, node.edge("margin", "top"))
                shift = node.edge("margin", "left", room)
                y += self.block(node, x + shift, y, room, holder)
                below = node.edge("margin", "bottom")
        finish()
        return y + below - start

    # -- lines -------------------------------------------------------------------------------------------------

    def items(self, nodes: Sequence[Node], room: float, inside: tuple[Node, ...] = ()) -> Iterator[Item]:
        """The parts of a line, in their order."""
        for node in nodes:
            if node.style.get("float") == "right":
                yield Item("float", node, natural(node))
            elif node.tag == "br":
                yield Item("break", node, 0)
            elif node.tag == "img":
                yield Item("image", node, natural(node))
            elif node.style.get("display") == "inline-block":
                told = node.pixels("width", room)
                if told is not None and "%" in node.style["width"]:
                    border_box = node.style.get("box-sizing") == "border-box"
                    around = sum(node.edge("margin", side) for side in ("left", "right"))
                    around += 0 if border_box else sum(node.around[1::2])
                    yield Item("block", node, told + around)
                else:
                    yield Item("block", node, fitted(node, room) if told is None else natural(node))
            elif not node.tag:
                yield from self.words(node, inside)
            else:
                marked = any(name in node.style for name in ("background", "border-bottom-width", "text-decoration"))
                mine = (*inside, node) if marked or "border-top-width" in node.style else inside
                before, after = (
                    (node.edge("padding", side) + node.border(side)[0] + node.edge("margin", side))
                    for side in ("left", "right")
                )
                if before:
                    yield Item("pad", node, before, "", mine)
                yield from self.items(node.children, room, mine)
                if after:
                    yield Item("pad", node, after, "", mine)

    def words(self, node: Node, inside: tuple[Node, ...]) -> Iterator[Item]:
        kept = node.style.get("white-space", "normal")
        if kept.startswith("pre"):
            for k, line in enumerate(node.text.replace(BREAK, "").split("\n")):
                if k:
                    yield Item("break", node, 0)
                if line:
                    yield Item("word", node, text_width(node, line), line, inside)
            return
        text = one_line(node.text)
        if kept == "nowrap":
            text = text.replace(BREAK, "")
            yield Item("word", node, text_width(node, text), text, inside)
            return
        for part in re.findall(rf"[ {BREAK}]|[^ {BREAK}]+", text):
            kind = "space" if part in (" ", BREAK) else "word"
            yield Item(kind, node, text_width(node, part), part.replace(BREAK, ""), inside)

    def lines(self, nodes: Sequence[Node], x: float, y: float, room: float, around: Node) -> float:
        """Draws lines of text; returns their height."""
        start, floor, taken = y, y, 0.0
        line: list[Item] = []
        used = 0.0

        def free() -> float:
            return room - (taken if y < floor - 0.5 else 0)

        def flush(forced: bool = False) -> None:
            nonlocal y, line, used
            broken = forced or bool(line)  # a line of nothing but a place to break is one, too
            while line and line[-1].kind == "space":
                used -= line.pop().width
            if broken:
                y += self.line(line, x, y, free(), used, around)
            line, used = [], 0.0

        queue, held = list(self.items(nodes, room)), 0
        while queue:
            item = queue.pop(0)
            if item.kind == "float":  # beside the words so far if there is room, otherwise below them
                if line and used + item.width > free() + 0.5:
                    flush()
                taken = min(item.width, room)
                high = self.height(_block_of(item.node), taken)
                self.block(_block_of(item.node), x + room - taken, y, taken, Holder())
                floor = y + high
                continue
            if item.kind == "break":
                flush(True)
                continue
            if item.kind == "space" and item.width and not line:
                continue
            # A part of a word that has begun stays with it.
            held, need = (held - 1, 0.0) if held else _together(item, queue, room)
            wraps = item.kind in (*GLUED, "block", "image") and need and used + need > free() + 0.5
            whole = item.node.style.get("white-space") == "nowrap"  # a space before it is of text that does wrap
            if wraps and line and (not whole or line[-1].kind == "space"):
                flush()
            breakable = "overflow-wrap" in item.node.style and item.kind == "word" and not line
            if breakable and item.width > free() + 0.5 and len(item.text) > 1:
                fits = max(1, int(len(item.text) * free() / item.width))
                rest = item.text[fits:]
                queue.insert(0, item._replace(text=rest, width=text_width(item.node, rest)))
                item = item._replace(text=item.text[:fits], width=text_width(item.node, item.text[:fits]))
            line.append(item)
            used += item.width
        flush()
        return max(y, floor if taken else y) - start

    def line(self, items: Sequence[Item], x: float, y: float, room: float, used: float, around: Node) -> float:
        """Draws one line; returns its height."""
        texts = [_line_height(one.node) for one in items if one.text or not one.width]
        high = max(texts, default=0.0 if items else length(around.style["line-height"], 0) or 0.0)
        blocks = {k: self.block_height(one) for k, one in enumerate(items) if one.kind in ("block", "image")}
        high = max([high, *blocks.values()])
        align = around.style.get("text-align", "left")
        x += {"center": (room - used) / 2, "right": room - used}.get(align, 0.0)
        largest = max((size_of(one.node) for one in items if one.text), default=13.0)
        at_top = texts and any(items[k].node.style.get("vertical-align") == "top" for k in blocks)
        base = y + (max(texts) if at_top else high) / 2 + BASE * largest
        spans: dict[int, tuple[Node, float, float]] = {}
        at = len(self.marks)
        for k, one in enumerate(items):
            for node in one.inside:
                first = spans.get(id(node), (node, x, x))[1]
                spans[id(node)] = (node, first, x + one.width)
            if one.kind == "word":
                self.marks.append(_word(one, x, base))
            elif k in blocks:
                spare = high - blocks[k]
                lift = {"top": 0.0, "middle": spare / 2}.get(
                    one.node.style.get("vertical-align", ""),
                    spare if one.node.children or not texts else base - y - blocks[k],
                )
                self.block_in_line(one, x, y + lift)
            x += one.width
        under: list[Mark] = []
        for node, first, last in spans.values():
            size = size_of(node)
            top, bottom = base - 0.93 * size - node.around[0], base + 0.24 * size + node.around[2]
            under += self.dressed(node, first, top, last - first, bottom - top)
        self.marks[at:at] = under
        return high

    def block_height(self, one: Item) -> float:
        """How much of a line's height an image or a block takes, with its margins."""
        node = one.node
        margins = node.edge("margin", "top") + node.edge("margin", "bottom")
        if one.kind == "image":
            return image_size(node)[1] + margins + 2 * node.border("top")[0]
        outer = one.width - node.edge("margin", "left") - node.edge("margin", "right")
        return self.height(_sized(node, outer), outer) + margins

    def block_in_line(self, one: Item, x: float, y: float) -> None:
        """Draws an image or a block whose margins begin here."""
        node = one.node
        left = node.edge("margin", "left")
        x, y = x + left, y + node.edge("margin", "top")
        if one.kind == "block":
            outer = one.width - left - node.edge("margin", "right")
            self.block(_sized(node, outer), x, y, outer, Holder())
            return
        border = node.border("top")[0]
        wide, tall = image_size(node)
        self.marks.extend(self.dressed(node, x, y, wide + 2 * border, tall + 2 * border))
        self.marks.append(Photo(x + border, y + border, wide, tall, node.source))

    # -- tables ------------------------------------------------------------------------------------------------

    def table(self, node: Node, x: float, y: float, room: float, holder: Holder) -> float:
        plan = Table(node, room)
        self.lacking = max(self.lacking, plan.lacking)
        start = y
        at = len(self.marks)
        wide = plan.width
        mine = Holder() if node.style.get("position") == "relative" else holder
        for child in node.children:
            if child.tag == "caption":
                _, _, below, left = child.around
                y += self.flow(child.children, x + left, y + child.around[0], max(wide - left, 1), mine, child)
                y += child.around[0] + below
        across, down = plan.spacing
        lefts = [x + across]
        for column in plan.columns:
            lefts.append(lefts[-1] + column + across)
        highs = self.row_heights(plan, lefts, across)
        y += down
        for k, (tr, cells) in enumerate(plan.rows):
            for column, cell in cells:
                left, right = lefts[column], lefts[min(column + cell.span, len(lefts) - 1)] - across
                high = sum(highs[k : k + cell.rows]) + down * (cell.rows - 1)
                if tr.style.get("background", "#0000") != "#0000":
                    self.marks.append(Box(left, y, right - left, high, tr.style["background"]))
                self.cell(cell, left, y, right - left, high, mine)
            y += highs[k] + down
        if mine is not holder:
            self.place(mine, node, x, start, wide, y - start)
        self.enclosed(node, at, x, start, wide, y - start)
        return y - start

    def row_heights(self, plan: Table, lefts: Sequence[float], across: float) -> list[float]:
        highs = []
        for tr, cells in plan.rows:
            high = tr.pixels("height") or 0.0
            for column, cell in cells:
                wide = lefts[min(column + cell.span, len(lefts) - 1)] - across - lefts[column]
                if cell.rows == 1:
                    high = max(high, self.cell_height(cell, wide), cell.pixels("height") or 0)
            highs.append(high)
        for k, (_, cells) in enumerate(plan.rows):
            for column, cell in cells:
                if cell.rows > 1:
                    wide = lefts[min(column + cell.span, len(lefts) - 1)] - across - lefts[column]
                    left = self.cell_height(cell, wide) - sum(highs[k : k + cell.rows])
                    highs[min(k + cell.rows, len(highs)) - 1] += max(left, 0)
        return highs

    def cell_height(self, cell: Node, wide: float) -> float:
        if wide not in cell.heights:
            top, right, bottom, left = cell.around
            inside = Paper().flow(cell.children, 0, 0, wide - left - right, Holder(), cell)
            cell.heights[wide] = inside + top + bottom
        return cell.heights[wide]

    def cell(self, cell: Node, x: float, y: float, wide: float, high: float, holder: Holder) -> None:
        at = len(self.marks)
        top, right, bottom, left = cell.around
        spare = high - self.cell_height(cell, wide)
        lift = {"top": 0.0, "bottom": spare}.get(cell.style.get("vertical-align", ""), spare / 2)
        mine = Holder() if cell.style.get("position") == "relative" else holder
        self.flow(cell.children, x + left, y + top + lift, wide - left - right, mine, cell)
        if mine is not holder:
            self.place(mine, cell, x, y, wide, high)
        self.enclosed(cell, at, x, y, wide, high)


def _line_height(node: Node) -> float:
    return length(node.style["line-height"], 0) or 1.2 * size_of(node)


def _word(one: Item, x: float, base: float) -> Word:
    """A word of a line, on its base line."""
    node = one.node
    struck = any("line-through" in around.style.get("text-decoration", "") for around in one.inside)
    bold = node.style["font-weight"] in ("600", "700")
    return Word(x, base, one.text, one.width, size_of(node), mono(node), bold, node.style["color"], struck)


def _together(item: Item, following: list[Item], room: float) -> tuple[int, float]:
    """How many of the parts that follow are of the same word, and how wide it is; of a word that is wider than a line,
    the parts are on their own.
    """
    if item.kind in GLUED:
        parts = list(takewhile(lambda one: one.kind in GLUED, following))
        wide = item.width + sum(one.width for one in parts)
        if wide <= room + 0.5:
            return len(parts), wide
    return 0, item.width


def _sized(node: Node, outer: float) -> Node:
    """A block in a line with its width given."""
    style = {name: value for name, value in node.style.items() if not name.startswith("margin")}
    if node.pixels("height") is not None and style.get("box-sizing") != "border-box":
        top, _, bottom, _ = node.around
        style["height"] = f"{(node.pixels('height') or 0) + top + bottom}px"
    style |= {"width": f"{outer}px", "box-sizing": "border-box"}
    return Node(node.tag, style, node.text, node.children, source=node.source, natural=node.natural)


def _block_of(node: Node) -> Node:
    return Node("div", {n: v for n, v in node.style.items() if n != "float"}, "", node.children)
