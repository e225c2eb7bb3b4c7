"""A product of matrices or vectors added to a tensor: beta * input + alpha * (a @ b)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

import numpy as np

from ...backends.numpy.casts import cast, number_array
from ...backends.numpy.without_warnings import quietly
from ...declare.linalg import LAPACK
from ...declare.pointwise import Pointwise, common_dtype
from ...declare.rules import Answer, Result, computed_row, written_over
from ...dispatch.registry import OPS
from ...errors.reasons import Reason, refuse, sure
from ...memory.places import as_array, number_of
from ...tensor.lookups import checked_dim, geometry_of
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.scalars import check_fits
from ...tensor.tensor import Tensor
from ...tensor.write_checks import check_no_partial_overlap, check_writable, share_storage
from ...types import dtypes
from ...types.cpp_names import cpp_name
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import BOOL, COMPLEX, FLOAT, HALVES, dtype
from ..pointwise.prepared import prepared
from ..pointwise.rows import BOOLS, INPLACE, NUMBERS
from .products import refuse_dtypes, refuse_ndim, refuse_size

_ELEMENTS_AT_ONCE = 1 << 20


def fill_added(
    target: np.ndarray,
    own: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    multiply: Callable,
    beta: np.ndarray | None,
    alpha: np.ndarray | None,
    d: dtype,
    over: bool = False,
) -> None:
    """Fill some rows at a time: `multiply` computes these rows of the product. A factor of None is 1.

    Where the result lies `over` what is multiplied, `own` is written there first, as in PyTorch, and all is read then.
    """
    wide, size = dtypes.opmath(d)._in_numpy, target.shape
    own = np.broadcast_to(own, size)
    if over:
        if beta is None or beta:
            np.copyto(target, own)
        a, b = a.copy(), b.copy()

    def block(rows: slice) -> Any:
        result = as_array(multiply(rows, *(quietly(t.astype, wide, copy=False) for t in (a, b))))
        if alpha is not None:
            result = np.multiply(result, number_of(alpha), result)
        if beta is not None and not beta:
            return result
        added = quietly(own[rows].astype, wide, copy=False)
        return np.add(result, added if beta is None else np.multiply(added, number_of(beta)))

    step = max(1, _ELEMENTS_AT_ONCE * size[0] // max(target.size, 1)) if size[0] else 1
    for at in range(0, size[0], step):
        rows = slice(at, at + step)
        target[rows] = cast(quietly(block, rows), d)


def fill_added_sum(
    target: np.ndarray,
    own: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    multiply: Callable,
    beta: np.ndarray | None,
    alpha: np.ndarray | None,
    d: dtype,
    over: bool = False,
) -> None:
    """Add the products of a batch of matrices one after the other; each sum is rounded, as in PyTorch."""
    if not len(a) or (d._kind < FLOAT and not over):
        return fill_added(target, own, a, b, multiply, beta, alpha, d)
    each = multiply if multiply is _nothing else _rows
    fill_added(target, own, a[0], b[0], each, beta, alpha, d, over)
    for x, y in zip(a[1:], b[1:], strict=True):
        fill_added(target, target, x, y, each, None, alpha, d, over)
    return None


added_row = partial(computed_row, kernel=fill_added, family="matmul", category="blas_lapack", out="same")


def _check_tensors(name: str, **tensors: Any) -> None:
    for position, (argument, value) in enumerate(tensors.items(), 1):
        must_be_tensor(name, value, argument, position)


def _factor(value: int, d: dtype, wide: bool = False) -> np.ndarray | None:
    """Returns beta or alpha in the dtype; None for 1. Of 16-bit floats it is not rounded to 16 bits if `wide`."""
    check_fits(value, dtypes.float32 if wide and d in HALVES else d)
    if wide and d in HALVES:
        return None if value == 1 else number_array(value, dtypes.float32)
    result = number_array(value.real if isinstance(value, complex) and d._kind != COMPLEX else value, d)
    return None if result == 1 else cast(result, dtypes.float32) if d in HALVES else result


def _added(
    stub: str, size: tuple[int, ...], multiply: Callable, operands: tuple, factors: tuple, out: Tensor | None
) -> Answer:
    input, a, b = operands
    d = a._dtype
    expanded = OPS["expand"].rule(geometry_of(input), input._dtype, *size)
    in_place = out is input and multiply is _rows and len(size) == 2  # addmm_ says first that the result does not fit
    if isinstance(expanded, Reason) and not in_place:
        expanded.refuse()
    if prod(size) and (d is dtypes.bool_ or d in dtypes.ONLY_STORED):
        refuse_dtype(stub, d, f"PyTorch has no product of matrices for {d} here", "x.float()")
    # PyTorch multiplies matrices with factors in float32 and rounds the sum once; vectors not.
    of_matrices = stub != "addmv_impl_cpu"
    beta, alpha = (_factor(f, d, wide=of_matrices) for f in factors)
    blas = LAPACK if of_matrices else LAPACK[:2]
    if factors[1] == 0 and multiply is not _matrices and d in blas:
        multiply = _nothing  # BLAS does not multiply then, not even infinity
    over = False
    if out is not None:
        check_writable(out)
        if beta is None or beta:  # the input is then copied to the result
            check_no_partial_overlap(out, input)
        over = share_storage(out, a) or share_storage(out, b)
    return Result(size, d), (input._array, a._array, b._array, multiply, beta, alpha, d, over)


def _rows(rows: slice, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.matmul(x[rows], y)


def _nothing(rows: slice, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    height = len(range(*rows.indices(x.shape[-2])))
    return np.zeros((height, *y.shape[x.ndim - 1 :]), x.dtype, like=x)


def _rows_of_sum(rows: slice, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.tensordot(x[:, rows], y, ((0, 2), (0, 1)))


def _matrices(rows: slice, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.matmul(x[rows], y[rows])


def _check_dtypes(input: Tensor, a: Tensor, b: Tensor) -> None:
    if input._dtype is not b._dtype:
        refuse_dtypes(
            f"self and mat2 must have the same dtype, but got {input._dtype._type_name} and {b._dtype._type_name}",
            input,
            b,
        )
    if a._dtype is not b._dtype:
        one, two = (t._dtype._type_name for t in (a, b))
        layer = [f"layer.to({a._dtype}), which converts its parameters"] if a._dtype.is_floating_point else []
        message = f"mat1 and mat2 must have the same dtype, but got {one} and {two}"
        refuse_dtypes(message, a, b, f"x.to({b._dtype}), where x is mat1: the input, if this is a layer", *layer)


@added_row("addmm", "Computes beta * input + alpha * (mat1 @ mat2), a matrix product.")
def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1, out: Tensor | None = None
) -> Answer:
    _check_tensors("addmm", input=input, mat1=mat1, mat2=mat2)
    a, b = mat1, mat2
    _check_dtypes(input, a, b)
    for t, name in ((a, "mat1"), (b, "mat2")):
        if t._array.ndim != 2:
            refuse_ndim(
                f"{name} must be a matrix, got {t._array.ndim}-D tensor",
                "addmm multiplies two matrices",
                "torch.matmul",
            )
    (n, k), (k2, m) = a._array.shape, b._array.shape
    if k != k2:
        refuse_size(
            f"mat1 and mat2 shapes cannot be multiplied ({n}x{k} and {k2}x{m})",
            k,
            k2,
            f"in_features={k}, if this is a layer: its weight has size [{m}, {k2}]",
        )
    return _added("addmm_impl_cpu_", (n, m), _rows, (input, a, b), (beta, alpha), out)


@added_row("addmv", "Computes beta * input + alpha * (mat @ vec), a matrix-vector product.")
def addmv(
    input: Tensor, mat: Tensor, vec: Tensor, *, beta: float = 1, alpha: float = 1, out: Tensor | None = None
) -> Answer:
    _check_tensors("addmv", input=input, mat=mat, vec=vec)
    a, b = mat, vec
    ndims = (input._array.ndim, a._array.ndim, b._array.ndim)
    if ndims[1:] != (2, 1) or ndims[0] > 1:
        refuse_ndim(
            f"vector + matrix @ vector expected, got {ndims[0]}, {ndims[1]}, {ndims[2]}",
            "addmv takes a vector, a matrix and a vector",
            "torch.matmul",
        )
    (n, k), (k2,) = a._array.shape, b._array.shape
    count = input._array.size
    if k != k2 or count not in (1, n):
        refuse_size(f"size mismatch, got input ({count}), mat ({n}x{k}), vec ({k2})", k, k2)
    if not input._dtype is a._dtype is b._dtype:
        names = [t._dtype._type_name for t in (input, a, b)]
        refuse_dtypes(
            f"addmv input tensors must have the same dtype, but got {names[0]}, {names[1]}, and {names[2]}", a, b
        )
    return _added("addmv_impl_cpu", (n,), _rows, (input, a, b), (beta, alpha), out)


def _batches(name: str, input: Tensor, a: Tensor, b: Tensor, check: Callable | None = None) -> tuple[tuple, tuple]:
    """The sizes of two batches of matrices; `check` refuses dtypes between the sizes and the dimensions."""
    for t, dim in ((a, 0 if name == "baddbmm" else 1), (b, 2)):  # PyTorch asks for these sizes first
        if not t._array.ndim:
            refuse(
                IndexError,
                f"Dimension specified as {dim} but tensor has no dimensions",
                f"{name} takes batches of matrices",
                "torch.matmul(a, b)",
                rule="dim.range",
            )
        checked_dim(max(dim, 1), t._array.ndim)
    size = a._array.shape[1], b._array.shape[2]
    _check_expands(input, size if name == "addbmm" else (a._array.shape[0], *size))
    if check is not None:
        check()
    for t, t_name in ((a, "batch1"), (b, "batch2")):
        if t._array.ndim != 3:
            refuse_ndim(f"{t_name} must be a 3D tensor", f"{name} takes batches of matrices", "torch.matmul(a, b)")
    return a._array.shape, b._array.shape


def _check_expands(input: Tensor, size: tuple[int, ...]) -> None:
    """Refuse what does not broadcast to the product, which PyTorch does before it looks at the sizes inside."""
    sure(OPS["expand"].rule(geometry_of(input), input._dtype, *size))


@added_row(
    "addbmm",
    "Computes beta * input + alpha * the sum of batch1 @ batch2 over the batch.",
    kernel=fill_added_sum,
    out="self and mat2 must have the same dtype, but got {Got} and {Wanted}",
)
def addbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: complex = 1, alpha: complex = 1, out: Tensor | None = None
) -> Answer:
    _check_tensors("addbmm", input=input, batch1=batch1, batch2=batch2)
    a, b = batch1, batch2
    (count, n, k), (count2, k2, m) = _batches("addbmm", input, a, b)
    if count != count2:
        refuse(
            RuntimeError,
            f"batch1 and batch2 must have same number of batches, got {count} and {count2}",
            "each matrix of one batch is multiplied by its partner in the other",
            rule="matmul.batches",
        )
    if k != k2:
        refuse_size(f"Incompatible matrix sizes for bmm ({n}x{k} and {k2}x{m})", k, k2)
    _check_dtypes(input, a, b)
    return _added("addmm_impl_cpu_", (n, m), _rows_of_sum, (input, a, b), (beta, alpha), out)


@added_row("baddbmm", "Computes beta * input + alpha * (batch1 @ batch2), a batch of matrix products.")
def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: complex = 1, alpha: complex = 1, out: Tensor | None = None
) -> Answer:
    _check_tensors("baddbmm", input=input, batch1=batch1, batch2=batch2)
    a, b = batch1, batch2

    def of_one_dtype() -> None:
        if input._dtype is not a._dtype:
            names = [cpp_name(t._dtype) for t in (input, a, b)]
            refuse_dtypes(
                f"Input dtypes must be the same, got: input {names[0]}, batch1: {names[1]}, batch2: {names[2]}",
                input,
                a,
            )

    (count, n, k), (count2, k2, m) = _batches("baddbmm", input, a, b, of_one_dtype)
    if (count, k) != (count2, k2):
        refuse_size(
            f"Expected size for first two dimensions of batch2 tensor to be: [{count}, {k}] but got: [{count2}, {k2}].",
            k,
            k2,
        )
    if a._dtype is not b._dtype:
        refuse_dtypes(f"expected scalar type {a._dtype._type_name} but found {b._dtype._type_name}", a, b)
    return _added("baddbmm", (count, n, m), _matrices, (input, a, b), (beta, alpha), out)


for _name in ("addmm", "addmv", "addbmm", "baddbmm"):
    INPLACE[_name + "_"] = written_over(_name)


# -- the outer product -------------------------------------------------------------------------------------------


def _plus_outer(beta: complex, alpha: complex) -> Callable:
    def kernel(own: np.ndarray, a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> Any:
        if own.dtype.kind == "b":
            result = a & b if alpha else np.zeros(own.shape, bool, like=own)
            result = result | own if beta else result
        else:
            of = own.dtype.type
            result = a * b if alpha == 1 else of(alpha) * a * b
            result = result if beta == 0 else result + (own if beta == 1 else of(beta) * own)
        if out is None:
            return np.broadcast_to(result, own.shape)
        np.copyto(out, result, casting="unsafe")
        return out

    return kernel


@prepared(
    "addr", "Computes beta * input + alpha * outer(vec1, vec2).", category="blas_lapack",
)  # fmt: skip
def _addr(name: str, input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: complex = 1, alpha: complex = 1) -> tuple:
    must_be_tensor(name, input)
    for position, (t, t_name) in enumerate(((vec1, "vec1"), (vec2, "vec2")), 2):
        if must_be_tensor(name, t, t_name, position)._array.ndim != 1:
            refuse_ndim(
                f"addr: Expected 1-D argument {t_name}, but got {t._array.ndim}-D", "addr multiplies two vectors",
                "torch.outer",
            )  # fmt: skip
    d = common_dtype((input, vec1, vec2))
    for factor_name, factor in (("beta", beta), ("alpha", alpha)):
        _check_factor(factor_name, factor, d)
    size = (vec1._array.shape[0], vec2._array.shape[0])
    if name.endswith("_"):
        _check_written(input, vec1, vec2, size)
    else:
        input = OPS["expand"].function(input, *size)
    operands = (input, OPS["unsqueeze"].function(vec1, 1), vec2)
    return operands, Pointwise(_plus_outer(beta, alpha), stub="addr_cpu", domain=NUMBERS | BOOLS, via_float32=False)


def _check_written(input: Tensor, vec1: Tensor, vec2: Tensor, size: tuple[int, int]) -> None:
    """Refuse to write an outer product over what is not a matrix of its size."""
    own = input._array.shape
    if len(own) != 2:
        refuse_ndim(
            f"2D tensor expected, got {len(own)}D tensor for input", "an outer product is a matrix", "torch.addr"
        )
    if own != size:
        one, two = list(vec1._array.shape), list(vec2._array.shape)
        refuse_size(f"size mismatch, input: {list(own)}, v1: {one}, v2: {two}", own[1], size[1])


def _check_factor(name: str, factor: complex, d: dtype) -> None:
    if isinstance(factor, float) and d._kind < FLOAT:
        refuse(
            RuntimeError,
            f"For integral input tensors, argument {name} must not be a floating point number.",
            f"{name}={factor} would leave the whole numbers",
            "x.float()",
            rule="alpha",
        )
    if isinstance(factor, bool) and d._kind != BOOL:
        refuse(
            RuntimeError, f"Boolean {name} only supported for Boolean results.", f"{name} is a factor", f"{name}=1",
            rule="alpha",
        )  # fmt: skip
    check_fits(factor, d)
