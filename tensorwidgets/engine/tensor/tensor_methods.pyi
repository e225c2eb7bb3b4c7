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
from ..tensor.storages.typed import TypedStorage
from ..tensor.storages.untyped import UntypedStorage
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
    def __array_wrap__(self, array: ndarray, context: Any = None, return_scalar: _bool = False) -> Tensor:
        """The result of a NumPy function that was called with a tensor: a tensor; bool becomes uint8, as
        in PyTorch.
        """
    def __bool__(self) -> _bool: ...
    def __complex__(self) -> _complex: ...
    def __contains__(self, element: Tensor | _Number) -> _bool: ...
    def __copy__(self) -> Tensor:
        """Another tensor on the same storage."""
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The description of memory on a GPU, which this tensor does not have."""
    def __deepcopy__(self, memo: dict) -> Tensor:
        """A tensor on a copy of the storage, which is shared with what else is copied in the same go."""
    def __delitem__(self, key: Any) -> None:
        """``del x[key]``: refused."""
    def __div__(self, other: Any) -> Any:
        """Divides two tensors element by element; `rounding_mode` may round the quotient."""
    def __dlpack__(
        self,
        *,
        stream: _int | None = -1,
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
    def __idiv__(self, other: Tensor | _complex) -> Any:
        """Divides two tensors element by element; `rounding_mode` may round the quotient."""
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
    def __long__(self) -> Any: ...
    def __lshift__(self, other: Tensor | _Number) -> Tensor: ...
    def __lt__(self, other: Tensor | _Number) -> Tensor: ...
    def __matmul__(self, other: Tensor) -> Tensor: ...
    def __mod__(self, other: Tensor | _Number) -> Tensor: ...
    def __mul__(self, other: Tensor | _Number) -> Tensor: ...
    def __ne__(self, other: object) -> Tensor: ...  # type: ignore[override]
    def __neg__(self) -> Tensor: ...
    def __nonzero__(self) -> _bool: ...
    def __or__(self, other: Tensor | _Number) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __pow__(self, other: Tensor | _Number) -> Tensor: ...
    def __radd__(self, other: _Number) -> Tensor: ...
    def __rand__(self, other: _Number) -> Tensor: ...
    def __rdiv__(self, other: _complex) -> Any:
        """Divides two tensors element by element; `rounding_mode` may round the quotient."""
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
        """Reverses the order of all dimensions. A view."""
    def _coalesced_(self, coalesced: _bool) -> Tensor:
        """Marks the tensor as coalesced or not."""
    def _indices(self) -> Tensor:
        """Returns the coordinates as stored, possibly with duplicates."""
    def _is_all_true(self) -> Tensor:
        """Tests whether all bools are true."""
    def _is_any_true(self) -> Tensor:
        """Tests whether any bool is true."""
    def _nnz(self) -> _int:
        """Returns the number of stored elements."""
    def _values(self) -> Tensor:
        """Returns the values as stored, possibly with duplicates."""
    def abs(self) -> Tensor:
        """Computes the absolute value of each element."""
    absolute = abs
    def absolute_(self) -> Tensor:
        """In-place form of `abs`. Computes the absolute value of each element."""
    abs_ = absolute_
    def acos(self) -> Tensor:
        """Computes the arccosine of each element, in radians."""
    arccos = acos
    def acosh(self) -> Tensor:
        """Computes the inverse hyperbolic cosine of each element."""
    arccosh = acosh
    def add(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """Adds two tensors element by element; `alpha` multiplies `other`."""
    def add_(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """In-place form of `add`. Adds two tensors element by element; `alpha` multiplies `other`."""
    def addbmm(self, batch1: Tensor, batch2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Computes beta * input + alpha * the sum of batch1 @ batch2 over the batch."""
    def addbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """In-place form of `addbmm`. Computes beta * input + alpha * the sum of batch1 @ batch2 over the
        batch.
        """
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor:
        """Computes input + value * tensor1 / tensor2."""
    def addcdiv_(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor:
        """In-place form of `addcdiv`. Computes input + value * tensor1 / tensor2."""
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor:
        """Computes input + value * tensor1 * tensor2."""
    def addcmul_(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor:
        """In-place form of `addcmul`. Computes input + value * tensor1 * tensor2."""
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Computes beta * input + alpha * (mat1 @ mat2), a matrix product."""
    def addmm_(self, mat1: Tensor, mat2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """In-place form of `addmm`. Computes beta * input + alpha * (mat1 @ mat2), a matrix product."""
    def addmv(self, mat: Tensor, vec: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Computes beta * input + alpha * (mat @ vec), a matrix-vector product."""
    def addmv_(self, mat: Tensor, vec: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """In-place form of `addmv`. Computes beta * input + alpha * (mat @ vec), a matrix-vector product."""
    def addr(self, vec1: Tensor, vec2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Computes beta * input + alpha * outer(vec1, vec2)."""
    def addr_(self, vec1: Tensor, vec2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """In-place form of `addr`. Computes beta * input + alpha * outer(vec1, vec2)."""
    def adjoint(self) -> Tensor:
        """Returns the conjugate transpose of each matrix. A view."""
    def align_as(self, other: Tensor) -> Tensor:
        """Reorders the dimensions to match another tensor; missing ones are added with size 1. A view."""
    @overload
    def align_to(self, *names: str | EllipsisType | None) -> Tensor:
        """Reorders the dimensions by name; missing ones are added with size 1. A view."""
    @overload
    def align_to(self, names: Sequence[str | EllipsisType | None]) -> Tensor: ...
    def all(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Tests whether all elements are true, or all along the given dimensions."""
    def allclose(
        self, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False
    ) -> _bool:
        """Returns whether all elements are close: |input - other| <= atol + rtol * |other|."""
    def amax(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Returns the largest element, or along the given dimensions; NaN wins."""
    def amin(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Returns the smallest element, or along the given dimensions; NaN wins."""
    def aminmax(self, *, dim: _int | None = None, keepdim: _bool = False) -> aminmax_result:
        """Returns the smallest and the largest element."""
    def angle(self) -> Tensor:
        """Computes the angle of each element, in radians; pi for negative real numbers."""
    def any(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Tests whether any element is true, or any along the given dimensions."""
    def apply_(self, callable: Callable) -> Tensor:
        """Replaces each element by the result of a Python function of it."""
    def arccos_(self) -> Tensor:
        """In-place form of `acos`. Computes the arccosine of each element, in radians."""
    acos_ = arccos_
    def arccosh_(self) -> Tensor:
        """In-place form of `acosh`. Computes the inverse hyperbolic cosine of each element."""
    acosh_ = arccosh_
    def arcsin_(self) -> Tensor:
        """In-place form of `asin`. Computes the arcsine of each element, in radians."""
    asin_ = arcsin_
    def arcsinh_(self) -> Tensor:
        """In-place form of `asinh`. Computes the inverse hyperbolic sine of each element."""
    asinh_ = arcsinh_
    def arctan2_(self, other: Tensor) -> Tensor:
        """In-place form of `atan2`. Computes the angle of the point (other, input), in its quadrant."""
    atan2_ = arctan2_
    def arctan_(self) -> Tensor:
        """In-place form of `atan`. Computes the arctangent of each element, in radians."""
    atan_ = arctan_
    def arctanh_(self) -> Tensor:
        """In-place form of `atanh`. Computes the inverse hyperbolic tangent of each element."""
    atanh_ = arctanh_
    def argmax(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """Returns the index of the largest element, of all or along the given dimension."""
    def argmin(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """Returns the index of the smallest element, of all or along the given dimension."""
    @overload
    def argsort(self, *, stable: _bool, dim: _int = -1, descending: _bool = False) -> Tensor:
        """Returns the indices that sort the tensor along a dimension."""
    @overload
    def argsort(self, dim: _int = -1, descending: _bool = False) -> Tensor: ...
    def argwhere(self) -> Tensor:
        """Returns the indices of all nonzero elements, one per row."""
    def as_strided(
        self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
    ) -> Tensor:
        """Returns a view of the storage with the given size, stride and offset."""
    def as_strided_(
        self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
    ) -> Tensor:
        """In-place form of `as_strided`."""
    def as_strided_scatter(
        self, src: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
    ) -> Tensor:
        """Returns a copy with the elements at a given size and stride replaced by another tensor."""
    def as_subclass(self, cls: _type[Tensor]) -> Tensor:
        """A view of these elements that is an instance of a class of your own."""
    def asin(self) -> Tensor:
        """Computes the arcsine of each element, in radians."""
    arcsin = asin
    def asinh(self) -> Tensor:
        """Computes the inverse hyperbolic sine of each element."""
    arcsinh = asinh
    def atan(self) -> Tensor:
        """Computes the arctangent of each element, in radians."""
    arctan = atan
    def atan2(self, other: Tensor) -> Tensor:
        """Computes the angle of the point (other, input), in its quadrant."""
    arctan2 = atan2
    def atanh(self) -> Tensor:
        """Computes the inverse hyperbolic tangent of each element."""
    arctanh = atanh
    def baddbmm(self, batch1: Tensor, batch2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Computes beta * input + alpha * (batch1 @ batch2), a batch of matrix products."""
    def baddbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """In-place form of `baddbmm`. Computes beta * input + alpha * (batch1 @ batch2), a batch of matrix
        products.
        """
    @overload
    def bernoulli(self, *, generator: _Generator | None = None) -> Tensor:
        """Draws 1 with the probability given for each element, else 0."""
    @overload
    def bernoulli(self, p: _float, *, generator: _Generator | None = None) -> Tensor: ...
    def bernoulli_(self, p: _float | Tensor = 0.5, *, generator: _Generator | None = None) -> Tensor:
        """Fills the tensor with zeros and ones; a one has probability p."""
    def bfloat16(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.bfloat16; returns itself if it already has that dtype."""
    def bincount(self, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
        """Counts how often each non-negative integer occurs, or sums the weights of its occurrences."""
    def bitwise_and(self, other: Tensor | _Number) -> Tensor:
        """Computes the bitwise AND of two tensors."""
    def bitwise_and_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `bitwise_and`. Computes the bitwise AND of two tensors."""
    def bitwise_left_shift(self, other: Tensor | _Number) -> Tensor:
        """Shifts the bits of each element to the left."""
    def bitwise_left_shift_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `bitwise_left_shift`. Shifts the bits of each element to the left."""
    def bitwise_not(self) -> Tensor:
        """Computes the bitwise NOT of each element; the logical NOT of booleans."""
    def bitwise_not_(self) -> Tensor:
        """In-place form of `bitwise_not`. Computes the bitwise NOT of each element; the logical NOT of
        booleans.
        """
    def bitwise_or(self, other: Tensor | _Number) -> Tensor:
        """Computes the bitwise OR of two tensors."""
    def bitwise_or_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `bitwise_or`. Computes the bitwise OR of two tensors."""
    def bitwise_right_shift(self, other: Tensor | _Number) -> Tensor:
        """Shifts the bits of each element to the right."""
    def bitwise_right_shift_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `bitwise_right_shift`. Shifts the bits of each element to the right."""
    def bitwise_xor(self, other: Tensor | _Number) -> Tensor:
        """Computes the bitwise XOR of two tensors."""
    def bitwise_xor_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `bitwise_xor`. Computes the bitwise XOR of two tensors."""
    def bmm(self, mat2: Tensor) -> Tensor:
        """Computes the products of two batches of matrices."""
    def bool(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.bool; returns itself if it already has that dtype."""
    @overload
    def broadcast_to(self, *size: _int) -> Tensor:
        """Broadcasts the tensor to a size. A view."""
    @overload
    def broadcast_to(self, size: Sequence[_int]) -> Tensor: ...
    def byte(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.uint8; returns itself if it already has that dtype."""
    def cauchy_(
        self, median: _float = 0, sigma: _float = 1, *, generator: _Generator | None = None
    ) -> Tensor:
        """Fills the tensor with numbers drawn from a Cauchy distribution."""
    def ccol_indices(self) -> Tensor:
        """Returns the compressed column indices: where each column begins."""
    def cdouble(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.complex128; returns itself if it already has that dtype."""
    def ceil(self) -> Tensor:
        """Rounds each element up to an integer."""
    def ceil_(self) -> Tensor:
        """In-place form of `ceil`. Rounds each element up to an integer."""
    def cfloat(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.complex64; returns itself if it already has that dtype."""
    def chalf(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.complex32; returns itself if it already has that dtype."""
    def char(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.int8; returns itself if it already has that dtype."""
    def cholesky(self, upper: _bool = False) -> Tensor:
        """Computes the Cholesky decomposition of positive-definite matrices, lower or upper."""
    def cholesky_inverse(self, upper: _bool = False) -> Tensor:
        """Computes the inverse of A from its Cholesky factor."""
    def cholesky_solve(self, input2: Tensor, upper: _bool = False) -> Tensor:
        """Solves the linear system A X = B from the Cholesky factor of A."""
    def chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """Splits the tensor along one dimension into at most `chunks` pieces. Views."""
    def clamp(self, min: Tensor | _Number | None = None, max: Tensor | _Number | None = None) -> Tensor:
        """Limits each element to the range from min to max."""
    clip = clamp
    def clamp_max(self, max: Tensor | _Number) -> Tensor:
        """Limits each element to at most max."""
    def clamp_max_(self, max: Tensor | _Number) -> Tensor:
        """In-place form of `clamp_max`. Limits each element to at most max."""
    def clamp_min(self, min: Tensor | _Number) -> Tensor:
        """Limits each element to at least min."""
    def clamp_min_(self, min: Tensor | _Number) -> Tensor:
        """In-place form of `clamp_min`. Limits each element to at least min."""
    def clip_(self, min: Tensor | _Number | None = None, max: Tensor | _Number | None = None) -> Tensor:
        """In-place form of `clamp`. Limits each element to the range from min to max."""
    clamp_ = clip_
    def clone(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Returns a copy in its own storage; dense strides are preserved."""
    def coalesce(self) -> Tensor:
        """Sorts the coordinates of a sparse tensor and sums the values of equal ones."""
    def col_indices(self) -> Tensor:
        """Returns the column index of each stored element."""
    def conj(self) -> Tensor:
        """Returns the complex conjugate: a view that computes it lazily; real tensors are returned as they
        are.
        """
    def conj_physical(self) -> Tensor:
        """Computes the complex conjugate immediately; real tensors are returned as they are."""
    def conj_physical_(self) -> Tensor:
        """In-place form of `conj_physical`. Computes the complex conjugate immediately; real tensors are
        returned as they are.
        """
    def contiguous(self, *, memory_format: _memory_format = ...) -> Tensor:
        """Returns the tensor itself if it is contiguous, else a contiguous copy."""
    def copy_(self, other: Tensor | _Number, non_blocking: _bool = False) -> Tensor:
        """Copies the elements of another tensor into this one, with broadcasting and conversion."""
    def copysign(self, other: Tensor | _Number) -> Tensor:
        """Combines the absolute value of `input` with the sign of `other`."""
    def copysign_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `copysign`. Combines the absolute value of `input` with the sign of `other`."""
    def corrcoef(self) -> Tensor:
        """Computes the correlation matrix of variables (rows) over observations (columns)."""
    def cos(self) -> Tensor:
        """Computes the cosine of each element."""
    def cos_(self) -> Tensor:
        """In-place form of `cos`. Computes the cosine of each element."""
    def cosh(self) -> Tensor:
        """Computes the hyperbolic cosine of each element."""
    def cosh_(self) -> Tensor:
        """In-place form of `cosh`. Computes the hyperbolic cosine of each element."""
    @overload
    def count_nonzero(self, dim: _int | None = None) -> Tensor:
        """Counts the nonzero elements, of all or along the given dimensions."""
    @overload
    def count_nonzero(self, *dim: _int) -> Tensor: ...
    @overload
    def count_nonzero(self, dim: Sequence[_int]) -> Tensor: ...
    def cov(
        self, *, correction: _int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
    ) -> Tensor:
        """Computes the covariance matrix of variables (rows) over observations (columns)."""
    def cpu(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Returns the tensor in main memory; itself if it is already there."""
    def cross(self, other: Tensor, dim: _int | None = None) -> Tensor:
        """Computes the cross product of vectors of three elements."""
    def crow_indices(self) -> Tensor:
        """Returns the compressed row indices: where each row begins."""
    def cuda(
        self,
        device: _device | str | None = None,
        non_blocking: _bool = False,
        *,
        memory_format: _memory_format | None = None,
    ) -> Tensor:
        """Returns the tensor on a GPU; itself if it is already there."""
    def cummax(self, dim: _int) -> cummax_result:
        """Returns the cumulative maximum along a dimension, and its indices."""
    def cummin(self, dim: _int) -> cummin_result:
        """Returns the cumulative minimum along a dimension, and its indices."""
    def cumprod(self, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
        """Returns the cumulative product along a dimension."""
    def cumprod_(self, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
        """In-place form of `cumprod`. Returns the cumulative product along a dimension."""
    def cumsum(self, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
        """Returns the cumulative sum along a dimension."""
    def cumsum_(self, dim: _int, *, dtype: _dtype | None = None) -> Tensor:
        """In-place form of `cumsum`. Returns the cumulative sum along a dimension."""
    @property
    def data(self) -> Tensor:
        """The same elements, with a version of their own."""
    @data.setter
    def data(self, value: Tensor) -> None: ...
    def deg2rad(self) -> Tensor:
        """Converts each element from degrees to radians."""
    def deg2rad_(self) -> Tensor:
        """In-place form of `deg2rad`. Converts each element from degrees to radians."""
    def dense_dim(self) -> _int:
        """Returns the number of dense dimensions."""
    def dequantize(self) -> Tensor:
        """Converts a quantized tensor to float32."""
    def det(self) -> Tensor:
        """Computes the determinant of square matrices."""
    def detach(self) -> Tensor:
        """Returns a tensor on the same storage that is not a view and has no history."""
    def detach_(self) -> Tensor:
        """Removes the history of the tensor, in place; refused for views."""
    def diag(self, diagonal: _int = 0) -> Tensor:
        """Returns the diagonal of a matrix, or a matrix with a vector on its diagonal. A copy."""
    def diag_embed(self, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
        """Returns matrices with the given vectors on a diagonal and zeros elsewhere."""
    def diagflat(self, offset: _int = 0) -> Tensor:
        """Returns a matrix with all elements of the input on a diagonal."""
    def diagonal(self, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """Returns the diagonal of two dimensions as the last dimension. A view."""
    def diagonal_scatter(self, src: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """Returns a copy with a diagonal replaced by another tensor."""
    def diff(
        self, n: _int = 1, dim: _int = -1, prepend: Tensor | None = None, append: Tensor | None = None
    ) -> Tensor:
        """Computes the n-th differences of adjacent elements along a dimension."""
    def digamma(self) -> Tensor:
        """Computes the logarithmic derivative of the gamma function."""
    def digamma_(self) -> Tensor:
        """In-place form of `digamma`. Computes the logarithmic derivative of the gamma function."""
    def dim_order(self, *, ambiguity_check: Any = False) -> tuple[_int, ...]:
        """Returns the dimensions in the order of their strides, the largest first."""
    def dist(self, other: Tensor, p: _Number = 2) -> Tensor:
        """Returns the p-norm of the difference of two tensors."""
    @overload
    def div(self, other: Tensor | _Number) -> Tensor:
        """Divides two tensors element by element; `rounding_mode` may round the quotient."""
    @overload
    def div(self, other: Tensor | _Number, *, rounding_mode: str | None) -> Tensor: ...
    divide = div
    true_divide = div
    @overload
    def divide_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `div`. Divides two tensors element by element; `rounding_mode` may round the
        quotient.
        """
    @overload
    def divide_(self, other: Tensor | _Number, *, rounding_mode: str | None) -> Tensor: ...
    div_ = divide_
    true_divide_ = divide_
    def dot(self, tensor: Tensor) -> Tensor:
        """Computes the dot product of two vectors."""
    def double(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.float64; returns itself if it already has that dtype."""
    @overload
    def dsplit(self, sections: _int) -> tuple[Tensor, ...]:
        """Splits the tensor in depth, along the third dimension. Views."""
    @overload
    def dsplit(self, *indices: _int) -> tuple[Tensor, ...]: ...
    @overload
    def dsplit(self, indices: Sequence[_int]) -> tuple[Tensor, ...]: ...
    def eig(self, eigenvectors: _bool = False, *, e: Any = None, v: Any = None) -> Any:
        """Removed in favour of `torch.linalg.eig`."""
    def eq(self, other: Tensor | _Number) -> Tensor:
        """Computes input == other, element by element."""
    def eq_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `eq`. Computes input == other, element by element."""
    def equal(self, other: Tensor) -> _bool:
        """Returns whether two tensors have the same size and equal elements."""
    def erf(self) -> Tensor:
        """Computes the error function of each element."""
    def erf_(self) -> Tensor:
        """In-place form of `erf`. Computes the error function of each element."""
    def erfc(self) -> Tensor:
        """Computes 1 - erf(x), accurately for large x."""
    def erfc_(self) -> Tensor:
        """In-place form of `erfc`. Computes 1 - erf(x), accurately for large x."""
    def erfinv(self) -> Tensor:
        """Computes the inverse of the error function."""
    def erfinv_(self) -> Tensor:
        """In-place form of `erfinv`. Computes the inverse of the error function."""
    def exp(self) -> Tensor:
        """Computes the exponential of each element."""
    def exp2(self) -> Tensor:
        """Computes 2 to the power of each element."""
    def exp2_(self) -> Tensor:
        """In-place form of `exp2`. Computes 2 to the power of each element."""
    def exp_(self) -> Tensor:
        """In-place form of `exp`. Computes the exponential of each element."""
    @overload
    def expand(self, *size: _int, implicit: _bool = False) -> Tensor:
        """Expands dimensions of size 1 with a stride of 0. A view."""
    @overload
    def expand(self, size: Sequence[_int], *, implicit: _bool = False) -> Tensor: ...
    def expand_as(self, other: Tensor) -> Tensor:
        """Expands the tensor to the size of another tensor. A view."""
    def expm1(self) -> Tensor:
        """Computes exp(x) - 1, accurately for small x."""
    def expm1_(self) -> Tensor:
        """In-place form of `expm1`. Computes exp(x) - 1, accurately for small x."""
    def exponential_(self, lambd: _float = 1, *, generator: _Generator | None = None) -> Tensor:
        """Fills the tensor with numbers drawn from an exponential distribution."""
    def fill_(self, value: Tensor | _Number) -> Tensor:
        """Fills the tensor with one number."""
    def fill_diagonal_(self, fill_value: _Number, wrap: _bool = False) -> Tensor:
        """Fills the main diagonal with one number."""
    def fix_(self) -> Tensor:
        """In-place form of `trunc`. Rounds each element towards zero to an integer."""
    trunc_ = fix_
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """Flattens a range of dimensions into one: the tensor itself, a view, or a copy."""
    @overload
    def flip(self, *dims: _int) -> Tensor:
        """Reverses the order of the elements along dimensions. A copy."""
    @overload
    def flip(self, dims: Sequence[_int]) -> Tensor: ...
    def fliplr(self) -> Tensor:
        """Reverses the order of the columns. A copy."""
    def flipud(self) -> Tensor:
        """Reverses the order of the rows. A copy."""
    def float(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.float32; returns itself if it already has that dtype."""
    def float_power(self, exponent: Tensor | _Number) -> Tensor:
        """Raises each element to a power, computed in float64 or complex128."""
    def float_power_(self, exponent: Tensor | _Number) -> Tensor:
        """In-place form of `float_power`. Raises each element to a power, computed in float64 or
        complex128.
        """
    def floor(self) -> Tensor:
        """Rounds each element down to an integer."""
    def floor_(self) -> Tensor:
        """In-place form of `floor`. Rounds each element down to an integer."""
    def floor_divide(self, other: Tensor | _Number) -> Tensor:
        """Divides two tensors element by element and rounds down."""
    def floor_divide_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `floor_divide`. Divides two tensors element by element and rounds down."""
    def fmax(self, other: Tensor) -> Tensor:
        """Computes the larger of two elements; NaN only if both are NaN."""
    def fmin(self, other: Tensor) -> Tensor:
        """Computes the smaller of two elements; NaN only if both are NaN."""
    def fmod(self, other: Tensor | _Number) -> Tensor:
        """Computes the remainder of division, with the sign of the dividend, as C's fmod."""
    def fmod_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `fmod`. Computes the remainder of division, with the sign of the dividend, as
        C's fmod.
        """
    def frac(self) -> Tensor:
        """Computes the fractional part of each element."""
    def frac_(self) -> Tensor:
        """In-place form of `frac`. Computes the fractional part of each element."""
    def frexp(self) -> frexp_result:
        """Splits each element into a mantissa, at least 1/2 and below 1, and a power of 2."""
    def gather(self, dim: _int, index: Tensor, *, sparse_grad: _bool = False) -> Tensor:
        """Gathers elements along one dimension at the given indices."""
    def gcd(self, other: Tensor) -> Tensor:
        """Computes the greatest common divisor of two tensors, element by element."""
    def gcd_(self, other: Tensor) -> Tensor:
        """In-place form of `gcd`. Computes the greatest common divisor of two tensors, element by element."""
    def ge(self, other: Tensor | _Number) -> Tensor:
        """Computes input >= other, element by element."""
    greater_equal = ge
    def geometric_(self, p: _float, *, generator: _Generator | None = None) -> Tensor:
        """Fills the tensor with numbers drawn from a geometric distribution."""
    def geqrf(self) -> geqrf_result:
        """Computes the QR decomposition in packed form, as Householder reflectors."""
    def greater_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `gt`. Computes input > other, element by element."""
    gt_ = greater_
    def greater_equal_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `ge`. Computes input >= other, element by element."""
    ge_ = greater_equal_
    def gt(self, other: Tensor | _Number) -> Tensor:
        """Computes input > other, element by element."""
    greater = gt
    def half(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.float16; returns itself if it already has that dtype."""
    def hardshrink(self, lambd: _Number = 0.5) -> Tensor:
        """Sets elements between -lambd and lambd to 0."""
    def has_names(self) -> _bool:
        """Whether any dimension has a name."""
    def hash_tensor(
        self, dim: _int | Sequence[_int] | None = None, *, keepdim: _bool = False, mode: _int = 0
    ) -> Tensor:
        """Combines the bits of all elements, as numbers of 64 bits, by exclusive or; of all or along the
        given dimensions.
        """
    def heaviside(self, values: Tensor) -> Tensor:
        """Computes the step function: 0 below zero, 1 above, and `values` at zero."""
    def heaviside_(self, values: Tensor) -> Tensor:
        """In-place form of `heaviside`. Computes the step function: 0 below zero, 1 above, and `values` at
        zero.
        """
    def histc(self, bins: _int = 100, min: _Number = 0, max: _Number = 0) -> Tensor:
        """Counts the elements in each of `bins` bins of equal width."""
    @overload
    def histogram(
        self, bins: Tensor, *, weight: Tensor | None = None, density: _bool = False
    ) -> histogram_result:
        """Counts the elements, or sums their weights, in each bin; also returns the edges of the bins."""
    @overload
    def histogram(
        self,
        bins: _int = 100,
        *,
        range: Sequence[_float] | None = None,
        weight: Tensor | None = None,
        density: _bool = False,
    ) -> histogram_result: ...
    @overload
    def hsplit(self, sections: _int) -> tuple[Tensor, ...]:
        """Splits the tensor horizontally, into groups of columns. Views."""
    @overload
    def hsplit(self, *indices: _int) -> tuple[Tensor, ...]: ...
    @overload
    def hsplit(self, indices: Sequence[_int]) -> tuple[Tensor, ...]: ...
    def hypot(self, other: Tensor) -> Tensor:
        """Computes the length of the hypotenuse of a right triangle from its legs."""
    def hypot_(self, other: Tensor) -> Tensor:
        """In-place form of `hypot`. Computes the length of the hypotenuse of a right triangle from its
        legs.
        """
    def i0(self) -> Tensor:
        """Computes the modified Bessel function of the first kind of order 0."""
    def i0_(self) -> Tensor:
        """In-place form of `i0`. Computes the modified Bessel function of the first kind of order 0."""
    def igamma(self, other: Tensor) -> Tensor:
        """Computes the regularized lower incomplete gamma function."""
    def igamma_(self, other: Tensor) -> Tensor:
        """In-place form of `igamma`. Computes the regularized lower incomplete gamma function."""
    def igammac(self, other: Tensor) -> Tensor:
        """Computes the regularized upper incomplete gamma function."""
    def igammac_(self, other: Tensor) -> Tensor:
        """In-place form of `igammac`. Computes the regularized upper incomplete gamma function."""
    @property
    def imag(self) -> Tensor:
        """Returns the imaginary parts of a complex tensor. A view."""
    @imag.setter
    def imag(self, value: Tensor) -> None: ...
    def index_add(self, dim: _int, index: Tensor, source: Tensor, *, alpha: _Number = 1) -> Tensor:
        """Returns a copy with slices added at indices along one dimension."""
    def index_add_(self, dim: _int, index: Tensor, source: Tensor, *, alpha: _Number = 1) -> Tensor:
        """In-place form of `index_add`. Returns a copy with slices added at indices along one dimension."""
    def index_copy(self, dim: _int, index: Tensor, source: Tensor) -> Tensor:
        """Returns a copy with slices written at indices along one dimension."""
    def index_copy_(self, dim: _int, index: Tensor, source: Tensor) -> Tensor:
        """In-place form of `index_copy`. Returns a copy with slices written at indices along one
        dimension.
        """
    def index_fill(self, dim: _int, index: Tensor, value: Tensor | _Number) -> Tensor:
        """Returns a copy with the slices at indices along one dimension filled with one number."""
    def index_fill_(self, dim: _int, index: Tensor, value: Tensor | _Number) -> Tensor:
        """In-place form of `index_fill`. Returns a copy with the slices at indices along one dimension
        filled with one number.
        """
    def index_put(self, indices: Sequence[Tensor], values: Tensor, accumulate: _bool = False) -> Tensor:
        """Returns a copy with values written or added at the positions given by a tuple of index tensors."""
    def index_put_(self, indices: Sequence[Tensor], values: Tensor, accumulate: _bool = False) -> Tensor:
        """In-place form of `index_put`. Returns a copy with values written or added at the positions given
        by a tuple of index tensors.
        """
    def index_reduce(
        self, dim: _int, index: Tensor, source: Tensor, reduce: str, *, include_self: _bool = True
    ) -> Tensor:
        """Returns a copy with slices reduced (prod, mean, amax, amin) at indices along one dimension."""
    def index_reduce_(
        self, dim: _int, index: Tensor, source: Tensor, reduce: str, *, include_self: _bool = True
    ) -> Tensor:
        """In-place form of `index_reduce`. Returns a copy with slices reduced (prod, mean, amax, amin) at
        indices along one dimension.
        """
    def index_select(self, dim: _int, index: Tensor) -> Tensor:
        """Returns the slices along one dimension at the given indices."""
    def indices(self) -> Tensor:
        """Returns the coordinates of the stored elements, one row per sparse dimension."""
    def inner(self, other: Tensor) -> Tensor:
        """Computes the sum of products along the last dimension of both tensors."""
    def int(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.int32; returns itself if it already has that dtype."""
    def int_repr(self) -> Tensor:
        """Returns the integers of a quantized tensor as a plain tensor."""
    def inverse(self) -> Tensor:
        """Computes the inverse of square matrices."""
    def is_coalesced(self) -> _bool:
        """Returns whether the coordinates are sorted and unique."""
    def is_conj(self) -> _bool:
        """Whether the conjugate of these elements is promised and not yet computed."""
    def is_contiguous(self, *, memory_format: _memory_format = ...) -> _bool:
        """Returns whether the elements are dense in the order of a memory format."""
    def is_neg(self) -> _bool:
        """Whether a minus before these elements is promised and not yet computed."""
    def is_nonzero(self) -> _bool:
        """Returns whether the only element is not zero."""
    def isclose(
        self, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False
    ) -> Tensor:
        """Tests whether elements are close: |input - other| <= atol + rtol * |other|."""
    def isfinite(self) -> Tensor:
        """Tests whether each element is finite."""
    def isinf(self) -> Tensor:
        """Tests each element for positive or negative infinity."""
    def isnan(self) -> Tensor:
        """Tests each element for NaN."""
    def isneginf(self) -> Tensor:
        """Tests each element for negative infinity."""
    def isposinf(self) -> Tensor:
        """Tests each element for positive infinity."""
    def isreal(self) -> Tensor:
        """Tests whether each element is real, or has an imaginary part of 0."""
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
        """Computes the inverse of stft."""
    def item(self) -> Any:
        """The one element as a Python number."""
    def kron(self, other: Tensor) -> Tensor:
        """Computes the Kronecker product of two tensors."""
    def kthvalue(self, k: _int, dim: _int = -1, keepdim: _bool = False) -> kthvalue_result:
        """Returns the k-th smallest element along a dimension, and its index."""
    def lcm(self, other: Tensor) -> Tensor:
        """Computes the least common multiple of two tensors, element by element."""
    def lcm_(self, other: Tensor) -> Tensor:
        """In-place form of `lcm`. Computes the least common multiple of two tensors, element by element."""
    def ldexp(self, other: Tensor) -> Tensor:
        """Multiplies `input` by 2 to the power of `other`."""
    def ldexp_(self, other: Tensor) -> Tensor:
        """In-place form of `ldexp`. Multiplies `input` by 2 to the power of `other`."""
    def le(self, other: Tensor | _Number) -> Tensor:
        """Computes input <= other, element by element."""
    less_equal = le
    def lerp(self, end: Tensor, weight: Tensor | _Number) -> Tensor:
        """Interpolates linearly between two tensors: input + weight * (end - input)."""
    def lerp_(self, end: Tensor, weight: Tensor | _Number) -> Tensor:
        """In-place form of `lerp`. Interpolates linearly between two tensors: input + weight * (end -
        input).
        """
    def less_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `lt`. Computes input < other, element by element."""
    lt_ = less_
    def less_equal_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `le`. Computes input <= other, element by element."""
    le_ = less_equal_
    def lgamma(self) -> Tensor:
        """Computes the natural logarithm of the absolute value of the gamma function."""
    def lgamma_(self) -> Tensor:
        """In-place form of `lgamma`. Computes the natural logarithm of the absolute value of the gamma
        function.
        """
    def log(self) -> Tensor:
        """Computes the natural logarithm of each element."""
    def log10(self) -> Tensor:
        """Computes the logarithm to base 10 of each element."""
    def log10_(self) -> Tensor:
        """In-place form of `log10`. Computes the logarithm to base 10 of each element."""
    def log1p(self) -> Tensor:
        """Computes log(1 + x), accurately for small x."""
    def log1p_(self) -> Tensor:
        """In-place form of `log1p`. Computes log(1 + x), accurately for small x."""
    def log2(self) -> Tensor:
        """Computes the logarithm to base 2 of each element."""
    def log2_(self) -> Tensor:
        """In-place form of `log2`. Computes the logarithm to base 2 of each element."""
    def log_(self) -> Tensor:
        """In-place form of `log`. Computes the natural logarithm of each element."""
    def log_normal_(
        self, mean: _float = 1, std: _float = 2, *, generator: _Generator | None = None
    ) -> Tensor:
        """Fills the tensor with numbers drawn from a log-normal distribution."""
    def log_softmax(self, dim: _int, dtype: _dtype | None = None) -> Tensor:
        """Computes the logarithm of softmax along a dimension, without overflow."""
    def logaddexp(self, other: Tensor) -> Tensor:
        """Computes log(exp(x) + exp(y)) without overflow."""
    def logaddexp2(self, other: Tensor) -> Tensor:
        """Computes log2(2**x + 2**y) without overflow."""
    def logcumsumexp(self, dim: _int) -> Tensor:
        """Returns the logarithm of the cumulative sum of exponentials along a dimension."""
    def logdet(self) -> Tensor:
        """Computes the logarithm of the determinant; NaN where it is negative."""
    def logical_and(self, other: Tensor) -> Tensor:
        """Computes the logical AND of two tensors; nonzero counts as true."""
    def logical_and_(self, other: Tensor) -> Tensor:
        """In-place form of `logical_and`. Computes the logical AND of two tensors; nonzero counts as true."""
    def logical_not(self) -> Tensor:
        """Computes the logical NOT of each element; nonzero counts as true."""
    def logical_not_(self) -> Tensor:
        """In-place form of `logical_not`. Computes the logical NOT of each element; nonzero counts as
        true.
        """
    def logical_or(self, other: Tensor) -> Tensor:
        """Computes the logical OR of two tensors; nonzero counts as true."""
    def logical_or_(self, other: Tensor) -> Tensor:
        """In-place form of `logical_or`. Computes the logical OR of two tensors; nonzero counts as true."""
    def logical_xor(self, other: Tensor) -> Tensor:
        """Computes the logical XOR of two tensors; nonzero counts as true."""
    def logical_xor_(self, other: Tensor) -> Tensor:
        """In-place form of `logical_xor`. Computes the logical XOR of two tensors; nonzero counts as true."""
    def logit(self, eps: _float | None = None) -> Tensor:
        """Computes the logit, log(x / (1 - x)), of each element."""
    def logit_(self, eps: _float | None = None) -> Tensor:
        """In-place form of `logit`. Computes the logit, log(x / (1 - x)), of each element."""
    def logsumexp(self, dim: _int | Sequence[_int], keepdim: _bool = False) -> Tensor:
        """Returns the logarithm of the sum of exponentials, without overflow."""
    def long(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.int64; returns itself if it already has that dtype."""
    def lstsq(self, A: Tensor) -> Any:
        """Removed in favour of `torch.linalg.lstsq`."""
    def lt(self, other: Tensor | _Number) -> Tensor:
        """Computes input < other, element by element."""
    less = lt
    def lu(self, pivot: _bool = True, get_infos: _bool = False) -> tuple[Tensor, ...]:
        """Computes the LU decomposition A = P L U in packed form, with its pivots."""
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """Solves the linear system A X = b from the packed LU decomposition of A."""
    @property
    def mH(self) -> Tensor:
        """The conjugate transpose of a batch of matrices. A view."""
    @property
    def mT(self) -> Tensor:
        """Swaps the last two dimensions. A view."""
    def map_(self, other: Tensor, callable: Callable[..., Any]) -> Tensor:
        """Replaces each element by the result of a Python function of it and the element of another
        tensor.
        """
    def masked_fill(self, mask: Tensor, value: Tensor | _Number) -> Tensor:
        """Returns a copy filled with one number where a mask is true."""
    def masked_fill_(self, mask: Tensor, value: Tensor | _Number) -> Tensor:
        """In-place form of `masked_fill`. Returns a copy filled with one number where a mask is true."""
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """Returns a copy with the elements of another tensor written, in order, where a mask is true."""
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor:
        """In-place form of `masked_scatter`. Returns a copy with the elements of another tensor written,
        in order, where a mask is true.
        """
    def masked_select(self, mask: Tensor) -> Tensor:
        """Returns the elements where a mask is true, as a vector."""
    def matmul(self, other: Tensor) -> Tensor:
        """Computes the product of vectors, matrices or batches of matrices."""
    def matrix_exp(self) -> Tensor:
        """Computes the matrix exponential of square matrices."""
    def matrix_power(self, n: _int) -> Tensor:
        """Computes the n-th power of square matrices."""
    @overload
    def max(self) -> Tensor:
        """Returns the largest element; with a dimension also its index; of two tensors, the element-wise
        maximum.
        """
    @overload
    def max(self, other: Tensor) -> Tensor: ...
    @overload
    def max(self, dim: _int, keepdim: _bool = False) -> max_result: ...
    def maximum(self, other: Tensor) -> Tensor:
        """Computes the larger of two elements; NaN if either is NaN."""
    @overload
    def mean(self, *, dtype: _dtype | None = None) -> Tensor:
        """Returns the mean of all elements, or along the given dimensions."""
    @overload
    def mean(
        self, dim: _int | Sequence[_int] | None, keepdim: _bool = False, *, dtype: _dtype | None = None
    ) -> Tensor: ...
    @overload
    def median(self) -> Tensor:
        """Returns the median, the lower one of two; with a dimension also its index."""
    @overload
    def median(self, dim: _int, keepdim: _bool = False) -> median_result: ...
    @overload
    def min(self) -> Tensor:
        """Returns the smallest element; with a dimension also its index; of two tensors, the element-wise
        minimum.
        """
    @overload
    def min(self, other: Tensor) -> Tensor: ...
    @overload
    def min(self, dim: _int, keepdim: _bool = False) -> min_result: ...
    def minimum(self, other: Tensor) -> Tensor:
        """Computes the smaller of two elements; NaN if either is NaN."""
    def mm(self, mat2: Tensor) -> Tensor:
        """Computes the product of two matrices."""
    def mode(self, dim: _int = -1, keepdim: _bool = False) -> mode_result:
        """Returns the most frequent element along a dimension, the smallest if there are several, and its
        index.
        """
    def module_load(self, other: Any, assign: _bool = False) -> Any:
        """Copies `other` into this parameter or buffer, or with `assign` takes it instead; returns the
        result, detached.
        """
    def movedim(self, source: _int | Sequence[_int], destination: _int | Sequence[_int]) -> Tensor:
        """Moves dimensions to new positions; the others keep their order. A view."""
    moveaxis = movedim
    def msort(self) -> Tensor:
        """Sorts the elements along the first dimension."""
    def mul(self, other: Tensor | _Number) -> Tensor:
        """Multiplies two tensors element by element."""
    multiply = mul
    def multinomial(
        self, num_samples: _int, replacement: _bool = False, *, generator: _Generator | None = None
    ) -> Tensor:
        """Draws indices with probabilities proportional to weights, with or without replacement."""
    def multiply_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `mul`. Multiplies two tensors element by element."""
    mul_ = multiply_
    def mv(self, vec: Tensor) -> Tensor:
        """Computes the product of a matrix and a vector."""
    def mvlgamma(self, p: _int) -> Tensor:
        """Computes the logarithm of the multivariate gamma function of dimension p."""
    def mvlgamma_(self, p: _int) -> Tensor:
        """In-place form of `mvlgamma`. Computes the logarithm of the multivariate gamma function of
        dimension p.
        """
    @property
    def names(self) -> tuple[str | None, ...]:
        """The name of each dimension, None where it has none."""
    @names.setter
    def names(self, value: tuple[str | None, ...]) -> None: ...
    def nan_to_num(
        self, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None
    ) -> Tensor:
        """Replaces NaN by 0 and infinities by the largest and smallest finite numbers, or by given
        numbers.
        """
    def nan_to_num_(
        self, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None
    ) -> Tensor:
        """In-place form of `nan_to_num`. Replaces NaN by 0 and infinities by the largest and smallest
        finite numbers, or by given numbers.
        """
    def nanmean(
        self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None
    ) -> Tensor:
        """Returns the mean of the elements that are not NaN."""
    @overload
    def nanmedian(self) -> Tensor:
        """Returns the median of the elements that are not NaN; with a dimension also its index."""
    @overload
    def nanmedian(self, dim: _int, keepdim: _bool = False) -> nanmedian_result: ...
    def nanquantile(
        self,
        q: _float | Tensor,
        dim: _int | None = None,
        keepdim: _bool = False,
        *,
        interpolation: str = 'linear',
    ) -> Tensor:
        """Computes the q-th quantiles of the elements that are not NaN."""
    def nansum(
        self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False, *, dtype: _dtype | None = None
    ) -> Tensor:
        """Returns the sum of the elements that are not NaN."""
    def narrow(self, dim: _int, start: _int | Tensor, length: _int) -> Tensor:
        """Returns `length` slices along one dimension, from `start`. A view."""
    def narrow_copy(self, dim: _int, start: _int, length: _int) -> Tensor:
        """Performs the same operation as `narrow`, but copies the elements."""
    def ne(self, other: Tensor | _Number) -> Tensor:
        """Computes input != other, element by element."""
    not_equal = ne
    def neg(self) -> Tensor:
        """Negates each element."""
    negative = neg
    def negative_(self) -> Tensor:
        """In-place form of `neg`. Negates each element."""
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
        """Returns an uninitialized tensor with the given size and the dtype and device of this tensor."""
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
        """Returns an uninitialized tensor with the given size and strides and the dtype and device of this
        tensor.
        """
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
        """Returns a tensor of the given size filled with one number, with the dtype and device of this
        tensor.
        """
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
        """Returns a tensor of ones with the given size and the dtype and device of this tensor."""
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
        """Makes a tensor by copying data, with the dtype and device of this tensor."""
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
        """Returns a tensor of zeros with the given size and the dtype and device of this tensor."""
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
        """Returns the next representable number after `input` in the direction of `other`."""
    def nextafter_(self, other: Tensor) -> Tensor:
        """In-place form of `nextafter`. Returns the next representable number after `input` in the
        direction of `other`.
        """
    @overload
    def nonzero(self) -> Tensor:
        """Returns the indices of all nonzero elements: one per row, or a tensor per dimension."""
    @overload
    def nonzero(self, *, as_tuple: _bool) -> Tensor: ...
    def nonzero_static(self, *, size: _int, fill_value: _int = -1) -> Tensor:
        """Returns the indices of the first `size` nonzero elements; missing rows are filled with
        fill_value.
        """
    def norm(
        self,
        p: _float | str | None = 'fro',
        dim: _int | Sequence[_int] | None = None,
        keepdim: _bool = False,
        dtype: _dtype | None = None,
    ) -> Tensor:
        """Computes a vector or matrix norm."""
    def normal_(self, mean: _float = 0, std: _float = 1, *, generator: _Generator | None = None) -> Tensor:
        """Fills the tensor with numbers drawn from a normal distribution."""
    def not_equal_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `ne`. Computes input != other, element by element."""
    ne_ = not_equal_
    def numpy(self, *args: Any, **kwargs: Any) -> ndarray:
        """The tensor's memory as a NumPy array; with ``force=True`` a copy, where the memory cannot be
        shared.
        """
    def orgqr(self, tau: Tensor) -> Tensor:
        """Computes the product of Householder reflectors."""
    def ormqr(self, input2: Tensor, input3: Tensor, left: _bool = True, transpose: _bool = False) -> Tensor:
        """Multiplies a matrix by the product of Householder reflectors."""
    def outer(self, vec2: Tensor) -> Tensor:
        """Computes the outer product of two vectors."""
    ger = outer
    @overload
    def permute(self, *dims: _int) -> Tensor:
        """Reorders all dimensions. A view."""
    @overload
    def permute(self, dims: Sequence[_int]) -> Tensor: ...
    def pinverse(self, rcond: _float = 1e-15) -> Tensor:
        """Computes the pseudoinverse of matrices."""
    def polygamma(self, n: _int) -> Tensor:
        """Computes the n-th derivative of the digamma function."""
    def polygamma_(self, n: _int) -> Tensor:
        """In-place form of `polygamma`. Computes the n-th derivative of the digamma function."""
    def positive(self) -> Tensor:
        """Returns the tensor itself (+x)."""
    def pow(self, exponent: Tensor | _Number) -> Tensor:
        """Raises each element to a power."""
    def pow_(self, exponent: Tensor | _Number) -> Tensor:
        """In-place form of `pow`. Raises each element to a power."""
    def prelu(self, weight: Tensor) -> Tensor:
        """Multiplies negative elements by a weight, one for all or one for each channel."""
    @overload
    def prod(self, *, dtype: _dtype | None = None) -> Tensor:
        """Returns the product of all elements, or along the given dimension."""
    @overload
    def prod(self, dim: _int, keepdim: _bool = False, *, dtype: _dtype | None = None) -> Tensor: ...
    def put(self, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
        """Returns a copy with elements written at flat indices into the tensor."""
    def put_(self, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
        """In-place form of `put`. Returns a copy with elements written at flat indices into the tensor."""
    def q_per_channel_axis(self) -> _int:
        """Returns the dimension of the channels."""
    def q_per_channel_scales(self) -> Tensor:
        """Returns the scale of each channel."""
    def q_per_channel_zero_points(self) -> Tensor:
        """Returns the zero point of each channel."""
    def q_scale(self) -> _float:
        """Returns the scale of a quantized tensor."""
    def q_zero_point(self) -> _int:
        """Returns the zero point of a quantized tensor."""
    def qr(self, some: _bool = True) -> qr_result:
        """Computes the QR decomposition A = Q R of matrices."""
    def qscheme(self) -> _qscheme:
        """Returns the quantization scheme: per tensor or per channel."""
    def quantile(
        self,
        q: _float | Tensor,
        dim: _int | None = None,
        keepdim: _bool = False,
        *,
        interpolation: str = 'linear',
    ) -> Tensor:
        """Computes the q-th quantiles of all elements, or along a dimension."""
    def rad2deg(self) -> Tensor:
        """Converts each element from radians to degrees."""
    def rad2deg_(self) -> Tensor:
        """In-place form of `rad2deg`. Converts each element from radians to degrees."""
    @overload
    def random_(self, *, generator: _Generator | None = None) -> Tensor:
        """Fills the tensor with random integers."""
    @overload
    def random_(self, from_: _int, to: _int | None, *, generator: _Generator | None = None) -> Tensor: ...
    @overload
    def random_(self, to: _int, *, generator: _Generator | None = None) -> Tensor: ...
    def ravel(self) -> Tensor:
        """Flattens the tensor into one dimension: a view where the tensor is contiguous, else a copy."""
    @property
    def real(self) -> Tensor:
        """Returns the real parts: a view of a complex tensor; real tensors are returned as they are."""
    @real.setter
    def real(self, value: Tensor) -> None: ...
    def reciprocal(self) -> Tensor:
        """Computes the reciprocal (1 / x) of each element."""
    def reciprocal_(self) -> Tensor:
        """In-place form of `reciprocal`. Computes the reciprocal (1 / x) of each element."""
    @overload
    def refine_names(self, *names: str | EllipsisType | None) -> Tensor:
        """Names dimensions that have no name; `...` leaves the rest as they are. A view."""
    @overload
    def refine_names(self, names: Sequence[str | EllipsisType | None]) -> Tensor: ...
    def relu(self) -> Tensor:
        """Sets negative elements to 0; NaN is kept."""
    def relu_(self) -> Tensor:
        """In-place form of `relu`. Sets negative elements to 0; NaN is kept."""
    def remainder(self, other: Tensor | _Number) -> Tensor:
        """Computes the remainder of division, with the sign of the divisor, as Python's %."""
    def remainder_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `remainder`. Computes the remainder of division, with the sign of the divisor,
        as Python's %.
        """
    @overload
    def rename(self, *names: str | EllipsisType | None) -> Tensor:
        """Renames dimensions by position or by keyword; rename(None) removes all names. A view."""
    @overload
    def rename(self, names: Sequence[str | EllipsisType | None]) -> Tensor: ...
    @overload
    def rename_(self, *names: str | EllipsisType | None) -> Tensor:
        """Renames dimensions in place by position or by keyword; rename_(None) removes all names."""
    @overload
    def rename_(self, names: Sequence[str | EllipsisType | None]) -> Tensor: ...
    def renorm(self, p: _Number, dim: _int, maxnorm: _Number) -> Tensor:
        """Scales each slice along a dimension so that its norm is at most maxnorm."""
    def renorm_(self, p: _Number, dim: _int, maxnorm: _Number) -> Tensor:
        """In-place form of `renorm`. Scales each slice along a dimension so that its norm is at most
        maxnorm.
        """
    @overload
    def repeat(self, *repeats: _int) -> Tensor:
        """Repeats the tensor along each dimension. A copy."""
    @overload
    def repeat(self, repeats: Sequence[_int]) -> Tensor: ...
    def repeat_interleave(
        self, repeats: _int | Tensor, dim: _int | None = None, *, output_size: _int | None = None
    ) -> Tensor:
        """Repeats each element, or each slice along a dimension."""
    @overload
    def reshape(self, *shape: _int) -> Tensor:
        """Returns the same elements with another shape: a view where the strides allow it, else a copy."""
    @overload
    def reshape(self, shape: Sequence[_int]) -> Tensor: ...
    def reshape_as(self, other: Tensor) -> Tensor:
        """Returns the same elements with the size of another tensor: a view where the strides allow it,
        else a copy.
        """
    @overload
    def resize_(self, *size: _int, memory_format: _memory_format | None = None) -> Tensor:
        """Changes the size in place; the storage grows if necessary."""
    @overload
    def resize_(self, size: Sequence[_int], *, memory_format: _memory_format | None = None) -> Tensor: ...
    def resize_as_(self, the_template: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
        """Changes the size in place to that of another tensor."""
    def resize_as_sparse_(self, the_template: Tensor) -> Tensor:
        """Changes the size and dimensions in place to those of another sparse tensor."""
    def resolve_conj(self) -> Tensor:
        """Computes a conjugation that was deferred."""
    def resolve_neg(self) -> Tensor:
        """Computes a negation that was deferred."""
    def roll(self, shifts: _int | Sequence[_int], dims: _int | Sequence[_int] | None = None) -> Tensor:
        """Shifts elements along dimensions; elements beyond the end come back at the start."""
    def rot90(self, k: _int = 1, dims: Sequence[_int] = (0, 1)) -> Tensor:
        """Rotates the plane of two dimensions by multiples of 90 degrees. A copy."""
    @overload
    def round(self) -> Tensor:
        """Rounds each element to the nearest integer, ties to even; or to `decimals` places."""
    @overload
    def round(self, *, decimals: _int) -> Tensor: ...
    @overload
    def round_(self) -> Tensor:
        """In-place form of `round`. Rounds each element to the nearest integer, ties to even; or to
        `decimals` places.
        """
    @overload
    def round_(self, *, decimals: _int) -> Tensor: ...
    def row_indices(self) -> Tensor:
        """Returns the row index of each stored element."""
    def rsqrt(self) -> Tensor:
        """Computes the reciprocal of the square root of each element."""
    def rsqrt_(self) -> Tensor:
        """In-place form of `rsqrt`. Computes the reciprocal of the square root of each element."""
    @overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """Returns a copy with elements written at indices along one dimension; the last write to an index
        wins.
        """
    @overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor, *, reduce: str) -> Tensor: ...
    @overload
    def scatter(self, dim: _int, index: Tensor, value: _Number) -> Tensor: ...
    @overload
    def scatter(self, dim: _int, index: Tensor, value: _Number, *, reduce: str) -> Tensor: ...
    @overload
    def scatter_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """In-place form of `scatter`. Returns a copy with elements written at indices along one dimension;
        the last write to an index wins.
        """
    @overload
    def scatter_(self, dim: _int, index: Tensor, src: Tensor, *, reduce: str) -> Tensor: ...
    @overload
    def scatter_(self, dim: _int, index: Tensor, value: _Number) -> Tensor: ...
    @overload
    def scatter_(self, dim: _int, index: Tensor, value: _Number, *, reduce: str) -> Tensor: ...
    def scatter_add(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """Returns a copy with elements added at indices along one dimension."""
    def scatter_add_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """In-place form of `scatter_add`. Returns a copy with elements added at indices along one
        dimension.
        """
    def scatter_reduce(
        self, dim: _int, index: Tensor, src: Tensor, reduce: str, *, include_self: _bool = True
    ) -> Tensor:
        """Returns a copy with elements reduced (sum, prod, mean, amax, amin) at indices along one
        dimension.
        """
    def scatter_reduce_(
        self, dim: _int, index: Tensor, src: Tensor, reduce: str, *, include_self: _bool = True
    ) -> Tensor:
        """In-place form of `scatter_reduce`. Returns a copy with elements reduced (sum, prod, mean, amax,
        amin) at indices along one dimension.
        """
    def select(self, dim: _int, index: _int) -> Tensor:
        """Returns one slice along a dimension, without that dimension. A view."""
    def select_scatter(self, src: Tensor, dim: _int, index: _int) -> Tensor:
        """Returns a copy with one slice replaced by another tensor."""
    @overload
    def set_(self) -> Tensor:
        """Replaces the storage, size and strides of the tensor."""
    @overload
    def set_(self, source: TypedStorage | UntypedStorage | Tensor) -> Tensor: ...
    @overload
    def set_(
        self,
        source: TypedStorage | UntypedStorage | Tensor,
        storage_offset: _int,
        size: Sequence[_int],
        stride: Sequence[_int] | None = None,
    ) -> Tensor: ...
    def sgn(self) -> Tensor:
        """Computes the sign of each element; for complex numbers, x / |x|."""
    def sgn_(self) -> Tensor:
        """In-place form of `sgn`. Computes the sign of each element; for complex numbers, x / |x|."""
    def short(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """Converts to torch.int16; returns itself if it already has that dtype."""
    def sigmoid(self) -> Tensor:
        """Computes the logistic sigmoid, 1 / (1 + exp(-x)), of each element."""
    def sigmoid_(self) -> Tensor:
        """In-place form of `sigmoid`. Computes the logistic sigmoid, 1 / (1 + exp(-x)), of each element."""
    def sign(self) -> Tensor:
        """Computes the sign of each element: -1, 0 or 1."""
    def sign_(self) -> Tensor:
        """In-place form of `sign`. Computes the sign of each element: -1, 0 or 1."""
    def signbit(self) -> Tensor:
        """Tests whether the sign bit of each element is set."""
    def sin(self) -> Tensor:
        """Computes the sine of each element."""
    def sin_(self) -> Tensor:
        """In-place form of `sin`. Computes the sine of each element."""
    def sinc(self) -> Tensor:
        """Computes the normalized sinc, sin(pi x) / (pi x), of each element; 1 at 0."""
    def sinc_(self) -> Tensor:
        """In-place form of `sinc`. Computes the normalized sinc, sin(pi x) / (pi x), of each element; 1 at
        0.
        """
    def sinh(self) -> Tensor:
        """Computes the hyperbolic sine of each element."""
    def sinh_(self) -> Tensor:
        """In-place form of `sinh`. Computes the hyperbolic sine of each element."""
    def slice_scatter(
        self, src: Tensor, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1
    ) -> Tensor:
        """Returns a copy with a range of slices replaced by another tensor."""
    def slogdet(self) -> slogdet_result:
        """Computes the sign and the logarithm of the absolute value of the determinant."""
    def smm(self, mat2: Tensor) -> Tensor:
        """Computes the product of a sparse and a dense matrix, as a sparse tensor."""
    def softmax(self, dim: _int, dtype: _dtype | None = None) -> Tensor:
        """Computes softmax along a dimension: exp(x) / sum(exp(x))."""
    def solve(self, A: Tensor) -> Any:
        """Removed in favour of `torch.linalg.solve`."""
    @overload
    def sort(self, *, stable: _bool | None, dim: _int = -1, descending: _bool = False) -> sort_result:
        """Sorts the elements along a dimension; returns them and their indices."""
    @overload
    def sort(self, dim: _int = -1, descending: _bool = False) -> sort_result: ...
    def sparse_dim(self) -> _int:
        """Returns the number of sparse dimensions."""
    def sparse_mask(self, mask: Tensor) -> Tensor:
        """Returns the elements at the coordinates of a sparse tensor."""
    def sparse_resize_(self, size: Sequence[_int], sparse_dim: _int, dense_dim: _int) -> Tensor:
        """Changes the size and the numbers of sparse and dense dimensions in place."""
    def sparse_resize_and_clear_(self, size: Sequence[_int], sparse_dim: _int, dense_dim: _int) -> Tensor:
        """Changes the size in place and removes all stored elements."""
    def split(self, split_size: _int | Sequence[_int] | None, dim: _int = 0) -> tuple[Tensor, ...]:
        """Splits the tensor along one dimension into pieces of one size or of the given sizes. Views."""
    def split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Splits the tensor along one dimension into pieces of the given sizes. Views."""
    def sqrt(self) -> Tensor:
        """Computes the square root of each element."""
    def sqrt_(self) -> Tensor:
        """In-place form of `sqrt`. Computes the square root of each element."""
    def square(self) -> Tensor:
        """Computes the square of each element."""
    def square_(self) -> Tensor:
        """In-place form of `square`. Computes the square of each element."""
    @overload
    def squeeze(self, dim: _int) -> Tensor:
        """Removes all dimensions of size 1, or the given ones. A view."""
    @overload
    def squeeze(self, *dim: _int) -> Tensor: ...
    @overload
    def squeeze(self, dim: Sequence[_int]) -> Tensor: ...
    @overload
    def squeeze_(self, dim: _int) -> Tensor:
        """In-place form of `squeeze`. Removes all dimensions of size 1, or the given ones. A view."""
    @overload
    def squeeze_(self, *dim: _int) -> Tensor: ...
    @overload
    def squeeze_(self, dim: Sequence[_int]) -> Tensor: ...
    def sspaddmm(self, mat1: Tensor, mat2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Adds the product of a sparse and a dense matrix to a sparse matrix."""
    @overload
    def std(
        self, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False
    ) -> Tensor:
        """Returns the standard deviation of all elements, or along the given dimensions."""
    @overload
    def std(
        self,
        dim: _int | Sequence[_int] | None = None,
        *,
        correction: _Number | None = None,
        keepdim: _bool = False,
    ) -> Tensor: ...
    @overload
    def std(self, unbiased: _bool = True) -> Tensor: ...
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
        """Computes the short-time Fourier transform of a signal."""
    def sub(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """Subtracts two tensors element by element; `alpha` multiplies `other`."""
    subtract = sub
    def subtract_(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """In-place form of `sub`. Subtracts two tensors element by element; `alpha` multiplies `other`."""
    sub_ = subtract_
    @overload
    def sum(self, *, dtype: _dtype | None = None) -> Tensor:
        """Returns the sum of all elements, or along the given dimensions."""
    @overload
    def sum(
        self, dim: _int | Sequence[_int] | None, keepdim: _bool = False, *, dtype: _dtype | None = None
    ) -> Tensor: ...
    @overload
    def sum_to_size(self, *size: _int) -> Tensor:
        """Sums over the dimensions in which a tensor of the given size would be expanded."""
    @overload
    def sum_to_size(self, size: Sequence[_int]) -> Tensor: ...
    def svd(self, some: _bool = True, compute_uv: _bool = True) -> svd_result:
        """Computes the singular value decomposition A = U diag(S) Vᴴ; returns U, S and V."""
    def symeig(self, eigenvectors: _bool = False, upper: _bool = True) -> Any:
        """Removed in favour of `torch.linalg.eigh`."""
    def t(self) -> Tensor:
        """Transposes a matrix; tensors with fewer dimensions are returned as they are. A view."""
    def t_(self) -> Tensor:
        """In-place form of `t`. Transposes a matrix; tensors with fewer dimensions are returned as they
        are. A view.
        """
    def take(self, index: Tensor) -> Tensor:
        """Returns the elements at flat indices into the tensor."""
    def take_along_dim(self, indices: Tensor, dim: _int | None = None) -> Tensor:
        """Gathers elements along one dimension, or of the flattened tensor, at broadcast indices."""
    def tan(self) -> Tensor:
        """Computes the tangent of each element."""
    def tan_(self) -> Tensor:
        """In-place form of `tan`. Computes the tangent of each element."""
    def tanh(self) -> Tensor:
        """Computes the hyperbolic tangent of each element."""
    def tanh_(self) -> Tensor:
        """In-place form of `tanh`. Computes the hyperbolic tangent of each element."""
    @overload
    def tensor_split(self, indices: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """Splits the tensor along one dimension at indices, or into a number of nearly equal pieces.
        Views.
        """
    @overload
    def tensor_split(self, tensor_indices_or_sections: Tensor, dim: _int = 0) -> tuple[Tensor, ...]: ...
    @overload
    def tensor_split(self, sections: _int, dim: _int = 0) -> tuple[Tensor, ...]: ...
    @overload
    def tile(self, *dims: _int) -> Tensor:
        """Repeats the tensor along its dimensions; `dims` may name only the last ones. A copy."""
    @overload
    def tile(self, dims: Sequence[_int]) -> Tensor: ...
    @overload
    def to(
        self,
        device: _device | str | None = None,
        dtype: _dtype | None = None,
        non_blocking: _bool = False,
        copy: _bool = False,
        *,
        memory_format: _memory_format | None = None,
    ) -> Tensor:
        """Converts to a dtype or device, or to those of another tensor; returns itself if nothing changes."""
    @overload
    def to(
        self,
        dtype: _dtype,
        non_blocking: _bool = False,
        copy: _bool = False,
        *,
        memory_format: _memory_format | None = None,
    ) -> Tensor: ...
    @overload
    def to(
        self,
        tensor: Tensor,
        non_blocking: _bool = False,
        copy: _bool = False,
        *,
        memory_format: _memory_format | None = None,
    ) -> Tensor: ...
    def to_dense(self, dtype: _dtype | None = None, *, masked_grad: _bool | None = None) -> Tensor:
        """Converts to a dense (strided) tensor."""
    @overload
    def to_sparse(
        self,
        *,
        layout: _layout | None = None,
        blocksize: _int | Sequence[_int] | None = None,
        dense_dim: _int | None = None,
    ) -> Tensor:
        """Converts to a sparse tensor in COO or another sparse layout."""
    @overload
    def to_sparse(self, sparse_dim: _int) -> Tensor: ...
    def to_sparse_bsc(self, blocksize: _int | Sequence[_int], dense_dim: _int | None = None) -> Tensor:
        """Converts to a sparse tensor in block compressed column (BSC) layout."""
    def to_sparse_bsr(self, blocksize: _int | Sequence[_int], dense_dim: _int | None = None) -> Tensor:
        """Converts to a sparse tensor in block compressed row (BSR) layout."""
    def to_sparse_coo(self) -> Tensor:
        """Converts to a sparse tensor in coordinate (COO) layout."""
    def to_sparse_csc(self, dense_dim: _int | None = None) -> Tensor:
        """Converts to a sparse tensor in compressed column (CSC) layout."""
    def to_sparse_csr(self, dense_dim: _int | None = None) -> Tensor:
        """Converts to a sparse tensor in compressed row (CSR) layout."""
    def tolist(self) -> Any:
        """The numbers in nested lists; of a tensor without dimensions, the number."""
    def topk(self, k: _int, dim: _int = -1, largest: _bool = True, sorted: _bool = True) -> topk_result:
        """Returns the k largest or smallest elements along a dimension, and their indices."""
    def trace(self) -> Tensor:
        """Returns the sum of the diagonal of a matrix."""
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """Swaps two dimensions and their strides. A view."""
    swapaxes = transpose
    swapdims = transpose
    def transpose_(self, dim0: _int, dim1: _int) -> Tensor:
        """In-place form of `transpose`. Swaps two dimensions and their strides. A view."""
    swapaxes_ = transpose_
    swapdims_ = transpose_
    def triangular_solve(
        self, A: Tensor, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False
    ) -> triangular_solve_result:
        """Solves the linear system A X = b with a triangular A; returns X and A."""
    def tril(self, diagonal: _int = 0) -> Tensor:
        """Returns the lower triangle of each matrix, with zeros above a diagonal."""
    def tril_(self, diagonal: _int = 0) -> Tensor:
        """In-place form of `tril`. Returns the lower triangle of each matrix, with zeros above a diagonal."""
    def triu(self, diagonal: _int = 0) -> Tensor:
        """Returns the upper triangle of each matrix, with zeros below a diagonal."""
    def triu_(self, diagonal: _int = 0) -> Tensor:
        """In-place form of `triu`. Returns the upper triangle of each matrix, with zeros below a diagonal."""
    def trunc(self) -> Tensor:
        """Rounds each element towards zero to an integer."""
    fix = trunc
    def type(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the legacy type name of the tensor, or converts it to a type given by dtype, name or
        class.
        """
    def type_as(self, other: Tensor) -> Tensor:
        """Converts to the dtype of another tensor."""
    def unbind(self, dim: _int = 0) -> tuple[Tensor, ...]:
        """Returns the slices along one dimension. Views."""
    def unflatten(self, dim: _int, sizes: Sequence[_int]) -> Tensor:
        """Splits one dimension into several. A view."""
    def unfold(self, dimension: _int, size: _int, step: _int) -> Tensor:
        """Returns all windows of `size` elements along a dimension, `step` apart. A view."""
    def uniform_(self, from_: _float = 0, to: _float = 1, *, generator: _Generator | None = None) -> Tensor:
        """Fills the tensor with numbers drawn from a uniform distribution."""
    @overload
    def unique(self, sorted: _bool = True, *, dim: _int | None = None) -> Tensor:
        """Returns the unique elements, or the unique slices along a dimension, in sorted order."""
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
        """Removes all but the first of each run of equal elements, or of equal slices."""
    @overload
    def unique_consecutive(
        self, *, return_inverse: _bool, return_counts: _bool = False, dim: _int | None = None
    ) -> tuple[Tensor, ...]: ...
    @overload
    def unique_consecutive(self, *, return_counts: _bool, dim: _int | None = None) -> tuple[Tensor, ...]: ...
    def unsafe_chunk(self, chunks: _int, dim: _int = 0) -> Tensor:
        """Splits the tensor like `chunk`, but the pieces do not count as views."""
    def unsafe_split(self, split_size: _int, dim: _int = 0) -> Tensor:
        """Splits the tensor like `split`, but the pieces do not count as views."""
    def unsafe_split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> Tensor:
        """Splits the tensor like `split_with_sizes`, but the pieces do not count as views."""
    def unsqueeze(self, dim: _int) -> Tensor:
        """Inserts a dimension of size 1. A view."""
    def unsqueeze_(self, dim: _int) -> Tensor:
        """In-place form of `unsqueeze`. Inserts a dimension of size 1. A view."""
    def values(self) -> Tensor:
        """Returns the stored elements."""
    @overload
    def var(
        self, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False
    ) -> Tensor:
        """Returns the variance of all elements, or along the given dimensions."""
    @overload
    def var(
        self,
        dim: _int | Sequence[_int] | None = None,
        *,
        correction: _Number | None = None,
        keepdim: _bool = False,
    ) -> Tensor: ...
    @overload
    def var(self, unbiased: _bool = True) -> Tensor: ...
    def vdot(self, other: Tensor) -> Tensor:
        """Computes the dot product of two vectors, the first one conjugated."""
    @overload
    def view(self, dtype: _dtype) -> Tensor:
        """Returns the same elements with another shape, or the same bytes as another dtype. A view."""
    @overload
    def view(self, *size: _int) -> Tensor: ...
    @overload
    def view(self, size: Sequence[_int]) -> Tensor: ...
    def view_as(self, other: Tensor) -> Tensor:
        """Returns the same elements with the size of another tensor. A view."""
    @overload
    def vsplit(self, sections: _int) -> tuple[Tensor, ...]:
        """Splits the tensor vertically, into groups of rows. Views."""
    @overload
    def vsplit(self, *indices: _int) -> tuple[Tensor, ...]: ...
    @overload
    def vsplit(self, indices: Sequence[_int]) -> tuple[Tensor, ...]: ...
    def where(self, condition: Tensor, other: Tensor | _Number) -> Tensor:
        """Selects elements of two tensors by a condition; of a condition alone, returns the indices of
        true elements.
        """
    def xlogy(self, other: Tensor | _Number) -> Tensor:
        """Computes x * log(y); 0 where x is 0."""
    def xlogy_(self, other: Tensor | _Number) -> Tensor:
        """In-place form of `xlogy`. Computes x * log(y); 0 where x is 0."""
    def zero_(self) -> Tensor:
        """Fills the tensor with zeros."""
