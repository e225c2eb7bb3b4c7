"""The table: each name that an expression may call, and the rule that bounds what it costs.

The lists of `names` say which of them may be asked of what. NumPy's and PyTorch's meanings of a name share one rule,
which bounds both.
"""

from __future__ import annotations

from .. import names as allowed
from . import factorings, linear, makers, picking, products
from .call import Rule, bound


def _each(text: str, rule: Rule) -> dict[str, Rule]:
    return dict.fromkeys(text.split(), rule)


_ONE, _OTHER = "a|x|x1|input|self|mat1|vec|A", "b|x2|y|v|other|mat2|vec2|tensor2|tensor"
_PAIR = f"{_ONE} {_OTHER}"

_LINEAR: dict[str, Rule] = {
    **dict.fromkeys(allowed.FREE, linear.free),
    **_each("finfo iinfo can_cast is_complex is_floating_point is_nonzero is_tensor numel promote_types result_type "
            "broadcast_shapes len slice is_not isreal q_per_channel_axis q_scale q_zero_point H T mH mT requires_grad_ "
            "detach_ squeeze_ t_ transpose_ unsqueeze_ swapaxes_ swapdims_ as_strided_ rename_ rename refine_names "
            "align_as align_to item expand_as view_as is_set_to bool_ atleast_1d atleast_2d atleast_3d",
            linear.questions),
    **dict.fromkeys(("is", "is not"), linear.free),
    **_each("split unsafe_split chunk unsafe_chunk tensor_split array_split hsplit vsplit dsplit unbind unstack "
            "split_with_sizes unsafe_split_with_sizes", linear.several),
    **_each("broadcast_tensors broadcast_arrays", linear.together_views),
    **_each("tolist tuple list", linear.listed),
    **_each("reshape reshape_as flatten ravel contiguous", linear.reshaped),
    **_each("abs absolute add addcdiv addcmul bitwise_and bitwise_not bitwise_or bitwise_xor ceil clamp clip copysign "
            "deg2rad degrees div divide eq equal fabs fix floor fmax fmin frac ge greater greater_equal gt hardshrink "
            "heaviside invert isclose isfinite isinf isnan isneginf isposinf le lerp less less_equal logical_and "
            "logical_not logical_or logical_xor lt maximum minimum mul multiply nan_to_num ne negative "
            "not_equal positive rad2deg radians reciprocal relu rint sgn sign signbit sqrt square sub "
            "subtract rsub true_divide trunc clamp_max clamp_min allclose array_equal neg int float bool not and or "
            "fill zero fill_ zero_ copy_ masked_fill clone copy conj_physical conjugate resolve_conj resolve_neg real "
            "imag astype bfloat16 byte cdouble cfloat chalf char cpu cuda double half long short to type type_as "
            "new_tensor to_dense flip fliplr flipud rot90 narrow_copy ascontiguousarray asfortranarray "
            "float32 float64 float16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex64 complex128 single "
            "csingle intp uintp dequantize int_repr quantization_report q_per_channel_scales q_per_channel_zero_points "
            "complex polar bitwise_left_shift bitwise_right_shift left_shift right_shift lshift rshift ldexp",
            linear.elementwise(12)),
    **_each("angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh acos acosh asin asinh atan atan2 atanh cbrt "
            "cos cosh exp exp2 expm1 hypot log log10 log1p log2 logaddexp logaddexp2 logit rsqrt sigmoid sin sinc sinh "
            "softmax log_softmax tan tanh renorm gradient quantize_per_tensor quantize_per_channel "
            "quantize_per_tensor_dynamic fake_quantize_per_tensor_affine fake_quantize_per_channel_affine",
            linear.elementwise(30)),
    **_each("bitwise_count divmod erf erfc float_power floor_divide fmod frexp gcd i0 lcm mod nextafter pow power "
            "remainder spacing xlogy bernoulli_ cauchy_ exponential_ geometric_ log_normal_ normal_ random_ uniform_",
            linear.elementwise(60)),
    **_each("digamma erfinv igamma igammac lgamma", linear.elementwise(600)),
    **_each("mvlgamma polygamma", linear.series(600)),
    **_each("all amax amin aminmax any argmax argmin average count_nonzero dist frobenius_norm hash_tensor "
            "logcumsumexp logsumexp max mean min nanmax nanmean nanmin nanprod nanstd nansum nanvar nanargmax "
            "nanargmin prod ptp std std_mean sum var var_mean trace vdot sum_to_size", linear.fold(20)),
    "norm": factorings.norm(factorings.factored(3), ("nuc",)),
    **_each("cummax cummin cumprod cumsum nancumprod nancumsum trapezoid trapz cumulative_trapezoid cross vecdot "
            "tril_ triu_ compress extract masked_select masked_scatter choose", linear.elementwise(40)),
    **_each("argpartition argsort kthvalue lexsort median mode msort nanmedian partition sort topk unique "
            "unique_consecutive isin", linear.ordered(10)),
    **_each("bucketize searchsorted", linear.searched),
    **_each("quantile nanquantile percentile", bound("input|self|a|x q", linear.quantiles)),
    "may_share_memory": bound("a b max_work", linear.memory),
    "diff": bound("input|self|a|x n dim|axis prepend append", linear.differences),
    **_each("roll", linear.rolled),
    **_each("nonzero argwhere nonzero_static", linear.places),
    "round": linear.rounded,
    "where": linear.where,
    "select": linear.joined,
    **dict.fromkeys(("in", "not in"), linear.member),
    **_each("cat concat concatenate stack hstack vstack dstack row_stack column_stack", linear.joined),
    **_each("array asarray asanyarray as_tensor tensor from_numpy", linear.converted),
    **_each("coalesce values col_indices ccol_indices crow_indices row_indices", linear.kept_parts),
    **_each("sparse_coo_tensor sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor "
            "sparse_compressed_tensor to_sparse to_sparse_coo to_sparse_csr to_sparse_csc to_sparse_bsr to_sparse_bsc "
            "sparse_mask", linear.ordered(20)),
}  # fmt: skip

