"""In which order operands are best multiplied: each step makes a smaller problem, and the sizes say at what cost.

>>> from tensorwidgets.engine.types.einsum_equation import fit, parse
>>> plan = fit(parse("ij,jk,k->i"), [(2, 100), (100, 50), (50,)])
>>> all_at_once(plan), sum(step.cost for step in steps(plan, best_path(plan)))
(20000, 5200)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from ....engine.types.einsum_equation import Plan

Path = Sequence[Sequence[int]]


class Step(NamedTuple):
    """Some operands become one."""

    names: tuple[str, ...]
    inputs: tuple[tuple[str, ...], ...]
    output: tuple[str, ...]
    size: tuple[int, ...]
    cost: int
    """Multiplications."""
    made: str


def all_at_once(plan: Plan) -> int:
    """Multiplications of the nested loops."""
    return (len(plan.inputs) - 1) * plan.products


def left_to_right(plan: Plan) -> Path:
    """Two operands at a time, from left to right."""
    return [(0, 1)] + [(0, count) for count in range(len(plan.inputs) - 2, 0, -1)]


def best_path(plan: Plan) -> Path:
    """What NumPy's `einsum_path` proposes: the optimum for up to five operands, a greedy choice beyond."""
    letters = _alphabet(plan)
    equation = ",".join("".join(letters[c] for c in names) for names in plan.inputs)
    equation += "->" + "".join(letters[c] for c in plan.output)
    ghosts = [np.broadcast_to(np.zeros(()), size) for size in plan.sizes]
    how = "optimal" if len(plan.inputs) <= 5 else "greedy"
    path, _ = np.einsum_path(equation, *ghosts, optimize=how)
    return [tuple(sorted(step)) for step in path[1:]]


def _alphabet(plan: Plan) -> dict[str, str]:
    """A letter for each name, also for those of `...`."""
    free = [c for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in plan.size_of]
    return {name: name if len(name) == 1 else free.pop() for name in plan.size_of}


def steps(plan: Plan, path: Path, labels: Sequence[str] = ()) -> list[Step]:
    """The steps of a path: the operands and the result of each, and its number of multiplications."""
    names = list(labels or [f"operand {k}" for k in range(len(plan.inputs))])
    held = list(plan.inputs)
    sizes = list(plan.sizes)
    out: list[Step] = []
    for number, chosen in enumerate(path):
        inputs = tuple(held[k] for k in chosen)
        wide = _sizes(inputs, [sizes[k] for k in chosen])
        called = tuple(names[k] for k in chosen)
        for k in sorted(chosen, reverse=True):
            del held[k], names[k], sizes[k]
        needed = {letter for rest in held for letter in rest} | set(plan.output)
        last = not held
        output = plan.output if last else tuple(letter for letter in wide if letter in needed)
        size = tuple(wide[letter] for letter in output)
        made = "result" if last else f"T{number + 1}"
        out.append(Step(called, inputs, output, size, (len(chosen) - 1) * prod(wide.values()), made))
        held.append(output)
        names.append(made)
        sizes.append(size)
    return out


def _sizes(inputs: Sequence[Sequence[str]], sizes: Sequence[Sequence[int]]) -> dict[str, int]:
    """Each letter of these operands with its size among them; a 1 gives way."""
    wide: dict[str, int] = {}
    for letters, size in zip(inputs, sizes, strict=True):
        for letter, n in zip(letters, size, strict=True):
            if wide.get(letter, 1) == 1:
                wide[letter] = n
    return wide
