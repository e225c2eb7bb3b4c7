# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence
from typing import Any, overload

from numpy import ndarray

from . import accelerator as accelerator
from . import amp as amp
from . import autograd as autograd
from . import backends as backends
from . import compiler as compiler
from . import cpu as cpu
from . import distributed as distributed
from . import fft as fft
from . import func as func
from . import functional as functional
from . import jit as jit
from . import library as library
from . import linalg as linalg
from . import mps as mps
from . import multiprocessing as multiprocessing
from . import nn as nn
from . import optim as optim
from . import overrides as overrides
from . import random as random
from . import return_types as return_types
from . import serialization as serialization
from . import signal as signal
from . import sparse as sparse
from . import special as special
from . import storage as storage
from . import testing as testing
from . import torch_version as torch_version
from . import types as types
from . import utils as utils
from . import version as version
from . import xpu as xpu
from ._ops import ops as ops
from .compiler import compile as compile
from .engine import result_type as result_type
from .engine.autograd.anomaly import is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled
from .engine.autograd.anomaly import is_anomaly_enabled as is_anomaly_enabled
from .engine.autograd.anomaly import set_anomaly_enabled as set_anomaly_enabled
from .engine.backends.numpy.threads import get_num_interop_threads as get_num_interop_threads
from .engine.backends.numpy.threads import get_num_threads as get_num_threads
from .engine.backends.numpy.threads import set_num_interop_threads as set_num_interop_threads
from .engine.backends.numpy.threads import set_num_threads as set_num_threads
from .engine.compat import cuda as cuda
from .engine.compat.accelerators import get_device_module as get_device_module
from .engine.compat.amp.autocast_mode import autocast as autocast
from .engine.compat.amp.autocast_state import autocast_decrement_nesting as autocast_decrement_nesting
from .engine.compat.amp.autocast_state import autocast_increment_nesting as autocast_increment_nesting
from .engine.compat.amp.autocast_state import clear_autocast_cache as clear_autocast_cache
from .engine.compat.amp.autocast_state import get_autocast_cpu_dtype as get_autocast_cpu_dtype
from .engine.compat.amp.autocast_state import get_autocast_dtype as get_autocast_dtype
from .engine.compat.amp.autocast_state import get_autocast_gpu_dtype as get_autocast_gpu_dtype
from .engine.compat.amp.autocast_state import get_autocast_ipu_dtype as get_autocast_ipu_dtype
from .engine.compat.amp.autocast_state import get_autocast_xla_dtype as get_autocast_xla_dtype
from .engine.compat.amp.autocast_state import is_autocast_cache_enabled as is_autocast_cache_enabled
from .engine.compat.amp.autocast_state import is_autocast_cpu_enabled as is_autocast_cpu_enabled
from .engine.compat.amp.autocast_state import is_autocast_enabled as is_autocast_enabled
from .engine.compat.amp.autocast_state import is_autocast_ipu_enabled as is_autocast_ipu_enabled
from .engine.compat.amp.autocast_state import is_autocast_xla_enabled as is_autocast_xla_enabled
from .engine.compat.amp.autocast_state import set_autocast_cache_enabled as set_autocast_cache_enabled
from .engine.compat.amp.autocast_state import set_autocast_cpu_dtype as set_autocast_cpu_dtype
from .engine.compat.amp.autocast_state import set_autocast_cpu_enabled as set_autocast_cpu_enabled
from .engine.compat.amp.autocast_state import set_autocast_dtype as set_autocast_dtype
from .engine.compat.amp.autocast_state import set_autocast_enabled as set_autocast_enabled
from .engine.compat.amp.autocast_state import set_autocast_gpu_dtype as set_autocast_gpu_dtype
from .engine.compat.amp.autocast_state import set_autocast_ipu_dtype as set_autocast_ipu_dtype
from .engine.compat.amp.autocast_state import set_autocast_ipu_enabled as set_autocast_ipu_enabled
from .engine.compat.amp.autocast_state import set_autocast_xla_dtype as set_autocast_xla_dtype
from .engine.compat.amp.autocast_state import set_autocast_xla_enabled as set_autocast_xla_enabled
from .engine.compat.amp.grad_scaler import GradScaler as GradScaler
from .engine.compat.compressed_indices import _convert_indices_from_coo_to_csr as _convert_indices_from_coo_to_csr
from .engine.compat.compressed_indices import _convert_indices_from_csr_to_coo as _convert_indices_from_csr_to_coo
from .engine.compat.old_constructors import set_default_tensor_type as set_default_tensor_type
from .engine.compat.old_names import dsmm as dsmm
from .engine.compat.old_names import hsmm as hsmm
from .engine.compat.old_names import saddmm as saddmm
from .engine.compat.old_names import spmm as spmm
from .engine.compat.removed import _symeig as __symeig
from .engine.compat.removed import eig as eig
from .engine.compat.removed import lstsq as lstsq
from .engine.compat.removed import matrix_rank as matrix_rank
from .engine.compat.removed import solve as solve
from .engine.compat.streams import Event as Event
from .engine.compat.streams import Stream as Stream
from .engine.compat.switches import _assert as _assert
from .engine.compat.switches import _assert_async as _assert_async
from .engine.compat.switches import _check as _check
from .engine.compat.switches import _check_index as _check_index
from .engine.compat.switches import _check_is_size as _check_is_size
from .engine.compat.switches import _check_not_implemented as _check_not_implemented
from .engine.compat.switches import _check_tensor_all as _check_tensor_all
from .engine.compat.switches import _check_tensor_all_with as _check_tensor_all_with
from .engine.compat.switches import _check_type as _check_type
from .engine.compat.switches import _check_value as _check_value
from .engine.compat.switches import _check_with as _check_with
from .engine.compat.switches import are_deterministic_algorithms_enabled as are_deterministic_algorithms_enabled
from .engine.compat.switches import compiled_with_cxx11_abi as compiled_with_cxx11_abi
from .engine.compat.switches import get_deterministic_debug_mode as get_deterministic_debug_mode
from .engine.compat.switches import get_float32_matmul_precision as get_float32_matmul_precision
from .engine.compat.switches import (
    is_deterministic_algorithms_warn_only_enabled as is_deterministic_algorithms_warn_only_enabled,
)
from .engine.compat.switches import set_deterministic_debug_mode as set_deterministic_debug_mode
from .engine.compat.switches import set_float32_matmul_precision as set_float32_matmul_precision
from .engine.compat.switches import set_warn_always as set_warn_always
from .engine.compat.switches import use_deterministic_algorithms as use_deterministic_algorithms
from .engine.derivatives.shown import derivative as derivative
from .engine.dispatch.kinds import add_kind as add_kind
from .engine.dispatch.kinds import forget_kind as forget_kind
from .engine.dispatch.route import forget_kernel as forget_kernel
from .engine.dispatch.route import register_kernel as register_kernel
from .engine.dispatch.route import route as route
from .engine.errors.out_of_memory import OutOfMemoryError as OutOfMemoryError
from .engine.errors.warnings import is_warn_always_enabled as is_warn_always_enabled
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
from .engine.interop.numpy_and_buffers import to_dlpack as to_dlpack
from .engine.layouts.quantized.questions import Report as _Report
from .engine.modes.recording import recording as recording
from .engine.ops.small.questions import get_device as get_device
from .engine.ops.small.questions import is_complex as is_complex
from .engine.ops.small.questions import is_conj as is_conj
from .engine.ops.small.questions import is_floating_point as is_floating_point
from .engine.ops.small.questions import is_inference as is_inference
from .engine.ops.small.questions import is_neg as is_neg
from .engine.ops.small.questions import is_nonzero as is_nonzero
from .engine.ops.small.questions import is_same_size as is_same_size
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
from .engine.tensor.storages.typed import TypedStorage as TypedStorage
from .engine.tensor.storages.untyped import UntypedStorage as UntypedStorage
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
from .engine.types.formats import qscheme as qscheme
from .engine.types.limits import finfo as finfo
from .engine.types.limits import iinfo as iinfo
from .engine.types.print_options import set_printoptions as set_printoptions
from .engine.types.promotion import can_cast as can_cast
from .engine.types.promotion import promote_types as promote_types
from .engine.types.size import Size as Size
from .inspecting import inspect_file as inspect_file
from .jit import ScriptFunction as ScriptFunction
from .jit import ScriptModule as ScriptModule
from .live import AllocatorExplorer as AllocatorExplorer
from .live import BackwardExplorer as BackwardExplorer
from .live import BroadcastExplorer as BroadcastExplorer
from .live import DtypeExplorer as DtypeExplorer
from .live import EinsumExplorer as EinsumExplorer
from .live import NamedDimsExplorer as NamedDimsExplorer
from .live import StepsExplorer as StepsExplorer
from .live import StorageExplorer as StorageExplorer
from .live import SurfaceExplorer as SurfaceExplorer
from .live import TrainingExplorer as TrainingExplorer
from .live import TrainingLog as TrainingLog
from .notebook import load_ipython_extension as load_ipython_extension
from .pictures import show as show
from .types import SymBool as SymBool
from .types import SymFloat as SymFloat
from .types import SymInt as SymInt

