"""Layer normalization of rows, some at a time, so that each step finds its numbers in the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
from numpy import ndarray

from ..fma import fused, fused_sum
from ..in_double import DOUBLE, SINGLE
from ..sums.lane_sums import lane_sums, lane_sums_of_products
from ..sums.ordered_sum import in_sequence
from ..sums.scaled_rows import add_scaled_rows, are_scalable
from .batch_norm import NEAR
from .moments import are_few, moments

PIECE = 1 << 17
"""Elements in a piece."""

LONG = 4096
"""Elements of a row from which a sum in one go is not exact enough."""

FEW_ROWS = 128
"""Up to this many rows are added one after the other for the gradient of a weight."""

MANY = 1 << 14
"""Elements from which products of matrices are quicker than steps that take a number of each row."""


def _pieces(rows: np.ndarray) -> Iterator[slice]:
    count = max(1, PIECE // max(rows.shape[1], 1))
    for start in range(0, len(rows), count):
        yield slice(start, start + count)


def normalize(
    rows: ndarray, weight: ndarray | None, bias: ndarray | None, eps: float, out: ndarray, mean: ndarray, scale: ndarray
) -> None:
    """Write normalized rows, their means and the inverses of their deviations. Rows and results have one dtype.

    >>> out, mean, scale = np.empty((1, 2)), np.empty((1, 1)), np.empty((1, 1))
    >>> normalize(np.array([[1.0, 3.0]]), None, None, 0.0, out, mean, scale)
    >>> out.tolist(), mean.item(), scale.item()
    ([[-1.0, 1.0]], 2.0, 1.0)
    """
    steps = normalize_few if are_few(rows) else normalize_some_at_a_time
    steps(rows, weight, bias, eps, out, mean, scale)


def normalize_some_at_a_time(
    rows: ndarray, weight: ndarray | None, bias: ndarray | None, eps: float, out: ndarray, mean: ndarray, scale: ndarray
) -> None:
    """The same for any number of rows."""
    count = rows.dtype.type(max(rows.shape[1], 1))
    factors = _factors(rows, weight, bias) if rows.size >= MANY and type(rows) is ndarray else None
    for part in _pieces(rows):
        normal = out[part]
        if factors is not None and _by_products(rows[part], factors, eps, normal, mean[part, 0], scale[part, 0]):
            continue
        center = _sums(rows[part])[:, None] / count
        np.subtract(rows[part], center, normal)
        variance = np.matmul(normal[:, None], normal[:, :, None])[:, 0] / count  # of each row with itself: by BLAS
        inverse = 1 / np.sqrt(variance + rows.dtype.type(eps))
        normal *= inverse
        if weight is not None:
            normal *= weight
        if bias is not None:
            normal += bias
        elif weight is not None:
            normal += 0  # a factor below 0 makes a negative zero of 0
        mean[part], scale[part] = center, inverse


def normalize_few(
    rows: ndarray, weight: ndarray | None, bias: ndarray | None, eps: float, out: ndarray, mean: ndarray, scale: ndarray
) -> None:
    """The same for few float32, with every rounding of PyTorch."""
    mean[:, 0], variance = moments(rows)
    scale[:, 0] = 1 / np.sqrt(variance + SINGLE.type(eps))
    np.subtract(rows, mean, out)
    last = scale
    if weight is not None:
        np.multiply(out, scale, out)
        last = weight
    if bias is not None:
        out[...] = out.astype(DOUBLE) * last.astype(DOUBLE) + bias.astype(DOUBLE)
    else:
        np.multiply(out, last, out)
    if weight is not None and bias is None:
        out += 0  # a factor below 0 makes a negative zero of 0


def _factors(rows: ndarray, weight: ndarray | None, bias: ndarray | None) -> ndarray | None:
    """The weight and the bias in one matrix of two rows; None if they are not finite."""
    width = rows.shape[1]
    factors = np.empty((2, width), rows.dtype)
    factors[0], factors[1] = 1 if weight is None else weight, 0 if bias is None else bias
    return factors if np.vdot(factors, factors) < np.inf else None


def _by_products(rows: ndarray, factors: ndarray, eps: float, out: ndarray, mean: ndarray, scale: ndarray) -> bool:
    """The same as rows * (scale * weight) + (bias - mean * scale * weight), where both sums are products of matrices.

    False, and nothing of use is written, if a row's mean is larger than its deviation: the difference of two large
    numbers would lose digits.
    """
    count = rows.dtype.type(rows.shape[1])
    np.divide(_sums(rows), count, mean)
    squares = np.matmul(rows[:, None], rows[:, :, None])[:, 0, 0] / count
    variance = squares - mean * mean
    if not (variance + variance >= squares).all() or not np.maximum.reduce(variance) < np.inf:
        return False
    variance += rows.dtype.type(eps)
    np.divide(1, np.sqrt(variance, variance), scale)
    of_rows = np.zeros((2, len(rows)), rows.dtype)
    of_rows[0] = scale
    np.matmul(of_rows.T, factors, out=out)
    out *= rows
    np.multiply(mean, scale, of_rows[0])
    np.negative(of_rows[0], of_rows[0])
    of_rows[1] = 1
    _gemm(rows.dtype)(1, factors.T, of_rows, 1, out.T, overwrite_c=True)
    return True


@cache
def _gemm(dtype: np.dtype) -> Callable:
    """BLAS's product of matrices, which adds to what is there: matrices are given as they are stored in Fortran."""
    from scipy.linalg import get_blas_funcs

    found: Callable = get_blas_funcs("gemm", dtype=dtype)
    return found


