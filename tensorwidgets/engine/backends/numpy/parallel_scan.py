"""Running totals: in float64 where numbers are float32, and of many rows at once.

A running sum of a million float32 that are added up in float32 is wrong in its third digit, so PyTorch adds them up in
float64 and rounds what it writes down. In the same order the bits are the same.

A running sum has to wait for each addition before it can begin the next. Where there are many rows, the sums of all of
them go on side by side: a step is one addition of whole rows of numbers. The order in which each row is added up stays
what it was, and so does every bit of the result.
"""

from __future__ import annotations

import numpy as np

from ...memory.places import empty
from . import chunks
from .casts import assign
from .without_warnings import quietly

LANES = 256
"""From this many rows on, all advance in step: one step costs as much as a hundred additions in one row."""

SIDE_BY_SIDE = 2048
STEPS = 512
"""Rows that are not neighbours in memory are copied next to each other: this many rows and steps at a time."""

SEGMENTS = 1024
"""The number of parts of a long cumulative sum."""

CHUNK = 1 << 15
"""Elements that are converted to the dtype of the totals at a time."""


def accumulate(ufunc: np.ufunc, values: np.ndarray, axis: int, out: np.ndarray, kept: np.dtype | None = None) -> None:
    """`ufunc.accumulate`, in the dtype `kept`: each number of the result is rounded when it is written.

    >>> out = np.empty(3, "f4")
    >>> accumulate(np.add, np.array([1, 2, 3], "f4"), 0, out, np.dtype("f8"))
    >>> out.tolist()
    [1.0, 3.0, 6.0]
    """
    kept = kept or values.dtype
    steps, lanes = values.shape[axis], values.size // max(1, values.shape[axis])
    if values.size < CHUNK or kept == values.dtype and (values.size < chunks.FROM or lanes < LANES):
        result = quietly(ufunc.accumulate, values, axis, kept)
        quietly(np.copyto, out, result, "unsafe")
        return
    source, target = np.moveaxis(values, axis, 0), np.moveaxis(out, axis, 0)
    direct = target.ndim < 3 and not np.may_share_memory(values, out)
    result = target.reshape(steps, lanes) if direct else np.empty((steps, lanes), out.dtype)
    rows = source.reshape(steps, lanes)
    if lanes >= LANES:
        spans = chunks.spans(lanes, SIDE_BY_SIDE)
        chunks.run_parallel(lambda key: quietly(_side_by_side, ufunc, rows[:, key], result[:, key], kept), spans)
    else:
        way = _in_segments if ufunc is np.add and values.dtype.kind in "fc" else _one_by_one
        chunks.run_parallel(lambda i: quietly(way, ufunc, rows[:, i], result[:, i], kept), range(lanes))
    if not direct:
        target[...] = result.reshape(target.shape)


def _side_by_side(
    ufunc: np.ufunc, source: np.ndarray, target: np.ndarray, kept: np.dtype, before: np.ndarray | None = None
) -> None:
    """Step by step along the first axis, for many places in the second; `before` comes before the first step."""
    steps, lanes = source.shape
    lying = source.strides[1] < source.strides[0] and target.strides[1] < target.strides[0]
    room = None if lying else empty((min(steps, STEPS), lanes), source.dtype, source)
    height = max(1, CHUNK // lanes)
    wide = np.empty((height + 1, lanes), kept)
    if before is not None:
        wide[0] = before
    for rows in chunks.spans(steps, STEPS):
        here, there = source[rows], target[rows]
        if room is not None:
            here = there = room[: rows.stop - rows.start]
            assign(here, source[rows])
        for chunk in chunks.spans(len(here), height):
            now = wide[: chunk.stop - chunk.start + 1]
            now[1:] = here[chunk]
            begin = 1 if before is None else 0
            before = now[-1]
            for last, result in zip(now[begin:], now[begin + 1 :], strict=False):
                ufunc(last, result, out=result)
            np.copyto(there[chunk], now[1:], casting="unsafe")
            wide[0] = now[-1]
        if room is not None:
            assign(target[rows], there)


def _in_segments(ufunc: np.ufunc, source: np.ndarray, target: np.ndarray, kept: np.dtype) -> None:
    """One long cumulative sum as many shorter ones in parallel, each starting from the sum of those before it."""
    steps = len(source) // SEGMENTS
    whole = steps * SEGMENTS
    rows, result = source[:whole].reshape(SEGMENTS, steps), target[:whole].reshape(SEGMENTS, steps)
    sums = np.add.accumulate(np.add.reduce(rows, 1, kept))
    _side_by_side(ufunc, rows.T, result.T, kept, np.concatenate([np.zeros(1, kept), sums[:-1]]))
    if whole < len(source):
        rest = np.concatenate([sums[-1:], source[whole:]], dtype=kept)
        np.copyto(target[whole:], np.add.accumulate(rest)[1:], casting="unsafe")


def _one_by_one(ufunc: np.ufunc, source: np.ndarray, target: np.ndarray, kept: np.dtype) -> None:
    """One long row, a segment at a time; each segment starts from the last total."""
    last = None
    for key in chunks.spans(len(source), CHUNK):
        here = source[key].astype(kept)
        if last is not None:
            here[:1] = ufunc(last, here[:1])
        ufunc.accumulate(here, 0, None, here)
        last = here[-1:]
        np.copyto(target[key], here, casting="unsafe")
