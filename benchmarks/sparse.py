"""Sparse tensors beside PyTorch's, in one process: a matrix of 10,000 x 10,000 with 500,000 entries.

    python -m benchmarks.sparse

Medians, and the ratio to PyTorch's time. No more than 3.0 for products with a dense matrix of 64 columns, and 1.5 for
building and for coalescing.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import torch

import tensorwidgets as tw

SIZE, ENTRIES, COLUMNS, ROUNDS = 10_000, 500_000, 64, 9
LIMITS = {"coo @ dense": 3.0, "csr @ dense": 3.0, "build": 1.5, "build, checked": 1.5, "build, size found": 1.5,
          "coalesce": 1.5}  # fmt: skip


def tasks(lib: Any) -> dict[str, Callable[[], Any]]:
    """What is measured, for either library, on the same numbers."""
    torch.manual_seed(0)
    indices, values = torch.randint(0, SIZE, (2, ENTRIES)), torch.randn(ENTRIES)
    dense = torch.randn(SIZE, COLUMNS)
    if lib is tw:
        indices, values, dense = (tw.from_numpy(t.numpy()) for t in (indices, values, dense))
    size = (SIZE, SIZE)
    whole = lib.sparse_coo_tensor(indices, values, size)
    coo = whole.coalesce()
    csr = coo.to_sparse_csr()
    return {
        "build": lambda: [lib.sparse_coo_tensor(indices, values, size) for _ in range(100)],
        "build, checked": lambda: lib.sparse_coo_tensor(indices, values, size, check_invariants=True),
        "build, size found": lambda: lib.sparse_coo_tensor(indices, values),
        "coalesce": lambda: lib.sparse_coo_tensor(indices, values, size).coalesce(),
        "coo @ dense": lambda: coo @ dense,
        "csr @ dense": lambda: csr @ dense,
        "not coalesced @ dense": lambda: whole @ dense,
        "to csr": lambda: coo.to_sparse_csr(),
        "coo + coo": lambda: coo + coo,
    }


def median(run: Callable[[], Any]) -> float:
    run()
    found = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def main() -> None:
    warnings.simplefilter("ignore")
    theirs, ours = tasks(torch), tasks(tw)
    print(f"{'':<24}{'torch, ms':>12}{'ours, ms':>12}{'ratio':>8}{'limit':>8}")
    for name, run in theirs.items():
        one, two = median(run) * 1e3, median(ours[name]) * 1e3
        if name == "build":
            one, two = one / 100, two / 100
        print(f"{name:<24}{one:>12.4f}{two:>12.4f}{two / one:>8.2f}{LIMITS.get(name, ''):>8}")


if __name__ == "__main__":
    main()
