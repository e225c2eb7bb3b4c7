"""What would checkpointing save of a graph? The parts to compute again that leave the least memory in use."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from .tape import Tape

MOST_PARTS = 64


class Plan(NamedTuple):
    """A graph cut into parts, each of which keeps its inputs and is computed again when backward reaches it."""

    parts: int
    inputs: int
    """Bytes that the parts keep after the forward pass: what flows from one to another."""
    largest: int
    """Bytes of the part that keeps most while backward goes through it."""
    nodes: int
    """Nodes that are computed a second time."""

    @property
    def peak(self) -> int:
        return self.inputs + self.largest


def alone(tape: Tape) -> list[int]:
    """The storages that nothing but the graph keeps, as far as the names show: they belong to no leaf and no name."""
    return [k for k in range(len(tape.storages)) if k not in tape.of_leaves and not any(tape.names[k : k + 1])]


def best_plan(tape: Tape) -> Plan | None:
    """The number of parts with the lowest peak; None if the graph keeps nothing alone.

    >>> from .tape import Kept, Step
    >>> chain = [Step("", "x", (), (((4,), "float32"),))]
    >>> chain += [Step("Exp", "", (k,), (((4,), "float32"),), (Kept("result", "kept", (4,), "float32", 16, k),))
    ...           for k in range(9)]
    >>> best_plan(Tape(tuple(chain), (16,) * 9, (), ((),) * 9))
    Plan(parts=3, inputs=32, largest=48, nodes=9)
    """
    own = _first_kept(tape)
    total = sum(own)
    if not total:
        return None
    nodes = [k for k, step in enumerate(tape.steps) if not step.is_leaf]
    plans = []
    for parts in range(1, min(len(nodes), MOST_PARTS) + 1):
        part_of = _cut(own, total, parts)
        sizes = [0] * parts
        for k, nbytes in enumerate(own):
            sizes[part_of[k]] += nbytes
        plans.append(Plan(parts, _between(tape, part_of), max(sizes), len(nodes)))
    return min(plans, key=lambda plan: (plan.peak, plan.parts))


def _first_kept(tape: Tape) -> list[int]:
    """For each step the bytes that it is the first to keep, of the storages that only the graph keeps."""
    left = set(alone(tape))
    own = []
    for step in tape.steps:
        mine = {kept.storage for kept in step.kept} & left
        left -= mine
        own.append(sum(tape.storages[k] for k in mine))
    return own


def _cut(own: Sequence[int], total: int, parts: int) -> list[int]:
    """The part of each step: parts that keep about the same number of bytes."""
    return [min(max(sum_ - 1, 0) * parts // total, parts - 1) for sum_ in accumulate(own)]


def _between(tape: Tape, part_of: Sequence[int]) -> int:
    """Bytes of the results that a later part uses."""
    crossing = {
        one
        for k, step in enumerate(tape.steps)
        for one in step.inputs
        if part_of[one] != part_of[k] and not tape.steps[one].is_leaf
    }
    return sum(_bytes(size, dtype) for one in crossing for size, dtype in tape.steps[one].results[:1])


def _bytes(size: Sequence[int], dtype: str) -> int:
    bits = int("".join(c for c in dtype.partition("_")[0] if c.isdigit()) or 32)
    count = 1
    for n in size:
        count *= n
    return count * bits // 8
