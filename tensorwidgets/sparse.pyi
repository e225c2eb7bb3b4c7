# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import int as _int
from collections.abc import Sequence
from typing import overload

from .engine.tensor.tensor import Tensor
from .engine.tensor.tensor_methods import _Number as _Number
from .engine.types.dtypes import dtype as _dtype
from .engine.types.formats import layout as _layout

def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
    """Adds the product of a sparse and a dense matrix to a matrix."""
def log_softmax(input: Tensor, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
    """Computes the logarithm of sparse.softmax."""
@overload
def mm(sparse: Tensor, dense: Tensor) -> Tensor:
    """Computes the product of a sparse matrix and a dense or sparse one."""
@overload
def mm(sparse: Tensor, dense: Tensor, reduce: str) -> Tensor: ...
def sampled_addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Computes a product of dense matrices only at the stored elements of a sparse matrix."""
def softmax(input: Tensor, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
    """Computes softmax over the stored elements; others count as minus infinity."""
def spdiags(
    diagonals: Tensor, offsets: Tensor, shape: Sequence[_int], layout: _layout | None = None
) -> Tensor:
    """Returns a sparse matrix with the given rows on its diagonals."""
def sum(input: Tensor, dim: _int | Sequence[_int] | None = None, dtype: _dtype | None = None) -> Tensor:
    """Returns the sum of the stored elements, or along the given dimensions."""
