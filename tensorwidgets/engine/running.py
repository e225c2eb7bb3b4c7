"""Running totals of many rows at once.

A running sum has to wait for each addition before it can begin the next. Where there are many rows, the sums of all of
them go on side by side: a step is one addition of whole rows of numbers. The order in which each row is added up stays
what it was, and so does every bit of the result.
"""

from __future__ import annotations

import numpy as np

from . import slices
from .numbers import assign
from .quiet import quietly

LANES = 256
"""From so many rows on it pays to let them go on side by side: a step costs as much as a hundred additions in a row."""

SIDE_BY_SIDE = 2048
STEPS = 512
"""Rows that do not lie side by side are brought there, so many at a time and so far at a time."""


def accumulate(ufunc: np.ufunc, values: np.ndarray, axis: int, out: np.ndarray) -> None:
    """`ufunc.accumulate` of numbers that are of the result's dtype."""
    steps = values.shape[axis]
    if values.size < slices.FROM or values.size < LANES * steps or np.may_share_memory(values, out):
        quietly(ufunc.accumulate, values, axis, None, out)
        return
    source, target = np.moveaxis(values, axis, 0), np.moveaxis(out, axis, 0)
    if min(s for s, n in zip(source.strides[1:], source.shape[1:], strict=True) if n > 1) < values.strides[axis]:
        quietly(_all, ufunc, source, target)
    elif source.ndim == 2:
        quietly(_turned, ufunc, source, target)
    else:
        quietly(ufunc.accumulate, values, axis, None, out)


def _all(ufunc: np.ufunc, source: np.ndarray, target: np.ndarray) -> None:
    """Step by step along the first axis."""
    before = target[0]
    before[...] = source[0]
    for values, found in zip(source[1:], target[1:], strict=True):
        ufunc(before, values, out=found)
        before = found


def _turned(ufunc: np.ufunc, source: np.ndarray, target: np.ndarray) -> None:
    """The same where the numbers of a step lie apart: they are brought side by side first, and then back."""
    steps, lanes = source.shape
    room = np.empty((min(steps, STEPS) + 1, min(lanes, SIDE_BY_SIDE)), source.dtype)
    for columns in slices.spans(lanes, SIDE_BY_SIDE):
        # The first row holds the totals so far.
        for rows in slices.spans(steps, STEPS):
            here = room[: rows.stop - rows.start + 1, : columns.stop - columns.start]
            assign(here[1:], source[rows, columns])
            begin = 1 if rows.start == 0 else 0
            for before, found in zip(here[begin:], here[begin + 1 :], strict=False):
                ufunc(before, found, out=found)
            assign(target[rows, columns], here[1:])
            here[0] = here[-1]
