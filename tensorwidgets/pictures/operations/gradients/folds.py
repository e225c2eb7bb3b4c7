"""Which rows of a long graph are left out: repeated blocks, the middle of long chains, then the middle of the rest."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...parts.rails import Rail, rails

MOST = 60
"""How many rows are drawn."""
WIDEST = 12
"""How many rails are drawn before blocks are folded in a shorter graph too."""
LONGEST_BLOCK = 400
SHARED = 8
"""A row that more rows use than these is their common source, not a part of a block that is repeated."""
ENDS = 3
"""How many rows of a folded chain are drawn at each end."""


class Fold(NamedTuple):
    """Rows `start` to `stop` as one row: `times` the `block` rows above them, or without a rule if `times` is 0."""

    start: int
    stop: int
    times: int = 0
    block: int = 0


def rows_of(
    inputs: Sequence[Sequence[int]], kinds: Sequence[Hashable], leaves: Sequence[bool]
) -> tuple[list[Fold], list[list[Rail]]]:
    """What is drawn in each row, a step or a fold, and its rails. Inputs are rows above."""
    drawn = _with_rails(folded(inputs, kinds), inputs, leaves)
    if max(map(len, drawn[1])) > WIDEST:
        drawn = _with_rails(folded(inputs, kinds, wide=True), inputs, leaves)
    return drawn


def _with_rails(
    folds: Sequence[Fold], inputs: Sequence[Sequence[int]], leaves: Sequence[bool]
) -> tuple[list[Fold], list[list[Rail]]]:
    spans: list[Fold] = []
    starts = {fold.start: fold for fold in folds}
    row_of: list[int] = []
    while len(row_of) < len(inputs):
        span = starts.get(len(row_of), Fold(len(row_of), len(row_of) + 1))
        row_of += [len(spans)] * (span.stop - span.start)
        spans.append(span)
    uses = []
    for at, span in enumerate(spans):
        above = [row_of[one] for k in range(span.start, span.stop) for one in inputs[k]]
        uses.append([one for one in dict.fromkeys(above) if one != at])
    dots = ["⋮" if s.stop - s.start > 1 else "○" if leaves[s.start] else "●" for s in spans]
    return spans, rails(uses, dots)


def folded(inputs: Sequence[Sequence[int]], kinds: Sequence[Hashable], wide: bool = False) -> list[Fold]:
    """The rows to leave out, from the top; none of a short graph.

    >>> chain = [()] + [(k,) for k in range(99)]
    >>> folded(chain, ["leaf"] + ["Sin", "Cos"] * 49 + ["Sum"])
    [Fold(start=3, stop=97, times=47, block=2)]
    """
    n = len(inputs)
    if n <= MOST and not wide:
        return []
    folds: list[Fold] = []
    for find in (_repeats, _chains):
        if n - _hidden(folds) > MOST or wide and find is _repeats:
            folds = _added(folds, find(inputs, kinds))
    if n - _hidden(folds) > MOST:
        folds = _middle(n, folds)
    return folds


def _hidden(folds: Sequence[Fold]) -> int:
    return sum(f.stop - f.start - 1 for f in folds)


def _added(folds: list[Fold], more: Sequence[Fold]) -> list[Fold]:
    """The folds and those of `more` that leave them as they are, the longest first."""
    for one in sorted(more, key=lambda f: (f.start - f.stop, f.block, f.start)):
        if one.stop - one.start > 1 and all(one.stop <= f.start or f.stop <= one.start for f in folds):
            folds = [*folds, one]
    return sorted(folds)


def _repeats(inputs: Sequence[Sequence[int]], kinds: Sequence[Hashable]) -> list[Fold]:
    """Blocks that follow each other three times or more: the first and the last are drawn."""
    numbers: dict[Hashable, int] = {}
    users = _users(inputs)
    rows = np.array([numbers.setdefault(one, len(numbers)) for one in _looks(inputs, kinds, users)])
    found = []
    for period in range(1, min(LONGEST_BLOCK, len(rows) // 3) + 1):
        breaks = np.flatnonzero(rows[period:] != rows[:-period])
        starts, stops = np.append(0, breaks + 1), np.append(breaks, len(rows) - period)
        for k in np.flatnonzero(stops - starts >= 2 * period):
            start, times = int(starts[k]), int(stops[k] - starts[k]) // period + 1
            found.append(Fold(start + period, start + period * (times - 1), times - 2, period))
    return found


def _looks(
    inputs: Sequence[Sequence[int]], kinds: Sequence[Hashable], users: Sequence[int]
) -> Iterator[tuple[Hashable, tuple[int, ...]]]:
    """What makes rows alike: their kind, and how far above the rows are that they use, or which of those that rows
    share: a leaf of two, any row of many."""
    shared = [many > (SHARED if own else 1) for own, many in zip(inputs, users, strict=True)]
    for k, own in enumerate(inputs):
        yield kinds[k], tuple([~one if shared[one] else k - one for one in own])


def _users(inputs: Sequence[Sequence[int]]) -> list[int]:
    """How many rows use each row."""
    users = [0] * len(inputs)
    for row in inputs:
        for one in set(row):
            users[one] += 1
    return users


def _chains(inputs: Sequence[Sequence[int]], kinds: Sequence[Hashable]) -> list[Fold]:
    """The middle of runs of rows each of which uses only the row above, and is the only one to use it."""
    users = _users(inputs)
    found, start = [], 0
    for k in range(1, len(inputs) + 1):
        if k == len(inputs) or set(inputs[k]) != {k - 1} or users[k - 1] != 1:
            found.append(Fold(start + ENDS, k - ENDS))
            start = k
    return found


def _middle(n: int, folds: Sequence[Fold]) -> list[Fold]:
    """One fold more, so that as many rows as there is room for remain at each end."""
    rows: list[tuple[int, int]] = []
    k = 0
    starts = {f.start: f.stop for f in folds}
    while k < n:
        rows.append((k, starts.get(k, k + 1)))
        k = rows[-1][1]
    half = (MOST - 1) // 2
    gone = Fold(rows[half][0], rows[-half - 1][1])
    return sorted([gone, *[f for f in folds if f.stop <= gone.start or gone.stop <= f.start]])
