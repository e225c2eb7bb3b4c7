"""Recorded operations and backward passes, as ratios to PyTorch in one run: `python -m benchmarks.gradients`.

Each figure is the shortest of many turns, in processor time of one thread, ours divided by PyTorch's.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
import timeit
import tracemalloc
from collections.abc import Callable
from typing import Any

import tensorwidgets as tw


def shortest(function: Callable[[], Any], turns: int, repeats: int = 15) -> float:
    """Seconds of one turn."""
    return min(timeit.repeat(function, number=turns, repeat=repeats, timer=time.thread_time)) / turns


def small(torch: Any) -> dict[str, Callable[[], Any]]:
    """Calls on three elements, recorded and not."""
    x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    p, q = torch.ones(3), torch.ones(3)
    return {
        "add, not recorded": lambda: p + q,
        "add": lambda: x + y,
        "mul": lambda: x * y,
        "exp": lambda: x.exp(),
    }


def chain(torch: Any, length: int) -> Callable[[], Any]:
    """Forward and backward through a chain of products."""
    x, y, seed = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True), torch.ones(3)

    def run() -> None:
        z = x
        for _ in range(length):
            z = z * y
        z.backward(seed)

    return run


def network(torch: Any) -> Callable[[], Any]:
    """Forward and backward of a network of three layers, 784-256-128-10, on a batch of 64."""
    torch.manual_seed(0)
    weights = [torch.randn(a, b) * 0.05 for a, b in ((784, 256), (256, 128), (128, 10))]
    weights = [w.requires_grad_() for w in weights]
    batch = torch.randn(64, 784)

    def run() -> None:
        h = batch
        for w in weights[:-1]:
            h = torch.relu(h @ w)
        loss = ((h @ weights[-1]) ** 2).mean()
        loss.backward()

    return run


def bytes_of_a_node(count: int = 2000) -> float:
    """The memory of one recorded call beside its result, in bytes."""
    x, y = tw.ones(3, requires_grad=True), tw.ones(3, requires_grad=True)
    kept = x * y
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(count):
        kept = kept * y
    recorded = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    plain = tw.ones(3)
    results = []
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(count):
        results.append(plain * plain)
    unrecorded = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return (recorded - unrecorded) / count


def main() -> None:
    import torch

    torch.set_num_threads(1)
    tw.set_num_threads(1)
    print(f"{'':22} {'ours':>10} {'PyTorch':>10} {'ratio':>7}")
    ours, theirs = small(tw), small(torch)
    rows: list[tuple[str, Callable[[], Any], Callable[[], Any], int]] = [
        (name, ours[name], theirs[name], 2000) for name in ours
    ]
    rows += [(f"chain of {n}", chain(tw, n), chain(torch, n), max(1, 500 // n)) for n in (1, 10, 100, 1000)]
    rows.append(("784-256-128-10, 64", network(tw), network(torch), 5))
    for name, mine, other, turns in rows:
        a, b = shortest(mine, turns), shortest(other, turns)
        print(f"{name:22} {a * 1e6:8.2f}us {b * 1e6:8.2f}us {a / b:7.2f}")
    print(f"bytes of a node beside its result: {bytes_of_a_node():.0f}")


if __name__ == "__main__":
    main()
