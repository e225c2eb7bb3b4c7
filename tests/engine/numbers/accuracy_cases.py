"""Reductions and running totals whose exact results are known: what is called, on what numbers, and how far off it is.

An error counts in units of the last place of the exact result. Where terms cancel that place is far below what the
terms themselves were rounded to; there the unit is what these roundings leave open: the root of the sum of the terms'
squares, times the distance from 1 to the next number of float32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

EXACT, EXACT_COMPLEX = np.longdouble, np.clongdouble

EPS = float(np.finfo(np.float32).eps)

DTYPES: dict[str, Any] = {
    "float32": np.float32, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16, "complex64": np.complex64,
}  # fmt: skip


class Reduction(NamedTuple):
    call: Callable[[Any, Any, Any], Any]
    """What is called: of the module, the tensor and the dimensions."""
    exact: Callable[[np.ndarray, Any], np.ndarray]
    """The exact result, of numbers in extended precision."""
    dims: str = "one several"
    """Whether one dimension can go, or several."""
    dtypes: str = "float32 float16 bfloat16"
    term: Callable[[np.ndarray], np.ndarray] | None = np.abs
    """The size of what is added up, if something is."""


def _apart(x: np.ndarray, d: Any) -> np.ndarray:
    return np.abs(x - x.mean(d, keepdims=True)) ** 2


def _variance(x: np.ndarray, d: Any) -> np.ndarray:
    total = _apart(x, d).sum(d)
    return total / (x.size // total.size - 1)


def _area(x: np.ndarray, d: Any) -> np.ndarray:
    x = np.moveaxis(x, d, 0)
    return (x[1:] + x[:-1]).sum(0) / 2


def _areas(x: np.ndarray, d: Any) -> np.ndarray:
    x = np.moveaxis(x, d, 0)
    return np.moveaxis(((x[1:] + x[:-1]) / 2).cumsum(0), 0, d)


def _shares(x: np.ndarray, d: Any) -> np.ndarray:
    powers = np.exp(x - x.max(d, keepdims=True))
    return powers / powers.sum(d, keepdims=True)


def _norm(p: float) -> Reduction:
    return Reduction(
        lambda m, x, d: m.linalg.vector_norm(x, p, d), lambda x, d: (np.abs(x) ** p).sum(d) ** (1 / EXACT(p)), term=None
    )


SUMS = "float32 float16 bfloat16 complex64"
REDUCTIONS: dict[str, Reduction] = {
    "sum": Reduction(lambda m, x, d: m.sum(x, d), lambda x, d: x.sum(d), dtypes=SUMS),
    "sum, all": Reduction(lambda m, x, d: m.sum(x), lambda x, d: x.sum(), dtypes=SUMS),
    "sum, kept": Reduction(lambda m, x, d: m.sum(x, d, True), lambda x, d: x.sum(d, keepdims=True)),
    "mean": Reduction(lambda m, x, d: m.mean(x, d), lambda x, d: x.mean(d), dtypes=SUMS),
    "nansum": Reduction(lambda m, x, d: m.nansum(x, d), lambda x, d: x.sum(d)),
    "nanmean": Reduction(lambda m, x, d: m.nanmean(x, d), lambda x, d: x.mean(d)),
    "prod": Reduction(lambda m, x, d: m.prod(x, d), lambda x, d: x.prod(d), "one", "float32 bfloat16", None),
    "var": Reduction(lambda m, x, d: m.var(x, d), _variance, term=None),
    "std": Reduction(lambda m, x, d: m.std(x, d), lambda x, d: np.sqrt(_variance(x, d)), term=None),
    "var_mean": Reduction(lambda m, x, d: m.var_mean(x, d)[1], lambda x, d: x.mean(d), term=None),
    "logsumexp": Reduction(lambda m, x, d: m.logsumexp(x, d), lambda x, d: np.log(np.exp(x).sum(d)), term=None),
    "norm 1": _norm(1),
    "norm 2": _norm(2),
    "norm 3": _norm(3),
    "matrix_norm": Reduction(
        lambda m, x, d: m.linalg.matrix_norm(x, 1), lambda x, d: np.abs(x).sum(-2).max(-1), "one", term=None
    ),
    "trapezoid": Reduction(lambda m, x, d: m.trapezoid(x, dim=d), _area, "one", "float32"),
    "cumulative_trapezoid": Reduction(
        lambda m, x, d: m.cumulative_trapezoid(x, dim=d), _areas, "one", "float32", lambda x: np.abs(x) * 2
    ),
    "cumsum": Reduction(lambda m, x, d: m.cumsum(x, d), lambda x, d: x.cumsum(d), "one", SUMS),
    "cumprod": Reduction(lambda m, x, d: m.cumprod(x, d), lambda x, d: x.cumprod(d), "one", "float32", None),
    "logcumsumexp": Reduction(
        lambda m, x, d: m.logcumsumexp(x, d), lambda x, d: np.logaddexp.accumulate(x, d), "one", term=None
    ),
    "softmax": Reduction(lambda m, x, d: m.softmax(x, d), _shares, "one", "float32", None),
    "log_softmax": Reduction(
        lambda m, x, d: m.log_softmax(x, d), lambda x, d: np.log(_shares(x, d)), "one", "float32", None
    ),
    "einsum": Reduction(lambda m, x, d: m.einsum("...->", x), lambda x, d: x.sum(), "one"),
    "dot": Reduction(lambda m, x, d: m.dot(x.reshape(-1), x.reshape(-1)), lambda x, d: (x * x).sum(), "one", term=None),
    "cov": Reduction(lambda m, x, d: m.cov(x.reshape(1, -1)), lambda x, d: _variance(x, None), "one", "float32", None),
    "bincount": Reduction(
        lambda m, x, d: m.bincount(m.zeros(x.numel(), dtype=m.int64), x.reshape(-1)), lambda x, d: x.sum()[None], "one",
        "float32",
    ),
    "index_add": Reduction(
        lambda m, x, d: m.zeros(1).index_add(0, m.zeros(x.numel(), dtype=m.int64), x.reshape(-1)),
        lambda x, d: x.sum()[None], "one", "float32",
    ),
    "histogram": Reduction(
        lambda m, x, d: m.histogram(m.zeros(x.numel()), 1, weight=x.reshape(-1)).hist, lambda x, d: x.sum()[None],
        "one", "float32",
    ),
}  # fmt: skip

NUMBERS: dict[str, Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = {
    "tenths": lambda g, size: np.full(size, 0.1),
    "uniform": lambda g, size: g.uniform(0.5, 1.5, size),
    "cancelling": lambda g, size: g.standard_normal(size),
    "wide": lambda g, size: np.exp(g.uniform(-6, 6, size)),
}
SIZES: list[tuple[tuple[int, ...], Any]] = [
    ((3,), 0), ((7,), 0), ((1000,), 0), ((30_000,), 0), ((7, 3), 0), ((7, 3), 1), ((300, 200), 0), ((300, 200), 1),
    ((8_000, 3), 0), ((3, 8_000), 1), ((10, 50, 60), 1), ((10, 50, 60), (0, 2)), ((10, 50, 60), (1, 2)),
    ((4, 5, 6, 7, 40), (0, 2, 4)),
]  # fmt: skip
LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "in order": lambda a: a,
    "transposed": lambda a: np.ascontiguousarray(a.T).T,
    "every other": lambda a: np.repeat(a, 2, -1)[..., ::2],
    "expanded": lambda a: np.broadcast_to(a[:1], a.shape),
}


class Case(NamedTuple):
    label: str
    reduction: str
    dtype: str
    dims: Any
    array: np.ndarray


def cases() -> Iterator[Case]:
    """Every reduction on numbers of every kind: sums of float32 all, of the others a part; layouts take turns."""
    turn = 0
    for name, reduction in REDUCTIONS.items():
        for dtype in reduction.dtypes.split():
            for kind, make in NUMBERS.items():
                for size, dims in SIZES:
                    if isinstance(dims, tuple) and "several" not in reduction.dims:
                        continue
                    if name == "matrix_norm" and len(size) < 2:
                        continue
                    layout = list(LAYOUTS)[turn // 2 % 4 if dtype == "float32" else 0]
                    turn += 1
                    if turn % (5 if dtype != "float32" else 1 if name in ("sum", "cumsum") else 2):
                        continue
                    numbers = make(np.random.default_rng(turn), size)
                    if "prod" in name:
                        numbers = 1 + numbers / np.abs(numbers).max() / 200
                    if "exp" in name or "softmax" in name:
                        numbers = np.log1p(np.abs(numbers))
                    array = LAYOUTS[layout](numbers.astype(DTYPES[dtype]))
                    yield Case(f"{name}, {dtype}, {kind}, {size} over {dims}, {layout}", name, dtype, dims, array)


def tensor(m: Any, case: Case) -> Any:
    """The numbers of a case as a tensor that lies as they do."""
    if case.dtype == "bfloat16":
        return m.from_numpy(case.array.astype(np.float32)).bfloat16()
    size = case.array.shape
    if 0 in case.array.strides and case.array.size:
        return m.from_numpy(np.ascontiguousarray(case.array[:1])).expand(size)
    return m.from_numpy(case.array)


def error(m: Any, case: Case) -> float:
    """How far off a module's result is at its worst place, in the units of this file."""
    reduction = REDUCTIONS[case.reduction]
    found = reduction.call(m, tensor(m, case), case.dims)
    narrow = DTYPES[str(found.dtype).removeprefix("torch.")]
    with np.errstate(all="ignore"):
        kind = EXACT_COMPLEX if case.dtype == "complex64" else EXACT
        x = case.array.astype(np.float32).astype(kind) if case.dtype == "bfloat16" else case.array.astype(kind)
        exact = np.asarray(reduction.exact(x, case.dims))
        real = np.float32 if narrow is np.complex64 else narrow
        unit = np.spacing(np.abs(exact).astype(real)).astype(float)
        if reduction.term is not None:
            left_open = np.sqrt((np.abs(reduction.term(x)).astype(float) ** 2).sum()) * EPS
            unit = np.maximum(unit, left_open * exact.size / x.size if "mean" in case.reduction else left_open)
        unit = np.maximum(unit, (EPS * np.abs(x).max().astype(float)) ** 2)  # nothing but rounding is smaller
        unit = np.where(np.isfinite(unit), unit, 1.0)
        values = found.float().numpy() if narrow is ml_dtypes.bfloat16 else found.numpy()
        apart = np.asarray(np.abs(values.astype(kind) - exact).astype(float))
        apart[values == exact.astype(narrow)] = 0  # infinite, too
        return float((apart / unit).max())
