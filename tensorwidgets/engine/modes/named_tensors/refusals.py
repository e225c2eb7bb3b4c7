"""Refusals of calls that have no rule for names, in PyTorch's words: by the name that the op has inside PyTorch."""

from __future__ import annotations

from typing import Any, NoReturn

from ...dimension_names import words
from ...dispatch.registry import Op
from ...errors.reasons import refuse, sure
from ...tensor.tensor import Tensor


def not_supported(name: str, because: str = "") -> NoReturn:
    """Refuse an op by its name inside PyTorch."""
    refuse(
        RuntimeError,
        f"aten::{name} is not yet supported with named tensors. Please drop names via `tensor = tensor.rename(None)`, "
        "call the op with an unnamed tensor, and set names on the result of the operation.",
        because or f"no rule says what becomes of names in {name.partition('.')[0]}",
        "x.rename(None) for the call, and refine_names(…) on its result",
        rule="names.unsupported",
        op=name,
    )


def refuse_call(op: Op, args: tuple, kwargs: dict) -> NoReturn:
    """Refuse a call of an op that has no rule."""
    dim = kwargs.get("dim", args[1] if len(args) > 1 else None)
    if op.name in _NUMBERS_ONLY and isinstance(dim, str):
        sure(words([dim]))
        refuse(
            RuntimeError,
            f"{op.name}: You passed a dimname (string) to this op in place of a dimension index but it does not yet "
            "support this behavior. Please pass a dimension index to work around this.",
            f"no rule says what becomes of names in {op.name}",
            "x.rename(None) for the call, and refine_names(…) on its result",
            rule="names.unsupported",
            op=op.name,
        )
    not_supported(inside_name(op.name, args))


_NUMBERS_ONLY = frozenset("argsort gather index_add index_copy index_select scatter scatter_add sort".split())

_INSIDE = """
view: reshape view_as reshape_as ravel diagflat take_along_dim meshgrid cartesian_prod combinations outer chain_matmul
view: stft linalg.multi_dot quantile nanquantile
permute: inner tensordot
repeat: tile
flip: fliplr flipud
unsqueeze: vander linalg.vander cov corrcoef dstack
sort: argsort msort
roll: fft.fftshift fft.ifftshift
nonzero: argwhere
mul.Scalar: isclose special.ndtr
frexp.Tensor: frexp
ldexp.Tensor: ldexp
linalg_cross: cross
_linalg_eigvals: linalg.eigvals
_linalg_eigh: linalg.eigh linalg.eigvalsh
linalg_cholesky_ex: linalg.cholesky
linalg_lu_factor_ex: linalg.lu_factor lu
_linalg_solve_ex: linalg.solve linalg.solve_ex
linalg_lu_solve: lu_solve
_linalg_det: linalg.det det
_linalg_slogdet: linalg.slogdet slogdet logdet
linalg_inv_ex: linalg.inv inverse
linalg_ldl_factor_ex: linalg.ldl_factor
linalg_qr: svd_lowrank pca_lowrank qr
_linalg_svd: linalg.svd svd linalg.svdvals linalg.matrix_rank linalg.cond
linalg_pinv.atol_rtol_tensor: linalg.pinv pinverse
linalg_vector_norm: norm linalg.norm linalg.matrix_norm lobpcg
linalg_matrix_exp: matrix_exp
nansum: nanmean
_fft_r2c: fft.fft fft.ifft fft.rfft fft.ihfft fft.rfft2 fft.rfftn fft.ihfft2 fft.ihfftn
_fft_c2r: fft.irfft fft.irfft2 fft.irfftn
_fft_c2c: fft.fft2 fft.fftn fft.ifft2 fft.ifftn fft.hfft2 fft.hfftn
_conj: fft.hfft
_unsafe_view: kron
_unique2: unique
diagonal_copy: diag
histogram.bin_ct: histogram
_histogramdd_bin_edges: histogramdd
_to_sparse: to_sparse to_sparse_coo
_to_sparse_csr: to_sparse_csr
_to_sparse_csc: to_sparse_csc
"""
_FAMILIES = {
    ("remainder", "fmod", "copysign", "bitwise_and", "bitwise_or", "bitwise_xor"): ".Tensor .Scalar .Scalar_Tensor",
    ("bitwise_left_shift", "bitwise_right_shift"): ".Tensor .Tensor_Scalar .Scalar_Tensor",
    ("xlogy",): ".Tensor .Scalar_Other .Scalar_Self",
    ("isin",): ".Tensor_Tensor .Tensor_Scalar .Scalar_Tensor",
    ("searchsorted",): ".Tensor .Scalar .Tensor",
    ("bucketize",): ".Tensor .Tensor .Scalar",
    ("special.xlog1py", "special.zeta"): " .other_scalar .self_scalar",
}
"""What PyTorch adds to a name for two tensors, for a tensor and a number, and for a number and a tensor."""


def inside_name(name: str, args: tuple) -> str:
    """The name of an op inside PyTorch, with what is added for the kinds of its arguments.

    >>> inside_name("remainder_", (0, 2)), inside_name("linalg.inv", ()), inside_name("tril", ())
    ('remainder_.Scalar_Tensor', 'linalg_inv_ex', 'tril')
    """
    base = name.rstrip("_")
    for ops, added in _FAMILIES.items():
        if base in ops:
            return name.replace(".", "_") + added.split(" ")[_kinds(args)]
    if "_polynomial_" in name:
        return name.replace(".", "_") + ("", ".n_scalar", ".x_scalar")[_kinds(args)]
    if base == "lerp":
        return name + (".Tensor" if len(args) > 2 and isinstance(args[2], Tensor) else ".Scalar")
    if base == "scatter":
        return name + (".src" if isinstance(args[-1], Tensor) else ".value")
    if base == "set":
        return name + ".source_Tensor" * isinstance(args[-1], Tensor) * (len(args) > 1)
    if base == "where":
        return "where.self" if len(args) > 1 else "nonzero"
    for line in _INSIDE.strip().splitlines():
        inside, _, ops_told = line.partition(": ")
        if name in ops_told.split():
            return inside
    return name.replace(".", "_")


def _kinds(args: tuple[Any, ...]) -> int:
    """0 for two tensors, 1 for a tensor and a number, 2 for a number and a tensor."""
    first, second = (isinstance(a, Tensor) for a in (args + (None, None))[:2])
    return 0 if first and second else 1 if first else 2
