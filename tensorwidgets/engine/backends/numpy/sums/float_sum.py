"""Sums of floats: of up to 32,767 to the bit as PyTorch's, and of more nearly exact, in half of NumPy's time.

Adding a million float32 one after the other loses three digits. So they are added in three stages. First, groups of 64
or 8 neighbours are added pairwise, which is fast and rounds each number only a few times. The group sums are added in
float64, and the caller rounds the total once. If the strides of an array do not allow this, everything is added in
float64. Sums of float64 skip the last stage.

Few numbers are added in PyTorch's order: see `ordered_sum`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ....memory.places import as_array
from .. import chunks
from ..threads import get_num_threads
from ..without_warnings import quietly
from .ordered_sum import MOST, ordered_sum, ordered_sum_of_rows

FEW = 4
"""Up to this many numbers are added one after the other, as in PyTorch, where its order is not known."""

ROW = 64
"""Neighbours that are added pairwise. NumPy's `einsum` adds four processor vectors at a time."""

ROWS = 8
"""Rows that are added pairwise."""

FEWEST_ROWS = 2 * ROWS
"""Fewer rows are not worth it."""

WIDE_ROW = 1024
"""Shorter rows are joined up to this length, because NumPy restarts for each row."""

SHORT = 1 << 14
"""Up to this many products are added by one call of NumPy."""

SHORTEST_ROW = 8
"""Rows up to this length are read column by column."""

BLOCK = 1 << 17
"""Elements that are summed at a time. It does not depend on the number of threads, because the rounding of sums does
not, either."""

_WIDE = {np.dtype(d): np.dtype(w) for d, w in (("f4", "f8"), ("f8", "f8"), ("c8", "c16"), ("c16", "c16"))}


def sum_dtype(kind: np.dtype) -> np.dtype | None:
    """The dtype in which floats are summed; None for other dtypes.

    >>> sum_dtype(np.dtype("f4")), sum_dtype(np.dtype("i4"))
    (dtype('float64'), None)
    """
    return _WIDE.get(kind)


def total(values: np.ndarray, dims: tuple[int, ...]) -> np.ndarray:
    """The sum over dimensions of floats that NumPy knows: in their own dtype, and of many float32 in float64.

    >>> float(total(np.full(1000, 0.1, "f4"), (0,)))
    100.00000762939453
    >>> float(total(np.full((100_000, 3), 0.1, "f4"), (0,))[0])
    10000.000149011612
    """
    if type(values) is np.ndarray and values.size <= MOST:
        return as_array(quietly(ordered_sum, values, dims))
    if type(values) is not np.ndarray:  # on a device: in one pass there
        few = prod(values.shape[d] for d in dims) <= FEW
        return _plain(values, dims, values.dtype if few else _WIDE[values.dtype])
    if values.dtype.kind == "c":
        return _of_complex(values, dims)
    kept = _WIDE[values.dtype]
    count = prod([values.shape[d] for d in dims])
    groups, order = _groups(values, dims)
    if groups is None and kept == values.dtype:
        return _copied(values, dims)
    if count <= FEW:
        kept = values.dtype
    if groups:
        result = _by_groups(values.transpose(order), groups, kept)
        if result is not None:
            left = [d for d in order if d not in dims]
            result = result.reshape([values.shape[d] for d in left])
            return result.transpose([left.index(d) for d in sorted(left)])
    return _plain(values, dims, kept)


def sum_of_rows(matrix: np.ndarray) -> np.ndarray:
    """The sum of the rows of a plain matrix of float32 or float64, in its own dtype.

    >>> sum_of_rows(np.ones((3, 2), "f4"))
    array([3., 3.], dtype=float32)
    """
    if type(matrix) is np.ndarray and matrix.size <= MOST and matrix.flags.c_contiguous and 1 not in matrix.shape:
        return ordered_sum_of_rows(matrix)
    return total(matrix, (0,)).astype(matrix.dtype, copy=False)


