"""Small operations and the import, as ratios to PyTorch and NumPy measured in the same run.

    python -m benchmarks.small_ops

Each row is timed in turns (ours, torch, numpy, ours, …), so that a machine that slows down slows all of them; the
figure is the median of the turns.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import timeit
from collections.abc import Callable

import numpy as np
import torch

import tensorwidgets as tw

TURNS = 15
ROWS: list[tuple[str, str, str | None]] = [
    ("3-element add", "a + b", "a + b"),
    ("3-element add_", "a.add_(b)", "np.add(a, b, a)"),
    ("3-element sum", "a.sum()", "a.sum()"),
    ("t()", "m.t()", "m.T"),
    ("x[3]", "m[3]", "m[3]"),
    ("x[1:9, ::2]", "m[1:9, ::2]", "m[1:9, ::2]"),
    ("view(-1)", "m.view(-1)", "m.reshape(-1)"),
    ("item()", "s.item()", "s.item()"),
]


def names_for(engine: object) -> dict[str, object]:
    """The operands of one engine."""
    if engine is np:
        return {
            "a": np.ones(3, "f4"),
            "b": np.ones(3, "f4"),
            "m": np.ones((10, 10), "f4"),
            "s": np.array(2.5, "f4"),
            "np": np,
        }
    make: Callable = engine.ones  # type: ignore[attr-defined]
    return {"a": make(3), "b": make(3), "m": make(10, 10), "s": make(()) * 2.5}


def microseconds(timer: timeit.Timer, number: int) -> float:
    return timer.timeit(number) / number * 1e6


def measure(ours: str, numpys: str | None) -> list[float]:
    """Median microseconds of one row: ours, torch's, NumPy's."""
    timers = [timeit.Timer(ours, globals=names_for(tw)), timeit.Timer(ours, globals=names_for(torch))]
    if numpys:
        timers.append(timeit.Timer(numpys, globals=names_for(np)))
    for timer in timers:
        timer.timeit(2000)
    turns: list[list[float]] = [[] for _ in timers]
    for _ in range(TURNS):
        for timer, kept in zip(timers, turns, strict=True):
            kept.append(microseconds(timer, 5000))
    return [statistics.median(t) for t in turns]


def import_cost(module: str) -> tuple[float, float]:
    """Median seconds and megabytes (resident, above an empty interpreter) of importing a module in a fresh process."""
    code = (
        "import sys, time\n"
        "def resident():\n"
        "    return int(open('/proc/self/statm').read().split()[1]) * 4096 / 1e6\n"
        "before = resident(); start = time.perf_counter()\n"
        f"import {module}\n"
        "print(time.perf_counter() - start, resident() - before)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(5)
    ]
    return statistics.median(float(r[0]) for r in runs), statistics.median(float(r[1]) for r in runs)


def main() -> None:
    torch.set_num_threads(1)
    print(f"{'operation':<16}{'ours µs':>9}{'torch µs':>10}{'numpy µs':>10}{'/ torch':>9}{'/ numpy':>9}")
    ratios = []
    for label, ours, numpys in ROWS:
        found = measure(ours, numpys)
        ratios.append(found[0] / found[1])
        print(
            f"{label:<16}{found[0]:>9.2f}{found[1]:>10.2f}{found[2]:>10.2f}{ratios[-1]:>9.2f}"
            f"{found[0] / found[2]:>9.2f}"
        )
    print(f"{'geometric mean':<35}{'':>10}{statistics.geometric_mean(ratios):>9.2f}")
    mine, theirs, numpys_cost = import_cost("tensorwidgets"), import_cost("torch"), import_cost("numpy")
    print(f"\n{'import':<16}{'seconds':>9}{'MB':>10}")
    for label, cost in (("ours", mine), ("torch", theirs), ("numpy", numpys_cost)):
        print(f"{label:<16}{cost[0]:>9.3f}{cost[1]:>10.1f}")
    print(f"{'ours / torch':<16}{mine[0] / theirs[0]:>9.2f}{mine[1] / theirs[1]:>10.2f}")


if __name__ == "__main__":
    main()
