"""Products with sparse matrices: SciPy computes them; sizes, dtypes and errors follow PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...dispatch.registry import OPS, find
from ...dispatch.stations import no_kernel
from ...errors.reasons import refuse
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import formats
from ...types.dtype_refusals import refuse_dtype
from .parts.coalescing import coalesce
from .parts.same_indices import into
from .parts.scipy_arrays import times_dense, times_sparse
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
from .product_checks import (
    check_compressed_layout,
    check_coo,
    check_inner_sizes,
    check_same_dtype,
    need_two_dims,
    refuse_layouts,
    refuse_sparse_result,
)

if TYPE_CHECKING:
    from ...types.dtypes import dtype

_t = OPS["t"].function


def _multiply(a: Tensor, b: Tensor) -> Tensor:
    """The dense product of a sparse and a dense matrix, in either order."""
    if is_sparse(a):
        return fresh(times_dense(a, b._array), a._dtype)
    # a b is the transpose of b^T a^T, and transposing is free.
    turned = times_dense(_t(b), a._array.T).T
    return fresh(turned if is_coo(b) else np.ascontiguousarray(turned), a._dtype)


_MKL = ("float32", "float64", "complex64", "complex128")


def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A product of two matrices, one of them sparse or both."""
    a, b = must_be_tensor("mm", input), must_be_tensor("mm", mat2, "mat2", 2)
    need_two_dims("mm", a, b)
    if is_sparse(a) and is_sparse(b):
        return into(out, _sparse_sparse(a, b))
    if not (a if is_sparse(a) else b)._array.nnz:
        return into(out, _nothing(a, b))
    if is_coo(a):
        check_coo(a, b)
    elif is_coo(b):
        check_coo(_t(b), _t(a), dtypes=False)
        check_same_dtype(b, a)
    else:
        check_inner_sizes(a, b)
        check_compressed_layout(a, b)
        if a._dtype._name not in _MKL and (a if is_sparse(a) else b)._array.nnz:
            refuse_dtype("addmm_out_sparse_csr_impl_mkl", a._dtype)
        check_same_dtype(a, b)
    return into(out, _multiply(a, b))


def _nothing(a: Tensor, b: Tensor) -> Tensor:
    """The product with a matrix without stored elements, whose dtype PyTorch ignores."""
    if is_coo(a):
        check_coo(a, b, dtypes=False)
    else:
        check_inner_sizes(a, b)
    d = b._dtype if is_coo(a) else a._dtype
    return OPS["zeros"].function(a._array.shape[0], b._array.shape[1], dtype=d)


def _sparse_sparse(a: Tensor, b: Tensor) -> Tensor:
    if is_coo(a) != is_coo(b):
        check_inner_sizes(a, b)
        refuse_layouts(layout_name(a) if is_coo(a) else "SparseCsr", a, b)
    for t in (a, b):
        if is_coo(t) and t._array.dense_dim:
            refuse(
                RuntimeError,
                f"sparse_sparse_matmul_cpu: scalar values expected, got {t._array.dense_dim}D values",
                "its rows or columns are dense",
                "x.to_dense()",
                rule="product.dims",
            )
    check_inner_sizes(a, b)
    if is_coo(a):
        check_same_dtype(a, b)
        if a._dtype._name not in ("float16", "bfloat16", *_MKL):
            refuse_dtype("sparse_matmul", a._dtype)
        a, b = coalesce(a), coalesce(b)
        product = times_sparse(a, b)
        rows = np.repeat(np.arange(product.shape[0]), np.diff(product.indptr))
        indices = np.stack([rows, product.indices.astype(np.int64)])
        values = fresh(product.data.astype(a._dtype._in_numpy, copy=False), a._dtype)
        return coo(int64(indices), values, product.shape, True)
    check_same_dtype(a, b)
    if a._dtype._name not in _MKL and a._array.nnz and b._array.nnz:
        refuse_dtype("addmm_out_sparse_csr_impl_mkl_sparse", a._dtype)
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
    if is_sparse(vec) and not (is_coo(input) and (input._array.ndim != 2 or vec._array.ndim != 1)):
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
            refuse_dtype("addmv_out_sparse_csr_impl_mkl", d)
    if not input._array.nnz:
        return into(out, OPS["zeros"].function(m, dtype=vec._dtype))
    check_same_dtype(input, vec)
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
                refuse_sparse_result(input)
            refuse(
                RuntimeError,
                "addmm_sparse_dense: expected either 'mat1' to have sparse layout and 'mat2' to "
                "have strided layout, got "
                f"'mat1' with layout {layout_name(mat1)} and 'mat2' with layout {layout_name(mat2)}",
                "the sparse matrix comes first",
                rule="product.layout",
            )
        if is_sparse(input):
            refuse_sparse_result(input)
        if not mat2._array.ndim:
            message = "Dimension specified as 1 but tensor has no dimensions"
            refuse(IndexError, message, "the second factor is one number", rule="product.dims")
        checked_dim(1, mat2._array.ndim)
        check_coo(mat1, mat2, dtypes=bool(mat1._array.nnz))
    if not is_sparse(mat1) and not is_sparse(mat2):
        for number, t in ((1, mat1), (2, mat2)):
            if t._array.ndim != 2:
                message = f"mat{number} must be a matrix, got {t._array.ndim}-D tensor"
                refuse(RuntimeError, message, "matrices have two dimensions", rule="product.dims")
        check_inner_sizes(mat1, mat2)
        refuse_layouts(layout_name(input), mat1, mat2)
    product = mm(mat1, mat2)
    if is_sparse(mat1) and not mat1._array.nnz and not is_sparse(product):
        product = OPS["to"].function(product, input._dtype)
    if is_sparse(input) and is_sparse(product):
        return into(out, OPS["add"].function(OPS["mul"].function(input, beta), OPS["mul"].function(product, alpha)))
    if mat1._array.nnz if is_sparse(mat1) else True:
        check_same_dtype(mat1, input)
    size = product._array.shape
    scaled = OPS["mul"].function(OPS["expand"].function(input, *size), beta) if beta != 0 else None
    result = product if alpha == 1 else OPS["mul"].function(product, alpha)
    return into(out, result if scaled is None else OPS["add"].function(scaled, result))


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
    check_same_dtype(input, mat2)
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
