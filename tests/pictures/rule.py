"""The script's one rule, in Python: which cells of a picture light up with which."""

from __future__ import annotations

import re

from tests.pictures.parsed import Element

Letters = dict[str, set[int]]


def letters(element: Element) -> Letters:
    """`k-A9 i-j1 i-j2` is {"k-A": {9}, "i-j": {1, 2}}."""
    found: Letters = {}
    for name in element.classes:
        match = re.fullmatch(r"([ki]-[A-Za-z]+)(\d+)", name)
        if match:
            found.setdefault(match[1], set()).add(int(match[2]))
    return found


def agree(one: Element, other: Element) -> bool:
    """Whether they share a letter, and agree in every letter that they share."""
    a, b = letters(one), letters(other)
    shared = a.keys() & b.keys()
    return bool(shared) and all(a[letter] & b[letter] for letter in shared)


def views(page: Element) -> list[list[Element]]:
    """The cells of each view of a picture in reading order; a view inside a view counts with the outer one."""
    tables = page.all("table", "tw-view")
    inner = {id(t) for table in tables for t in table.all("table", "tw-view")}
    return [[td for td in table.all("td") if letters(td)] for table in tables if id(table) not in inner]
