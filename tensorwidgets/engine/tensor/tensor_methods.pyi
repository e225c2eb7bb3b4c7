# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import type as _type
from collections.abc import Callable, Iterator, Sequence
from types import EllipsisType
from typing import Any, NamedTuple, TypeAlias, overload

from numpy import ndarray

from ..tensor.generator import Generator as _Generator
from ..tensor.storage import TypedStorage, UntypedStorage
from ..tensor.tensor import Tensor
from ..types.device import device as _device
from ..types.dtypes import dtype as _dtype
from ..types.formats import layout as _layout
from ..types.formats import memory_format as _memory_format
from ..types.formats import qscheme as _qscheme

_Number: TypeAlias = _bool | _int | _float | _complex
_Index: TypeAlias = None | _bool | _int | slice | EllipsisType | Tensor | ndarray | list[Any] | tuple[Any, ...]

class aminmax_result(NamedTuple):
    min: Tensor
    max: Tensor

class cummax_result(NamedTuple):
    values: Tensor
    indices: Tensor

class cummin_result(NamedTuple):
    values: Tensor
    indices: Tensor

class frexp_result(NamedTuple):
    mantissa: Tensor
    exponent: Tensor

class geqrf_result(NamedTuple):
    a: Tensor
    tau: Tensor

class histogram_result(NamedTuple):
    hist: Tensor
    bin_edges: Tensor

class histogramdd_result(NamedTuple):
    hist: Tensor
    bin_edges: Tensor

class kthvalue_result(NamedTuple):
    values: Tensor
    indices: Tensor

class linalg_cholesky_ex_result(NamedTuple):
    L: Tensor
    info: Tensor

class linalg_eig_result(NamedTuple):
    eigenvalues: Tensor
    eigenvectors: Tensor

class linalg_eigh_result(NamedTuple):
    eigenvalues: Tensor
    eigenvectors: Tensor

class linalg_inv_ex_result(NamedTuple):
    inverse: Tensor
    info: Tensor

class linalg_ldl_factor_ex_result(NamedTuple):
    LD: Tensor
    pivots: Tensor
    info: Tensor

class linalg_ldl_factor_result(NamedTuple):
    LD: Tensor
    pivots: Tensor

class linalg_lstsq_result(NamedTuple):
    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor

class linalg_lu_factor_ex_result(NamedTuple):
    LU: Tensor
    pivots: Tensor
    info: Tensor

class linalg_lu_factor_result(NamedTuple):
    LU: Tensor
    pivots: Tensor

class linalg_lu_result(NamedTuple):
    P: Tensor
    L: Tensor
    U: Tensor

class linalg_qr_result(NamedTuple):
    Q: Tensor
    R: Tensor

class linalg_slogdet_result(NamedTuple):
    sign: Tensor
    logabsdet: Tensor

class linalg_solve_ex_result(NamedTuple):
    result: Tensor
    info: Tensor

class linalg_svd_result(NamedTuple):
    U: Tensor
    S: Tensor
    Vh: Tensor

class lu_unpack_result(NamedTuple):
    P: Tensor
    L: Tensor
    U: Tensor

class max_result(NamedTuple):
    values: Tensor
    indices: Tensor

class median_result(NamedTuple):
    values: Tensor
    indices: Tensor

class min_result(NamedTuple):
    values: Tensor
    indices: Tensor

class mode_result(NamedTuple):
    values: Tensor
    indices: Tensor

class nanmedian_result(NamedTuple):
    values: Tensor
    indices: Tensor

class qr_result(NamedTuple):
    Q: Tensor
    R: Tensor

class slogdet_result(NamedTuple):
    sign: Tensor
    logabsdet: Tensor

class sort_result(NamedTuple):
    values: Tensor
    indices: Tensor

class svd_result(NamedTuple):
    U: Tensor
    S: Tensor
    V: Tensor

class topk_result(NamedTuple):
    values: Tensor
    indices: Tensor

class triangular_solve_result(NamedTuple):
    solution: Tensor
    cloned_coefficient: Tensor

