"""Convert to and from SciPy's sparse arrays, which share the memory of indices and values, and multiply with SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....tensor.tensor import Tensor
from ....types import dtypes, formats
from .checks import ready
from .coalescing import in_order
from .empty import zeros
from .tensors import compressed, coo, int64, is_coo


def rows_of(t: Tensor) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A matrix as CSR parts: row starts, columns, values. Columns need not be sorted within a row."""
    parts = t._array
    ready(parts)
    if is_coo(t):
        values = parts.values._array
        (rows, columns), lines = parts.indices._array, parts.shape[0]
        if not parts.coalesced and (np.diff(rows) < 0).any():
            rows, order = in_order(rows)
            columns, values = columns[order], values[order]
        begins = zeros((lines + 1,), dtypes.int64)._array  # raises if memory is insufficient
        np.cumsum(np.bincount(rows, minlength=lines), out=begins[1:])
        return begins, columns, values
    return parts.outer._array, parts.inner._array, parts.values._array


def matrix(t: Tensor) -> Any:
    """A SciPy array for a sparse matrix; 16-bit floats, which SciPy lacks, become float32."""
    from scipy import sparse

    parts = t._array
    ready(parts)
    values = parts.values._array.astype(_wide(parts.values._array.dtype), copy=False)
    if not is_coo(t) and parts.layout is formats.sparse_csc:
        return sparse.csc_array((values, parts.inner._array, parts.outer._array), parts.shape)
    if not is_coo(t) and parts.block:
        if parts.layout is formats.sparse_bsr:
            return sparse.bsr_array((values, parts.inner._array, parts.outer._array), parts.shape)
        return sparse.csr_array(t.to_dense()._array)
    begins, columns, own = rows_of(t)
    return sparse.csr_array((own.astype(values.dtype, copy=False), columns, begins), parts.shape)


def times_dense(t: Tensor, dense: np.ndarray) -> np.ndarray:
    """A sparse matrix times a dense one (or a vector)."""
    own = matrix(t)
    return (own @ dense.astype(own.dtype, copy=False)).astype(t._dtype._in_numpy, copy=False)


def _wide(d: np.dtype) -> np.dtype:
    """The dtype of the computation: float32 for 16-bit floats."""
    return np.dtype(np.float32) if d.itemsize == 2 and d.kind not in "iu" or d.isbuiltin != 1 else d


# -- from and to SciPy -------------------------------------------------------------------------------------------


def to_scipy(t: Tensor) -> Any:
    """A sparse matrix as SciPy's `coo_array`, `csr_array`, `csc_array` or `bsr_array`, which shares its values.

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
    """A tensor that shares the values of a SciPy sparse array.

    >>> from scipy import sparse
    >>> from_scipy(sparse.csr_array([[0.0, 2.0]]))
    tensor(crow_indices=tensor([0, 1]),
           col_indices=tensor([1]),
           values=tensor([2.]), size=(1, 2), nnz=1, dtype=torch.float64,
           layout=torch.sparse_csr)
    """
    from ....interop.numpy_and_buffers import from_numpy

    if array.format in ("csr", "csc", "bsr"):
        layout = getattr(formats, f"sparse_{array.format}")
        array.sort_indices()
        outer, inner = (int64(part.astype(np.int64)) for part in (array.indptr, array.indices))
        return compressed(layout, outer, inner, from_numpy(array.data), array.shape, False)
    kept = array.tocoo()
    indices = np.stack([row.astype(np.int64) for row in kept.coords])
    return coo(int64(indices), from_numpy(kept.data), kept.shape, False, False)


def times_sparse(a: Tensor, b: Tensor) -> Any:
    """The product of two sparse matrices, with sorted rows and columns."""
    one, two = matrix(a).tocsr(), matrix(b).tocsr()
    product = one @ two
    # SciPy drops sums that are zero, but PyTorch stores them; the product of the patterns gives their indices.
    pattern = _counted(one) @ _counted(two)
    for t in (product, pattern):
        t.sort_indices()
    if product.nnz < pattern.nnz:
        rows = np.repeat(np.arange(product.shape[0]), np.diff(product.indptr))
        full = np.repeat(np.arange(product.shape[0]), np.diff(pattern.indptr))
        width = product.shape[1]
        values = np.zeros(pattern.nnz, product.dtype)
        places = full * width + pattern.indices
        values[np.searchsorted(places, rows * width + product.indices)] = product.data
        product = type(product)((values, pattern.indices, pattern.indptr), product.shape)
    return product


def _counted(matrix: Any) -> Any:
    return type(matrix)((np.ones(matrix.nnz), matrix.indices, matrix.indptr), matrix.shape)
