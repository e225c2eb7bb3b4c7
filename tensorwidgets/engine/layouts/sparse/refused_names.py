"""PyTorch's names of the kernels that sparse tensors lack: the op and its overload, by what a call is given."""

from __future__ import annotations

from ...dispatch.called_as import is_operator
from ...dispatch.registry import Op
from ...tensor.tensor import Tensor

_WITH_NUMBERS = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
"""Ops with a kernel for numbers."""
_OF_TWO = _WITH_NUMBERS | frozenset(
    "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift remainder fmod copysign xlogy "
    "rsub floor_divide_".split()
)
SHIFTS = {"bitwise_left_shift": "lshift", "bitwise_right_shift": "rshift"}
_OUT_OF_TWO = {"copysign": "copysign.out", "xlogy": "xlogy.OutTensor"}
"""Where `out=` is given and the overload is not called `Tensor_out`."""

NAMES = {
    "allclose": "eq.Tensor", "isclose": "eq.Tensor", "sort": "sort.stable", "argsort": "sort.stable",
    "logical_and": "logical_and.out", "logical_or": "logical_or.out", "logical_xor": "logical_xor.out",
    "mean": "mean.dim", "count_nonzero": "count_nonzero.dim_IntList", "std": "std.correction", "var": "var.correction",
    "softmax": "_softmax", "log_softmax": "_log_softmax", "where": "where.self", "unique": "_unique2",
    "linalg.norm": "linalg_vector_norm", "linalg.vector_norm": "linalg_vector_norm", "dequantize": "dequantize.self",
    "fill_": "fill_.Scalar", "lerp": "lerp.Scalar", "diag": "diagonal_copy", "unsqueeze_": "as_strided_",
    "squeeze_": "as_strided_", "isfinite": "ne.Scalar", "logical_not": "logical_not.out",
    "logical_not_": "logical_not.out", "sum_to_size": "view", "pow_": "pow_.Scalar", "square_": "pow_.Scalar",
    "selu": "elu", "celu": "elu", "logsigmoid": "log_sigmoid_forward", "nn.functional.logsigmoid":
    "log_sigmoid_forward", "rot90": "flip", "fliplr": "flip",
    "flipud": "flip", "argwhere": "nonzero", "msort": "sort.stable", "nanmean": "ne.Tensor",
    "std_mean": "std_mean.correction", "var_mean": "var_mean.correction",
    "repeat_interleave": "repeat_interleave.Tensor", "block_diag": "as_strided",
    "qr": "linalg_qr", "svd": "_linalg_svd", "det": "_linalg_det", "logdet": "_linalg_slogdet",
    "slogdet": "_linalg_slogdet", "matrix_exp": "linalg_matrix_exp", "linalg.cholesky": "linalg_cholesky_ex",
    "linalg.inv": "linalg_inv_ex", "inverse": "linalg_inv_ex", "linalg.det": "_linalg_det",
    "linalg.slogdet": "_linalg_slogdet", "linalg.eigvals": "linalg_eig", "linalg.eigvalsh": "_linalg_eigh",
    "linalg.eigh": "_linalg_eigh", "linalg.svd": "_linalg_svd", "linalg.svdvals": "_linalg_svd",
    "linalg.pinv": "linalg_pinv.atol_rtol_tensor", "linalg.cond": "_linalg_svd", "nuclear_norm": "_linalg_svd",
    "linalg.matrix_norm": "linalg_vector_norm", "linalg.lu_factor": "linalg_lu_factor_ex",
    "linalg.ldl_factor": "linalg_ldl_factor_ex", "linalg.solve": "_linalg_solve_ex",
    "linalg.solve_ex": "_linalg_solve_ex", "linalg.eig": "linalg_eig",
    "kthvalue": "kthvalue.values", "searchsorted": "searchsorted.Tensor", "bucketize": "bucketize.Tensor",
    "isin": "isin.Tensor_Tensor", "cumulative_trapezoid": "as_strided", "gradient": "as_strided",
    "scatter": "scatter.src", "scatter_": "scatter_.src", "scatter_reduce": "scatter_reduce.two",
    "cummax": "_cummax_helper", "cummin": "_cummin_helper", "logcumsumexp": "_logcumsumexp",
    "logsumexp": "logsumexp.out", "quantile": "sort.stable", "nanquantile": "sort.stable",
    "histogram": "histogram.bin_ct", "cross": "linalg_cross", "vander": "fill_.Scalar", "meshgrid": "view",
    "combinations": "view", "logical_and_": "logical_and.out", "logical_or_": "logical_or.out",
    "logical_xor_": "logical_xor.out", "ldexp": "pow.Scalar", "ldexp_": "pow.Scalar", "hsplit": "as_strided",
    "vsplit": "as_strided", "dsplit": "as_strided", "fill_diagonal_": "as_strided", "view_as": "view",
    "unflatten": "view", "lerp_": "lerp_.Scalar", "masked_fill_": "masked_fill_.Scalar",
    "bernoulli_": "bernoulli_.float", "set_": "set_.source_Tensor", "index_fill_": "index_fill_.int_Scalar",
    "index_put_": "_index_put_impl_", "cdist": "_cdist_forward", "polar": "polar.out", "complex": "complex.out",
    "frexp": "frexp.Tensor_out", "mvlgamma": "arange.start_out", "select_copy": "select_copy.int",
    "transpose_copy": "transpose_copy.int", "_nn.hardtanh": "hardtanh",
    "_nn.hardswish": "hardswish", "normal": "normal.Tensor_float", "_embedding_bag":
    "_embedding_bag_forward_only", "_nn.constant_pad_nd": "fill_.Scalar", "constant_pad_nd": "fill_.Scalar",
    **dict.fromkeys(("fft.fft", "fft.ifft", "fft.rfft", "fft.ihfft", "fft.rfft2", "fft.rfftn"), "_fft_r2c"),
    **dict.fromkeys(("fft.ihfft2", "fft.ihfftn"), "_fft_r2c"),
    **dict.fromkeys(("fft.irfft", "fft.hfft", "fft.irfft2", "fft.irfftn"), "_fft_c2r"),
    **dict.fromkeys(("fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn", "fft.hfft2", "fft.hfftn"), "_fft_c2c"),
}  # fmt: skip
"""PyTorch's names of missing kernels that differ from the op's name."""
_OF_TENSOR = {
    "fill_": "fill_.Tensor", "pow_": "pow_.Tensor", "pow": "pow.Tensor_Tensor", "lerp": "lerp.Tensor",
    "lerp_": "lerp_.Tensor", "masked_fill_": "masked_fill_.Tensor", "index_fill_": "index_fill_.int_Tensor",
    "normal": "normal.Tensor_Tensor", "bernoulli_": "bernoulli_.Tensor",
}  # fmt: skip
"""The same where the last argument is a tensor that might be a number."""
_OF_NUMBER = {"scatter": "scatter.value", "scatter_": "scatter_.value"}
"""The same where it is a number that might be a tensor."""
ALONG = {
    "all": "all.dim", "any": "any.dim", "prod": "prod.dim_int", "max": "max.dim", "min": "min.dim",
    "median": "median.dim_values", "nanmedian": "nanmedian.dim_values",
}  # fmt: skip
"""The same where a dimension is given."""
_INTO = {
    "prod": "prod.int_out", "all": "all.out", "any": "any.out", "std": "std.correction_out",
    "var": "var.correction_out", "pow": "pow.Tensor_Tensor_out", "square": "pow.Tensor_Scalar_out",
    "isin": "isin.Tensor_Tensor_out", "topk": "topk.values", "nanmean": "ne.Tensor", "ldexp": "pow.Scalar",
}  # fmt: skip
"""The same where `out=` is given."""
_OPEN = frozenset("unique sort argsort kthvalue topk".split())
"""Ops whose `out=` changes nothing of the name."""


