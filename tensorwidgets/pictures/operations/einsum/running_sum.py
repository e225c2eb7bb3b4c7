"""A sum as it grows: one column for each value of the summed letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ...drawing.html import escape, framed, row, table, td, th
from ...drawing.inline import Line, markup, words
from ...drawing.scene import columns
from ...drawing.tokens import INK, MUTED, RULE, SANS, TINT, axis_colour, hue

MOST = 6
LEAST = 480
"""Pixels, where the page is narrow."""


class Term(NamedTuple):
    """One product: the values of the summed letters, the product, the sum so far, its classes and what it says."""

    at: str
    product: str
    so_far: str
    keys: str
    note: str


@dataclass(frozen=True)
class RunningSum:
    """Products and their sum so far; the middle is left out where there are more than fit."""

    letters: Line
    terms: tuple[Term, ...]
    total: int
    axis: int

    @property
    def shown(self) -> list[Term | None]:
        """The terms that are drawn, None where some are left out."""
        if self.total <= MOST and len(self.terms) == self.total:
            return list(self.terms)
        return [*self.terms[: MOST - 2], None, self.terms[-1]]

    def html(self) -> str:
        label = f"text-align:left;font:400 12px/16px {SANS};color:{MUTED}"
        heads = th(markup(self.letters), "row", "text-align:left")
        products, sums = th("product", "row", label), th("sum so far", "row", label)
        small = f"font-size:11px;color:{axis_colour(self.axis)}"
        for k, term in enumerate(self.shown):
            if term is None:
                gap = td("…", f"color:{MUTED}")
                heads, products, sums = heads + gap, products + gap, sums + gap
                continue
            heads += th(escape(term.at), "col", small)
            look = f"background:{TINT[hue(self.axis)]};border:1px solid {RULE};padding:0 2px"
            # A long product goes on below, and its result stays whole: a number that is cut is another number.
            text = term.product.replace("= ", "=\u00a0")
            products += td(escape(text), look + self._size(text), term.keys, term.note)
            last = k == len(self.shown) - 1
            line = f"{2 if last else 1}px solid {INK if last else RULE}"
            look = f"font-weight:{700 if last else 400};border-bottom:{line}"
            sums += td(escape(term.so_far), look + self._size(term.so_far))
        rows = [row(heads, "height:20px"), row(products, "height:26px")]
        if any(term.so_far for term in self.terms):
            rows.append(row(sums, "height:24px"))
        widths = [76, *(24 if term is None else self._wide for term in self.shown)]
        total = sum(widths) + 4 * (len(widths) + 1)
        look = f"max-width:{total}px;margin:12px 0 0 -4px"
        return framed(table(rows, widths, "4px 2px", look, "tw-sum", least=min(total, LEAST)))

    @property
    def _wide(self) -> int:
        """Pixels of a column: the whole product where there is room, and never less than its longest number."""
        longest = max(len(term.product) for term in self.terms)
        words = (word for term in self.terms for word in [*term.product.replace("= ", "=").split(), term.so_far])
        return max(64, min(longest * 8 + 12, 480 // len(self.shown)), max(map(len, words)) * 7 + 12)

    def _size(self, text: str) -> str:
        return ";font-size:11px" if len(text) * 8 + 12 > self._wide else ""

    def text(self) -> str:
        parts = self.shown
        lines = [
            [words(self.letters), *("…" if t is None else t.at for t in parts)],
            ["product", *("…" if t is None else t.product for t in parts)],
        ]
        if any(term.so_far for term in self.terms):
            lines.append(["sum so far", *("…" if t is None else t.so_far for t in parts)])
        return columns(lines)
