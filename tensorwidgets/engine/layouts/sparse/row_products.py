"""Products of sparse matrices row by row, under the names of torch.sparse and under older ones."""

from __future__ import annotations

import numpy as np

from ...declare.by_parts import Made, computes
from ...dispatch.kinds import KINDS
from ...dispatch.registry import OPS, find
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from .accessors import no_backend
from .compressed_refusals import refuse_size
from .parts.coalescing import coalesce, narrowed
from .parts.empty import of_zeros
from .parts.scipy_arrays import rows_of, times_dense
from .parts.tensors import COMPRESSED, COO, coo, fresh, int64, is_compressed, is_coo, is_sparse, layout_name
from .product_checks import (
    check_coo,
    check_inner_sizes,
    check_same_dtype,
    need_coo_and_matrix,
    need_strided,
    refuse_sparse_result,
)
from .products import mm


def sparse_mm(sparse: Tensor, dense: Tensor, reduce: str | None = None) -> Tensor:
    """torch.sparse.mm; `reduce` combines the products of a row: sum, mean, amax or amin."""
    if reduce is not None:
        return _reduced(sparse, dense, reduce)
    if sparse._array.ndim == 2 and dense._array.ndim == 1:
        dense.size(1)  # which refuses
    return mm(sparse, dense) if is_sparse(sparse) or is_sparse(dense) else OPS["mm"].function(sparse, dense)


_REDUCTIONS = {
    "sum": np.add, "mean": np.add, "amax": np.maximum, "amin": np.minimum, "max": np.maximum, "min": np.minimum,
}  # fmt: skip
_LISTED = "sum, mean, amax, amin"


def _reduced(sparse: Tensor, dense: Tensor, reduce: str) -> Tensor:
    if layout_name(sparse) != "SparseCsr":
        if is_sparse(sparse):
            if is_compressed(sparse):
                refuse(
                    RuntimeError,
                    f"sparse_mm_reduce: expect self to be SparseCsr, got {layout_name(sparse)}",
                    "rows are reduced one after another",
                    "x.to_sparse_csr()",
                    rule="sparse.layout",
                )
            no_kernel(find("sparse.mm"), COO if is_coo(sparse) else COMPRESSED, "_sparse_mm_reduce_impl")
        no_backend(sparse, "_sparse_mm_reduce_impl")
    if reduce not in (*_REDUCTIONS, "prod"):
        refuse(
            RuntimeError,
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}",
            f"there are {_LISTED}",
            rule="product.reduce",
        )
    if reduce not in _REDUCTIONS:
        refuse(
            RuntimeError,
            f"sparse_mm_reduce: reduce type of {reduce} has not been enabled.",
            f"there are {_LISTED}",
            rule="product.reduce",
        )
    check_inner_sizes(sparse, dense)
    check_same_dtype(sparse, dense)
    begins, columns, values = rows_of(sparse)
    out = np.zeros((sparse._array.shape[0], dense._array.shape[1]), values.dtype)
    counts = np.diff(begins)
    some = np.flatnonzero(counts)
    if len(some):
        # Empty rows stay zero, and reduceat needs the start of each other row.
        out[some] = _REDUCTIONS[reduce].reduceat(values[:, None] * dense._array[columns], begins[some], axis=0)
    if reduce == "mean":
        out[some] = out[some] / counts[some, None].astype(out.dtype)
    return fresh(out, sparse._dtype)


def whole_rows(mat1: Tensor, mat2: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """The rows in which a COO matrix stores any element, and those rows of the product with a dense one."""
    t = coalesce(mat1)
    rows = np.unique(t._array.indices._array[0])
    return rows, times_dense(t, mat2._array)[rows]


@computes(whole_rows)
def hspmm(mat1: Tensor, mat2: Tensor) -> Made:
    """A product that stores complete rows, where the sparse matrix has any element."""
    if not is_sparse(mat1):
        no_backend(mat1, "hspmm")
    need_coo_and_matrix("hspmm", "hspmm", mat1, mat2)
    check_coo(mat1, mat2, "hspmm", dtypes=bool(mat1._array.nnz))
    if is_sparse(mat2):
        refuse_sparse_result(mat2)
    size = (mat1._array.shape[0], mat2._array.shape[1])

    def make(both: tuple[np.ndarray, np.ndarray]) -> Tensor:
        return coo(int64(both[0][None]), fresh(both[1], mat1._dtype), size, len(both[0]) < 2)

    return Made(make, (mat1, mat2))


def _check_side_by_side(mat1: Tensor, mat2: Tensor) -> None:
    _check_sparse(mat1)
    if not is_compressed(mat1) and not is_compressed(mat2):
        words = "sspaddmm: expected 'mat{number}' to have strided layout, got 'mat{number}' with layout {layout}"
        need_strided(words, {2: mat2})
    if is_compressed(mat1):
        refuse_size((0,))
    need_coo_and_matrix("sspaddmm", "sspaddmm.out", mat1, mat2)


def smm(input: Tensor, mat2: Tensor) -> Tensor:
    """A sparse product with an explicit element for every column of each non-empty row."""
    _check_side_by_side(input, mat2)
    size = (input._array.shape[0], mat2._array.shape[1])
    return OPS["sspaddmm"].function(of_zeros(size, 2, input._dtype), input, mat2, beta=0)


def _check_sparse(t: Tensor) -> None:
    if t._keys & KINDS["quantized"].key:
        no_backend(t, "sspaddmm.out")
    if not is_sparse(t):
        message = "tensor.sspaddmm(...) can only be called on sparse tensors"
        refuse(RuntimeError, message, "the first factor has to be sparse", "x.to_sparse()", rule="sparse.wanted")


def side_by_side(
    input: Tensor, mat1: Tensor, mat2: Tensor, beta: int, alpha: float
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """The scaled elements of a sparse matrix, and after them those of a scaled product."""
    own = OPS["mul"].function(input, beta)._array
    rows, product = whole_rows(mat1, mat2)
    n = mat2._array.shape[1]
    values = OPS["mul"].function(fresh(product.reshape(-1), mat1._dtype), alpha)._array
    added = np.stack([np.repeat(rows, n), np.tile(np.arange(n), len(rows))])
    return np.concatenate([own.indices._array, added], 1), np.concatenate([own.values._array, values])


@computes(side_by_side)
def sspaddmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: int = 1, alpha: float = 1, out: Tensor | None = None
) -> Made:
    """beta * input followed by alpha * (mat1 @ mat2), uncoalesced."""
    _check_side_by_side(mat1, mat2)
    check_coo(mat1, mat2, "sspaddmm")
    for dim, n in enumerate((mat1._array.shape[0], mat2._array.shape[1])):
        if input._array.shape[dim] != n:
            refuse(
                RuntimeError,
                f"sspaddmm: Argument #1: Expected dim {dim} size {n}, got {input._array.shape[dim]}",
                "the product is added to a matrix of its size",
                rule="product.size",
            )

    def make(both: tuple[np.ndarray, np.ndarray]) -> Tensor:
        room = input._array.nnz + mat1._array.nnz * mat2._array.shape[1]
        indices = narrowed(both[0], room)  # as for elements of other columns each
        result = coo(indices, fresh(both[1], input._dtype), input._array.shape, len(both[1]) < 2)
        bump_version(result)
        return result

    return Made(make, (input, mat1, mat2, beta, alpha))
