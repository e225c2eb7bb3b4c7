# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence
from typing import Any, overload

from numpy import ndarray

from . import accelerator as accelerator
from . import autograd as autograd
from . import backends as backends
from . import compiler as compiler
from . import fft as fft
from . import jit as jit
from . import linalg as linalg
from . import overrides as overrides
from . import random as random
from . import return_types as return_types
from . import signal as signal
from . import sparse as sparse
from . import special as special
from . import testing as testing
from . import utils as utils
from . import version as version
from .engine import result_type as result_type
from .engine.backends.numpy.threads import get_num_interop_threads as get_num_interop_threads
from .engine.backends.numpy.threads import get_num_threads as get_num_threads
from .engine.backends.numpy.threads import set_num_interop_threads as set_num_interop_threads
from .engine.backends.numpy.threads import set_num_threads as set_num_threads
from .engine.compat import cuda as cuda
from .engine.compat.old_constructors import set_default_tensor_type as set_default_tensor_type
from .engine.compat.removed import _symeig as __symeig
from .engine.compat.removed import eig as eig
from .engine.compat.removed import lstsq as lstsq
from .engine.compat.removed import matrix_rank as matrix_rank
from .engine.compat.removed import solve as solve
from .engine.compat.switches import _assert as _assert
from .engine.compat.switches import are_deterministic_algorithms_enabled as are_deterministic_algorithms_enabled
from .engine.compat.switches import compiled_with_cxx11_abi as compiled_with_cxx11_abi
from .engine.compat.switches import get_deterministic_debug_mode as get_deterministic_debug_mode
from .engine.compat.switches import get_float32_matmul_precision as get_float32_matmul_precision
from .engine.compat.switches import (
    is_deterministic_algorithms_warn_only_enabled as is_deterministic_algorithms_warn_only_enabled,
)
from .engine.compat.switches import set_deterministic_debug_mode as set_deterministic_debug_mode
from .engine.compat.switches import set_float32_matmul_precision as set_float32_matmul_precision
from .engine.compat.switches import use_deterministic_algorithms as use_deterministic_algorithms
from .engine.dispatch.kinds import add_kind as add_kind
from .engine.dispatch.kinds import forget_kind as forget_kind
from .engine.dispatch.route import forget_kernel as forget_kernel
from .engine.dispatch.route import register_kernel as register_kernel
from .engine.dispatch.route import route as route
from .engine.errors.warnings import is_warn_always_enabled as is_warn_always_enabled
from .engine.errors.warnings import set_warn_always as set_warn_always
from .engine.explain import why as why
from .engine.files import FileError as FileError
from .engine.files import RefusedGlobal as RefusedGlobal
from .engine.files import load as load
from .engine.files import load_hdf5 as load_hdf5
from .engine.files import load_npy as load_npy
from .engine.files import load_npz as load_npz
from .engine.files import load_safetensors as load_safetensors
from .engine.files import save as save
from .engine.files import save_hdf5 as save_hdf5
from .engine.files import save_npy as save_npy
from .engine.files import save_npz as save_npz
from .engine.files import save_safetensors as save_safetensors
from .engine.help.catalogue import catalogue as catalogue
from .engine.layouts.quantized.questions import Report as _Report
from .engine.modes.recording import recording as recording
from .engine.ops.small.questions import is_complex as is_complex
from .engine.ops.small.questions import is_conj as is_conj
from .engine.ops.small.questions import is_floating_point as is_floating_point
from .engine.ops.small.questions import is_inference as is_inference
from .engine.ops.small.questions import is_neg as is_neg
from .engine.ops.small.questions import is_nonzero as is_nonzero
from .engine.ops.small.questions import is_signed as is_signed
from .engine.ops.small.questions import is_storage as is_storage
from .engine.ops.small.questions import is_tensor as is_tensor
from .engine.ops.small.questions import numel as numel
from .engine.ops.small.questions import set_flush_denormal as set_flush_denormal
from .engine.ops.small.questions import typename as typename
from .engine.ops.views.reshaping import broadcast_shapes as broadcast_shapes
from .engine.tensor.generator import Generator as Generator
from .engine.tensor.generator import Generator as _Generator
from .engine.tensor.generator import get_rng_state as get_rng_state
from .engine.tensor.generator import initial_seed as initial_seed
from .engine.tensor.generator import manual_seed as manual_seed
from .engine.tensor.generator import seed as seed
from .engine.tensor.generator import set_rng_state as set_rng_state
from .engine.tensor.grad_mode import enable_grad as enable_grad
from .engine.tensor.grad_mode import grad_enabled as _grad_enabled
from .engine.tensor.grad_mode import inference_enabled as _inference_enabled
from .engine.tensor.grad_mode import inference_mode as inference_mode
from .engine.tensor.grad_mode import no_grad as no_grad
from .engine.tensor.grad_mode import set_grad_enabled as set_grad_enabled
from .engine.tensor.storage import FloatStorage as FloatStorage
from .engine.tensor.storage import TypedStorage as TypedStorage
from .engine.tensor.storage import UntypedStorage as UntypedStorage
from .engine.tensor.tensor import Tensor as Tensor
from .engine.tensor.tensor_methods import _Number as _Number
from .engine.tensor.tensor_methods import aminmax_result as aminmax_result
from .engine.tensor.tensor_methods import cummax_result as cummax_result
from .engine.tensor.tensor_methods import cummin_result as cummin_result
from .engine.tensor.tensor_methods import frexp_result as frexp_result
from .engine.tensor.tensor_methods import geqrf_result as geqrf_result
from .engine.tensor.tensor_methods import histogram_result as histogram_result
from .engine.tensor.tensor_methods import histogramdd_result as histogramdd_result
from .engine.tensor.tensor_methods import kthvalue_result as kthvalue_result
from .engine.tensor.tensor_methods import lu_unpack_result as lu_unpack_result
from .engine.tensor.tensor_methods import max_result as max_result
from .engine.tensor.tensor_methods import median_result as median_result
from .engine.tensor.tensor_methods import min_result as min_result
from .engine.tensor.tensor_methods import mode_result as mode_result
from .engine.tensor.tensor_methods import nanmedian_result as nanmedian_result
from .engine.tensor.tensor_methods import qr_result as qr_result
from .engine.tensor.tensor_methods import slogdet_result as slogdet_result
from .engine.tensor.tensor_methods import sort_result as sort_result
from .engine.tensor.tensor_methods import svd_result as svd_result
from .engine.tensor.tensor_methods import topk_result as topk_result
from .engine.tensor.tensor_methods import triangular_solve_result as triangular_solve_result
from .engine.types.device import device as _device
from .engine.types.device import device as device
from .engine.types.device import get_default_device as get_default_device
from .engine.types.device import set_default_device as set_default_device
from .engine.types.dtypes import dtype as _dtype
from .engine.types.dtypes import dtype as dtype
from .engine.types.dtypes import get_default_dtype as get_default_dtype
from .engine.types.dtypes import set_default_dtype as set_default_dtype
from .engine.types.formats import layout as _layout
from .engine.types.formats import layout as layout
from .engine.types.formats import memory_format as _memory_format
from .engine.types.formats import memory_format as memory_format
from .engine.types.formats import qscheme as _qscheme
from .engine.types.limits import finfo as finfo
from .engine.types.limits import iinfo as iinfo
from .engine.types.print_options import set_printoptions as set_printoptions
from .engine.types.promotion import can_cast as can_cast
from .engine.types.promotion import promote_types as promote_types
from .engine.types.size import Size as Size
from .inspecting import inspect_file as inspect_file
from .live import BroadcastExplorer as BroadcastExplorer
from .live import DtypeExplorer as DtypeExplorer
from .live import EinsumExplorer as EinsumExplorer
from .live import NamedDimsExplorer as NamedDimsExplorer
from .live import StepsExplorer as StepsExplorer
from .live import StorageExplorer as StorageExplorer
from .notebook import load_ipython_extension as load_ipython_extension
from .pictures import show as show