def dot(x: np.ndarray, y: np.ndarray) -> np.floating:
    """The sum of the products of float32, in the same stages; of two or three, each is rounded, as in PyTorch.

    >>> float(dot(np.full(1000, 0.1, "f4"), np.ones(1000, "f4")))
    100.00000149011612
    """
    if 0 < x.size < FEW:
        few: np.floating = np.add.accumulate(np.multiply(x, y))[-1] + x.dtype.type(0)
        return few
    whole = x.size // ROW * ROW if x.size > SHORT else 0
    result = np.dot(x[whole:].astype(np.float64), y[whole:].astype(np.float64))
    if whole:
        result += np.add.reduce(np.einsum("ai,ai->a", x[:whole].reshape(-1, ROW), y[:whole].reshape(-1, ROW)), 0, "f8")
    return result


def _of_complex(values: np.ndarray, dims: tuple[int, ...]) -> np.ndarray:
    """The sums of the real and imaginary parts, read as one more dimension."""
    result = np.ascontiguousarray(total(values[..., None].view(values.real.dtype), dims))
    return result.view(f"c{2 * result.itemsize}")[..., 0]


def _groups(values: np.ndarray, dims: Sequence[int]) -> tuple[list[tuple[int, bool]] | None, list[int]]:
    """Lengths of the runs of dimensions that go or stay, from the outermost on, and the order of the dimensions.

    None where the elements do not lie in one piece.

    >>> _groups(np.zeros((2, 3, 4)), (1, 2))
    ([(2, False), (12, True)], [0, 1, 2])
    """
    order = sorted(range(values.ndim), key=values.strides.__getitem__, reverse=True)
    if not values.transpose(order).flags.c_contiguous:
        return None, order
    groups: list[tuple[int, bool]] = []
    for d in order:
        n, goes = values.shape[d], d in dims
        if n == 1:
            continue
        if groups and groups[-1][1] == goes:
            groups[-1] = (groups[-1][0] * n, goes)
        else:
            groups.append((n, goes))
    return groups, order


def _by_groups(rows: np.ndarray, groups: list[tuple[int, bool]], kept: np.dtype) -> np.ndarray | None:
    """The sum of an array that lies in order; None where the groups are too short for it, or it is not finite."""
    if not any(goes for _, goes in groups):
        return None
    length, last = groups[-1]
    if last and length <= SHORTEST_ROW:
        result, rest = _of_short_rows(rows.reshape(-1, length), kept), groups[:-1]
    elif last and length >= ROW:
        result, rest = of_rows(rows.reshape(-1, length)), groups[:-1]
    elif not last and groups[-2][0] >= FEWEST_ROWS:
        result, rest = _of_columns(rows.reshape(-1, groups[-2][0], length)), [*groups[:-2], groups[-1]]
    else:
        return None
    # If something overflows, or is infinite from the beginning, the caller repeats the sum in float64.
    if not np.isfinite(result).all():
        return None
    gone = tuple([i for i, (_, goes) in enumerate(rest) if goes])
    return total(result.reshape([n for n, _ in rest]), gone) if gone else result