def _sums(rows: ndarray) -> ndarray:
    return np.einsum("ij->i", rows) if rows.shape[1] < LONG else np.add.reduce(rows, 1)


def gradients_of_layer(
    grad: ndarray, x: ndarray, mean: ndarray, scale: ndarray, weight: ndarray | None, needed: tuple[bool, bool, bool],
    like: tuple[int, ...],
) -> tuple[ndarray | None, ndarray | None, ndarray | None]:  # fmt: skip
    """The gradients of the input, of the weight and of the bias, each row by row in memory; the last dimensions of the
    input, which are `like` this, were normalized together.
    """
    width = x.size // mean.size
    of_rows, of_weight, of_bias = gradients(
        np.ascontiguousarray(grad).reshape(-1, width),
        np.ascontiguousarray(x).reshape(-1, width),
        mean.reshape(-1, 1),
        scale.reshape(-1, 1),
        None if weight is None else np.ascontiguousarray(weight).reshape(-1),
        needed,
    )
    return (
        None if of_rows is None else of_rows.reshape(x.shape),
        None if of_weight is None else of_weight.reshape(like),
        None if of_bias is None else of_bias.reshape(like),
    )


def gradients(
    grad: ndarray, rows: ndarray, mean: ndarray, scale: ndarray, weight: ndarray | None, needed: tuple[bool, bool, bool]
) -> tuple[ndarray | None, ndarray | None, ndarray | None]:
    """The gradients of the rows, of the weight and of the bias; None for those that are not needed.

    Sums of products are products with a vector, which BLAS computes in one pass.
    """
    if are_few(rows) and type(grad) is ndarray:
        return _gradients_of_few(grad, rows, mean, scale, weight, needed)
    width, number = rows.shape[1], rows.dtype.type
    of_rows = np.empty_like(rows) if needed[0] else None
    of_weight = np.zeros(width) if needed[1] else None
    of_bias = np.zeros(width) if needed[2] else None
    factors = np.ones(width, rows.dtype) if weight is None else weight
    near = are_scalable(rows, grad) and (np.abs(mean) * scale).max() < NEAR
    for part in _pieces(rows):
        g = grad[part]
        if near:
            given = g, rows[part], mean[part, 0], scale[part, 0], factors
            _add_gradients(given, None if of_rows is None else of_rows[part], of_weight, of_bias)
            continue
        if of_bias is not None:
            of_bias += np.ones(len(g), g.dtype) @ g
        if of_rows is None and of_weight is None:
            continue
        centered = np.subtract(rows[part], mean[part])
        products = np.multiply(g, centered)
        if of_weight is not None:
            of_weight += scale[part, 0] @ products
        if of_rows is not None:
            centered *= (products @ factors)[:, None] * scale[part] ** 2 / number(width)
            centered += (g @ factors)[:, None] / number(width)
            slope = g if weight is None else np.multiply(g, weight, products)
            slope = np.subtract(slope, centered, of_rows[part])
            slope *= scale[part]
    return (
        of_rows,
        None if of_weight is None else of_weight.astype(rows.dtype),
        None if of_bias is None else of_bias.astype(rows.dtype),
    )


def _add_gradients(given: tuple, of_rows: ndarray | None, of_weight: ndarray | None, of_bias: ndarray | None) -> None:
    """The same for rows near zero, whose mean is subtracted from sums in place of each number."""
    grad, rows, mean, scale, factors = given
    if of_bias is not None:
        of_bias += np.ones(len(grad), grad.dtype) @ grad
    products = np.multiply(grad, rows)
    if of_weight is not None:
        of_weight += scale @ products
        of_weight -= (scale * mean) @ grad
    if of_rows is not None:
        width = rows.dtype.type(rows.shape[1])
        total = grad @ factors
        slope = (mean * total - products @ factors) * scale**3 / width
        np.copyto(of_rows, (-total * scale / width - slope * mean)[:, None])
        add_scaled_rows(of_rows, slope, rows)
        add_scaled_rows(of_rows, scale, np.multiply(grad, factors, products))


def _gradients_of_few(
    grad: ndarray, rows: ndarray, mean: ndarray, scale: ndarray, weight: ndarray | None, needed: tuple[bool, bool, bool]
) -> tuple[ndarray | None, ndarray | None, ndarray | None]:
    """The same for few float32, with every rounding of PyTorch."""
    of_rows = of_weight = of_bias = None
    if needed[0]:
        count = SINGLE.type(rows.shape[1])
        weighted = np.multiply(grad, rows), grad
        if weight is None:
            along, total = lane_sums_of_products(grad, rows)[:, None], lane_sums(grad)[:, None]
        else:
            along, total = (lane_sums_of_products(g, np.broadcast_to(weight, g.shape))[:, None] for g in weighted)
        share = SINGLE.type(1) / count
        slope = fused(total, mean, -along) * scale * scale * scale * share
        shift = fused(-slope, mean, -(total * scale * share))
        steep = scale * grad if weight is None else scale * grad * weight
        of_rows = fused(slope, rows, steep) + shift
    if needed[1]:
        normal = fused(scale, rows, -scale * mean)
        of_weight = fused_sum(grad, normal) if len(rows) <= FEW_ROWS else np.add.reduce(grad * normal, 0)
    if needed[2]:
        of_bias = in_sequence(grad[None])[0]
    return of_rows, of_weight, of_bias
