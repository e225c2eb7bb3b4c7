# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence
from typing import Any, overload

from .engine import cuda as cuda
from .engine import result_type as result_type
from .engine.catalogue import catalogue as catalogue
from .engine.device import device as _device
from .engine.device import device as device
from .engine.device import get_default_device as get_default_device
from .engine.device import set_default_device as set_default_device
from .engine.dispatch import register_kernel as register_kernel
from .engine.dispatch import route as route
from .engine.dtypes import dtype as _dtype
from .engine.dtypes import dtype as dtype
from .engine.dtypes import get_default_dtype as get_default_dtype
from .engine.dtypes import set_default_dtype as set_default_dtype
from .engine.formats import layout as _layout
from .engine.formats import layout as layout
from .engine.formats import memory_format as _memory_format
from .engine.formats import memory_format as memory_format
from .engine.grad_mode import enable_grad as enable_grad
from .engine.grad_mode import grad_enabled as _grad_enabled
from .engine.grad_mode import no_grad as no_grad
from .engine.grad_mode import set_grad as _set_grad
from .engine.modes.recording import recording as recording
from .engine.number_limits import finfo as finfo
from .engine.number_limits import iinfo as iinfo
from .engine.ops.comparison import allclose as allclose
from .engine.ops.comparison import equal as equal
from .engine.ops.reshaping import broadcast_shapes as broadcast_shapes
from .engine.ops.tensors_utils import is_complex as is_complex
from .engine.ops.tensors_utils import is_floating_point as is_floating_point
from .engine.ops.tensors_utils import is_storage as is_storage
from .engine.ops.tensors_utils import is_tensor as is_tensor
from .engine.ops.tensors_utils import numel as numel
from .engine.print_options import set_printoptions as set_printoptions
from .engine.promotion import can_cast as can_cast
from .engine.promotion import promote_types as promote_types
from .engine.size import Size as Size
from .engine.storage import TypedStorage as TypedStorage
from .engine.storage import UntypedStorage as UntypedStorage
from .engine.tensor import Tensor as Tensor
from .engine.tensor_methods import _Number as _Number
from .engine.tensor_methods import max_result as max_result
from .engine.tensor_methods import min_result as min_result
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
pi: _float
preserve_format: _memory_format
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

is_grad_enabled = _grad_enabled
set_grad_enabled = _set_grad

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
def adjoint(input: Tensor) -> Tensor:
    """The conjugate transpose of a matrix, or of a batch of them. A view."""