_MADE: dict[str, Rule] = {
    **_each("zeros ones empty rand randn", makers.sizes),
    **_each("new_zeros new_ones new_empty new_full resize resize_", makers.size_after_tensor),
    "full": bound("size|shape", makers.sized),
    **_each("zeros_like ones_like empty_like full_like rand_like randn_like randint_like resize_as resize_as_",
            bound("input|a|prototype shape", lambda call, x, _: makers.like(call, x, call.kwargs.get("shape")))),
    "empty_strided": bound("size stride", makers.strided),
    **_each("eye tri identity", bound("n|N m|M offset|k", makers.rows)),
    **_each("tril_indices triu_indices", bound("row|n col|k offset|m", makers.triangle_indices)),
    "indices": makers.grid,
    "randint": makers.random_whole,
    "randperm": bound("n", makers.counted),
    **_each("arange range", bound("start end|stop step", makers.steps)),
    **_each("linspace logspace geomspace", bound("start end|stop steps|num base", makers.spaced)),
    "diag_indices": bound("n ndim", makers.diagonals),
    "unravel_index": bound("indices shape", makers.unravelled),
    **_each("repeat repeat_interleave", makers.repeated),
    "tile": makers.tiled,
    "vander": bound("x n|N", makers.powers),
    **_each("diag diagflat diag_embed", bound("input|self|v offset|k *more", makers.diagonal_of)),
    **_each("tril triu", bound("input|self|m *more", makers.triangle)),
    "block_diag": bound("*operands", makers.blocks),
    "combinations": bound("input|self r", makers.combinations),
    **_each("hann_window hamming_window blackman_window bartlett_window kaiser_window",
            bound("window_length|n", makers.window)),
    "stft": bound("input|self n_fft hop_length win_length window", makers.frames),
    "istft": bound("input|self n_fft hop_length win_length window *more", makers.unframed),
}  # fmt: skip

