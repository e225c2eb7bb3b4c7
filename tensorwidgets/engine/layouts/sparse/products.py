"""Products with sparse matrices: SciPy computes them; sizes, dtypes and errors follow PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...declare.by_parts import Made, computes
from ...declare.by_signature import no_kernel as no_dtype
from ...dispatch.kinds import KINDS
from ...dispatch.registry import OPS, find
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ...types import formats
from .accessors import no_backend
from .compressed_refusals import refuse_size
from .parts.coalescing import coalesce, narrowed
from .parts.same_indices import into
from .parts.scipy_arrays import rows_of, times_dense, times_sparse
from .parts.tensors import (
    COMPRESSED,
    COO,
    compressed,
    compressed_kernel,
    coo,
    coo_kernel,
    fresh,
    int64,
    is_compressed,
    is_coo,
    is_sparse,
    layout_name,
)

if TYPE_CHECKING:
    from ...types.dtypes import dtype

_t = OPS["t"].function


def _same_dtype(a: Tensor, b: Tensor) -> None:
    if a._dtype is not b._dtype:
        refuse(
            RuntimeError,
            f"expected scalar type {a._dtype._type_name} but found {b._dtype._type_name}",
            "products do not promote dtypes",
            f"y.to({a._dtype})",
            rule="product.dtype",
        )


def _shapes(a: Tensor, b: Tensor) -> None:
    (m, k), (k2, n) = a._array.shape, b._array.shape
    if k != k2:
        refuse(
            RuntimeError,
            f"mat1 and mat2 shapes cannot be multiplied ({m}x{k} and {k2}x{n})",
            f"the rows of the first have {k} elements, the columns of the second {k2}",
            rule="product.size",
        )


def _multiply(a: Tensor, b: Tensor) -> Tensor:
    """The dense product of a sparse and a dense matrix, in either order."""
    if is_sparse(a):
        return fresh(times_dense(a, b._array), a._dtype)
    # a b is the transpose of b^T a^T, and transposing is free.
    turned = times_dense(_t(b), a._array.T).T
    return fresh(turned if is_coo(b) else np.ascontiguousarray(turned), a._dtype)


def _check_coo(a: Tensor, b: Tensor, name: str = "addmm", dtypes: bool = True) -> None:
    if a._array.sparse_dim != 2 or a._array.dense_dim:
        if a._array.ndim == 2:
            refuse(
                RuntimeError,
                f"{name}: matrices expected, got {a._array.sparse_dim}D tensor",
                "its rows or columns are dense",
                "x.to_dense()",
                rule="product.dims",
            )
    if a._array.shape[1] != b._array.shape[0]:
        refuse(
            RuntimeError,
            f"{name}: Argument #3 (dense): Expected dim 0 size {a._array.shape[1]}, got {b._array.shape[0]}",
            f"the rows of the first have {a._array.shape[1]} elements, the columns of the second {b._array.shape[0]}",
            rule="product.size",
        )
    if not dtypes:
        return
    _same_dtype(a, b)
    if a._dtype._name == "bool":
        no_dtype("addmm_sparse_dense", a._dtype)


_MKL = ("float32", "float64", "complex64", "complex128")


def _need_two_dims(name: str, *operands: Tensor) -> None:
    for position, t in enumerate(operands):
        if t._array.ndim != 2:
            words = "self" if position == 0 else f"mat{position + 1}"
            refuse(
                RuntimeError,
                f"{name}: {words} must be a matrix",
                f"it has {t._array.ndim} dimensions",
                rule="product.dims",
            )


def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A product of two matrices, one of them sparse or both."""
    a, b = must_be_tensor("mm", input), must_be_tensor("mm", mat2, "mat2", 2)
    _need_two_dims("mm", a, b)
    if is_sparse(a) and is_sparse(b):
        return into(out, _sparse_sparse(a, b))
    if not (a if is_sparse(a) else b)._array.nnz:
        return into(out, _nothing(a, b))
    if is_coo(a):
        _check_coo(a, b)
    elif is_coo(b):
        _check_coo(_t(b), _t(a), dtypes=False)
        _same_dtype(b, a)
    else:
        _shapes(a, b)
        _check_compressed_layout(a, b)
        if a._dtype._name not in _MKL and (a if is_sparse(a) else b)._array.nnz:
            no_dtype("addmm_out_sparse_csr_impl_mkl", a._dtype)
        _same_dtype(a, b)
    return into(out, _multiply(a, b))


