"""Layer normalization of rows, some at a time, so that each step finds its numbers in the cache."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy import ndarray

PIECE = 1 << 18
"""Elements in a piece."""


def _pieces(rows: np.ndarray) -> Iterator[slice]:
    count = max(1, PIECE // max(rows.shape[1], 1))
    for start in range(0, len(rows), count):
        yield slice(start, start + count)


def normalize(
    rows: ndarray, weight: ndarray | None, bias: ndarray | None, eps: float, out: ndarray, mean: ndarray, scale: ndarray
) -> None:
    """Write normalized rows, their means and the inverses of their deviations. Rows and results have one dtype.

    >>> out, mean, scale = np.empty((1, 2)), np.empty((1, 1)), np.empty((1, 1))
    >>> normalize(np.array([[1.0, 3.0]]), None, None, 0.0, out, mean, scale)
    >>> out.tolist(), mean.item(), scale.item()
    ([[-1.0, 1.0]], 2.0, 1.0)
    """
    count = rows.dtype.type(max(rows.shape[1], 1))
    for part in _pieces(rows):
        normal = out[part]
        center = np.add.reduce(rows[part], 1, keepdims=True) / count
        np.subtract(rows[part], center, normal)
        variance = np.einsum("ij,ij->i", normal, normal)[:, None] / count
        inverse = 1 / np.sqrt(variance + rows.dtype.type(eps))
        normal *= inverse
        if weight is not None:
            normal *= weight
        if bias is not None:
            normal += bias
        mean[part], scale[part] = center, inverse


def gradients(
    grad: ndarray, rows: ndarray, mean: ndarray, scale: ndarray, weight: ndarray | None, needed: tuple[bool, bool, bool]
) -> tuple[ndarray | None, ndarray | None, ndarray | None]:
    """The gradients of the rows, of the weight and of the bias; None for those that are not needed."""
    count = rows.dtype.type(rows.shape[1])
    of_rows = np.empty_like(rows) if needed[0] else None
    of_weight = np.zeros(rows.shape[1]) if needed[1] else None
    of_bias = np.zeros(rows.shape[1]) if needed[2] else None
    for part in _pieces(rows):
        g = grad[part]
        if of_bias is not None:
            of_bias += np.add.reduce(g, 0)
        if of_rows is None and of_weight is None:
            continue
        normal = np.subtract(rows[part], mean[part])
        normal *= scale[part]
        if of_weight is not None:
            of_weight += np.einsum("ij,ij->j", g, normal)
        if of_rows is not None:
            weighted = g if weight is None else np.multiply(g, weight)
            normal *= np.einsum("ij,ij->i", weighted, normal)[:, None] / count
            normal += np.einsum("ij->i", weighted)[:, None] / count
            slope = np.subtract(weighted, normal, of_rows[part])
            slope *= scale[part]
    d = rows.dtype
    return (
        of_rows,
        None if of_weight is None else of_weight.astype(d),
        None if of_bias is None else of_bias.astype(d),
    )
