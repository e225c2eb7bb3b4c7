"""Random einsums for every layout of the operands, and what is compared of a result.

python -m tests.engine.products.einsum_cases --freeze          writes PyTorch's answers to einsum_cases.json.gz
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

FROZEN = Path(__file__).with_name("einsum_cases.json.gz")
DTYPES = ("float64", "float64", "float32", "int64", "complex128", "int32")


def case(number: int) -> tuple[str, list[list[int]], list[str], str]:
    """An equation, the sizes and the layouts of its operands, and their dtype."""
    dice = random.Random(f"einsum strides {number}")
    letters = "abcdeXYz"[: dice.randint(1, 8)]
    size = {letter: dice.choice([1, 2, 3, 3, 4, 2, 5]) if dice.random() > 0.06 else 0 for letter in letters}
    rest = [dice.choice([1, 2, 3]) for _ in range(dice.randint(0, 2))] if dice.random() < 0.3 else None
    operands = [_operand(dice, letters, size, rest) for _ in range(dice.choice([1, 1, 2, 2, 2, 2, 3, 3, 4]))]
    equation = ",".join(term for term, _ in operands)
    if dice.random() < 0.85:
        used = sorted(set(equation) - {",", "."})
        output = dice.sample(used, dice.randint(0, len(used)))
        if "..." in equation and dice.random() < 0.8:
            output.insert(dice.randint(0, len(output)), "...")
        equation += "->" + "".join(output)
    layouts = [dice.choice(["plain", "plain", "permuted", "stepped", "expanded"]) for _ in operands]
    return equation, [shape for _, shape in operands], layouts, dice.choice(DTYPES)


def _operand(dice: random.Random, letters: str, size: dict, rest: list[int] | None) -> tuple[str, list[int]]:
    count = dice.randint(0, min(4, len(letters)))
    term = [dice.choice(letters) for _ in range(count)] if dice.random() < 0.3 else dice.sample(letters, count)
    own = {letter: 1 if dice.random() < 0.08 else size[letter] for letter in letters}
    shape = [own[letter] for letter in term]
    if rest is not None and dice.random() < 0.8:
        at, covered = dice.randint(0, count), dice.randint(0, len(rest))
        shape[at:at] = [1 if dice.random() < 0.15 else n for n in rest[len(rest) - covered :]]
        term.insert(at, "...")
    return "".join(term), shape


def tensor(torch: Any, shape: list[int], layout: str, dtype: str, seed: int) -> Any:
    """Small whole numbers, so that every order of summing gives the same."""
    order = list(range(len(shape)))
    random.Random(seed).shuffle(order)
    stored = {
        "plain": shape,
        "permuted": [shape[d] for d in order],
        "stepped": [2 * n for n in shape],
        "expanded": [1 if d % 2 and n else n for d, n in enumerate(shape)],
    }[layout]
    numbers = np.random.RandomState(seed).randint(-4, 5, size=stored).astype(dtype)
    t = torch.tensor(numbers.tolist(), dtype=getattr(torch, dtype)).reshape(stored)
    if layout == "permuted":
        return t.permute([order.index(d) for d in range(len(shape))])
    if layout == "stepped":
        return t[(slice(None, None, 2),) * len(shape)]
    return t.expand(shape) if layout == "expanded" else t


def answer(torch: Any, number: int) -> list:
    """Dtype, sizes, strides and elements of the result, or the words of the refusal."""
    equation, shapes, layouts, dtype = case(number)
    operands = [
        tensor(torch, shape, layout, dtype, 7 * number + i)
        for i, (shape, layout) in enumerate(zip(shapes, layouts, strict=True))
    ]
    try:
        result = torch.einsum(equation, *operands)
    except RuntimeError as error:
        return [str(error).split("\n")[0]]
    elements = result.flatten().tolist()
    whole = [[int(z.real), int(z.imag)] if isinstance(z, complex) else int(z) for z in elements]
    return [str(result.dtype).removeprefix("torch."), list(result.shape), list(result.stride()), whole]


def frozen() -> list[list]:
    return json.loads(gzip.decompress(FROZEN.read_bytes()))


if __name__ == "__main__" and "--freeze" in sys.argv:
    import torch

    rows = json.dumps([answer(torch, number) for number in range(300)], separators=(",", ":"))
    FROZEN.write_bytes(gzip.compress(rows.encode(), mtime=0))
