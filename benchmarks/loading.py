"""Batches of 40 MB from two workers, as ratios to a pipe and to PyTorch in one run: `python -m benchmarks.loading`.

Each figure is the shortest of several epochs, in seconds of the clock for one batch after the first eight. The samples
are there already: what is measured is how they are stacked, sent and read.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import tensorwidgets as tw

BATCHES, SAMPLES, WORKERS, FIRST = 32, 8, 2, 8
GOALS = {"pipe": 0.8, "PyTorch": 1.2}


def loader(torch: Any, megabytes: float) -> Iterator[Any]:
    """Batches of a loader with two workers."""
    rows = BATCHES * SAMPLES
    data = torch.utils.data.TensorDataset(torch.ones(1, int(megabytes * 250_000 / SAMPLES)).expand(rows, -1))
    for (batch,) in torch.utils.data.DataLoader(data, SAMPLES, num_workers=WORKERS):
        yield batch


def pipe(megabytes: float) -> Iterator[Any]:
    """The same batches, pickled through the pipe of a queue of `multiprocessing`."""
    context = multiprocessing.get_context("fork")
    queue = context.Queue(WORKERS * 2)
    sample = np.ones(int(megabytes * 250_000 / SAMPLES), np.float32)
    workers = [context.Process(target=fills, args=(queue, sample), daemon=True) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    for _ in range(BATCHES):
        yield tw.from_numpy(queue.get())
    for worker in workers:
        worker.join()


def fills(queue: Any, sample: np.ndarray) -> None:
    """What a worker of `pipe` does."""
    for _ in range(BATCHES // WORKERS):
        queue.put(np.stack([sample] * SAMPLES))


def seconds(batches: Callable[[], Iterator[Any]]) -> float:
    """Seconds for one batch, the first of an epoch left out: processes start, and memory is used for the first time."""
    begin = 0.0
    for count, batch in enumerate(batches(), 1):
        if not batch.sum().item():
            raise AssertionError("a batch is empty")
        if count == FIRST:
            begin = time.perf_counter()
    return (time.perf_counter() - begin) / (BATCHES - FIRST)


def main() -> None:
    for megabytes in (1, 4, 40):
        ways: dict[str, Callable[[], Iterator[Any]]] = {
            "ours": lambda m=megabytes: loader(tw, m),  # type: ignore[misc]
            "pipe": lambda m=megabytes: pipe(m),  # type: ignore[misc]
        }
        try:
            import torch

            torch.set_num_threads(1)
            ways["PyTorch"] = lambda m=megabytes: loader(torch, m)  # type: ignore[misc]
        except ImportError:
            pass
        found = {name: min(seconds(batches) for _ in range(3)) for name, batches in ways.items()}
        parts = [f"{name} {1000 * found[name]:.2f} ms" for name in found]
        parts += [f"ours / {name} {found['ours'] / found[name]:.2f} (goal {GOALS[name]})" for name in list(found)[1:]]
        print(f"{megabytes} MB: " + ", ".join(parts))


if __name__ == "__main__":
    main()