def missing(op: Op, args: tuple, kwargs: dict) -> str:
    """The name of the kernel that PyTorch looks for in vain; empty where it is the op's own."""
    name = op.name
    if name.removesuffix("_") in _OF_TWO or name in _OF_TWO:
        return _of_two(name, args, kwargs)
    second = args[1] if len(args) > 1 else kwargs.get("other")
    if name == "set_" and len(args) < 2:
        return ""
    if kwargs.get("out") is not None and name not in _OPEN:
        return into_out(name, isinstance(args[-1], Tensor))
    if name in ("max", "min") and isinstance(second, Tensor):
        return f"{name}imum"
    if name in ALONG and ("dim" in kwargs or second is not None):
        return ALONG[name]
    if name == "diag" and args[0]._array.ndim == 1:
        return "diag_embed"
    if len(args) > 1:
        table = _OF_TENSOR if isinstance(args[-1], Tensor) else _OF_NUMBER
        if name in table:
            return table[name]
    return NAMES.get(name, "")


def _of_two(name: str, args: tuple, kwargs: dict) -> str:
    base = name.removesuffix("_")
    second = args[1] if len(args) > 1 else kwargs.get("other")
    number = not isinstance(second, Tensor)
    if base in SHIFTS and isinstance(args[0], Tensor) and is_operator(f"__{SHIFTS[base]}__"):
        return f"__{SHIFTS[base]}__.{'Scalar' if number else 'Tensor'}"
    kind = "Scalar" if number and base in _WITH_NUMBERS else "Tensor"
    if base == "remainder" and not isinstance(args[0], Tensor):
        kind = "Scalar_Tensor"
    if kwargs.get("out") is not None:
        return _OUT_OF_TWO.get(base, f"{base}.{kind}_out")
    return f"{name}.{kind}"


def into_out(name: str, of_tensors: bool = True) -> str:
    """The name of an op's kernel that writes into `out=`."""
    if name == "pow" and not of_tensors:
        return "pow.Tensor_Scalar_out"
    head, _, overload = NAMES.get(name, name.replace("nn.functional.", "").replace(".", "_")).partition(".")
    return _INTO.get(name, f"{head}.out" if not overload.endswith("out") else f"{head}.{overload}")
