"""Files beside PyTorch, in one run: writing and reading 1 GB, 10,000 small tensors, mapping, rows of HDF5.

    python -m benchmarks.files [--gigabytes 1]

Each row is timed in turns (ours, PyTorch's, ours, …), so that a machine that slows down slows both; the figure is the
median of the turns. PyTorch's save is followed by fsync, which ours does by itself.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

import tensorwidgets as tw

SMALL = 10_000


def sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def seconds(action: Callable[[], Any]) -> float:
    began = time.perf_counter()
    kept = action()
    taken = time.perf_counter() - began
    del kept  # what was read is given back outside of the measure
    return taken


def in_turns(turns: int, *actions: Callable[[], Any]) -> list[float]:
    """The median time of each action, one after the other, turn by turn."""
    taken: list[list[float]] = [[] for _ in actions]
    for turn in range(turns + 1):
        for action, times in zip(actions, taken, strict=True):
            found = seconds(action)
            if turn:  # the first turn warms up
                times.append(found)
    return [statistics.median(times) for times in taken]


def saved(value: Any, path: Path) -> Path:
    torch.save(value, path)
    sync(path)
    return path


def row(name: str, ours: float, theirs: float, limit: float, other: str = "torch") -> None:
    verdict = "ok" if ours <= limit * theirs else "SLOW"
    print(
        f"{name:34} {ours * 1e3:10.2f} ms   {other:>14} {theirs * 1e3:10.2f} ms   ratio {ours / theirs:6.3f}"
        f"   at most {limit:4.2f}   {verdict}",
        flush=True,
    )


def large(folder: Path, gigabytes: float, turns: int) -> None:
    count = int(gigabytes * (1 << 30) / 4)
    ours, theirs = tw.ones(count), torch.ones(count)
    mine, other = folder / "mine.pt", folder / "other.pt"
    save = in_turns(turns, lambda: tw.save(ours, mine), lambda: saved(theirs, other))
    row(f"save {gigabytes:g} GB", *save, limit=1.0)
    load = in_turns(turns, lambda: tw.load(mine), lambda: torch.load(mine))
    row(f"load {gigabytes:g} GB", *load, limit=1.0)
    mapped = in_turns(turns, lambda: tw.load(mine, mmap=True), lambda: tw.load(mine))
    row(f"load {gigabytes:g} GB, mmap=True", *mapped, limit=0.05, other="full load")


def small(folder: Path, turns: int) -> None:
    values = np.random.default_rng(0).random((SMALL, 8), np.float32)
    mine, other = folder / "mine.pt", folder / "other.pt"
    ours = {f"layer.{i}.weight": tw.tensor(v) for i, v in enumerate(values)}
    theirs = {f"layer.{i}.weight": torch.tensor(v) for i, v in enumerate(values)}
    save = in_turns(turns, lambda: tw.save(ours, mine), lambda: saved(theirs, other))
    row(f"save {SMALL:,} small tensors", *save, limit=1.0)
    load = in_turns(turns, lambda: tw.load(mine), lambda: torch.load(mine))
    row(f"load {SMALL:,} small tensors", *load, limit=1.0)


def hdf5(folder: Path, gigabytes: float, turns: int) -> None:
    paths = []
    for name, rows in (("1 MB", 1 << 14), (f"{gigabytes:g} GB", int(gigabytes * (1 << 24)))):
        path = folder / f"{name}.h5"
        tw.save_hdf5(path, {"coords": tw.zeros(rows, 16)}, chunks=(1024, 16))
        paths.append(path)
    read = [lambda path=path: tw.load_hdf5(path, "coords", np.s_[-2:]) for path in reversed(paths)]
    row(f"last two rows of {gigabytes:g} GB, HDF5", *in_turns(10 * turns, *read), limit=1.5, other="of 1 MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gigabytes", type=float, default=1.0)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where to write (a disk, not memory)")
    options = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}, torch {torch.__version__}")
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        small(folder, options.turns)
        large(folder, options.gigabytes, options.turns)
        hdf5(folder, options.gigabytes, options.turns)


if __name__ == "__main__":
    main()
