# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence
from typing import overload

from .engine.tensor.tensor import Tensor
from .engine.tensor.tensor_methods import _Number as _Number
from .engine.tensor.tensor_methods import linalg_cholesky_ex_result as linalg_cholesky_ex_result
from .engine.tensor.tensor_methods import linalg_eig_result as linalg_eig_result
from .engine.tensor.tensor_methods import linalg_eigh_result as linalg_eigh_result
from .engine.tensor.tensor_methods import linalg_inv_ex_result as linalg_inv_ex_result
from .engine.tensor.tensor_methods import linalg_ldl_factor_ex_result as linalg_ldl_factor_ex_result
from .engine.tensor.tensor_methods import linalg_ldl_factor_result as linalg_ldl_factor_result
from .engine.tensor.tensor_methods import linalg_lstsq_result as linalg_lstsq_result
from .engine.tensor.tensor_methods import linalg_lu_factor_ex_result as linalg_lu_factor_ex_result
from .engine.tensor.tensor_methods import linalg_lu_factor_result as linalg_lu_factor_result
from .engine.tensor.tensor_methods import linalg_lu_result as linalg_lu_result
from .engine.tensor.tensor_methods import linalg_qr_result as linalg_qr_result
from .engine.tensor.tensor_methods import linalg_slogdet_result as linalg_slogdet_result
from .engine.tensor.tensor_methods import linalg_solve_ex_result as linalg_solve_ex_result
from .engine.tensor.tensor_methods import linalg_svd_result as linalg_svd_result
from .engine.tensor.tensor_methods import qr_result as qr_result
from .engine.tensor.tensor_methods import slogdet_result as slogdet_result
from .engine.tensor.tensor_methods import svd_result as svd_result
from .engine.types.dtypes import dtype as _dtype

def cholesky(input: Tensor, *, upper: _bool = False, out: Tensor | None = None) -> Tensor:
    """Computes the Cholesky decomposition A = L Lᴴ of positive-definite matrices."""
def cholesky_ex(
    input: Tensor, *, upper: _bool = False, check_errors: _bool = False, out: tuple[Tensor, ...] | None = None
) -> linalg_cholesky_ex_result:
    """Computes linalg.cholesky and returns an error code instead of raising."""
