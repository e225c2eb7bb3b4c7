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
        refuse(
            NotImplementedError,
            f"\"{stub}\" not implemented for '{d._type_name}'",
            f"PyTorch has no product of matrices for {d} here",
            "x.long() @ y.long()" if d is dtypes.bool_ else "x.float() @ y.float()",
            rule="matmul.dtype",
            dtype=d,
        )
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
    if a._dtype is not b._dtype:
        one, two = (cpp_name(t._dtype) for t in (a, b))
        refuse_dtypes(f"expected m1 and m2 to have the same dtype, but got: {one} != {two}", a, b)
    return _product(a, b, size, "addmm_impl_cpu_")


def _matrix_vector(mat: Tensor, vec: Tensor, rows: int, size: tuple[int, ...]) -> Answer:
    """A matrix, or several folded into one with `rows` rows, times a vector."""
    columns, m = mat._array.shape[-1], vec._array.shape[0]
    if columns != m:
        refuse_size(
            f"size mismatch, got input ({rows}), mat ({rows}x{columns}), vec ({m})",
            columns,
            m,
            "mat.t() @ vec" if rows == m else f"a vector of {columns} elements",
            sizes=(mat._array.shape, (m,)),
        )
    if mat._dtype is not vec._dtype:
        one, two = mat._dtype._type_name, vec._dtype._type_name
        refuse_dtypes(f"addmv input tensors must have the same dtype, but got {two}, {one}, and {two}", mat, vec)
    return _product(mat, vec, size, "addmv_impl_cpu")


@product_row("mm", "Computes the product of two matrices.")
def mm(input: Tensor, mat2: Tensor) -> Answer:
    must_be_tensor("mm", input)
    for t, name in ((input, "self"), (mat2, "mat2")):
        if t._array.ndim != 2:
            refuse_ndim(f"{name} must be a matrix", "mm multiplies one matrix by another", "torch.matmul(a, b)")
    rows = input._array.shape[0]
    return _matrix_product(input, mat2, rows, (rows, mat2._array.shape[1]))


@product_row("mv", "Computes the product of a matrix and a vector.")
def mv(input: Tensor, vec: Tensor) -> Answer:
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
        ways = (
            ("a @ b.mT",) if b._array.shape[-1] == wanted[1] else ("a.mT @ b",) if a._array.shape[-2] == got[1] else ()
        )
        refuse_size(message, wanted[1], got[1], *ways, sizes=sizes)
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
    if q == 1:
        return _matrix_vector(input, other, prod(x[:-1]), x[:-1])
    if q == 2:
        return _matrix_product(input, other, prod(x[:-1]), (*x[:-1], y[-1]))
    if p == 1 and q == 3 and (y[1] == x[0] == 1 or y[0] == 1 and x[0] == y[1]):
        # One row against one batch: PyTorch folds it into a matrix and a vector.
        if input._dtype is not other._dtype:
            one, two = input._dtype._type_name, other._dtype._type_name
            refuse_dtypes(
                f"addmv input tensors must have the same dtype, but got {one}, {two}, and {one}", other, input
            )
        return _product(input, other, (*y[:-2], y[-1]), "addmv_impl_cpu")
    return _batched(input, other)


def _batched(a: Tensor, b: Tensor) -> Answer:
    rows = a._array.shape if a._array.ndim > 1 else (1, *a._array.shape)
    columns = b._array.shape
    batch = geometry.broadcast(rows[:-2], columns[:-2])
    if isinstance(batch, Reason):
        _of_batches(batch, rows[:-2], columns[:-2]).refuse()
    count = prod(batch)
    _check_batches(a, b, (count, rows[-1]), (count, columns[-2]))
    size = (*batch, rows[-2], columns[-1]) if a._array.ndim > 1 else (*batch, columns[-1])
    return _product(a, b, size, "bmm")
