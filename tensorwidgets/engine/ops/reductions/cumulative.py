"""Cumulative ops along a dimension: cumsum, cumprod, cummax and others; diff, gradient, trapezoid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import geometry
from ...backends.numpy.casts import cast
from ...backends.numpy.float_sum import sum_dtype
from ...backends.numpy.parallel_scan import accumulate
from ...backends.numpy.without_warnings import quietly
from ...declare.by_signature import cpp_name, no_kernel, same_dtype
from ...declare.reductions import fold_as, long_for_small, must_be_tensor, put, reduced_dims
from ...declare.views import as_dim
from ...dispatch import stations
from ...dispatch.registry import OPS, Op, add_row
from ...errors.reasons import refuse
from ...tensor.results import finish
from ...tensor.tensor import Tensor, checked_dim, is_meta, place_of, size_and_stride
from ...types import dtypes
from ...types.dtypes import COMPLEX, FLOAT, HALVES, dtype
from ...types.return_types import result


def running(name: str, words: str, *aliases: str, forms: str = "function method", category: str = "other") -> Callable:
    """Declare an op along a dimension."""

    def declare(plain: Callable) -> Callable:
        row = Op(name, "running", category, words, kernel=plain, aliases=aliases, forms=frozenset(forms.split()))
        return stations.bind(add_row(row), plain)

    return declare


def like(input: Tensor, d: dtype, out: Tensor | None, fill: Callable[[np.ndarray], None]) -> Tensor:
    """Allocate a result of the input's size, dense in its dimension order."""
    size, stride = size_and_stride(input)
    return finish(size, d, out, fill, place_of(input), geometry.preserve_stride(size, stride))