def _of_short_rows(rows: np.ndarray, kept: np.dtype) -> np.ndarray:
    """The sum of each row, in a dtype, from left to right."""
    result = np.empty(len(rows), kept)

    def piece(key: slice) -> None:
        here, into = rows[key], result[key]
        into[...] = here[:, 0]
        for column in here.T[1:]:
            quietly(np.add, into, column, into)

    chunks.run_parallel(piece, chunks.spans(len(rows), chunks.PIECE // 4))
    return result


def of_rows(rows: np.ndarray) -> np.ndarray:
    """The sum of each row, in float64.

    >>> of_rows(np.full((2, 1000), 0.1, "f4"))
    array([100.00000149, 100.00000149])
    """
    if type(rows) is not np.ndarray:
        return _plain(rows, (1,), np.dtype(np.float64))
    count, length = rows.shape
    whole = length // ROW
    short = rows[:, : whole * ROW].reshape(count, whole, ROW)
    parts = np.empty((count, whole), rows.dtype)

    def piece(key: tuple[slice, ...]) -> None:
        quietly(np.einsum, "abi->ab", short[key], out=parts[key])

    if rows.size <= BLOCK:
        piece((slice(None),))
    else:
        chunks.run_parallel(
            piece, chunks.cuts(parts.shape, parts.strides, -(-chunks.elements_per_piece(rows.size) // ROW))
        )
    result = quietly(np.add.reduce, parts, 1, _WIDE[rows.dtype])
    if length % ROW:
        result += quietly(np.add.reduce, rows[:, whole * ROW :], 1, _WIDE[rows.dtype])
    return result


def _of_columns(blocks: np.ndarray) -> np.ndarray:
    """The sum over the middle dimension, in float64."""
    count, length, beside = blocks.shape
    together = max(1, min(WIDE_ROW // beside, length // FEWEST_ROWS))
    if together > 1:
        whole = length // together
        lying = blocks[:, : whole * together].reshape(count, whole, together * beside)
        result = _of_columns(lying).reshape(count, together, beside)
        last = quietly(np.add.reduce, blocks[:, whole * together :], 1, result.dtype)
        return np.add.reduce(result, 1) + last
    step = min(beside, BLOCK // ROWS)
    tall = max(ROWS, BLOCK // step // ROWS * ROWS)
    result = np.empty((count, beside), _WIDE[blocks.dtype])
    keys = [(i, columns) for i in range(count) for columns in chunks.spans(beside, step)]
    if len(keys) >= get_num_threads() or length <= tall:

        def column(key: tuple[int, slice]) -> None:
            i, columns = key
            parts = [_of_block(blocks[i, rows, columns]) for rows in chunks.spans(length, tall)]
            result[i, columns] = parts[0] if len(parts) == 1 else np.add.reduce(parts)

        chunks.run_parallel(column, keys)
        return result
    for i, columns in keys:
        spans = chunks.spans(length, tall)
        parts: list[Any] = [None] * len(spans)

        def part(at: int, i: int = i, columns: slice = columns, spans: list = spans, parts: list = parts) -> None:
            parts[at] = _of_block(blocks[i, spans[at], columns])

        chunks.run_parallel(part, range(len(spans)))
        result[i, columns] = np.add.reduce(parts)
    return result


def _of_block(rows: np.ndarray) -> np.ndarray:
    """The sum of some rows, in float64."""
    kept = _WIDE[rows.dtype]
    whole = len(rows) // ROWS
    if not whole:
        return quietly(np.add.reduce, rows, 0, kept)
    eights = rows[: whole * ROWS].reshape(whole, ROWS, -1)
    fours = quietly(np.add, eights[:, :4], eights[:, 4:])
    twos = quietly(np.add, fours[:, :2], fours[:, 2:], fours[:, :2])
    ones = quietly(np.add, twos[:, 0], twos[:, 1], twos[:, 0])
    result = quietly(np.add.reduce, ones, 0, kept)
    if len(rows) % ROWS:
        result += quietly(np.add.reduce, rows[whole * ROWS :], 0, kept)
    return result


def _plain(values: np.ndarray, dims: tuple[int, ...], kept: np.dtype) -> np.ndarray:
    """NumPy's own sum in a dtype, in pieces where there is much of it."""
    if values.size < chunks.FROM or type(values) is not np.ndarray:
        return as_array(quietly(np.add.reduce, values, dims, kept))
    return _in_parts(values, dims, lambda part: quietly(np.add.reduce, part, dims, kept, None, True))


def _copied(values: np.ndarray, dims: tuple[int, ...]) -> np.ndarray:
    """The sum of an array that is not contiguous, copied block by block."""

    def of_part(part: np.ndarray) -> np.ndarray:
        result = total(np.ascontiguousarray(part), dims)
        return result.reshape([1 if d in dims else n for d, n in enumerate(part.shape)])

    return _in_parts(values, dims, of_part)


def _in_parts(values: np.ndarray, dims: tuple[int, ...], of_part: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Sum each block of an array, and then the sums of the blocks."""
    count = -(-values.size // BLOCK)
    axes = [d for d in range(values.ndim) if d not in dims and values.shape[d] >= count] or range(values.ndim)
    axis = max(axes, key=lambda d: (values.shape[d] > 1, abs(values.strides[d])))
    count = min(values.shape[axis], count)
    edges = [values.shape[axis] * i // count for i in range(count + 1)]
    parts: list[Any] = [None] * count

    def piece(i: int) -> None:
        key = (*[slice(None)] * axis, slice(edges[i], edges[i + 1]))
        parts[i] = of_part(values[key])

    chunks.run_parallel(piece, range(count))
    if axis in dims:
        parts = [quietly(np.add.reduce, parts)]
    return (parts[0] if len(parts) == 1 else np.concatenate(parts, axis)).reshape(
        [n for d, n in enumerate(values.shape) if d not in dims]
    )
