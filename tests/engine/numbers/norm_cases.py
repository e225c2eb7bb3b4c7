"""Normalizations of few float32 and their gradients: which bits does PyTorch get?

    python -m tests.engine.numbers.norm_cases     writes PyTorch's results to norms.tsv

PyTorch runs in one thread here: with more, rows of channels are added in another order.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FROZEN = Path(__file__).with_name("norms.tsv")

MOST = 2048
"""Layers and groups of more elements round otherwise."""

LONGEST = 256
"""Longer rows do in one of 300."""

FEW_ROWS = 128
"""More rows of a layer are added otherwise."""

CALLS = {
    "layer": lambda m, case, x, w, b, _: m.nn.functional.layer_norm(x, case.shape, w, b),
    "group": lambda m, case, x, w, b, _: m.nn.functional.group_norm(x, case.groups, w, b),
    "batch in training": lambda m, case, x, w, b, running: m.nn.functional.batch_norm(x, *running, w, b, True, 0.3),
    "batch": lambda m, case, x, w, b, running: m.nn.functional.batch_norm(x, *running, w, b),
    "instance": lambda m, case, x, w, b, _: m.nn.functional.instance_norm(x, None, None, w, b),
}


class Case(NamedTuple):
    label: str
    call: str
    arrays: list[np.ndarray | None]
    """The numbers, the gradient of the result, the weight, the bias, running mean and variance."""
    shape: tuple[int, ...]
    groups: int


def cases(seed: int, count: int) -> Iterator[Case]:
    """Cases that are drawn at random, always the same ones for a seed."""
    r, made = random.Random(seed), 0
    while made < count:
        call = r.choice([*CALLS])
        size = [r.randint(1, 8), r.choice((1, 2, 3, 4, 6, 8, 9, 16, 20)), *r.choices((1, 2, 3, 5, 8, 9, 17), k=2)]
        size = size[:2] if call.startswith("batch") and r.random() < 0.4 else size
        several = prod(size) // size[1] > 1 and (call != "instance" or prod(size[2:]) > 1)
        shape = tuple(size[-r.randint(1, len(size) - 1) :])
        groups = r.choice([n for n in range(1, size[1] + 1) if size[1] % n == 0])
        row = {"layer": prod(shape), "group": prod(size[1:]) // groups}.get(call, 1)
        if call == "layer" and prod(size) > FEW_ROWS * row:
            continue
        if prod(size) > MOST or row > LONGEST or not several and call != "layer":
            continue
        made += 1
        of_factors = shape if call == "layer" else (size[1],)
        weighted, shifted = r.random() < 0.6, r.random() < 0.6
        shifted = shifted and (weighted or call != "group")  # PyTorch fails to go back through a bias alone
        sizes = [size, size, weighted and of_factors, shifted and of_factors, size[1:2], size[1:2]]
        arrays = [None if n is False else _numbers(r, n) for n in sizes]
        arrays[5] = np.abs(_numbers(r, size[1:2]))
        label = f"{call} {size} {shape} {groups} {'weight ' * weighted}{'bias' * shifted}".strip()
        yield Case(label, call, arrays, shape, groups)


def _numbers(r: random.Random, size: Any) -> np.ndarray:
    return np.array([r.gauss(0.2, 1.5) for _ in range(prod(size))], "f4").reshape(size)


def bits(m: Any, case: Case) -> str:
    """A checksum of the result, of the gradients, and of the running statistics."""
    return f"{zlib.crc32(numbers(m, case).tobytes()):08x}"


def numbers(m: Any, case: Case) -> np.ndarray:
    """The result, the gradients, and the running statistics, one after the other."""
    x, grad, weight, bias, *running = (None if a is None else m.from_numpy(a.copy()) for a in case.arrays)
    leaves = [t.requires_grad_() for t in (x, weight, bias) if t is not None]
    result = CALLS[case.call](m, case, x, weight, bias, running)
    result.backward(grad)
    found = [result.detach(), *(t.grad for t in leaves), *running]
    return np.concatenate([np.ascontiguousarray(t.numpy()).reshape(-1) for t in found])


def main() -> None:
    import torch

    torch.set_num_threads(1)
    lines = [f"{case.label}\t{bits(torch, case)}" for case in cases(0, 300)]
    FROZEN.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{FROZEN.name}: {len(lines)} cases")


if __name__ == "__main__":
    main()
