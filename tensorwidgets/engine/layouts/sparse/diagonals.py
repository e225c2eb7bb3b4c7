"""Sparse matrices from their diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor, wrap
from ...types import formats
from .parts.tensors import coo, int64


def spdiags(diagonals: Tensor, offsets: Tensor, shape: Any, layout: Any = None) -> Tensor:
    """Row i of `diagonals` on the diagonal `offsets[i]`; element j of a row is in column j."""
    rows = diagonals._array if diagonals._array.ndim > 1 else diagonals._array[None]
    places = np.atleast_1d(offsets._array)
    if len(shape) != 2:
        refuse(RuntimeError, "Output shape must be 2d", f"it is {list(shape)}", rule="sparse.diagonals")
    if len(places) != len(rows):
        refuse(
            RuntimeError,
            "Number of diagonals (the first dimension of diagonals) must match the number of "
            "offsets (length of offsets)",
            f"there are {len(rows)} diagonals and {len(places)} offsets",
            rule="sparse.diagonals",
        )
    if len(set(places.tolist())) != len(places):
        refuse(
            RuntimeError,
            "Offset tensor contains duplicate values",
            "each diagonal is given once",
            rule="sparse.diagonals",
        )
    height, width = shape
    result, kept = [], []
    for row, offset in zip(rows, places.tolist(), strict=True):
        columns = np.arange(max(0, offset), max(0, offset, min(len(row), width, height + offset)))
        result.append(np.stack([columns - offset, columns]))
        kept.append(row[columns])
    t = coo(
        int64(np.concatenate(result, 1).astype(np.int64)), wrap(np.concatenate(kept), diagonals._dtype), (height, width)
    )
    t._array.coalesced = t._array.nnz < 2
    if layout in (None, formats.sparse_coo):
        return t
    return OPS["to_sparse"].function(t, layout=layout)
