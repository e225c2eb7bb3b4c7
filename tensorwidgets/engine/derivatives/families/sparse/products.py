"""Products with sparse matrices whose gradients are sparse."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....errors.reasons import refuse
from ...beside import places_beside, zeros_beside
from ...declaring import differentiate, parts, refused
from ...helpers import conj, scaled
from ...ops import torch

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

refused("hspmm sspaddmm sparse.spdiags")

# -- sparse.mm and sparse.addmm ----------------------------------------------------------------------------------


def _both_sparse(call: dict) -> bool:
    return call["sparse"].layout is not torch.strided and call["dense"].layout is not torch.strided


differentiate(
    "sparse.mm", node="SparseMmReduceImplBackward0", when=lambda call: call.get("reduce") is not None,
    together=("sparse dense", lambda grad, sparse, dense, result, reduce, needed: _reduced(
        grad, sparse.detach(), dense.detach(), result, reduce)),
)  # fmt: skip
differentiate(
    "sparse.mm", node="SparseSparseMatmulBackward0", when=_both_sparse,
    sparse=lambda grad, sparse, dense: _where_stored(grad, torch.sparse.mm, (grad, conj(dense.t())), sparse),
    dense=lambda grad, sparse, dense: _where_stored(grad, torch.sparse.mm, (conj(sparse.t()), grad), dense),
)  # fmt: skip


@parts("sparse.mm")
def _as_addmm(sparse: Tensor, dense: Tensor) -> Any:
    """sparse.addmm(zeros, sparse, dense, beta=0)"""
    if sparse.layout is torch.strided:
        return torch.sparse.addmm(zeros_beside(dense, ()), dense, sparse, beta=0)
    below = zeros_beside(sparse, 1, 1).expand(sparse.shape[0], dense.shape[1])
    return torch.sparse.addmm(below, sparse, dense, beta=0)


def _where_stored(grad: Tensor, product: Callable[..., Any], factors: tuple, stored: Tensor) -> Any:
    """A product at the stored elements of a sparse matrix."""
    if grad.layout is torch.strided:
        refuse(
            RuntimeError,
            "mat2_.is_sparse() INTERNAL ASSERT FAILED",
            "the product of two sparse matrices is sparse, and so is its gradient",
            "y.to_dense().backward(grad)",
            rule="autograd.layout",
        )
    stored = stored.detach().coalesce()
    ones = torch.sparse_coo_tensor(
        stored.indices(), torch.ones_like(stored.values()), tuple(stored.shape), is_coalesced=True
    )
    return product(*factors).coalesce() * ones  # elements that only one of both stores are left out


differentiate(
    "sparse.addmm",
    input=lambda grad, beta=1: scaled(grad, beta),
    mat1=lambda grad, mat1, mat2, alpha=1: scaled(_sampled(grad, mat1, mat2), alpha),
    mat2=lambda grad, mat1, alpha=1: scaled(torch.mm(conj(mat1.t()), grad), alpha),
)


def _sampled(grad: Tensor, sparse: Tensor, dense: Tensor) -> Any:
    """The gradient of a sparse factor, at its stored elements."""
    return torch.mm(grad, dense.mH).sparse_mask(sparse.coalesce() if sparse.is_sparse else sparse)


# -- sparse.mm(…, reduce=…) --------------------------------------------------------------------------------------


def _reduced(grad: Tensor, sparse: Tensor, dense: Tensor, result: Tensor, reduce: str) -> tuple:
    """Both gradients of a product whose rows are combined by a sum, a mean, or the largest or smallest term."""
    begins, columns, values = sparse.crow_indices(), sparse.col_indices(), sparse.values()
    counts = begins.diff()
    rows = torch.repeat_interleave(places_beside(counts, len(counts)), counts)
    grads, terms = grad[rows], dense[columns]
    if reduce == "mean":
        grads = grads / counts[rows].unsqueeze(1)
    elif reduce != "sum":
        grads = torch.where(_first_best(values.unsqueeze(1) * terms == result[rows], rows), grads, 0)
    own = torch.sparse_csr_tensor(begins, columns, (grads * terms.conj()).sum(1), tuple(sparse.shape))
    other = torch.zeros_like(dense).index_add(0, columns, grads * values.conj().unsqueeze(1))
    return own, other


def _first_best(best: Tensor, rows: Tensor) -> Any:
    """Of the terms that equal the result, the first in each row and column."""
    number = places_beside(rows, len(rows)).unsqueeze(1).expand(best.shape)
    among = torch.where(best, number, len(rows))
    first = rows.new_full((int(rows.max()) + 1 if len(rows) else 0, best.shape[1]), len(rows))
    first = first.scatter_reduce(0, rows.unsqueeze(1).expand(best.shape), among, "amin")
    return number == first[rows]


# -- sampled_addmm -----------------------------------------------------------------------------------------------

differentiate(
    "sparse.sampled_addmm",
    input=lambda grad, beta=1: scaled(grad, beta),
    mat1=lambda grad, input, mat2, alpha=1: scaled(torch.mm(grad.sparse_mask(input), mat2.mH), alpha),
    mat2=lambda grad, input, mat1, alpha=1: scaled(torch.mm(mat1.mH, grad.sparse_mask(input)), alpha),
)