def _nothing(a: Tensor, b: Tensor) -> Tensor:
    """The product with a matrix without stored elements, whose dtype PyTorch ignores."""
    if is_coo(a):
        _check_coo(a, b, dtypes=False)
    else:
        _shapes(a, b)
    d = b._dtype if is_coo(a) else a._dtype
    return OPS["zeros"].function(a._array.shape[0], b._array.shape[1], dtype=d)


def _check_compressed_layout(a: Tensor, b: Tensor) -> None:
    both = (layout_name(a), layout_name(b))
    if "SparseBsc" in both or both[1] == "SparseBsr":
        _no_addmm("Strided", a, b)


def _no_addmm(result: str, a: Tensor, b: Tensor) -> None:
    refuse(
        RuntimeError,
        f"addmm: computation on CPU is not implemented for {result} + {layout_name(a)} @ {layout_name(b)}",
        "no kernel supports this combination of layouts",
        "y.to_sparse_csr()",
        rule="product.layout",
    )


def _sparse_sparse(a: Tensor, b: Tensor) -> Tensor:
    if is_coo(a) != is_coo(b):
        _shapes(a, b)
        _no_addmm(layout_name(a) if is_coo(a) else "SparseCsr", a, b)
    for t in (a, b):
        if is_coo(t) and t._array.dense_dim:
            refuse(
                RuntimeError,
                f"sparse_sparse_matmul_cpu: scalar values expected, got {t._array.dense_dim}D values",
                "its rows or columns are dense",
                "x.to_dense()",
                rule="product.dims",
            )
    _shapes(a, b)
    if is_coo(a):
        _same_dtype(a, b)
        if a._dtype._name not in ("float16", "bfloat16", *_MKL):
            no_dtype("sparse_matmul", a._dtype)
        a, b = coalesce(a), coalesce(b)
        product = times_sparse(a, b)
        rows = np.repeat(np.arange(product.shape[0]), np.diff(product.indptr))
        indices = np.stack([rows, product.indices.astype(np.int64)])
        values = fresh(product.data.astype(a._dtype._in_numpy, copy=False), a._dtype)
        return coo(int64(indices), values, product.shape, True)
    _same_dtype(a, b)
    if a._dtype._name not in _MKL and a._array.nnz and b._array.nnz:
        no_dtype("addmm_out_sparse_csr_impl_mkl_sparse", a._dtype)
    return _csr_of(times_sparse(a, b), a._dtype)


def _csr_of(product: Any, d: dtype) -> Tensor:
    outer, inner = int64(product.indptr.astype(np.int64)), int64(product.indices.astype(np.int64))
    return compressed(formats.sparse_csr, outer, inner, fresh(np.ascontiguousarray(product.data), d), product.shape)


