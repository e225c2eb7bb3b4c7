"""Sums of many floats, as accurate as NumPy's and in half its time.

NumPy's `sum` halves a row again and again so that errors stay small, and gets by with eight partial sums at a time.
`einsum` runs straight on, with as many partial sums as the processor holds. Over short rows both are as accurate; so
long rows are cut into short ones, and the sums of these are summed in NumPy's way. Infinities, NaN and overflow come
out as they do in any sum: nothing is multiplied.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from . import slices
from .quiet import quietly

ROW = 256
"""The length of the short rows: here the errors of both ways are alike."""


def last_axes(values: np.ndarray, dims: tuple[int, ...]) -> Callable[[], np.ndarray] | None:
    """How to sum over `dims` where they hold the elements that are neighbours in memory; else None.

    >>> last_axes(np.ones((3, 512)), (1,))()
    array([512., 512., 512.])
    >>> last_axes(np.ones((512, 3)), (0,)) is None
    True
    """
    order = sorted(range(values.ndim), key=values.strides.__getitem__, reverse=True)
    rows = values.transpose(order)
    if not rows.flags.c_contiguous:
        return None
    lead = values.ndim
    while lead and order[lead - 1] in dims:
        lead -= 1
    length = prod(rows.shape[lead:])
    if length < ROW:
        return None

    def total() -> np.ndarray:
        outer = rows.shape[:lead]
        found = _of_rows(rows.reshape(-1, length)).reshape(outer)
        others = tuple([i for i in range(lead) if order[i] in dims])
        if others:
            found = quietly(np.add.reduce, found, others)
        kept = [d for d in order if d not in dims]
        return found.transpose([kept.index(d) for d in sorted(kept)])

    return total


def _of_rows(rows: np.ndarray) -> np.ndarray:
    """The sum of each row."""
    count, length = rows.shape
    whole = length // ROW
    short = rows[:, : whole * ROW].reshape(count, whole, ROW)
    parts = np.empty((count, whole), rows.dtype)

    def piece(key: tuple[slice, ...]) -> None:
        quietly(np.einsum, "abi->ab", short[key], out=parts[key])

    slices.each(piece, slices.cuts(parts.shape, parts.strides, -(-slices.share(rows.size) // ROW)))
    found = quietly(np.add.reduce, parts, 1)
    if length % ROW:
        quietly(np.add, found, quietly(np.add.reduce, rows[:, whole * ROW :], 1), found)
    return found
