"""Rows times numbers of their own, added to other rows: in one loop over all of them.

NumPy starts its loop anew for each row, which takes longer than the arithmetic of a short one. SciPy's product with a
sparse matrix is one loop for all rows, and a matrix with one number in each row scales rows. Both round a product
before they add it, except where SciPy was compiled for a processor that always has a step for both (ARM).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy import ndarray

FROM = 1 << 14
"""Elements from which SciPy is loaded for this."""

LENGTHS = 32, 1 << 14
"""The lengths of rows for which this is quicker: NumPy's loop takes longer ones as quickly, and so do shorter ones in
few rows.
"""


def are_scalable(*matrices: ndarray) -> bool:
    """Whether these functions take matrices, and quickly.

    >>> are_scalable(np.zeros((200, 100))), are_scalable(np.zeros((200, 100)).T), are_scalable(np.zeros((2, 100)))
    (True, False, False)
    """
    first = matrices[0]
    if first.size < FROM or first.dtype.char not in "fd" or not LENGTHS[0] <= first.shape[-1] <= LENGTHS[1]:
        return False
    return all([type(m) is ndarray and m.dtype is first.dtype and m.flags.c_contiguous for m in matrices])


def add_scaled_rows(target: ndarray, factors: ndarray, rows: ndarray) -> None:
    """Add each row, times its factor, to a row of the target.

    >>> target = np.ones((2, 3))
    >>> add_scaled_rows(target, np.array([10.0, 20.0]), np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    >>> target
    array([[ 11.,  21.,  31.],
           [ 81., 101., 121.]])
    """
    from scipy.sparse import _sparsetools

    count, length = rows.shape
    ends, numbers = _ends(count, 1), _ends(count, 1)
    _sparsetools.csr_matvecs(count, count, length, ends, numbers, factors, rows.reshape(-1), target.reshape(-1))


def scale_rows(rows: ndarray, factors: ndarray) -> None:
    """Multiply each row by its factor, in place.

    >>> rows = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> scale_rows(rows, np.array([10.0, 100.0]))
    >>> rows
    array([[ 10.,  20.],
           [300., 400.]])
    """
    from scipy.sparse import _sparsetools

    count, length = rows.shape
    ends = _ends(count, length)
    _sparsetools.csr_scale_rows(count, length, ends, ends, rows.reshape(-1), factors)


@lru_cache(32)
def _ends(count: int, length: int) -> ndarray:
    """Where rows begin and end; for rows of one number, also their numbers."""
    return np.arange(0, (count + 1) * length, length)
