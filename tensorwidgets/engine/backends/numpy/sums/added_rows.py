"""How are rows added to the rows of a table, also several to one? As a product with a sparse matrix of ones.

`np.add.at` adds element by element. SciPy's product adds row by row, in the same order, so both give the same bits.
"""

from __future__ import annotations

import numpy as np

FEWEST = 64
"""Fewer elements are added before SciPy is loaded."""


def add_rows(target: np.ndarray, index: np.ndarray, source: np.ndarray) -> None:
    """Add each row of `source` to the row of `target` that the index names. Both are contiguous and of one dtype.

    >>> table = np.ones((3, 2))
    >>> add_rows(table, np.array([2, 0, 2]), np.ones((3, 2)))
    >>> table
    array([[2., 2.],
           [1., 1.],
           [3., 3.]])
    """
    from scipy.sparse import _sparsetools

    count, width = source.shape
    starts = np.arange(count + 1, dtype=np.int64)
    ones = np.ones(count, source.dtype)
    index = np.ascontiguousarray(index, np.int64)
    _sparsetools.csc_matvecs(
        len(target), count, width, starts, index, ones, source.reshape(-1), target.reshape(-1)
    )  # fmt: skip


def can_add_rows(target: np.ndarray, index: np.ndarray, source: np.ndarray) -> bool:
    """Whether `add_rows` takes these arrays."""
    return bool(
        type(target) is np.ndarray
        and target.ndim == source.ndim == 2
        and target.dtype == source.dtype
        and target.dtype in (np.float32, np.float64)
        and source.size >= FEWEST
        and target.flags.c_contiguous
        and source.flags.c_contiguous
        and index.min() >= 0
    )


def add_weighted(sums: np.ndarray, index: np.ndarray, values: np.ndarray, weights: np.ndarray) -> None:
    """Add each column of `values`, times its weight, to the column of `sums` that the index names.

    >>> sums = np.zeros((1, 3))
    >>> add_weighted(sums, np.array([2, 0, 2]), np.ones((1, 3)), np.array([1.0, 2.0, 3.0]))
    >>> sums
    array([[2., 0., 4.]])
    """
    from scipy.sparse import _sparsetools

    columns = np.arange(len(index), dtype=index.dtype)
    weights = np.ascontiguousarray(weights, sums.dtype)
    for total, row in zip(sums, values, strict=True):
        row = np.ascontiguousarray(row, sums.dtype)
        _sparsetools.coo_matvec(len(index), index, columns, weights, row, total)