def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A sparse matrix times a vector."""
    must_be_tensor("mv", input)
    must_be_tensor("mv", vec, "vec", 2)
    if is_coo(vec) and not is_sparse(input) and input.dim() == 2 and vec.dim() == 1:
        return mm(input, vec.unsqueeze(1)).squeeze(1) if out is None else into(out, mv(input, vec))
    if is_sparse(vec):
        no_kernel(find("mv"), COO if is_coo(vec) else COMPRESSED, "as_strided")
    if input._array.ndim != 2 or vec._array.ndim != 1:
        kind = "SparseTensor" if is_coo(input) else "Tensor"
        refuse(
            RuntimeError,
            f"mv: two tensor dim should be 2 and 1, but got {kind} Dim: {input._array.ndim}Tensor "
            f"Dim: {vec._array.ndim}",
            "a matrix has two dimensions, a vector one",
            "x @ y",
            rule="product.dims",
        )
    if is_coo(input) and input._array.sparse_dim != 2:
        message = f"addmm: matrices expected, got {input._array.sparse_dim}D tensor"
        refuse(RuntimeError, message, "rows are kept whole in the values", "x.to_dense()", rule="product.dims")
    m, k = input._array.shape
    n = vec._array.shape[0]
    if k != n:
        words = (
            "mv: expected self.size(-1) == vec.size(-1)"
            if is_coo(input)
            else f"size mismatch, got input ({m}), mat ({m}x{k}), vec ({n})"
        )
        refuse(RuntimeError, words, f"rows have {k} elements, the vector {n}", rule="product.size")
    if is_compressed(input):
        d, e = input._dtype, vec._dtype
        if d is not e:
            words = f"but got {e._type_name}, {d._type_name}, and {e._type_name}"
            refuse(
                RuntimeError,
                f"addmv input tensors must have the same dtype, {words}",
                "products do not promote dtypes",
                rule="product.dtype",
            )
        if d._name not in _MKL and input._array.nnz:
            no_dtype("addmv_out_sparse_csr_impl_mkl", d)
    if not input._array.nnz:
        return into(out, OPS["zeros"].function(m, dtype=vec._dtype))
    _same_dtype(input, vec)
    return into(out, fresh(times_dense(input, vec._array), input._dtype))


def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`@`: by the number of dimensions a product of matrices, or with a vector."""
    must_be_tensor("matmul", input)
    must_be_tensor("matmul", other, "other", 2)
    dims = input._array.ndim, other._array.ndim
    if dims == (2, 2):
        return mm(input, other, out=out)
    if dims == (2, 1):
        return mv(input, other, out=out)
    if dims == (1, 2):
        return mv(_t(other), input, out=out)
    if dims == (1, 1):
        no_kernel(find("dot"), COO)
    if not all(dims):
        message = f"both arguments to matmul need to be at least 1D, but they are {dims[0]}D and {dims[1]}D"
        refuse(RuntimeError, message, "a number has no rows and columns", "x * y", rule="product.dims")
    refuse(
        RuntimeError,
        "expand is unsupported for Sparse tensors"
        if is_coo(input) and dims[1] > 2
        else "reshape is not implemented for sparse tensors",
        "batches of sparse matrices do not broadcast",
        "torch.bmm(x, y)",
        rule="sparse.expand",
    )


def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Tensor | None = None
) -> Tensor:
    """beta * input + alpha * (mat1 @ mat2)."""
    if (isinstance(beta, complex) or isinstance(alpha, complex)) and not input.is_complex():
        kind = "double" if input._dtype._name == "float64" else "float"
        message = f"value cannot be converted to type {kind} without overflow"
        refuse(RuntimeError, message, "the matrix has real numbers, and this number has an imaginary part")
    if not any(is_sparse(t) for t in (input, mat1, mat2)):  # torch.sparse.addmm
        return OPS["addmm"].function(input, mat1, mat2, beta=beta, alpha=alpha)
    if is_coo(mat1) or is_coo(mat2) or is_coo(input):
        if not is_coo(mat1) or is_sparse(mat2):
            if is_sparse(input):
                _strided_result(input)
            refuse(
                RuntimeError,
                "addmm_sparse_dense: expected either 'mat1' to have sparse layout and 'mat2' to "
                "have strided layout, got "
                f"'mat1' with layout {layout_name(mat1)} and 'mat2' with layout {layout_name(mat2)}",
                "the sparse matrix comes first",
                rule="product.layout",
            )
        if is_sparse(input):
            _strided_result(input)
        if not mat2._array.ndim:
            message = "Dimension specified as 1 but tensor has no dimensions"
            refuse(IndexError, message, "the second factor is one number", rule="product.dims")
        checked_dim(1, mat2._array.ndim)
        _check_coo(mat1, mat2, dtypes=bool(mat1._array.nnz))
    if not is_sparse(mat1) and not is_sparse(mat2):
        for number, t in ((1, mat1), (2, mat2)):
            if t._array.ndim != 2:
                message = f"mat{number} must be a matrix, got {t._array.ndim}-D tensor"
                refuse(RuntimeError, message, "matrices have two dimensions", rule="product.dims")
        _shapes(mat1, mat2)
        _no_addmm(layout_name(input), mat1, mat2)
    product = mm(mat1, mat2)
    if is_sparse(mat1) and not mat1._array.nnz and not is_sparse(product):
        product = OPS["to"].function(product, input._dtype)
    if is_sparse(input) and is_sparse(product):
        return into(out, OPS["add"].function(OPS["mul"].function(input, beta), OPS["mul"].function(product, alpha)))
    if mat1._array.nnz if is_sparse(mat1) else True:
        _same_dtype(mat1, input)
    size = product._array.shape
    scaled = OPS["mul"].function(OPS["expand"].function(input, *size), beta) if beta != 0 else None
    result = product if alpha == 1 else OPS["mul"].function(product, alpha)
    return into(out, result if scaled is None else OPS["add"].function(scaled, result))


