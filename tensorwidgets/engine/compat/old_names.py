"""Products of sparse matrices that PyTorch keeps under a second name from its first years."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..dispatch.registry import OPS

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor


def spmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the product of two matrices, as `torch.mm` does.

    >>> import tensorwidgets as torch
    >>> torch.spmm(torch.eye(2).to_sparse(), torch.ones(2, 1))
    tensor([[1.],
            [1.]])
    """
    result: Tensor = OPS["mm"].function(input, mat2, **_given(out))
    return result


def dsmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the product of two matrices, as `torch.mm` does."""
    return spmm(input, mat2, **_given(out))


def hsmm(mat1: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the product of a sparse and a dense matrix, as `torch.hspmm` does."""
    result: Tensor = OPS["hspmm"].function(mat1, mat2, **_given(out))
    return result


def saddmm(*args: Any, **kwargs: Any) -> Tensor:
    """Adds the product of a sparse and a dense matrix to a sparse matrix, as `torch.sspaddmm` does."""
    result: Tensor = OPS["sspaddmm"].function(*args, **kwargs)
    return result


def _given(out: Tensor | None) -> dict[str, Tensor]:
    return {} if out is None else {"out": out}


FACE = {"dsmm": dsmm, "hsmm": hsmm, "saddmm": saddmm, "spmm": spmm}
