"""Sums of floats, added in PyTorch's order, so that every rounding is PyTorch's: ten tenths are 1.0000, and not 1.

A PyTorch kernel walks through two dimensions at a time, those that are summed first. It adds 16 rows one after the
other, then 16 such sums, and so on, and keeps several sums at once: one for each lane of a register, and for each of
four rows or registers. Above `MOST` elements its threads share the work, so the order depends on their number.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

MOST = (1 << 15) - 1
"""PyTorch adds up to this many elements in one thread."""

STEP = 16
"""How many rows are added before their sum goes to the next level."""

AT_ONCE = 4
"""How many rows, or columns, have a sum each."""

REGISTER = 32
"""Bytes in a register of AVX2, for which this kernel is compiled on newer processors too."""


def ordered_sum(values: np.ndarray, dims: tuple[int, ...]) -> Any:
    """The sum over some dimensions, of float32 or float64, in the same dtype.

    >>> ordered_sum(np.full(10, 0.1, "f4"), (0,))
    np.float32(1.0000001)
    >>> ordered_sum(np.full((10, 2), 0.1, "f4"), (0,))
    array([1., 1.], dtype=float32)
    """
    size = values.size
    if len(dims) == values.ndim and size and values.flags.c_contiguous:
        lanes = REGISTER // values.itemsize
        if size < AT_ONCE * lanes:
            return _one_by_one(values.ravel(), lanes)
        return _of_registers(values.reshape(1, -1), lanes)[0, 0]
    if values.ndim == 2 and dims == (0,) and size and values.flags.c_contiguous and 1 not in values.shape:
        fours = _fours(*values.shape, values.itemsize)
        if fours is not None:
            return _of_columns(values, fours)
    walk = _walk(values.shape, values.strides, values.itemsize, dims)
    if walk is None:  # one number each, or none
        return np.add.reduce(values, dims)
    rows = np.ascontiguousarray(values.transpose(walk.order)).reshape(walk.rows)
    if walk.lanes:
        sums = _of_registers(rows, walk.lanes)
    elif not walk.cut:
        sums = _of_row(rows)
    elif walk.cut == rows.shape[2]:
        sums = cascade(rows)
    else:
        sums = np.concatenate([cascade(rows[:, :, : walk.cut]), _of_row(rows[:, :, walk.cut :])], 1)
    if walk.again > 1:
        sums = in_sequence(sums.reshape(-1, walk.again, 1))
    return sums.reshape(walk.result) if walk.result else sums.reshape(-1)[0]


def ordered_sum_of_rows(matrix: np.ndarray) -> np.ndarray:
    """The sum of the rows of a matrix that lies row by row, with several rows and columns, in memory of its own.

    >>> ordered_sum_of_rows(np.full((10, 2), 0.1, "f4"))
    array([1., 1.], dtype=float32)
    """
    fours = _fours(*matrix.shape, matrix.itemsize)
    if fours is None:
        sums: np.ndarray = ordered_sum(matrix, (0,)).copy()
        return sums
    return _of_columns(matrix, fours)


def _of_columns(matrix: np.ndarray, fours: tuple[int, tuple[int, int]] | tuple[()]) -> np.ndarray:
    """The sums of the columns, all with one sum each or all with four, as `_fours` says."""
    if not fours:
        return _cascade_of_rows(matrix)
    whole, size = fours
    if whole == len(matrix):
        four = _cascade_of_rows(matrix.reshape(size)).reshape(AT_ONCE, -1)
    else:
        four = _cascade_of_rows(matrix[:whole].reshape(size)).reshape(AT_ONCE, -1)
        for row in matrix[whole:]:
            four[0] += row
    return np.add.reduce(four, 0)  # type: ignore[no-any-return]


def _cascade_of_rows(rows: np.ndarray) -> np.ndarray:
    """What `cascade` computes for up to 256 rows, in fewer steps."""
    length = len(rows)
    if length <= STEP:
        return np.add.reduce(rows, 0)  # type: ignore[no-any-return]
    whole = length - length % STEP
    total: np.ndarray = np.add.reduce(np.add.reduce(rows[:whole].reshape(-1, STEP, rows.shape[1]), 1), 0)
    return total if whole == length else np.add.reduce(rows[whole:], 0) + total


@lru_cache(256)
def _fours(length: int, beside: int, itemsize: int) -> tuple[int, tuple[int, int]] | tuple[()] | None:
    """How many rows have four sums, and their size with four rows in one; nothing where columns have a sum each, and
    None where some have, or where there are more than two levels.
    """
    lanes = REGISTER // itemsize
    rest = beside % (AT_ONCE * lanes if beside >= lanes else AT_ONCE)
    if length >= STEP * STEP * (AT_ONCE if rest else 1) or rest and rest < beside:
        return None
    whole = length - length % AT_ONCE
    return (whole, (whole // AT_ONCE, AT_ONCE * beside)) if rest and whole else ()


class Walk(NamedTuple):
    """How a kernel walks through an array of a size."""

    order: tuple[int, ...]
    """The dimensions, outermost first; the innermost two are those of the kernel."""
    rows: tuple[int, ...]
    lanes: int
    """How many numbers a register has, where neighbours are read into registers, whose lanes are added up last."""
    cut: int
    """How many columns have a sum each; the others have four, which are added up last."""
    again: int
    """How many sums of the kernel become one."""
    result: tuple[int, ...]


@lru_cache(1024)
def _walk(sizes: tuple[int, ...], strides: tuple[int, ...], itemsize: int, dims: tuple[int, ...]) -> Walk | None:
    gone = _joined([(sizes[d], strides[d], 0, (d,)) for d in innermost_first(sizes, strides, dims)])
    if not gone or 0 in sizes:
        return None
    left = [d for d in range(len(sizes)) if d not in dims]
    runs: list[Run] = []
    step = 1
    for d in reversed(left):
        if sizes[d] > 1:
            runs.append((sizes[d], strides[d], step, (d,)))
        step *= sizes[d]
    kept = _joined(runs)
    # A kernel sums the first run of those that go, and at once for the run beside it: the next one that goes, or else
    # the first one that stays.
    length, stride, _, summed = gone[0]
    beside, stride_beside, _, together = gone[1] if len(gone) > 1 else kept[0] if kept else (1, 0, 0, ())
    outer = [d for d in range(len(sizes)) if sizes[d] == 1]
    outer += [d for run in reversed(kept if len(gone) > 1 else kept[1:]) for d in run[3]]
    outer += [d for run in reversed(gone[2:]) for d in run[3]]
    again = prod([run[0] for run in gone[1:]])
    result = tuple([sizes[d] for d in left])
    lanes = REGISTER // itemsize
    if stride == itemsize and length >= lanes:
        return Walk((*outer, *together, *summed), (-1, length), lanes, 0, again, result)
    by_register = stride_beside == itemsize and beside >= lanes
    if stride < stride_beside and not by_register:
        return Walk((*outer, *together, *summed), (-1, length, 1), 0, 0, again, result)
    cut = beside - beside % (AT_ONCE * lanes if by_register else AT_ONCE)
    return Walk((*outer, *summed, *together), (-1, length, beside), 0, cut, again, result)


def innermost_first(sizes: tuple[int, ...], strides: tuple[int, ...], dims: tuple[int, ...]) -> list[int]:
    """The dimensions that are summed, innermost first, as PyTorch sorts them; without those of one element."""
    order = sorted(dims, reverse=True)
    for i in range(1, len(order)):
        at = i
        for before in range(i - 1, -1, -1):
            one, other = order[before], order[at]
            a, b = strides[one], strides[other]
            if not a or not b:  # an expanded dimension says nothing
                continue
            if a < b:
                break
            if a > b or sizes[one] > sizes[other]:
                order[before], order[at] = other, one
                at = before
    return [d for d in order if sizes[d] > 1]


Run = tuple[int, int, int, tuple[int, ...]]
"""Dimensions that are walked through as one: size, stride, stride in the result, which they are, outermost first."""


def _joined(dims: list[Run]) -> list[Run]:
    """Dimensions that follow each other in memory, and in the result, as one; from the innermost on."""
    result: list[Run] = []
    for size, stride, step, which in dims:
        if result:
            n, s, r, before = result[-1]
            if n * s == stride and n * r == step:
                result[-1] = n * size, s, r, (*which, *before)
                continue
        result.append((size, stride, step, which))
    return result


def _of_registers(rows: np.ndarray, lanes: int) -> np.ndarray:
    """The sum of each row of neighbours, register by register."""
    count, length = rows.shape
    whole = length - length % lanes
    of_lanes = _of_row(rows[:, :whole].reshape(count, -1, lanes))
    if whole < length:
        of_lanes = np.concatenate([rows[:, whole:], of_lanes], 1)
    return in_sequence(of_lanes[..., None])


def _of_row(rows: np.ndarray) -> np.ndarray:
    """The sums of a kernel that keeps four at once, over the middle dimension."""
    count, length, lanes = rows.shape
    whole = length - length % AT_ONCE
    if not whole:
        return in_sequence(rows)
    four = cascade(rows[:, :whole].reshape(count, -1, AT_ONCE * lanes)).reshape(count, AT_ONCE, lanes)
    if whole < length:
        four = np.concatenate([four[:, :1], rows[:, whole:], four[:, 1:]], 1)
    return in_sequence(four)


def cascade(rows: np.ndarray) -> np.ndarray:
    """The sum over the middle dimension, 16 at a time, and 16 such sums at a time."""
    count, length, lanes = rows.shape
    total = None
    while length >= STEP:
        whole = length - length % STEP
        if whole < length:
            rest = in_sequence(rows[:, whole:])
            total = rest if total is None else total + rest
        rows = in_sequence(rows[:, :whole].reshape(-1, STEP, lanes)).reshape(count, -1, lanes)
        length = rows.shape[1]
    highest = in_sequence(rows)
    return highest if total is None else total + highest


def sum_of_losses(values: np.ndarray, skipped: np.ndarray | None = None) -> Any:
    """The sum of the losses of examples, as PyTorch's losses of classes add it up: the first one comes last.

    Those that are `skipped` are 0. Where one of 16 is, its sum does not go to the next level.

    >>> sum_of_losses(np.full(10, 0.1, "f4"))
    np.float32(1.0000001)
    """
    values = values.reshape(-1)
    if skipped is not None and values.size <= MOST:
        skipped = skipped.reshape(-1)
        if skipped[::STEP].any():
            return _sum_of_levels(values, [b for b in range(0, values.size, STEP) if not skipped[b]])
    if values.size < 2 or values.size > MOST:
        return np.add.reduce(values)
    if values.size <= STEP:
        return np.add.accumulate(values[1:])[-1] + values[0]
    if values.size <= STEP * STEP:
        return _cascade_of_numbers(values[1:]) + values[0]
    return cascade(values[None, 1:, None])[0, 0] + values[0]


def _cascade_of_numbers(values: np.ndarray) -> Any:
    """What `cascade` computes for up to 256 numbers, in fewer steps."""
    whole = values.size - values.size % STEP
    sums = np.add.accumulate(values[:whole].reshape(-1, STEP), 1)[:, -1]
    total = np.add.accumulate(sums)[-1] if sums.size > 1 else sums[0]
    return total if whole == values.size else np.add.accumulate(values[whole:])[-1] + total


def _sum_of_levels(values: np.ndarray, ends: list[int]) -> Any:
    """The sum of losses whose sums go to the next level at these places."""
    levels, start = [values.dtype.type(0)] * LEVELS, 0
    for end in ends:
        levels[0] = np.add.accumulate(np.concatenate([levels[:1], values[start : end + 1]]))[-1]
        start = end + 1
        for level in range(LEVELS - 1):
            if end // STEP**level % STEP:
                break
            levels[level + 1], levels[level] = levels[level + 1] + levels[level], values.dtype.type(0)
    levels[0] = np.add.accumulate(np.concatenate([levels[:1], values[start:]]))[-1]
    return np.add.accumulate(np.array(levels, values.dtype))[-1]


LEVELS = 8
"""How many sums of sums PyTorch's losses of classes keep."""


