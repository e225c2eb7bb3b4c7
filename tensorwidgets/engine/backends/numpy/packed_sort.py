"""Stable order of many numbers: each is packed with its place into one whole number, and these are sorted.

Whole numbers sort ten times as fast as places do. The upper half of a packed number says which number is smaller, the
lower half where it stood, so equal ones stay as they stand.
"""

from __future__ import annotations

import sys

import numpy as np

from . import chunks

FROM = 64
IN_ALL = 1 << 12
"""In rows of so many numbers and more packing pays, where there are so many in all."""


def order(values: np.ndarray, descending: bool) -> np.ndarray | None:
    """The places of the elements of each row in order, NaN as the largest; None for numbers that cannot be packed.

    >>> order(np.array([[2.0, 1.0, 2.0]], np.float32), descending=True)
    array([[0, 2, 1]])
    """
    rows, length = values.shape
    if length >= 1 << 31:
        return None
    keys = _keys(values)
    if keys is None:
        keys = _ranks(values)
    if keys is None:
        return None
    result = np.empty((rows, length), np.int64)
    high, low = (1, 0) if sys.byteorder == "little" else (0, 1)

    def piece(key: slice) -> None:
        packed = np.empty((key.stop - key.start, length), np.int64)
        halves = packed.view(np.int32).reshape(*packed.shape, 2)
        halves[..., high] = ~keys[key] if descending else keys[key]
        halves.view(np.uint32)[..., low] = np.arange(length, dtype=np.uint32)
        packed.sort(axis=1)
        result[key] = halves.view(np.uint32)[..., low]

    chunks.run_parallel(piece, chunks.spans(rows, max(1, chunks.PIECE // length)))
    return result


def _ranks(values: np.ndarray) -> np.ndarray | None:
    """The rank of each number in its row, for numbers of 64 bits; equal ones share a rank."""
    if values.dtype.kind not in "iuf" or values.dtype.itemsize != 8:
        return None
    result = np.empty(values.shape, np.int32)

    def piece(i: int) -> None:
        # Quick, and in no order among equals; but that is lost in the ranks.
        order = np.argsort(values[i])
        row = values[i][order]
        later = row[1:] != row[:-1]
        if values.dtype.kind == "f":
            later &= row[:-1] == row[:-1]  # NaN come last, and are alike
        ranks = np.zeros(len(row), np.int32)
        np.cumsum(later, dtype=np.int32, out=ranks[1:])
        result[i, order] = ranks

    chunks.run_parallel(piece, range(len(values)))
    return result


def _keys(values: np.ndarray) -> np.ndarray | None:
    """Whole numbers of 32 bits in the order of the values."""
    kind, width = values.dtype.kind, values.dtype.itemsize
    if kind in "bi" and width <= 4 or kind == "u" and width <= 2:
        return values.astype(np.int32)
    if kind == "u" and width == 4:
        return (values ^ np.uint32(1 << 31)).view(np.int32)
    if kind != "f" or width > 4:
        return None
    # Adding 0 makes one zero of both, and all NaN become one, above infinity.
    clean = values.astype(np.float32) + np.float32(0)
    clean[np.isnan(clean)] = np.nan
    bits = clean.view(np.int32)
    # The bits of negative floats count downwards.
    return bits ^ ((bits >> 31) & np.int32(0x7FFFFFFF))
