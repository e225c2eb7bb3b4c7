"""Products of matrices and vectors, done by BLAS through NumPy."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy import matrix_products
from ...backends.numpy.casts import cast
from ...backends.numpy.without_warnings import quietly
from ...declare.rules import Answer, Result, computed_row
from ...errors.reasons import Reason, refuse
from ...memory.places import as_array
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.cpp_names import cpp_name
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import HALVES, dtype
from ...types.promotion import promote_types


def fill_product(target: np.ndarray, a: np.ndarray, b: np.ndarray, d: dtype) -> None:
    """Multiply two compatible arrays; 16-bit floats, and float8, are summed in float32."""
    if not (a.size and b.size):
        target[...] = 0  # a sum of no products is 0 in every dtype
    elif d in HALVES or d in dtypes.FLOAT8:
        a, b = quietly(a.astype, np.float32), quietly(b.astype, np.float32)
        target[...] = cast(as_array(quietly(np.matmul, a, b)), d)
    elif target.size:
        matrix_products.matmul(a, b, target)


product_row = partial(computed_row, kernel=fill_product, family="matmul", category="blas_lapack", out="same")


def _product(a: Tensor, b: Tensor, size: tuple[int, ...], stub: str) -> Answer:
    """The product of two compatible operands, in their dtype; refused where PyTorch's kernel `stub` is missing."""
    d = b._dtype  # the dtype of both, except where a batch is empty: PyTorch takes the second there
    missing = d is dtypes.bool_ or d in dtypes.BAREBONES_UNSIGNED or d in dtypes.FLOAT8 and stub != "addmm_impl_cpu_"
    if missing and (stub == "dot" or a._array.size and b._array.size):
        way = "x.long() @ y.long()" if d is dtypes.bool_ else "x.float() @ y.float()"
        refuse_dtype(stub, d, f"PyTorch has no product of matrices for {d} here", way)
    return Result(size, d), (a._array, b._array, d)


def ways_to_one_dtype(a: Tensor, b: Tensor) -> list[str]:
    """How to give two operands one dtype: that of their sum, or of two fractions either one."""
    both, dtypes_of = promote_types(a._dtype, b._dtype), {"a": a._dtype, "b": b._dtype}
    ways = " and ".join(f"{name}.to({both})" for name, d in dtypes_of.items() if d is not both)
    if not a._dtype.is_floating_point or not b._dtype.is_floating_point:
        return [ways]  # fractions that become whole numbers are lost
    return [ways, *(f"{'ab'['a' == name]}.to({d})" for name, d in dtypes_of.items() if d is not both)]


def refuse_dtypes(message: str, a: Tensor, b: Tensor, *ways: str) -> None:
    refuse(
        RuntimeError,
        message,
        f"a product does not promote: one operand is {a._dtype}, the other {b._dtype}",
        *(ways or ways_to_one_dtype(a, b)),
        rule="matmul.dtype",
        dtypes=(a._dtype, b._dtype),
    )


def refuse_ndim(message: str, words: str, way: str) -> None:
    refuse(RuntimeError, message, words, way, rule="matmul.ndim")


def refuse_size(message: str, columns: int, rows: int, *ways: str, sizes: Any = ()) -> None:
    refuse(
        RuntimeError,
        message,
        f"Dimension -1 of the first has size {columns}, and the dimension of the second that it meets has {rows}; "
        "they must be equal.",
        *ways,
        rule="matmul.size",
        sizes=sizes,
    )


def _matrix_product(a: Tensor, b: Tensor, rows: int, size: tuple[int, ...]) -> Answer:
    """A matrix, or several folded into one with `rows` rows, times a matrix."""
    k, (k2, m) = a._array.shape[-1], b._array.shape
    if k != k2:
        ways = ("a @ b.t()",) if m == k else ("b @ a",) if rows == m else (f"another second factor, with {k} rows",)
        refuse_size(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{k} and {k2}x{m})",
            k,
            k2,
            *ways,
            sizes=(a._array.shape, b._array.shape),
        )
    _check_one_dtype(a, b)
    return _product(a, b, size, "addmm_impl_cpu_")


def _check_one_dtype(a: Tensor, b: Tensor) -> None:
    if a._dtype is not b._dtype:
        one, two = (cpp_name(t._dtype) for t in (a, b))
        refuse_dtypes(f"expected m1 and m2 to have the same dtype, but got: {one} != {two}", a, b)


def _matrix_vector(mat: Tensor, vec: Tensor, rows: int, size: tuple[int, ...]) -> Answer:
    """A matrix, or several folded into one with `rows` rows, times a vector."""
    columns, m = mat._array.shape[-1], vec._array.shape[0]
    _check_vector(mat, vec, rows, columns, m)
    return _product(mat, vec, size, "addmv_impl_cpu")


