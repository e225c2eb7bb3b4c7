"""Norms and condition numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy.casts import cast
from ...backends.numpy.chunked_reduce import shaped
from ...backends.numpy.in_double import magnitude
from ...backends.numpy.sums import float_sum
from ...backends.numpy.sums.float_sum import total
from ...backends.numpy.sums.ordered_norm import ordered_norm
from ...backends.numpy.sums.ordered_sum import MOST
from ...backends.numpy.without_warnings import quietly
from ...declare.linalg import (
    LAPACK,
    check_matrix,
    check_square,
    linear_row,
    refuse_ndim,
)
from ...declare.reductions import folded, left_over, reduced_dims
from ...declare.rules import Answer, Result, chosen
from ...errors.reasons import Reason, refuse
from ...memory.places import as_array
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.results import check_out
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtypes import COMPLEX, FLOAT, dtype
from .factor import lu_parts
from .inverse import inv, inverted
from .svd import singular_values, svdvals

INF = float("inf")


def check_dtype(name: str, x: Tensor, d: dtype | None) -> None:
    """Check the input of a norm and the dtype that it is computed in."""
    must_be_tensor(name, x)
    own = x._dtype
    if own._kind not in (FLOAT, COMPLEX):
        message = f"{name}: Expected a floating point or complex tensor as input. Got {own._type_name}"
    elif d is None:
        return
    elif d._kind not in (FLOAT, COMPLEX):
        message = f"{name}: dtype should be floating point or complex, but got {d._type_name}"
    elif (own._kind == COMPLEX) != (d._kind == COMPLEX):
        kind = "complex for complex" if own._kind == COMPLEX else "real for real"
        message = f"{name}: dtype should be {kind} inputs, but got {d._type_name}"
    elif np.promote_types(_promotable(own), _promotable(d)) != _promotable(d):
        message = (
            f"{name}: the dtype of the input ({own._type_name}) should be convertible without narrowing to the "
            f"specified dtype ({d._type_name})"
        )
    else:
        return
    refuse(RuntimeError, message, "a norm is rarely an integer", "x.float()", rule="norm.dtype", dtype=own)


def _promotable(d: dtypes.dtype) -> np.dtype:
    """Returns a dtype that NumPy can promote; bfloat16 counts as float16."""
    return np.dtype(np.float16) if d is dtypes.bfloat16 else d._in_numpy


def _as_dims(dim: int | Sequence[int] | None) -> tuple[int, ...] | None:
    return None if dim is None else (int(dim),) if isinstance(dim, (int, np.integer)) else tuple(dim)


def _power_of(p: float, d: np.dtype) -> tuple[np.ufunc, Callable[[np.ndarray], np.ndarray]]:
    """What is folded for a p-norm, and of which function of the elements; powers of float32 are float64."""
    wide = float_sum.sum_dtype(d)
    if abs(p) == INF:
        return (np.maximum if p > 0 else np.minimum), magnitude
    if p == 0:
        return np.add, lambda v: (v != 0).astype(d)
    if p == 1:
        return np.add, magnitude
    if p == 2:
        return np.add, lambda v: _square(v, wide)
    return np.add, lambda v: np.power(magnitude(v), float(d.type(p)), dtype=wide)


def _square(values: np.ndarray, kept: np.dtype | None) -> np.ndarray:
    """Returns the squared absolute values; of a complex number with an infinite part it is infinite."""
    if values.dtype.kind == "c":
        squares = _square(values.real, kept) + _square(values.imag, kept)
        return np.where(np.isinf(values), squares.dtype.type(INF), squares)
    return np.multiply(values, values, dtype=kept)


def fill_vector_norm(
    target: np.ndarray, values: np.ndarray, p: float, dims: tuple[int, ...], keepdim: bool, wide: dtype, d: dtype
) -> None:
    """The p-norm over some dimensions, computed in a wide dtype and rounded to another."""
    part = wide.to_real()._in_numpy
    if p in (1, 2) and values.dtype == part and values.size <= MOST and type(values) is np.ndarray:
        target[...] = cast(shaped(quietly(ordered_norm, values, p, dims), values, dims, keepdim), d)
        return
    ufunc, of = _power_of(p, part)
    result = folded(ufunc, values, dims, keepdim, of, d=wide)
    if p == 2:
        result = quietly(np.sqrt, result)
    elif p not in (0, 1) and abs(p) != INF:
        result = quietly(np.power, result, 1 / float(part.type(p)))
    target[...] = cast(as_array(result), d)


def _vector_norm(
    input: Tensor, p: float, dim: int | Sequence[int] | None, keepdim: bool, asked: dtype | None
) -> Answer:
    d = (input._dtype if asked is None else asked).to_real()
    dims = reduced_dims(dim, input._array.ndim, one_by_one=True)
    wide = dtypes.opmath(input._dtype if asked is None else asked)
    return (
        Result(left_over(input._array.shape, dims, keepdim), d),
        (fill_vector_norm, input._array, p, dims, keepdim, wide, d),
    )


@linear_row("linalg.vector_norm", "Computes a vector norm.", chosen)
def vector_norm(
    input: Tensor,
    ord: float = 2,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: dtype | None = None,
) -> Answer:
    if isinstance(ord, str):
        refuse(
            TypeError,
            "linalg_vector_norm(): argument 'ord' (position 2) must be Number, not str",
            "only norms of matrices have names",
            rule="argument.type",
        )
    check_dtype("linalg.vector_norm", input, dtype)
    if isinstance(ord, complex):
        refuse(
            RuntimeError,
            "linalg.vector_norm: Expected a non-complex scalar as the order of norm.",
            "the order must be a real number",
            rule="norm.order",
        )
    _check_empty(input, float(ord), dim)
    return _vector_norm(input, float(ord), dim, keepdim, dtype)


def _check_empty(input: Tensor, order: float, dim: int | Sequence[int] | None) -> None:
    """Refuse the maximum or minimum of no elements."""
    size = input._array.shape
    if input._array.size or not (order < 0 or order == INF):
        return
    shown = "inf" if order == INF else "-inf" if order == -INF else f"{order:g}"
    if dim is None or isinstance(dim, Sequence) and not len(dim):
        _refuse_empty(
            f"linalg.vector_norm cannot compute the {shown} norm on an empty tensor because the operation does not "
            "have an identity"
        )
    reduced_dims(dim, len(size), one_by_one=True)  # which refuses those that are not there
    for d in dim if isinstance(dim, Sequence) else (dim,):  # as the call counts them
        if not size[d]:
            _refuse_empty(
                f"linalg.vector_norm cannot compute the {shown} norm on the dimension {d}because this dimension is "
                "empty and the operation does not have an identity"
            )


def _refuse_empty(message: str) -> None:
    refuse(RuntimeError, message, "an empty dimension has no maximum", rule="norm.empty")


def _matrix_dims(a: Tensor, dim: tuple[int, ...]) -> tuple[int, int]:
    dims = _as_dims(dim) or ()
    if len(dims) != 2:
        shown = " ".join(str(d) for d in dims)
        _refuse_dims(f"linalg.matrix_norm: dim must be a 2-tuple. Got {shown}")
    results = [geometry.wrap_dims((d,), a._array.ndim) for d in dims]
    for one in results:
        if isinstance(one, Reason):
            one.refuse()
    rows, columns = (one[0] for one in results)  # type: ignore[index]
    if rows == columns:
        _refuse_dims(f"linalg.matrix_norm: dims must be different. Got ({rows}, {columns})")
    return rows, columns


def _refuse_dims(message: str) -> None:
    refuse(RuntimeError, message, "a matrix has rows and columns: two dimensions", "dim=(-2, -1)", rule="norm.dims")


def matrix_norms(a: np.ndarray, ord: Any, d: dtype) -> np.ndarray:
    """Returns a norm of the matrices in the last two dimensions, computed in a dtype."""
    if ord == "nuc" or abs(ord) == 2:
        values = singular_values(cast(a, d))
        return total(values, (values.ndim - 1,)) if ord == "nuc" else _end(values, ord)
    sums = total(magnitude(cast(a, dtypes.opmath(d))), (a.ndim - (2 if abs(ord) == 1 else 1),))
    return cast(_end(sums, ord), d.to_real())


def fill_matrix_norm(target: np.ndarray, a: np.ndarray, ord: float | str, dims: tuple[int, int], d: dtype) -> None:
    target[...] = matrix_norms(np.moveaxis(a, dims, (-2, -1)), ord, d).reshape(target.shape)


def _end(values: np.ndarray, order: float) -> np.ndarray:
    """The largest, or for a negative order the smallest; 0 for an empty matrix."""
    if not values.shape[-1]:
        return np.zeros(values.shape[:-1], values.dtype, like=values)
    return values.max(-1) if order > 0 else values.min(-1)


def _check_precision(d: dtype) -> None:
    """Refuse dtypes that singular values are not computed in."""
    if d not in LAPACK:
        refuse(
            RuntimeError,
            f"linalg.matrix_norm: Low precision dtypes not supported. Got {d._type_name}",
            "singular values are computed in 32 bits or 64",
            "x.float()",
            rule="norm.dtype",
        )


@linear_row("linalg.matrix_norm", "Computes a matrix norm.", chosen, out="")
def matrix_norm(
    input: Tensor,
    ord: Any = "fro",
    dim: tuple[int, ...] = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: dtype | None = None,
    out: Tensor | None = None,
) -> Answer:
    if isinstance(ord, complex):
        refuse(
            RuntimeError,
            "linalg.matrix_norm: Expected a non-complex scalar as the order of norm.",
            "the order of a norm is a real number",
            rule="norm.order",
        )
    known = ord in ("fro", "nuc") if isinstance(ord, str) else abs(ord) in (1, 2, INF)
    if not known:
        shown = ord if isinstance(ord, str) else f"{float(ord):g}"
        refuse(
            RuntimeError,
            f"linalg.matrix_norm: Order {shown} not supported.",
            "matrices have the orders fro, nuc, 1, 2 and inf, and the last three negative",
            rule="norm.order",
        )
    check_matrix("linalg.matrix_norm", input)
    check_dtype("linalg.matrix_norm", input, None)
    by_values = ord == "nuc" or ord != "fro" and abs(ord) == 2
    if by_values:
        _check_precision(input._dtype)
    rows, columns = _matrix_dims(input, dim)
    check_dtype("linalg.matrix_norm", input, dtype)
    if ord == "fro":
        return _into(vector_norm(input, 2, (rows, columns), keepdim, dtype=dtype), out, _WORDS.format("matrix_norm"))
    d = input._dtype if dtype is None else dtype
    if by_values:
        _check_precision(d)
    size = input._array.shape
    if not isinstance(ord, str) and ord < 0:
        shorter = min(size[rows], size[columns]) if by_values else size[columns if abs(ord) == 1 else rows]
        if not shorter:
            # The dimension that is left when the sums are taken, which PyTorch names when it is empty.
            summed, left = (rows, columns) if not by_values and abs(ord) == 1 else (columns, rows)
            left -= left > summed and not keepdim
            refuse(
                IndexError,
                f"amin(): Expected reduction dim {left} to have non-zero size.",
                "an empty dimension has no minimum",
                rule="norm.empty",
            )
    kept, stride = left_over(size, (rows, columns), keepdim), None
    if by_values and keepdim:  # two dimensions of size 1 are put back behind the others, and moved to their places
        stride = tuple([1 if i in (rows, columns) else n for i, n in enumerate(geometry.contiguous_stride(kept))])
    answer = Result(kept, d.to_real(), stride)
    return _into((answer, (fill_matrix_norm, input._array, ord, (rows, columns), d)), out, _WORDS.format("matrix_norm"))


_WORDS = "linalg.{} expected out tensor dtype {{Wanted}} but got: {{Got}}"


def _into(answer: Answer, out: Tensor | None, loose: str = "same") -> Answer:
    """An answer, after the check of `out=` that its norm asks for."""
    check_out(answer[0].dtype, out, loose)
    return answer


@linear_row("linalg.norm", "Computes a vector or matrix norm.", chosen, out="")
def norm(
    input: Tensor,
    ord: float | str | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    dtype: dtype | None = None,
) -> Answer:
    dims, ndim = _as_dims(dim), input._array.ndim
    if dims is not None and len(dims) not in (1, 2):
        refuse(
            RuntimeError,
            f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dims)}",
            "one dimension holds a vector, two hold a matrix",
            rule="norm.dims",
        )
    if isinstance(ord, str):
        if dims is None and ndim not in (1, 2):
            _refuse_ndim(input)
        answer = matrix_norm(input, ord, (-2, -1) if dims is None else dims, keepdim, dtype=dtype)
        return _into(answer, out, _WORDS.format("norm"))
    if ord is not None and dims is None and ndim not in (1, 2):
        _refuse_ndim(input)
    if ord is not None and (dims is not None and len(dims) == 2 or dims is None and ndim == 2):
        answer = matrix_norm(input, ord, (-2, -1) if dims is None else dims, keepdim, dtype=dtype)
        return _into(answer, out, _WORDS.format("norm"))
    return _into(vector_norm(input, 2 if ord is None else ord, dims, keepdim, dtype=dtype), out, _WORDS.format("norm"))


def _refuse_ndim(a: Tensor) -> None:
    refuse_ndim(
        f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {a._array.ndim}D.",
        a,
    )


@linear_row("norm", "Computes a vector or matrix norm.", chosen, forms="function method", category="reduction", out="")
def top_norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: dtype | None = None,
) -> Answer:
    dims = _as_dims(dim)
    if isinstance(p, str) and not (p == "fro" and (dims is None or len(dims) <= 2)):
        every = tuple(range(input._array.ndim))
        return matrix_norm(input, p, every if dims is None else dims, keepdim, dtype=dtype, out=out)
    return _into(vector_norm(input, 2 if p in ("fro", None) else p, dims, keepdim, dtype=dtype), out)


def fill_condition(target: np.ndarray, a: np.ndarray, p: Any) -> None:
    """The ratio of the singular values at both ends; for p = -2 of the smallest to the largest."""
    if not a.size:
        target[...] = 0
        return
    values = singular_values(a)
    big, small = values[..., 0], values[..., -1]
    target[...] = quietly(np.true_divide, small, big) if p == -2 else quietly(np.true_divide, big, small)


def fill_condition_by_inverse(target: np.ndarray, a: np.ndarray, p: int | str, d: dtype) -> None:
    """The norm of a matrix times the norm of its inverse; infinite for a singular matrix."""
    if not a.size:
        target[...] = 0
        return
    packed, pivots, infos = lu_parts(a)
    singular = infos != 0
    inverse = np.where(singular[..., None, None], 0, inverted(packed, pivots))
    own, other = (_norm(values, p, d) for values in (a, inverse))
    known = singular & (p != "nuc")  # the sum of the singular values of zeros, times infinity, is no number
    product = quietly(np.multiply, own, np.where(singular, np.inf, other))
    target[...] = np.where(known, np.inf, product).astype(other.dtype)


def _norm(a: np.ndarray, p: int | str, d: dtype) -> np.ndarray:
    if p != "fro":
        return matrix_norms(a, p, d)
    result = np.empty(a.shape[:-2], d.to_real()._in_numpy, like=a)
    fill_vector_norm(result, a, 2, (a.ndim - 2, a.ndim - 1), False, d, d.to_real())
    return result


@linear_row("linalg.cond", "Computes the condition number of matrices.", chosen, out="linalg.cond/result")
def cond(input: Tensor, p: int | str | None = None) -> Answer:
    if input._array.ndim < 2:
        shown = f"linalg.cond(ord={p}): The input tensor A" if isinstance(p, str) else "linalg.cond: The input tensor"
        refuse_ndim(f"{shown} must have at least 2 dimensions.", input)
    result = Result(input._array.shape[:-2], input._dtype.to_real())
    if not isinstance(p, str) and (p is None or abs(p) == 2):
        if input._array.size:
            svdvals(input)  # which checks the input
        return result, (fill_condition, input._array, p)
    if isinstance(p, str):
        check_square(f"linalg.cond(ord={p})", input)
    if p not in ("fro", "nuc", 1, -1, INF, -INF):
        refuse(
            RuntimeError,
            f"linalg.cond got an invalid norm type: {p}",
            "the norms of matrices are fro, nuc, 1, 2 and inf",
            rule="norm.order",
        )
    if input._array.size:
        check_square(f"linalg.cond(ord={p if isinstance(p, str) else format(float(p), 'g')})", input)
        inv(input)
        matrix_norm(input, p)
    return result, (fill_condition_by_inverse, input._array, p, input._dtype)
