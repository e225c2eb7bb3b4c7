"""A result that is written into `out=` while a gradient is required: PyTorch refuses it, copies, or has no way back.

A function that PyTorch computes by an op of its own refuses it. One that is made of several ops refuses it in the name
of the op that writes, after its arguments were read. Others compute first and then copy the result, which is recorded.
And some results get a node without a derivative.
"""

from __future__ import annotations

import warnings
from typing import Any

from ..dispatch.registry import Op
from ..errors.reasons import refuse
from ..tensor.grad_mode import no_grad
from ..tensor.moving.resizing import resize_output
from ..tensor.tensor import Tensor

_WRITTEN_BY = {
    "column_stack": "cat", "hstack": "cat", "vstack": "cat", "dstack": "cat", "row_stack": "cat", "concat": "cat",
    "cross": "linalg_cross", "max": "maximum", "min": "minimum", "outer": "mul", "ger": "mul", "kron": "mul",
    "float_power": "pow", "square": "pow", "msort": "sort", "take_along_dim": "gather", "nanmean": "nansum",
    "norm": "linalg_vector_norm", "frobenius_norm": "norm", "qr": "linalg_qr", "svd": "_linalg_svd",
    "lu_solve": "linalg_lu_solve", "chain_matmul": "mm", "linalg.det": "_linalg_det",
    "linalg.cholesky": "linalg_cholesky_ex",
    "linalg.eigh": "_linalg_eigh", "linalg.eigvalsh": "_linalg_eigh", "linalg.matrix_power": "matmul",
    "linalg.multi_dot": "mm", "linalg.slogdet": "_linalg_slogdet", "linalg.lu_factor": "linalg_lu_factor_ex",
    "linalg.inv": "linalg_inv_ex", "inverse": "linalg_inv_ex", "linalg.solve": "_linalg_solve_ex",
    "linalg.solve_ex": "_linalg_solve_ex", "linalg.svd": "_linalg_svd", "linalg.svdvals": "_linalg_svd",
    "linalg.matmul": "matmul",
    "nn.functional.normalize": "div", "nn.functional.logsigmoid": "log_sigmoid_forward", "diff": "sub",
    "fft.hfft": "_fft_c2r", "fft.irfft": "_fft_c2r", "fft.hfft2": "_fft_c2r", "fft.irfft2": "_fft_c2r",
    "fft.hfftn": "_fft_c2r", "fft.irfftn": "_fft_c2r", "fft.rfft": "_fft_r2c", "fft.rfft2": "_fft_r2c",
    "fft.rfftn": "_fft_r2c", "fft.fft2": "_fft_c2c", "fft.fftn": "_fft_c2c", "fft.ifft2": "_fft_c2c",
    "fft.ifftn": "_fft_c2c",
}  # fmt: skip
"""Functions that are made of several ops, and the op that writes the result."""

_COPIED = frozenset(
    "quantile nanquantile tensordot inner lu linalg.cond linalg.norm linalg.matrix_norm linalg.tensorinv "
    "linalg.tensorsolve special.ndtr nuclear_norm".split()
)
_NO_WAY_BACK = frozenset(
    "softmax log_softmax diag heaviside floor_divide conj_physical slice_scatter alias_copy as_strided_copy "
    "diagonal_copy expand_copy permute_copy squeeze_copy t_copy transpose_copy unfold_copy unsqueeze_copy view_copy "
    "histogram fft.ihfft linalg.eigvals linalg.ldl_solve".split()
)


def is_copied(name: str, bound: dict[str, Any]) -> bool:
    """Whether a function computes its result first, and then copies it."""
    if name == "inner":
        return all(t._array.ndim for t in (bound["input"], bound["other"]))
    if name in ("diff", "linalg.matrix_power"):
        return bound.get("n", 1) == 0
    return name in _COPIED or name == "norm" and bound.get("p") == "nuc"


def has_no_way_back(name: str, bound: dict[str, Any]) -> bool:
    """Whether the result of a function is written, and gets a node that has no derivative."""
    if name == "normal":  # of two numbers and a size
        return bound.get("size") is not None
    return name in _NO_WAY_BACK or name == "fft.ifft" and not bound["input"]._dtype.is_complex


_READ_FIRST = frozenset(
    "outer ger take_along_dim diff nanmean cross inner chain_matmul linalg.multi_dot linalg.matrix_power "
    "linalg.vecdot float_power".split()
)
"""Functions that check their arguments before they call the op that writes."""

_OUT_READ_FIRST = frozenset("chain_matmul linalg.multi_dot linalg.vecdot float_power".split())
"""Those of them that look at the dtype of `out=` as well."""


def refuse_out(op: Op, args: tuple, kwargs: dict[str, Any], bound: dict[str, Any]) -> None:
    """Refuse a call with `out=`; what PyTorch reads before that is refused first."""
    numbers = op.name == "matmul" and not all(t._array.ndim for t in (bound["input"], bound["other"]))
    if numbers or op.name in _READ_FIRST and bound.get("n") != -1:
        with no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given = {key: value for key, value in kwargs.items() if key != "out"}
            if op.name in _OUT_READ_FIRST:
                given["out"] = kwargs["out"].new_empty(0)
            op.function(*args, **given)
    name = _writer(op.name, bound) or op.name.removeprefix("nn.functional.").replace(".", "_")
    if has_no_way_back(op.name, bound):
        name = f"aten::{'diag_embed' if name == 'diag' else name}"
    refuse(
        RuntimeError,
        f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
        "requires grad.",
        "a result that is written into a tensor has no node of its own",
        f"x = torch.{op.name}(...)",
        "with torch.no_grad(): ...",
        rule="autograd.out",
    )


def _writer(name: str, bound: dict[str, Any]) -> str | None:
    if name in ("max", "min") and not isinstance(bound.get("other"), Tensor):
        return None
    if name == "inner":
        return "mul"
    if name in ("fft.fft", "fft.ifft"):
        return "_fft_c2c" if bound["input"]._dtype.is_complex else "_fft_r2c"
    if name == "linalg.vecdot":
        return "vdot" if bound["x"]._array.ndim == bound["y"]._array.ndim == 1 else "sum"
    if name == "linalg.matrix_power" and bound["n"] == -1:
        return "linalg_inv_ex"
    return _WRITTEN_BY.get(name)


def copy_results(op: Op, bound: dict[str, Any]) -> Any:
    """Compute a result, and copy it into what was given, as a recorded write."""
    out = bound["out"]
    given = {key: value for key, value in bound.items() if key != "out"}
    result = op.function(**given)
    if isinstance(out, Tensor) and out._dtype is not result._dtype:
        with no_grad():
            op.function(**given, out=out.new_empty(0))  # which refuses another dtype, if PyTorch does
    for target, source in [(out, result)] if isinstance(out, Tensor) else zip(out, result, strict=False):
        if target._array.shape != source._array.shape:
            with no_grad():
                resize_output(target, source._array.shape)
        target.copy_(source)
    return out
