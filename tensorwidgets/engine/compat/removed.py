"""Functions of linear algebra that PyTorch has removed: each raises an error that names its replacement."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors.reasons import refuse

if TYPE_CHECKING:
    from ..tensor.tensor import Tensor


def _refuse(name: str, what: str, instead: str) -> NoReturn:
    refuse(
        RuntimeError,
        "This function was deprecated since version 1.9 and is now removed." + (f" {what}" if what else ""),
        f"torch.{name} was removed; use {instead} instead",
        instead,
        rule="name.removed",
        name=name,
    )


def eig(self: Tensor, eigenvectors: bool = False, *, e: Any = None, v: Any = None) -> Any:
    """Removed in favour of `torch.linalg.eig`."""
    text = "returns complex tensors of dtype `cfloat` or `cdouble` rather than real tensors mimicking complex tensors."
    _refuse("eig", f"`torch.linalg.eig` {text}", "torch.linalg.eig(x)")


def _symeig(input: Tensor, eigenvectors: bool = False, upper: bool = True, *, out: Tensor | None = None) -> Any:
    """Removed in favour of `torch.linalg.eigh`."""
    text = "upper triangular portion of the matrix by default to using the lower triangular portion."
    _refuse("symeig", f"The default behavior has changed from using the {text}", "torch.linalg.eigh(x, UPLO='U')")


def lstsq(input: Tensor, A: Tensor, *, out: Tensor | None = None) -> Any:
    """Removed in favour of `torch.linalg.lstsq`."""
    _refuse("lstsq", "`torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.", "torch.linalg.lstsq(A, B)")


def solve(input: Tensor, A: Tensor, *, out: Tensor | None = None) -> Any:
    """Removed in favour of `torch.linalg.solve`."""
    text = "`torch.linalg.solve` has its arguments reversed and does not return the LU factorization."
    _refuse(
        "solve", f"`torch.solve` is deprecated in favor of `torch.linalg.solve`. {text}", "torch.linalg.solve(A, B)"
    )


def matrix_rank(input: Tensor, tol: Any = None, symmetric: bool = False, *, out: Tensor | None = None) -> Any:
    """Removed in favour of `torch.linalg.matrix_rank`."""
    _refuse("matrix_rank", "", "torch.linalg.matrix_rank(A)")


METHODS: dict[str, Callable] = {"eig": eig, "symeig": _symeig, "lstsq": lstsq, "solve": solve}
FACE: dict[str, Callable] = {**METHODS, "matrix_rank": matrix_rank}
