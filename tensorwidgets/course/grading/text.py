"""Text that students wrote, made safe for a terminal, a spreadsheet and a page."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from unicodedata import category

FORMULA = tuple("=+-@＝＋－＠")
"""How what a spreadsheet computes begins; some read the wide signs alike."""


def plain(text: str, most: int = 300) -> str:
    """Untrusted text in one line, without control characters and changes of writing direction.

    >>> plain("anna\\nben: 6 of 6"), plain("\\udcff.ipynb"), plain("a" * 400, most=9)
    ('anna\\\\nben: 6 of 6', '\\\\udcff.ipynb', 'aaaa…aaaa')
    """
    if len(text) > most:
        half = (most - 1) // 2
        text = f"{text[:half]}…{text[-half:]}"
    odd = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    return "".join(c.encode("unicode_escape").decode() if category(c) in odd else c for c in text)


class AsItIs(str):
    """A cell that a program is to read exactly so, and that no spreadsheet can compute."""

    __slots__ = ()


def plain_cell(text: str) -> str:
    """A cell that a spreadsheet reads as text, whatever it begins with.

    >>> plain_cell("=1+1"), plain_cell("anna"), plain_cell("  @x")
    ("'=1+1", 'anna', "'  @x")
    """
    if isinstance(text, AsItIs):
        return text
    text = plain(text)
    return f"'{text}" if text.lstrip()[:1] in FORMULA else text


def printable(code: str) -> str:
    """Code of a student over several lines, without control characters and changes of writing direction."""
    return "\n".join(plain(line, 200) for line in code.splitlines())


def written(rows: Sequence[Sequence[str]]) -> str:
    """Rows as CSV.

    Every cell is in quotes: where a spreadsheet separates cells by semicolons, as in much of Europe, a name such
    as `anna;=1+1` would otherwise become two cells, and the second a formula.
    """
    output = io.StringIO()
    table = csv.writer(output, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        table.writerow([plain_cell(one) for one in row])
    return output.getvalue()
