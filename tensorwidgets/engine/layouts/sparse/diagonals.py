"""Sparse matrices from their diagonals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...declare.by_parts import Made, computes
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...tensor.wrapping import wrap
from ...types import formats
from .parts.tensors import coo, int64

if TYPE_CHECKING:
    from ...types.formats import layout


def placed(rows: np.ndarray, offsets: np.ndarray, height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """The coordinates and values of the diagonals, as far as they lie in the matrix."""
    indices, values = [], []
    for row, offset in zip(rows, offsets.tolist(), strict=True):
        columns = np.arange(max(0, offset), max(0, offset, min(len(row), width, height + offset)))
        indices.append(np.stack([columns - offset, columns]))
        values.append(row[columns])
    return np.concatenate(indices, 1).astype(np.int64), np.concatenate(values)


@computes(placed)
def spdiags(diagonals: Tensor, offsets: Tensor, shape: tuple[int, ...], layout: layout | None = None) -> Any:
    """Row i of `diagonals` on the diagonal `offsets[i]`; element j of a row is in column j."""
    rows = diagonals._array if diagonals._array.ndim > 1 else diagonals._array[None]
    places = np.atleast_1d(offsets._array)
    if len(shape) != 2:
        refuse(RuntimeError, "Output shape must be 2d", f"it is {list(shape)}", rule="sparse.diagonals")
    if len(places) != len(rows):
        refuse(
            RuntimeError,
            f"Number of diagonals ({len(rows)}) does not match the number of offsets ({len(places)})",
            "each row of the diagonals has one offset",
            rule="sparse.diagonals",
        )
    if len(set(places.tolist())) != len(places):
        refuse(
            RuntimeError,
            "Offset tensor contains duplicate values",
            "each diagonal is given once",
            rule="sparse.diagonals",
        )

    def make(both: tuple[np.ndarray, np.ndarray]) -> Tensor:
        t = coo(int64(both[0]), wrap(both[1], diagonals._dtype), shape, len(both[1]) < 2)
        return t if layout in (None, formats.sparse_coo) else OPS["to_sparse"].function(t, layout=layout)

    return Made(make, (rows, places, *shape))
