"""Matrices in SciPy's hands: what it is given shares the memory of indices and values."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ... import formats
from ...tensor import Tensor
from ...threads import get_num_threads
from .checks import ready
from .parts import compressed, coo, int64, is_coo

_SMALL = 1 << 17
"""So many multiplications are done before a second thread is worth its while."""


def rows_of(t: Tensor) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A matrix by compressed rows: where they begin, columns, values. Coordinates need not be in order within a row."""
    parts = t._array
    ready(parts)
    if is_coo(t):
        values = parts.values._array
        (rows, columns), lines = parts.indices._array, parts.shape[0]
        if not parts.coalesced and (np.diff(rows) < 0).any():
            order = np.argsort(rows, kind="stable")
            rows, columns, values = rows[order], columns[order], values[order]
        return np.searchsorted(rows, np.arange(lines + 1)), columns, values
    return parts.outer._array, parts.inner._array, parts.values._array


def matrix(t: Tensor, values: np.ndarray | None = None) -> Any:
    """SciPy's form of a sparse matrix of single elements."""
    from scipy import sparse

    parts = t._array
    if not is_coo(t) and parts.layout is formats.sparse_csc:
        ready(parts)
        own = parts.values._array if values is None else values
        return sparse.csc_array((own, parts.inner._array, parts.outer._array), parts.shape)
    if not is_coo(t) and parts.block:
        ready(parts)
        if parts.layout is formats.sparse_bsr:
            return sparse.bsr_array((parts.values._array, parts.inner._array, parts.outer._array), parts.shape)
        return sparse.csr_array(t.to_dense()._array)
    begins, columns, own = rows_of(t)
    return sparse.csr_array((own if values is None else values, columns, begins), parts.shape)


def times_dense(t: Tensor, dense: np.ndarray) -> np.ndarray:
    """A sparse matrix times a dense one (or a vector)."""
    values = t._array.values._array
    wide = _wide(values.dtype)
    values, dense = values.astype(wide, copy=False), dense.astype(wide, copy=False)
    if not is_coo(t) and t._array.layout is not formats.sparse_csr:
        own = matrix(t)
        return (own.astype(wide, copy=False) @ dense).astype(t._dtype.numpy, copy=False)
    begins, columns, own = rows_of(t)
    own = own.astype(wide, copy=False)
    shape = t._array.shape
    out = np.zeros((shape[0], *dense.shape[1:]), wide)
    _fill(begins, columns, own, shape, np.ascontiguousarray(dense), out)
    return out.astype(t._dtype.numpy, copy=False)


def _wide(d: np.dtype) -> np.dtype:
    """The dtype that is computed in: 16-bit floats are summed in 32 bits."""
    return np.dtype(np.float32) if d.itemsize == 2 and d.kind not in "iu" or d.isbuiltin != 1 else d


def _fill(
    begins: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple, dense: np.ndarray, out: np.ndarray
) -> None:
    """Each thread takes some of the rows."""
    many = min(get_num_threads(), max(1, len(values) * (dense.shape[1] if dense.ndim > 1 else 1) // _SMALL))
    cuts = np.searchsorted(begins, np.linspace(0, len(values), many + 1)[1:-1]).tolist()
    edges = list(dict.fromkeys([0, *cuts, shape[0]]))

    def some(start: int, stop: int) -> None:
        first, last = begins[start], begins[stop]
        _times(
            begins[start : stop + 1] - first, columns[first:last], values[first:last], shape[1], dense, out[start:stop]
        )

    pieces = list(zip(edges, edges[1:], strict=False))
    if len(pieces) < 2:
        some(0, shape[0])
        return
    with ThreadPoolExecutor(len(pieces)) as pool:
        list(pool.map(lambda piece: some(*piece), pieces))


def _times(begins: Any, columns: Any, values: Any, width: int, dense: np.ndarray, out: np.ndarray) -> None:
    from scipy import sparse

    out[...] = sparse.csr_array((values, columns, begins), (len(begins) - 1, width)) @ dense


# -- from and to SciPy -------------------------------------------------------------------------------------------


def to_scipy(t: Tensor) -> Any:
    """SciPy's form of a sparse matrix: `coo_array`, `csr_array`, `csc_array`, `bsr_array`; values are shared.

    >>> import tensorwidgets as torch
    >>> to_scipy(torch.eye(3).to_sparse_csr()).format
    'csr'
    """
    from scipy import sparse

    if not is_coo(t):
        return matrix(t)
    parts = t._array
    ready(parts)
    return sparse.coo_array((parts.values._array, tuple(parts.indices._array)), parts.shape)


def from_scipy(array: Any) -> Tensor:
    """A tensor that shares the values of one of SciPy's sparse arrays.

    >>> from scipy import sparse
    >>> from_scipy(sparse.csr_array([[0.0, 2.0]]))
    tensor(crow_indices=tensor([0, 1]),
           col_indices=tensor([1]),
           values=tensor([2.]), size=(1, 2), nnz=1, dtype=torch.float64,
           layout=torch.sparse_csr)
    """
    from ...interop import from_numpy

    if array.format in ("csr", "csc", "bsr"):
        layout = getattr(formats, f"sparse_{array.format}")
        array.sort_indices()
        outer, inner = (int64(part.astype(np.int64)) for part in (array.indptr, array.indices))
        return compressed(layout, outer, inner, from_numpy(array.data), array.shape, False)
    kept = array.tocoo()
    indices = np.stack([row.astype(np.int64) for row in kept.coords])
    return coo(int64(indices), from_numpy(kept.data), kept.shape, False, False)


def times_sparse(a: Tensor, b: Tensor) -> Any:
    """A product of two sparse matrices, with rows and columns in order."""
    product = matrix(a) @ matrix(b)
    product = product.tocsr()
    product.sort_indices()
    return product