class TensorMethods:
    """What the rows of the engine hang on Tensor."""
    def __abs__(self) -> Tensor: ...
    def __add__(self, other: Tensor | _Number) -> Tensor: ...
    def __and__(self, other: Tensor | _Number) -> Tensor: ...
    def __array__(self, dtype: Any = None) -> ndarray: ...
    @property
    def __array_interface__(self) -> dict[str, Any]:
        """NumPy's description of the memory, for libraries that read it without NumPy."""
    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: _bool = False) -> Tensor:
        """What a NumPy function called with a tensor gives back: a tensor; truths become uint8, as in
        PyTorch.
        """
    def __bool__(self) -> _bool: ...
    def __complex__(self) -> _complex: ...
    def __contains__(self, element: Tensor | _Number) -> _bool: ...
    def __copy__(self) -> Tensor:
        """Another tensor on the same storage."""
    def __deepcopy__(self, memo: dict) -> Tensor:
        """A tensor on a copy of the storage, which is shared with what else is copied in the same go."""
    def __delitem__(self, key: Any) -> None:
        """``del x[key]``: refused."""
    def __dlpack__(
        self,
        *,
        stream: Any = -1,
        max_version: tuple[_int, _int] | None = None,
        dl_device: Any = None,
        copy: _bool | None = None,
    ) -> Any:
        """The tensor's memory in a DLPack capsule, for one reader."""
    def __dlpack_device__(self) -> tuple[Any, _int]:
        """Where the memory is, in DLPack's numbers."""
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
    def __setstate__(self, state: Any) -> None:
        """Attributes from a dict; or, as in old pickles, (storage, offset, size, stride)."""
    def __sub__(self, other: Tensor | _Number) -> Tensor: ...
    def __truediv__(self, other: Tensor | _Number) -> Tensor: ...
    def __xor__(self, other: Tensor | _Number) -> Tensor: ...
    @property
    def H(self) -> Tensor:
        """The conjugate transpose of a matrix. A view."""
    @property
    def T(self) -> Tensor:
        """All dimensions in reverse order. A view."""
    def _coalesced_(self, coalesced: _bool) -> Tensor:
        """Say that coordinates are in order, or that they are not."""
    def _indices(self) -> Tensor:
        """The coordinates as they are kept, with repeats."""
    def _nnz(self) -> _int:
        """How many elements are kept."""
    def _values(self) -> Tensor:
        """The values as they are kept, with repeats."""
    def abs(self) -> Tensor:
        """The size of every element."""
    absolute = abs
    def absolute_(self) -> Tensor:
        """In-place form of `abs`. The size of every element."""
    abs_ = absolute_
    def acos(self) -> Tensor:
        """The angle whose cosine is x."""
    arccos = acos
    def acosh(self) -> Tensor:
        """The inverse of cosh."""
    arccosh = acosh
    def add(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """The sum of two tensors, element by element; `other` may be multiplied by alpha first."""
    def add_(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """In-place form of `add`. The sum of two tensors, element by element; `other` may be multiplied by
        alpha first.
        """
    def addbmm(self, batch1: Tensor, batch2: Tensor, *, beta: _int = 1, alpha: _Number = 1) -> Tensor:
        """A tensor plus the sum of the products of two batches of matrices."""
    def addbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: _int = 1, alpha: _Number = 1) -> Tensor:
        """In-place form of `addbmm`. A tensor plus the sum of the products of two batches of matrices."""
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor:
        """The quotient of two tensors, times a number, added to a third."""
    def addcdiv_(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor:
        """In-place form of `addcdiv`. The quotient of two tensors, times a number, added to a third."""
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor:
        """The product of two tensors, times a number, added to a third."""
    def addcmul_(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor:
        """In-place form of `addcmul`. The product of two tensors, times a number, added to a third."""
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: _int = 1, alpha: _Number = 1) -> Tensor:
        """A tensor plus the product of two matrices."""
    def addmm_(self, mat1: Tensor, mat2: Tensor, *, beta: _int = 1, alpha: _Number = 1) -> Tensor:
        """In-place form of `addmm`. A tensor plus the product of two matrices."""
    def addmv(self, mat: Tensor, vec: Tensor, *, beta: _int = 1, alpha: _Number = 1) -> Tensor:
        """A tensor plus the product of a matrix and a vector."""
    def addmv_(self, mat: Tensor, vec: Tensor, *, beta: _int = 1, alpha: _Number = 1) -> Tensor:
        """In-place form of `addmv`. A tensor plus the product of a matrix and a vector."""
    def addr(self, vec1: Tensor, vec2: Tensor, *, beta: _int = 1, alpha: _Number = 1) -> Tensor:
        """A matrix plus the outer product of two vectors."""
    def addr_(self, vec1: Tensor, vec2: Tensor, *, beta: _int = 1, alpha: _Number = 1) -> Tensor:
        """In-place form of `addr`. A matrix plus the outer product of two vectors."""
    def adjoint(self) -> Tensor:
        """The conjugate transpose of a matrix, or of a batch of them. A view."""
    def align_as(self, other: Tensor) -> Tensor:
        """The dimensions in the order of another tensor's; those that are not there yet get size 1. A
        view.
        """
    @overload
    def align_to(self, *names: str | EllipsisType | None) -> Tensor:
        """The dimensions in the order of these names; those that are not there yet get size 1. A view."""
    @overload
    def align_to(self, names: Sequence[str | EllipsisType | None]) -> Tensor: ...
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
    def aminmax(self, *, dim: _int | None = None, keepdim: _bool = False) -> aminmax_result:
        """The smallest and the largest element."""
    def angle(self) -> Tensor:
        """The angle of a complex number; pi for negative numbers."""
    def any(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Whether any element is true."""
    def apply_(self, callable: Callable) -> Tensor:
        """Each element replaced by a Python function of it."""
    def arccos_(self) -> Tensor:
        """In-place form of `acos`. The angle whose cosine is x."""
    acos_ = arccos_
    def arccosh_(self) -> Tensor:
        """In-place form of `acosh`. The inverse of cosh."""
    acosh_ = arccosh_
    def arcsin_(self) -> Tensor:
        """In-place form of `asin`. The angle whose sine is x."""
    asin_ = arcsin_
    def arcsinh_(self) -> Tensor:
        """In-place form of `asinh`. The inverse of sinh."""
    asinh_ = arcsinh_
    def arctan2_(self, other: Tensor) -> Tensor:
        """In-place form of `atan2`. The angle of the point (other, input)."""
    atan2_ = arctan2_
    def arctan_(self) -> Tensor:
        """In-place form of `atan`. The angle whose tangent is x."""
    atan_ = arctan_
    def arctanh_(self) -> Tensor:
        """In-place form of `atanh`. The inverse of tanh."""
    atanh_ = arctanh_
    def argmax(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """Where the largest element is."""
    def argmin(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """Where the smallest element is."""
    @overload
    def argsort(self, *, stable: _bool, dim: _int = -1, descending: _bool = False) -> Tensor:
        """Where the elements along a dimension are, in order."""
    @overload
    def argsort(self, dim: _int = -1, descending: _bool = False) -> Tensor: ...
    def argwhere(self) -> Tensor:
        """The places of all elements that are not 0, a row each."""
    def as_strided(
        self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
    ) -> Tensor:
        """Any size, stride and offset over the same storage. A view."""
    def as_strided_(
        self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
    ) -> Tensor:
        """In-place form of `as_strided`."""
    def as_strided_scatter(
        self, src: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
    ) -> Tensor:
        """A copy in which the elements that a size and stride reach are another tensor."""
    def as_subclass(self, cls: _type[Tensor]) -> Tensor:
        """A view of these elements that is an instance of a class of your own."""
    def asin(self) -> Tensor:
        """The angle whose sine is x."""
    arcsin = asin
    def asinh(self) -> Tensor:
        """The inverse of sinh."""
    arcsinh = asinh
    def atan(self) -> Tensor:
        """The angle whose tangent is x."""
    arctan = atan
    def atan2(self, other: Tensor) -> Tensor:
        """The angle of the point (other, input)."""
    arctan2 = atan2
    def atanh(self) -> Tensor:
        """The inverse of tanh."""
    arctanh = atanh
    def baddbmm(self, batch1: Tensor, batch2: Tensor, *, beta: _int = 1, alpha: _Number = 1) -> Tensor:
        """A tensor plus the products of two batches of matrices."""
    def baddbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: _int = 1, alpha: _Number = 1) -> Tensor:
        """In-place form of `baddbmm`. A tensor plus the products of two batches of matrices."""
    def bernoulli(self, p: _float | Tensor | None = None, *, generator: _Generator | None = None) -> Tensor:
        """1 with the probability that the tensor tells for each element, else 0."""
    def bernoulli_(self, p: _float | Tensor = 0.5, *, generator: _Generator | None = None) -> Tensor:
        """Overwritten with 1 with a probability, else 0."""
    def bfloat16(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.bfloat16; itself if it already is."""
    def bincount(self, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
        """How often each whole number from 0 on occurs, or the weights that it carries."""
    def bitwise_and(self, other: Tensor | _Number) -> Tensor:
        """The bits that both have."""
    def bitwise_and_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `bitwise_and`. The bits that both have."""
    def bitwise_left_shift(self, other: Tensor | _Number) -> Tensor:
        """Bits moved to the left."""
    def bitwise_left_shift_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `bitwise_left_shift`. Bits moved to the left."""
    def bitwise_not(self) -> Tensor:
        """Every bit turned over; for bool, the opposite."""
    def bitwise_not_(self) -> Tensor:
        """In-place form of `bitwise_not`. Every bit turned over; for bool, the opposite."""
    def bitwise_or(self, other: Tensor | _Number) -> Tensor:
        """The bits that either has."""
    def bitwise_or_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `bitwise_or`. The bits that either has."""
    def bitwise_right_shift(self, other: Tensor | _Number) -> Tensor:
        """Bits moved to the right."""
    def bitwise_right_shift_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `bitwise_right_shift`. Bits moved to the right."""
    def bitwise_xor(self, other: Tensor | _Number) -> Tensor:
        """The bits that one of the two has."""
    def bitwise_xor_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `bitwise_xor`. The bits that one of the two has."""
    def bmm(self, mat2: Tensor) -> Tensor:
        """The products of two batches of matrices."""
    def bool(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.bool; itself if it already is."""
    def broadcast_to(self, size: Sequence[_int]) -> Tensor:
        """Stretched to a size by strides of 0. A view."""
    def byte(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.uint8; itself if it already is."""
    def cauchy_(
        self, median: _float = 0.0, sigma: _float = 1.0, *, generator: _Generator | None = None
    ) -> Tensor:
        """Overwritten with Cauchy numbers."""
    def ccol_indices(self) -> Tensor:
        """Where each column begins."""
    def cdouble(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.complex128; itself if it already is."""
    def ceil(self) -> Tensor:
        """Rounded up."""
    def ceil_(self) -> Tensor:
        """In-place form of `ceil`. Rounded up."""
    def cfloat(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.complex64; itself if it already is."""
    def chalf(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.complex32; itself if it already is."""
    def char(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.int8; itself if it already is."""
    def cholesky(self, upper: _bool = False) -> Tensor:
        """The triangular factor of a positive-definite matrix."""
    def cholesky_inverse(self, upper: _bool = False) -> Tensor:
        """The inverse of A, from its triangular factor."""
    def cholesky_solve(self, input2: Tensor, upper: _bool = False) -> Tensor:
        """X with A X = B, from the triangular factor of A."""
    def chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """At most so many pieces along one dimension, the last perhaps shorter. Each a view."""
    def clamp(self, min: Tensor | _Number | None = None, max: Tensor | _Number | None = None) -> Tensor:
        """Every element kept between min and max."""
    clip = clamp
    def clamp_max(self, max: Tensor | _Number) -> Tensor:
        """Every element at most max."""
    def clamp_max_(self, max: Tensor | _Number) -> Tensor:
        """In-place form of `clamp_max`. Every element at most max."""
    def clamp_min(self, min: Tensor | _Number) -> Tensor:
        """Every element at least min."""
    def clamp_min_(self, min: Tensor | _Number) -> Tensor:
        """In-place form of `clamp_min`. Every element at least min."""
    def clip_(self, min: Tensor | _Number | None = None, max: Tensor | _Number | None = None) -> Tensor:
        """In-place form of `clamp`. Every element kept between min and max."""
    clamp_ = clip_
    def clone(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """A copy with a storage of its own; dense strides are kept."""
    def coalesce(self) -> Tensor:
        """The elements in rising order of their coordinates, each once."""
    def col_indices(self) -> Tensor:
        """The column of each kept element."""
    def conj(self) -> Tensor:
        """The complex conjugate: a view that promises it; a real tensor as it is."""
    def conj_physical(self) -> Tensor:
        """The complex conjugate, computed at once."""
    def conj_physical_(self) -> Tensor:
        """In-place form of `conj_physical`. The complex conjugate, computed at once."""
    def contiguous(self, *, memory_format: _memory_format = ...) -> Tensor:
        """The tensor itself if it is contiguous, else a copy that is."""
    def copy_(self, src: Tensor, non_blocking: _bool = False) -> Tensor:
        """Every element overwritten by that of another tensor, broadcast and converted."""
    def copysign(self, other: Tensor | _Number) -> Tensor:
        """The size of one with the sign of the other."""
    def copysign_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `copysign`. The size of one with the sign of the other."""
    def corrcoef(self) -> Tensor:
        """The correlation of variables (rows) over observations (columns), between -1 and 1."""
    def cos(self) -> Tensor:
        """The cosine of every element."""
    def cos_(self) -> Tensor:
        """In-place form of `cos`. The cosine of every element."""
    def cosh(self) -> Tensor:
        """The hyperbolic cosine."""
    def cosh_(self) -> Tensor:
        """In-place form of `cosh`. The hyperbolic cosine."""
    def count_nonzero(self, dim: _int | None = None) -> Tensor:
        """How many elements are not zero."""
    def cov(
        self, *, correction: _int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
    ) -> Tensor:
        """How variables (rows) change together over observations (columns)."""
    def cpu(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor in main memory; itself if it already is."""
    def cross(self, other: Tensor, dim: _int | None = None) -> Tensor:
        """The cross product of vectors of three elements."""
    def crow_indices(self) -> Tensor:
        """Where each row begins."""
    def cuda(self, device: _device | str | None = None, non_blocking: _bool = False) -> Tensor:
        """The tensor on a GPU: refused, for there is none here."""
    def cummax(self, dim: _int) -> cummax_result:
        """The largest so far along a dimension, and where it was."""
    def cummin(self, dim: _int) -> cummin_result:
        """The smallest so far along a dimension, and where it was."""
    def cumprod(self, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
        """The running product along a dimension."""
    def cumprod_(self, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
        """In-place form of `cumprod`."""
    def cumsum(self, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
        """The running sum along a dimension."""
    def cumsum_(self, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
        """In-place form of `cumsum`."""
    @property
    def data(self) -> Tensor:
        """The same elements, with a version of their own."""
    @data.setter
    def data(self, value: Tensor) -> None: ...
    def deg2rad(self) -> Tensor:
        """Degrees as radians."""
    def deg2rad_(self) -> Tensor:
        """In-place form of `deg2rad`. Degrees as radians."""
    def dense_dim(self) -> _int:
        """Along how many dimensions every element is kept."""
    def dequantize(self) -> Tensor:
        """The values that the whole numbers stand for, as a plain float32 tensor."""
    def det(self) -> Tensor:
        """The determinant of square matrices."""
    def detach(self) -> Tensor:
        """The same elements as a tensor that is no view and has no history."""
    def detach_(self) -> Tensor:
        """Forget what the tensor was made from; refused for views."""
    def diag(self, diagonal: _int = 0) -> Tensor:
        """The diagonal of a matrix as a vector, or a matrix with a vector on its diagonal. A copy."""
    def diag_embed(self, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
        """Vectors on the diagonals of matrices, with zeros around them."""
    def diagflat(self, offset: _int = 0) -> Tensor:
        """All elements on the diagonal of a matrix."""
    def diagonal(self, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """The diagonal of two dimensions, as the last dimension: its stride is the sum of both. A view."""
    def diagonal_scatter(self, src: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """A copy in which a diagonal is another tensor."""
    def diff(
        self, n: _int = 1, dim: _int = -1, prepend: Tensor | None = None, append: Tensor | None = None
    ) -> Tensor:
        """The differences of neighbours along a dimension, n times over."""
    def digamma(self) -> Tensor:
        """The slope of lgamma."""
    def digamma_(self) -> Tensor:
        """In-place form of `digamma`. The slope of lgamma."""
    def dim_order(self, *, ambiguity_check: Any = False) -> tuple[_int, ...]:
        """The dimensions by their strides, the largest first."""
    def dist(self, other: Tensor, p: _float = 2) -> Tensor:
        """The norm of the difference of two tensors."""
    def div(self, other: Tensor | _Number, *, rounding_mode: str | None = None) -> Tensor:
        """The quotient of two tensors, element by element."""
    divide = div
    true_divide = div
    def divide_(self, other: Tensor | _Number, *, rounding_mode: str | None = None) -> Tensor:
        """In-place form of `div`. The quotient of two tensors, element by element."""
    div_ = divide_
    true_divide_ = divide_
    def dot(self, tensor: Tensor) -> Tensor:
        """The sum of the products of two vectors."""
    def double(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.float64; itself if it already is."""
    def dsplit(self, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
        """Pieces along the third dimension. Each a view."""
    def eig(self, eigenvectors: _bool = False, *, e: Any = None, v: Any = None) -> Any:
        """Taken away: `torch.linalg.eig`."""
    def eq(self, other: Tensor | _Number) -> Tensor:
        """Whether each element is equal."""
    def eq_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `eq`. Whether each element is equal."""
    def equal(self, other: Tensor) -> _bool:
        """Whether two tensors have the same size and the same elements."""
    def erf(self) -> Tensor:
        """The error function: 2/sqrt(pi) times the integral of exp(-t*t) from 0 to x."""
    def erf_(self) -> Tensor:
        """In-place form of `erf`. The error function: 2/sqrt(pi) times the integral of exp(-t*t) from 0 to
        x.
        """
    def erfc(self) -> Tensor:
        """1 - erf(x), exact for large x."""
    def erfc_(self) -> Tensor:
        """In-place form of `erfc`. 1 - erf(x), exact for large x."""
    def erfinv(self) -> Tensor:
        """The inverse of erf."""
    def erfinv_(self) -> Tensor:
        """In-place form of `erfinv`. The inverse of erf."""
    def exp(self) -> Tensor:
        """e to the power of every element."""
    def exp2(self) -> Tensor:
        """2 to the power of every element."""
    def exp2_(self) -> Tensor:
        """In-place form of `exp2`. 2 to the power of every element."""
    def exp_(self) -> Tensor:
        """In-place form of `exp`. e to the power of every element."""
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
        """In-place form of `expm1`. exp(x) - 1, exact for small x."""
    def exponential_(self, lambd: _float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Overwritten with exponential numbers of a rate."""
    def fill_(self, value: Tensor | _Number) -> Tensor:
        """Every element set to one number."""
    def fill_diagonal_(self, fill_value: _Number, wrap: _bool = False) -> Tensor:
        """The main diagonal set to one number."""
    def fix_(self) -> Tensor:
        """In-place form of `trunc`. Rounded towards zero."""
    trunc_ = fix_
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """Several dimensions as one: the tensor itself, a view, or a copy where strides do not merge."""
    @overload
    def flip(self, *dims: _int) -> Tensor:
        """Elements in reverse order along dimensions. A copy."""
    @overload
    def flip(self, dims: Sequence[_int]) -> Tensor: ...
    def fliplr(self) -> Tensor:
        """Columns in reverse order. A copy."""
    def flipud(self) -> Tensor:
        """Rows in reverse order. A copy."""
    def float(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.float32; itself if it already is."""
    def float_power(self, exponent: Tensor | _Number) -> Tensor:
        """Powers, computed and given in float64 or complex128."""
    def float_power_(self, exponent: Tensor | _Number) -> Tensor:
        """In-place form of `float_power`. Powers, computed and given in float64 or complex128."""
    def floor(self) -> Tensor:
        """Rounded down."""
    def floor_(self) -> Tensor:
        """In-place form of `floor`. Rounded down."""
    def floor_divide(self, other: Tensor | _Number) -> Tensor:
        """The quotient rounded down to a whole number."""
    def floor_divide_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `floor_divide`. The quotient rounded down to a whole number."""
    def fmax(self, other: Tensor) -> Tensor:
        """The larger of two, element by element; a number wins over NaN."""
    def fmin(self, other: Tensor) -> Tensor:
        """The smaller of two, element by element; a number wins over NaN."""
    def fmod(self, other: Tensor | _Number) -> Tensor:
        """What division leaves, with the sign of the dividend, as C's fmod."""
    def fmod_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `fmod`. What division leaves, with the sign of the dividend, as C's fmod."""
    def frac(self) -> Tensor:
        """What trunc cuts off."""
    def frac_(self) -> Tensor:
        """In-place form of `frac`. What trunc cuts off."""
    def frexp(self) -> frexp_result:
        """The mantissa (between 1/2 and 1) and the power of 2 of every element."""
    def gather(self, dim: _int, index: Tensor, *, sparse_grad: _bool = False) -> Tensor:
        """Elements picked along one dimension, by an index of the result's size."""
    def gcd(self, other: Tensor) -> Tensor:
        """The greatest common divisor."""
    def gcd_(self, other: Tensor) -> Tensor:
        """In-place form of `gcd`. The greatest common divisor."""
    def ge(self, other: Tensor | _Number) -> Tensor:
        """Whether each element is larger or equal."""
    greater_equal = ge
    def geometric_(self, p: _float, *, generator: _Generator | None = None) -> Tensor:
        """Overwritten with how many tries the first success took."""
    def geqrf(self) -> geqrf_result:
        """The reflections of a QR factorisation, packed."""
    def greater_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `gt`. Whether each element is larger."""
    gt_ = greater_
    def greater_equal_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `ge`. Whether each element is larger or equal."""
    ge_ = greater_equal_
    def gt(self, other: Tensor | _Number) -> Tensor:
        """Whether each element is larger."""
    greater = gt
    def half(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.float16; itself if it already is."""
    def hardshrink(self, lambd: _float = 0.5) -> Tensor:
        """Elements within lambd of 0 become 0."""
    def has_names(self) -> _bool:
        """Whether any dimension has a name."""
    def heaviside(self, values: Tensor) -> Tensor:
        """0 below zero, 1 above, and `values` at zero."""
    def heaviside_(self, values: Tensor) -> Tensor:
        """In-place form of `heaviside`. 0 below zero, 1 above, and `values` at zero."""
    def histc(self, bins: _int = 100, min: _Number = 0, max: _Number = 0) -> Tensor:
        """How many elements lie in each of so many bins of one width."""
    def histogram(
        self,
        bins: _int | Tensor = 100,
        *,
        range: Sequence[_float] | None = None,
        weight: Tensor | None = None,
        density: _bool = False,
    ) -> histogram_result:
        """How many elements, or how much weight, lies in each bin, and the edges of the bins."""
    def hsplit(self, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
        """Pieces along the columns. Each a view."""
    def hypot(self, other: Tensor) -> Tensor:
        """The length of the hypotenuse."""
    def hypot_(self, other: Tensor) -> Tensor:
        """In-place form of `hypot`. The length of the hypotenuse."""
    def i0(self) -> Tensor:
        """The modified Bessel function of the first kind, of order 0."""
    def i0_(self) -> Tensor:
        """In-place form of `i0`. The modified Bessel function of the first kind, of order 0."""
    def igamma(self, other: Tensor) -> Tensor:
        """The lower incomplete gamma function, as a part of the whole."""
    def igamma_(self, other: Tensor) -> Tensor:
        """In-place form of `igamma`. The lower incomplete gamma function, as a part of the whole."""
    def igammac(self, other: Tensor) -> Tensor:
        """The upper incomplete gamma function, as a part of the whole."""
    def igammac_(self, other: Tensor) -> Tensor:
        """In-place form of `igammac`. The upper incomplete gamma function, as a part of the whole."""
    @property
    def imag(self) -> Tensor:
        """The imaginary parts of a complex tensor. A view."""
    @imag.setter
    def imag(self, value: Tensor) -> None: ...
    def index_add(self, dim: _int, index: Tensor, source: Tensor, *, alpha: _Number = 1) -> Tensor:
        """A copy with slices added to those at places along one dimension."""
    def index_add_(self, dim: _int, index: Tensor, source: Tensor, *, alpha: _Number = 1) -> Tensor:
        """In-place form of `index_add`. A copy with slices added to those at places along one dimension."""
    def index_copy(self, dim: _int, index: Tensor, source: Tensor) -> Tensor:
        """A copy with slices written to places along one dimension."""
    def index_copy_(self, dim: _int, index: Tensor, source: Tensor) -> Tensor:
        """In-place form of `index_copy`. A copy with slices written to places along one dimension."""
    @overload
    def index_fill(self, dim: _int, index: Tensor, value: Tensor) -> Tensor:
        """A copy with one number in the slices at places along one dimension."""
    @overload
    def index_fill(self, dim: _int, index: Tensor, value: _Number) -> Tensor: ...
    @overload
    def index_fill_(self, dim: _int, index: Tensor, value: Tensor) -> Tensor:
        """In-place form of `index_fill`. A copy with one number in the slices at places along one
        dimension.
        """
    @overload
    def index_fill_(self, dim: _int, index: Tensor, value: _Number) -> Tensor: ...
    def index_put(self, indices: Sequence[Tensor], values: Tensor, accumulate: _bool = False) -> Tensor:
        """A copy with values written, or added, at the places that a list of index tensors names."""
    def index_put_(self, indices: Sequence[Tensor], values: Tensor, accumulate: _bool = False) -> Tensor:
        """In-place form of `index_put`. A copy with values written, or added, at the places that a list of
        index tensors names.
        """
    def index_reduce(
        self, dim: _int, index: Tensor, source: Tensor, reduce: str, *, include_self: _bool = True
    ) -> Tensor:
        """A copy in which slices at places along one dimension are multiplied, averaged, or the extreme
        taken.
        """
    def index_reduce_(
        self, dim: _int, index: Tensor, source: Tensor, reduce: str, *, include_self: _bool = True
    ) -> Tensor:
        """In-place form of `index_reduce`. A copy in which slices at places along one dimension are
        multiplied, averaged, or the extreme taken.
        """
    def index_select(self, dim: _int, index: Tensor) -> Tensor:
        """Whole slices along one dimension, by their places."""
    def indices(self) -> Tensor:
        """The coordinates of the kept elements: a row for each sparse dimension."""
    def inner(self, other: Tensor) -> Tensor:
        """The sum of products over the last dimension of both."""
    def int(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.int32; itself if it already is."""
    def int_repr(self) -> Tensor:
        """The whole numbers of a quantised tensor, as a plain one."""
    def inverse(self) -> Tensor:
        """The inverse of square matrices."""
    def is_coalesced(self) -> _bool:
        """Whether coordinates are in order, each once."""
    def is_conj(self) -> _bool:
        """Whether the conjugate of these elements is promised and not yet computed."""
    def is_contiguous(self, memory_format: Any = ...) -> _bool:
        """Whether the elements lie in storage in the order of a memory format, without gaps."""
    def is_neg(self) -> _bool:
        """Whether a minus before these elements is promised and not yet computed."""
    def is_nonzero(self) -> _bool:
        """Whether the one element is anything but zero."""
    def isclose(
        self,
        other: Tensor,
        rtol: _float | Tensor = 1e-05,
        atol: _float | Tensor = 1e-08,
        equal_nan: _bool = False,
    ) -> Tensor:
        """Whether elements agree within atol + rtol * |other|."""
    def isfinite(self) -> Tensor:
        """Whether each element is a finite number."""
    def isinf(self) -> Tensor:
        """Whether each element is infinite."""
    def isnan(self) -> Tensor:
        """Whether each element is NaN."""
    def isneginf(self) -> Tensor:
        """Whether each element is infinite and negative."""
    def isposinf(self) -> Tensor:
        """Whether each element is infinite and positive."""
    def isreal(self) -> Tensor:
        """Whether each element is real: no complex number, or one without an imaginary part."""
    def istft(
        self,
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
    def item(self) -> Any:
        """The one element as a Python number."""
    def kron(self, other: Tensor) -> Tensor:
        """The Kronecker product: every element of one times the whole other."""
    def kthvalue(self, k: _int, dim: _int = -1, keepdim: _bool = False) -> kthvalue_result:
        """The k-th smallest along a dimension, and where it is."""
    def lcm(self, other: Tensor) -> Tensor:
        """The least common multiple."""
    def lcm_(self, other: Tensor) -> Tensor:
        """In-place form of `lcm`. The least common multiple."""
    def ldexp(self, other: Tensor) -> Tensor:
        """The input times 2 to the power of the other."""
    def ldexp_(self, other: Tensor) -> Tensor:
        """In-place form of `ldexp`. The input times 2 to the power of the other."""
    def le(self, other: Tensor | _Number) -> Tensor:
        """Whether each element is smaller or equal."""
    less_equal = le
    def lerp(self, end: Tensor, weight: Tensor | _Number) -> Tensor:
        """The point between two, a part `weight` of the way."""
    def lerp_(self, end: Tensor, weight: Tensor | _Number) -> Tensor:
        """In-place form of `lerp`. The point between two, a part `weight` of the way."""
    def less_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `lt`. Whether each element is smaller."""
    lt_ = less_
    def less_equal_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `le`. Whether each element is smaller or equal."""
    le_ = less_equal_
    def lgamma(self) -> Tensor:
        """The logarithm of the size of the gamma function."""
    def lgamma_(self) -> Tensor:
        """In-place form of `lgamma`. The logarithm of the size of the gamma function."""
    def log(self) -> Tensor:
        """The natural logarithm of every element."""
    def log10(self) -> Tensor:
        """The logarithm to base 10."""
    def log10_(self) -> Tensor:
        """In-place form of `log10`. The logarithm to base 10."""
    def log1p(self) -> Tensor:
        """log(1 + x), exact for small x."""
    def log1p_(self) -> Tensor:
        """In-place form of `log1p`. log(1 + x), exact for small x."""
    def log2(self) -> Tensor:
        """The logarithm to base 2."""
    def log2_(self) -> Tensor:
        """In-place form of `log2`. The logarithm to base 2."""
    def log_(self) -> Tensor:
        """In-place form of `log`. The natural logarithm of every element."""
    def log_normal_(
        self, mean: _float = 1.0, std: _float = 2.0, *, generator: _Generator | None = None
    ) -> Tensor:
        """Overwritten with numbers whose logarithms are normal."""
    def log_softmax(self, dim: _int, dtype: _dtype | None = None) -> Tensor:
        """The logarithm of softmax, without overflow."""
    def logaddexp(self, other: Tensor) -> Tensor:
        """log(exp(a) + exp(b)), without overflow."""
    def logaddexp2(self, other: Tensor) -> Tensor:
        """log2(2**a + 2**b), without overflow."""
    def logcumsumexp(self, dim: _int) -> Tensor:
        """The logarithm of the running sum of exponentials along a dimension."""
    def logdet(self) -> Tensor:
        """The logarithm of the determinant; NaN where it is negative."""
    def logical_and(self, other: Tensor) -> Tensor:
        """Whether both are true (not zero)."""
    def logical_and_(self, other: Tensor) -> Tensor:
        """In-place form of `logical_and`. Whether both are true (not zero)."""
    def logical_not(self) -> Tensor:
        """Whether an element is zero."""
    def logical_not_(self) -> Tensor:
        """In-place form of `logical_not`. Whether an element is zero."""
    def logical_or(self, other: Tensor) -> Tensor:
        """Whether either is true (not zero)."""
    def logical_or_(self, other: Tensor) -> Tensor:
        """In-place form of `logical_or`. Whether either is true (not zero)."""
    def logical_xor(self, other: Tensor) -> Tensor:
        """Whether one of the two is true (not zero)."""
    def logical_xor_(self, other: Tensor) -> Tensor:
        """In-place form of `logical_xor`. Whether one of the two is true (not zero)."""
    def logit(self, eps: _float | None = None) -> Tensor:
        """log(x / (1 - x)), the inverse of sigmoid."""
    def logit_(self, eps: _float | None = None) -> Tensor:
        """In-place form of `logit`. log(x / (1 - x)), the inverse of sigmoid."""
    def logsumexp(self, dim: _int, keepdim: _bool = False) -> Tensor:
        """The logarithm of the sum of exponentials, without overflow."""
    def long(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.int64; itself if it already is."""
    def lstsq(self, A: Any) -> Any:
        """Taken away: `torch.linalg.lstsq`."""
    def lt(self, other: Tensor | _Number) -> Tensor:
        """Whether each element is smaller."""
    less = lt
    def lu(self, pivot: _bool = True, get_infos: _bool = False) -> tuple[Tensor, ...]:
        """The factors of A = P L U, packed, and the pivots."""
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """X with A X = b, from the packed factors of A."""
    @property
    def mH(self) -> Tensor:
        """The conjugate transpose of a batch of matrices. A view."""
    @property
    def mT(self) -> Tensor:
        """The last two dimensions change places. A view."""
    def map_(self, other: Tensor, callable: Callable) -> Tensor:
        """Each element replaced by a Python function of it and another's."""
    @overload
    def masked_fill(self, mask: Tensor, value: Tensor) -> Tensor:
        """A copy with one number wherever a mask is true."""
    @overload
    def masked_fill(self, mask: Tensor, value: _Number) -> Tensor: ...
    @overload
    def masked_fill_(self, mask: Tensor, value: Tensor) -> Tensor:
        """In-place form of `masked_fill`. A copy with one number wherever a mask is true."""
    @overload
    def masked_fill_(self, mask: Tensor, value: _Number) -> Tensor: ...
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """A copy in which the places of a mask take the elements of another tensor, in order."""
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor:
        """In-place form of `masked_scatter`. A copy in which the places of a mask take the elements of
        another tensor, in order.
        """
    def masked_select(self, mask: Tensor) -> Tensor:
        """The elements where a mask is true, in a row."""
    def matmul(self, other: Tensor) -> Tensor:
        """The product of vectors, matrices or batches of matrices, by how many dimensions they have."""
    def matrix_exp(self) -> Tensor:
        """The exponential of square matrices."""
    def matrix_power(self, n: _int) -> Tensor:
        """A matrix times itself, n times over."""
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
    def median(self) -> Tensor:
        """The middle element, of two the lower; with a dimension also where it is."""
    @overload
    def median(self, dim: _int, keepdim: _bool = False) -> median_result: ...
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
    def mode(self, dim: _int = -1, keepdim: _bool = False) -> mode_result:
        """The element that comes most often along a dimension, of several the smallest, and where it is."""
    def movedim(self, source: _int | Sequence[_int], destination: _int | Sequence[_int]) -> Tensor:
        """Some dimensions move to new places; the others keep their order. A view."""
    moveaxis = movedim
    def msort(self) -> Tensor:
        """The elements along the first dimension in order."""
    def mul(self, other: Tensor | _Number) -> Tensor:
        """The product of two tensors, element by element."""
    multiply = mul
    def multinomial(
        self, num_samples: _int, replacement: _bool = False, *, generator: _Generator | None = None
    ) -> Tensor:
        """Places drawn by weight, with or without putting them back."""
    def multiply_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `mul`. The product of two tensors, element by element."""
    mul_ = multiply_
    def mv(self, vec: Tensor) -> Tensor:
        """The product of a matrix and a vector."""
    def mvlgamma(self, p: _int) -> Tensor:
        """The logarithm of the gamma function of p variables."""
    def mvlgamma_(self, p: _int) -> Tensor:
        """In-place form of `mvlgamma`. The logarithm of the gamma function of p variables."""
    @property
    def names(self) -> tuple[str | None, ...]:
        """The name of each dimension, None where it has none."""
    @names.setter
    def names(self, value: tuple[str | None, ...]) -> None: ...
    def nan_to_num(
        self, nan: _float = 0.0, posinf: _float | None = None, neginf: _float | None = None
    ) -> Tensor:
        """NaN and infinities replaced by numbers: 0, and the largest and smallest that there are."""
    def nan_to_num_(
        self, nan: _float = 0.0, posinf: _float | None = None, neginf: _float | None = None
    ) -> Tensor:
        """In-place form of `nan_to_num`. NaN and infinities replaced by numbers: 0, and the largest and
        smallest that there are.
        """
    def nanmean(
        self, dim: _int | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None
    ) -> Tensor:
        """The mean of what is not NaN."""
    @overload
    def nanmedian(self) -> Tensor:
        """The middle of what is not NaN; with a dimension also where it is."""
    @overload
    def nanmedian(self, dim: _int, keepdim: _bool = False) -> nanmedian_result: ...
    def nanquantile(
        self,
        q: _float | Tensor,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        *,
        interpolation: str = 'linear',
    ) -> Tensor:
        """The number below which a part q of what is not NaN lies."""
    def nansum(
        self, dim: _int | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None
    ) -> Tensor:
        """The sum of what is not NaN."""
    def narrow(self, dim: _int, start: _int | Tensor, length: _int) -> Tensor:
        """`length` neighbours along one dimension, from `start`. A view."""
    def narrow_copy(self, dim: _int, start: _int, length: _int) -> Tensor:
        """A piece of one dimension, copied."""
    def ne(self, other: Tensor | _Number) -> Tensor:
        """Whether each element differs."""
    not_equal = ne
    def neg(self) -> Tensor:
        """Every element with the other sign."""
    negative = neg
    def negative_(self) -> Tensor:
        """In-place form of `neg`. Every element with the other sign."""
    neg_ = negative_
    def new(self, *args: Any, **kwargs: Any) -> Tensor:
        """A tensor by the old rules, in this one's dtype and on its device."""
    @overload
    def new_empty(
        self,
        *size: _int,
        dtype: _dtype | None = None,
        layout: _layout | None = None,
        device: _device | str | None = None,
        pin_memory: _bool = False,
        requires_grad: _bool = False,
    ) -> Tensor:
        """A tensor of whatever lay in memory before, of a size, and of this tensor's dtype and device."""
    @overload
    def new_empty(
        self,
        size: Sequence[_int],
        *,
        dtype: _dtype | None = None,
        layout: _layout | None = None,
        device: _device | str | None = None,
        pin_memory: _bool = False,
        requires_grad: _bool = False,
    ) -> Tensor: ...
    def new_empty_strided(
        self,
        size: Sequence[_int],
        stride: Sequence[_int],
        *,
        dtype: _dtype | None = None,
        layout: _layout | None = None,
        device: _device | str | None = None,
        pin_memory: _bool = False,
        requires_grad: _bool = False,
    ) -> Tensor:
        """A tensor of a size with strides of one's own, and of this tensor's dtype and device."""
    def new_full(
        self,
        size: Sequence[_int],
        fill_value: _Number,
        *,
        dtype: _dtype | None = None,
        layout: _layout | None = None,
        device: _device | str | None = None,
        pin_memory: _bool = False,
        requires_grad: _bool = False,
    ) -> Tensor:
        """A tensor of one number, of a size, and of this tensor's dtype and device."""
    @overload
    def new_ones(
        self,
        *size: _int,
        dtype: _dtype | None = None,
        layout: _layout | None = None,
        device: _device | str | None = None,
        pin_memory: _bool = False,
        requires_grad: _bool = False,
    ) -> Tensor:
        """A tensor of ones, of a size, and of this tensor's dtype and device."""
    @overload
    def new_ones(
        self,
        size: Sequence[_int],
        *,
        dtype: _dtype | None = None,
        layout: _layout | None = None,
        device: _device | str | None = None,
        pin_memory: _bool = False,
        requires_grad: _bool = False,
    ) -> Tensor: ...
    def new_tensor(
        self,
        data: Any,
        *,
        dtype: _dtype | None = None,
        device: _device | str | None = None,
        requires_grad: _bool = False,
    ) -> Tensor:
        """Numbers, copied, in a tensor of this one's dtype and device."""
    @overload
    def new_zeros(
        self,
        *size: _int,
        dtype: _dtype | None = None,
        layout: _layout | None = None,
        device: _device | str | None = None,
        pin_memory: _bool = False,
        requires_grad: _bool = False,
    ) -> Tensor:
        """A tensor of zeros, of a size, and of this tensor's dtype and device."""
    @overload
    def new_zeros(
        self,
        size: Sequence[_int],
        *,
        dtype: _dtype | None = None,
        layout: _layout | None = None,
        device: _device | str | None = None,
        pin_memory: _bool = False,
        requires_grad: _bool = False,
    ) -> Tensor: ...
    def nextafter(self, other: Tensor) -> Tensor:
        """The next number that the dtype has, in the direction of the other."""
    def nextafter_(self, other: Tensor) -> Tensor:
        """In-place form of `nextafter`. The next number that the dtype has, in the direction of the other."""
    def nonzero(self, *, as_tuple: _bool = False) -> Tensor:
        """The places of all elements that are not 0: a row each, or a tensor for each dimension."""
    def nonzero_static(self, *, size: _int, fill_value: _int = -1) -> Tensor:
        """The places of so many elements that are not 0; rows that are left over are filled with one
        number.
        """
    def norm(
        self,
        p: _float | Tensor | str = 'fro',
        dim: _int | None = None,
        keepdim: _bool = False,
        dtype: _dtype | None = None,
    ) -> Tensor:
        """The length of vectors, or the size of matrices."""
    def normal_(
        self, mean: _float = 0.0, std: _float = 1.0, *, generator: _Generator | None = None
    ) -> Tensor:
        """Overwritten with normal numbers."""
    def not_equal_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `ne`. Whether each element differs."""
    ne_ = not_equal_
    def numpy(self, *args: Any, **kwargs: Any) -> ndarray:
        """The tensor's memory as a NumPy array; with ``force=True`` a copy, where the memory cannot be
        shared.
        """
    def orgqr(self, tau: Tensor) -> Tensor:
        """The orthogonal matrix that reflections make."""
    def ormqr(self, tau: Tensor, other: Tensor, left: _bool = True, transpose: _bool = False) -> Tensor:
        """A matrix times the orthogonal matrix that reflections make."""
    def outer(self, vec2: Tensor) -> Tensor:
        """Every element of one vector times every element of another."""
    ger = outer
    @overload
    def permute(self, *dims: _int) -> Tensor:
        """All dimensions in a new order, given by their numbers. A view."""
    @overload
    def permute(self, dims: Sequence[_int]) -> Tensor: ...
    def pinverse(self, rcond: _float = 1e-15) -> Tensor:
        """The pseudo-inverse of matrices."""
    def polygamma(self, input: Tensor) -> Tensor:
        """The n-th derivative of digamma."""
    def polygamma_(self, input: Tensor) -> Tensor:
        """In-place form of `polygamma`. The n-th derivative of digamma."""
    def positive(self) -> Tensor:
        """The tensor itself: +x."""
    def pow(self, other: Tensor | _Number) -> Tensor:
        """Powers, element by element."""
    def pow_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `pow`. Powers, element by element."""
    def prod(self, dim: _int | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None) -> Tensor:
        """The product over all dimensions, or along one."""
    def put(self, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
        """A copy with elements written by their places in the whole tensor, read row by row."""
    def put_(self, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
        """In-place form of `put`. A copy with elements written by their places in the whole tensor, read
        row by row.
        """
    def q_per_channel_axis(self) -> _int:
        """The dimension along which the channels lie."""
    def q_per_channel_scales(self) -> Tensor:
        """The distance of two rungs, for each channel."""
    def q_per_channel_zero_points(self) -> Tensor:
        """The whole number that stands for 0, for each channel."""
    def q_scale(self) -> _float:
        """The distance of two rungs."""
    def q_zero_point(self) -> _int:
        """The whole number that stands for 0."""
    def qr(self, some: _bool = True) -> qr_result:
        """Q and R with A = Q R."""
    def qscheme(self) -> _qscheme:
        """Whether a quantised tensor has one ladder, or one for each channel."""
    def quantile(
        self,
        q: _float | Tensor,
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        *,
        interpolation: str = 'linear',
    ) -> Tensor:
        """The number below which a part q of the elements lies."""
    def rad2deg(self) -> Tensor:
        """Radians as degrees."""
    def rad2deg_(self) -> Tensor:
        """In-place form of `rad2deg`. Radians as degrees."""
    def random_(self, from_: _int = ..., to: _int = ..., *, generator: _Generator | None = None) -> Tensor:
        """Overwritten with whole numbers."""
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
        """In-place form of `reciprocal`. 1 divided by every element."""
    @overload
    def refine_names(self, *names: str | EllipsisType | None) -> Tensor:
        """Names for dimensions that have none yet; `...` stands for those that are not mentioned. A view."""
    @overload
    def refine_names(self, names: Sequence[str | EllipsisType | None]) -> Tensor: ...
    def relu(self) -> Tensor:
        """Elements below 0 become 0; NaN stays."""
    def relu_(self) -> Tensor:
        """In-place form of `relu`. Elements below 0 become 0; NaN stays."""
    def remainder(self, other: Tensor | _Number) -> Tensor:
        """What division leaves, with the sign of the divisor, as Python's %."""
    def remainder_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `remainder`. What division leaves, with the sign of the divisor, as Python's %."""
    @overload
    def rename(self, *names: str | EllipsisType | None) -> Tensor:
        """Other names, by position or by keyword; rename(None) takes all of them off. A view."""
    @overload
    def rename(self, names: Sequence[str | EllipsisType | None]) -> Tensor: ...
    @overload
    def rename_(self, *names: str | EllipsisType | None) -> Tensor:
        """Other names for this tensor, by position or by keyword; rename_(None) takes all of them off."""
    @overload
    def rename_(self, names: Sequence[str | EllipsisType | None]) -> Tensor: ...
    def renorm(self, p: _float | Tensor, dim: _int, maxnorm: _float) -> Tensor:
        """Each slice along a dimension scaled down to a norm of at most maxnorm."""
    def renorm_(self, p: _float | Tensor, dim: _int, maxnorm: _float) -> Tensor:
        """In-place form of `renorm`. Each slice along a dimension scaled down to a norm of at most
        maxnorm.
        """
    @overload
    def repeat(self, *repeats: _int) -> Tensor:
        """The whole tensor again and again, along each dimension. A copy."""
    @overload
    def repeat(self, repeats: Sequence[_int]) -> Tensor: ...
    @overload
    def repeat_interleave(
        self, repeats: Tensor, dim: _int | None = None, *, output_size: _int | None = None
    ) -> Tensor:
        """Each element, or each slice along a dimension, several times in a row."""
    @overload
    def repeat_interleave(self, *, output_size: _int | None = None) -> Tensor: ...
    @overload
    def repeat_interleave(
        self, repeats: _int, dim: _int | None = None, *, output_size: _int | None = None
    ) -> Tensor: ...
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
    def resize_as_(self, the_template: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
        """Like resize_, with the size of another tensor."""
    def resize_as_sparse_(self, the_template: Tensor) -> Tensor:
        """The size and dimensions of another sparse tensor."""
    def resolve_conj(self) -> Tensor:
        """With a promised conjugate computed."""
    def resolve_neg(self) -> Tensor:
        """With a promised minus computed."""
    def roll(self, shifts: _int | Sequence[_int], dims: _int | Sequence[_int] = ()) -> Tensor:
        """Elements shifted along dimensions; what falls off one end comes in at the other."""
    def rot90(self, k: _int = 1, dims: _int | Sequence[_int] = (0, 1)) -> Tensor:
        """A plane of two dimensions turned by quarters. A copy."""
    def round(self, *, decimals: _int = 0) -> Tensor:
        """Rounded to the nearest whole number, halves to the even one; or to so many decimals."""
    def round_(self, *, decimals: _int = 0) -> Tensor:
        """In-place form of `round`. Rounded to the nearest whole number, halves to the even one; or to so
        many decimals.
        """
    def row_indices(self) -> Tensor:
        """The row of each kept element."""
    def rsqrt(self) -> Tensor:
        """1 divided by the square root."""
    def rsqrt_(self) -> Tensor:
        """In-place form of `rsqrt`. 1 divided by the square root."""
    @overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """A copy with elements written to places along one dimension; where two go to one place, the last
        one stays.
        """
    @overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor, *, reduce: str) -> Tensor: ...
    @overload
    def scatter(self, dim: _int, index: Tensor, value: _Number) -> Tensor: ...
    @overload
    def scatter(self, dim: _int, index: Tensor, value: _Number, *, reduce: str) -> Tensor: ...
    @overload
    def scatter_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """In-place form of `scatter`. A copy with elements written to places along one dimension; where
        two go to one place, the last one stays.
        """
    @overload
    def scatter_(self, dim: _int, index: Tensor, src: Tensor, *, reduce: str) -> Tensor: ...
    @overload
    def scatter_(self, dim: _int, index: Tensor, value: _Number) -> Tensor: ...
    @overload
    def scatter_(self, dim: _int, index: Tensor, value: _Number, *, reduce: str) -> Tensor: ...
    def scatter_add(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """A copy with elements added to those at places along one dimension."""
    def scatter_add_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """In-place form of `scatter_add`. A copy with elements added to those at places along one
        dimension.
        """
    def scatter_reduce(
        self, dim: _int, index: Tensor, src: Tensor, reduce: str, *, include_self: _bool = True
    ) -> Tensor:
        """A copy in which places along one dimension are summed, multiplied, averaged, or the extreme
        taken.
        """
    def scatter_reduce_(
        self, dim: _int, index: Tensor, src: Tensor, reduce: str, *, include_self: _bool = True
    ) -> Tensor:
        """In-place form of `scatter_reduce`. A copy in which places along one dimension are summed,
        multiplied, averaged, or the extreme taken.
        """
    def select(self, dim: _int, index: _int) -> Tensor:
        """One place along a dimension, which is gone from the result. A view."""
    def select_scatter(self, src: Tensor, dim: _int, index: _int) -> Tensor:
        """A copy in which one slice is another tensor."""
    def set_(
        self,
        source: Tensor | TypedStorage | UntypedStorage | None = None,
        storage_offset: _int = 0,
        size: Sequence[_int] | None = None,
        stride: Sequence[_int] | None = None,
    ) -> Tensor:
        """Look at another storage."""
    def sgn(self) -> Tensor:
        """The sign; of a complex number, the point of the unit circle in its direction."""
    def sgn_(self) -> Tensor:
        """In-place form of `sgn`. The sign; of a complex number, the point of the unit circle in its
        direction.
        """
    def short(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """The tensor as torch.int16; itself if it already is."""
    def sigmoid(self) -> Tensor:
        """1 / (1 + exp(-x)): every number squeezed between 0 and 1."""
    def sigmoid_(self) -> Tensor:
        """In-place form of `sigmoid`. 1 / (1 + exp(-x)): every number squeezed between 0 and 1."""
    def sign(self) -> Tensor:
        """-1, 0 or 1 for every element."""
    def sign_(self) -> Tensor:
        """In-place form of `sign`. -1, 0 or 1 for every element."""
    def signbit(self) -> Tensor:
        """Whether the sign bit is set."""
    def sin(self) -> Tensor:
        """The sine of every element."""
    def sin_(self) -> Tensor:
        """In-place form of `sin`. The sine of every element."""
    def sinc(self) -> Tensor:
        """sin(pi x) / (pi x), and 1 at 0."""
    def sinc_(self) -> Tensor:
        """In-place form of `sinc`. sin(pi x) / (pi x), and 1 at 0."""
    def sinh(self) -> Tensor:
        """The hyperbolic sine."""
    def sinh_(self) -> Tensor:
        """In-place form of `sinh`. The hyperbolic sine."""
    def slice_scatter(
        self, src: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1
    ) -> Tensor:
        """A copy in which a range of slices is another tensor."""
    def slogdet(self) -> slogdet_result:
        """The sign and the logarithm of the size of the determinant."""
    def smm(self, mat2: Tensor) -> Tensor:
        """A sparse matrix times a dense one, as a sparse tensor."""
    def softmax(self, dim: _int, dtype: _dtype | None = None) -> Tensor:
        """exp(x) over its sum along a dimension: positive parts of 1."""
    def solve(self, A: Any) -> Any:
        """Taken away: `torch.linalg.solve`."""
    @overload
    def sort(self, *, stable: _bool, dim: _int = -1, descending: _bool = False) -> sort_result:
        """The elements along a dimension in order, and where each of them was."""
    @overload
    def sort(self, dim: _int = -1, descending: _bool = False) -> sort_result: ...
    def sparse_dim(self) -> _int:
        """Along how many dimensions elements are left out."""
    def sparse_mask(self, mask: Tensor) -> Tensor:
        """The elements at the coordinates of another tensor."""
    def sparse_resize_(self, size: Sequence[_int], sparse_dim: _int, dense_dim: _int) -> Tensor:
        """Another size and number of sparse and dense dimensions."""
    def sparse_resize_and_clear_(self, size: Sequence[_int], sparse_dim: _int, dense_dim: _int) -> Tensor:
        """Another size, with nothing kept."""
    def split(self, split_size_or_sections: _int | Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces along one dimension: of one length, or of the lengths listed. Each a view."""
    def split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Pieces of the lengths listed, along one dimension. Each a view."""
    def sqrt(self) -> Tensor:
        """The square root of every element."""
    def sqrt_(self) -> Tensor:
        """In-place form of `sqrt`. The square root of every element."""
    def square(self) -> Tensor:
        """Every element times itself."""
    def square_(self) -> Tensor:
        """In-place form of `square`. Every element times itself."""
    def squeeze(self, dim: _int | Sequence[_int] = ...) -> Tensor:
        """Without the dimensions of size 1, or without those named. A view."""
    def squeeze_(self, dim: _int | Sequence[_int] = ...) -> Tensor:
        """In-place form of `squeeze`. Without the dimensions of size 1, or without those named. A view."""
    def sspaddmm(self, mat1: Tensor, mat2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """A sparse matrix plus the product of a sparse and a dense one."""
    @overload
    def std(
        self, dim: _int | Sequence[_int] | None = None, *, correction: _Number = 1, keepdim: _bool = False
    ) -> Tensor:
        """The standard deviation: the root of the variance."""
    @overload
    def std(self, dim: _int | Sequence[_int] | None, unbiased: _bool, keepdim: _bool = False) -> Tensor: ...
    @overload
    def std(self, unbiased: _bool) -> Tensor: ...
    def stft(
        self,
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
    def sub(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """The difference of two tensors, element by element."""
    subtract = sub
    def subtract_(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """In-place form of `sub`. The difference of two tensors, element by element."""
    sub_ = subtract_
    def sum(
        self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None
    ) -> Tensor:
        """The sum over all dimensions, or over those named."""
    @overload
    def sum_to_size(self, *size: _int) -> Tensor:
        """The sum over the dimensions in which a tensor was stretched."""
    @overload
    def sum_to_size(self, size: Sequence[_int]) -> Tensor: ...
    def svd(self, some: _bool = True, compute_uv: _bool = True) -> svd_result:
        """U, S and V with A = U diag(S) Vᴴ."""
    def symeig(self, eigenvectors: Any = False, upper: Any = True) -> Any:
        """Taken away: `torch.linalg.eigh`."""
    def t(self) -> Tensor:
        """The transpose of a matrix: both strides change places. A view."""
    def t_(self) -> Tensor:
        """In-place form of `t`. The transpose of a matrix: both strides change places. A view."""
    def take(self, index: Tensor) -> Tensor:
        """Elements by their places in the whole tensor, read row by row."""
    def take_along_dim(self, indices: Tensor, dim: _int | None = None) -> Tensor:
        """Elements picked along one dimension by an index that is stretched to fit; without a dimension,
        from all elements.
        """
    def tan(self) -> Tensor:
        """The tangent of every element."""
    def tan_(self) -> Tensor:
        """In-place form of `tan`. The tangent of every element."""
    def tanh(self) -> Tensor:
        """The hyperbolic tangent."""
    def tanh_(self) -> Tensor:
        """In-place form of `tanh`. The hyperbolic tangent."""
    def tensor_split(
        self, indices_or_sections: _int | Sequence[_int] | Tensor, dim: _int = 0
    ) -> tuple[Tensor, ...]:
        """Pieces cut at the indices listed, or so many of nearly one length. Each a view."""
    @overload
    def tile(self, *dims: _int) -> Tensor:
        """The whole tensor again and again; dimensions that are not named stay as they are."""
    @overload
    def tile(self, dims: Sequence[_int]) -> Tensor: ...
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
    def to_dense(self, dtype: _dtype | None = None, *, masked_grad: _bool | None = None) -> Tensor:
        """Every element in its place."""
    @overload
    def to_sparse(
        self,
        *,
        layout: _layout | None = None,
        blocksize: Sequence[_int] | _int | None = None,
        dense_dim: _int | None = None,
    ) -> Tensor:
        """Only what is not zero, by coordinates or in another sparse layout."""
    @overload
    def to_sparse(self, sparse_dim: _int) -> Tensor: ...
    def to_sparse_bsc(self, blocksize: Sequence[_int] | _int | None, dense_dim: _int | None = None) -> Tensor:
        """Only blocks that are not zero, by compressed columns of blocks."""
    def to_sparse_bsr(self, blocksize: Sequence[_int] | _int | None, dense_dim: _int | None = None) -> Tensor:
        """Only blocks that are not zero, by compressed rows of blocks."""
    def to_sparse_coo(self) -> Tensor:
        """Only what is not zero, by coordinates."""
    def to_sparse_csc(self, dense_dim: _int | None = None) -> Tensor:
        """Only what is not zero, by compressed columns."""
    def to_sparse_csr(self, dense_dim: _int | None = None) -> Tensor:
        """Only what is not zero, by compressed rows."""
    def tolist(self) -> Any:
        """The numbers in nested lists; of a tensor without dimensions, the number."""
    def topk(self, k: _int, dim: _int = -1, largest: _bool = True, sorted: _bool = True) -> topk_result:
        """The largest or the smallest few along a dimension, and where they are."""
    def trace(self) -> Tensor:
        """The sum of a matrix's diagonal."""
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """Two dimensions change places, and their strides with them. A view."""
    swapaxes = transpose
    swapdims = transpose
    def transpose_(self, dim0: _int, dim1: _int) -> Tensor:
        """In-place form of `transpose`. Two dimensions change places, and their strides with them. A view."""
    swapaxes_ = transpose_
    swapdims_ = transpose_
    def triangular_solve(
        self, A: Tensor, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False
    ) -> triangular_solve_result:
        """X with A X = b, for a triangular A, and A."""
    def tril(self, diagonal: _int = 0) -> Tensor:
        """The lower triangle; zeros above a diagonal."""
    def tril_(self, diagonal: _int = 0) -> Tensor:
        """In-place form of `tril`. The lower triangle; zeros above a diagonal."""
    def triu(self, diagonal: _int = 0) -> Tensor:
        """The upper triangle; zeros below a diagonal."""
    def triu_(self, diagonal: _int = 0) -> Tensor:
        """In-place form of `triu`. The upper triangle; zeros below a diagonal."""
    def trunc(self) -> Tensor:
        """Rounded towards zero."""
    fix = trunc
    def type(self, *args: Any, **kwargs: Any) -> Any:
        """The tensor's type by its old name; or the tensor converted to a type, told by a dtype, a name or
        a class.
        """
    def type_as(self, other: Tensor) -> Tensor:
        """The tensor in the dtype of another."""
    def unbind(self, dim: _int = 0) -> tuple[Tensor, ...]:
        """The slices along one dimension, each a view."""
    def unflatten(self, dim: _int, sizes: Sequence[_int]) -> Tensor:
        """One dimension told apart into several. A view."""
    def unfold(self, dimension: _int, size: _int, step: _int) -> Tensor:
        """Windows of `size` that start every `step` along a dimension; they may overlap. A view."""
    def uniform_(
        self, from_: _float = 0.0, to: _float = 1.0, *, generator: _Generator | None = None
    ) -> Tensor:
        """Overwritten with uniform numbers."""
    @overload
    def unique(self, sorted: _bool = True, *, dim: _int | None = None) -> Tensor:
        """Each element once, in order; with a dimension, each slice once."""
    @overload
    def unique(
        self,
        sorted: _bool = True,
        *,
        return_inverse: _bool,
        return_counts: _bool = False,
        dim: _int | None = None,
    ) -> tuple[Tensor, ...]: ...
    @overload
    def unique(
        self, sorted: _bool = True, *, return_counts: _bool, dim: _int | None = None
    ) -> tuple[Tensor, ...]: ...
    @overload
    def unique_consecutive(self, *, dim: _int | None = None) -> Tensor:
        """The first of every run of equal elements, or of equal slices."""
    @overload
    def unique_consecutive(
        self, *, return_inverse: _bool, return_counts: _bool = False, dim: _int | None = None
    ) -> tuple[Tensor, ...]: ...
    @overload
    def unique_consecutive(self, *, return_counts: _bool, dim: _int | None = None) -> tuple[Tensor, ...]: ...
    def unsafe_chunk(self, chunks: _int, dim: _int = 0) -> Tensor:
        """Like chunk; the pieces count as no views."""
    def unsafe_split(self, split_size: _int, dim: _int = 0) -> Tensor:
        """Like split; the pieces count as no views."""
    def unsafe_split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> Tensor:
        """Like split with a list of sizes; the pieces count as no views."""
    def unsqueeze(self, dim: _int) -> Tensor:
        """With a new dimension of size 1. A view."""
    def unsqueeze_(self, dim: _int) -> Tensor:
        """In-place form of `unsqueeze`. With a new dimension of size 1. A view."""
    def values(self) -> Tensor:
        """The kept elements."""
    @overload
    def var(
        self, dim: _int | Sequence[_int] | None = None, *, correction: _Number = 1, keepdim: _bool = False
    ) -> Tensor:
        """The variance: how far elements lie from their mean, squared."""
    @overload
    def var(self, dim: _int | Sequence[_int] | None, unbiased: _bool, keepdim: _bool = False) -> Tensor: ...
    @overload
    def var(self, unbiased: _bool) -> Tensor: ...
    def vdot(self, other: Tensor) -> Tensor:
        """The sum of products of two vectors, the first one conjugated."""
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
    def vsplit(self, indices_or_sections: _int | Sequence[_int] | Tensor) -> tuple[Tensor, ...]:
        """Pieces along the rows. Each a view."""
    def where(self, condition: Tensor, other: Tensor | _Number) -> Tensor:
        """One tensor's elements where a condition holds, else another's; of a condition alone, the places
        where it holds.
        """
    def xlogy(self, other: Tensor | _Number) -> Tensor:
        """x * log(y), and 0 where x is 0."""
    def xlogy_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `xlogy`. x * log(y), and 0 where x is 0."""
    def zero_(self) -> Tensor:
        """Every element set to 0."""
