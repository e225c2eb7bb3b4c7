"""How wide the elements of a picture are: text, images, blocks, and the columns of tables.

>>> natural(read('<div style="padding:4px;width:20px"></div>'))
28.0
"""

from __future__ import annotations

import re

from .fonts import width_of
from .tree import Node, length, read  # noqa: F401  (`read` is for the examples)

BREAK = "\u200b"
"""A space without a width: a line may break there."""

INLINE = ("", "span", "b", "br", "img")


def inline(node: Node) -> bool:
    return node.tag in INLINE or node.style.get("display") == "inline-block"


def mono(node: Node) -> bool:
    return "mono" in node.style.get("font-family", "")


def size_of(node: Node) -> float:
    return length(node.style["font-size"], 0) or 0.0


def text_width(node: Node, text: str) -> float:
    shown = text.replace(BREAK, "")
    return width_of(shown, size_of(node), mono(node), node.style["font-weight"] in ("600", "700"))


def image_size(node: Node, room: float = 0) -> tuple[float, float]:
    """Width and height of an image; a height that is not told follows from the width."""
    wide = node.pixels("width", room) or node.natural[0]
    return wide, node.pixels("height") or node.natural[1] * wide / node.natural[0]


def natural(node: Node) -> float:
    """How wide an element is if nothing in it has to be broken into lines."""
    if not node.tag:
        lines = node.text.split("\n") if node.style.get("white-space", "").startswith("pre") else [one_line(node.text)]
        return max(text_width(node, line) for line in lines)
    if node.tag == "img":
        around = sum(node.edge("margin", side) + node.border(side)[0] for side in ("left", "right"))
        return (node.pixels("width") or node.natural[0]) + around
    _, right, _, left = node.around
    outside = node.edge("margin", "left") + node.edge("margin", "right")
    told = node.style.get("width", "auto")
    wide = length(told, 0) if not told.endswith("%") else None
    if wide is not None and node.tag != "table":
        inner = wide if node.style.get("box-sizing") == "border-box" else wide + left + right
        return inner + outside
    if node.tag == "table":
        inner = Table(node, 0).natural()
        return max(inner, wide or 0) + outside
    most = line = 0.0
    for child in node.children:
        if child.style.get("position") == "absolute":
            continue
        if child.tag == "br":
            line = 0.0
        elif inline(child):
            line += natural(child)
            most = max(most, line)
        else:
            line = 0.0
            most = max(most, natural(child))
    most = max(most + left + right, node.pixels("min-width") or 0)
    limit = length(node.style.get("max-width", "none"), 0) if "%" not in node.style.get("max-width", "") else None
    return (most if limit is None else min(most, limit)) + outside


def narrowest(node: Node) -> float:
    """How wide an element is at least: as its longest word, or as it says itself.

    >>> narrowest(read('<div style="padding:1px"><div style="width:20px"></div></div>'))
    22.0
    """
    if not node.tag:
        if node.style.get("white-space", "") in ("nowrap", "pre") or "overflow-wrap" in node.style:
            return natural(node) if "overflow-wrap" not in node.style else 0.0
        return max([text_width(node, word) for word in re.split(rf"[\s{BREAK}]+", node.text) if word], default=0.0)
    if node.tag in ("img", "table") or node.style.get("display") == "inline-block":
        return natural(node)
    return _narrowest_inside(node)


def fitted(node: Node, room: float) -> float:
    """How wide a block in a line is: its own width, less if there is no room for it, but room for its longest word."""
    least = 0.0 if _holds_table(node) else _narrowest_inside(node)  # whose columns become narrower
    return min(natural(node), max(room, least))


def _holds_table(node: Node) -> bool:
    return any(child.tag == "table" or _holds_table(child) for child in node.children)


def _narrowest_inside(node: Node) -> float:
    _, right, _, left = node.around
    inside = [narrowest(child) for child in node.children if child.style.get("position") != "absolute"]
    own = max(length(node.style.get(name, "0"), 0) or 0.0 for name in ("width", "min-width"))
    return max([own, *inside]) + left + right


def one_line(text: str) -> str:
    return re.sub(r"[ \n\t]+", " ", text)