def in_sequence(rows: np.ndarray) -> np.ndarray:
    """The sum over the middle dimension, one after the other."""
    count, length, lanes = rows.shape
    if length < 3:
        first = rows[:, 0] + 0  # a sum begins with 0, which has no sign
        return first if length == 1 else first + rows[:, 1]
    if lanes > 1:
        return np.add.reduce(rows, 1)  # type: ignore[no-any-return]
    if count > 1:
        return np.add.reduce(np.ascontiguousarray(rows[:, :, 0].T), 0)[:, None]  # type: ignore[no-any-return]
    return np.add.accumulate(rows, 1)[:, -1].copy()  # type: ignore[no-any-return]  # without the sums before it


def _one_by_one(values: np.ndarray, lanes: int) -> Any:
    """The sum of a few neighbours, which takes less time than calls of NumPy."""
    numbers = list(values)
    width = lanes if len(numbers) >= lanes else AT_ONCE
    sums, rest = in_lanes(numbers, width)
    total = values.dtype.type(0)
    for number in [*rest, *sums] if width == lanes else [*sums[:1], *rest, *sums[1:]]:
        total = total + number
    return total


def in_lanes(numbers: list[Any], width: int) -> tuple[list[Any], list[Any]]:
    """The sums of every `width`-th number, as the lanes of a register have them, and the numbers that fill none.

    >>> in_lanes([1, 2, 3, 4, 5], 2)
    ([4, 6], [5])
    """
    whole = len(numbers) - len(numbers) % width
    sums = numbers[: width if whole else 0]
    for start in range(width, whole, width):
        sums = [a + b for a, b in zip(sums, numbers[start : start + width], strict=True)]
    return sums, numbers[whole:]
