"""Large operations: this package beside PyTorch and NumPy, in one run, with one thread and with two.

    python -m benchmarks.large_ops [word]

With a word only the rows whose label has it are run. The three take turns (ours, torch, numpy, ours, …), so that a
machine that slows down slows all of them; the figure is the shortest of the turns, for what else a machine does can
only add to it. Each result is dropped before the next is made. Peak memory is what a call adds to the resident set,
measured in a process of its own for each engine, in which every large block is asked of the system anew.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.large_rows import ROWS, Row, names_for

ENGINES = ("ours", "torch", "numpy")
SECONDS = 1.2
"""About so long a row is measured."""


def engine_called(name: str) -> Any:
    """The module behind a name."""
    if name == "numpy":
        return np
    if name == "torch":
        import torch

        return torch
    import tensorwidgets

    return tensorwidgets


def callable_for(row: Row, engine: str) -> Callable[[], Any]:
    """The row as a function of nothing."""
    text = row.numpy if engine == "numpy" else row.torch
    return eval(f"lambda: ({text})", names_for(engine_called(engine), row.operands))


def milliseconds(calls: list[Callable[[], Any]]) -> list[float]:
    """The shortest time of each call, made in turns."""
    spent: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()
    start = time.perf_counter()
    while len(spent[0]) < 7 or time.perf_counter() - start < SECONDS and len(spent[0]) < 101:
        for call, kept in zip(calls, spent, strict=True):
            before = time.perf_counter()
            found = call()
            kept.append(time.perf_counter() - before)
            del found
    return [min(s) * 1e3 for s in spent]


def times(rows: list[Row], threads: int) -> list[list[float]]:
    """Ours, PyTorch's and NumPy's milliseconds for each row."""
    for name in ("ours", "torch"):
        engine_called(name).set_num_threads(threads)  # NumPy's BLAS follows ours: they are one library
    found = []
    for row in rows:
        found.append(milliseconds([callable_for(row, engine) for engine in ENGINES]))
        gc.collect()
    return found


# -- peak memory -------------------------------------------------------------------------------------------------


def resident(field: str) -> int:
    """A line of this process's status, in bytes: VmRSS is what is resident, VmHWM the most that has been."""
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(field):
                return int(line.split()[1]) * 1024
    raise LookupError(field)


def peaks(engine: str, labels: list[str]) -> list[float]:
    """The megabytes that each call adds at its highest, in this process."""
    engine_called("ours" if engine == "numpy" else engine).set_num_threads(1)
    found = []
    for row in [r for r in ROWS if r.label in labels]:
        call = callable_for(row, engine)
        call()
        if engine == "ours":
            forget_spare_memory()
        gc.collect()
        before = resident("VmRSS")
        with open("/proc/self/clear_refs", "w") as reset:
            reset.write("5")
        result = call()
        found.append((resident("VmHWM") - before) / 1e6)
        del result, call
    return found


def forget_spare_memory() -> None:
    """Give back what the engine keeps for its next results."""
    try:
        from tensorwidgets.engine import memory
    except ImportError:
        return
    memory.empty()


def memory(rows: list[Row]) -> list[list[float]]:
    """Ours, PyTorch's and NumPy's peaks for each row."""
    # Fixed thresholds: blocks of this size and more come from the system and go back to it.
    settings = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    columns = []
    for engine in ENGINES:
        command = [sys.executable, "-m", "benchmarks.large_ops", "--peaks", engine, *[r.label for r in rows]]
        said = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **settings})
        columns.append(json.loads(said.stdout))
    return [list(each) for each in zip(*columns, strict=True)]


# -- the table ---------------------------------------------------------------------------------------------------


def print_table(rows: list[Row], threads: int, peak: list[list[float]]) -> None:
    found = times(rows, threads)
    print(f"\n{threads} thread{'s' * (threads > 1)}")
    print(f"{'':<36}{'ours ms':>9}{'torch':>9}{'numpy':>9}{'/ torch':>9}{'/ numpy':>9}   peak MB: ours, torch, numpy")
    for row, (ours, torch, numpy), megabytes in zip(rows, found, peak, strict=True):
        print(
            f"{row.label:<36}{ours:>9.2f}{torch:>9.2f}{numpy:>9.2f}{ours / torch:>9.2f}{ours / numpy:>9.2f}"
            f"   {megabytes[0]:>13.0f}{megabytes[1]:>7.0f}{megabytes[2]:>7.0f}",
            flush=True,
        )
    means = [statistics.geometric_mean(each[0] / each[i] for each in found) for i in (1, 2)]
    print(f"{'geometric mean':<63}{means[0]:>9.2f}{means[1]:>9.2f}", flush=True)


def main() -> None:
    if sys.argv[1:2] == ["--peaks"]:
        print(json.dumps(peaks(sys.argv[2], sys.argv[3:])))
        return
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    rows = [row for row in ROWS if word in row.label]
    peak = memory(rows)
    for threads in (1, 2):
        print_table(rows, threads, peak)


if __name__ == "__main__":
    main()
