"""Powers, exponentials and products of several matrices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ...backends.numpy.without_warnings import quietly
from ...declare.linalg import (
    check_floating,
    check_square,
    linear_composite,
    linear_row,
    refuse_dtypes,
    refuse_size,
)
from ...declare.rules import Answer, Result
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.results import check_out, copy_to
from ...tensor.tensor import Tensor
from ...types import dtypes, formats
from ...types.cpp_names import cpp_name
from ...types.dtypes import BOOL, FLOAT, INTEGER
from . import elsewhere
from .distances import crossed, fill_crossed, fill_powers


def _power(a: Tensor, n: int) -> Tensor:
    """Compute a power by repeated squaring."""
    check_square("linalg.matrix_power", a)
    if n == 0:
        ones = OPS["eye"].function(a._array.shape[-1], dtype=a._dtype, device=a.device)
        return OPS["expand"].function(ones, a._array.shape).contiguous()
    base = OPS["linalg.inv"].function(a) if n < 0 else a
    left = abs(n)
    if left == 1:
        return base if n < 0 else OPS["clone"].function(a, memory_format=formats.contiguous_format)
    matmul = OPS["matmul"].function
    result: Tensor | None = None
    while True:
        if left & 1:
            result = base if result is None else matmul(result, base)
        left >>= 1
        if not left:
            assert result is not None
            return result
        base = matmul(base, base)


@linear_composite("linalg.matrix_power", "Computes the n-th power of square matrices.")
def linalg_matrix_power(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    return _power_into(input, n, out)


@linear_composite("matrix_power", "Computes the n-th power of square matrices.", forms="function method")
def matrix_power(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    return _power_into(input, n, out)


def _power_into(input: Tensor, n: int, out: Tensor | None) -> Tensor:
    result = _power(input, n)
    check_out(result._dtype, out, "matrix_power/result")
    return copy_to(out, result, "" if n in (0, 1) else "same")  # for 0 and 1 it is a copy, and else a product


def fill_exponential(target: np.ndarray, a: np.ndarray) -> None:
    from scipy.linalg import expm

    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    if a.size:
        there = elsewhere.exponential(a.astype(wide))
        quietly(np.copyto, target, quietly(expm, a.astype(wide)) if there is None else there, casting="unsafe")


@linear_row(
    "matrix_exp",
    "Computes the matrix exponential of square matrices.",
    fill_exponential,
    "linalg.matrix_exp",
    forms="function method",
    out=None,
)
def matrix_exp(input: Tensor) -> Answer:
    check_square("linalg.matrix_exp", input)
    check_floating("linalg.matrix_exp", input, low_precision=True)
    return Result(input._array.shape, input._dtype), (input._array,)


@linear_composite(
    "linalg.multi_dot", "Computes the product of several matrices in the order that needs the fewest multiplications."
)
def multi_dot(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    listed: list[Tensor] = list(tensors)
    if len(listed) < 2:
        refuse(
            RuntimeError,
            f"multi_dot(): expected at least 2 tensors but got {len(listed)}",
            "a product needs two matrices or more",
            rule="linalg.multi_dot",
        )
    _check_chain(listed)
    matmul = OPS["matmul"].function
    first, last = listed[0]._array.ndim == 1, listed[-1]._array.ndim == 1
    lengths = [t._array.shape[0] for t in listed] + [listed[-1]._array.shape[-1]]
    if first:
        lengths[0] = 1
    if last:
        lengths[-1] = 1
    order = cheapest(lengths)

    def product(i: int, j: int) -> Tensor:
        return listed[i] if i == j else matmul(product(i, order[i, j]), product(order[i, j] + 1, j))

    words = "multi_dot(): expected out tensor to have dtype {wanted} but got {got}"
    result = product(0, len(listed) - 1)
    if out is None and not result.requires_grad:
        result = result.view(result.shape)  # a view, as PyTorch makes one
    return copy_to(out, result, words)


def cheapest(lengths: list[int]) -> dict[tuple[int, int], int]:
    """Where to split each run of a chain of matrices (i … j) so that the fewest numbers are multiplied.

    >>> cheapest([10, 1, 10, 1])[0, 2]
    0
    """
    count = len(lengths) - 1
    cost = {(i, i): 0 for i in range(count)}
    parted: dict[tuple[int, int], int] = {}
    for wide in range(1, count):
        for i in range(count - wide):
            j = i + wide
            prices = {
                k: cost[i, k] + cost[k + 1, j] + lengths[i] * lengths[k + 1] * lengths[j + 1] for k in range(i, j)
            }
            parted[i, j] = min(prices, key=prices.__getitem__)
            cost[i, j] = prices[parted[i, j]]
    return parted


def _check_chain(listed: list[Tensor]) -> None:
    last = len(listed) - 1
    for i in (0, last, *range(1, last)):
        t = listed[i]
        ends = "first" if i == 0 else "last" if i == last else ""
        if t._array.ndim not in ((1, 2) if ends else (2,)):
            problem = f"the {ends} tensor must be 1D or 2D" if ends else f"tensor {i} must be 2D"
            refuse_size(f"multi_dot(): {problem} but got {t._array.ndim}D", "only the ends of a chain may be vectors")
    for i in range(1, len(listed)):
        a, b = listed[0], listed[i]
        if a._dtype is not b._dtype:
            one, two = (cpp_name(t._dtype, "") for t in (a, b))
            problem = f"tensor 0 is {one} and tensor {i} {two}"
            refuse_dtypes(f"multi_dot(): all tensors must have be the same dtype but {problem}", a, b)
    for i in range(last):
        x, y = listed[i]._array.shape, listed[i + 1]._array.shape
        if x[-1] != y[0]:
            refuse_size(
                f"multi_dot(): tensors {i} and {i + 1} with shapes {list(x)} and {list(y)} cannot be multiplied",
                f"{x[-1]} columns meet {y[0]} rows",
            )


@linear_composite("linalg.vecdot", "Computes the dot product of vectors along a dimension, the first one conjugated.")
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    check_floating("linalg.vecdot", x, low_precision=True)
    if x._dtype is not y._dtype:
        refuse_dtypes(
            f"linalg.vecdot: Expected x and y to have the same dtype, but found x of type {x._dtype._type_name} "
            f"and y of type {y._dtype._type_name} instead",
            x,
            y,
        )
    check_out(x._dtype, out, "linalg.vecdot: Expected out of dtype{Wanted} but found {Got}")
    if x._array.ndim == 1 and y._array.ndim == 1:
        return copy_to(out, OPS["dot"].function(OPS["conj"].function(x), y))
    product = OPS["mul"].function(OPS["conj"].function(x), y)
    return OPS["sum"].function(product, dim, dtype=x._dtype, out=out)


@linear_row("linalg.cross", "Computes the cross product of vectors of three elements.", fill_crossed, out="same")
def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Answer:
    return crossed(input, other, dim)


@linear_composite("linalg.diagonal", "Returns the diagonal of the last two dimensions. A view.")
def linalg_diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:  # noqa: N803
    return OPS["diagonal"].function(A, offset, dim1, dim2)


@linear_composite("linalg.matmul", "Computes the product of vectors, matrices or batches of matrices.")
def linalg_matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    return OPS["matmul"].function(input, other, out=out)


@linear_row(
    "linalg.vander",
    "Returns a Vandermonde matrix: the powers of each number, one number per row.",
    partial(quietly, fill_powers),
    out=None,
)
def linalg_vander(x: Tensor, N: int | None = None) -> Answer:  # noqa: N803
    d = x._dtype
    if d._kind == BOOL or d._kind == FLOAT and d not in (dtypes.float32, dtypes.float64):
        refuse(
            RuntimeError,
            f"linalg.vander supports floating point, complex, and integer tensors, but got {d._type_name}",
            f"powers of {d} are not computed",
            "x.float()",
            rule="linalg.dtype",
        )
    size = x._array.shape or (1,)
    count = size[-1] if N is None else N
    if count <= 1:
        refuse(
            RuntimeError,
            "N must be greater than 1.",
            "with one column, all elements would be ones",
            rule="linalg.vander",
        )
    d = dtypes.int64 if d._kind == INTEGER else d
    return Result((*size, count), d), (x._array, True, d)
