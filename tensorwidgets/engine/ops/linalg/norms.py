"""Norms and condition numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy.casts import cast
from ...backends.numpy.float_sum import total
from ...backends.numpy.in_double import magnitude
from ...backends.numpy.without_warnings import quietly
from ...declare.linalg import (
    LAPACK,
    check_matrix,
    check_out,
    check_square,
    into,
    is_meta,
    linear_row,
    plain,
    refuse_ndim,
)
from ...declare.reductions import left_over, must_be_tensor, reduced_dims
from ...dispatch.registry import OPS
from ...errors.reasons import Reason, refuse
from ...tensor.tensor import Tensor, place_of
from ...types import dtypes
from ...types.dtypes import COMPLEX, FLOAT
from ..reductions.statistics import vector_norm as p_norm
from .inverse import inv_ex
from .svd import singular_values

INF = float("inf")


def _check_dtype(name: str, x: Tensor, d: Any) -> None:
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


def _as_dims(dim: Any) -> tuple[int, ...] | None:
    return None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)


@linear_row("linalg.vector_norm", "Computes a vector norm.")
def vector_norm(
    input: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    if isinstance(ord, str):
        refuse(
            TypeError,
            "linalg_vector_norm(): argument 'ord' (position 2) must be Number, not str",
            "only norms of matrices have names",
            rule="argument.type",
        )
    _check_dtype("linalg.vector_norm", input, dtype)
    if isinstance(ord, complex):
        refuse(
            RuntimeError,
            "linalg.vector_norm: Expected a non-complex scalar as the order of norm.",
            "the order must be a real number",
            rule="norm.order",
        )
    _check_empty(input, float(ord), dim)
    check_out((input._dtype if dtype is None else dtype).to_real(), out, "")
    return p_norm(input, float(ord), dim, keepdim, out, dtype)


def _check_empty(input: Tensor, order: float, dim: Any) -> None:
    """Refuse the maximum or minimum of no elements."""
    size = input._array.shape
    if input._array.size or not (order < 0 or order == INF):
        return
    shown = "inf" if order == INF else "-inf" if order == -INF else f"{order:g}"
    if dim is None or dim == ():
        _refuse_empty(
            f"linalg.vector_norm cannot compute the {shown} norm on an empty tensor because the operation does not "
            "have an identity"
        )
    for d in reduced_dims(dim, len(size)):
        if not size[d]:
            _refuse_empty(
                f"linalg.vector_norm cannot compute the {shown} norm on the dimension {d}because this dimension is "
                "empty and the operation does not have an identity"
            )


def _refuse_empty(message: str) -> None:
    refuse(RuntimeError, message, "an empty dimension has no maximum", rule="norm.empty")


def _matrix_dims(a: Tensor, dim: Any) -> tuple[int, int]:
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
        _refuse_dims(f"linalg.matrix_norm: dims must be different. Got ({dims[0]}, {dims[1]})")
    return rows, columns


def _refuse_dims(message: str) -> None:
    refuse(RuntimeError, message, "a matrix has rows and columns: two dimensions", "dim=(-2, -1)", rule="norm.dims")


@linear_row("linalg.matrix_norm", "Computes a matrix norm.")
def matrix_norm(
    input: Tensor,
    ord: Any = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    check_matrix("linalg.matrix_norm", input)
    known = ord in ("fro", "nuc") if isinstance(ord, str) else abs(ord) in (1, 2, INF)
    if not known:
        refuse(
            RuntimeError,
            f"linalg.matrix_norm: Order {ord} not supported.",
            "matrices have the orders fro, nuc, 1, 2 and inf, and the last three negative",
            rule="norm.order",
        )
    if ord == "fro":
        _check_dtype("linalg.matrix_norm", input, None)
    rows, columns = _matrix_dims(input, dim)
    _check_dtype("linalg.matrix_norm", input, dtype)
    if ord == "fro":
        return vector_norm(input, 2, (rows, columns), keepdim, dtype=dtype, out=out)
    by_values = ord == "nuc" or abs(ord) == 2
    d = input._dtype if dtype is None else dtype
    if by_values and d not in LAPACK:
        refuse(
            RuntimeError,
            f"linalg.matrix_norm: Low precision dtypes not supported. Got {d._type_name}",
            "singular values are computed in 32 bits or 64",
            "x.float()",
            rule="norm.dtype",
        )
    whole = input._array.shape
    size, batch = left_over(whole, (rows, columns), keepdim), left_over(whole, (rows, columns), False)

    # The dimension that is left when the sums are taken, which PyTorch names when it is empty.
    summed, left = (rows, columns) if not by_values and abs(ord) == 1 else (columns, rows)
    left -= left > summed and not keepdim

    def result() -> np.ndarray:
        moved = np.moveaxis(input._array, (rows, columns), (-2, -1))
        if by_values:
            values = singular_values(cast(moved, d))
            return (total(values, (values.ndim - 1,)) if ord == "nuc" else _end(values, ord, batch, -1)).reshape(size)
        wide = dtypes.opmath(d)
        sums = total(magnitude(cast(moved, wide)), (moved.ndim - (2 if abs(ord) == 1 else 1),))
        return cast(_end(sums, ord, batch, left).reshape(size), d.to_real())

    return plain(result, d.to_real(), place_of(input), size, out, "linalg.matrix_norm/result")


def _end(values: np.ndarray, order: float, batch: tuple[int, ...], dim: int) -> np.ndarray:
    """The largest, or for a negative order the smallest; 0 where a matrix is empty."""
    if not values.shape[-1]:
        if order < 0:
            refuse(
                IndexError,
                f"amin(): Expected reduction dim {dim} to have non-zero size.",
                "an empty dimension has no minimum",
                rule="norm.empty",
            )
        return np.zeros(batch, values.dtype)
    return values.max(-1) if order > 0 else values.min(-1)


@linear_row("linalg.norm", "Computes a vector or matrix norm.")
def norm(
    input: Tensor,
    ord: Any = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
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
        return matrix_norm(input, ord, (-2, -1) if dims is None else dims, keepdim, dtype=dtype, out=out)
    if ord is not None and dims is None and ndim not in (1, 2):
        _refuse_ndim(input)
    if ord is not None and (dims is not None and len(dims) == 2 or dims is None and ndim == 2):
        return matrix_norm(input, ord, (-2, -1) if dims is None else dims, keepdim, dtype=dtype, out=out)
    return vector_norm(input, 2 if ord is None else ord, dims, keepdim, dtype=dtype, out=out)


def _refuse_ndim(a: Tensor) -> None:
    refuse_ndim(
        f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {a._array.ndim}D.",
        a,
    )


@linear_row("norm", "Computes a vector or matrix norm.", forms="function method", category="reduction")
def top_norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    dims = _as_dims(dim)
    if isinstance(p, str) and not (p == "fro" and (dims is None or len(dims) == 1)):
        every = tuple(range(input._array.ndim))
        return matrix_norm(input, p, every if dims is None else dims, keepdim, dtype=dtype, out=out)
    return vector_norm(input, 2 if p in ("fro", None) else p, dims, keepdim, dtype=dtype, out=out)


@linear_row("linalg.cond", "Computes the condition number of matrices.")
def cond(input: Tensor, p: Any = None, *, out: Tensor | None = None) -> Tensor:
    if input._array.ndim < 2:
        refuse_ndim("linalg.cond: The input tensor must have at least 2 dimensions.", input)
    keep, told = input._dtype.to_real(), "torch.linalg.cond/result"
    size = input._array.shape[:-2]
    if not isinstance(p, str) and (p is None or abs(p) == 2):
        values = OPS["linalg.svdvals"].function(input)._array

        def result() -> np.ndarray:
            if not values.shape[-1]:
                return np.zeros(size, values.dtype)
            big, small = values[..., 0], values[..., -1]
            return quietly(np.true_divide, small, big) if p == -2 else quietly(np.true_divide, big, small)

        return plain(result, keep, place_of(input), size, out, told)
    if p not in ("fro", "nuc", 1, -1, INF, -INF):
        refuse(
            RuntimeError,
            f"linalg.cond got an invalid norm type: {p}",
            "the norms of matrices are fro, nuc, 1, 2 and inf",
            rule="norm.order",
        )
    shown = str(p)
    check_square(f"linalg.cond(ord={shown})", input)
    if not input._array.size:
        return plain(lambda: 0, keep, place_of(input), size, out, told)
    inverse, infos = inv_ex(input)
    if is_meta(input):
        return plain(None, keep, place_of(input), size, out, told)
    one, two = (OPS["linalg.matrix_norm"].function(input, p), _norm_of_inverse(inverse, infos, p))
    return into(out, OPS["mul"].function(one, two), told)


def _norm_of_inverse(inverse: Tensor, infos: Tensor, p: Any) -> Tensor:
    """The norm of each inverse, infinite where there is none."""
    singular = infos._array != 0
    usable = np.where(singular[..., None, None], 0, inverse._array)
    safe = plain(lambda: usable, inverse._dtype, place_of(inverse), usable.shape)
    norms = matrix_norm(safe, p)
    return plain(lambda: np.where(singular, np.inf, norms._array), norms._dtype, place_of(norms), norms._array.shape)