def _strided_result(input: Tensor) -> None:
    refuse(
        RuntimeError,
        f"addmm_sparse_dense: expected strided result tensor, got tensor with layout {layout_name(input)}",
        "a sparse matrix times a dense one is dense",
        "input.to_dense()",
        rule="product.layout",
    )


def addmm_(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    return into(input, addmm(input, mat1, mat2, beta=beta, alpha=alpha))


def addmv(
    input: Tensor, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1, out: Tensor | None = None
) -> Tensor:
    """beta * input + alpha * (mat @ vec), for compressed matrices."""
    result = OPS["mul"].function(mv(mat, vec), alpha)
    return into(out, result if beta == 0 else OPS["add"].function(OPS["mul"].function(input, beta), result))


def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A batch of sparse matrices times one of dense matrices."""
    if is_sparse(mat2):
        refuse(
            RuntimeError,
            "bmm_sparse: Tensor 'mat2' must be dense",
            "the sparse batch comes first",
            rule="product.layout",
        )
    if input._array.dense_dim:
        refuse(
            RuntimeError,
            f"bmm_sparse: Tensor 'self' must have 0 dense dims, but has {input._array.dense_dim}",
            "a batch of matrices keeps single elements",
            rule="product.dims",
        )
    for name, kind, t in ("self", "sparse dims", input), ("mat2", "dims", mat2):
        if t._array.ndim != 3:
            refuse(
                RuntimeError,
                f"bmm_sparse: Tensor '{name}' must have 3 {kind}, but has {t._array.ndim}",
                "a batch of matrices has three dimensions",
                rule="product.dims",
            )
    for own, other in (0, 0), (2, 1):
        if input._array.shape[own] != mat2._array.shape[other]:
            refuse(
                RuntimeError,
                f"bmm_sparse: 'self.size({own})' and 'mat2.size({other})' must match",
                "the sizes of the batches do not match",
                rule="product.size",
            )
    _same_dtype(input, mat2)
    select = OPS["select"].function
    each = [mm(select(input, 0, i), select(mat2, 0, i)) for i in range(input._array.shape[0])]
    return into(out, OPS["stack"].function(each))


@compressed_kernel("bmm")
def bmm_compressed(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Refused: batches of compressed matrices have no product."""
    if is_compressed(input) and input._array.ndim != 3:
        message = "batch1 must be a 3D tensor"
        refuse(RuntimeError, message, "a batch of matrices has three dimensions", rule="product.dims")
    no_kernel(find("bmm"), COMPRESSED)


for _name, _kernel in (
    ("mm", mm), ("mv", mv), ("matmul", matmul), ("linalg.matmul", matmul), ("addmm", addmm), ("addmm_", addmm_),
):  # fmt: skip
    coo_kernel(_name)(_kernel)
    compressed_kernel(_name)(_kernel)


@coo_kernel("nn.functional.linear")
@compressed_kernel("nn.functional.linear")
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """A linear map whose weight is sparse, or its input."""
    turned, dims = OPS["t"].function(weight), input.dim()
    rows = input if dims < 3 else input.reshape(-1, input.size(-1))
    if bias is not None and (dims == 2 or not is_coo(weight)):
        result: Tensor = OPS["addmm"].function(bias, rows if dims > 1 else rows.unsqueeze(0), turned)
    else:
        result = OPS["matmul"].function(rows, turned)
        result = result if bias is None else OPS["add_"].function(result, bias)
    return result if dims == 2 else result.reshape(*input.shape[:-1], weight.size(0))


@coo_kernel("linalg.matrix_power", "matrix_power")
@compressed_kernel("linalg.matrix_power", "matrix_power")
def matrix_power(A: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """A power of a matrix."""
    if n < 1:
        no_kernel(find("eye" if n == 0 else "linalg.inv"), COO if is_coo(A) else COMPRESSED)
    result = A
    for _ in range(n - 1):
        result = mm(result, A)
    return into(out, result)


for _name in ("svd_lowrank", "pca_lowrank", "lobpcg"):  # made of products with dense matrices
    coo_kernel(_name)(OPS[_name].plain)
compressed_kernel("svd_lowrank")(OPS["svd_lowrank"].plain)
for _name in ("chain_matmul", "linalg.multi_dot"):
    coo_kernel(_name)(OPS[_name].plain)
    compressed_kernel(_name)(OPS[_name].plain)
coo_kernel("bmm")(bmm)
compressed_kernel("addmv")(addmv)


# -- torch.sparse and older names --------------------------------------------------------------------------------


def sparse_mm(sparse: Tensor, dense: Tensor, reduce: str | None = None) -> Tensor:
    """torch.sparse.mm; `reduce` combines the products of a row: sum, mean, amax or amin."""
    if reduce is not None:
        return _reduced(sparse, dense, reduce)
    if sparse._array.ndim == 2 and dense._array.ndim == 1:
        dense.size(1)  # which refuses
    return mm(sparse, dense) if is_sparse(sparse) or is_sparse(dense) else OPS["mm"].function(sparse, dense)


_REDUCTIONS = {
    "sum": np.add, "mean": np.add, "amax": np.maximum, "amin": np.minimum, "max": np.maximum, "min": np.minimum,
}  # fmt: skip
_LISTED = "sum, mean, amax, amin"


def _reduced(sparse: Tensor, dense: Tensor, reduce: str) -> Tensor:
    if layout_name(sparse) != "SparseCsr":
        if is_sparse(sparse):
            if is_compressed(sparse):
                refuse(
                    RuntimeError,
                    f"sparse_mm_reduce: expect self to be SparseCsr, got {layout_name(sparse)}",
                    "rows are reduced one after another",
                    "x.to_sparse_csr()",
                    rule="sparse.layout",
                )
            no_kernel(find("sparse.mm"), COO if is_coo(sparse) else COMPRESSED, "_sparse_mm_reduce_impl")
        no_backend(sparse, "_sparse_mm_reduce_impl")
    if reduce not in (*_REDUCTIONS, "prod"):
        refuse(
            RuntimeError,
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}",
            f"there are {_LISTED}",
            rule="product.reduce",
        )
    if reduce not in _REDUCTIONS:
        refuse(
            RuntimeError,
            f"sparse_mm_reduce: reduce type of {reduce} has not been enabled.",
            f"there are {_LISTED}",
            rule="product.reduce",
        )
    _shapes(sparse, dense)
    _same_dtype(sparse, dense)
    begins, columns, values = rows_of(sparse)
    out = np.zeros((sparse._array.shape[0], dense._array.shape[1]), values.dtype)
    counts = np.diff(begins)
    some = np.flatnonzero(counts)
    if len(some):
        # Empty rows stay zero, and reduceat needs the start of each other row.
        out[some] = _REDUCTIONS[reduce].reduceat(values[:, None] * dense._array[columns], begins[some], axis=0)
    if reduce == "mean":
        out[some] = out[some] / counts[some, None].astype(out.dtype)
    return fresh(out, sparse._dtype)


def whole_rows(mat1: Tensor, mat2: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """The rows in which a COO matrix stores any element, and those rows of the product with a dense one."""
    t = coalesce(mat1)
    rows = np.unique(t._array.indices._array[0])
    return rows, times_dense(t, mat2._array)[rows]


@computes(whole_rows)
def hspmm(mat1: Tensor, mat2: Tensor) -> Made:
    """A product that stores complete rows, where the sparse matrix has any element."""
    if not is_sparse(mat1):
        no_backend(mat1, "hspmm")
    _need_coo_and_matrix("hspmm", "hspmm", mat1, mat2)
    _check_coo(mat1, mat2, "hspmm", dtypes=bool(mat1._array.nnz))
    if is_sparse(mat2):
        _strided_result(mat2)
    size = (mat1._array.shape[0], mat2._array.shape[1])

    def make(both: tuple[np.ndarray, np.ndarray]) -> Tensor:
        return coo(int64(both[0][None]), fresh(both[1], mat1._dtype), size, len(both[0]) < 2)

    return Made(make, (mat1, mat2))


def _need_coo_and_matrix(name: str, aten: str, mat1: Tensor, mat2: Tensor) -> None:
    """Refuse compressed factors, and a second one that is not a matrix."""
    if is_compressed(mat1) or is_compressed(mat2):
        no_kernel(find(name), COMPRESSED, aten)
    for number, t in ((2, mat1), (3, mat2)):
        dims = t._array.ndim
        if dims != 2:
            message = f"{name}: Argument #{number}: matrices expected, got {dims}D tensor"
            refuse(RuntimeError, message, f"it has {dims} dimensions", rule="product.dims")


def need_strided(message: str, factors: dict[int, Tensor]) -> None:
    """Refuse factors, by their numbers in the message, that are sparse."""
    for number, t in factors.items():
        if is_sparse(t):
            why = "the factors that are multiplied are dense"
            told = message.format(number=number, layout=layout_name(t))
            refuse(RuntimeError, told, why, "y.to_dense()", rule="product.layout")


def _check_side_by_side(mat1: Tensor, mat2: Tensor) -> None:
    _check_sparse(mat1)
    if not is_compressed(mat1) and not is_compressed(mat2):
        words = "sspaddmm: expected 'mat{number}' to have strided layout, got 'mat{number}' with layout {layout}"
        need_strided(words, {2: mat2})
    if is_compressed(mat1):
        refuse_size((0,))
    _need_coo_and_matrix("sspaddmm", "sspaddmm.out", mat1, mat2)


def smm(input: Tensor, mat2: Tensor) -> Tensor:
    """A sparse product with an explicit element for every column of each non-empty row."""
    from .parts.empty import of_zeros

    _check_side_by_side(input, mat2)
    size = (input._array.shape[0], mat2._array.shape[1])
    return OPS["sspaddmm"].function(of_zeros(size, 2, input._dtype), input, mat2, beta=0)


def _check_sparse(t: Tensor) -> None:
    if t._keys & KINDS["quantized"].key:
        no_backend(t, "sspaddmm.out")
    if not is_sparse(t):
        message = "tensor.sspaddmm(...) can only be called on sparse tensors"
        refuse(RuntimeError, message, "the first factor has to be sparse", "x.to_sparse()", rule="sparse.wanted")


def side_by_side(
    input: Tensor, mat1: Tensor, mat2: Tensor, beta: int, alpha: float
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """The scaled elements of a sparse matrix, and after them those of a scaled product."""
    own = OPS["mul"].function(input, beta)._array
    rows, product = whole_rows(mat1, mat2)
    n = mat2._array.shape[1]
    values = OPS["mul"].function(fresh(product.reshape(-1), mat1._dtype), alpha)._array
    added = np.stack([np.repeat(rows, n), np.tile(np.arange(n), len(rows))])
    return np.concatenate([own.indices._array, added], 1), np.concatenate([own.values._array, values])


@computes(side_by_side)
def sspaddmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: int = 1, alpha: float = 1, out: Tensor | None = None
) -> Made:
    """beta * input followed by alpha * (mat1 @ mat2), uncoalesced."""
    _check_side_by_side(mat1, mat2)
    _check_coo(mat1, mat2, "sspaddmm")
    for dim, n in enumerate((mat1._array.shape[0], mat2._array.shape[1])):
        if input._array.shape[dim] != n:
            refuse(
                RuntimeError,
                f"sspaddmm: Argument #1: Expected dim {dim} size {n}, got {input._array.shape[dim]}",
                "the product is added to a matrix of its size",
                rule="product.size",
            )

    def make(both: tuple[np.ndarray, np.ndarray]) -> Tensor:
        room = input._array.nnz + mat1._array.nnz * mat2._array.shape[1]
        indices = narrowed(both[0], room)  # as for elements of other columns each
        result = coo(indices, fresh(both[1], input._dtype), input._array.shape, len(both[1]) < 2)
        bump_version(result)
        return result

    return Made(make, (input, mat1, mat2, beta, alpha))
