"""Bits in rows: floats with their mantissas in one column, integers with their lowest bits in one column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..arrays.number_formats import Float, Integer
from ..drawing.html import escape, framed, row, table, td, th
from ..drawing.inline import Ink, Line, markup
from ..drawing.scene import columns, note
from ..drawing.tokens import HOT, INK, LINE, MID, SANS, TINT

BIT, LABEL = 10, 104
TITLED = 9
"""Columns that the words above sign and exponent need."""
PARTS = {
    "s": ("sign", "purple", "dotted"),
    "e": ("exponent", "orange", "dashed"),
    "m": ("mantissa", "blue", "solid"),
    "v": ("value", "blue", "solid"),
}


class BitRow(NamedTuple):
    """A number in one format; `boxed` are the positions of the bits that rounding changed."""

    label: str
    format: Float | Integer
    bits: int
    boxed: frozenset[int] = frozenset()

    @property
    def text(self) -> str:
        return f"{self.bits:0{self.format.width}b}"

    def part(self, at: int) -> tuple[str, int]:
        """The part that a bit belongs to, and the number that says which place it has there."""
        if isinstance(self.format, Integer):
            sign = self.format.signed and at == 0
            return ("s", 0) if sign else ("v", self.format.width - 1 - at)
        if at == 0:
            return "s", 0
        if at <= self.format.exponent:
            return "e", self.format.exponent - at
        return "m", at - self.format.exponent

    def worth(self, at: int) -> str:
        """The value of a bit."""
        part, place = self.part(at)
        if isinstance(self.format, Integer):
            return f"worth {'-' if part == 's' else ''}2^{self.format.width - 1 - at}"
        return {"s": "1 for below zero", "e": f"worth 2^{place} in the exponent", "m": f"worth 2^-{place}"}[part]


@dataclass(frozen=True)
class BitRows:
    """Rows of one kind, floats or integers."""

    rows: tuple[BitRow, ...]
    endless: str = ""
    """The digits that the mantissas are cut from, where they never end."""

    @property
    def floats(self) -> bool:
        return isinstance(self.rows[0].format, Float)

    @property
    def left(self) -> int:
        """Columns before the gap: the widest sign and exponent, with room for their title; none for integers."""
        return max(TITLED, self._widest) if self.floats else 0

    @property
    def _widest(self) -> int:
        """The most bits of a sign and an exponent."""
        return 1 + max(r.format.exponent for r in self.rows if isinstance(r.format, Float))

    @property
    def right(self) -> int:
        return max(r.format.mantissa if isinstance(r.format, Float) else r.format.width for r in self.rows)

    def html(self) -> str:
        rows = [self._head()]
        for one in self.rows:
            look = f"text-align:left;font-size:12px;font-weight:700;white-space:nowrap;color:{INK}"
            before = (
                self.left - 1 - one.format.exponent if isinstance(one.format, Float) else self.right - one.format.width
            )
            html = th(escape(one.label), "row", look) + (td(span=before) if before > 0 else "")
            for at in range(one.format.width):
                if self.floats and isinstance(one.format, Float) and at == 1 + one.format.exponent:
                    html += td()
                html += self._bit(one, at)
            rows.append(row(html, "height:22px;font-size:11px"))
            rows.append(row(td(span=1 + self.left + bool(self.left) + self.right), "height:6px;line-height:6px"))
        widths = [LABEL, *[BIT] * self.left, *([7] if self.left else []), *[BIT] * self.right]
        total = sum(widths) + len(widths) + 1
        # The 64 bits of a number are wider than a narrow page: they alone are moved sideways then.
        body = table(rows[:-1], widths, "1px 0", f"width:{total}px;margin:0 0 0 -1px", "tw-bits")
        return framed(body)

    def _head(self) -> str:
        if not self.floats:
            return row(
                td() + self._title("what each bit is worth doubles from right to left", "v", self.right), "height:20px"
            )
        html = td() + self._title((Ink("sign, ", f"color:{LINE['purple']}"), "exponent"), "e", self.left) + td()
        return row(html + self._title(self._mantissa(), "m", self.right), "height:20px")

    def _mantissa(self) -> str:
        cut = f", all cut from the same endless {self.endless}" if self.endless else ""
        said = f"mantissa: the digits after 1. in base two{cut}"
        return said if self.right > 30 else "mantissa"

    def _title(self, said: Line, part: str, span: int) -> str:
        look = f"font:600 11px/16px {SANS};color:{LINE[PARTS[part][1]]};text-align:left;white-space:nowrap"
        return th(markup(said), "col", look, span)

    def _bit(self, one: BitRow, at: int) -> str:
        part, place = one.part(at)
        name, hue, pattern = PARTS[part]
        bit = one.text[at]
        look = f"background:{(MID if bit == '1' else TINT)[hue]};border-bottom:2px {pattern} {LINE[hue]}"
        boxed = at in one.boxed
        if boxed:
            # The script takes shadows for marks of its own, so this box is a border.
            look += f";font-weight:700;border:solid {HOT};border-width:2px 1px"
        text = f"{bit}, {name}, {one.worth(at)}" + (", changed by rounding" if boxed else "")
        return td(bit, look, f"i-{part}{place}", note(f"{one.label} bit {one.format.width - 1 - at}", text))

    def text(self) -> str:
        heads = ["", "sign", "exponent", "mantissa"] if self.floats else ["", "bits"]
        lines = [heads]
        for one in self.rows:
            if isinstance(one.format, Float):
                sign, power, rest = one.format.fields(one.bits)
                lines.append([one.label, sign, " " * (self._widest - 1 - len(power)) + power, _grouped(rest)])
            else:
                lines.append([one.label, _grouped(one.text).rjust(self.right + self.right // 4)])
        text = columns(lines, left=True)
        boxed = [f"{r.label}: {len(r.boxed)} rounded" for r in self.rows if r.boxed]
        return text + (f"\nBits changed by rounding: {', '.join(boxed)}." if boxed else "")


def _grouped(bits: str) -> str:
    """Digits in fours, counted as the eye does: from the left of a mantissa, from the right of an integer.

    >>> _grouped("00011001100")
    '0001 1001 100'
    """
    return " ".join(bits[k : k + 4] for k in range(0, len(bits), 4))
