"""Singular value decomposition, pseudoinverse and rank; by LAPACK through NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from ... import geometry
from ...backends.numpy.without_warnings import quietly
from ...declare.linalg import (
    LAPACK,
    NOT_FINITE,
    batches,
    check_fractions,
    check_matrix,
    check_square,
    for_lapack,
    linear_composite,
    linear_row,
    matrices,
    refuse_failed,
    refuse_ndim,
)
from ...declare.rules import Answer, Result, Written, store
from ...dispatch.registry import OPS
from ...errors.reasons import refuse, sure
from ...memory.places import as_array
from ...tensor.results import copy_to, outs
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtypes import COMPLEX
from ...types.return_types import result
from .eigen import eigh_parts


def _factored(a: Tensor, driver: str | None) -> np.ndarray:
    """The elements of checked matrices."""
    check_matrix("linalg.svd", a)
    check_fractions("linalg.svd", a)
    if driver is not None and a._array.size:  # without elements PyTorch asks no driver
        refuse(
            RuntimeError,
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.",
            "drivers can be chosen on CUDA only",
            "driver=None",
            rule="linalg.driver",
        )
    return for_lapack("linalg_svd_cpu", a)


def svd_parts(a: np.ndarray, full: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns U, S and Vᴴ of a batch of matrices."""
    _must_be_finite(a)
    return quietly(np.linalg.svd, a, full)


def singular_values(a: np.ndarray) -> np.ndarray:
    """Returns the singular values of a batch of matrices."""
    _must_be_finite(a)
    return quietly(np.linalg.svd, a, False, False)


def _must_be_finite(a: np.ndarray) -> None:
    refuse_failed(
        "linalg.svd",
        as_array((~np.isfinite(a)).any((-2, -1))),
        "The algorithm failed to converge because the input matrix contained non-finite values.",
        NOT_FINITE,
        "linalg.finite",
    )


def fill_svd(targets: tuple[np.ndarray, ...], a: np.ndarray, full: bool) -> None:
    store(targets, svd_parts(a, full))


@linear_row(
    "linalg.svd",
    "Computes the singular value decomposition A = U diag(S) Vᴴ; returns U, S and Vᴴ.",
    fill_svd,
    returns=("linalg_svd", ("U", "S", "Vh")),
)
def linalg_svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None) -> Answer:  # noqa: N803
    factored = _factored(A, driver)
    *batch, n, m = A._array.shape
    k, d = min(n, m), A._dtype
    results = (
        matrices((*batch, n, n if full_matrices else k), d),
        Result((*batch, k), d.to_real()),
        matrices((*batch, m if full_matrices else k, m), d),
    )
    return results, (factored, full_matrices)


@linear_composite(
    "svd", "Computes the singular value decomposition A = U diag(S) Vᴴ; returns U, S and V.", forms="function method"
)
def svd(input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Sequence[Tensor] | None = None) -> Any:
    size, into = input._array.shape, outs(out, 3)
    if len(size) < 2:
        refuse_ndim(
            f"linalg.svd: input should have at least 2 dimensions, but has {len(size)} dimensions instead", input
        )
    made = {"dtype": input._dtype, "device": input.device}
    if not compute_uv:
        zeros = OPS["zeros"].function
        s = OPS["linalg.svdvals"].function(input, out=into[1])
        u = copy_to(into[0], zeros(*size[:-2], size[-2], size[-2], **made), "same")
        vh = zeros(*size[:-2], size[-1], size[-1], **made)
    elif out is None:
        u, s, vh = OPS["linalg.svd"].function(input, not some)
    else:
        vh = OPS["empty"].function(0, **made)
        u, s, vh = OPS["linalg.svd"].function(input, not some, out=(*into[:2], vh))
    v = vh.mH if out is None else copy_to(into[2], OPS["resolve_conj"].function(vh.mH), "same")
    return result("svd" if out is None else "svd_out", ("U", "S", "V"), (u, s, v))


def fill_singular_values(target: np.ndarray, a: np.ndarray) -> None:
    target[...] = singular_values(a)


@linear_row("linalg.svdvals", "Computes the singular values of matrices.", fill_singular_values)
def svdvals(A: Tensor, *, driver: str | None = None) -> Answer:  # noqa: N803
    factored = _factored(A, driver)
    *batch, n, m = A._array.shape
    return Result((*batch, min(n, m)), A._dtype.to_real()), (factored,)


# -- what counts as 0 --------------------------------------------------------------------------------------------


def _check_tolerances(name: str, **tolerances: Any) -> None:
    for called, value in tolerances.items():
        if isinstance(value, Tensor) and value._dtype._kind == COMPLEX:
            refuse(
                RuntimeError,
                f"torch.linalg.{name}: {called} tensor of complex type is not supported. Got {value._dtype._type_name}",
                "a tolerance is compared, and complex numbers have no order",
                rule="linalg.tolerance",
            )