def _check_vector(mat: Tensor, vec: Tensor, rows: int, columns: int, m: int, first: bool = False) -> None:
    """Refuse a vector that does not fit a matrix of so many rows and columns; for users it may come `first`."""
    if columns != m:
        sizes = mat._array.shape, (m,)
        refuse_size(
            f"size mismatch, got input ({rows}), mat ({rows}x{columns}), vec ({m})",
            *((m, columns) if first else (columns, m)),
            "mat.t() @ vec" if rows == m and not first else f"a vector of {columns} elements",
            sizes=sizes[::-1] if first else sizes,
        )
    if mat._dtype is not vec._dtype:
        one, two = mat._dtype._type_name, vec._dtype._type_name
        refuse_dtypes(f"addmv input tensors must have the same dtype, but got {two}, {one}, and {two}", mat, vec)


@product_row("mm", "Computes the product of two matrices.")
def mm(input: Tensor, mat2: Tensor) -> Answer:
    must_be_tensor("mm", input)
    for t, name in ((input, "self"), (mat2, "mat2")):
        if t._array.ndim != 2:
            refuse_ndim(f"{name} must be a matrix", "mm multiplies one matrix by another", "torch.matmul(a, b)")
    rows = input._array.shape[0]
    return _matrix_product(input, mat2, rows, (rows, mat2._array.shape[1]))


@product_row(
    "mv", "Computes the product of a matrix and a vector.",
    out="addmv input tensors must have the same dtype, but got {Got}, {Wanted}, and {Wanted}",
)  # fmt: skip
def mv(input: Tensor, vec: Tensor) -> Answer:
    if not input._array.ndim:
        # PyTorch asks for the number of rows first.
        refuse(
            IndexError,
            "Dimension specified as 0 but tensor has no dimensions",
            "mv takes a matrix and a vector",
            "torch.matmul(a, b)",
            rule="dim.range",
        )
    if input._array.ndim != 2 or vec._array.ndim != 1:
        refuse_ndim(
            f"vector + matrix @ vector expected, got 1, {input._array.ndim}, {vec._array.ndim}",
            "mv takes a matrix and a vector",
            "torch.matmul(a, b)",
        )
    rows = input._array.shape[0]
    return _matrix_vector(input, vec, rows, (rows,))


@product_row(
    "dot", "Computes the dot product of two vectors.", out="result dtype {Got} does not match input dtype {Wanted}"
)
def dot(input: Tensor, tensor: Tensor) -> Answer:
    a, b = input, tensor
    if a._array.ndim != 1 or b._array.ndim != 1:
        refuse_ndim(
            f"1D tensors expected, but got {a._array.ndim}D and {b._array.ndim}D tensors",
            "dot takes two vectors",
            "torch.matmul(a, b)",
        )
    if a._dtype is not b._dtype:
        names = f"{a._dtype._type_name} and {b._dtype._type_name}"
        refuse_dtypes(f"dot : expected both vectors to have same dtype, but found {names}", a, b)
    if a._array.shape != b._array.shape:
        n, m = a._array.size, b._array.size
        refuse(
            RuntimeError,
            f"inconsistent tensor size, expected tensor [{n}] and src [{m}] to have the same number of elements, but "
            f"got {n} and {m} elements respectively",
            f"each of the {n} elements needs a partner among the {m}",
            rule="matmul.size",
            sizes=((n,), (m,)),
        )
    return _product(a, b, (), "dot")


@product_row("bmm", "Computes the products of two batches of matrices.")
def bmm(input: Tensor, mat2: Tensor) -> Answer:
    for t, name in ((input, "batch1"), (mat2, "batch2")):
        if t._array.ndim != 3:
            refuse_ndim(f"{name} must be a 3D tensor", "bmm takes batches of matrices", "torch.matmul(a, b)")
    (b, n, k), (b2, k2, m) = input._array.shape, mat2._array.shape
    _check_batches(input, mat2, (b, k), (b2, k2))
    return _product(input, mat2, (b, n, m), "bmm")


def _check_batches(a: Tensor, b: Tensor, wanted: tuple[int, int], got: tuple[int, int]) -> None:
    message = f"Expected size for first two dimensions of batch2 tensor to be: {list(wanted)} but got: {list(got)}."
    sizes = (a._array.shape, b._array.shape)
    if wanted[0] != got[0]:
        because = f"the first has {wanted[0]} matrices and the second {got[0]}; each of the first needs a partner"
        ways = (f"a.unsqueeze(1) @ b, all {wanted[0]} times {got[0]} products",) if wanted[1] == got[1] else ()
        refuse(RuntimeError, message, because, *ways, rule="matmul.batch", sizes=sizes)
    if wanted[1] != got[1]:
        turned = ("a @ b.mT", sizes[1][-1] == wanted[1]), ("a.mT @ b", sizes[0][-2:-1] == (got[1],))
        fitting = [way for way, fits in turned if fits and len(sizes[1]) > 1]
        refuse_size(message, wanted[1], got[1], *fitting[:1], sizes=sizes)
    if a._dtype is not b._dtype and a._array.size and b._array.size:
        refuse_dtypes(f"expected scalar type {a._dtype._type_name} but found {b._dtype._type_name}", a, b)