__version__: str
_VERSION: str
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
class FloatStorage(TypedStorage): ...
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
Storage = FloatStorage

def _ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[_int],
    target_lengths: Tensor | Sequence[_int],
    blank: _int = 0,
    zero_infinity: _bool = False,
) -> Tensor:
    """How unlikely each sequence of labels is; and the logarithms of sums over ways to it."""
def _embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: _bool = False,
    mode: _int = 0,
    sparse: _bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: _bool = False,
    padding_idx: _int = -1,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The sum, mean or largest elements of rows of a table, and which rows these are."""
@overload
def _empty_affine_quantized(
    *size: _int,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    scale: _float = 1,
    zero_point: _int = 0,
) -> Tensor:
    """Returns an uninitialized quantized tensor with one scale and zero point."""
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
    """Returns an uninitialized quantized tensor with a scale and zero point per channel."""
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
def _is_all_true(input: Tensor) -> Tensor:
    """Tests whether all bools are true."""
def _is_any_true(input: Tensor) -> Tensor:
    """Tests whether any bool is true."""
def _make_per_channel_quantized_tensor(
    input: Tensor, scale: Tensor, zero_point: Tensor, axis: _int
) -> Tensor:
    """Makes a quantized tensor from integers, with a scale and zero point per channel."""
def _make_per_tensor_quantized_tensor(input: Tensor, scale: _float, zero_point: _int) -> Tensor:
    """Makes a quantized tensor from integers, with one scale and zero point."""
def _pack_padded_sequence(input: Tensor, lengths: Tensor, batch_first: _bool) -> Tensor:
    """Puts the steps of sequences one after the other without their padding."""
def _pad_packed_sequence(
    data: Tensor, batch_sizes: Tensor, batch_first: _bool, padding_value: _Number, total_length: _int
) -> tuple[Tensor, Tensor]:
    """Puts the steps of packed sequences back into a padded batch, with the lengths."""
def _prelu_kernel(input: Tensor, weight: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiplies negative elements by a weight of as many dimensions."""
def _safe_softmax(input: Tensor, dim: _int, dtype: _dtype | None = None) -> Tensor:
    """Softmax, with zeros where every element is minus infinity."""
def _scaled_dot_product_flash_attention_for_cpu(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout_p: _float = 0.0,
    is_causal: _bool = False,
    *,
    attn_mask: Tensor | None = None,
    scale: _float | None = None,
) -> Tensor:
    """A mean of the values for each query, and the logarithm of the sum of its weights."""
def _trilinear(i1: Tensor, i2: Tensor, i3: Tensor) -> Tensor:
    """For each row of two matrices the product with each matrix of weights."""
def _weight_norm(v: Tensor, g: Tensor, dim: _int = 0) -> Tensor:
    """Gives the parts of a tensor along one dimension new lengths."""
def _weight_norm_interface(v: Tensor, g: Tensor, dim: _int = 0) -> Tensor:
    """Gives the parts of a tensor along its first or last dimension new lengths."""
