# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence

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
    """The triangular factor L of A = L Lᴴ."""
def cholesky_ex(
    input: Tensor, *, upper: _bool = False, check_errors: _bool = False, out: tuple[Tensor, ...] | None = None
) -> linalg_cholesky_ex_result:
    """Like cholesky, with a number that says where it broke down."""
def cond(input: Tensor, p: _float | Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """How much errors can grow when a system is solved."""
def cross(input: Tensor, other: Tensor, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The cross product of vectors of three elements."""
def det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The determinant of square matrices."""
def diagonal(A: Tensor, *, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """The diagonal of the last two dimensions. A view."""
def eig(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> linalg_eig_result:
    """Eigenvalues and eigenvectors of square matrices."""
def eigh(input: Tensor, UPLO: str = 'L', *, out: tuple[Tensor, ...] | None = None) -> linalg_eigh_result:
    """Eigenvalues and eigenvectors of symmetric (Hermitian) matrices."""
def eigvals(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Eigenvalues of square matrices."""
def eigvalsh(input: Tensor, UPLO: str = 'L', *, out: Tensor | None = None) -> Tensor:
    """Eigenvalues of symmetric (Hermitian) matrices."""
def householder_product(input: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The orthogonal matrix that reflections make."""
def inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of square matrices."""
def inv_ex(
    A: Tensor, *, check_errors: _bool = False, out: tuple[Tensor, ...] | None = None
) -> linalg_inv_ex_result:
    """Like inv, with a number that says where a pivot is 0."""
def ldl_factor(
    input: Tensor, *, hermitian: _bool = False, out: tuple[Tensor, ...] | None = None
) -> linalg_ldl_factor_result:
    """The factors of A = L D Lᵀ, packed, and the pivots."""
def ldl_factor_ex(
    input: Tensor,
    *,
    hermitian: _bool = False,
    check_errors: _bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> linalg_ldl_factor_ex_result:
    """Like ldl_factor, with a number that says where D is 0."""
def ldl_solve(
    LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: _bool = False, out: Tensor | None = None
) -> Tensor:
    """X with A X = B, from the packed factors of A = L D Lᵀ."""
def lstsq(
    input: Tensor,
    b: Tensor,
    rcond: _float | None = None,
    *,
    driver: str | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> linalg_lstsq_result:
    """X for which A X is nearest to B."""
def lu(A: Tensor, *, pivot: _bool = True, out: tuple[Tensor, ...] | None = None) -> linalg_lu_result:
    """P, L and U with A = P L U."""
def lu_factor(
    A: Tensor, *, pivot: _bool = True, out: tuple[Tensor, ...] | None = None
) -> linalg_lu_factor_result:
    """The factors of A = P L U, packed, and the pivots."""
def lu_factor_ex(
    A: Tensor, *, pivot: _bool = True, check_errors: _bool = False, out: tuple[Tensor, ...] | None = None
) -> linalg_lu_factor_ex_result:
    """Like lu_factor, with a number that says where a pivot is 0."""
def lu_solve(
    LU: Tensor,
    pivots: Tensor,
    B: Tensor,
    *,
    left: _bool = True,
    adjoint: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """X with A X = B, from the packed factors of A."""
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of matrices."""
def matrix_exp(input: Tensor) -> Tensor:
    """The exponential of square matrices."""
def matrix_norm(
    input: Tensor,
    ord: _Number | str = 'fro',
    dim: _int | Sequence[_int] = (-2, -1),
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The size of matrices."""
def matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor:
    """A matrix times itself, n times over."""
def matrix_rank(
    input: Tensor,
    tol: _float | Tensor | None = None,
    hermitian: _bool = False,
    *,
    atol: _float | Tensor | None = None,
    rtol: _float | Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """How many singular values are above a tolerance."""
def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The product of several matrices, in the order that costs least."""
def norm(
    input: Tensor,
    ord: _Number | str | None = None,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
) -> Tensor:
    """The length of vectors, or the size of matrices."""
def pinv(
    input: Tensor,
    rcond: _float | Tensor | None = None,
    hermitian: _bool = False,
    *,
    atol: _float | Tensor | None = None,
    rtol: _float | Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The pseudo-inverse of matrices."""
def qr(A: Tensor, mode: str = 'reduced', *, out: tuple[Tensor, ...] | None = None) -> linalg_qr_result:
    """Q with orthonormal columns and R triangular, with A = Q R."""
def slogdet(A: Tensor, *, out: tuple[Tensor, ...] | None = None) -> linalg_slogdet_result:
    """The sign and the logarithm of the size of the determinant."""
def solve(A: Tensor, B: Tensor, *, left: _bool = True, out: Tensor | None = None) -> Tensor:
    """X with A X = B."""
def solve_ex(
    A: Tensor,
    B: Tensor,
    *,
    left: _bool = True,
    check_errors: _bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> linalg_solve_ex_result:
    """Like solve, with a number that says where a pivot is 0."""
def solve_triangular(
    A: Tensor,
    B: Tensor,
    *,
    upper: _bool,
    left: _bool = True,
    unitriangular: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """X with A X = B, for a triangular A."""
def svd(
    A: Tensor,
    full_matrices: _bool = True,
    *,
    driver: str | None = None,
    out: tuple[Tensor, ...] | None = None,
) -> linalg_svd_result:
    """U, S and Vᴴ with A = U diag(S) Vᴴ."""
def svdvals(A: Tensor, *, driver: str | None = None, out: Tensor | None = None) -> Tensor:
    """The singular values of matrices."""
def tensorinv(input: Tensor, ind: _int = 2, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a tensor taken as a matrix."""
def tensorsolve(
    input: Tensor, other: Tensor, dims: _int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """X with tensordot(A, X) = B."""
def vander(x: Tensor, N: _int | None = None) -> Tensor:
    """The powers of each number, row by row."""
def vecdot(x: Tensor, y: Tensor, *, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The sum of the products of vectors along a dimension."""
def vector_norm(
    input: Tensor,
    ord: _Number | str = 2,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The length of vectors."""