__version__: str
bfloat16: _dtype
bool: _dtype
cdouble: _dtype
cfloat: _dtype
chalf: _dtype
channels_last: _memory_format
channels_last_3d: _memory_format
complex128: _dtype
complex32: _dtype
complex64: _dtype
contiguous_format: _memory_format
default_generator: _Generator
double: _dtype
e: _float
float: _dtype
float16: _dtype
float32: _dtype
float64: _dtype
float8_e4m3fn: _dtype
float8_e4m3fnuz: _dtype
float8_e5m2: _dtype
float8_e5m2fnuz: _dtype
half: _dtype
inf: _float
int: _dtype
int16: _dtype
int32: _dtype
int64: _dtype
int8: _dtype
long: _dtype
nan: _float
newaxis: None
per_channel_affine: _qscheme
per_channel_affine_float_qparams: _qscheme
per_channel_symmetric: _qscheme
per_tensor_affine: _qscheme
per_tensor_symmetric: _qscheme
pi: _float
preserve_format: _memory_format
qint32: _dtype
qint8: _dtype
quint2x4: _dtype
quint4x2: _dtype
quint8: _dtype
short: _dtype
sparse_bsc: _layout
sparse_bsr: _layout
sparse_coo: _layout
sparse_csc: _layout
sparse_csr: _layout
strided: _layout
uint16: _dtype
uint32: _dtype
uint64: _dtype
uint8: _dtype

class BFloat16Storage(TypedStorage): ...
class BFloat16Tensor(Tensor): ...
class BoolStorage(TypedStorage): ...
class BoolTensor(Tensor): ...
class ByteStorage(TypedStorage): ...
class ByteTensor(Tensor): ...
class CharStorage(TypedStorage): ...
class CharTensor(Tensor): ...
class ComplexDoubleStorage(TypedStorage): ...
class ComplexFloatStorage(TypedStorage): ...
class DoubleStorage(TypedStorage): ...
class DoubleTensor(Tensor): ...
class FloatTensor(Tensor): ...
class HalfStorage(TypedStorage): ...
class HalfTensor(Tensor): ...
class IntStorage(TypedStorage): ...
class IntTensor(Tensor): ...
class LongStorage(TypedStorage): ...
class LongTensor(Tensor): ...
class ShortStorage(TypedStorage): ...
class ShortTensor(Tensor): ...
abs_ = Tensor.abs_
acos_ = Tensor.acos_
acosh_ = Tensor.acosh_
addmv_ = Tensor.addmv_
arccos_ = Tensor.arccos_
arccosh_ = Tensor.arccosh_
arcsin_ = Tensor.arcsin_
arcsinh_ = Tensor.arcsinh_
arctan_ = Tensor.arctan_
arctanh_ = Tensor.arctanh_
asin_ = Tensor.asin_
asinh_ = Tensor.asinh_
atan_ = Tensor.atan_
atanh_ = Tensor.atanh_
ceil_ = Tensor.ceil_
clamp_ = Tensor.clamp_
clamp_max_ = Tensor.clamp_max_
clamp_min_ = Tensor.clamp_min_
clip_ = Tensor.clip_
conj_physical_ = Tensor.conj_physical_
cos_ = Tensor.cos_
cosh_ = Tensor.cosh_
deg2rad_ = Tensor.deg2rad_
erf_ = Tensor.erf_
erfc_ = Tensor.erfc_
exp2_ = Tensor.exp2_
exp_ = Tensor.exp_
expm1_ = Tensor.expm1_
fill_ = Tensor.fill_
fix_ = Tensor.fix_
floor_ = Tensor.floor_
frac_ = Tensor.frac_
gcd_ = Tensor.gcd_
i0_ = Tensor.i0_
index_put_ = Tensor.index_put_
is_grad_enabled = _grad_enabled
is_inference_mode_enabled = _inference_enabled
lcm_ = Tensor.lcm_
ldexp_ = Tensor.ldexp_
log10_ = Tensor.log10_
log1p_ = Tensor.log1p_
log2_ = Tensor.log2_
log_ = Tensor.log_
logit_ = Tensor.logit_
nan_to_num_ = Tensor.nan_to_num_
neg_ = Tensor.neg_
negative_ = Tensor.negative_
rad2deg_ = Tensor.rad2deg_
reciprocal_ = Tensor.reciprocal_
relu_ = Tensor.relu_
resize_as_sparse_ = Tensor.resize_as_sparse_
round_ = Tensor.round_
rsqrt_ = Tensor.rsqrt_
sigmoid_ = Tensor.sigmoid_
sin_ = Tensor.sin_
sinc_ = Tensor.sinc_
sinh_ = Tensor.sinh_
sqrt_ = Tensor.sqrt_
square_ = Tensor.square_
symeig = __symeig
tan_ = Tensor.tan_
tanh_ = Tensor.tanh_
trunc_ = Tensor.trunc_
xlogy_ = Tensor.xlogy_
zero_ = Tensor.zero_

@overload
def _empty_affine_quantized(
    *size: _int,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    scale: _float = 1,
    zero_point: _int = 0,
) -> Tensor:
    """A quantised tensor whose whole numbers have not been set."""
@overload
def _empty_affine_quantized(
    size: Sequence[_int],
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    scale: _float = 1,
    zero_point: _int = 0,
) -> Tensor: ...
@overload
def _empty_per_channel_affine_quantized(
    *size: _int,
    scales: Tensor,
    zero_points: Tensor,
    axis: _int,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
) -> Tensor:
    """A quantised tensor with a ladder for each channel, whose whole numbers have not been set."""
@overload
def _empty_per_channel_affine_quantized(
    size: Sequence[_int],
    *,
    scales: Tensor,
    zero_points: Tensor,
    axis: _int,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
) -> Tensor: ...
def _make_per_channel_quantized_tensor(
    input: Tensor, scale: Tensor, zero_point: Tensor, axis: _int
) -> Tensor:
    """A quantised tensor from the whole numbers themselves, with a ladder for each channel."""
def _make_per_tensor_quantized_tensor(input: Tensor, scale: _float, zero_point: _int) -> Tensor:
    """A quantised tensor from the whole numbers themselves."""