def _limits(a: np.ndarray, s: np.ndarray, atol: float | ndarray | None, rtol: Any) -> np.ndarray:
    """Below what a singular value counts as 0: the larger of an absolute and a relative tolerance."""
    own = float(np.finfo(s.dtype).eps) * max(a.shape[-2:])
    absolute: Any = 0.0 if atol is None else atol
    relative: Any = rtol
    if rtol is None:
        relative = np.where(absolute > 0, 0.0, own)[()] if type(absolute) is float else np.where(absolute > 0, 0.0, own)
    top = s.max(-1) if s.shape[-1] else np.zeros(s.shape[:-1], s.dtype)
    return np.maximum(absolute, relative * top)


def _common_batch(a: Tensor, *tolerances: Any) -> tuple[int, ...]:
    return batches(a._array.shape[:-2], *(t._array.shape for t in tolerances if isinstance(t, Tensor)))


def _number(tolerance: Tensor | float | None) -> Any:
    return tolerance._array if isinstance(tolerance, Tensor) else tolerance


def fill_pinv(target: np.ndarray, a: np.ndarray, hermitian: bool, atol: float | None, rtol: Any) -> None:
    if not a.size:
        target[...] = 0
        return
    if hermitian:
        s, u = eigh_parts(a)
        vh = u.swapaxes(-1, -2).conj()
    else:
        u, s, vh = svd_parts(a, False)
    size = np.abs(s)
    limit = as_array(_limits(a, size, atol, rtol))[..., None]
    inverted = np.where(size > limit, quietly(np.true_divide, 1, s), 0).astype(s.dtype)
    target[...] = (vh.swapaxes(-1, -2).conj() * inverted[..., None, :]) @ u.swapaxes(-1, -2).conj()


def _refuse_precision() -> None:
    refuse(
        RuntimeError,
        "This function doesn't handle types other than float and double",
        "a rank is the number of large singular values, which are computed in float32 or float64",
        "x.float()",
        rule="linalg.dtype",
    )


@linear_row("linalg.pinv", "Computes the pseudoinverse of matrices.", fill_pinv, out="linalg.pinv/result")
def pinv(
    input: Tensor,
    rcond: Tensor | float | None = None,
    hermitian: bool = False,
    *,
    atol: float | None = None,
    rtol: Tensor | float | None = None,
) -> Answer:
    if atol is not None and rtol is None and rcond is None:  # PyTorch makes the other tolerance of the size first
        input.size(-2)
        if input._dtype not in LAPACK:
            _refuse_precision()
    if input._dtype not in LAPACK or input._array.ndim < 2:
        refuse(
            RuntimeError,
            f"linalg.pinv({input._dtype._type_name}{{{list(input._array.shape)}}}): expected a tensor with 2 or more "
            "dimensions of float, double, cfloat or cdouble types",
            "only a matrix of floating-point numbers has a pseudo-inverse",
            "x.float()",
            rule="linalg.dtype",
        )
    _check_tolerances("pinv", atol=atol, **({"rtol": rtol} if rcond is None else {"rcond": rcond}))
    if rtol is None:
        rtol = rcond
    n, m = input._array.shape[-2:]
    if not input._array.size:  # PyTorch looks at nothing else then
        return Result((*input._array.shape[:-2], m, n), input._dtype), (input._array, False, None, None)
    if hermitian:
        check_square("linalg.eigh", input)
    batch = _common_batch(input, atol, rtol)
    return Result((*batch, m, n), input._dtype), (input._array, hermitian, _number(atol), _number(rtol))


@linear_composite("pinverse", "Computes the pseudoinverse of matrices.", forms="function method")
def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    return OPS["linalg.pinv"].function(input, rtol=rcond)


def fill_rank(
    target: np.ndarray, a: np.ndarray, hermitian: bool, atol: float | ndarray | None, rtol: float | None
) -> None:
    if not a.size:
        target[...] = 0
        return
    s = np.abs(eigh_parts(a)[0]) if hermitian else singular_values(a)
    target[...] = (s > as_array(_limits(a, s, atol, rtol))[..., None]).sum(-1)


@linear_row(
    "linalg.matrix_rank",
    "Computes the rank of matrices: the number of singular values above a tolerance.",
    fill_rank,
    out="torch.linalg.matrix_rank/result",
)
def matrix_rank(
    input: Tensor,
    tol: Tensor | float | None = None,
    hermitian: bool = False,
    *,
    atol: Tensor | float | None = None,
    rtol: Tensor | float | None = None,
) -> Answer:
    check_matrix("torch.linalg.matrix_rank", input, "input")
    if tol is not None or rtol is not None:
        if input._array.size:
            OPS["linalg.eigvalsh" if hermitian else "linalg.svdvals"].rule(input)  # which checks the input
    elif input._dtype not in LAPACK:
        _refuse_precision()
    if tol is not None:
        atol, rtol = tol, 0.0
    _check_tolerances("matrix_rank", atol=atol, rtol=rtol)
    if not input._array.size:  # PyTorch looks at nothing else then
        return Written(input._array.shape[:-2], dtypes.int64, None, 1), (input._array, False, None, None)
    if hermitian:
        check_square("linalg.eigh", input)
    for given in (atol, rtol):
        if isinstance(given, Tensor):
            sure(geometry.broadcast(given._array.shape, input._array.shape[:-2]))
    batch = _common_batch(input, atol, rtol)
    return Written(batch, dtypes.int64, None, 1), (input._array, hermitian, _number(atol), _number(rtol))
