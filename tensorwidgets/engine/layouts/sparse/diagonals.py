"""Sparse matrices from their diagonals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ...declare.by_parts import Made, computes
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...types import dtypes, formats
from .parts.tensors import NAMES, coo, fresh, int64

if TYPE_CHECKING:
    from ...types.formats import layout


def placed(rows: np.ndarray, offsets: np.ndarray, height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """The coordinates and values of the diagonals, as far as they lie in the matrix."""
    indices, values = [np.zeros((2, 0), np.int64)], [rows[:0].reshape(-1)]
    for row, offset in zip(rows, offsets.tolist(), strict=True):
        columns = np.arange(max(0, offset), max(0, offset, min(len(row), width, height + offset)))
        indices.append(np.stack([columns - offset, columns]))
        values.append(row[columns])
    return np.concatenate(indices, 1).astype(np.int64), np.concatenate(values)


def _refuse(message: str, why: str) -> NoReturn:
    refuse(RuntimeError, message, why, rule="sparse.diagonals")


@computes(placed)
def spdiags(diagonals: Tensor, offsets: Tensor, shape: tuple[int, ...], layout: layout | None = None) -> Any:
    """Row i of `diagonals` on the diagonal `offsets[i]`; element j of a row is in column j."""
    if diagonals._array.ndim not in (1, 2):
        _refuse("Diagonals must be vector or matrix", f"they are of size {list(diagonals._array.shape)}")
    rows = diagonals._array if diagonals._array.ndim > 1 else diagonals._array[None]
    if len(shape) != 2:
        _refuse("Output shape must be 2d", f"it is {list(shape)}")
    if offsets._array.ndim > 1:
        _refuse("Offsets must be scalar or vector", f"they are of size {list(offsets._array.shape)}")
    places = np.atleast_1d(offsets._array)
    if len(places) != len(rows):
        refuse(
            RuntimeError,
            f"Number of diagonals ({len(rows)}) does not match the number of offsets ({len(places)})",
            "each row of the diagonals has one offset",
            rule="sparse.diagonals",
        )
    if layout not in (None, formats.sparse_coo, formats.sparse_csc, formats.sparse_csr):
        words = f"Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got {NAMES.get(layout, 'Strided')}"
        _refuse(words, "diagonals are no blocks")
    if offsets._dtype is not dtypes.int64:
        _refuse(f"Offset Tensor must have dtype Long but got {offsets._dtype._type_name}", "offsets count columns")
    if len(set(places.tolist())) != len(places):
        refuse(
            RuntimeError,
            "Offset tensor contains duplicate values",
            "each diagonal is given once",
            rule="sparse.diagonals",
        )

    def make(both: tuple[np.ndarray, np.ndarray]) -> Tensor:
        t = coo(int64(both[0]), fresh(both[1], diagonals._dtype), shape, len(both[1]) < 2)
        return t if layout in (None, formats.sparse_coo) else OPS["to_sparse"].function(t, layout=layout)

    return Made(make, (rows, places, *shape))