def into_itself(name: str, function: Callable) -> None:
    """The `_` form of a running op: the result is written over the input."""

    @running(f"{name}_", f"In-place form of `{name}`.", forms="method")
    def inplace(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
        must_be_tensor(name, input)
        d = input._dtype if dtype is None else dtypes.of_type(dtype)
        if d is not input._dtype:
            refuse(
                RuntimeError,
                f"Bad in-place call: input tensor dtype {cpp_name(input._dtype)} and output tensor dtype {cpp_name(d)} "
                "should match",
                f"the tensor is of {input._dtype}, and a tensor keeps its dtype",
                f"x.{name}(dim, dtype={d})",
                rule="running.dtype",
            )
        return OPS["copy_"].function(input, function(input, dim, dtype=d))


def _accumulated(name: str, ufunc: np.ufunc, words: str) -> None:
    @running(name, words)
    def cumulate(input: Tensor, dim: int, *, dtype: Any = None, out: Tensor | None = None) -> Tensor:
        must_be_tensor(name, input)
        d = checked_dim(as_dim(name, dim), input._array.ndim)
        if out is not None and dtype is None:
            keep = out._dtype
        else:
            keep = long_for_small(input._dtype) if dtype is None else dtypes.of_type(dtype)
        same_dtype(out, keep)
        if keep in dtypes.FLOAT8 or keep is dtypes.bool_ or keep in dtypes.BAREBONES_UNSIGNED:
            no_kernel(f"{name}_out_cpu", keep)

        def fill(target: np.ndarray) -> None:
            values = cast(input._array, keep)
            if not values.ndim:
                target[...] = values
            elif keep in HALVES:  # PyTorch accumulates these in float32
                target[...] = cast(quietly(ufunc.accumulate, cast(values, dtypes.float32), d), keep)
            else:
                accumulate(ufunc, values, d, target, sum_dtype(keep._in_numpy))

        return like(input, keep, out, fill)

    into_itself(name, cumulate)


_accumulated("cumsum", np.add, "Returns the cumulative sum along a dimension.")
_accumulated("cumprod", np.multiply, "Returns the cumulative product along a dimension.")


def _running_extreme(name: str, better: Callable, words: str) -> None:
    @running(name, words)
    def cumulate(input: Tensor, dim: int, *, out: Any = None) -> Any:
        must_be_tensor(name, input)
        d = checked_dim(as_dim(name, dim), input._array.ndim)
        if input._dtype._kind == COMPLEX or input._dtype in dtypes.FLOAT8 | dtypes.BAREBONES_UNSIGNED:
            refuse(
                NotImplementedError,
                f"\"{name}_cpu\" not implemented for '{input._dtype._type_name}'",
                f"PyTorch orders no {input._dtype}",
                rule="running.dtype",
            )
        array = input._array
        collected: dict[str, np.ndarray] = {}
        if not is_meta(input):
            values = array if array.dtype.isbuiltin == 1 else array.astype(np.float32)
            moved = np.moveaxis(values, d, 0) if array.ndim else values.reshape(1)
            best, place = _extremes(moved, better)
            back = (lambda a: np.moveaxis(a, 0, d)) if array.ndim else (lambda a: a.reshape(()))
            collected = {"values": back(best), "indices": back(place)}

        def filler(which: str) -> Callable[[np.ndarray], None]:
            return lambda target: np.copyto(target, collected[which], casting="unsafe")

        outs = out if out is not None else (None, None)
        return result(
            name,
            ("values", "indices"),
            (
                like(input, input._dtype, outs[0], filler("values")),
                like(input, dtypes.int64, outs[1], filler("indices")),
            ),
        )


def _extremes(values: np.ndarray, better: Callable) -> tuple[np.ndarray, np.ndarray]:
    """The best so far and where it was; of equals the latest, and NaN once it has come."""
    best = np.empty_like(values)
    place = np.zeros(values.shape, np.int64)
    for i in range(values.shape[0]):
        if i == 0:
            best[0] = values[0]
            continue
        new, old = values[i], best[i - 1]
        wins = better(new, old)
        if values.dtype.kind == "f":
            wins = (wins & ~np.isnan(old)) | np.isnan(new)
        best[i] = np.where(wins, new, old)
        place[i] = np.where(wins, i, place[i - 1])
    return best, place


_running_extreme("cummax", np.greater_equal, "Returns the cumulative maximum along a dimension, and its indices.")
_running_extreme("cummin", np.less_equal, "Returns the cumulative minimum along a dimension, and its indices.")


@running("logcumsumexp", "Returns the logarithm of the cumulative sum of exponentials along a dimension.")
def logcumsumexp(input: Tensor, dim: int, *, out: Tensor | None = None) -> Tensor:
    must_be_tensor("logcumsumexp", input)
    d = checked_dim(as_dim("logcumsumexp", dim), input._array.ndim)
    keep = input._dtype
    if keep._kind not in (FLOAT, COMPLEX) or keep in dtypes.FLOAT8:
        refuse(
            NotImplementedError,
            f"\"logcumsumexp_out_cpu\" not implemented for '{keep._type_name}'",
            "a logarithm is seldom a whole number",
            "x.float()",
            rule="running.dtype",
        )
    if out is not None and out._dtype is not keep:
        refuse(
            RuntimeError,
            f"expected scalar_type {keep._type_name} but found {out._dtype._type_name}",
            f"this op does not convert on its way to out=: the result is of {keep}",
            f"out=torch.empty(0, dtype={keep})",
            rule="out.dtype",
        )

    def fill(target: np.ndarray) -> None:
        values = cast(input._array, dtypes.float32) if keep in HALVES else input._array
        if not values.ndim:
            target[...] = values
        elif keep._kind == COMPLEX:
            quietly(np.copyto, target, quietly(_log_sums, values.astype(np.complex128), d), "unsafe")
        elif keep in HALVES:
            quietly(np.copyto, target, quietly(np.logaddexp.accumulate, values, d), "unsafe")
        else:
            accumulate(np.logaddexp, values, d, target, sum_dtype(keep._in_numpy))

    return like(input, keep, out, fill)


def _log_sums(values: np.ndarray, d: int) -> np.ndarray:
    """logcumsumexp of complex numbers; one by one where an exponential would overflow or vanish."""
    parts = np.abs(values.real)
    if not np.any(np.isfinite(parts) & (parts > 700)):
        return np.log(np.add.accumulate(np.exp(values), d))
    rows = np.moveaxis(values, d, 0)
    sums = rows.copy()
    for k in range(1, len(rows)):
        largest = np.maximum(sums[k - 1].real, rows[k].real)
        sums[k] = np.log(np.exp(sums[k - 1] - largest) + np.exp(rows[k] - largest)) + largest
    return np.moveaxis(sums, 0, d)


# -- differences and areas ---------------------------------------------------------------------------------------


@running("diff", "Computes the n-th differences of adjacent elements along a dimension.")
def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None, *, out: Tensor | None = None
) -> Tensor:
    must_be_tensor("diff", input)
    if not input._array.ndim:
        refuse(
            RuntimeError,
            "diff expects input to be at least one-dimensional",
            "one number has no neighbour",
            rule="diff.zero_dim",
        )
    if n < 0:
        refuse(RuntimeError, f"order must be non-negative but got {n}", "n counts how often", rule="diff.order")
    d = checked_dim(dim, input._array.ndim)
    parts = [p for p in (prepend, input, append) if p is not None]
    x = OPS["cat"].function(parts, d) if len(parts) > 1 else input
    narrow = OPS["narrow"].function
    subtract = OPS["logical_xor" if x._dtype is dtypes.bool_ else "sub"].function
    for _ in range(min(n, x._array.shape[d])):
        length = max(x._array.shape[d] - 1, 0)
        if not x._array.shape[d]:
            break
        x = subtract(narrow(x, d, 1, length), narrow(x, d, 0, length))
    if n == 0:  # prepend and append are ignored then
        x = OPS["clone"].function(input)
    if out is None:
        return x
    return finish(x._array.shape, x._dtype, out, lambda target: np.copyto(target, x._array), place_of(x))