def abs(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the absolute value of each element."""
absolute = abs
def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the arccosine of each element, in radians."""
arccos = acos
def acosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the inverse hyperbolic cosine of each element."""
arccosh = acosh
def adaptive_avg_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor:
    """Averages into a result of a given size."""
def adaptive_max_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> tuple[Tensor, Tensor]:
    """Keeps the largest elements of a sequence, into a given number of them, and their places."""
def add(
    input: Tensor | _Number, other: Tensor | _Number, *, alpha: _Number = 1, out: Tensor | None = None
) -> Tensor:
    """Adds two tensors element by element; `alpha` multiplies `other`."""
def addbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Computes beta * input + alpha * the sum of batch1 @ batch2 over the batch."""
def addcdiv(
    input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1, out: Tensor | None = None
) -> Tensor:
    """Computes input + value * tensor1 / tensor2."""
def addcmul(
    input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1, out: Tensor | None = None
) -> Tensor:
    """Computes input + value * tensor1 * tensor2."""
def addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Computes beta * input + alpha * (mat1 @ mat2), a matrix product."""
def addmv(
    input: Tensor,
    mat: Tensor,
    vec: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Computes beta * input + alpha * (mat @ vec), a matrix-vector product."""
def addr(
    input: Tensor,
    vec1: Tensor,
    vec2: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Computes beta * input + alpha * outer(vec1, vec2)."""
def adjoint(input: Tensor) -> Tensor:
    """Returns the conjugate transpose of each matrix. A view."""
def affine_grid_generator(theta: Tensor, size: Sequence[_int], align_corners: _bool) -> Tensor:
    """The points that an affine map takes the pixels of an image to."""
def alias_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Returns a copy of all elements."""
@overload
def align_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Aligns tensors to the dimensions of the one with the most. Views."""
@overload
def align_tensors(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def all(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Tests whether all elements are true, or all along the given dimensions."""
def allclose(
    input: Tensor, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False
) -> _bool:
    """Returns whether all elements are close: |input - other| <= atol + rtol * |other|."""
def alpha_dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets random elements to the lower limit of selu; mean and variance are kept."""
def alpha_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """In-place form of `alpha_dropout`."""
def amax(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Returns the largest element, or along the given dimensions; NaN wins."""
def amin(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Returns the smallest element, or along the given dimensions; NaN wins."""
def aminmax(
    input: Tensor, *, dim: _int | None = None, keepdim: _bool = False, out: tuple[Tensor, ...] | None = None
) -> aminmax_result:
    """Returns the smallest and the largest element."""
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the angle of each element, in radians; pi for negative real numbers."""
def any(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Tests whether any element is true, or any along the given dimensions."""
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
) -> Tensor:
    """Returns the numbers from start to end (exclusive) with a given step."""
@overload
def arange(
    start: _Number,
    end: _Number,
    step: _Number = 1,
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
    """Returns the index of the largest element, of all or along the given dimension."""
def argmin(
    input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Returns the index of the smallest element, of all or along the given dimension."""
@overload
def argsort(
    input: Tensor, *, stable: _bool, dim: _int = -1, descending: _bool = False, out: Tensor | None = None
) -> Tensor:
    """Returns the indices that sort the tensor along a dimension."""
@overload
def argsort(input: Tensor, dim: _int = -1, descending: _bool = False) -> Tensor: ...
def argwhere(input: Tensor) -> Tensor:
    """Returns the indices of all nonzero elements, one per row."""
def as_strided(
    input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
) -> Tensor:
    """Returns a view of the storage with the given size, stride and offset."""
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
    """Performs the same operation as `as_strided`, but copies the elements."""
def as_strided_scatter(
    input: Tensor,
    src: Tensor,
    size: Sequence[_int],
    stride: Sequence[_int],
    storage_offset: _int | None = None,
) -> Tensor:
    """Returns a copy with the elements at a given size and stride replaced by another tensor."""
def as_tensor(data: Any, *, dtype: _dtype | None = None, device: _device | str | None = None) -> Tensor:
    """Makes a tensor from data; shares the memory of an array or a tensor where possible."""
def asarray(
    obj: Any,
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    copy: _bool | None = None,
    requires_grad: _bool | None = None,
) -> Tensor:
    """Makes a tensor from data; shares the memory of an array, a tensor or a buffer where possible."""
def asin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the arcsine of each element, in radians."""
arcsin = asin
def asinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the inverse hyperbolic sine of each element."""
arcsinh = asinh
def atan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the arctangent of each element, in radians."""
arctan = atan
def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the angle of the point (other, input), in its quadrant."""
arctan2 = atan2
def atanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the inverse hyperbolic tangent of each element."""
arctanh = atanh
@overload
def atleast_1d(*tensors: Tensor) -> Tensor:
    """Returns a view with at least one dimension."""
@overload
def atleast_1d(tensors: Sequence[Tensor]) -> Tensor: ...
@overload
def atleast_2d(*tensors: Tensor) -> Tensor:
    """Returns a view with at least two dimensions; new ones come first."""
@overload
def atleast_2d(tensors: Sequence[Tensor]) -> Tensor: ...
@overload
def atleast_3d(*tensors: Tensor) -> Tensor:
    """Returns a view with at least three dimensions."""
@overload
def atleast_3d(tensors: Sequence[Tensor]) -> Tensor: ...
def avg_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
) -> Tensor:
    """Averages each window."""
def baddbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Computes beta * input + alpha * (batch1 @ batch2), a batch of matrix products."""
@overload
def bartlett_window(
    window_length: _int,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Bartlett window: a triangle."""
@overload
def bartlett_window(
    window_length: _int,
    periodic: _bool,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: _bool,
    momentum: _float,
    eps: _float,
    cudnn_enabled: _bool,
) -> Tensor:
    """Batch normalization: channels get mean 0 and variance 1 over the batch."""
@overload
def bernoulli(input: Tensor, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Draws 1 with the probability given for each element, else 0."""
@overload
def bernoulli(input: Tensor, p: _float, *, generator: _Generator | None = None) -> Tensor: ...
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Computes x1 @ weight[k] @ x2 + bias[k] for each output k."""
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: _int = ...,
) -> Tensor:
    """binary_cross_entropy of the sigmoid of the input, without overflow."""
def bincount(input: Tensor, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
    """Counts how often each non-negative integer occurs, or sums the weights of its occurrences."""
def binomial(count: Tensor, prob: Tensor, generator: _Generator | None = None) -> Tensor:
    """Draws from a binomial distribution with `count` trials of probability `prob` for each element."""
def bitwise_and(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the bitwise AND of two tensors."""
def bitwise_left_shift(
    input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None
) -> Tensor:
    """Shifts the bits of each element to the left."""
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the bitwise NOT of each element; the logical NOT of booleans."""
def bitwise_or(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the bitwise OR of two tensors."""
def bitwise_right_shift(
    input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None
) -> Tensor:
    """Shifts the bits of each element to the right."""
def bitwise_xor(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the bitwise XOR of two tensors."""
@overload
def blackman_window(
    window_length: _int,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Blackman window."""
@overload
def blackman_window(
    window_length: _int,
    periodic: _bool,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def block_diag(*tensors: Tensor) -> Tensor:
    """Returns a block-diagonal matrix of the given matrices, with zeros elsewhere."""
@overload
def block_diag(tensors: Sequence[Tensor]) -> Tensor: ...
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the products of two batches of matrices."""
@overload
def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Broadcasts tensors to a common size. Views."""
@overload
def broadcast_tensors(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def broadcast_to(input: Tensor, size: Sequence[_int]) -> Tensor:
    """Broadcasts the tensor to a size. A view."""
def bucketize(
    input: Tensor | _Number,
    boundaries: Tensor,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Returns the index of the bucket between boundaries that each value belongs to."""
@overload
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """Returns the Cartesian product of vectors, one combination per row."""
@overload
def cartesian_prod(tensors: Sequence[Tensor]) -> Tensor: ...
def cat(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Concatenates tensors along an existing dimension."""
concat = cat
concatenate = cat
def ccol_indices_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `ccol_indices` shows of a compressed tensor."""
def cdist(
    x1: Tensor, x2: Tensor, p: _float = 2.0, compute_mode: str = 'use_mm_for_euclid_dist_if_necessary'
) -> Tensor:
    """Computes the distances between all pairs of rows of two matrices or batches of matrices."""
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounds each element up to an integer."""
def celu(input: Tensor, alpha: _Number = 1.0) -> Tensor:
    """Computes max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
def celu_(input: Tensor, alpha: _Number = 1.0) -> Tensor:
    """In-place form of `celu`. Computes max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
@overload
def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """Computes the product of several matrices in the order that needs the fewest multiplications."""
@overload
def chain_matmul(matrices: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor: ...
def channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """Mixes the channels of several groups."""
def cholesky(input: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Computes the Cholesky decomposition of positive-definite matrices, lower or upper."""
def cholesky_inverse(input: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Computes the inverse of A from its Cholesky factor."""
def cholesky_solve(
    input: Tensor, input2: Tensor, upper: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Solves the linear system A X = B from the Cholesky factor of A."""
def chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """Splits the tensor along one dimension into at most `chunks` pieces. Views."""
def clamp(
    input: Tensor,
    min: Tensor | _Number | None = None,
    max: Tensor | _Number | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Limits each element to the range from min to max."""
clip = clamp
def clamp_max(input: Tensor, max: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Limits each element to at most max."""
def clamp_min(input: Tensor, min: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Limits each element to at least min."""
def clone(input: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """Returns a copy in its own storage; dense strides are preserved."""
def col_indices_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `col_indices` shows of a compressed tensor."""
def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Stacks tensors horizontally, with vectors as columns."""
def combinations(input: Tensor, r: _int = 2, with_replacement: _bool = False) -> Tensor:
    """Returns all combinations of `r` elements of a vector, one per row."""
def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Makes complex numbers from real and imaginary parts."""
def conj(input: Tensor) -> Tensor:
    """Returns the complex conjugate: a view that computes it lazily; real tensors are returned as they
    are.
    """
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the complex conjugate immediately; real tensors are returned as they are."""
def constant_pad_nd(input: Tensor, pad: Sequence[_int], value: _Number = 0) -> Tensor:
    """Adds a number around the last dimensions."""
@overload
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor:
    """Slides filters over a sequence."""
@overload
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: str = 'valid',
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor:
    """Slides filters over images."""
@overload
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: str = 'valid',
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor:
    """Slides filters over volumes."""
@overload
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: str = 'valid',
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: _int = 0) -> Tensor:
    """A convolution of sequences, with the sizes (time, batch, channels)."""
def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor:
    """Spreads each element of a sequence over a window by filters: a convolution in reverse."""
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor:
    """Spreads each element of images over a window by filters: a convolution in reverse."""
def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor:
    """Spreads each element of volumes over a window by filters: a convolution in reverse."""
def convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[_int],
    padding: Sequence[_int],
    dilation: Sequence[_int],
    transposed: _bool,
    output_padding: Sequence[_int],
    groups: _int,
) -> Tensor:
    """Slides a weight over the input, or the way back: what all convolutions call."""
def copysign(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Combines the absolute value of `input` with the sign of `other`."""
def corrcoef(input: Tensor) -> Tensor:
    """Computes the correlation matrix of variables (rows) over observations (columns)."""
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the cosine of each element."""
def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the hyperbolic cosine of each element."""
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, reduction: _int = ...
) -> Tensor:
    """1 - the cosine of pairs (1), and the cosine of others (-1) above a margin."""
def cosine_similarity(x1: Tensor, x2: Tensor, dim: _int = 1, eps: _float = 1e-08) -> Tensor:
    """The cosine of the angle between vectors."""
def count_nonzero(input: Tensor, dim: _int | Sequence[_int] | None = None) -> Tensor:
    """Counts the nonzero elements, of all or along the given dimensions."""
def cov(
    input: Tensor, *, correction: _int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    """Computes the covariance matrix of variables (rows) over observations (columns)."""
def cross(input: Tensor, other: Tensor, dim: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """Computes the cross product of vectors of three elements."""
def crow_indices_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `crow_indices` shows of a compressed tensor."""
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | Sequence[_int],
    target_lengths: Tensor | Sequence[_int],
    blank: _int = 0,
    reduction: _int = ...,
    zero_infinity: _bool = False,
) -> Tensor:
    """How unlikely sequences of labels are, over all ways to align them with the steps."""
def cummax(input: Tensor, dim: _int, *, out: tuple[Tensor, ...] | None = None) -> cummax_result:
    """Returns the cumulative maximum along a dimension, and its indices."""
def cummin(input: Tensor, dim: _int, *, out: tuple[Tensor, ...] | None = None) -> cummin_result:
    """Returns the cumulative minimum along a dimension, and its indices."""
def cumprod(input: Tensor, dim: _int, *, dtype: _dtype | None = None, out: Tensor | None = None) -> Tensor:
    """Returns the cumulative product along a dimension."""
def cumsum(input: Tensor, dim: _int, *, dtype: _dtype | None = None, out: Tensor | None = None) -> Tensor:
    """Returns the cumulative sum along a dimension."""
@overload
def cumulative_trapezoid(y: Tensor, x: Tensor, *, dim: _int = -1) -> Tensor:
    """Integrates cumulatively along a dimension by the trapezoidal rule."""
@overload
def cumulative_trapezoid(y: Tensor, *, dx: _Number = 1, dim: _int = -1) -> Tensor: ...
def deg2rad(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Converts each element from degrees to radians."""
@overload
def dequantize(input: Tensor) -> Tensor:
    """Converts a quantized tensor to float32."""
@overload
def dequantize(tensors: Sequence[Tensor]) -> Tensor: ...
def det(input: Tensor) -> Tensor:
    """Computes the determinant of square matrices."""
def detach(input: Tensor) -> Tensor:
    """Returns a tensor on the same storage that is not a view and has no history."""
def detach_(input: Tensor) -> Tensor:
    """Removes the history of the tensor, in place; refused for views."""
def detach_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Performs the same operation as `detach`, but copies the elements."""
def diag(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Returns the diagonal of a matrix, or a matrix with a vector on its diagonal. A copy."""
def diag_embed(input: Tensor, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """Returns matrices with the given vectors on a diagonal and zeros elsewhere."""
def diagflat(input: Tensor, offset: _int = 0) -> Tensor:
    """Returns a matrix with all elements of the input on a diagonal."""
def diagonal(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """Returns the diagonal of two dimensions as the last dimension. A view."""
def diagonal_copy(
    input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, *, out: Tensor | None = None
) -> Tensor:
    """Performs the same operation as `diagonal`, but copies the elements."""
def diagonal_scatter(input: Tensor, src: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """Returns a copy with a diagonal replaced by another tensor."""
def diff(
    input: Tensor,
    n: _int = 1,
    dim: _int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the n-th differences of adjacent elements along a dimension."""
def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logarithmic derivative of the gamma function."""
def dist(input: Tensor, other: Tensor, p: _Number = 2) -> Tensor:
    """Returns the p-norm of the difference of two tensors."""
@overload
def div(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Divides two tensors element by element; `rounding_mode` may round the quotient."""
@overload
def div(
    input: Tensor | _Number, other: Tensor | _Number, *, rounding_mode: str | None, out: Tensor | None = None
) -> Tensor: ...
divide = div
true_divide = div
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the dot product of two vectors."""
def dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets random elements to 0, and divides the others by 1 - p."""
def dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """In-place form of `dropout`."""
@overload
def dsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Splits the tensor in depth, along the third dimension. Views."""
@overload
def dsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]: ...
def dstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Stacks tensors in depth (along the third dimension)."""
@overload
def einsum(equation: str, *operands: Tensor) -> Tensor:
    """Sums products of tensors as described by an equation in Einstein's notation."""
@overload
def einsum(equation: str, operands: Sequence[Tensor]) -> Tensor: ...
def embedding(
    weight: Tensor,
    indices: Tensor,
    padding_idx: _int = -1,
    scale_grad_by_freq: _bool = False,
    sparse: _bool = False,
) -> Tensor:
    """The rows of a table by their numbers."""
@overload
def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: _bool,
    mode: _int,
    sparse: _bool,
    per_sample_weights: Tensor | None,
    include_last_offset: _bool,
    padding_idx: _int | None,
) -> Tensor:
    """The sum, mean or largest elements of rows of a table, and which rows these are."""
@overload
def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: _bool = False,
    mode: _int = 0,
    sparse: _bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: _bool = False,
) -> Tensor: ...
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
    """Returns an uninitialized tensor with the given size."""
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
    """Returns an uninitialized tensor with the size, dtype and memory format of another tensor."""
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
    """Returns an uninitialized tensor whose dimensions lie in storage in the given order, the last one
    densest.
    """
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
    """Returns an uninitialized tensor with the given size and strides."""
def eq(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes input == other, element by element."""
def equal(input: Tensor, other: Tensor) -> _bool:
    """Returns whether two tensors have the same size and equal elements."""
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the error function of each element."""
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes 1 - erf(x), accurately for large x."""
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the inverse of the error function."""
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the exponential of each element."""
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes 2 to the power of each element."""
def expand_copy(
    input: Tensor, size: Sequence[_int], *, implicit: _bool = False, out: Tensor | None = None
) -> Tensor:
    """Performs the same operation as `expand`, but copies the elements."""
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes exp(x) - 1, accurately for small x."""
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
    """Returns a matrix with ones on the diagonal and zeros elsewhere."""
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
    """Quantizes and dequantizes with a scale and zero point per channel."""
def fake_quantize_per_tensor_affine(
    input: Tensor, scale: _float | Tensor, zero_point: _int | Tensor, quant_min: _int, quant_max: _int
) -> Tensor:
    """Quantizes and dequantizes with one scale and zero point."""
def feature_alpha_dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets random channels to the lower limit of selu."""
def feature_alpha_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """In-place form of `feature_alpha_dropout`."""
def feature_dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Sets random channels to 0, and divides the others by 1 - p."""
def feature_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """In-place form of `feature_dropout`."""
def fill(input: Tensor, value: Tensor | _Number) -> Tensor:
    """Returns a copy with every element set to one number."""
def flatten(input: Tensor, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
    """Flattens a range of dimensions into one: the tensor itself, a view, or a copy."""
def flip(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """Reverses the order of the elements along dimensions. A copy."""
def fliplr(input: Tensor) -> Tensor:
    """Reverses the order of the columns. A copy."""
def flipud(input: Tensor) -> Tensor:
    """Reverses the order of the rows. A copy."""
def float_power(input: Tensor | _Number, exponent: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Raises each element to a power, computed in float64 or complex128."""
def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounds each element down to an integer."""
def floor_divide(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Divides two tensors element by element and rounds down."""
def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the larger of two elements; NaN only if both are NaN."""
def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the smaller of two elements; NaN only if both are NaN."""
def fmod(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the remainder of division, with the sign of the dividend, as C's fmod."""
def frac(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the fractional part of each element."""
def frexp(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> frexp_result:
    """Splits each element into a mantissa, at least 1/2 and below 1, and a power of 2."""
def frobenius_norm(
    input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The square root of the sum of the squares."""
def from_dlpack(ext_tensor: Any, *, device: _device | str | None = None, copy: _bool | None = None) -> Tensor:
    """Makes a tensor that shares the memory of another library's array, through DLPack."""
def from_numpy(ndarray: ndarray) -> Tensor:
    """Makes a tensor that shares the memory of a NumPy array."""
def frombuffer(
    buffer: Any, *, dtype: _dtype, count: _int = -1, offset: _int = 0, requires_grad: _bool = False
) -> Tensor:
    """Makes a one-dimensional tensor that shares the memory of an object with the buffer protocol."""
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
    """Returns a tensor of the given size filled with one number."""
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
    """Returns a tensor filled with one number, with the size, dtype and memory format of another tensor."""
def gather(
    input: Tensor, dim: _int, index: Tensor, *, sparse_grad: _bool = False, out: Tensor | None = None
) -> Tensor:
    """Gathers elements along one dimension at the given indices."""
def gcd(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the greatest common divisor of two tensors, element by element."""
def ge(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes input >= other, element by element."""
greater_equal = ge
def geqrf(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> geqrf_result:
    """Computes the QR decomposition in packed form, as Householder reflectors."""
def gradient(
    input: Tensor,
    *,
    spacing: _Number | Sequence[_Number] | Sequence[Tensor] | None = None,
    dim: _int | Sequence[_int] | None = None,
    edge_order: _int = 1,
) -> tuple[Tensor, ...]:
    """Estimates the gradient along dimensions by central differences."""
def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool
) -> Tensor:
    """Reads images or volumes at the points of a grid."""
def grid_sampler_2d(
    input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool
) -> Tensor:
    """Reads images at the points of a grid."""
def grid_sampler_3d(
    input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool
) -> Tensor:
    """Reads volumes at the points of a grid."""
def group_norm(
    input: Tensor,
    num_groups: _int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: _float = 1e-05,
    cudnn_enabled: _bool = True,
) -> Tensor:
    """Group normalization: groups of channels get mean 0 and variance 1."""
@overload
def gru(
    data: Tensor,
    batch_sizes: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
) -> Tensor:
    """Runs a gated recurrent unit over sequences."""
@overload
def gru(
    input: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
    batch_first: _bool,
) -> Tensor: ...
def gru_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """One step of a gated recurrent unit."""
def gt(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes input > other, element by element."""
greater = gt
@overload
def hamming_window(
    window_length: _int,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Hamming window."""
@overload
def hamming_window(
    window_length: _int,
    periodic: _bool,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def hamming_window(
    window_length: _int,
    periodic: _bool,
    alpha: _float,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def hamming_window(
    window_length: _int,
    periodic: _bool,
    alpha: _float,
    beta: _float,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def hann_window(
    window_length: _int,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Hann window."""
@overload
def hann_window(
    window_length: _int,
    periodic: _bool,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def hardshrink(input: Tensor, lambd: _Number = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Sets elements between -lambd and lambd to 0."""
def hash_tensor(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    keepdim: _bool = False,
    mode: _int = 0,
    out: Tensor | None = None,
) -> Tensor:
    """Combines the bits of all elements, as numbers of 64 bits, by exclusive or; of all or along the given
    dimensions.
    """
def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the step function: 0 below zero, 1 above, and `values` at zero."""
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: _float = 1.0, reduction: _int = ...
) -> Tensor:
    """Distances of pairs (1), and how far those of others (-1) are below a margin."""
def histc(
    input: Tensor, bins: _int = 100, min: _Number = 0, max: _Number = 0, *, out: Tensor | None = None
) -> Tensor:
    """Counts the elements in each of `bins` bins of equal width."""
@overload
def histogram(
    input: Tensor,
    bins: Tensor,
    *,
    weight: Tensor | None = None,
    density: _bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> histogram_result:
    """Counts the elements, or sums their weights, in each bin; also returns the edges of the bins."""
@overload
def histogram(
    input: Tensor,
    bins: _int = 100,
    *,
    range: Sequence[_float] | None = None,
    weight: Tensor | None = None,
    density: _bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> histogram_result: ...
def histogramdd(
    input: Tensor,
    bins: _int | Sequence[_int] | Sequence[Tensor],
    range: Sequence[_float] | None = None,
    weight: Tensor | None = None,
    density: _bool = False,
) -> histogramdd_result:
    """Counts the points, or sums their weights, in each bin of a grid; also returns the edges of the bins."""
@overload
def hsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Splits the tensor horizontally, into groups of columns. Views."""
@overload
def hsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]: ...
def hspmm(mat1: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the product of a sparse and a dense matrix, as a hybrid tensor that stores whole rows."""
def hstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Stacks tensors horizontally (side by side)."""
def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the length of the hypotenuse of a right triangle from its legs."""
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the modified Bessel function of the first kind of order 0."""
def igamma(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the regularized lower incomplete gamma function."""
def igammac(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the regularized upper incomplete gamma function."""
def imag(input: Tensor) -> Tensor:
    """Returns the imaginary parts of a complex tensor. A view."""
def index_add(
    input: Tensor, dim: _int, index: Tensor, source: Tensor, *, alpha: _Number = 1, out: Tensor | None = None
) -> Tensor:
    """Returns a copy with slices added at indices along one dimension."""
def index_copy(
    input: Tensor, dim: _int, index: Tensor, source: Tensor, *, out: Tensor | None = None
) -> Tensor:
    """Returns a copy with slices written at indices along one dimension."""
def index_fill(input: Tensor, dim: _int, index: Tensor, value: Tensor | _Number) -> Tensor:
    """Returns a copy with the slices at indices along one dimension filled with one number."""
def index_put(input: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: _bool = False) -> Tensor:
    """Returns a copy with values written or added at the positions given by a tuple of index tensors."""
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
    """Returns a copy with slices reduced (prod, mean, amax, amin) at indices along one dimension."""
def index_select(input: Tensor, dim: _int, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Returns the slices along one dimension at the given indices."""
def indices_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `indices` shows of a compressed tensor."""
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the sum of products along the last dimension of both tensors."""
def instance_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: _bool,
    momentum: _float,
    eps: _float,
    cudnn_enabled: _bool,
) -> Tensor:
    """Instance normalization: each channel of each example gets mean 0 and variance 1."""
def int_repr(input: Tensor) -> Tensor:
    """Returns the integers of a quantized tensor as a plain tensor."""
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the inverse of square matrices."""
def isclose(
    input: Tensor, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False
) -> Tensor:
    """Tests whether elements are close: |input - other| <= atol + rtol * |other|."""
def isfinite(input: Tensor) -> Tensor:
    """Tests whether each element is finite."""
@overload
def isin(
    elements: Tensor,
    test_elements: Tensor,
    *,
    assume_unique: _bool = False,
    invert: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Tests whether each element is among the test elements."""
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
def isinf(input: Tensor) -> Tensor:
    """Tests each element for positive or negative infinity."""
def isnan(input: Tensor) -> Tensor:
    """Tests each element for NaN."""
def isneginf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tests each element for negative infinity."""
def isposinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tests each element for positive infinity."""
def isreal(input: Tensor) -> Tensor:
    """Tests whether each element is real, or has an imaginary part of 0."""
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
    """Computes the inverse of stft."""
@overload
def kaiser_window(
    window_length: _int,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Kaiser window with shape parameter beta."""
@overload
def kaiser_window(
    window_length: _int,
    periodic: _bool,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def kaiser_window(
    window_length: _int,
    periodic: _bool,
    beta: _float,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
def kl_div(input: Tensor, target: Tensor, reduction: _int = ..., *, log_target: _bool = False) -> Tensor:
    """How far a distribution of log-probabilities is from a target."""
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the Kronecker product of two tensors."""
def kthvalue(
    input: Tensor, k: _int, dim: _int = -1, keepdim: _bool = False, *, out: tuple[Tensor, ...] | None = None
) -> kthvalue_result:
    """Returns the k-th smallest element along a dimension, and its index."""
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[_int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: _float = 1e-05,
    cudnn_enable: _bool = True,
) -> Tensor:
    """Layer normalization: the last dimensions get mean 0 and variance 1."""
def lcm(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the least common multiple of two tensors, element by element."""
def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiplies `input` by 2 to the power of `other`."""
def le(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes input <= other, element by element."""
less_equal = le
def lerp(input: Tensor, end: Tensor, weight: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Interpolates linearly between two tensors: input + weight * (end - input)."""
def lgamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the natural logarithm of the absolute value of the gamma function."""
def linspace(
    start: Tensor | _Number,
    end: Tensor | _Number,
    steps: _int,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns evenly spaced numbers from start to end (inclusive)."""
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
    """Computes the largest or smallest eigenvalues of symmetric matrices, with their eigenvectors."""
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the natural logarithm of each element."""
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logarithm to base 10 of each element."""
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes log(1 + x), accurately for small x."""
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logarithm to base 2 of each element."""
def log_softmax(
    input: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Computes the logarithm of softmax along a dimension, without overflow."""
def logaddexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes log(exp(x) + exp(y)) without overflow."""
def logaddexp2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes log2(2**x + 2**y) without overflow."""
def logcumsumexp(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """Returns the logarithm of the cumulative sum of exponentials along a dimension."""
def logdet(input: Tensor) -> Tensor:
    """Computes the logarithm of the determinant; NaN where it is negative."""
def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logical AND of two tensors; nonzero counts as true."""
def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logical NOT of each element; nonzero counts as true."""
def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logical OR of two tensors; nonzero counts as true."""
def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logical XOR of two tensors; nonzero counts as true."""
def logit(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """Computes the logit, log(x / (1 - x)), of each element."""
def logspace(
    start: Tensor | _Number,
    end: Tensor | _Number,
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
    """Returns powers of a base with evenly spaced exponents from start to end (inclusive)."""
def logsumexp(
    input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Returns the logarithm of the sum of exponentials, without overflow."""
@overload
def lstm(
    data: Tensor,
    batch_sizes: Tensor,
    hx: Sequence[Tensor],
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
) -> Tensor:
    """Runs a long short-term memory over sequences."""
@overload
def lstm(
    input: Tensor,
    hx: Sequence[Tensor],
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
    batch_first: _bool,
) -> Tensor: ...
def lstm_cell(
    input: Tensor,
    hx: Sequence[Tensor],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """One step of a long short-term memory: the next hidden state and cell state."""
def lt(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes input < other, element by element."""
less = lt
def lu(
    A: Tensor, pivot: _bool = True, get_infos: _bool = False, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Computes the LU decomposition A = P L U in packed form, with its pivots."""
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Solves the linear system A X = b from the packed LU decomposition of A."""
def lu_unpack(
    LU_data: Tensor,
    LU_pivots: Tensor,
    unpack_data: _bool = True,
    unpack_pivots: _bool = True,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> lu_unpack_result:
    """Unpacks the factors P, L and U of a packed LU decomposition."""
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, reduction: _int = ...
) -> Tensor:
    """How much is missing until a number is larger than the other by a margin."""
def masked_fill(input: Tensor, mask: Tensor, value: Tensor | _Number) -> Tensor:
    """Returns a copy filled with one number where a mask is true."""
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Returns a copy with the elements of another tensor written, in order, where a mask is true."""
def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Returns the elements where a mask is true, as a vector."""
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the product of vectors, matrices or batches of matrices."""
def matrix_exp(input: Tensor) -> Tensor:
    """Computes the matrix exponential of square matrices."""
def matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor:
    """Computes the n-th power of square matrices."""
@overload
def max(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Returns the largest element; with a dimension also its index; of two tensors, the element-wise
    maximum.
    """
@overload
def max(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def max(
    input: Tensor, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, ...] | None = None
) -> max_result: ...
def max_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
) -> Tensor:
    """Keeps the largest element of each window."""
def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
) -> tuple[Tensor, Tensor]:
    """Keeps the largest element of each window, and its place in the input."""
def max_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
) -> Tensor:
    """Keeps the largest element of each window."""
def max_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
) -> Tensor:
    """Keeps the largest element of each window."""
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the larger of two elements; NaN if either is NaN."""
@overload
def mean(input: Tensor, *, dtype: _dtype | None = None, out: Tensor | None = None) -> Tensor:
    """Returns the mean of all elements, or along the given dimensions."""
@overload
def mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def median(input: Tensor) -> Tensor:
    """Returns the median, the lower one of two; with a dimension also its index."""
@overload
def median(
    input: Tensor, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, ...] | None = None
) -> median_result: ...
@overload
def meshgrid(*tensors: Tensor, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Returns coordinate grids: each vector expanded along the dimensions of the others. Views."""
@overload
def meshgrid(tensors: Sequence[Tensor], *, indexing: str | None = None) -> tuple[Tensor, ...]: ...
@overload
def min(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Returns the smallest element; with a dimension also its index; of two tensors, the element-wise
    minimum.
    """
@overload
def min(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def min(
    input: Tensor, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, ...] | None = None
) -> min_result: ...
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the smaller of two elements; NaN if either is NaN."""
def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the product of two matrices."""
def mode(
    input: Tensor, dim: _int = -1, keepdim: _bool = False, *, out: tuple[Tensor, ...] | None = None
) -> mode_result:
    """Returns the most frequent element along a dimension, the smallest if there are several, and its
    index.
    """
def movedim(input: Tensor, source: _int | Sequence[_int], destination: _int | Sequence[_int]) -> Tensor:
    """Moves dimensions to new positions; the others keep their order. A view."""
moveaxis = movedim
def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Sorts the elements along the first dimension."""
def mul(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Multiplies two tensors element by element."""
multiply = mul
def multinomial(
    input: Tensor,
    num_samples: _int,
    replacement: _bool = False,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Draws indices with probabilities proportional to weights, with or without replacement."""
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the product of a matrix and a vector."""
def mvlgamma(input: Tensor, p: _int, *, out: Tensor | None = None) -> Tensor:
    """Computes the logarithm of the multivariate gamma function of dimension p."""
def nan_to_num(
    input: Tensor,
    nan: _float | None = None,
    posinf: _float | None = None,
    neginf: _float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Replaces NaN by 0 and infinities by the largest and smallest finite numbers, or by given numbers."""
def nanmean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Returns the mean of the elements that are not NaN."""
@overload
def nanmedian(input: Tensor) -> Tensor:
    """Returns the median of the elements that are not NaN; with a dimension also its index."""
@overload
def nanmedian(
    input: Tensor, dim: _int, keepdim: _bool = False, *, out: tuple[Tensor, ...] | None = None
) -> nanmedian_result: ...
def nanquantile(
    input: Tensor,
    q: _float | Tensor,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    interpolation: str = 'linear',
    out: Tensor | None = None,
) -> Tensor:
    """Computes the q-th quantiles of the elements that are not NaN."""
def nansum(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Returns the sum of the elements that are not NaN."""
def narrow(input: Tensor, dim: _int, start: _int | Tensor, length: _int) -> Tensor:
    """Returns `length` slices along one dimension, from `start`. A view."""
def narrow_copy(input: Tensor, dim: _int, start: _int, length: _int, *, out: Tensor | None = None) -> Tensor:
    """Performs the same operation as `narrow`, but copies the elements."""
def native_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: _bool,
    momentum: _float,
    eps: _float,
    *,
    out: Sequence[Tensor] | None = None,
) -> Tensor:
    """Batch normalization with the mean and the inverse deviation of each channel."""
def native_channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """The same as `channel_shuffle`, by the name of its kernel, which has no derivative."""
def native_dropout(input: Tensor, p: _float, train: _bool | None) -> tuple[Tensor, Tensor]:
    """Sets random elements to 0, and divides the others by 1 - p; and says which are kept."""
def native_group_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    N: _int,
    C: _int,
    HxW: _int,
    group: _int,
    eps: _float,
) -> Tensor:
    """Group normalization with the mean and the inverse deviation of each group."""
def native_layer_norm(
    input: Tensor, normalized_shape: Sequence[_int], weight: Tensor | None, bias: Tensor | None, eps: _float
) -> Tensor:
    """Layer normalization with the mean and the inverse deviation of each row."""
def ne(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes input != other, element by element."""
not_equal = ne
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Negates each element."""
negative = neg
def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Returns the next representable number after `input` in the direction of `other`."""
def nonzero(input: Tensor, *, as_tuple: _bool = False, out: Tensor | None = None) -> Tensor:
    """Returns the indices of all nonzero elements: one per row, or a tensor per dimension."""
def nonzero_static(input: Tensor, *, size: _int, fill_value: _int = -1, out: Tensor | None = None) -> Tensor:
    """Returns the indices of the first `size` nonzero elements; missing rows are filled with fill_value."""
def norm(
    input: Tensor,
    p: _float | str | None = 'fro',
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
) -> Tensor:
    """Computes a vector or matrix norm."""
def norm_except_dim(v: Tensor, pow: _int = 2, dim: _int = 0) -> Tensor:
    """The norm of each slice of a tensor: one for each index of one dimension."""
@overload
def normal(
    mean: _float | Tensor,
    std: _float | Tensor = 1,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Draws normal random numbers with the given means and standard deviations."""
@overload
def normal(
    mean: _float,
    std: _float,
    size: Sequence[_int],
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor: ...
@overload
def nuclear_norm(
    input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The sum of the singular values."""
@overload
def nuclear_norm(input: Tensor, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
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
    """Returns a tensor of ones with the given size."""
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
    """Returns a tensor of ones with the size, dtype and memory format of another tensor."""
def orgqr(input: Tensor, tau: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the product of Householder reflectors."""
def ormqr(
    input: Tensor,
    input2: Tensor,
    input3: Tensor,
    left: _bool = True,
    transpose: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Multiplies a matrix by the product of Householder reflectors."""
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the outer product of two vectors."""
ger = outer
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: _float = 2, eps: _float = 1e-06, keepdim: _bool = False
) -> Tensor:
    """The distances between vectors in the last dimension."""
def pca_lowrank(
    A: Tensor, q: _int | None = None, center: _bool = True, niter: _int = 2
) -> tuple[Tensor, Tensor, Tensor]:
    """Computes an approximate principal component analysis of low rank."""
def pdist(input: Tensor, p: _float = 2) -> Tensor:
    """The distance of each row to every later one."""
def permute(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """Reorders all dimensions. A view."""
def permute_copy(input: Tensor, dims: Sequence[_int], *, out: Tensor | None = None) -> Tensor:
    """Performs the same operation as `permute`, but copies the elements."""
def pinverse(input: Tensor, rcond: _float = 1e-15) -> Tensor:
    """Computes the pseudoinverse of matrices."""
def pixel_shuffle(input: Tensor, upscale_factor: _int) -> Tensor:
    """Moves channels into the image, which gets larger by a factor."""
def pixel_unshuffle(input: Tensor, downscale_factor: _int) -> Tensor:
    """Moves the image's elements into channels: the inverse of `pixel_shuffle`."""
def poisson(input: Tensor, generator: _Generator | None = None) -> Tensor:
    """Draws from a Poisson distribution with the rate given for each element."""
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: _bool, full: _bool, eps: _float, reduction: _int
) -> Tensor:
    """How unlikely counts are where the input is their rate, or its logarithm."""
def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Makes complex numbers from absolute values and angles."""
def polygamma(n: _int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the n-th derivative of the digamma function."""
def positive(input: Tensor) -> Tensor:
    """Returns the tensor itself (+x)."""
def pow(input: Tensor | _Number, exponent: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Raises each element to a power."""
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Multiplies negative elements by a weight, one for all or one for each channel."""
@overload
def prod(input: Tensor, *, dtype: _dtype | None = None) -> Tensor:
    """Returns the product of all elements, or along the given dimension."""
@overload
def prod(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
    """Returns a copy with elements written at flat indices into the tensor."""
def q_per_channel_axis(input: Tensor) -> _int:
    """Returns the dimension of the channels."""
def q_per_channel_scales(input: Tensor) -> Tensor:
    """Returns the scale of each channel."""
def q_per_channel_zero_points(input: Tensor) -> Tensor:
    """Returns the zero point of each channel."""
def q_scale(input: Tensor) -> _float:
    """Returns the scale of a quantized tensor."""
def q_zero_point(input: Tensor) -> _int:
    """Returns the zero point of a quantized tensor."""
def qr(input: Tensor, some: _bool = True, *, out: tuple[Tensor, ...] | None = None) -> qr_result:
    """Computes the QR decomposition A = Q R of matrices."""
def quantile(
    input: Tensor,
    q: _float | Tensor,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    interpolation: str = 'linear',
    out: Tensor | None = None,
) -> Tensor:
    """Computes the q-th quantiles of all elements, or along a dimension."""
def quantization_report(input: Tensor, quantized: Tensor) -> _Report:
    """Reports what quantization does to each value: which are clipped, and how much the others are
    rounded.
    """
def quantize_per_channel(
    input: Tensor, scales: Tensor, zero_points: Tensor, axis: _int, dtype: _dtype
) -> Tensor:
    """Quantizes with a scale and a zero point for each index along a dimension."""
@overload
def quantize_per_tensor(
    input: Tensor, scale: _float | Tensor, zero_point: _int | Tensor, dtype: _dtype
) -> Tensor:
    """Quantizes with one scale and zero point; values beyond the range are clipped."""
@overload
def quantize_per_tensor(
    tensors: Sequence[Tensor], scales: Tensor, zero_points: Tensor, dtype: _dtype
) -> Tensor: ...
def quantize_per_tensor_dynamic(input: Tensor, dtype: _dtype, reduce_range: _bool) -> Tensor:
    """Quantizes with the scale and zero point that fit the range of the values."""
def rad2deg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Converts each element from radians to degrees."""
@overload
def rand(
    *size: _int,
    generator: _Generator | None,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Draws uniform random numbers from 0 (inclusive) to 1 (exclusive)."""
@overload
def rand(
    size: Sequence[_int],
    *,
    generator: _Generator | None,
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
    generator: _Generator | None,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Draws uniform random numbers in the size and dtype of another tensor."""
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
    generator: _Generator | None,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Draws random integers from low (inclusive) to high (exclusive)."""
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
    generator: _Generator | None,
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
    generator: _Generator | None,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Draws random integers in the size and dtype of another tensor."""
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
    high: _int | Tensor,
    *,
    generator: _Generator | None,
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
    high: _int | Tensor,
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
    generator: _Generator | None,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Draws random numbers from the standard normal distribution."""
@overload
def randn(
    size: Sequence[_int],
    *,
    generator: _Generator | None,
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
    generator: _Generator | None,
    memory_format: _memory_format | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Draws standard normal random numbers in the size and dtype of another tensor."""
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
    generator: _Generator | None,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a random permutation of the integers from 0 to n - 1."""
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
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns the numbers from start to end (inclusive) with a given step. Deprecated in favour of
    `arange`.
    """
def ravel(input: Tensor) -> Tensor:
    """Flattens the tensor into one dimension: a view where the tensor is contiguous, else a copy."""
def real(input: Tensor) -> Tensor:
    """Returns the real parts: a view of a complex tensor; real tensors are returned as they are."""
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the reciprocal (1 / x) of each element."""
def relu(input: Tensor) -> Tensor:
    """Sets negative elements to 0; NaN is kept."""
def remainder(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the remainder of division, with the sign of the divisor, as Python's %."""
def renorm(input: Tensor, p: _Number, dim: _int, maxnorm: _Number, *, out: Tensor | None = None) -> Tensor:
    """Scales each slice along a dimension so that its norm is at most maxnorm."""
@overload
def repeat_interleave(
    input: Tensor, repeats: _int | Tensor, dim: _int | None = None, *, output_size: _int | None = None
) -> Tensor:
    """Repeats each element, or each slice along a dimension."""
@overload
def repeat_interleave(repeats: Tensor, *, output_size: _int | None = None) -> Tensor: ...
def reshape(input: Tensor, shape: Sequence[_int]) -> Tensor:
    """Returns the same elements with another shape: a view where the strides allow it, else a copy."""
def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """Changes the size in place to that of another tensor."""
def resolve_conj(input: Tensor) -> Tensor:
    """Computes a conjugation that was deferred."""
def resolve_neg(input: Tensor) -> Tensor:
    """Computes a negation that was deferred."""
def rms_norm(
    input: Tensor, normalized_shape: Sequence[_int], weight: Tensor | None = None, eps: _float | None = None
) -> Tensor:
    """Divides by the root of the mean square over the last dimensions."""
@overload
def rnn_relu(
    data: Tensor,
    batch_sizes: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
) -> Tensor:
    """Runs a plain recurrent network with relu over sequences."""
@overload
def rnn_relu(
    input: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
    batch_first: _bool,
) -> Tensor: ...
def rnn_relu_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """One step of a plain recurrent network with relu."""
@overload
def rnn_tanh(
    data: Tensor,
    batch_sizes: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
) -> Tensor:
    """Runs a plain recurrent network with tanh over sequences."""
@overload
def rnn_tanh(
    input: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
    batch_first: _bool,
) -> Tensor: ...
def rnn_tanh_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """One step of a plain recurrent network with tanh."""
def roll(input: Tensor, shifts: _int | Sequence[_int], dims: _int | Sequence[_int] | None = None) -> Tensor:
    """Shifts elements along dimensions; elements beyond the end come back at the start."""
def rot90(input: Tensor, k: _int = 1, dims: Sequence[_int] = (0, 1)) -> Tensor:
    """Rotates the plane of two dimensions by multiples of 90 degrees. A copy."""
@overload
def round(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounds each element to the nearest integer, ties to even; or to `decimals` places."""
@overload
def round(input: Tensor, *, decimals: _int, out: Tensor | None = None) -> Tensor: ...
def row_indices_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `row_indices` shows of a compressed tensor."""
def rrelu(
    input: Tensor,
    lower: _Number = 0.125,
    upper: _Number = 0.3333333333333333,
    training: _bool = False,
    generator: _Generator | None = None,
) -> Tensor:
    """Multiplies negative elements by random slopes; by their mean if not in training."""
def rrelu_(
    input: Tensor,
    lower: _Number = 0.125,
    upper: _Number = 0.3333333333333333,
    training: _bool = False,
    generator: _Generator | None = None,
) -> Tensor:
    """In-place form of `rrelu`."""
def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the reciprocal of the square root of each element."""
@overload
def rsub(input: Tensor, other: Tensor, *, alpha: _Number = 1) -> Tensor:
    """Subtracts a tensor from a number or another tensor: ``other - alpha * input``."""
@overload
def rsub(input: Tensor, other: _Number, alpha: _Number = 1) -> Tensor: ...
def scalar_tensor(
    s: _Number,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Makes a zero-dimensional tensor from one number."""
@overload
def scatter(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Returns a copy with elements written at indices along one dimension; the last write to an index
    wins.
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
    """Returns a copy with elements added at indices along one dimension."""
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
    """Returns a copy with elements reduced (sum, prod, mean, amax, amin) at indices along one dimension."""
def searchsorted(
    sorted_sequence: Tensor,
    input: Tensor | _Number,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Returns the indices at which values would be inserted into a sorted sequence."""
def segment_reduce(
    data: Tensor,
    reduce: str,
    *,
    lengths: Tensor | None = None,
    indices: Tensor | None = None,
    offsets: Tensor | None = None,
    axis: _int = 0,
    unsafe: _bool = False,
    initial: _Number | None = None,
) -> Tensor:
    """Consecutive segments along a dimension, each reduced to one element."""
def select(input: Tensor, dim: _int, index: _int) -> Tensor:
    """Returns one slice along a dimension, without that dimension. A view."""
def select_copy(input: Tensor, dim: _int, index: _int, *, out: Tensor | None = None) -> Tensor:
    """Performs the same operation as `select`, but copies the elements."""
def select_scatter(input: Tensor, src: Tensor, dim: _int, index: _int) -> Tensor:
    """Returns a copy with one slice replaced by another tensor."""
def selu(input: Tensor) -> Tensor:
    """An elu that keeps mean 0 and variance 1 from layer to layer."""
def selu_(input: Tensor) -> Tensor:
    """In-place form of `selu`. An elu that keeps mean 0 and variance 1 from layer to layer."""
def sgn(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the sign of each element; for complex numbers, x / |x|."""
def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logistic sigmoid, 1 / (1 + exp(-x)), of each element."""
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the sign of each element: -1, 0 or 1."""
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tests whether the sign bit of each element is set."""
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the sine of each element."""
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the normalized sinc, sin(pi x) / (pi x), of each element; 1 at 0."""
def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the hyperbolic sine of each element."""
def slice_copy(
    input: Tensor,
    dim: _int = 0,
    start: _int | None = None,
    end: _int | None = None,
    step: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Returns a copy of a slice along one dimension."""
def slice_scatter(
    input: Tensor,
    src: Tensor,
    dim: _int = 0,
    start: _int | None = None,
    end: _int | None = None,
    step: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Returns a copy with a range of slices replaced by another tensor."""
def slogdet(input: Tensor, *, out: tuple[Tensor, ...] | None = None) -> slogdet_result:
    """Computes the sign and the logarithm of the absolute value of the determinant."""
def smm(input: Tensor, mat2: Tensor) -> Tensor:
    """Computes the product of a sparse and a dense matrix, as a sparse tensor."""
def softmax(input: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | None = None) -> Tensor:
    """Computes softmax along a dimension: exp(x) / sum(exp(x))."""
@overload
def sort(
    input: Tensor,
    *,
    stable: _bool | None,
    dim: _int = -1,
    descending: _bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> sort_result:
    """Sorts the elements along a dimension; returns them and their indices."""
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
    """Makes a sparse tensor in block compressed column (BSC) layout."""
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
    """Makes a sparse tensor in block compressed row (BSR) layout."""
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
    """Makes a sparse tensor in the given compressed layout."""
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
    """Makes a sparse tensor from coordinates and values (COO)."""
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
    """Makes a sparse tensor in compressed column (CSC) layout."""
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
    """Makes a sparse tensor in compressed row (CSR) layout."""
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
def split(tensor: Tensor, split_size_or_sections: _int | Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Splits the tensor along one dimension into pieces of one size or of the given sizes. Views."""
def split_copy(
    input: Tensor, split_size: _int, dim: _int = 0, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Performs the same operation as `split`, but copies the elements."""
def split_with_sizes(input: Tensor, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Splits the tensor along one dimension into pieces of the given sizes. Views."""
def split_with_sizes_copy(
    input: Tensor, split_sizes: Sequence[_int], dim: _int = 0, *, out: tuple[Tensor, ...] | None = None
) -> tuple[Tensor, ...]:
    """Performs the same operation as `split_with_sizes`, but copies the elements."""
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the square root of each element."""
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the square of each element."""
@overload
def squeeze(input: Tensor) -> Tensor:
    """Removes all dimensions of size 1, or the given ones. A view."""
@overload
def squeeze(input: Tensor, dim: _int | Sequence[_int]) -> Tensor: ...
@overload
def squeeze_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Performs the same operation as `squeeze`, but copies the elements."""
@overload
def squeeze_copy(input: Tensor, dim: _int | Sequence[_int], *, out: Tensor | None = None) -> Tensor: ...
def sspaddmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Adds the product of a sparse and a dense matrix to a sparse matrix."""
def stack(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Stacks tensors of the same shape along a new dimension."""
@overload
def std(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    unbiased: _bool = True,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Returns the standard deviation of all elements, or along the given dimensions."""
@overload
def std(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number | None = None,
    keepdim: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def std(input: Tensor, unbiased: _bool = True) -> Tensor: ...
@overload
def std_mean(
    input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False
) -> tuple[Tensor, Tensor]:
    """Returns the standard deviation and the mean of all elements, or along the given dimensions."""
@overload
def std_mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number | None = None,
    keepdim: _bool = False,
) -> tuple[Tensor, Tensor]: ...
@overload
def std_mean(input: Tensor, unbiased: _bool = True) -> tuple[Tensor, Tensor]: ...
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
    """Computes the short-time Fourier transform of a signal."""
def sub(
    input: Tensor | _Number, other: Tensor | _Number, *, alpha: _Number = 1, out: Tensor | None = None
) -> Tensor:
    """Subtracts two tensors element by element; `alpha` multiplies `other`."""
subtract = sub
@overload
def sum(input: Tensor, *, dtype: _dtype | None = None) -> Tensor:
    """Returns the sum of all elements, or along the given dimensions."""
@overload
def sum(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    keepdim: _bool = False,
    *,
    dtype: _dtype | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def svd(
    input: Tensor, some: _bool = True, compute_uv: _bool = True, *, out: tuple[Tensor, ...] | None = None
) -> svd_result:
    """Computes the singular value decomposition A = U diag(S) Vᴴ; returns U, S and V."""
def svd_lowrank(
    A: Tensor, q: _int | None = 6, niter: _int | None = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Computes an approximate singular value decomposition of low rank, with random vectors."""
def t(input: Tensor) -> Tensor:
    """Transposes a matrix; tensors with fewer dimensions are returned as they are. A view."""
def t_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Performs the same operation as `t`, but copies the elements."""
def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Returns the elements at flat indices into the tensor."""
def take_along_dim(
    input: Tensor, indices: Tensor, dim: _int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Gathers elements along one dimension, or of the flattened tensor, at broadcast indices."""
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the tangent of each element."""
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the hyperbolic tangent of each element."""
def tensor(
    data: Any,
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Makes a tensor by copying data."""
@overload
def tensor_split(input: Tensor, indices: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Splits the tensor along one dimension at indices, or into a number of nearly equal pieces. Views."""
@overload
def tensor_split(input: Tensor, tensor_indices_or_sections: Tensor, dim: _int = 0) -> tuple[Tensor, ...]: ...
@overload
def tensor_split(input: Tensor, sections: _int, dim: _int = 0) -> tuple[Tensor, ...]: ...
def tensordot(a: Tensor, b: Tensor, dims: _int = 2, out: Tensor | None = None) -> Tensor:
    """Computes the sum of products of two tensors over the given dimensions."""
def threshold(input: Tensor, threshold: _Number, value: _Number, *, out: Tensor | None = None) -> Tensor:
    """Sets elements that are not above a threshold to a value."""
def threshold_(input: Tensor, threshold: _Number, value: _Number) -> Tensor:
    """In-place form of `threshold`. Sets elements that are not above a threshold to a value."""
def tile(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """Repeats the tensor along its dimensions; `dims` may name only the last ones. A copy."""
def topk(
    input: Tensor,
    k: _int,
    dim: _int = -1,
    largest: _bool = True,
    sorted: _bool = True,
    *,
    out: tuple[Tensor, ...] | None = None,
) -> topk_result:
    """Returns the k largest or smallest elements along a dimension, and their indices."""
def trace(input: Tensor) -> Tensor:
    """Returns the sum of the diagonal of a matrix."""
def transpose(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """Swaps two dimensions and their strides. A view."""
swapaxes = transpose
swapdims = transpose
def transpose_copy(input: Tensor, dim0: _int, dim1: _int, *, out: Tensor | None = None) -> Tensor:
    """Performs the same operation as `transpose`, but copies the elements."""
@overload
def trapezoid(y: Tensor, x: Tensor, *, dim: _int = -1) -> Tensor:
    """Integrates along a dimension by the trapezoidal rule."""
@overload
def trapezoid(y: Tensor, *, dx: _Number = 1, dim: _int = -1) -> Tensor: ...
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
    """Solves the linear system A X = b with a triangular A; returns X and A."""
def tril(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Returns the lower triangle of each matrix, with zeros above a diagonal."""
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
    """Returns the row and column indices of the lower triangle of a matrix."""
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: _float = 1.0,
    p: _float = 2,
    eps: _float = 1e-06,
    swap: _bool = False,
    reduction: _int = ...,
) -> Tensor:
    """How much nearer the positives are than the negatives, below a margin."""
def triu(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Returns the upper triangle of each matrix, with zeros below a diagonal."""
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
    """Returns the row and column indices of the upper triangle of a matrix."""
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounds each element towards zero to an integer."""
fix = trunc
def unbind(input: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
    """Returns the slices along one dimension. Views."""
def unbind_copy(input: Tensor, dim: _int = 0, *, out: tuple[Tensor, ...] | None = None) -> tuple[Tensor, ...]:
    """Performs the same operation as `unbind`, but copies the elements."""
def unflatten(input: Tensor, dim: _int, sizes: Sequence[_int]) -> Tensor:
    """Splits one dimension into several. A view."""
def unfold_copy(
    input: Tensor, dimension: _int, size: _int, step: _int, *, out: Tensor | None = None
) -> Tensor:
    """Performs the same operation as `unfold`, but copies the elements."""
@overload
def unique(input: Tensor, sorted: _bool = True, *, dim: _int | None = None) -> Tensor:
    """Returns the unique elements, or the unique slices along a dimension, in sorted order."""
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
    """Removes all but the first of each run of equal elements, or of equal slices."""
@overload
def unique_consecutive(
    input: Tensor, *, return_inverse: _bool, return_counts: _bool = False, dim: _int | None = None
) -> tuple[Tensor, ...]: ...
@overload
def unique_consecutive(
    input: Tensor, *, return_counts: _bool, dim: _int | None = None
) -> tuple[Tensor, ...]: ...
def unravel_index(indices: Tensor, shape: _int) -> tuple[Tensor, ...]:
    """Converts flat indices into coordinates in a tensor of the given shape."""
def unsafe_chunk(input: Tensor, chunks: _int, dim: _int = 0) -> Tensor:
    """Splits the tensor like `chunk`, but the pieces do not count as views."""
def unsafe_split(input: Tensor, split_size: _int, dim: _int = 0) -> Tensor:
    """Splits the tensor like `split`, but the pieces do not count as views."""
def unsafe_split_with_sizes(input: Tensor, split_sizes: Sequence[_int], dim: _int = 0) -> Tensor:
    """Splits the tensor like `split_with_sizes`, but the pieces do not count as views."""
def unsqueeze(input: Tensor, dim: _int) -> Tensor:
    """Inserts a dimension of size 1. A view."""
def unsqueeze_copy(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """Performs the same operation as `unsqueeze`, but copies the elements."""
def values_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of what `values` shows of a compressed tensor."""
def vander(x: Tensor, N: _int | None = None, increasing: _bool = False) -> Tensor:
    """Returns a Vandermonde matrix: the powers of each number, one number per row."""
@overload
def var(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    unbiased: _bool = True,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Returns the variance of all elements, or along the given dimensions."""
@overload
def var(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number | None = None,
    keepdim: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def var(input: Tensor, unbiased: _bool = True) -> Tensor: ...
@overload
def var_mean(
    input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False
) -> tuple[Tensor, Tensor]:
    """Returns the variance and the mean of all elements, or along the given dimensions."""
@overload
def var_mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number | None = None,
    keepdim: _bool = False,
) -> tuple[Tensor, Tensor]: ...
@overload
def var_mean(input: Tensor, unbiased: _bool = True) -> tuple[Tensor, Tensor]: ...
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the dot product of two vectors, the first one conjugated."""
def view_as_complex(input: Tensor) -> Tensor:
    """Returns pairs of real numbers in the last dimension as complex numbers. A view."""
def view_as_complex_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Performs the same operation as `view_as_complex`, but copies the elements."""
def view_as_real(input: Tensor) -> Tensor:
    """Returns complex numbers as pairs of real numbers in a new last dimension of size 2. A view."""
def view_as_real_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Performs the same operation as `view_as_real`, but copies the elements."""
@overload
def view_copy(input: Tensor, dtype: _dtype, *, out: Tensor | None = None) -> Tensor:
    """Performs the same operation as `view`, but copies the elements."""
@overload
def view_copy(input: Tensor, size: Sequence[_int], *, out: Tensor | None = None) -> Tensor: ...
@overload
def vsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Splits the tensor vertically, into groups of rows. Views."""
@overload
def vsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]: ...
def vstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Stacks tensors vertically (one below the other)."""
row_stack = vstack
@overload
def where(condition: Tensor) -> tuple[Tensor, ...]:
    """Selects elements of two tensors by a condition; of a condition alone, returns the indices of true
    elements.
    """
@overload
def where(
    condition: Tensor, input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None
) -> Tensor: ...
def xlogy(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes x * log(y); 0 where x is 0."""
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
    """Returns a tensor of zeros with the given size."""
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
    """Returns a tensor of zeros with the size, dtype and memory format of another tensor."""
