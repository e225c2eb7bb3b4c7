"""Sums, products and norms of floats in many layouts: which bits does PyTorch get?

    python -m tests.engine.numbers.ordered_cases     writes PyTorch's results to ordered.tsv

PyTorch runs in one thread here: of up to 32,767 elements, more threads get the same bits.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FROZEN = Path(__file__).with_name("ordered.tsv")

LENGTHS = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 70, 130, 300)

CALLS = {
    "sum": lambda m, x, dims: x.sum(dims),
    "mean": lambda m, x, dims: x.mean(dims),
    "nansum": lambda m, x, dims: x.nansum(dims),
    "prod": lambda m, x, dims: x.prod(dims[0]),
    "norm": lambda m, x, dims: m.linalg.vector_norm(x, 2, dims),
    "norm of sizes": lambda m, x, dims: m.linalg.vector_norm(x, 1, dims),
    "nll_loss": lambda m, x, dims: m.nn.functional.nll_loss(*_of_classes(m, x)),
    "mse_loss": lambda m, x, dims: m.nn.functional.mse_loss(x, x.flip(0)),
}


class Case(NamedTuple):
    label: str
    call: str
    array: np.ndarray
    order: tuple[int, ...]
    """How the dimensions are permuted."""
    step: int
    """Every how many elements of the last dimension are taken."""
    repeated: bool
    """Whether the first dimension is one row, expanded."""
    dims: tuple[int, ...]


def _of_classes(m: Any, x: Any) -> tuple[Any, Any]:
    rows = x.reshape(-1, x.shape[-1])
    return rows, m.arange(rows.shape[0]) % rows.shape[1]


def cases(seed: int, count: int) -> Iterator[Case]:
    """Cases that are drawn at random, always the same ones for a seed."""
    r = random.Random(seed)
    made = 0
    while made < count:
        size = [r.choice(LENGTHS) for _ in range(r.randint(1, 4))]
        if np.prod(size) * 5 >= 1 << 15:
            continue
        made += 1
        order = r.sample(range(len(size)), len(size))
        step, repeated = r.choice((1, 1, 1, 2)), r.random() < 0.1
        dims = tuple(sorted(r.sample(range(len(size)), r.randint(1, len(size)))))
        call, dtype = r.choice([*CALLS, "sum", "sum", "mean"]), r.choice(("f4", "f4", "f8"))
        numbers = np.array([r.uniform(-1, 1.3) for _ in range(int(np.prod(size)))]) * r.choice((1e-3, 1, 10))
        if call == "prod":
            numbers = 1 + numbers / 100
        label = f"{call} {dtype} {size} {order} {step} {'repeated ' if repeated else ''}over {dims}"
        yield Case(label, call, numbers.astype(dtype).reshape(size), tuple(order), step, repeated, dims)


def bits(m: Any, case: Case) -> str:
    """A checksum of the elements of a result, in their order."""
    x = m.from_numpy(case.array.copy())
    if case.repeated:
        x = x[:1].expand(5, *x.shape[1:])
    x = x.permute(case.order)[..., :: case.step]
    result = np.ascontiguousarray(CALLS[case.call](m, x, case.dims).numpy())
    return f"{zlib.crc32(result.tobytes()):08x}"


def main() -> None:
    import torch

    torch.set_num_threads(1)
    lines = [f"{case.label}\t{bits(torch, case)}" for case in cases(0, 400)]
    FROZEN.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{FROZEN.name}: {len(lines)} cases")


if __name__ == "__main__":
    main()