def all(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether all elements are true."""
def amax(
    input: Tensor, dim: _int | Sequence[_int] = (), keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The largest element over the dimensions named; NaN wins."""
def amin(
    input: Tensor, dim: _int | Sequence[_int] = (), keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """The smallest element over the dimensions named; NaN wins."""
def any(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether any element is true."""
def arange(
    start: _Number,
    end: _Number | None = None,
    step: _Number = 1,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Numbers from start up to, and without, end, by a step."""
def argmax(
    input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Where the largest element is."""
def argmin(
    input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Where the smallest element is."""
def as_strided(
    input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
) -> Tensor:
    """Any size, stride and offset over the same storage. A view."""
def as_strided_(
    input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
) -> Tensor:
    """In-place form of :func:`as_strided`."""
def as_tensor(data: Any, dtype: _dtype | None = None, device: _device | str | None = None) -> Tensor:
    """Numbers as a tensor; shared, where they are in an array or a tensor already."""
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
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The products of two batches of matrices."""
@overload
def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Tensors stretched to a common size by strides of 0. Views."""
@overload
def broadcast_tensors(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def broadcast_to(input: Tensor, size: Sequence[_int]) -> Tensor:
    """Stretched to a size by strides of 0. A view."""
def cat(
    tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None, axis: _int | None = None
) -> Tensor:
    """Tensors one after the other along a dimension that they have."""
concat = cat
concatenate = cat
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounded up."""
def chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """At most so many pieces along one dimension, the last perhaps shorter. Each a view."""
unsafe_chunk = chunk
def clone(input: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """A copy with a storage of its own; dense strides are kept."""
def conj(input: Tensor) -> Tensor:
    """The complex conjugate: a view that promises it; a real tensor as it is."""
def conj_physical(input: Tensor) -> Tensor:
    """The complex conjugate, computed at once."""
def copysign(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The size of one with the sign of the other."""
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The cosine of every element."""
def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine."""
def detach(input: Tensor) -> Tensor:
    """The same elements as a tensor that is no view and has no history."""
def detach_(input: Tensor) -> Tensor:
    """Forget what the tensor was made from; refused for views."""
def diagonal(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """The diagonal of two dimensions, as the last dimension: its stride is the sum of both. A view."""
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
@overload
def empty(
    *size: _int,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    memory_format: _memory_format | None = None,
) -> Tensor:
    """A tensor of whatever lay in memory, of a size."""
@overload
def empty(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    memory_format: _memory_format | None = None,
) -> Tensor: ...
def empty_like(
    input: Tensor,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    memory_format: _memory_format | None = None,
) -> Tensor:
    """A tensor of whatever lay in memory, of the size and dtype of another."""
def eq(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is equal."""
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """e to the power of every element."""
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of every element."""
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """exp(x) - 1, exact for small x."""
def flatten(input: Tensor, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
    """Several dimensions as one: the tensor itself, a view, or a copy where strides do not merge."""
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
def full(
    size: Sequence[_int],
    fill_value: _Number,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """A tensor of one number, of a size."""
def ge(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is larger or equal."""
greater_equal = ge
def gt(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is larger."""
greater = gt
def hsplit(input: Tensor, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
    """Pieces along the columns. Each a view."""
def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The length of the hypotenuse."""
def imag(input: Tensor) -> Tensor:
    """The imaginary parts of a complex tensor. A view."""
def isfinite(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is a finite number."""
def isinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is infinite."""
def isnan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is NaN."""
def le(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is smaller or equal."""
less_equal = le
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of every element."""
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10."""
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log(1 + x), exact for small x."""
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2."""
def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether both are true (not zero)."""
def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether an element is zero."""
def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether either is true (not zero)."""
def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether one of the two is true (not zero)."""
def lt(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is smaller."""
less = lt
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of vectors, matrices or batches of matrices, by how many dimensions they have."""
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
def movedim(input: Tensor, source: _int | Sequence[_int], destination: _int | Sequence[_int]) -> Tensor:
    """Some dimensions move to new places; the others keep their order. A view."""
moveaxis = movedim
def mul(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The product of two tensors, element by element."""
multiply = mul
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of a matrix and a vector."""
def narrow(input: Tensor, dim: _int, start: _int | Tensor, length: _int) -> Tensor:
    """`length` neighbours along one dimension, from `start`. A view."""
def ne(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Whether each element differs."""
not_equal = ne
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Every element with the other sign."""
negative = neg
@overload
def ones(
    *size: _int,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    memory_format: _memory_format | None = None,
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
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    memory_format: _memory_format | None = None,
) -> Tensor: ...
def ones_like(
    input: Tensor,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    memory_format: _memory_format | None = None,
) -> Tensor:
    """A tensor of ones, of the size and dtype of another."""
@overload
def permute(input: Tensor, *dims: _int) -> Tensor:
    """All dimensions in a new order, given by their numbers. A view."""
@overload
def permute(input: Tensor, dims: Sequence[_int]) -> Tensor: ...
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
def ravel(input: Tensor) -> Tensor:
    """All elements in one dimension: a view where the tensor is contiguous, else a copy."""
def real(input: Tensor) -> Tensor:
    """The real parts: a view of a complex tensor; a real tensor as it is."""
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 divided by every element."""
def remainder(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """What division leaves, with the sign of the divisor, as Python's %."""
@overload
def reshape(input: Tensor, *shape: _int) -> Tensor:
    """The same elements in another size: a view where strides allow it, else a copy."""
@overload
def reshape(input: Tensor, shape: Sequence[_int]) -> Tensor: ...
def resize_as_(input: Tensor, other: Tensor, memory_format: _memory_format | None = None) -> Tensor:
    """Like resize_, with the size of another tensor."""
def resolve_conj(input: Tensor) -> Tensor:
    """With a promised conjugate computed."""
def resolve_neg(input: Tensor) -> Tensor:
    """With a promised minus computed."""
def select(input: Tensor, dim: _int, index: _int) -> Tensor:
    """One place along a dimension, which is gone from the result. A view."""
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1 for every element."""
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether the sign bit is set."""
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sine of every element."""
def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine."""
def split(input: Tensor, split_size_or_sections: _int | Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces along one dimension: of one length, or of the lengths listed. Each a view."""
def split_with_sizes(input: Tensor, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """Pieces of the lengths listed, along one dimension. Each a view."""
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The square root of every element."""
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Every element times itself."""
def squeeze(input: Tensor, dim: _int | Sequence[_int] | None = None) -> Tensor:
    """Without the dimensions of size 1, or without those named. A view."""
def stack(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Tensors of one size along a new dimension."""
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
def t(input: Tensor) -> Tensor:
    """The transpose of a matrix: both strides change places. A view."""
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tangent of every element."""
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent."""
def tensor(
    data: Any,
    *,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
) -> Tensor:
    """Numbers, copied, in a tensor of their own."""
def tensor_split(
    input: Tensor, indices_or_sections: _int | Sequence[_int] | Tensor, dim: _int = 0
) -> tuple[Tensor, ...]:
    """Pieces cut at the indices listed, or so many of nearly one length. Each a view."""
def transpose(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """Two dimensions change places, and their strides with them. A view."""
swapaxes = transpose
swapdims = transpose
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounded towards zero."""
fix = trunc
def unbind(input: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
    """The slices along one dimension, each a view."""
def unflatten(input: Tensor, dim: _int, sizes: Sequence[_int]) -> Tensor:
    """One dimension told apart into several. A view."""
def unsqueeze(input: Tensor, dim: _int) -> Tensor:
    """With a new dimension of size 1. A view."""
def view_as_complex(input: Tensor) -> Tensor:
    """Pairs of real numbers as complex ones. A view."""
def view_as_real(input: Tensor) -> Tensor:
    """Complex numbers as pairs of real ones, in a last dimension of 2. A view."""
def vsplit(input: Tensor, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
    """Pieces along the rows. Each a view."""
@overload
def zeros(
    *size: _int,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    memory_format: _memory_format | None = None,
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
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    memory_format: _memory_format | None = None,
) -> Tensor: ...
def zeros_like(
    input: Tensor,
    *,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
    pin_memory: _bool = False,
    memory_format: _memory_format | None = None,
) -> Tensor:
    """A tensor of zeros, of the size and dtype of another."""
