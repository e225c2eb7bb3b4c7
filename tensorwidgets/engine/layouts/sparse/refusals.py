"""Errors for ops without a sparse kernel, in PyTorch's words."""

from __future__ import annotations

from typing import Any, NoReturn

from ...dispatch.kinds import TensorKind
from ...dispatch.registry import Op
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.keys import KEY_META
from ...tensor.tensor import Tensor
from .parts.tensors import COMPRESSED, COO, is_compressed, is_coo, layout_name

_NO_STEPS = frozenset(
    ("squeeze", "narrow", "split", "chunk", "split_with_sizes", "as_strided", "diagonal", "tensor_split", "diff")
)
_NO_SHAPES = frozenset(
    ("reshape", "flatten", "ravel", "outer", "inner", "einsum", "tensordot", "view_as", "reshape_as")
)
_NOT_STRETCHED = frozenset(("expand", "expand_as", "broadcast_to", "repeat", "tile"))
_WITH_NUMBERS = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
_COMPARISONS = _WITH_NUMBERS | frozenset(
    "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift remainder fmod copysign xlogy".split()
)
_ATEN = {
    "allclose": "eq.Tensor", "isclose": "eq.Tensor", "sort": "sort.stable", "argsort": "sort.stable",
    "logical_and": "logical_and.out", "logical_or": "logical_or.out", "logical_xor": "logical_xor.out",
    "mean": "mean.dim", "count_nonzero": "count_nonzero.dim_IntList", "std": "std.correction", "var": "var.correction",
    "softmax": "_softmax", "log_softmax": "_log_softmax", "where": "where.self", "unique": "_unique2",
    "linalg.norm": "linalg_vector_norm", "linalg.vector_norm": "linalg_vector_norm", "dequantize": "dequantize.self",
    "fill_": "fill_.Scalar", "lerp": "lerp.Scalar", "diag": "diagonal_copy", "unsqueeze_": "as_strided_",
    "squeeze_": "as_strided_", "isfinite": "ne.Scalar", "logical_not": "logical_not.out",
    "logical_not_": "logical_not.out", "sum_to_size": "view", "pow_": "pow_.Scalar", "square_": "pow_.Scalar",
    "selu": "elu", "celu": "elu", "logsigmoid": "log_sigmoid_forward", "rot90": "flip", "fliplr": "flip",
    "flipud": "flip", "argwhere": "nonzero", "msort": "sort.stable", "nanmean": "ne.Tensor",
    "std_mean": "std_mean.correction", "var_mean": "var_mean.correction",
    "repeat_interleave": "repeat_interleave.Tensor", "block_diag": "as_strided",
    "qr": "linalg_qr", "svd": "_linalg_svd", "det": "_linalg_det",
    "slogdet": "_linalg_slogdet", "matrix_exp": "linalg_matrix_exp", "linalg.cholesky": "linalg_cholesky_ex",
    "linalg.inv": "linalg_inv_ex", "inverse": "linalg_inv_ex", "linalg.det": "_linalg_det",
    "linalg.slogdet": "_linalg_slogdet", "linalg.eigvals": "linalg_eig", "linalg.eigvalsh": "_linalg_eigh",
    "linalg.eigh": "_linalg_eigh", "linalg.svd": "_linalg_svd", "linalg.svdvals": "_linalg_svd",
    "linalg.pinv": "linalg_pinv.atol_rtol_tensor", "linalg.cond": "_linalg_svd",
    "linalg.matrix_norm": "linalg_vector_norm", "linalg.lu_factor": "linalg_lu_factor_ex",
    "linalg.ldl_factor": "linalg_ldl_factor_ex", "linalg.solve": "_linalg_solve_ex",
    "linalg.solve_ex": "_linalg_solve_ex", "linalg.eig": "linalg_eig",
    "kthvalue": "kthvalue.values", "searchsorted": "searchsorted.Tensor", "bucketize": "bucketize.Tensor",
    "isin": "isin.Tensor_Tensor", "cumulative_trapezoid": "as_strided", "gradient": "as_strided",
    "scatter": "scatter.src", "scatter_reduce": "scatter_reduce.two", "cummax": "_cummax_helper",
    "cummin": "_cummin_helper", "logcumsumexp": "_logcumsumexp", "logsumexp": "logsumexp.out",
    "quantile": "sort.stable", "nanquantile": "sort.stable", "histogram": "histogram.bin_ct",
    "cross": "linalg_cross", "vander": "fill_.Scalar", "meshgrid": "view", "combinations": "view",
    **dict.fromkeys(("fft.fft", "fft.ifft", "fft.rfft", "fft.ihfft", "fft.rfft2", "fft.rfftn"), "_fft_r2c"),
    **dict.fromkeys(("fft.ihfft2", "fft.ihfftn"), "_fft_r2c"),
    **dict.fromkeys(("fft.irfft", "fft.hfft", "fft.irfft2", "fft.irfftn"), "_fft_c2r"),
    **dict.fromkeys(("fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn", "fft.hfft2", "fft.hfftn"), "_fft_c2c"),
}  # fmt: skip
"""PyTorch's names of missing kernels that differ from the op's name."""
_ALONG = {
    "all": "all.dim", "any": "any.dim", "prod": "prod.dim_int", "max": "max.dim", "min": "min.dim",
    "median": "median.dim_values", "nanmedian": "nanmedian.dim_values",
}  # fmt: skip
"""The same where a dimension is given."""


_META = TensorKind("sparse", COO.key, "SparseMeta", COO.words, None)