def _of_batches(clash: Reason, one: tuple[int, ...], two: tuple[int, ...]) -> Reason:
    """Why sizes in front of the matrices do not broadcast; what helps there is a dimension in front of the last two."""
    because = (
        f"The matrices are in the last two dimensions. Before them are {list(one)} and {list(two)}, and they clash: "
    )
    each = f"a.unsqueeze(1), which multiplies each of the {one[0]} matrices by each of the {two[0]}"
    ways = (each,) if len(one) == len(two) == 1 else ()
    return replace(clash, because=because + clash.because[0].lower() + clash.because[1:], instead=ways)


@product_row("matmul", "Computes the product of vectors, matrices or batches of matrices.")
def matmul(input: Tensor, other: Tensor) -> Answer:
    must_be_tensor("matmul", input)
    must_be_tensor("matmul", other, "other", 2)
    p, q = input._array.ndim, other._array.ndim
    if p == 0 or q == 0:
        refuse_ndim(
            f"both arguments to matmul need to be at least 1D, but they are {p}D and {q}D",
            "a number has no row or column",
            "a * b",
        )
    x, y = input._array.shape, other._array.shape
    if p == 1 and q == 1:
        return dot(input, other)
    if p > 2 >= q and _is_folded(input, other):
        first = _matrix_vector if q == 1 else _matrix_product
        return first(input, other, prod(x[:-1]), (*x[:-1], *y[1:]))
    if q > 2 >= p and _is_folded(other, input, transposed=True):
        return _folded_second(input, other)
    if p <= 2 and q == 1:
        return _matrix_vector(input, other, prod(x[:-1]), x[:-1])
    if p <= 2 and q == 2:
        return _matrix_product(input, other, prod(x[:-1]), (*x[:-1], y[-1]))
    return _batched(input, other)


def _is_folded(many: Tensor, one: Tensor, transposed: bool = False) -> bool:
    """Whether a batch times one matrix or vector is one product of matrices for PyTorch: it decides about the words.

    The rows of the whole batch make one matrix if they are evenly apart, or where the other factor needs a gradient,
    which is then a single product as well. The second factor's columns play the part of rows, `transposed`.
    """
    if one.requires_grad:
        return True
    if transposed and one._array.ndim == 2:
        return False
    size, strides = many._array.shape, many._array.strides
    if not many._array.size:
        return True
    if transposed:
        size, strides = (*size[:-2], size[-1], size[-2]), (*strides[:-2], strides[-1], strides[-2])
    return all([strides[i] == strides[i + 1] * size[i + 1] for i in range(len(size) - 2)])


def _folded_second(a: Tensor, b: Tensor) -> Answer:
    """A vector or a matrix times a batch whose columns are folded into the rows of one matrix, which comes first."""
    x, y = a._array.shape, b._array.shape
    rows, columns = prod(y[:-2]) * y[-1], y[-2]
    if a._array.ndim == 1:
        _check_vector(b, a, rows, columns, x[0], first=True)
        return _product(a, b, (*y[:-2], y[-1]), "addmv_impl_cpu")
    if columns != x[1]:
        message = f"mat1 and mat2 shapes cannot be multiplied ({rows}x{columns} and {x[1]}x{x[0]})"
        refuse_size(message, x[1], columns, f"another second factor, with {x[1]} rows in each matrix", sizes=(x, y))
    _check_one_dtype(b, a)
    return _product(a, b, (*y[:-2], x[0], y[-1]), "addmm_impl_cpu_")


def _batched(a: Tensor, b: Tensor) -> Answer:
    rows, columns = a._array.shape, b._array.shape
    rows = rows if len(rows) > 1 else (1, *rows)
    columns = columns if len(columns) > 1 else (*columns, 1)
    batch = geometry.broadcast(rows[:-2], columns[:-2])
    if isinstance(batch, Reason):
        _of_batches(batch, rows[:-2], columns[:-2]).refuse()
    count = prod(batch)
    _check_batches(a, b, (count, rows[-1]), (count, columns[-2]))
    size = (*batch, *rows[-2:-1][: a._array.ndim - 1], *columns[-1:][: b._array.ndim - 1])
    return _product(a, b, size, "bmm")