_PRODUCTS: dict[str, Rule] = {
    **_each("matmul mm bmm mv", bound(_PAIR, products.matmul)),
    "addbmm": bound("input|self batch1 batch2", products.added_matmul),
    "baddbmm": bound("input|self batch1 batch2", products.added_matmul),
    "addmm": bound("input|self mat1 mat2", products.added_matmul),
    "addmv": bound("input|self mat vec", products.added_matmul),
    "addr": bound("input|self vec1 vec2", products.added_outer),
    **_each("matvec vecmat", bound(_PAIR, products.either)),
    "inner": bound(_PAIR, products.rows_by_rows),
    "dot": bound(_PAIR, products.dot),
    "cdist": bound("x1 x2 p", products.distances),
    **_each("outer ger kron", products.outer),
    **_each("cartesian_prod meshgrid", products.grids),
    **_each("convolve correlate", bound("a b|v", products.slid)),
    **_each("cov corrcoef", bound("input|self|m|x y", products.covariances)),
    "tensordot": bound("a|x1 b|x2 dims|axes", products.tensordot),
    "einsum": bound("equation|subscripts *operands", products.einsum),
    **_each("chain_matmul multi_dot", products.chained),
    "matrix_power": bound("input|self|a|A|M n", products.raised),
    "matrix_exp": bound("input|self|A", products.exponential),
}  # fmt: skip

_FACTORED: dict[str, Rule] = {
    **_each("cholesky cholesky_inverse cholesky_solve lu_solve triangular_solve solve_triangular inv inverse solve "
            "det logdet slogdet", factorings.factored(0.7)),
    **_each("geqrf householder_product ormqr", factorings.factored(1.5)),
    **_each("qr lu lu_factor lu_unpack", factorings.factored(1.5, full=True)),
    **_each("svd", factorings.factored(3, full=True)),
    **_each("svdvals pinv pinverse lstsq matrix_rank cond nuclear_norm", factorings.factored(3, factors=4)),
    **_each("eig eigh eigvals eigvalsh", factorings.factored(12)),
    **_each("svd_lowrank pca_lowrank", bound("A q niter|center M|niter", factorings.low_rank)),
}  # fmt: skip

_PICKED: dict[str, Rule] = {
    "getitem": picking.getitem,
    "take": bound("input|self|a|x indices|index axis|dim", picking.taken),
    "index_select": bound("input|self dim index", picking.selected),
    **_each("gather take_along_axis take_along_dim index_add index_copy index_fill index_reduce put scatter "
            "scatter_add scatter_reduce diagonal_scatter select_scatter slice_scatter as_strided_scatter "
            "fill_diagonal", picking.written),
    "index_put": bound("input|self indices values", picking.indexed_writes),
}  # fmt: skip

RULES: dict[str, Rule] = {**_LINEAR, **_MADE, **_PRODUCTS, **_FACTORED, **_PICKED}

IN_LINALG: dict[str, Rule] = {
    "norm": factorings.norm(factorings.factored(3), (2, -2, 2.0, -2.0, "nuc")),
    "matrix_norm": factorings.norm(factorings.factored(3), (2, -2, 2.0, -2.0, "nuc")),
    "vector_norm": linear.fold(60),
}
"""Names that mean more on a module's `linalg`."""

SHAPING = (frozenset(_MADE) | {name for name, rule in RULES.items() if rule in (linear.free, linear.reshaped)}) | {
    "getitem"
}
"""Names that take sizes, or a key, and look at each dimension together with the others."""

VIEWING: tuple[Rule, ...] = (
    linear.free, linear.reshaped, linear.several, linear.listed, linear.kept_parts, picking.getitem, makers.grid,
    RULES["may_share_memory"],
)  # fmt: skip
"""Rules that ignore the elements of their first operand, or count them themselves."""

WITHOUT_NUMBERS = frozenset("zeros ones empty full empty_strided zeros_like ones_like empty_like full_like".split())
"""Names that allocate nothing for ``device="meta"``."""
