"""Which storages are drawn where there are many, and how the others are listed: those that are alike, together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..arrays.storages import Storage
from ..arrays.values import bytes_text, count, shape_text
from ..drawing.scene import Block, Sheet
from .census import Census, Change, size_text, taken
from .memory_map import NAMES
from .memory_words import cut

ROWS, LISTED = 16, 20
"""How many names are drawn, and how many more storages are listed in words."""
FEW = 4
"""Up to this many arrays of one list are drawn one by one; of more, the first two."""

Kind = tuple[str, tuple[int, ...], str, str]


def chosen(now: Census, change: Change) -> tuple[list[Storage], list[Storage]]:
    """The storages that are drawn, and the rest, the largest first."""
    order = sorted(now.storages, key=lambda s: s.layouts[0].device != "cpu")
    later = {s.letter for group in alike(now, order).values() for s in group[2:]}
    drawn: list[Storage] = []
    rows = 0
    for s in sorted(order, key=lambda s: (_weight(s, change), -s.nbytes)):
        if s.letter in later:
            continue
        rows += min(len(now.of(s)), NAMES)
        if rows <= ROWS or not drawn:
            drawn.append(s)
    rest = sorted([s for s in order if s not in drawn], key=lambda s: -s.nbytes)
    return [s for s in order if s in drawn], rest


def alike(now: Census, storages: Sequence[Storage]) -> dict[Kind, list[Storage]]:
    """Storages of one list with one name and one shape each, where there are more than a few."""
    groups: dict[Kind, list[Storage]] = {}
    for s in storages:
        kind = _kind(now, s)
        if kind is not None:
            groups.setdefault(kind, []).append(s)
    return {kind: group for kind, group in groups.items() if len(group) > FEW}


def _kind(now: Census, s: Storage) -> Kind | None:
    names = now.of(s)
    pattern = re.sub(r"\[\d+\]", "[]", names[0].name)
    layout = s.layouts[0]
    if len(names) > 1 or "[]" not in pattern:
        return None
    return pattern, layout.size, layout.dtype, layout.device


def _weight(s: Storage, changed: Change) -> int:
    """Which storages are drawn first where there are too many: what the cell touched, then what is shared."""
    return 0 if s.letter in changed.written else 1 if s in changed.new else 2 if len(s.layouts) > 1 else 3


def listed(now: Census, rest: Sequence[Storage]) -> Block:
    """The rest in words, the largest first; those of one list in one row."""
    groups: dict[object, list[Storage]] = {}
    for s in rest:
        groups.setdefault(_kind(now, s) or s.letter, []).append(s)
    found = sorted(groups.values(), key=lambda group: -sum(s.nbytes for s in group))
    rows = [_row(now, group) for group in found[:LISTED]]
    others = [s for group in found[LISTED:] for s in group]
    if others:
        nbytes = bytes_text(taken(others))
        rows.append((f"and {count(len(others), 'more storage')}", "", nbytes, ""))
    return Sheet(("also alive", "view", "storage", "device"), tuple(rows), (0, 0, 130, 60))


def _row(now: Census, group: Sequence[Storage]) -> tuple[str, str, str, str]:
    s, layout = group[0], group[0].layouts[0]
    view = f"{shape_text(layout.size)} {layout.dtype}"
    if len(group) == 1:
        names = cut(", ".join(one.name for one in now.of(s)), 44)
        return names, view, f"{s.letter} {size_text(s)}", layout.device
    first, last = now.of(group[0])[0].name, now.of(group[-1])[0].name
    return (
        f"{first} to {last}",
        f"{len(group)} × {view}",
        bytes_text(sum(s.nbytes for s in group)) + (" planned" if s.planned else ""),
        layout.device,
    )
