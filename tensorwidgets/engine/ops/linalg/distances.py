"""Distances and related ops: cdist, renorm, cross, cov, corrcoef, vander."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy.casts import cast
from ...backends.numpy.fma import once_rounded
from ...backends.numpy.rounded_steps import rounding
from ...backends.numpy.without_warnings import quietly
from ...calling.handed_on import COMPUTE_MODES
from ...declare.rules import Answer, Result, composite_row, computed_row, written_over
from ...dispatch.registry import OPS
from ...errors.reasons import refuse, sure
from ...errors.warnings import warn
from ...memory.places import as_array
from ...tensor.lookups import checked_dim
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import BOOL, COMPLEX, FLOAT, HALVES, INTEGER, dtype
from ..pointwise.rows import INPLACE
from ..reductions.cumulative import fill_accumulated
from . import elsewhere

_row = partial(computed_row, family="reduction", category="other")


def _do(name: str, *args: Any) -> Tensor:
    return OPS[name].function(*args)


def _refuse(message: str, words: str, *ways: str, error: type[Exception] = RuntimeError, **facts: Any) -> None:
    refuse(error, message, words, *ways, rule="distance", **facts)


# -- distances ---------------------------------------------------------------------------------------------------


def _between(a: np.ndarray, b: np.ndarray, p: float) -> np.ndarray:
    """Compute the distances between all pairs of rows of two matrices."""
    from scipy.spatial import distance

    if p == 0:
        return distance.cdist(a, b, "hamming") * a.shape[1]
    if p == 1 or p == np.inf or p == 2:
        return distance.cdist(a, b, "cityblock" if p == 1 else "euclidean" if p == 2 else "chebyshev")
    return distance.cdist(a, b, "minkowski", p=p)


def _by_products(a: np.ndarray, b: np.ndarray, d: dtype) -> Any:
    """Distances of points in 16-bit floats from a product of matrices: |x|^2 - 2 x y + |y|^2, rounded on the way."""
    rounded = rounding(d._in_numpy, np.dtype(np.float32))
    x, y = cast(a, dtypes.float32), cast(b, dtypes.float32)
    own, other = (rounded(np.square(t)).sum(-1, keepdims=True, dtype=np.float64) for t in (x, y))
    own, other = rounded(own.astype(np.float32)), rounded(other.astype(np.float32))
    crossed = np.matmul(-2 * x, np.swapaxes(y, -1, -2))
    return rounded(np.sqrt(np.maximum(rounded(crossed + own + np.swapaxes(other, -1, -2)), 0)))


def fill_distances_of_halves(target: np.ndarray, a: np.ndarray, b: np.ndarray, d: dtype) -> None:
    quietly(np.copyto, target, quietly(_by_products, a, b, d) if target.size and a.shape[-1] else 0, "unsafe")


def fill_distances(target: np.ndarray, a: np.ndarray, b: np.ndarray, p: float, d: dtype) -> None:
    if d in HALVES:
        fill_distances_of_halves(target, a, b, d)
        return
    batch = target.shape[:-2]
    if not a.shape[-1] or not target.size:
        target[...] = 0
        return
    there = elsewhere.distances(a, b, p)
    if there is not None:
        target[...] = there
        return
    one, two = np.broadcast_to(a, (*batch, *a.shape[-2:])), np.broadcast_to(b, (*batch, *b.shape[-2:]))
    for at in np.ndindex(batch):
        quietly(np.copyto, target[at], _between(one[at], two[at], p), "unsafe")


@_row(
    "cdist",
    "Computes the distances between all pairs of rows of two matrices or batches of matrices.",
    fill_distances,
    forms="function",
    out=None,
)
def _cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: Any = COMPUTE_MODES[0]) -> Answer:
    if compute_mode not in COMPUTE_MODES:
        _refuse(f"{compute_mode} is not a valid value for compute_mode", "there are three ways", error=ValueError)
    for name, t in (("X1", x1), ("X2", x2)):
        if must_be_tensor("cdist", t, name.lower(), 1 if t is x1 else 2)._array.ndim < 2:
            _refuse(
                f"cdist only supports at least 2D tensors, {name} got: {t._array.ndim}D",
                "each row is a point",
                "x[None]",
            )
    a, b = x1._array.shape, x2._array.shape
    if a[-1] != b[-1]:
        _refuse(
            f"X1 and X2 must have the same number of columns. X1: {a[-1]} X2: {b[-1]}",
            f"points with {a[-1]} coordinates have no distance to points with {b[-1]}",
        )
    for name, t in (("X1", x1), ("X2", x2)):
        if t._dtype._kind != FLOAT:
            _refuse(
                f"cdist only supports floating-point dtypes, {name} got: {t._dtype._type_name}",
                "a distance is seldom a whole number",
                "x.float()",
            )
    if not p >= 0:
        _refuse("cdist only supports non-negative p values", "p says which norm", "p=2.0")
    batch = sure(geometry.broadcast(a[:-2], b[:-2]))
    asked = compute_mode == COMPUTE_MODES[1]
    many = compute_mode == COMPUTE_MODES[0] and max(a[-2], b[-2]) > 25
    by_products = p == 2 and (asked or many) or 0 in (*batch, a[-1], a[-2], b[-2])
    if x1._dtype in HALVES and not by_products:
        refuse_dtype("cdist", x1._dtype)
    if x1._dtype is not x2._dtype and a[-2] and b[-2]:
        _refuse(
            f"expected scalar type {x1._dtype._type_name} but found {x2._dtype._type_name}", "they are not promoted"
        )
    return Result((*batch, a[-2], b[-2]), x1._dtype), (x1._array, x2._array, float(p), x1._dtype)


# -- lengths -----------------------------------------------------------------------------------------------------


def _check_renorm(input: Tensor, p: float, dim: int, maxnorm: float) -> int:
    ndim = input._array.ndim
    if isinstance(p, complex) or isinstance(maxnorm, complex):
        what, verb = ("p", "real-valued") if isinstance(p, complex) else ("maxnorm", "real-valued")
        _refuse(f"renorm: {what} must be {verb}", "a length is a real number")
    if not p > 0:
        _refuse("renorm: non-positive-norm not supported", "p says which norm", "p=2")
    if not maxnorm >= 0:
        _refuse(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}", "no length is negative")
    if ndim < 2:
        _refuse(
            f"renorm: input needs at least 2 dimensions, got {ndim} dimensions", "one dimension counts the vectors",
            "x[None]",
        )  # fmt: skip
    d = checked_dim(dim, ndim)
    if input._dtype._kind not in (FLOAT, COMPLEX):
        _refuse(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got " + input._dtype._type_name,
            "a norm is rarely an integer",
            "x.float()",
        )
    return d


def fill_renormed(target: np.ndarray, values: np.ndarray, p: float, dim: int, maxnorm: float, d: dtype) -> None:
    values = cast(values, dtypes.opmath(d))
    others = tuple(n for n in range(values.ndim) if n != dim)
    if p != np.inf:
        norm = np.sum(np.abs(values) ** p, axis=others, keepdims=True) ** (1 / p)
    else:
        norm = np.max(np.abs(values), axis=others, keepdims=True, initial=0)
    factor = np.where(norm > maxnorm, maxnorm / (norm + 1e-7), 1).astype(norm.dtype)
    factor = rounding(d._in_numpy, factor.dtype)(factor)
    target[...] = cast(as_array(values * factor), d)


@_row(
    "renorm",
    "Scales each slice along a dimension so that its norm is at most maxnorm.",
    partial(quietly, fill_renormed),
    family="pointwise",
    out="same",
)
def _renorm(input: Tensor, p: float, dim: int, maxnorm: float) -> Answer:
    must_be_tensor("renorm", input)
    d = _check_renorm(input, p, dim, maxnorm)
    return Result(input._array.shape, input._dtype), (input._array, p, d, maxnorm, input._dtype)


INPLACE["renorm_"] = written_over("renorm")


# -- cross products ----------------------------------------------------------------------------------------------


def fill_crossed(target: np.ndarray, x: np.ndarray, y: np.ndarray, dim: int) -> None:
    a, b = (np.moveaxis(np.broadcast_to(values, target.shape), dim, 0) for values in (x, y))
    rows = np.moveaxis(target, dim, 0)
    joined = type(target) is np.ndarray and target.dtype in (np.float32, np.float64)
    with np.errstate(all="ignore"):
        for place, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
            product = a[j] * b[i]
            # PyTorch's compiler joins one product and the difference, so that a vector times itself is not quite zero.
            rows[place, ...] = once_rounded(a[i], b[j], -product) if joined else a[i] * b[j] - product


def crossed(input: Tensor, other: Tensor, dim: int) -> Answer:
    """The rule of a cross product along a dimension of size 3."""
    if input._array.ndim != other._array.ndim:
        _refuse(
            "linalg.cross: inputs must have the same number of dimensions.",
            "the sizes are matched dimension by dimension",
        )
    x, y = input._array.shape, other._array.shape
    if not x:
        input.size(dim)  # which PyTorch asks for, and refuses
    d = checked_dim(dim, len(x))
    if x[d] != 3 or y[d] != 3:
        _refuse(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {x[d]} and {y[d]}",
            "a cross product is defined for vectors of three elements",
        )
    size = sure(geometry.broadcast(x, y))
    if input._dtype is not other._dtype:
        _refuse(
            f"expected scalar type {input._dtype._type_name} but found {other._dtype._type_name}",
            "they are not promoted",
        )
    if input._dtype is dtypes.bool_:
        refuse_dtype("cross", input._dtype)

    return Result(size, input._dtype), (input._array, other._array, d)


@_row(
    "cross",
    "Computes the cross product of vectors of three elements.",
    fill_crossed,
    out="same",
)
def _cross(input: Tensor, other: Tensor, dim: int | None = None) -> Answer:
    must_be_tensor("cross", input)
    must_be_tensor("cross", other, "other", 2)
    if dim is None:
        warn(
            "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or "
            "simply use torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross "
            "in a future release.",
            once=True,
        )
        dim = next((d for d, n in enumerate(input._array.shape) if n == 3), None)
        if dim is None:
            _refuse(
                "no dimension of size 3 in input", f"size {list(input._array.shape)} has no dimension of three elements"
            )
    assert dim is not None
    return crossed(input, other, dim)


# -- covariance --------------------------------------------------------------------------------------------------


def _weights(name: str, w: Tensor, kind: int, kind_words: str, count: int) -> None:
    if w._array.ndim > 1:
        _refuse(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with {w._array.ndim} dimensions",
            "each observation has one weight",
        )
    if w._dtype._kind != kind:
        _refuse(
            f"cov(): expected {name} to have {kind_words} dtype but got {name} with {w._dtype._type_name} dtype",
            "fweights count observations, aweights weigh them",
        )
    if w._array.size != count:
        _refuse(
            f"cov(): expected {name} to have the same numel as there are observations in the input but got "
            f"{w._array.size} != {count}",
            "each observation has one weight",
        )
    if place_of(w).has_numbers and w._array.size and w._array.min() < 0:
        _refuse(f"cov(): {name} cannot be negative", "an observation cannot have a negative weight")


def check_cov(input: Tensor, fweights: Tensor | None, aweights: Tensor | None) -> None:
    """Refuse what has no covariance, and weights that weigh no observations."""
    must_be_tensor("cov", input)
    shape = input._array.shape
    if len(shape) > 2:
        _refuse(
            f"cov(): expected input to have two or fewer dimensions but got an input with {len(shape)} dimensions",
            "rows are variables, columns observations",
        )
    if input._dtype._kind == BOOL:
        _refuse(
            "cov(): bool dtype is not supported for input", "the covariance of truth values is not defined", "x.float()"
        )
    count = shape[1] if len(shape) == 2 else input._array.size
    if fweights is not None:
        _weights("fweights", fweights, INTEGER, "integral", count)
    if aweights is not None:
        _weights("aweights", aweights, FLOAT, "floating point", count)


@composite_row(
    "cov",
    "Computes the covariance matrix of variables (rows) over observations (columns).",
    family="reduction",
    category="other",
)
def cov(
    input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    check_cov(input, fweights, aweights)
    rows = input if input._array.ndim == 2 else _do("reshape", input, (1, -1))
    count = rows._array.shape[1]
    weights = fweights
    if aweights is not None:
        weights = aweights if weights is None else _do("mul", weights, aweights)
    if weights is not None and place_of(weights).has_numbers and not weights._array.any():
        _refuse("cov(): weights sum to zero, can't be normalized", "nothing was observed")
    total: Any = count if weights is None else weights.sum()
    mean = _do("sum", rows, 1) / count if weights is None else _do("sum", _do("mul", rows, weights), 1) / total
    free: Any = total - correction
    if weights is not None and aweights is not None and correction != 0:
        free = total - correction * (weights * aweights).sum() / total
    free = free.item() if isinstance(free, Tensor) and place_of(free).has_numbers else free
    if not isinstance(free, Tensor) and free <= 0:
        warn("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.")
        free = 0
    apart = _do("sub", rows, _do("unsqueeze", mean, 1))
    weighted = apart if weights is None else _do("mul", apart, weights)
    result = _do("mm", apart, _do("resolve_conj", _do("conj", weighted.t())))
    return _do("squeeze", _do("div", result, free))


@composite_row(
    "corrcoef",
    "Computes the correlation matrix of variables (rows) over observations (columns).",
    family="reduction",
    category="other",
)
def _corrcoef(input: Tensor) -> Tensor:
    must_be_tensor("corrcoef", input)
    if input._array.ndim > 2:
        _refuse(
            "corrcoef(): expected input to have two or fewer dimensions but got an input with "
            f"{input._array.ndim} dimensions",
            "rows are variables, columns observations",
        )
    c = _do("cov", input)
    if not c._array.ndim:
        return _do("div", c, c)
    spread = _do("sqrt", _do("diagonal", c))
    if spread._dtype._kind == COMPLEX:
        spread = _do("real", spread)
    result = _do("div", _do("div", c, _do("unsqueeze", spread, 1)), spread)
    if result._dtype._kind != COMPLEX:
        return OPS["clamp"].function(result, -1, 1)
    parts = (OPS["clamp"].function(_do(part, result), -1, 1) for part in ("real", "imag"))
    return _do("complex", *parts)


# -- powers ------------------------------------------------------------------------------------------------------


def fill_powers(target: np.ndarray, x: np.ndarray, increasing: bool, d: dtype) -> None:
    """The powers of each number along the last dimension: a one, and running products."""
    if not target.size:
        return
    ordered = target if increasing else target[..., ::-1]
    ordered[..., 0] = 1
    powers = ordered[..., 1:]
    fill_accumulated(powers, np.repeat(x.reshape(*powers.shape[:-1], 1), powers.shape[-1], -1), np.multiply, -1, d)


@_row(
    "vander",
    "Returns a Vandermonde matrix: the powers of each number, one number per row.",
    partial(quietly, fill_powers),
    forms="function",
    out=None,
)
def _vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Answer:  # noqa: N803
    must_be_tensor("vander", x, "x")
    if x._array.ndim != 1:
        _refuse("x must be a one-dimensional tensor.", "each number gives a row of powers", "x.flatten()")
    if N is not None and N < 0:
        _refuse("N must be non-negative.", "N counts powers")
    n = x._array.shape[0]
    columns = n if N is None else N
    d = dtypes.int64 if x._dtype._kind <= INTEGER else x._dtype
    return Result((n, columns), d), (x._array, increasing, d)
