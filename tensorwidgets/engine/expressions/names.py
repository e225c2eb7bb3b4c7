"""What an expression given as text may use: names of functions and attributes.

Whatever reads files, calls back or hands out raw memory is not on the lists, and so is refused. They hold PyTorch's
and NumPy's spelling alike.
"""

from __future__ import annotations

from ..types import dtypes

_ELEMENTWISE = """
abs absolute acos acosh add addcdiv addcmul angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin
asinh atan atan2 atanh bitwise_and bitwise_count bitwise_left_shift bitwise_not bitwise_or
bitwise_right_shift bitwise_xor cbrt ceil clamp clip copysign cos cosh deg2rad degrees digamma div divide
divmod eq equal erf erfc erfinv exp exp2 expm1 fabs fix float_power floor floor_divide fmax fmin fmod frac
frexp gcd ge greater greater_equal gt hardshrink heaviside hypot i0 igamma igammac invert isclose isfinite
isinf isnan isneginf isposinf isreal lcm ldexp le left_shift lerp less less_equal lgamma log log10 log1p
log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logit lt maximum minimum mod mul
multiply mvlgamma nan_to_num ne neg negative nextafter not_equal polygamma positive pow power rad2deg
radians reciprocal relu remainder right_shift rint round rsqrt sgn sigmoid sign signbit sin sinc sinh
softmax log_softmax spacing sqrt square sub subtract tan tanh true_divide trunc where xlogy
"""

_FOLDS = """
all allclose amax amin aminmax any argmax argmin average count_nonzero cummax cummin cumprod cumsum diff
dist frobenius_norm logcumsumexp logsumexp max mean median min mode nanargmax nanargmin nancumprod nancumsum
nanmax nanmean nanmedian nanmin nanprod nanquantile nanstd nansum nanvar norm percentile prod ptp quantile
std std_mean sum trapezoid trapz unique unique_consecutive var var_mean
"""

_PRODUCTS = """
addbmm addmm addmv addr baddbmm bmm cdist chain_matmul cholesky cholesky_inverse cholesky_solve convolve
corrcoef correlate cov cross cumulative_trapezoid det dot einsum geqrf ger inner inverse kron logdet lu
lu_solve matmul matrix_exp matrix_power matvec mm mv nuclear_norm outer pinverse qr slogdet svd tensordot trace
triangular_solve vdot vecdot vecmat
"""

VIEWS = frozenset(
    """
adjoint as_strided broadcast_arrays broadcast_tensors broadcast_to chunk conj detach diagonal dsplit expand
expand_as expand_dims hsplit matrix_transpose moveaxis movedim narrow permute permute_dims rollaxis select
split squeeze swapaxes swapdims t tensor_split transpose unbind unflatten unfold unsafe_chunk unsafe_split
unsqueeze unstack view view_as view_as_complex view_as_real vsplit numpy
""".split()
)
"""Names of views."""

_SHAPES = """
array_split as_strided_scatter atleast_1d atleast_2d atleast_3d block_diag cartesian_prod column_stack
combinations conj_physical conjugate concat concatenate cat contiguous clone copy diag diag_embed
diag_indices diagflat diagonal_scatter dstack flatten flip fliplr flipud hstack meshgrid narrow_copy ravel
real imag repeat repeat_interleave reshape reshape_as resolve_neg roll rot90 row_stack select_scatter
slice_scatter stack tile tril triu vstack ascontiguousarray asfortranarray
"""

_PICKING = """
argpartition argsort argwhere bucketize choose compress extract fill_diagonal gather index_add index_copy
index_fill index_put index_reduce index_select isin kthvalue lexsort masked_fill masked_scatter
masked_select msort nonzero partition put scatter scatter_add scatter_reduce searchsorted sort take
take_along_axis take_along_dim topk
"""

_KINDS = """
can_cast is_complex is_floating_point is_nonzero is_tensor numel promote_types result_type broadcast_shapes
may_share_memory array_equal
"""

MAKERS = frozenset(
    """
arange array as_tensor asarray asanyarray complex empty empty_like empty_strided eye from_numpy full
full_like geomspace identity indices linspace logspace ones ones_like polar rand rand_like randint
randint_like randn randn_like randperm range tensor tri tril_indices triu_indices unravel_index vander zeros
zeros_like finfo iinfo
""".split()
)

QUANTIZING = frozenset(
    """
quantize_per_tensor quantize_per_channel quantize_per_tensor_dynamic fake_quantize_per_tensor_affine
fake_quantize_per_channel_affine
""".split()
)
"""Names of quantization."""

_LADDERS = """
dequantize int_repr q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point
quantization_report
"""

_PLACES = """
coalesce col_indices ccol_indices crow_indices indices row_indices sparse_bsc_tensor sparse_bsr_tensor
sparse_compressed_tensor sparse_coo_tensor sparse_csc_tensor sparse_csr_tensor sparse_mask to_dense to_sparse
to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr values
"""

_ALONE = frozenset((_ELEMENTWISE + _FOLDS + _PRODUCTS + _SHAPES + _PICKING + _LADDERS + _PLACES).split()) | VIEWS

FUNCTIONS = _ALONE | MAKERS | QUANTIZING | frozenset(_KINDS.split())
"""What may be called on a module that the caller gave: ``torch.cat``."""