def cond(input: Tensor, p: _Number | str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Computes the condition number of matrices."""
def cross(input: Tensor, other: Tensor, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """Computes the cross product of vectors of three elements."""
def det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the determinant of square matrices."""
def diagonal(A: Tensor, *, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """Returns the diagonal of the last two dimensions. A view."""
def eig(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> linalg_eig_result:
    """Computes the eigenvalues and eigenvectors of square matrices."""
def eigh(input: Tensor, UPLO: str = 'L', *, out: tuple[Tensor, ...] | None = None) -> linalg_eigh_result:
    """Computes the eigenvalues and eigenvectors of symmetric or Hermitian matrices."""
def eigvals(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the eigenvalues of square matrices."""
def eigvalsh(input: Tensor, UPLO: str = 'L', *, out: Tensor | None = None) -> Tensor:
    """Computes the eigenvalues of symmetric or Hermitian matrices."""
def householder_product(input: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the product of Householder reflectors."""
def inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the inverse of square matrices."""
def inv_ex(
    A: Tensor, *, check_errors: _bool = False, out: tuple[Tensor, ...] | None = None
) -> linalg_inv_ex_result:
    """Computes linalg.inv and returns an error code instead of raising."""
def ldl_factor(
    input: Tensor, *, hermitian: _bool = False, out: tuple[Tensor, ...] | None = None
) -> linalg_ldl_factor_result:
    """Computes the LDL decomposition of symmetric or Hermitian matrices in packed form, with its pivots."""
def ldl_factor_ex(
    input: Tensor,
    *,
    hermitian: _bool = False,
    check_errors: _bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> linalg_ldl_factor_ex_result:
    """Computes linalg.ldl_factor and returns an error code instead of raising."""
def ldl_solve(
    LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: _bool = False, out: Tensor | None = None
) -> Tensor:
    """Solves the linear system A X = B from the packed LDL decomposition of A."""
def lstsq(
    input: Tensor,
    b: Tensor,
    rcond: _float | None = None,
    *,
    driver: str | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> linalg_lstsq_result:
    """Computes a least-squares solution X of A X = B."""
def lu(A: Tensor, *, pivot: _bool = True, out: tuple[Tensor, ...] | None = None) -> linalg_lu_result:
    """Computes P, L and U of the LU decomposition A = P L U."""
def lu_factor(
    A: Tensor, *, pivot: _bool = True, out: tuple[Tensor, ...] | None = None
) -> linalg_lu_factor_result:
    """Computes the LU decomposition A = P L U in packed form, with its pivots."""
def lu_factor_ex(
    A: Tensor, *, pivot: _bool = True, check_errors: _bool = False, out: tuple[Tensor, ...] | None = None
) -> linalg_lu_factor_ex_result:
    """Computes linalg.lu_factor and returns an error code instead of raising."""
def lu_solve(
    LU: Tensor,
    pivots: Tensor,
    B: Tensor,
    *,
    left: _bool = True,
    adjoint: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Solves the linear system A X = B from the packed LU decomposition of A."""
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the product of vectors, matrices or batches of matrices."""
def matrix_exp(input: Tensor) -> Tensor:
    """Computes the matrix exponential of square matrices."""
def matrix_norm(
    input: Tensor,
    ord: _Number | str = 'fro',
    dim: Sequence[_int] = (-2, -1),
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Computes a matrix norm."""
def matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor:
    """Computes the n-th power of square matrices."""
@overload
def matrix_rank(
    input: Tensor,
    *,
    atol: _float | Tensor | None = None,
    rtol: _float | Tensor | None = None,
    hermitian: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the rank of matrices: the number of singular values above a tolerance."""
@overload
def matrix_rank(
    input: Tensor, tol: _float | Tensor, hermitian: _bool = False, *, out: Tensor | None = None
) -> Tensor: ...
def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Computes the product of several matrices in the order that needs the fewest multiplications."""
def norm(
    input: Tensor,
    ord: _Number | str | None = None,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Computes a vector or matrix norm."""
@overload
def pinv(
    input: Tensor,
    *,
    atol: _float | Tensor | None = None,
    rtol: _float | Tensor | None = None,
    hermitian: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the pseudoinverse of matrices."""
@overload
def pinv(
    input: Tensor, rcond: _float | Tensor, hermitian: _bool = False, *, out: Tensor | None = None
) -> Tensor: ...
def qr(A: Tensor, mode: str = 'reduced', *, out: tuple[Tensor, ...] | None = None) -> linalg_qr_result:
    """Computes the QR decomposition A = Q R of matrices."""
def slogdet(A: Tensor, *, out: tuple[Tensor, ...] | None = None) -> linalg_slogdet_result:
    """Computes the sign and the logarithm of the absolute value of the determinant."""
def solve(A: Tensor, B: Tensor, *, left: _bool = True, out: Tensor | None = None) -> Tensor:
    """Solves the linear system A X = B."""
def solve_ex(
    A: Tensor,
    B: Tensor,
    *,
    left: _bool = True,
    check_errors: _bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> linalg_solve_ex_result:
    """Solves the linear system A X = B and returns an error code instead of raising."""
def solve_triangular(
    input: Tensor,
    B: Tensor,
    *,
    upper: _bool,
    left: _bool = True,
    unitriangular: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Solves the linear system A X = B with a triangular A."""
def svd(
    A: Tensor,
    full_matrices: _bool = True,
    *,
    driver: str | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> linalg_svd_result:
    """Computes the singular value decomposition A = U diag(S) Vᴴ; returns U, S and Vᴴ."""
def svdvals(A: Tensor, *, driver: str | None = None, out: Tensor | None = None) -> Tensor:
    """Computes the singular values of matrices."""
def tensorinv(input: Tensor, ind: _int = 2, *, out: Tensor | None = None) -> Tensor:
    """Computes the multiplicative inverse of tensordot."""
def tensorsolve(
    input: Tensor, other: Tensor, dims: Sequence[_int] | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Solves tensordot(A, X) = B for X."""
def vander(x: Tensor, *, N: _int | None = None) -> Tensor:
    """Returns a Vandermonde matrix: the powers of each number, one number per row."""
def vecdot(x: Tensor, y: Tensor, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """Computes the dot product of vectors along a dimension, the first one conjugated."""
def vector_norm(
    input: Tensor,
    ord: _Number = 2,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Computes a vector norm."""