def _handed_on(op: Op) -> bool:
    """Whether an op only hands its arguments on to others, as the functions of layers do, which know the layout."""
    return op.rule is None and op.family == "nn"


def _of_steps_that_are_there(op: Op, args: tuple) -> bool:
    """Whether a call is made of moves and sums alone, or of a product with a dense column."""
    if op.name == "outer":
        return not is_coo(args[0])
    return op.name == "einsum" and isinstance(args[0], str) and len(args) == 2 and is_coo(args[1])


def refuse_coo(op: Op, args: tuple, kwargs: dict) -> Any:
    """Raise PyTorch's error for an op without a kernel for COO tensors, unless it is made of others."""
    if _handed_on(op) or _of_steps_that_are_there(op, args):
        return op.plain(*args, **kwargs)
    flat = op.name in ("quantile", "nanquantile") and args[0]._array.ndim > 1 and len(args) < 3 and "dim" not in kwargs
    if op.name in _NO_SHAPES or flat:
        refuse(
            RuntimeError,
            "reshape is not implemented for sparse tensors",
            f"{op.name} would have to recompute every coordinate",
            "x.to_dense()",
            rule="sparse.reshape",
        )
    if op.name in _NOT_STRETCHED:
        _refuse_expand("Sparse")
    meta = any(is_coo(a) and a._keys & KEY_META for a in args)
    no_kernel(op, _META if meta else COO, "as_strided" if op.name in _NO_STEPS else _called(op, args))


def _refuse_expand(layout: str) -> NoReturn:
    refuse(
        RuntimeError,
        f"expand is unsupported for {layout} tensors",
        "expand would have to repeat every coordinate",
        "x.to_dense()",
        rule="sparse.expand",
    )


def _called(op: Op, args: tuple) -> str:
    if op.name in _COMPARISONS:
        number = len(args) > 1 and not isinstance(args[1], Tensor)
        return f"{op.name}.{'Scalar' if number and op.name in _WITH_NUMBERS else 'Tensor'}"
    if op.name in ("max", "min") and len(args) > 1 and isinstance(args[1], Tensor):
        return f"{op.name}imum"
    if op.name in _ALONG and len(args) > 1 and not isinstance(args[1], Tensor):
        return _ALONG[op.name]
    if op.name == "diag" and args[0]._array.ndim == 1:
        return "diag_embed"
    return _ATEN.get(op.name, "")


_IN_STRIDES = frozenset(
    "argsort msort diag diag_embed diagonal squeeze squeeze_ diff unsqueeze narrow narrow_copy split chunk sort".split()
)
"""Ops that ask where the elements are."""
_IN_ONE_PIECE = frozenset("flatten ravel reshape diagflat quantile nanquantile repeat_interleave".split())
"""Ops that ask whether the elements lie side by side."""
_RESIZED = frozenset("all any amax amin argmax argmin mean prod".split())
"""Reductions whose result would have to be made."""
_WITH_OUT = {
    "all": "all.all_out", "any": "any.all_out", "amax": "amax.out", "amin": "amin.out", "argmax": "argmax.out",
    "argmin": "argmin.out", "cumprod": "cumprod.out", "cumsum": "cumsum.out", "tril": "tril.out", "triu": "triu.out",
    "topk": "topk.values", "softmax": "_softmax.out", "log_softmax": "_log_softmax.out",
    "norm": "norm.out", "mean": "mean.out", "nan_to_num": "nan_to_num.out", "nan_to_num_": "nan_to_num.out",
    "floor_divide": "floor_divide", "logical_not_": "logical_not.out",
}  # fmt: skip


def refuse_compressed(op: Op, args: tuple, kwargs: dict) -> Any:
    """Raise PyTorch's error for an op without a kernel for compressed tensors, unless it is made of others."""
    if _handed_on(op):
        return op.plain(*args, **kwargs)
    if op.name in _NOT_STRETCHED and is_compressed(args[0]):
        _refuse_expand(layout_name(args[0]))
    if op.name in _RESIZED and (len(args) > 1 or "dim" in kwargs):
        refuse(
            RuntimeError,
            f"resize_reduction: support for output with {layout_name(args[0])} layout is not implemented yet",
            f"{op.name} has no kernel for compressed tensors",
            "x.to_dense()",
            rule="sparse.layout",
        )
    if op.name in _WITH_OUT:
        no_kernel(op, COMPRESSED, _WITH_OUT[op.name])
    if op.family in ("pointwise", "comparison", "inplace") and op.name != "equal":
        first = next((t for t in args if is_coo(t) or is_compressed(t)), None)
        refuse(
            RuntimeError,
            f"unsupported tensor layout: {'SparseCsr' if first is None else layout_name(first)}",
            f"{op.name} has no kernel for compressed tensors",
            "x.to_sparse()",
            "x.to_dense()",
            rule="sparse.layout",
        )
    if op.name in _IN_STRIDES and is_compressed(args[0]):
        args[0].stride()  # raises
    if op.name in _IN_ONE_PIECE and is_compressed(args[0]):
        args[0].is_contiguous()  # raises as well
    if op.name in ("cat", "stack"):
        next(t for t in args[0] if is_compressed(t)).is_contiguous()  # raises, too
    no_kernel(op, COMPRESSED, "as_strided" if op.name in ("permute", "squeeze") else _called(op, args))


COO.refusal, COMPRESSED.refusal = refuse_coo, refuse_compressed
COO.way_out = COMPRESSED.way_out = ("x.to_dense()",)