LINALG = frozenset(
    """
cholesky cond cross det diagonal eig eigh eigvals eigvalsh householder_product inv lstsq lu lu_factor
lu_solve matmul matrix_exp matrix_norm matrix_power matrix_rank matrix_transpose multi_dot norm outer pinv
qr slogdet solve solve_triangular svd svdvals svd_lowrank tensordot trace vander vecdot vector_norm
""".split()
)
"""What may be called on a module's ``linalg``."""

_QUESTIONS = """
data_ptr dim dim_order element_size get_device is_conj is_contiguous is_inference is_neg is_same_size is_set_to
is_shared is_pinned is_signed is_complex is_floating_point itemsize len nbytes ndim ndimension nelement numel size
shape storage storage_offset storage_type stride untyped_storage sparse_dim dense_dim names finfo iinfo
result_type may_share_memory base data device dtype grad is_cpu is_cuda is_leaf is_meta is_quantized
is_sparse layout qscheme requires_grad strides slice is_tensor
"""

FREE = (VIEWS | frozenset(_QUESTIONS.split())) - {"select"}
"""Names that cost nothing, however large the operands seem: views and questions (NumPy's select is not a view)."""

_METHODS_ALONE = """
H T mH mT aminmax astype bfloat16 bool byte cdouble cfloat chalf char cpu cuda double float half int item long
new_empty new_full new_ones new_tensor new_zeros short sum_to_size to tolist type type_as
align_as align_to refine_names rename to_dense
"""

_IN_PLACE = """
bernoulli_ cauchy_ copy_ exponential_ fill_ fill_diagonal_ geometric_ log_normal_ normal_ random_
requires_grad_ resize_ resize_as_ uniform_ zero_ detach_ squeeze_ t_ transpose_ unsqueeze_ swapaxes_
swapdims_ as_strided_ rename_
"""

_WITH_IN_PLACE_FORM = """
addmm addmv addr baddbmm cumprod cumsum index_add index_copy index_fill index_put index_reduce masked_fill
masked_scatter put scatter scatter_add scatter_reduce tril triu
"""

METHODS = (
    _ALONE
    | frozenset(_METHODS_ALONE.split() + _QUESTIONS.split()) - {"len", "finfo", "iinfo", "slice", "is_tensor"}
    | frozenset(_IN_PLACE.split())
    | frozenset(name + "_" for name in (_ELEMENTWISE + _WITH_IN_PLACE_FORM).split())
)
"""What may be asked of an array or a tensor, called or not."""

STORAGE_METHODS = frozenset("data_ptr device dtype element_size nbytes size tolist untyped is_shared".split())
SIZE_METHODS = frozenset(("numel",))
DTYPE_FACTS = frozenset("is_complex is_floating_point is_signed itemsize kind name to_complex to_real".split())
FINFO_FACTS = frozenset("bits dtype eps max min resolution smallest_normal smallest_subnormal tiny".split())
PARTS = frozenset(
    """
values indices eigenvalues eigenvectors Q R U S Vh L V P sign logabsdet LU pivots info mantissa exponent
counts inverse_indices solution residuals rank singular_values min max
""".split()
)
"""Names of the parts of a result that is made of several."""

CONSTANTS = frozenset(
    """
pi e inf nan newaxis strided contiguous_format channels_last channels_last_3d preserve_format bool_ single csingle
intp uintp quint8 qint8 qint32
""".split()
).union((d._name for d in dtypes.ALL), dtypes.ALIASES)
"""Dtypes and numbers that a module holds."""

ATTRIBUTES = (
    FUNCTIONS
    | METHODS
    | LINALG
    | STORAGE_METHODS
    | SIZE_METHODS
    | DTYPE_FACTS
    | FINFO_FACTS
    | PARTS
    | CONSTANTS
    | {"linalg"}
)
"""Every name that may follow a dot."""

CATEGORIES = frozenset(
    "pointwise reduction comparison other blas_lapack indexing_slicing_joining_mutating spectral".split()
)
"""The ops of our own catalogue that compute, and so need not be listed above."""

LEFT_OUT = frozenset(
    """
set_ getitem setitem apply_ map_ map2_ bincount histc histogram histogramdd numpy_T adjoint_view real_part
imag_part lobpcg segment_reduce alias_copy as_strided_copy detach_copy diagonal_copy expand_copy permute_copy
select_copy slice_copy split_copy split_with_sizes_copy squeeze_copy t_copy transpose_copy unbind_copy unfold_copy
unsqueeze_copy view_as_complex_copy view_as_real_copy view_copy
""".split()
)
"""Ops of those categories that may not be named: they take a storage or a function, allocate by what they find, take as
many rounds as they need, or copy what a view shows, which may be far more than there is."""

WORDS = frozenset(
    """
ij xy C F A K C_CONTIGUOUS F_CONTIGUOUS cpu meta none mean sum fro nuc trunc floor linear lower higher
nearest midpoint left right same full valid unsafe safe same_kind no equiv raise wrap clip reduced complete
r bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 float
int complex f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 c8 c16 b1 <f2 <f4 <f8 <i2 <i4 <i8 >f2 >f4 >f8 >i2 >i4 >i8
""".split()
)
"""The texts that NumPy may be given: elsewhere a text such as 'V999999999' would name a dtype of any size."""
