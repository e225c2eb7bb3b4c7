"""Products of matrices and vectors, done by BLAS through NumPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import dispatch, dtypes, geometry
from ..dispatch import Op, add_row
from ..quiet import quietly
from ..reasons import Reason, refuse
from ..reduce import finish, must_be_tensor
from ..tensor import Tensor
from .reshaping import is_meta


def product(name: str, words: str, *aliases: str) -> Callable[[Callable], Callable]:
    """Declare a product."""

    def declare(plain: Callable) -> Callable:
        op = add_row(
            Op(
                name,
                "matmul",
                "blas_lapack",
                words,
                kernel=plain,
                aliases=aliases,
                signature="(input, other, *, out=None)",
            )
        )
        return dispatch.bind(op, plain)

    return declare


def multiply(a: Tensor, b: Tensor, size: tuple[int, ...], out: Tensor | None) -> Tensor:
    """The product of two arrays that fit, in their dtype; 16-bit floats are summed in float32."""
    d = a._dtype

    def fill(target: np.ndarray) -> None:
        x, y = a._array, b._array
        if d in (dtypes.float16, dtypes.bfloat16):
            x, y = x.astype(np.float32), y.astype(np.float32)
        target[...] = quietly(np.matmul, x, y)

    return finish(size, d, out, fill, is_meta(a) or is_meta(b))


def _same_dtype(words: str, a: Tensor, b: Tensor) -> None:
    if a._dtype is not b._dtype:
        names = {"Float": "float", "Double": "double", "Half": "c10::Half", "BFloat16": "c10::BFloat16", "Bool": "bool"}
        names |= {"Long": "int64_t", "Int": "int", "Short": "short", "Char": "signed char", "Byte": "unsigned char"}
        names |= {"ComplexFloat": "c10::complex<float>", "ComplexDouble": "c10::complex<double>"}
        one, two = (names.get(t._dtype.type_name, t._dtype.type_name) for t in (a, b))
        refuse(
            RuntimeError,
            f"{words} to have the same dtype, but got: {one} != {two}",
            f"a product does not promote: one operand is {a._dtype}, the other {b._dtype}",
            f"b.to({a._dtype})",
            rule="matmul.dtype",
            dtypes=(a._dtype, b._dtype),
        )


def _no_bool(d: dtypes.dtype, stub: str) -> None:
    if d is dtypes.bool_ or d in dtypes.BAREBONES_UNSIGNED or d in dtypes.FLOAT8:
        refuse(
            NotImplementedError,
            f"\"{stub}\" not implemented for '{d.type_name}'",
            "a product needs numbers to add",
            "x.float()",
            rule="matmul.dtype",
        )


@product("mm", "The product of two matrices.")
def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    must_be_tensor("mm", input)
    if input._array.ndim != 2 or mat2._array.ndim != 2:
        which = "self must be a matrix" if input._array.ndim != 2 else "mat2 must be a matrix"
        refuse(RuntimeError, which, "mm multiplies one matrix by another", "torch.matmul(a, b)", rule="matmul.ndim")
    (n, k), (k2, m) = input._array.shape, mat2._array.shape
    if k != k2:
        refuse(
            RuntimeError,
            f"mat1 and mat2 shapes cannot be multiplied ({n}x{k} and {k2}x{m})",
            f"the {k} columns of the first meet the {k2} rows of the second",
            "a @ b.t()" if m == k else "b @ a",
            rule="matmul.size",
            sizes=((n, k), (k2, m)),
        )
    _same_dtype("expected m1 and m2", input, mat2)
    _no_bool(input._dtype, "addmm_impl_cpu_")
    return multiply(input, mat2, (n, m), out)


@product("mv", "The product of a matrix and a vector.")
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    if input._array.ndim != 2 or vec._array.ndim != 1:
        refuse(
            RuntimeError,
            f"vector + matrix @ vector expected, got 1, {input._array.ndim}, {vec._array.ndim}",
            "mv takes a matrix and a vector",
            "torch.matmul(a, b)",
            rule="matmul.ndim",
        )
    (n, k), (m,) = input._array.shape, vec._array.shape
    if k != m:
        refuse(
            RuntimeError,
            f"size mismatch, got input ({n}), mat ({n}x{k}), vec ({m})",
            f"the {k} columns of the matrix meet the {m} elements of the vector",
            rule="matmul.size",
        )
    _same_dtype("expected mat and vec", input, vec)
    return multiply(input, vec, (n,), out)


@product("dot", "The sum of the products of two vectors.")
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    a, b = input, tensor
    if a._array.ndim != 1 or b._array.ndim != 1:
        refuse(
            RuntimeError,
            f"1D tensors expected, but got {a._array.ndim}D and {b._array.ndim}D tensors",
            "dot takes two vectors",
            "torch.matmul(a, b)",
            rule="matmul.ndim",
        )
    if a._dtype is not b._dtype:
        refuse(
            RuntimeError,
            f"dot : expected both vectors to have same dtype, but found {a._dtype.type_name} and {b._dtype.type_name}",
            "a product does not promote",
            f"b.to({a._dtype})",
            rule="matmul.dtype",
        )
    if a._array.shape != b._array.shape:
        refuse(
            RuntimeError,
            f"inconsistent tensor size, expected tensor [{a._array.size}] and src [{b._array.size}] to have the "
            "same number of "
            f"elements, but got {a._array.size} and {b._array.size} elements respectively",
            "each element needs a partner",
            rule="matmul.size",
        )
    _no_bool(a._dtype, "dot")
    return multiply(a, b, (), out)


@product("bmm", "The products of two batches of matrices.")
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    if input._array.ndim != 3 or mat2._array.ndim != 3:
        which = "batch1 must be a 3D tensor" if input._array.ndim != 3 else "batch2 must be a 3D tensor"
        refuse(RuntimeError, which, "bmm takes batches of matrices", "torch.matmul(a, b)", rule="matmul.ndim")
    (b, n, k), (b2, k2, m) = input._array.shape, mat2._array.shape
    if b != b2 or k != k2:
        refuse(
            RuntimeError,
            f"Expected size for first two dimensions of batch2 tensor to be: [{b}, {k}] but got: [{b2}, {k2}].",
            "matrix meets matrix, batch by batch",
            rule="matmul.size",
        )
    _same_dtype("expected m1 and m2", input, mat2)
    return multiply(input, mat2, (b, n, m), out)


@product("matmul", "The product of vectors, matrices or batches of matrices, by how many dimensions they have.")
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    must_be_tensor("matmul", input)
    if not isinstance(other, Tensor):
        refuse(
            TypeError,
            f"matmul(): argument 'other' (position 2) must be Tensor, not {type(other).__name__}",
            rule="argument.type",
        )
    a, b = input, other
    p, q = a._array.ndim, b._array.ndim
    if p == 0 or q == 0:
        refuse(
            RuntimeError,
            f"both arguments to matmul need to be at least 1D, but they are {p}D and {q}D",
            "a number has no row or column",
            "a * b",
            rule="matmul.ndim",
        )
    if p == 1 and q == 1:
        return dot(a, b, out=out)
    if p == 2 and q == 1:
        return mv(a, b, out=out)
    if p == 1 and q == 2:
        row = mm(dispatch.OPS["unsqueeze"].function(a, 0), b)
        return _squeezed(row, 0, out)
    if p == 2 and q == 2:
        return mm(a, b, out=out)
    return _batched(a, b, out)


def _squeezed(t: Tensor, dim: int, out: Tensor | None) -> Tensor:
    size = tuple([n for d, n in enumerate(t._array.shape) if d != dim % t._array.ndim])
    t._array = t._array.reshape(size)
    if out is None:
        return t
    return finish(size, t._dtype, out, lambda target: np.copyto(target, t._array), is_meta(t))


def _batched(a: Tensor, b: Tensor, out: Tensor | None) -> Tensor:
    x, y = a._array.shape, b._array.shape
    rows = x if len(x) > 1 else (1, *x)
    columns = y if len(y) > 1 else (*y, 1)
    _same_dtype("expected m1 and m2", a, b)
    batch = geometry.broadcast(rows[:-2], columns[:-2])
    if isinstance(batch, Reason):
        batch.refuse()
    if rows[-1] != columns[-2]:
        folded = 1
        for n in rows[:-1]:
            folded *= n
        if len(y) <= 2:
            message = f"mat1 and mat2 shapes cannot be multiplied ({folded}x{rows[-1]} and {columns[-2]}x{columns[-1]})"
            if len(y) == 1:
                message = f"size mismatch, got input ({folded}), mat ({folded}x{rows[-1]}), vec ({y[0]})"
        else:
            count = 1
            for n in batch:
                count *= n
            message = (
                f"Expected size for first two dimensions of batch2 tensor to be: [{count}, {rows[-1]}] but got: "
                f"[{count}, {columns[-2]}]."
            )
        refuse(
            RuntimeError,
            message,
            f"the {rows[-1]} columns of the first meet the {columns[-2]} rows of the second",
            rule="matmul.size",
        )
    size = (*batch, *rows[-2:-1], *columns[-1:])
    if len(x) == 1:
        size = (*size[:-2], size[-1])
    if len(y) == 1:
        size = size[:-1]
    return multiply(a, b, size, out)
