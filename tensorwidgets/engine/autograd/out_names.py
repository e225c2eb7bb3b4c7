"""Under which name PyTorch refuses a gradient of what is written into `out=`: often that of an op within."""

from __future__ import annotations

from ..dispatch.called_as import short_name

_WITHIN = """
cat: column_stack dstack hstack vstack
_fft_c2r: fft.hfft fft.hfft2 fft.hfftn fft.irfft fft.irfft2 fft.irfftn
_linalg_det: linalg.det
_linalg_eigh: linalg.eigh linalg.eigvalsh
_linalg_slogdet: linalg.slogdet
_linalg_solve_ex: linalg.solve linalg.solve_ex
_linalg_svd: linalg.svd linalg.svdvals
linalg_cholesky_ex: linalg.cholesky
linalg_cross: cross
linalg_inv_ex: linalg.inv
linalg_lu_factor_ex: linalg.lu_factor
linalg_lu_solve: lu_solve
linalg_qr: qr
linalg_vector_norm: norm
log_sigmoid_forward: nn.functional.logsigmoid
div: nn.functional.normalize
gather: take_along_dim
mm: linalg.multi_dot
mul: kron outer
nansum: nanmean
pow: float_power square
sort: msort
vdot: linalg.vecdot
aten::diag_embed: diag
aten::linalg_ldl_factor_ex: linalg.ldl_factor linalg.ldl_factor_ex
"""
_OTHERS = """
alias_copy as_strided_copy diagonal_copy expand_copy permute_copy squeeze_copy t_copy transpose_copy unfold_copy
unsqueeze_copy view_copy floor_divide heaviside histogram linalg.ldl_solve log_softmax softmax
"""
"""Ops without a derivative of their own for `out=`, which PyTorch names with their library."""

_NAMES: dict[str, str] = {}
for _line in _WITHIN.strip().split("\n"):
    _within, _names = _line.split(": ")
    _NAMES |= dict.fromkeys(_names.split(), _within)
_NAMES |= {name: f"aten::{short_name(name)}" for name in _OTHERS.split()}


def named_for_out(op_name: str) -> str:
    """The name in the refusal.

    >>> named_for_out("linalg.inv"), named_for_out("nn.functional.gelu"), named_for_out("add")
    ('linalg_inv_ex', 'gelu', 'add')
    """
    return _NAMES.get(op_name) or short_name(op_name)
