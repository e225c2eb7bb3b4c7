"""The time of a call against its number of elements, drawn for docs/performance.md.

    python -m benchmarks.growth [picture]

If the time of a call grows as its work does, the curves fall while the cost of calling dominates and are flat after
that; where threads or the pool begin there must be no step upwards.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

import tensorwidgets as tw

SIZES = [round(10 ** (3 + i / 4)) for i in range(21)]
CALLS = {
    "a + b": (lambda x: x + x, lambda x: x + x),
    "a.exp()": (lambda x: x.exp(), np.exp),
    "a.sum()": (lambda x: x.sum(), np.sum),
    "a.double()": (lambda x: x.double(), lambda x: x.astype(np.float64)),
}
PICTURE = Path(__file__).parent.parent / "docs" / "growth.png"


def best(call: Any, x: Any, seconds: float = 0.15) -> float:
    """The shortest of several times, in seconds."""
    found, start = float("inf"), time.perf_counter()
    for n in range(2000):
        if n > 4 and time.perf_counter() - start > seconds:
            break
        before = time.perf_counter()
        result = call(x)
        found = min(found, time.perf_counter() - before)
        del result
    return found


def with_threads(library: str) -> Iterator[None]:
    """PyTorch is asked with one thread and with two: on a machine with other work two may take longer."""
    for threads in (1, 2) if library == "PyTorch" else (2,):
        torch.set_num_threads(threads)
        yield


def measured() -> dict[str, dict[str, list[float]]]:
    """Nanoseconds for each element, by call and library."""
    found: dict[str, dict[str, list[float]]] = {name: {"here": [], "PyTorch": [], "NumPy": []} for name in CALLS}
    for size in SIZES:
        array = np.random.default_rng(0).random(size, np.float32)
        for name, (ours, numpys) in CALLS.items():
            for library, call, x in (
                ("here", ours, tw.from_numpy(array)),
                ("PyTorch", ours, torch.from_numpy(array)),
                ("NumPy", numpys, array),
            ):
                found[name][library].append(min(best(call, x) for _ in with_threads(library)) / size * 1e9)
    return found


def draw(found: dict[str, dict[str, list[float]]], path: Path) -> None:
    """A panel for each call."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, len(found), figsize=(4 * len(found), 3.6), sharex=True, constrained_layout=True)
    for panel, (name, curves) in zip(panels, found.items(), strict=True):
        for (library, values), style in zip(curves.items(), ("-o", "--", ":"), strict=True):
            panel.loglog(SIZES, values, style, markersize=3, label=library)
        panel.set_title(name)
        panel.set_xlabel("elements (float32)")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("nanoseconds for each element")
    panels[0].legend()
    figure.savefig(path, dpi=90)


def main() -> None:
    tw.set_num_threads(2)
    found = measured()
    for name, curves in found.items():
        print(f"\n{name:<12}{'here':>10}{'PyTorch':>10}{'NumPy':>10}   ns for each element")
        for i, size in enumerate(SIZES):
            print(f"{size:<12}" + "".join(f"{curve[i]:>10.3f}" for curve in curves.values()))
    draw(found, Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)


if __name__ == "__main__":
    main()