def abs(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The size of every element."""
absolute = abs
def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose cosine is x."""
arccos = acos
def acosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of cosh."""
arccosh = acosh
def add(
    input: Tensor | _Number, other: Tensor | _Number, *, alpha: _Number = 1, out: Tensor | None = None
) -> Tensor:
    """The sum of two tensors, element by element; `other` may be multiplied by alpha first."""
def addbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: _int = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor plus the sum of the products of two batches of matrices."""
def addcdiv(
    input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1, out: Tensor | None = None
) -> Tensor:
    """The quotient of two tensors, times a number, added to a third."""
def addcmul(
    input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1, out: Tensor | None = None
) -> Tensor:
    """The product of two tensors, times a number, added to a third."""
def addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: _int = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor plus the product of two matrices."""
def addmv(
    input: Tensor, mat: Tensor, vec: Tensor, *, beta: _int = 1, alpha: _Number = 1, out: Tensor | None = None
) -> Tensor:
    """A tensor plus the product of a matrix and a vector."""
def addr(
    input: Tensor,
    vec1: Tensor,
    vec2: Tensor,
    *,
    beta: _int = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """A matrix plus the outer product of two vectors."""
def adjoint(input: Tensor) -> Tensor:
    """The conjugate transpose of a matrix, or of a batch of them. A view."""
def alias_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of all elements."""
@overload
def align_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Tensors with the dimensions of the one that has most, in its order. Views."""
@overload
def align_tensors(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def all(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether all elements are true."""
def allclose(
    input: Tensor, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False
) -> _bool:
    """Whether all elements agree within atol + rtol * |other|."""
def amax(
    input: Tensor, dim: _int | Sequence[_int] = (), keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The largest element over the dimensions named; NaN wins."""
def amin(
    input: Tensor, dim: _int | Sequence[_int] = (), keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The smallest element over the dimensions named; NaN wins."""
def aminmax(
    input: Tensor, *, dim: _int | None = None, keepdim: _bool = False, out: tuple[Tensor, ...] | None = None
) -> aminmax_result:
    """The smallest and the largest element."""
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of a complex number; pi for negative numbers."""
def any(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether any element is true."""
@overload
def arange(
    start: _Number = 0,
    end: _Number | None = None,
    step: _Number = 1,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Numbers from start up to, and without, end, by a step."""
@overload
def arange(
    end: _Number,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def argmax(
    input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Where the largest element is."""
def argmin(
    input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Where the smallest element is."""
@overload
def argsort(
    input: Tensor, *, stable: _bool, dim: _int = -1, descending: _bool = False, out: Tensor | None = None
) -> Tensor:
    """Where the elements along a dimension are, in order."""
@overload
def argsort(input: Tensor, dim: _int = -1, descending: _bool = False) -> Tensor: ...
def argwhere(input: Tensor) -> Tensor:
    """The places of all elements that are not 0, a row each."""
def as_strided(
    input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
) -> Tensor:
    """Any size, stride and offset over the same storage. A view."""
def as_strided_(
    input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
) -> Tensor:
    """In-place form of `as_strided`."""
def as_strided_copy(
    input: Tensor,
    size: Sequence[_int],
    stride: Sequence[_int],
    storage_offset: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of what `as_strided` shows."""
def as_strided_scatter(
    input: Tensor,
    src: Tensor,
    size: Sequence[_int],
    stride: Sequence[_int],
    storage_offset: _int | None = None,
) -> Tensor:
    """A copy in which the elements that a size and stride reach are another tensor."""
def as_tensor(data: Any, dtype: _dtype | None = None, device: _device | str | None = None) -> Tensor:
    """Numbers as a tensor: shared where they are in an array or a tensor already, else copied."""
def asarray(
    obj: Any,
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    copy: _bool | None = None,
    requires_grad: _bool | None = None,
) -> Tensor:
    """Numbers as a tensor: shared where they are in an array, a tensor or a buffer already, else copied."""
def asin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose sine is x."""
arcsin = asin
def asinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of sinh."""
arcsinh = asinh
def atan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose tangent is x."""
arctan = atan
def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point (other, input)."""
arctan2 = atan2
def atanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of tanh."""
arctanh = atanh
@overload
def atleast_1d(*tensors: Sequence[Tensor]) -> Tensor:
    """With a dimension of size 1 where there is none. A view."""
@overload
def atleast_1d(tensors: Sequence[Sequence[Tensor]]) -> Tensor: ...
@overload
def atleast_2d(*tensors: Sequence[Tensor]) -> Tensor:
    """With dimensions of size 1 before, so that there are at least two. A view."""
@overload
def atleast_2d(tensors: Sequence[Sequence[Tensor]]) -> Tensor: ...
@overload
def atleast_3d(*tensors: Sequence[Tensor]) -> Tensor:
    """With dimensions of size 1 around, so that there are at least three. A view."""
@overload
def atleast_3d(tensors: Sequence[Sequence[Tensor]]) -> Tensor: ...
def baddbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: _int = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """A tensor plus the products of two batches of matrices."""
def bartlett_window(
    window_length: _int,
    periodic: _bool = True,
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A triangle."""
def bernoulli(
    input: Tensor,
    p: _float | Tensor | None = None,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """1 with the probability that the tensor tells for each element, else 0."""
def bincount(input: Tensor, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
    """How often each whole number from 0 on occurs, or the weights that it carries."""
def binomial(count: Tensor, prob: Tensor, generator: _Generator | None = None) -> Tensor:
    """How many of `count` tries succeed, each with the probability `prob`, for each element."""
def bitwise_and(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The bits that both have."""
def bitwise_left_shift(
    input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None
) -> Tensor:
    """Bits moved to the left."""
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Every bit turned over; for bool, the opposite."""
def bitwise_or(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The bits that either has."""
def bitwise_right_shift(
    input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None
) -> Tensor:
    """Bits moved to the right."""
def bitwise_xor(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The bits that one of the two has."""
def blackman_window(
    window_length: _int,
    periodic: _bool = True,
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Three cosines, with little outside the main lobe."""
@overload
def block_diag(*tensors: Sequence[Tensor]) -> Tensor:
    """Matrices along the diagonal of one, with zeros around them."""
@overload
def block_diag(tensors: Sequence[Sequence[Tensor]]) -> Tensor: ...
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The products of two batches of matrices."""
@overload
def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Tensors stretched to a common size by strides of 0. Views."""
@overload
def broadcast_tensors(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def broadcast_to(input: Tensor, size: Sequence[_int]) -> Tensor:
    """Stretched to a size by strides of 0. A view."""
@overload
def bucketize(
    input: Tensor,
    boundaries: Tensor,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Between which two boundaries each value lies."""
@overload
def bucketize(
    input: _Number,
    boundaries: Tensor,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def cartesian_prod(*tensors: Sequence[Tensor]) -> Tensor:
    """Every way to take one element of each vector, a row each."""
@overload
def cartesian_prod(tensors: Sequence[Sequence[Tensor]]) -> Tensor: ...
def cat(
    tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None, axis: _int | None = None
) -> Tensor:
    """Tensors one after the other along a dimension that they have."""
concat = cat
concatenate = cat
def cdist(
    x1: Tensor, x2: Tensor, p: _float = 2.0, compute_mode: str = 'use_mm_for_euclid_dist_if_necessary'
) -> Tensor:
    """The distances between the rows of one batch of matrices and those of another."""
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounded up."""
@overload
def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """The product of several matrices, in the order that costs least."""
@overload
def chain_matmul(matrices: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor: ...
def cholesky(input: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The triangular factor of a positive-definite matrix."""
def cholesky_inverse(input: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The inverse of A, from its triangular factor."""
def cholesky_solve(
    input: Tensor, input2: Tensor, upper: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """X with A X = B, from the triangular factor of A."""
def chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """At most so many pieces along one dimension, the last perhaps shorter. Each a view."""
def clamp(
    input: Tensor,
    min: Tensor | _Number | None = None,
    max: Tensor | _Number | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Every element kept between min and max."""
clip = clamp
def clamp_max(input: Tensor, max: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Every element at most max."""
def clamp_min(input: Tensor, min: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Every element at least min."""
def clone(input: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """A copy with a storage of its own; dense strides are kept."""
def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Tensors side by side, vectors as columns."""
def combinations(input: Tensor, r: _int = 2, with_replacement: _bool = False) -> Tensor:
    """Every choice of so many elements of a vector, a row each."""
def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers from their real and imaginary parts."""
def conj(input: Tensor) -> Tensor:
    """The complex conjugate: a view that promises it; a real tensor as it is."""
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate, computed at once."""
def copysign(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The size of one with the sign of the other."""
def corrcoef(input: Tensor) -> Tensor:
    """The correlation of variables (rows) over observations (columns), between -1 and 1."""
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The cosine of every element."""
def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine."""
def count_nonzero(input: Tensor, dim: _int | None = None) -> Tensor:
    """How many elements are not zero."""
def cov(
    input: Tensor, *, correction: _int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    """How variables (rows) change together over observations (columns)."""
def cross(input: Tensor, other: Tensor, dim: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The cross product of vectors of three elements."""
def cummax(input: Tensor, dim: _int, *, out: tuple[Tensor, ...] | None = None) -> cummax_result:
    """The largest so far along a dimension, and where it was."""
def cummin(input: Tensor, dim: _int, *, out: tuple[Tensor, ...] | None = None) -> cummin_result:
    """The smallest so far along a dimension, and where it was."""
def cumprod(input: Tensor, dim: _int, *, dtype: _dtype | None = None, out: Tensor | None = None) -> Tensor:
    """The running product along a dimension."""
def cumsum(input: Tensor, dim: _int, *, dtype: _dtype | None = None, out: Tensor | None = None) -> Tensor:
    """The running sum along a dimension."""
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: _Number = 1, dim: _int = -1) -> Tensor:
    """The running area under points, by trapezoids."""
def deg2rad(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Degrees as radians."""
@overload
def dequantize(input: Tensor) -> Tensor:
    """The values that the whole numbers stand for, as a plain float32 tensor."""
@overload
def dequantize(tensors: Sequence[Tensor]) -> Tensor: ...
def det(input: Tensor) -> Tensor:
    """The determinant of square matrices."""
def detach(input: Tensor) -> Tensor:
    """The same elements as a tensor that is no view and has no history."""
def detach_(input: Tensor) -> Tensor:
    """Forget what the tensor was made from; refused for views."""
def detach_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `detach` shows."""
def diag(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The diagonal of a matrix as a vector, or a matrix with a vector on its diagonal. A copy."""
def diag_embed(input: Tensor, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """Vectors on the diagonals of matrices, with zeros around them."""
def diagflat(input: Tensor, offset: _int = 0) -> Tensor:
    """All elements on the diagonal of a matrix."""
def diagonal(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """The diagonal of two dimensions, as the last dimension: its stride is the sum of both. A view."""
def diagonal_copy(
    input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, *, out: Tensor | None = None
) -> Tensor:
    """A copy of what `diagonal` shows."""
def diagonal_scatter(input: Tensor, src: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """A copy in which a diagonal is another tensor."""
def diff(
    input: Tensor,
    n: _int = 1,
    dim: _int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The differences of neighbours along a dimension, n times over."""
def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The slope of lgamma."""
def dist(input: Tensor, other: Tensor, p: _float = 2) -> Tensor:
    """The norm of the difference of two tensors."""
def div(
    input: Tensor | _Number,
    other: Tensor | _Number,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The quotient of two tensors, element by element."""
divide = div
true_divide = div
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of two vectors."""
def dsplit(input: Tensor, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
    """Pieces along the third dimension. Each a view."""
def dstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Tensors behind each other, along a third dimension."""
@overload
def einsum(equation: str, *operands: Tensor) -> Tensor:
    """Products of tensors, summed over the letters that the result does not have."""
@overload
def einsum(equation: str, operands: Sequence[Tensor]) -> Tensor: ...
@overload
def empty(
    *size: _int,
    memory_format: _memory_format | None = None,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A tensor of whatever lay in memory before, of a size."""
@overload
def empty(
    size: Sequence[_int],
    *,
    memory_format: _memory_format | None = None,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def empty_like(
    input: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A tensor of whatever lay in memory before, of the size, dtype and order of another."""
def empty_permuted(
    size: Sequence[_int],
    physical_layout: Sequence[_int],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A tensor whose dimensions lie in storage in an order of one's own, the last one closest."""
def empty_strided(
    size: Sequence[_int],
    stride: Sequence[_int],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A tensor of a size with strides of one's own, of whatever lay in memory before."""
def eq(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is equal."""
def equal(input: Tensor, other: Tensor) -> _bool:
    """Whether two tensors have the same size and the same elements."""
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The error function: 2/sqrt(pi) times the integral of exp(-t*t) from 0 to x."""
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 - erf(x), exact for large x."""
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of erf."""
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """e to the power of every element."""
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of every element."""
def expand_copy(input: Tensor, size: Sequence[_int], *, out: Tensor | None = None) -> Tensor:
    """A copy of what `expand` shows."""
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """exp(x) - 1, exact for small x."""
@overload
def eye(
    n: _int,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A matrix with ones on its diagonal and zeros elsewhere."""
@overload
def eye(
    n: _int,
    m: _int,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def fake_quantize_per_channel_affine(
    input: Tensor, scale: Tensor, zero_point: Tensor, axis: _int, quant_min: _int, quant_max: _int
) -> Tensor:
    """Plain numbers as they would be after quantising by channels and back."""
@overload
def fake_quantize_per_tensor_affine(
    input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: _int, quant_max: _int
) -> Tensor:
    """Plain numbers as they would be after quantising and back."""
@overload
def fake_quantize_per_tensor_affine(
    input: Tensor, scale: _float, zero_point: _int, quant_min: _int, quant_max: _int
) -> Tensor: ...
@overload
def fill(input: Tensor, value: Tensor) -> Tensor:
    """A copy in which every element is one number."""
@overload
def fill(input: Tensor, value: _Number) -> Tensor: ...
def flatten(input: Tensor, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
    """Several dimensions as one: the tensor itself, a view, or a copy where strides do not merge."""
@overload
def flip(input: Tensor, *dims: _int) -> Tensor:
    """Elements in reverse order along dimensions. A copy."""
@overload
def flip(input: Tensor, dims: Sequence[_int]) -> Tensor: ...
def fliplr(input: Tensor) -> Tensor:
    """Columns in reverse order. A copy."""
def flipud(input: Tensor) -> Tensor:
    """Rows in reverse order. A copy."""
def float_power(input: Tensor, exponent: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Powers, computed and given in float64 or complex128."""
def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounded down."""
def floor_divide(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient rounded down to a whole number."""
def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The larger of two, element by element; a number wins over NaN."""
def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smaller of two, element by element; a number wins over NaN."""
def fmod(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """What division leaves, with the sign of the dividend, as C's fmod."""
def frac(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """What trunc cuts off."""
def frexp(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> frexp_result:
    """The mantissa (between 1/2 and 1) and the power of 2 of every element."""
def from_dlpack(ext_tensor: Any, *, device: _device | str | None = None, copy: _bool | None = None) -> Tensor:
    """A tensor that shares the memory of another library's array."""
def from_numpy(ndarray: ndarray) -> Tensor:
    """A tensor that shares the memory of a NumPy array."""
def frombuffer(
    buffer: Any, *, dtype: _dtype, count: _int = -1, offset: _int = 0, requires_grad: _bool = False
) -> Tensor:
    """A tensor over the bytes of an object that shows its memory: bytearray, memoryview, array.array, mmap
    …
    """
def full(
    size: Sequence[_int],
    fill_value: _Number,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A tensor of one number, of a size."""
def full_like(
    input: Tensor,
    fill_value: _Number,
    *,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A tensor of one number, of the size, dtype and order of another."""
def gather(
    input: Tensor, dim: _int, index: Tensor, *, sparse_grad: _bool = False, out: Tensor | None = None
) -> Tensor:
    """Elements picked along one dimension, by an index of the result's size."""
def gcd(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The greatest common divisor."""
def ge(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is larger or equal."""
greater_equal = ge
def geqrf(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> geqrf_result:
    """The reflections of a QR factorisation, packed."""
def gradient(
    input: Tensor,
    *,
    spacing: _Number | Tensor | Sequence[_Number] | Sequence[Tensor] | None = None,
    dim: _int | Sequence[_int] | None = None,
    edge_order: _int = 1,
) -> tuple[Tensor, ...]:
    """The slope at each place along dimensions, from its neighbours on both sides."""
def gt(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is larger."""
greater = gt
def hamming_window(
    window_length: _int,
    periodic: _bool = True,
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A raised cosine that does not quite reach 0."""
def hann_window(
    window_length: _int,
    periodic: _bool = True,
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A raised cosine."""
def hardshrink(input: Tensor, lambd: _float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Elements within lambd of 0 become 0."""
def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor:
    """0 below zero, 1 above, and `values` at zero."""
def histc(
    input: Tensor, bins: _int = 100, min: _Number = 0, max: _Number = 0, *, out: Tensor | None = None
) -> Tensor:
    """How many elements lie in each of so many bins of one width."""
def histogram(
    input: Tensor,
    bins: _int | Tensor = 100,
    *,
    range: Sequence[_float] | None = None,
    weight: Tensor | None = None,
    density: _bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> histogram_result:
    """How many elements, or how much weight, lies in each bin, and the edges of the bins."""
def histogramdd(
    input: Tensor,
    bins: _int | Sequence[_int] | Sequence[Tensor],
    range: Sequence[_float] | None = None,
    weight: Tensor | None = None,
    density: _bool = False,
) -> histogramdd_result:
    """How many points lie in each cell of a grid of any number of dimensions, and the edges along each."""
def hsplit(input: Tensor, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
    """Pieces along the columns. Each a view."""
def hspmm(mat1: Tensor, mat2: Tensor) -> Tensor:
    """A sparse matrix times a dense one; rows are kept whole."""
def hstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Tensors side by side."""
def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The length of the hypotenuse."""
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind, of order 0."""
def igamma(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The lower incomplete gamma function, as a part of the whole."""
def igammac(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The upper incomplete gamma function, as a part of the whole."""
def imag(input: Tensor) -> Tensor:
    """The imaginary parts of a complex tensor. A view."""
def index_add(
    input: Tensor, dim: _int, index: Tensor, source: Tensor, *, alpha: _Number = 1, out: Tensor | None = None
) -> Tensor:
    """A copy with slices added to those at places along one dimension."""
def index_copy(
    input: Tensor, dim: _int, index: Tensor, source: Tensor, *, out: Tensor | None = None
) -> Tensor:
    """A copy with slices written to places along one dimension."""
@overload
def index_fill(input: Tensor, dim: _int, index: Tensor, value: Tensor) -> Tensor:
    """A copy with one number in the slices at places along one dimension."""
@overload
def index_fill(input: Tensor, dim: _int, index: Tensor, value: _Number) -> Tensor: ...
def index_put(input: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: _bool = False) -> Tensor:
    """A copy with values written, or added, at the places that a list of index tensors names."""
def index_reduce(
    input: Tensor,
    dim: _int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    *,
    include_self: _bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """A copy in which slices at places along one dimension are multiplied, averaged, or the extreme taken."""
def index_select(input: Tensor, dim: _int, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whole slices along one dimension, by their places."""
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of products over the last dimension of both."""
def int_repr(input: Tensor) -> Tensor:
    """The whole numbers of a quantised tensor, as a plain one."""
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of square matrices."""
def isclose(
    input: Tensor,
    other: Tensor,
    rtol: _float | Tensor = 1e-05,
    atol: _float | Tensor = 1e-08,
    equal_nan: _bool = False,
) -> Tensor:
    """Whether elements agree within atol + rtol * |other|."""
def isfinite(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is a finite number."""
@overload
def isin(
    elements: Tensor,
    test_elements: Tensor,
    *,
    assume_unique: _bool = False,
    invert: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Whether each element is among the elements of another tensor."""
@overload
def isin(
    element: _Number,
    test_elements: Tensor,
    *,
    assume_unique: _bool = False,
    invert: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def isin(
    elements: Tensor,
    test_element: _Number,
    *,
    assume_unique: _bool = False,
    invert: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
def isinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is infinite."""
def isnan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is NaN."""
def isneginf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is infinite and negative."""
def isposinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is infinite and positive."""
def isreal(input: Tensor) -> Tensor:
    """Whether each element is real: no complex number, or one without an imaginary part."""
def istft(
    input: Tensor,
    n_fft: _int,
    hop_length: _int | None = None,
    win_length: _int | None = None,
    window: Tensor | None = None,
    center: _bool = True,
    normalized: _bool = False,
    onesided: _bool | None = None,
    length: _int | None = None,
    return_complex: _bool = False,
) -> Tensor:
    """Back from the transforms of its windows to a signal."""
def kaiser_window(
    window_length: _int,
    periodic: _bool = True,
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A Bessel function whose beta trades the main lobe for the rest."""
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Kronecker product: every element of one times the whole other."""
def kthvalue(
    input: Tensor, k: _int, dim: _int = -1, keepdim: _bool = False, *, out: tuple[Tensor, ...] | None = None
) -> kthvalue_result:
    """The k-th smallest along a dimension, and where it is."""
def lcm(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The least common multiple."""
def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The input times 2 to the power of the other."""
def le(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is smaller or equal."""
less_equal = le
def lerp(input: Tensor, end: Tensor, weight: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The point between two, a part `weight` of the way."""
def lgamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the size of the gamma function."""
@overload
def linspace(
    start: Tensor,
    end: Tensor,
    steps: _int,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A number of steps from start to end, both included, evenly spaced."""
@overload
def linspace(
    start: _Number,
    end: Tensor,
    steps: _int,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def linspace(
    start: Tensor,
    end: _Number,
    steps: _int,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def linspace(
    start: _Number,
    end: _Number,
    steps: _int,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def lobpcg(
    A: Tensor,
    k: _int | None = None,
    B: Tensor | None = None,
    X: Tensor | None = None,
    n: _int | None = None,
    iK: Tensor | None = None,
    niter: _int | None = None,
    tol: _float | None = None,
    largest: _bool | None = None,
    method: str | None = None,
    tracker: object | None = None,
    ortho_iparams: dict[str, _int] | None = None,
    ortho_fparams: dict[str, _float] | None = None,
    ortho_bparams: dict[str, _bool] | None = None,
) -> tuple[Tensor, Tensor]:
    """The largest (or smallest) eigenvalues of symmetric matrices, and their vectors."""
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of every element."""
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10."""
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log(1 + x), exact for small x."""
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2."""
def log_softmax(
    input: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The logarithm of softmax, without overflow."""
def logaddexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log(exp(a) + exp(b)), without overflow."""
def logaddexp2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log2(2**a + 2**b), without overflow."""
def logcumsumexp(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the running sum of exponentials along a dimension."""
def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant; NaN where it is negative."""
def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether both are true (not zero)."""
def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether an element is zero."""
def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether either is true (not zero)."""
def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether one of the two is true (not zero)."""
def logit(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """log(x / (1 - x)), the inverse of sigmoid."""
@overload
def logspace(
    start: Tensor,
    end: Tensor,
    steps: _int,
    base: _float = 10.0,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Powers of a base, their exponents evenly spaced from start to end."""
@overload
def logspace(
    start: _Number,
    end: Tensor,
    steps: _int,
    base: _float = 10.0,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def logspace(
    start: Tensor,
    end: _Number,
    steps: _int,
    base: _float = 10.0,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def logspace(
    start: _Number,
    end: _Number,
    steps: _int,
    base: _float = 10.0,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def logsumexp(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the sum of exponentials, without overflow."""
def lt(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is smaller."""
less = lt
def lu(
    A: Tensor, pivot: _bool = True, get_infos: _bool = False, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """The factors of A = P L U, packed, and the pivots."""
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
    """X with A X = b, from the packed factors of A."""
def lu_unpack(
    LU_data: Tensor,
    LU_pivots: Tensor,
    unpack_data: _bool = True,
    unpack_pivots: _bool = True,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> lu_unpack_result:
    """P, L and U of packed factors."""
@overload
def masked_fill(input: Tensor, mask: Tensor, value: Tensor) -> Tensor:
    """A copy with one number wherever a mask is true."""
@overload
def masked_fill(input: Tensor, mask: Tensor, value: _Number) -> Tensor: ...
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """A copy in which the places of a mask take the elements of another tensor, in order."""
def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements where a mask is true, in a row."""
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of vectors, matrices or batches of matrices, by how many dimensions they have."""
def matrix_exp(input: Tensor) -> Tensor:
    """The exponential of square matrices."""
def matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor:
    """A matrix times itself, n times over."""
@overload
def max(input: Tensor) -> Tensor:
    """The largest element; with a dimension also where it is; with two tensors, pair by pair."""
@overload
def max(input: Tensor, dim: _int, keepdim: _bool = False) -> max_result: ...
@overload
def max(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The larger of two, element by element; NaN wins."""
def mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The mean over all dimensions, or over those named."""
@overload
def median(input: Tensor) -> Tensor:
    """The middle element, of two the lower; with a dimension also where it is."""
@overload
def median(
    input: Tensor, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, ...] | None = None
) -> median_result: ...
@overload
def meshgrid(*tensors: Sequence[Tensor], indexing: str | None = None) -> tuple[Tensor, ...]:
    """Coordinates of a grid: each vector stretched over the dimensions of the others. Views."""
@overload
def meshgrid(tensors: Sequence[Sequence[Tensor]], *, indexing: str | None = None) -> tuple[Tensor, ...]: ...
@overload
def min(input: Tensor) -> Tensor:
    """The smallest element; with a dimension also where it is; with two tensors, pair by pair."""
@overload
def min(input: Tensor, dim: _int, keepdim: _bool = False) -> min_result: ...
@overload
def min(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smaller of two, element by element; NaN wins."""
def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices."""
def mode(
    input: Tensor, dim: _int = -1, keepdim: _bool = False, *, out: tuple[Tensor, ...] | None = None
) -> mode_result:
    """The element that comes most often along a dimension, of several the smallest, and where it is."""
def movedim(input: Tensor, source: _int | Sequence[_int], destination: _int | Sequence[_int]) -> Tensor:
    """Some dimensions move to new places; the others keep their order. A view."""
moveaxis = movedim
def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements along the first dimension in order."""
def mul(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The product of two tensors, element by element."""
multiply = mul
def multinomial(
    input: Tensor,
    num_samples: _int,
    replacement: _bool = False,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Places drawn by weight, with or without putting them back."""
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of a matrix and a vector."""
def mvlgamma(input: Tensor, p: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the gamma function of p variables."""
def nan_to_num(
    input: Tensor,
    nan: _float = 0.0,
    posinf: _float | None = None,
    neginf: _float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """NaN and infinities replaced by numbers: 0, and the largest and smallest that there are."""
def nanmean(
    input: Tensor,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of what is not NaN."""
@overload
def nanmedian(input: Tensor) -> Tensor:
    """The middle of what is not NaN; with a dimension also where it is."""
@overload
def nanmedian(
    input: Tensor, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, ...] | None = None
) -> nanmedian_result: ...
def nanquantile(
    input: Tensor,
    q: _float | Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    interpolation: str = 'linear',
    out: Tensor | None = None,
) -> Tensor:
    """The number below which a part q of what is not NaN lies."""
def nansum(
    input: Tensor,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The sum of what is not NaN."""
def narrow(input: Tensor, dim: _int, start: _int | Tensor, length: _int) -> Tensor:
    """`length` neighbours along one dimension, from `start`. A view."""
def narrow_copy(input: Tensor, dim: _int, start: _int, length: _int) -> Tensor:
    """A piece of one dimension, copied."""
def ne(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element differs."""
not_equal = ne
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Every element with the other sign."""
negative = neg
def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The next number that the dtype has, in the direction of the other."""
def nonzero(input: Tensor, *, as_tuple: _bool = False, out: Tensor | None = None) -> Tensor:
    """The places of all elements that are not 0: a row each, or a tensor for each dimension."""
def nonzero_static(input: Tensor, *, size: _int, fill_value: _int = -1, out: Tensor | None = None) -> Tensor:
    """The places of so many elements that are not 0; rows that are left over are filled with one number."""
def norm(
    input: Tensor,
    p: _float | Tensor | str = 'fro',
    dim: _int | None = None,
    keepdim: _bool = False,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
) -> Tensor:
    """The length of vectors, or the size of matrices."""
def normal(
    mean: _float | Tensor,
    std: _float | Tensor = 1.0,
    size: Sequence[_int] | None = None,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Normal numbers with a mean and a standard deviation each, or of one size."""
@overload
def ones(
    *size: _int,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A tensor of ones, of a size."""
@overload
def ones(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def ones_like(
    input: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A tensor of ones, of the size, dtype and order of another."""
def orgqr(input: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The orthogonal matrix that reflections make."""
def ormqr(
    input: Tensor,
    tau: Tensor,
    other: Tensor,
    left: _bool = True,
    transpose: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A matrix times the orthogonal matrix that reflections make."""
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Every element of one vector times every element of another."""
ger = outer
def pca_lowrank(
    A: Tensor, q: _int | None = None, center: _bool = True, niter: _int = 2
) -> tuple[Tensor, Tensor, Tensor]:
    """The main directions in which the rows of a matrix vary."""
@overload
def permute(input: Tensor, *dims: _int) -> Tensor:
    """All dimensions in a new order, given by their numbers. A view."""
@overload
def permute(input: Tensor, dims: Sequence[_int]) -> Tensor: ...
def permute_copy(input: Tensor, dims: Sequence[_int], *, out: Tensor | None = None) -> Tensor:
    """A copy of what `permute` shows."""
def pinverse(input: Tensor, rcond: _float = 1e-15) -> Tensor:
    """The pseudo-inverse of matrices."""
def poisson(input: Tensor, generator: _Generator | None = None) -> Tensor:
    """Poisson numbers with the rate that the tensor tells for each element."""
def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Complex numbers from their lengths and angles."""
def polygamma(n: _int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The n-th derivative of digamma."""
def positive(input: Tensor) -> Tensor:
    """The tensor itself: +x."""
def pow(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Powers, element by element."""
def prod(
    input: Tensor,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The product over all dimensions, or along one."""
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
    """A copy with elements written by their places in the whole tensor, read row by row."""
def q_per_channel_axis(input: Tensor) -> _int:
    """The dimension along which the channels lie."""
def q_per_channel_scales(input: Tensor) -> Tensor:
    """The distance of two rungs, for each channel."""
def q_per_channel_zero_points(input: Tensor) -> Tensor:
    """The whole number that stands for 0, for each channel."""
def q_scale(input: Tensor) -> _float:
    """The distance of two rungs."""
def q_zero_point(input: Tensor) -> _int:
    """The whole number that stands for 0."""
def qr(input: Tensor, some: _bool = True, *, out: tuple[Tensor, ...] | None = None) -> qr_result:
    """Q and R with A = Q R."""
def qscheme(input: Tensor) -> _qscheme:
    """Whether a quantised tensor has one ladder, or one for each channel."""
def quantile(
    input: Tensor,
    q: _float | Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    interpolation: str = 'linear',
    out: Tensor | None = None,
) -> Tensor:
    """The number below which a part q of the elements lies."""
def quantization_report(input: Tensor, quantized: Tensor) -> _Report:
    """What became of each value: which were clipped, and by how much the others were rounded."""
def quantize_per_channel(
    input: Tensor, scales: Tensor, zero_points: Tensor, axis: _int, dtype: _dtype
) -> Tensor:
    """Like quantize_per_tensor, with a scale and a zero point for each index along a dimension."""
@overload
def quantize_per_tensor(input: Tensor, scale: Tensor, zero_point: Tensor, dtype: _dtype) -> Tensor:
    """Each value as a whole number: the nearest of (n - zero_point) * scale. Ends are clipped."""
@overload
def quantize_per_tensor(input: Tensor, scale: _float, zero_point: _int, dtype: _dtype) -> Tensor: ...
@overload
def quantize_per_tensor(
    tensors: Sequence[Tensor], scales: Tensor, zero_points: Tensor, dtype: _dtype
) -> Tensor: ...
def quantize_per_tensor_dynamic(input: Tensor, dtype: _dtype, reduce_range: _bool) -> Tensor:
    """Like quantize_per_tensor, with the scale and zero point that just hold all values."""
def rad2deg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Radians as degrees."""
@overload
def rand(
    *size: _int,
    generator: _Generator,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Uniform numbers from 0 up to, and without, 1."""
@overload
def rand(
    size: Sequence[_int],
    *,
    generator: _Generator,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def rand(
    *size: _int,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def rand(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def rand_like(
    input: Tensor,
    *,
    generator: _Generator,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Uniform numbers in the size and dtype of another tensor."""
@overload
def rand_like(
    input: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randint(
    high: _int,
    size: Sequence[_int],
    *,
    generator: _Generator,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Whole numbers from low (0 if it is not named) up to, and without, high."""
@overload
def randint(
    high: _int,
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randint(
    low: _int,
    high: _int,
    size: Sequence[_int],
    *,
    generator: _Generator,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randint(
    low: _int,
    high: _int,
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randint_like(
    input: Tensor,
    low: _int,
    high: _int,
    *,
    generator: _Generator,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Whole numbers in the size and dtype of another tensor."""
@overload
def randint_like(
    input: Tensor,
    low: _int,
    high: _int,
    *,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randint_like(
    input: Tensor,
    high: Tensor,
    *,
    generator: _Generator,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randint_like(
    input: Tensor,
    high: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randint_like(
    input: Tensor,
    high: _int,
    *,
    generator: _Generator,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randint_like(
    input: Tensor,
    high: _int,
    *,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randn(
    *size: _int,
    generator: _Generator,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Normal numbers around 0 with standard deviation 1."""
@overload
def randn(
    size: Sequence[_int],
    *,
    generator: _Generator,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randn(
    *size: _int,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randn(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randn_like(
    input: Tensor,
    *,
    generator: _Generator,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Normal numbers in the size and dtype of another tensor."""
@overload
def randn_like(
    input: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def randperm(
    n: _int,
    *,
    generator: _Generator,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """The numbers from 0 to n - 1 in random order."""
@overload
def randperm(
    n: _int,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def range(
    start: _Number,
    end: _Number,
    step: _Number = 1,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Numbers from start to end, both included, by a step. `arange`, without the end, is the usual one."""
def ravel(input: Tensor) -> Tensor:
    """All elements in one dimension: a view where the tensor is contiguous, else a copy."""
def real(input: Tensor) -> Tensor:
    """The real parts: a view of a complex tensor; a real tensor as it is."""
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 divided by every element."""
def relu(input: Tensor) -> Tensor:
    """Elements below 0 become 0; NaN stays."""
def remainder(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """What division leaves, with the sign of the divisor, as Python's %."""
def renorm(
    input: Tensor, p: _float | Tensor, dim: _int, maxnorm: _float, *, out: Tensor | None = None
) -> Tensor:
    """Each slice along a dimension scaled down to a norm of at most maxnorm."""
@overload
def repeat_interleave(
    input: Tensor, repeats: Tensor, dim: _int | None = None, *, output_size: _int | None = None
) -> Tensor:
    """Each element, or each slice along a dimension, several times in a row."""
@overload
def repeat_interleave(repeats: Tensor, *, output_size: _int | None = None) -> Tensor: ...
@overload
def repeat_interleave(
    input: Tensor, repeats: _int, dim: _int | None = None, *, output_size: _int | None = None
) -> Tensor: ...
@overload
def reshape(input: Tensor, *shape: _int) -> Tensor:
    """The same elements in another size: a view where strides allow it, else a copy."""
@overload
def reshape(input: Tensor, shape: Sequence[_int]) -> Tensor: ...
def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """Like resize_, with the size of another tensor."""
def resolve_conj(input: Tensor) -> Tensor:
    """With a promised conjugate computed."""
def resolve_neg(input: Tensor) -> Tensor:
    """With a promised minus computed."""
def roll(input: Tensor, shifts: _int | Sequence[_int], dims: _int | Sequence[_int] = ()) -> Tensor:
    """Elements shifted along dimensions; what falls off one end comes in at the other."""
def rot90(input: Tensor, k: _int = 1, dims: _int | Sequence[_int] = (0, 1)) -> Tensor:
    """A plane of two dimensions turned by quarters. A copy."""
def round(input: Tensor, *, decimals: _int = 0, out: Tensor | None = None) -> Tensor:
    """Rounded to the nearest whole number, halves to the even one; or to so many decimals."""
def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 divided by the square root."""
def scalar_tensor(
    s: _Number,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """One number as a tensor without dimensions."""
@overload
def scatter(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy with elements written to places along one dimension; where two go to one place, the last one
    stays.
    """
@overload
def scatter(
    input: Tensor, dim: _int, index: Tensor, src: Tensor, *, reduce: str, out: Tensor | None = None
) -> Tensor: ...
@overload
def scatter(
    input: Tensor, dim: _int, index: Tensor, value: _Number, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def scatter(
    input: Tensor, dim: _int, index: Tensor, value: _Number, *, reduce: str, out: Tensor | None = None
) -> Tensor: ...
def scatter_add(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy with elements added to those at places along one dimension."""
def scatter_reduce(
    input: Tensor,
    dim: _int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    *,
    include_self: _bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """A copy in which places along one dimension are summed, multiplied, averaged, or the extreme taken."""
@overload
def searchsorted(
    sorted_sequence: Tensor,
    input: Tensor,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Where each value would have to stand among sorted boundaries."""
@overload
def searchsorted(
    sorted_sequence: Tensor,
    input: _Number,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def select(input: Tensor, dim: _int, index: _int) -> Tensor:
    """One place along a dimension, which is gone from the result. A view."""
def select_copy(input: Tensor, dim: _int, index: _int, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `select` shows."""
def select_scatter(input: Tensor, src: Tensor, dim: _int, index: _int) -> Tensor:
    """A copy in which one slice is another tensor."""
def sgn(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sign; of a complex number, the point of the unit circle in its direction."""
def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-x)): every number squeezed between 0 and 1."""
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1 for every element."""
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether the sign bit is set."""
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sine of every element."""
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """sin(pi x) / (pi x), and 1 at 0."""
def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine."""
def slice_copy(
    input: Tensor,
    dim: _int = 0,
    start: _int | None = None,
    end: _int | None = None,
    step: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of a slice along one dimension."""
def slice_scatter(
    input: Tensor,
    src: Tensor,
    dim: _int = 0,
    start: _int | None = None,
    end: _int | None = None,
    step: _int = 1,
) -> Tensor:
    """A copy in which a range of slices is another tensor."""
def slogdet(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> slogdet_result:
    """The sign and the logarithm of the size of the determinant."""
def smm(input: Tensor, mat2: Tensor) -> Tensor:
    """A sparse matrix times a dense one, as a sparse tensor."""
def softmax(input: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | None = None) -> Tensor:
    """exp(x) over its sum along a dimension: positive parts of 1."""
@overload
def sort(
    input: Tensor,
    *,
    stable: _bool,
    dim: _int = -1,
    descending: _bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> sort_result:
    """The elements along a dimension in order, and where each of them was."""
@overload
def sort(
    input: Tensor, dim: _int = -1, descending: _bool = False, *, out: tuple[Tensor, ...] | None = None
) -> sort_result: ...
@overload
def sparse_bsc_tensor(
    ccol_indices: Tensor | Sequence[Any],
    row_indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    size: Sequence[_int],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor:
    """A tensor by compressed columns of blocks."""
@overload
def sparse_bsc_tensor(
    ccol_indices: Tensor | Sequence[Any],
    row_indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor: ...
@overload
def sparse_bsr_tensor(
    crow_indices: Tensor | Sequence[Any],
    col_indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    size: Sequence[_int],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor:
    """A tensor by compressed rows of blocks."""
@overload
def sparse_bsr_tensor(
    crow_indices: Tensor | Sequence[Any],
    col_indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor: ...
@overload
def sparse_compressed_tensor(
    compressed_indices: Tensor | Sequence[Any],
    plain_indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    size: Sequence[_int],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor:
    """A tensor in the compressed layout that is named."""
@overload
def sparse_compressed_tensor(
    compressed_indices: Tensor | Sequence[Any],
    plain_indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor: ...
@overload
def sparse_coo_tensor(
    indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
    is_coalesced: _bool | None = None,
) -> Tensor:
    """A tensor by coordinates: values, and where each of them stands."""
@overload
def sparse_coo_tensor(
    indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    size: Sequence[_int],
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
    is_coalesced: _bool | None = None,
) -> Tensor: ...
@overload
def sparse_coo_tensor(
    *size: _int,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor: ...
@overload
def sparse_coo_tensor(
    size: Sequence[_int],
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor: ...
@overload
def sparse_csc_tensor(
    ccol_indices: Tensor | Sequence[Any],
    row_indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    size: Sequence[_int],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor:
    """A tensor by compressed columns."""
@overload
def sparse_csc_tensor(
    ccol_indices: Tensor | Sequence[Any],
    row_indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor: ...
@overload
def sparse_csr_tensor(
    crow_indices: Tensor | Sequence[Any],
    col_indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    size: Sequence[_int],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor:
    """A tensor by compressed rows."""
@overload
def sparse_csr_tensor(
    crow_indices: Tensor | Sequence[Any],
    col_indices: Tensor | Sequence[Any],
    values: Tensor | Sequence[Any],
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
    check_invariants: _bool | None = None,
) -> Tensor: ...
def split(input: Tensor, split_size_or_sections: _int | Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces along one dimension: of one length, or of the lengths listed. Each a view."""
def split_copy(
    input: Tensor, split_size: _int, dim: _int = 0, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """A copy of what `split` shows."""
def split_with_sizes(input: Tensor, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of the lengths listed, along one dimension. Each a view."""
def split_with_sizes_copy(
    input: Tensor, split_sizes: Sequence[_int], dim: _int = 0, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """A copy of what `split_with_sizes` shows."""
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The square root of every element."""
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Every element times itself."""
def squeeze(input: Tensor, dim: _int | Sequence[_int] = ...) -> Tensor:
    """Without the dimensions of size 1, or without those named. A view."""
@overload
def squeeze_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `squeeze` shows."""
@overload
def squeeze_copy(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor: ...
@overload
def squeeze_copy(input: Tensor, dim: Sequence[_int], *, out: Tensor | None = None) -> Tensor: ...
def sspaddmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
    """A sparse matrix plus the product of a sparse and a dense one."""
def stack(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Tensors of one size along a new dimension."""
@overload
def std(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number = 1,
    keepdim: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The standard deviation: the root of the variance."""
@overload
def std(
    input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool, keepdim: _bool = False
) -> Tensor: ...
@overload
def std(input: Tensor, unbiased: _bool) -> Tensor: ...
@overload
def std_mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number = 1,
    keepdim: _bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean."""
@overload
def std_mean(
    input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool, keepdim: _bool = False
) -> tuple[Tensor, Tensor]: ...
@overload
def std_mean(input: Tensor, unbiased: _bool) -> tuple[Tensor, Tensor]: ...
def stft(
    input: Tensor,
    n_fft: _int,
    hop_length: _int | None = None,
    win_length: _int | None = None,
    window: Tensor | None = None,
    center: _bool = True,
    pad_mode: str = 'reflect',
    normalized: _bool = False,
    onesided: _bool | None = None,
    return_complex: _bool | None = None,
    align_to_window: _bool | None = None,
) -> Tensor:
    """The transforms of a signal's windows, side by side."""
def sub(
    input: Tensor | _Number, other: Tensor | _Number, *, alpha: _Number = 1, out: Tensor | None = None
) -> Tensor:
    """The difference of two tensors, element by element."""
subtract = sub
def sum(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The sum over all dimensions, or over those named."""
def svd(
    input: Tensor, some: _bool = True, compute_uv: _bool = True, *, out: tuple[Tensor, ...] | None = None
) -> svd_result:
    """U, S and V with A = U diag(S) Vᴴ."""
def svd_lowrank(
    A: Tensor, q: _int | None = 6, niter: _int | None = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """The largest singular values with their vectors, found from random vectors."""
def t(input: Tensor) -> Tensor:
    """The transpose of a matrix: both strides change places. A view."""
def t_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `t` shows."""
def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Elements by their places in the whole tensor, read row by row."""
def take_along_dim(
    input: Tensor, indices: Tensor, dim: _int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Elements picked along one dimension by an index that is stretched to fit; without a dimension, from
    all elements.
    """
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tangent of every element."""
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent."""
def tensor(
    data: Any,
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Numbers, copied, in a tensor of their own."""
def tensor_split(
    input: Tensor, indices_or_sections: _int | Sequence[_int] | Tensor, dim: _int = 0
) -> tuple[Tensor, ...]:
    """Pieces cut at the indices listed, or so many of nearly one length. Each a view."""
def tensordot(a: Tensor, b: Tensor, dims: _int = 2, *, out: Tensor | None = None) -> Tensor:
    """The sum of products over several dimensions of two tensors."""
@overload
def tile(input: Tensor, *dims: _int) -> Tensor:
    """The whole tensor again and again; dimensions that are not named stay as they are."""
@overload
def tile(input: Tensor, dims: Sequence[_int]) -> Tensor: ...
def topk(
    input: Tensor,
    k: _int,
    dim: _int = -1,
    largest: _bool = True,
    sorted: _bool = True,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> topk_result:
    """The largest or the smallest few along a dimension, and where they are."""
def trace(input: Tensor) -> Tensor:
    """The sum of a matrix's diagonal."""
def transpose(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """Two dimensions change places, and their strides with them. A view."""
swapaxes = transpose
swapdims = transpose
def transpose_copy(input: Tensor, dim0: _int, dim1: _int, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `transpose` shows."""
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: _Number = 1, dim: _int = -1) -> Tensor:
    """The area under points, by trapezoids."""
trapz = trapezoid
def triangular_solve(
    input: Tensor,
    A: Tensor,
    upper: _bool = True,
    transpose: _bool = False,
    unitriangular: _bool = False,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> triangular_solve_result:
    """X with A X = b, for a triangular A, and A."""
def tril(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The lower triangle; zeros above a diagonal."""
def tril_indices(
    row: _int,
    col: _int,
    offset: _int = 0,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Row and column of every element on and below a diagonal."""
def triu(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The upper triangle; zeros below a diagonal."""
def triu_indices(
    row: _int,
    col: _int,
    offset: _int = 0,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Row and column of every element on and above a diagonal."""
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounded towards zero."""
fix = trunc
def unbind(input: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
    """The slices along one dimension, each a view."""
def unbind_copy(input: Tensor, dim: _int = 0, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """A copy of what `unbind` shows."""
def unflatten(input: Tensor, dim: _int, sizes: Sequence[_int]) -> Tensor:
    """One dimension told apart into several. A view."""
def unfold_copy(
    input: Tensor, dimension: _int, size: _int, step: _int, *, out: Tensor | None = None
) -> Tensor:
    """A copy of what `unfold` shows."""
@overload
def unique(input: Tensor, sorted: _bool = True, *, dim: _int | None = None) -> Tensor:
    """Each element once, in order; with a dimension, each slice once."""
@overload
def unique(
    input: Tensor,
    sorted: _bool = True,
    *,
    return_inverse: _bool,
    return_counts: _bool = False,
    dim: _int | None = None,
) -> tuple[Tensor, ...]: ...
@overload
def unique(
    input: Tensor, sorted: _bool = True, *, return_counts: _bool, dim: _int | None = None
) -> tuple[Tensor, ...]: ...
@overload
def unique_consecutive(input: Tensor, *, dim: _int | None = None) -> Tensor:
    """The first of every run of equal elements, or of equal slices."""
@overload
def unique_consecutive(
    input: Tensor, *, return_inverse: _bool, return_counts: _bool = False, dim: _int | None = None
) -> tuple[Tensor, ...]: ...
@overload
def unique_consecutive(
    input: Tensor, *, return_counts: _bool, dim: _int | None = None
) -> tuple[Tensor, ...]: ...
def unravel_index(indices: Tensor, shape: _int) -> tuple[Tensor, ...]:
    """Where in a tensor of a size an element lies, from its place in the row of all."""
def unsafe_chunk(input: Tensor, chunks: _int, dim: _int = 0) -> Tensor:
    """Like chunk; the pieces count as no views."""
def unsafe_split(input: Tensor, split_size: _int, dim: _int = 0) -> Tensor:
    """Like split; the pieces count as no views."""
def unsafe_split_with_sizes(input: Tensor, split_sizes: Sequence[_int], dim: _int = 0) -> Tensor:
    """Like split with a list of sizes; the pieces count as no views."""
def unsqueeze(input: Tensor, dim: _int) -> Tensor:
    """With a new dimension of size 1. A view."""
def unsqueeze_copy(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `unsqueeze` shows."""
def vander(x: Tensor, N: _int | None = None, increasing: _bool = False) -> Tensor:
    """The powers of every number, a row each."""
@overload
def var(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number = 1,
    keepdim: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The variance: how far elements lie from their mean, squared."""
@overload
def var(
    input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool, keepdim: _bool = False
) -> Tensor: ...
@overload
def var(input: Tensor, unbiased: _bool) -> Tensor: ...
@overload
def var_mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number = 1,
    keepdim: _bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, Tensor]:
    """The variance and the mean."""
@overload
def var_mean(
    input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool, keepdim: _bool = False
) -> tuple[Tensor, Tensor]: ...
@overload
def var_mean(input: Tensor, unbiased: _bool) -> tuple[Tensor, Tensor]: ...
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of products of two vectors, the first one conjugated."""
def view_as_complex(input: Tensor) -> Tensor:
    """Pairs of real numbers as complex ones. A view."""
def view_as_complex_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `view_as_complex` shows."""
def view_as_real(input: Tensor) -> Tensor:
    """Complex numbers as pairs of real ones, in a last dimension of 2. A view."""
def view_as_real_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `view_as_real` shows."""
@overload
def view_copy(input: Tensor, size: Sequence[_int], *, out: Tensor | None = None) -> Tensor:
    """A copy of what `view` shows."""
@overload
def view_copy(input: Tensor, dtype: _dtype, *, out: Tensor | None = None) -> Tensor: ...
def vsplit(input: Tensor, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
    """Pieces along the rows. Each a view."""
def vstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Tensors one below the other."""
row_stack = vstack
@overload
def where(
    condition: Tensor, input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None
) -> Tensor:
    """One tensor's elements where a condition holds, else another's; of a condition alone, the places
    where it holds.
    """
@overload
def where(condition: Tensor) -> tuple[Tensor, ...]: ...
def xlogy(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """x * log(y), and 0 where x is 0."""
@overload
def zeros(
    *size: _int,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A tensor of zeros, of a size."""
@overload
def zeros(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def zeros_like(
    input: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A tensor of zeros, of the size, dtype and order of another."""
