"""Functions of linear algebra that PyTorch has taken away: each still says what took its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ..errors.reasons import refuse


def _gone(name: str, what: str, instead: str) -> NoReturn:
    refuse(
        RuntimeError,
        "This function was deprecated since version 1.9 and is now removed." + (f" {what}" if what else ""),
        f"torch.{name} is no more, and {instead} does its work",
        instead,
        rule="name.removed",
        name=name,
    )


def eig(self: Any, eigenvectors: bool = False, *, e: Any = None, v: Any = None) -> Any:
    """Taken away: `torch.linalg.eig`."""
    told = "returns complex tensors of dtype `cfloat` or `cdouble` rather than real tensors mimicking complex tensors."
    _gone("eig", f"`torch.linalg.eig` {told}", "torch.linalg.eig(x)")


def _symeig(input: Any, eigenvectors: Any = False, upper: Any = True, *, out: Any = None) -> Any:
    """Taken away: `torch.linalg.eigh`."""
    told = "upper triangular portion of the matrix by default to using the lower triangular portion."
    _gone("symeig", f"The default behavior has changed from using the {told}", "torch.linalg.eigh(x, UPLO='U')")


def lstsq(input: Any, A: Any, *, out: Any = None) -> Any:
    """Taken away: `torch.linalg.lstsq`."""
    _gone("lstsq", "`torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.", "torch.linalg.lstsq(A, B)")


def solve(input: Any, A: Any, *, out: Any = None) -> Any:
    """Taken away: `torch.linalg.solve`."""
    told = "`torch.linalg.solve` has its arguments reversed and does not return the LU factorization."
    _gone("solve", f"`torch.solve` is deprecated in favor of `torch.linalg.solve`. {told}", "torch.linalg.solve(A, B)")


def matrix_rank(input: Any, tol: Any = None, symmetric: Any = False, *, out: Any = None) -> Any:
    """Taken away: `torch.linalg.matrix_rank`."""
    _gone("matrix_rank", "", "torch.linalg.matrix_rank(A)")


METHODS: dict[str, Callable] = {"eig": eig, "symeig": _symeig, "lstsq": lstsq, "solve": solve}
FACE: dict[str, Callable] = {**METHODS, "matrix_rank": matrix_rank}