@running(
    "gradient",
    "Estimates the gradient along dimensions by central differences.",
    forms="function",
    category="pointwise",
)
def gradient(input: Tensor, *, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> tuple[Tensor, ...]:
    must_be_tensor("gradient", input)
    dims = range(input._array.ndim) if dim is None else ([dim] if isinstance(dim, int) else list(dim))
    steps = _spacings(spacing, len(dims), named=dim is not None)
    if edge_order not in (1, 2):
        refuse(
            RuntimeError, "torch.gradient only supports edge_order=1 and edge_order=2.", "1 or 2", rule="gradient.order"
        )
    places = list(reduced_dims(tuple(dims), input._array.ndim)) if dims else []
    for d in places:
        if input._array.shape[d] < edge_order + 1:
            refuse(
                RuntimeError,
                "torch.gradient expected each dimension size to be at least edge_order+1",
                f"dimension {d} has {input._array.shape[d]} places",
                rule="gradient.size",
            )
    keep = input._dtype if input._dtype._kind >= FLOAT else dtypes.get_default_dtype()
    results = []
    for d, step in zip(places, steps, strict=True):
        h = None if is_meta(input) else _steps(step)

        def fill(target: np.ndarray, d: int = d, h: Any = h) -> None:
            target[...] = quietly(np.gradient, cast(input._array, keep), h, axis=d, edge_order=edge_order)

        results.append(finish(input._array.shape, keep, None, fill, place_of(input)))
    return tuple(results)


def _steps(step: Any) -> Any:
    """One distance, or where each place lies."""
    if not isinstance(step, Tensor):
        return step
    return step._array.astype(np.float64) if step._array.ndim else step.item()


def _spacings(spacing: Any, count: int, named: bool) -> list[Any]:
    if spacing is None:
        return [1.0] * count
    if isinstance(spacing, (int, float, complex, np.generic)):
        return [spacing] * count
    listed = list(spacing)
    if len(listed) != count:
        refuse(
            RuntimeError,
            "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the "
            f"same length, but got a spacing argument of length {len(listed)} and a dim argument of length {count}."
            if named
            else "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to "
            f"'self.dim() = {count}', "
            f"since dim argument was not given, but got a list of length {len(listed)}",
            "one step, or one for each dimension",
            rule="gradient.spacing",
        )
    return listed


def _by_heights(y: Tensor, dx: Any, d: int) -> Tensor:
    """The sum of the heights without half of both ends, times their distance, as PyTorch reckons it."""
    ops = OPS
    if not y._array.shape[d]:
        return ops["sum"].function(y, d)
    first, last = (ops["select"].function(y, d, at) for at in (0, -1))
    if y._dtype is dtypes.float32 and not isinstance(dx, Tensor) and not is_meta(y):
        # In float64 to the end: the ends may take off nearly all of the sum.
        heights = fold_as(np.add, y._array, (d,), False, y._dtype).astype(np.float64)
        area = (heights - (first._array.astype(np.float64) + last._array) * 0.5) * float(dx)
        return finish(area.shape, y._dtype, None, lambda target: put(target, area), place_of(y))
    ends = ops["mul"].function(ops["add"].function(first, last), 0.5)
    return ops["mul"].function(ops["sub"].function(ops["sum"].function(y, d), ends), dx)


def _area(name: str, cumulative: bool, words: str, *aliases: str) -> None:
    @running(name, words, *aliases, forms="function", category="blas_lapack")
    def area(y: Tensor, x: Any = None, *, dx: Any = 1, dim: int = -1) -> Tensor:
        must_be_tensor(name, y)
        ops = OPS
        d = checked_dim(dim, y._array.ndim)
        if y._dtype is dtypes.bool_:
            refuse(
                RuntimeError,
                f"{name}: received a bool input for `y`, but bool is not supported",
                "truths have no height",
                "y.float()",
                rule="area.bool",
            )
        length = max(y._array.shape[d] - 1, 0)
        narrow, add, mul, div = (ops[n].function for n in ("narrow", "add", "mul", "div"))
        if x is None and isinstance(dx, complex):
            refuse(
                RuntimeError,
                f"{name}: Currently, we only support dx as a real number.",
                "a width is a real number",
                "dx=1",
                rule="area.width",
            )
        if x is None and not cumulative:
            return _by_heights(y, dx, d)
        both = add(narrow(y, d, 0, length), narrow(y, d, min(1, y._array.shape[d]), length))
        if x is None:
            return ops["cumsum"].function(mul(both, dx / 2), d)
        width = ops["diff"].function(x, dim=d if x._array.ndim > 1 else 0)
        if x._array.ndim == 1 and y._array.ndim > 1:
            width = width.view([-1 if i == d else 1 for i in range(y._array.ndim)])
        both = mul(both, width)
        return div(ops["cumsum" if cumulative else "sum"].function(both, d), 2)


_area("trapezoid", False, "Integrates along a dimension by the trapezoidal rule.", "trapz")
_area("cumulative_trapezoid", True, "Integrates cumulatively along a dimension by the trapezoidal rule.")