class Table:
    """The columns of a table, and which cells are in each row at which column."""

    lacking = 0.0
    """How many pixels more its longest words need than there are."""

    def __init__(self, node: Node, room: float):
        self.node = node
        spacing = (node.style.get("border-spacing") or "0").split()
        self.spacing = length(spacing[0], 0) or 0.0, length(spacing[-1], 0) or 0.0
        self.asked = node.pixels("width", room)
        limit = node.pixels("max-width", room)
        if self.asked is not None and limit is not None:
            self.asked = min(self.asked, limit)
        cols = [
            col for group in node.children if group.tag == "colgroup"
            for col in group.children for _ in range(col.span)
        ]  # fmt: skip
        # A share is one of what the spacing leaves.
        shared = max(self.asked or 0, node.pixels("min-width", room) or 0) - self.spacing[0] * (len(cols) + 1)
        told = [col.pixels("width", max(shared, 0)) for col in cols]
        self.rows: list[tuple[Node, list[tuple[int, Node]]]] = []
        busy: set[tuple[int, int]] = set()
        for k, tr in enumerate(child for child in node.children if child.tag == "tr"):
            cells, column = [], 0
            for cell in tr.children:
                while (k, column) in busy:
                    column += 1
                cells.append((column, cell))
                busy |= {(k + r, column + c) for r in range(cell.rows) for c in range(cell.span)}
                column += cell.span
            self.rows.append((tr, cells))
        count = max([len(told), *(column + cell.span for _, cells in self.rows for column, cell in cells)], default=0)
        self.told: list[float | None] = [*told, *([None] * (count - len(told)))]
        self.fixed = node.style.get("table-layout") == "fixed"
        self.columns = self._columns(room)
        self.width = sum(self.columns) + self.spacing[0] * (count + 1)

    def natural(self) -> float:
        return sum(self._naturals()) + self.spacing[0] * (len(self.told) + 1)

    def _naturals(self) -> list[float]:
        wide = [known or 0.0 for known in self.told]
        if self.fixed and all(known is not None for known in self.told):
            return wide
        for _, cells in self.rows:
            for column, cell in cells:
                if cell.span == 1 and column < len(wide):
                    wide[column] = max(wide[column], natural(cell))
        return wide

    def _narrowest(self) -> list[float]:
        """The longest words of the columns."""
        words = [0.0] * len(self.told)
        for _, cells in self.rows:
            for column, cell in cells:
                if cell.span == 1:
                    words[column] = max(words[column], narrowest(cell))
        return words

    def _with_shares(self, wide: list[float], room: float) -> list[float]:
        """Columns whose cells say a share of the table have it, down to their longest words; the others have the rest.

        Nothing changes where no cell says a share.
        """
        shares = {
            column: length(cell.style["width"], room) or 0.0
            for _, cells in self.rows
            for column, cell in cells
            if cell.span == 1 and cell.style.get("width", "").endswith("%")
        }
        if not shares:
            return wide
        words = self._narrowest()
        others = sum(one for column, one in enumerate(wide) if column not in shares)
        left = room
        for column, share in shares.items():
            wide[column] = max(words[column], min(share, left - others))
            left -= wide[column]
        more = left / others if others and left > others else 1
        return [one if column in shares else one * more for column, one in enumerate(wide)]

    def _sharing(self, room: float) -> list[float]:
        """Columns that begin with their own width, and share what is left or missing, down to their longest words."""
        words = self._narrowest()
        own = zip(self.told, self._naturals(), words, strict=True)
        wide = [max(natural if known is None else known, word) for known, natural, word in own]
        left = room - sum(wide)
        open_ = [known is None for known in self.told]
        spare = [one - word for one, word in zip(wide, words, strict=True)]
        if left > 0:
            spare = [one * (free or not any(open_)) for one, free in zip(wide, open_, strict=True)]
        whole = sum(spare)
        share = max(left / whole, -1) if whole else 0
        return [one + share * part for one, part in zip(wide, spare, strict=True)]

    def _columns(self, room: float) -> list[float]:
        asked = self.asked
        least = self.node.pixels("min-width", room) or 0
        gaps = self.spacing[0] * (len(self.told) + 1)
        if self.fixed and asked is not None:
            inner = max(asked, least) - gaps
            first = list(self.told)
            for column, cell in self.rows[0][1] if self.rows else []:
                if first[column] is None and cell.span == 1 and cell.pixels("width", asked) is not None:
                    first[column] = cell.pixels("width", asked)
            known = sum(wide or 0 for wide in first)
            open_ = sum(wide is None for wide in first)
            share = max(inner - known, 0) / open_ if open_ else 0
            return [share if wide is None else wide for wide in first]
        if asked is not None and any(known is not None for known in self.told):
            return self._sharing(max(asked, least) - gaps)
        wide = self._naturals()
        if asked is not None:
            wide = self._with_shares(wide, max(asked, least) - gaps)
        total = sum(wide)
        limit = room - gaps if room else total
        target = max(asked or 0, least) - gaps if asked is not None or least else min(total, limit)
        if not total or target <= 0 or (asked is not None and target <= total):
            return wide
        return [one * target / total for one in wide] if target >= total else self._shrunk(wide, target)

    def _shrunk(self, wide: list[float], room: float) -> list[float]:
        """Columns that together are as wide as the room: each gives in proportion to what it can do without."""
        words = [min(pair) for pair in zip(self._narrowest(), wide, strict=True)]
        left, spare = room - sum(words), sum(wide) - sum(words)
        if left <= 0 or not spare:
            self.lacking = max(-left, 0.0)
            return words
        return [word + (one - word) * left / spare for one, word in zip(wide, words, strict=True)]
