# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import Any, NamedTuple, TypeAlias, overload

from numpy import ndarray

from .device import device as _device
from .dtypes import dtype as _dtype
from .formats import memory_format as _memory_format
from .storage import TypedStorage, UntypedStorage
from .tensor import Tensor

_Number: TypeAlias = _bool | _int | _float | _complex
_Index: TypeAlias = None | _bool | _int | slice | EllipsisType | Tensor | ndarray | list[Any] | tuple[Any, ...]

class max_result(NamedTuple):
    values: Tensor
    indices: Tensor

class min_result(NamedTuple):
    values: Tensor
    indices: Tensor

class TensorMethods:
    """What the rows of the engine hang on Tensor."""
    def __abs__(self) -> Tensor: ...
    def __add__(self, other: Tensor | _Number) -> Tensor: ...
    def __and__(self, other: Tensor | _Number) -> Tensor: ...
    def __array__(self, dtype: Any = None) -> ndarray: ...
    def __bool__(self) -> _bool: ...
    def __complex__(self) -> _complex: ...
    def __contains__(self, element: Tensor | _Number) -> _bool: ...
    def __eq__(self, other: object) -> Tensor: ...  # type: ignore[override]
    def __float__(self) -> _float: ...
    def __floordiv__(self, other: Tensor | _Number) -> Tensor: ...
    def __ge__(self, other: Tensor | _Number) -> Tensor: ...
    def __getitem__(self, key: _Index) -> Tensor: ...
    def __gt__(self, other: Tensor | _Number) -> Tensor: ...
    def __iadd__(self, other: Tensor | _Number) -> Tensor: ...
    def __iand__(self, other: Tensor | _Number) -> Tensor: ...
    def __ifloordiv__(self, other: Tensor | _Number) -> Tensor: ...
    def __ilshift__(self, other: Tensor | _Number) -> Tensor: ...
    def __imod__(self, other: Tensor | _Number) -> Tensor: ...
    def __imul__(self, other: Tensor | _Number) -> Tensor: ...
    def __index__(self) -> _int: ...
    def __int__(self) -> _int: ...
    def __invert__(self) -> Tensor: ...
    def __ior__(self, other: Tensor | _Number) -> Tensor: ...
    def __ipow__(self, other: Tensor | _Number) -> Tensor: ...
    def __irshift__(self, other: Tensor | _Number) -> Tensor: ...
    def __isub__(self, other: Tensor | _Number) -> Tensor: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def __itruediv__(self, other: Tensor | _Number) -> Tensor: ...
    def __ixor__(self, other: Tensor | _Number) -> Tensor: ...
    def __le__(self, other: Tensor | _Number) -> Tensor: ...
    def __lshift__(self, other: Tensor | _Number) -> Tensor: ...
    def __lt__(self, other: Tensor | _Number) -> Tensor: ...
    def __matmul__(self, other: Tensor) -> Tensor: ...
    def __mod__(self, other: Tensor | _Number) -> Tensor: ...
    def __mul__(self, other: Tensor | _Number) -> Tensor: ...
    def __ne__(self, other: object) -> Tensor: ...  # type: ignore[override]
    def __neg__(self) -> Tensor: ...
    def __or__(self, other: Tensor | _Number) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __pow__(self, other: Tensor | _Number) -> Tensor: ...
    def __radd__(self, other: _Number) -> Tensor: ...
    def __rand__(self, other: _Number) -> Tensor: ...
    def __reversed__(self) -> Tensor: ...
    def __rfloordiv__(self, other: _Number) -> Tensor: ...
    def __rlshift__(self, other: _Number) -> Tensor: ...
    def __rmatmul__(self, other: Tensor) -> Tensor: ...
    def __rmod__(self, other: _Number) -> Tensor: ...
    def __rmul__(self, other: _Number) -> Tensor: ...
    def __ror__(self, other: _Number) -> Tensor: ...
    def __rpow__(self, other: _Number) -> Tensor: ...
    def __rrshift__(self, other: _Number) -> Tensor: ...
    def __rshift__(self, other: Tensor | _Number) -> Tensor: ...
    def __rsub__(self, other: _Number) -> Tensor: ...
    def __rtruediv__(self, other: _Number) -> Tensor: ...
    def __rxor__(self, other: _Number) -> Tensor: ...
    def __setitem__(self, key: _Index, value: Tensor | _Number) -> None: ...
    def __sub__(self, other: Tensor | _Number) -> Tensor: ...
    def __truediv__(self, other: Tensor | _Number) -> Tensor: ...
    def __xor__(self, other: Tensor | _Number) -> Tensor: ...
    @property
    def H(self) -> Tensor:
        """The conjugate transpose of a matrix. A view."""
    @property
    def T(self) -> Tensor:
        """All dimensions in reverse order. A view."""
    def abs(self) -> Tensor:
        """The size of every element."""
    absolute = abs
    def abs_(self) -> Tensor:
        """In-place form of :func:`abs`. The size of every element."""
    absolute_ = abs_
    def acos(self) -> Tensor:
        """The angle whose cosine is x."""
    arccos = acos
    def acos_(self) -> Tensor:
        """In-place form of :func:`acos`. The angle whose cosine is x."""
    arccos_ = acos_
    def acosh(self) -> Tensor:
        """The inverse of cosh."""
    arccosh = acosh
    def acosh_(self) -> Tensor:
        """In-place form of :func:`acosh`. The inverse of cosh."""
    arccosh_ = acosh_
    def add(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """The sum of two tensors, element by element; `other` may be multiplied by alpha first."""
    def add_(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """In-place form of :func:`add`. The sum of two tensors, element by element; `other` may be
        multiplied by alpha first.
        """
    def adjoint(self) -> Tensor:
        """The conjugate transpose of a matrix, or of a batch of them. A view."""
    def all(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Whether all elements are true."""
    def allclose(
        self, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False
    ) -> _bool:
        """Whether all elements agree within atol + rtol * |other|."""
    def amax(self, dim: _int | Sequence[_int] = (), keepdim: _bool = False) -> Tensor:
        """The largest element over the dimensions named; NaN wins."""
    def amin(self, dim: _int | Sequence[_int] = (), keepdim: _bool = False) -> Tensor:
        """The smallest element over the dimensions named; NaN wins."""
    def any(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Whether any element is true."""
    def argmax(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """Where the largest element is."""
    def argmin(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """Where the smallest element is."""
    def as_strided(
        self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
    ) -> Tensor:
        """Any size, stride and offset over the same storage. A view."""
    def as_strided_(
        self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
    ) -> Tensor:
        """In-place form of :func:`as_strided`."""
    def asin(self) -> Tensor:
        """The angle whose sine is x."""
    arcsin = asin
    def asin_(self) -> Tensor:
        """In-place form of :func:`asin`. The angle whose sine is x."""
    arcsin_ = asin_
    def asinh(self) -> Tensor:
        """The inverse of sinh."""
    arcsinh = asinh
    def asinh_(self) -> Tensor:
        """In-place form of :func:`asinh`. The inverse of sinh."""
    arcsinh_ = asinh_
    def atan(self) -> Tensor:
        """The angle whose tangent is x."""
    arctan = atan
    def atan2(self, other: Tensor) -> Tensor:
        """The angle of the point (other, input)."""
    arctan2 = atan2
    def atan2_(self, other: Tensor) -> Tensor:
        """In-place form of :func:`atan2`. The angle of the point (other, input)."""
    arctan2_ = atan2_
    def atan_(self) -> Tensor:
        """In-place form of :func:`atan`. The angle whose tangent is x."""
    arctan_ = atan_
    def atanh(self) -> Tensor:
        """The inverse of tanh."""
    arctanh = atanh
    def atanh_(self) -> Tensor:
        """In-place form of :func:`atanh`. The inverse of tanh."""
    arctanh_ = atanh_
    def bfloat16(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.bfloat16; itself if it already is."""
    def bitwise_and(self, other: Tensor | _Number) -> Tensor:
        """The bits that both have."""
    def bitwise_and_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`bitwise_and`. The bits that both have."""
    def bitwise_left_shift(self, other: Tensor | _Number) -> Tensor:
        """Bits moved to the left."""
    def bitwise_left_shift_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`bitwise_left_shift`. Bits moved to the left."""
    def bitwise_not(self) -> Tensor:
        """Every bit turned over; for bool, the opposite."""
    def bitwise_not_(self) -> Tensor:
        """In-place form of :func:`bitwise_not`. Every bit turned over; for bool, the opposite."""
    def bitwise_or(self, other: Tensor | _Number) -> Tensor:
        """The bits that either has."""
    def bitwise_or_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`bitwise_or`. The bits that either has."""
    def bitwise_right_shift(self, other: Tensor | _Number) -> Tensor:
        """Bits moved to the right."""
    def bitwise_right_shift_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`bitwise_right_shift`. Bits moved to the right."""
    def bitwise_xor(self, other: Tensor | _Number) -> Tensor:
        """The bits that one of the two has."""
    def bitwise_xor_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`bitwise_xor`. The bits that one of the two has."""
    def bmm(self, mat2: Tensor) -> Tensor:
        """The products of two batches of matrices."""
    def bool(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.bool; itself if it already is."""
    def broadcast_to(self, size: Sequence[_int]) -> Tensor:
        """Stretched to a size by strides of 0. A view."""
    def byte(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.uint8; itself if it already is."""
    def cdouble(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.complex128; itself if it already is."""
    def ceil(self) -> Tensor:
        """Rounded up."""
    def ceil_(self) -> Tensor:
        """In-place form of :func:`ceil`. Rounded up."""
    def cfloat(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.complex64; itself if it already is."""
    def chalf(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.complex32; itself if it already is."""
    def char(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.int8; itself if it already is."""
    def chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """At most so many pieces along one dimension, the last perhaps shorter. Each a view."""
    unsafe_chunk = chunk
    def clone(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """A copy with a storage of its own; dense strides are kept."""
    def conj(self) -> Tensor:
        """The complex conjugate: a view that promises it; a real tensor as it is."""
    def conj_physical(self) -> Tensor:
        """The complex conjugate, computed at once."""
    def contiguous(self, memory_format: _memory_format = ...) -> Tensor:
        """The tensor itself if it is contiguous, else a copy that is."""
    def copy_(self, src: Tensor, non_blocking: _bool = False) -> Tensor:
        """Every element overwritten by that of another tensor, broadcast and converted."""
    def copysign(self, other: Tensor | _Number) -> Tensor:
        """The size of one with the sign of the other."""
    def copysign_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`copysign`. The size of one with the sign of the other."""
    def cos(self) -> Tensor:
        """The cosine of every element."""
    def cos_(self) -> Tensor:
        """In-place form of :func:`cos`. The cosine of every element."""
    def cosh(self) -> Tensor:
        """The hyperbolic cosine."""
    def cosh_(self) -> Tensor:
        """In-place form of :func:`cosh`. The hyperbolic cosine."""
    def cpu(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor in main memory; itself if it already is."""
    def cuda(self, device: _device | str | None = None, non_blocking: _bool = False) -> Tensor:
        """The tensor on a GPU: refused, for there is none here."""
    @property
    def data(self) -> Tensor:
        """The same elements, with a version of their own."""
    @data.setter
    def data(self, value: Tensor) -> None: ...
    def detach(self) -> Tensor:
        """The same elements as a tensor that is no view and has no history."""
    def detach_(self) -> Tensor:
        """Forget what the tensor was made from; refused for views."""
    def diagonal(self, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """The diagonal of two dimensions, as the last dimension: its stride is the sum of both. A view."""
    def div(self, other: Tensor | _Number, *, rounding_mode: str | None = None) -> Tensor:
        """The quotient of two tensors, element by element."""
    divide = div
    true_divide = div
    def div_(self, other: Tensor | _Number, *, rounding_mode: str | None = None) -> Tensor:
        """In-place form of :func:`div`. The quotient of two tensors, element by element."""
    divide_ = div_
    true_divide_ = div_
    def dot(self, tensor: Tensor) -> Tensor:
        """The sum of the products of two vectors."""
    def double(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.float64; itself if it already is."""
    def dsplit(self, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
        """Pieces along the third dimension. Each a view."""
    def eq(self, other: Tensor | _Number) -> Tensor:
        """Whether each element is equal."""
    def eq_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`eq`. Whether each element is equal."""
    def equal(self, other: Tensor) -> _bool:
        """Whether two tensors have the same size and the same elements."""
    def exp(self) -> Tensor:
        """e to the power of every element."""
    def exp2(self) -> Tensor:
        """2 to the power of every element."""
    def exp2_(self) -> Tensor:
        """In-place form of :func:`exp2`. 2 to the power of every element."""
    def exp_(self) -> Tensor:
        """In-place form of :func:`exp`. e to the power of every element."""
    @overload
    def expand(self, *size: _int, implicit: _bool = False) -> Tensor:
        """Dimensions of size 1 stretched by a stride of 0; nothing is copied. A view."""
    @overload
    def expand(self, size: Sequence[_int], *, implicit: _bool = False) -> Tensor: ...
    def expand_as(self, other: Tensor) -> Tensor:
        """Stretched to the size of another tensor. A view."""
    def expm1(self) -> Tensor:
        """exp(x) - 1, exact for small x."""
    def expm1_(self) -> Tensor:
        """In-place form of :func:`expm1`. exp(x) - 1, exact for small x."""
    def fill_(self, value: Tensor | _Number) -> Tensor:
        """Every element set to one number."""
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """Several dimensions as one: the tensor itself, a view, or a copy where strides do not merge."""
    def float(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.float32; itself if it already is."""
    def floor(self) -> Tensor:
        """Rounded down."""
    def floor_(self) -> Tensor:
        """In-place form of :func:`floor`. Rounded down."""
    def floor_divide(self, other: Tensor | _Number) -> Tensor:
        """The quotient rounded down to a whole number."""
    def floor_divide_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`floor_divide`. The quotient rounded down to a whole number."""
    def fmax(self, other: Tensor) -> Tensor:
        """The larger of two, element by element; a number wins over NaN."""
    def fmin(self, other: Tensor) -> Tensor:
        """The smaller of two, element by element; a number wins over NaN."""
    def fmod(self, other: Tensor | _Number) -> Tensor:
        """What division leaves, with the sign of the dividend, as C's fmod."""
    def fmod_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`fmod`. What division leaves, with the sign of the dividend, as C's fmod."""
    def ge(self, other: Tensor | _Number) -> Tensor:
        """Whether each element is larger or equal."""
    greater_equal = ge
    def ge_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`ge`. Whether each element is larger or equal."""
    greater_equal_ = ge_
    def gt(self, other: Tensor | _Number) -> Tensor:
        """Whether each element is larger."""
    greater = gt
    def gt_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`gt`. Whether each element is larger."""
    greater_ = gt_
    def half(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.float16; itself if it already is."""
    def hsplit(self, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
        """Pieces along the columns. Each a view."""
    def hypot(self, other: Tensor) -> Tensor:
        """The length of the hypotenuse."""
    def hypot_(self, other: Tensor) -> Tensor:
        """In-place form of :func:`hypot`. The length of the hypotenuse."""
    @property
    def imag(self) -> Tensor:
        """The imaginary parts of a complex tensor. A view."""
    @imag.setter
    def imag(self, value: Tensor) -> None: ...
    def int(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.int32; itself if it already is."""
    def is_conj(self) -> Any: ...
    def is_contiguous(self, memory_format: Any = ...) -> _bool:
        """Whether the elements lie in storage in the order of a memory format, without gaps."""
    def is_neg(self) -> Any: ...
    def isfinite(self) -> Tensor:
        """Whether each element is a finite number."""
    def isinf(self) -> Tensor:
        """Whether each element is infinite."""
    def isnan(self) -> Tensor:
        """Whether each element is NaN."""
    def item(self) -> Any:
        """The one element as a Python number."""
    def le(self, other: Tensor | _Number) -> Tensor:
        """Whether each element is smaller or equal."""
    less_equal = le
    def le_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`le`. Whether each element is smaller or equal."""
    less_equal_ = le_
    def log(self) -> Tensor:
        """The natural logarithm of every element."""
    def log10(self) -> Tensor:
        """The logarithm to base 10."""
    def log10_(self) -> Tensor:
        """In-place form of :func:`log10`. The logarithm to base 10."""
    def log1p(self) -> Tensor:
        """log(1 + x), exact for small x."""
    def log1p_(self) -> Tensor:
        """In-place form of :func:`log1p`. log(1 + x), exact for small x."""
    def log2(self) -> Tensor:
        """The logarithm to base 2."""
    def log2_(self) -> Tensor:
        """In-place form of :func:`log2`. The logarithm to base 2."""
    def log_(self) -> Tensor:
        """In-place form of :func:`log`. The natural logarithm of every element."""
    def logical_and(self, other: Tensor) -> Tensor:
        """Whether both are true (not zero)."""
    def logical_and_(self, other: Tensor) -> Tensor:
        """In-place form of :func:`logical_and`. Whether both are true (not zero)."""
    def logical_not(self) -> Tensor:
        """Whether an element is zero."""
    def logical_not_(self) -> Tensor:
        """In-place form of :func:`logical_not`. Whether an element is zero."""
    def logical_or(self, other: Tensor) -> Tensor:
        """Whether either is true (not zero)."""
    def logical_or_(self, other: Tensor) -> Tensor:
        """In-place form of :func:`logical_or`. Whether either is true (not zero)."""
    def logical_xor(self, other: Tensor) -> Tensor:
        """Whether one of the two is true (not zero)."""
    def logical_xor_(self, other: Tensor) -> Tensor:
        """In-place form of :func:`logical_xor`. Whether one of the two is true (not zero)."""
    def long(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.int64; itself if it already is."""
    def lt(self, other: Tensor | _Number) -> Tensor:
        """Whether each element is smaller."""
    less = lt
    def lt_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`lt`. Whether each element is smaller."""
    less_ = lt_
    @property
    def mH(self) -> Tensor:
        """The conjugate transpose of a batch of matrices. A view."""
    @property
    def mT(self) -> Tensor:
        """The last two dimensions change places. A view."""
    def matmul(self, other: Tensor) -> Tensor:
        """The product of vectors, matrices or batches of matrices, by how many dimensions they have."""
    @overload
    def max(self) -> Tensor:
        """The largest element; with a dimension also where it is; with two tensors, pair by pair."""
    @overload
    def max(self, dim: _int, keepdim: _bool = False) -> max_result: ...
    @overload
    def max(self, other: Tensor) -> Tensor: ...
    def maximum(self, other: Tensor) -> Tensor:
        """The larger of two, element by element; NaN wins."""
    def mean(
        self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None
    ) -> Tensor:
        """The mean over all dimensions, or over those named."""
    @overload
    def min(self) -> Tensor:
        """The smallest element; with a dimension also where it is; with two tensors, pair by pair."""
    @overload
    def min(self, dim: _int, keepdim: _bool = False) -> min_result: ...
    @overload
    def min(self, other: Tensor) -> Tensor: ...
    def minimum(self, other: Tensor) -> Tensor:
        """The smaller of two, element by element; NaN wins."""
    def mm(self, mat2: Tensor) -> Tensor:
        """The product of two matrices."""
    def movedim(self, source: _int | Sequence[_int], destination: _int | Sequence[_int]) -> Tensor:
        """Some dimensions move to new places; the others keep their order. A view."""
    moveaxis = movedim
    def mul(self, other: Tensor | _Number) -> Tensor:
        """The product of two tensors, element by element."""
    multiply = mul
    def mul_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`mul`. The product of two tensors, element by element."""
    multiply_ = mul_
    def mv(self, vec: Tensor) -> Tensor:
        """The product of a matrix and a vector."""
    def narrow(self, dim: _int, start: _int | Tensor, length: _int) -> Tensor:
        """`length` neighbours along one dimension, from `start`. A view."""
    def ne(self, other: Tensor | _Number) -> Tensor:
        """Whether each element differs."""
    not_equal = ne
    def ne_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`ne`. Whether each element differs."""
    not_equal_ = ne_
    def neg(self) -> Tensor:
        """Every element with the other sign."""
    negative = neg
    def neg_(self) -> Tensor:
        """In-place form of :func:`neg`. Every element with the other sign."""
    negative_ = neg_
    def numpy(self, *, force: _bool = False) -> ndarray:
        """A NumPy array that shares the memory of the tensor."""
    @overload
    def permute(self, *dims: _int) -> Tensor:
        """All dimensions in a new order, given by their numbers. A view."""
    @overload
    def permute(self, dims: Sequence[_int]) -> Tensor: ...
    def pow(self, other: Tensor | _Number) -> Tensor:
        """Powers, element by element."""
    def pow_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`pow`. Powers, element by element."""
    def prod(self, dim: _int | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None) -> Tensor:
        """The product over all dimensions, or along one."""
    def ravel(self) -> Tensor:
        """All elements in one dimension: a view where the tensor is contiguous, else a copy."""
    @property
    def real(self) -> Tensor:
        """The real parts: a view of a complex tensor; a real tensor as it is."""
    @real.setter
    def real(self, value: Tensor) -> None: ...
    def reciprocal(self) -> Tensor:
        """1 divided by every element."""
    def reciprocal_(self) -> Tensor:
        """In-place form of :func:`reciprocal`. 1 divided by every element."""
    def remainder(self, other: Tensor | _Number) -> Tensor:
        """What division leaves, with the sign of the divisor, as Python's %."""
    def remainder_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of :func:`remainder`. What division leaves, with the sign of the divisor, as
        Python's %.
        """
    @overload
    def reshape(self, *shape: _int) -> Tensor:
        """The same elements in another size: a view where strides allow it, else a copy."""
    @overload
    def reshape(self, shape: Sequence[_int]) -> Tensor: ...
    def reshape_as(self, other: Tensor) -> Tensor:
        """Like reshape, with the size of another tensor."""
    @overload
    def resize_(self, *size: _int, memory_format: _memory_format | None = None) -> Tensor:
        """Another size over the same storage, which grows if it must."""
    @overload
    def resize_(self, size: Sequence[_int], *, memory_format: _memory_format | None = None) -> Tensor: ...
    def resize_as_(self, other: Tensor, memory_format: _memory_format | None = None) -> Tensor:
        """Like resize_, with the size of another tensor."""
    def resolve_conj(self) -> Tensor:
        """With a promised conjugate computed."""
    def resolve_neg(self) -> Tensor:
        """With a promised minus computed."""
    def select(self, dim: _int, index: _int) -> Tensor:
        """One place along a dimension, which is gone from the result. A view."""
    def set_(
        self,
        source: Tensor | TypedStorage | UntypedStorage | None = None,
        storage_offset: _int = 0,
        size: Sequence[_int] | None = None,
        stride: Sequence[_int] | None = None,
    ) -> Tensor:
        """Look at another storage."""
    def short(self, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.int16; itself if it already is."""
    def sign(self) -> Tensor:
        """-1, 0 or 1 for every element."""
    def sign_(self) -> Tensor:
        """In-place form of :func:`sign`. -1, 0 or 1 for every element."""
    def signbit(self) -> Tensor:
        """Whether the sign bit is set."""
    def sin(self) -> Tensor:
        """The sine of every element."""
    def sin_(self) -> Tensor:
        """In-place form of :func:`sin`. The sine of every element."""
    def sinh(self) -> Tensor:
        """The hyperbolic sine."""
    def sinh_(self) -> Tensor:
        """In-place form of :func:`sinh`. The hyperbolic sine."""
    def split(self, split_size_or_sections: _int | Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces along one dimension: of one length, or of the lengths listed. Each a view."""
    def split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of the lengths listed, along one dimension. Each a view."""
    def sqrt(self) -> Tensor:
        """The square root of every element."""
    def sqrt_(self) -> Tensor:
        """In-place form of :func:`sqrt`. The square root of every element."""
    def square(self) -> Tensor:
        """Every element times itself."""
    def square_(self) -> Tensor:
        """In-place form of :func:`square`. Every element times itself."""
    def squeeze(self, dim: _int | Sequence[_int] | None = None) -> Tensor:
        """Without the dimensions of size 1, or without those named. A view."""
    def squeeze_(self, dim: _int | Sequence[_int] | None = None) -> Tensor:
        """In-place form of :func:`squeeze`. Without the dimensions of size 1, or without those named. A
        view.
        """
    def sub(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """The difference of two tensors, element by element."""
    subtract = sub
    def sub_(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """In-place form of :func:`sub`. The difference of two tensors, element by element."""
    subtract_ = sub_
    def sum(
        self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None
    ) -> Tensor:
        """The sum over all dimensions, or over those named."""
    def t(self) -> Tensor:
        """The transpose of a matrix: both strides change places. A view."""
    def t_(self) -> Tensor:
        """In-place form of :func:`t`. The transpose of a matrix: both strides change places. A view."""
    def tan(self) -> Tensor:
        """The tangent of every element."""
    def tan_(self) -> Tensor:
        """In-place form of :func:`tan`. The tangent of every element."""
    def tanh(self) -> Tensor:
        """The hyperbolic tangent."""
    def tanh_(self) -> Tensor:
        """In-place form of :func:`tanh`. The hyperbolic tangent."""
    def tensor_split(
        self, indices_or_sections: _int | Sequence[_int] | Tensor, dim: _int = 0
    ) -> tuple[Tensor, ...]:
        """Pieces cut at the indices listed, or so many of nearly one length. Each a view."""
    @overload
    def to(
        self,
        dtype: _dtype,
        non_blocking: _bool = False,
        copy: _bool = False,
        *,
        memory_format: _memory_format | None = None,
    ) -> Tensor:
        """The tensor in another dtype or place, or like another tensor; itself if nothing has to change."""
    @overload
    def to(
        self,
        device: _device | str | None = None,
        dtype: _dtype | None = None,
        non_blocking: _bool = False,
        copy: _bool = False,
        *,
        memory_format: _memory_format | None = None,
    ) -> Tensor: ...
    @overload
    def to(
        self,
        other: Tensor,
        non_blocking: _bool = False,
        copy: _bool = False,
        *,
        memory_format: _memory_format | None = None,
    ) -> Tensor: ...
    def tolist(self) -> Any:
        """The numbers in nested lists."""
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """Two dimensions change places, and their strides with them. A view."""
    swapaxes = transpose
    swapdims = transpose
    def transpose_(self, dim0: _int, dim1: _int) -> Tensor:
        """In-place form of :func:`transpose`. Two dimensions change places, and their strides with them. A
        view.
        """
    swapaxes_ = transpose_
    swapdims_ = transpose_
    def trunc(self) -> Tensor:
        """Rounded towards zero."""
    fix = trunc
    def trunc_(self) -> Tensor:
        """In-place form of :func:`trunc`. Rounded towards zero."""
    fix_ = trunc_
    def type_as(self, other: Tensor) -> Tensor:
        """The tensor in the dtype of another."""
    def unbind(self, dim: _int = 0) -> tuple[Tensor, ...]:
        """The slices along one dimension, each a view."""
    def unflatten(self, dim: _int, sizes: Sequence[_int]) -> Tensor:
        """One dimension told apart into several. A view."""
    def unfold(self, dimension: _int, size: _int, step: _int) -> Tensor:
        """Windows of `size` that start every `step` along a dimension; they may overlap. A view."""
    def unsqueeze(self, dim: _int) -> Tensor:
        """With a new dimension of size 1. A view."""
    def unsqueeze_(self, dim: _int) -> Tensor:
        """In-place form of :func:`unsqueeze`. With a new dimension of size 1. A view."""
    @overload
    def view(self, *size: _int) -> Tensor:
        """The same elements in another size, or the same bytes as another dtype. A view, or a refusal that
        says why not.
        """
    @overload
    def view(self, size: Sequence[_int]) -> Tensor: ...
    @overload
    def view(self, dtype: _dtype) -> Tensor: ...
    def view_as(self, other: Tensor) -> Tensor:
        """The same elements in the size of another tensor. A view."""
    def view_as_complex(self) -> Tensor:
        """Pairs of real numbers as complex ones. A view."""
    def view_as_real(self) -> Tensor:
        """Complex numbers as pairs of real ones, in a last dimension of 2. A view."""
    def vsplit(self, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
        """Pieces along the rows. Each a view."""
    def zero_(self) -> Tensor:
        """Every element set to 0."""
