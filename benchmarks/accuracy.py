"""How far off sums and functions of float32 are, and how long they take: this package beside PyTorch and NumPy.

    python -m benchmarks.accuracy [word]

With a word only the rows whose label has it are run. An error is the largest of a row's, in units of the last place of
the exact result (functions: the share of results that are not the exact ones rounded once, in percent). Times are those
of `large_ops`: the shortest of many turns, one thread each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from benchmarks.large_ops import ENGINES, engine_called, milliseconds


class Row(NamedTuple):
    label: str
    text: str
    """The expression in PyTorch's spelling."""
    numpy: str
    """The same for NumPy, which computes the exact result, too: there `x` is of extended precision."""
    make: Callable[[np.random.Generator], np.ndarray]


def _uniform(*size: int) -> Callable[[np.random.Generator], np.ndarray]:
    return lambda g: g.uniform(0, 1, size).astype(np.float32)


def _tenths(*size: int) -> Callable[[np.random.Generator], np.ndarray]:
    return lambda g: np.full(size, 0.1, np.float32)


REDUCTIONS = [
    Row("sum, 1e7 tenths", "x.sum()", "x.sum()", _tenths(10_000_000)),
    Row("sum, 1e7", "x.sum()", "x.sum()", _uniform(10_000_000)),
    Row("sum over dim 0, 1e6 x 3 tenths", "x.sum(0)", "x.sum(0)", _tenths(1_000_000, 3)),
    Row("sum over dim 1, 1e6 x 3", "x.sum(1)", "x.sum(1)", _uniform(1_000_000, 3)),
    Row("sum over dim 0, 2048^2", "x.sum(0)", "x.sum(0)", _uniform(2048, 2048)),
    Row("sum over dim 1, 2048^2", "x.sum(1)", "x.sum(1)", _uniform(2048, 2048)),
    Row("sum over dims 0 and 2, 100^3", "x.sum((0, 2))", "x.sum((0, 2))", _uniform(100, 100, 100)),
    Row("mean over dim 0, 2048^2", "x.mean(0)", "x.mean(0)", _uniform(2048, 2048)),
    Row("var over dim 1, 2048^2", "x.var(1)", "x.var(1, ddof=1)", _uniform(2048, 2048)),
    Row("norm, 1e6", "x.norm()", "np.sqrt((x * x).sum())", _uniform(1_000_000)),
    Row("dot, 1e6", "x.dot(x)", "x.dot(x)", _uniform(1_000_000)),
    Row("cumsum, 1e6 tenths", "x.cumsum(0)", "x.cumsum(0)", _tenths(1_000_000)),
    Row("cumsum over dim 1, 2048^2", "x.cumsum(1)", "x.cumsum(1)", _uniform(2048, 2048)),
    Row(
        "logsumexp over dim 1, 1000^2", "x.logsumexp(1)", "np.log(np.exp(x).sum(1))",
        lambda g: g.standard_normal((1000, 1000), np.float32),
    ),
    Row(
        "softmax over dim 1, 1000^2", "x.softmax(1)",
        "np.exp(x - x.max(1, keepdims=True)) / np.exp(x - x.max(1, keepdims=True)).sum(1, keepdims=True)",
        lambda g: g.standard_normal((1000, 1000), np.float32),
    ),
]  # fmt: skip

FUNCTIONS = [
    Row(name, f"x.{name}()", f"np.{numpys}(x)", lambda g: g.uniform(0.001, 0.999, 1_000_000).astype(np.float32))
    for name, numpys in (
        *((name, name) for name in "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh sqrt".split()),
        *((f"a{name}", f"arc{name}") for name in "sin cos tan sinh tanh".split()),
    )
]


def function(text: str, x: Any) -> Callable[[], Any]:
    """The expression as a function of nothing."""
    return eval(f"lambda: ({text})", {"x": x, "np": np})


def results(row: Row) -> tuple[np.ndarray, list[Callable[[], Any]]]:
    """The exact result, and the calls of the three."""
    x = row.make(np.random.default_rng(0))
    exact = np.asarray(function(row.numpy, x.astype(np.longdouble))())
    ours, torch, numpy = (engine_called(name) for name in ENGINES)
    calls = [function(row.text, ours.from_numpy(x)), function(row.text, torch.from_numpy(x))]
    return exact, [*calls, function(row.numpy, numpy.asarray(x))]


def off(found: Any, exact: np.ndarray) -> float:
    """The largest distance from the exact result, in units of its last place."""
    unit = np.spacing(np.abs(exact).astype(np.float32)).astype(float)
    return float((np.abs(np.asarray(found).astype(np.longdouble) - exact).astype(float) / unit).max())


def not_rounded_once(found: Any, exact: np.ndarray) -> float:
    """The share of results that are not the exact ones rounded, in percent."""
    return float(100 * np.mean(np.asarray(found) != exact.astype(np.float32)))


def print_table(title: str, rows: list[Row], measure: Callable[[Any, np.ndarray], float]) -> None:
    print(f"\n{title:<34}{'ours':>9}{'torch':>9}{'numpy':>9}   ms: {'ours':>6}{'torch':>9}{'numpy':>9}{'/ torch':>9}")
    for row in rows:
        exact, calls = results(row)
        errors = [measure(call(), exact) for call in calls]
        spent = milliseconds(calls)
        print(
            f"{row.label:<34}" + "".join(f"{e:>9.2f}" for e in errors) + "       "
            + f"{spent[0]:>6.2f}{spent[1]:>9.2f}{spent[2]:>9.2f}{spent[0] / spent[1]:>9.2f}",
            flush=True,
        )  # fmt: skip


def main() -> None:
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    for name in ("ours", "torch"):
        engine_called(name).set_num_threads(1)
    print_table("largest error, in last places", [r for r in REDUCTIONS if word in r.label], off)
    print_table("not rounded once, in percent", [r for r in FUNCTIONS if word in r.label], not_rounded_once)


if __name__ == "__main__":
    main()
