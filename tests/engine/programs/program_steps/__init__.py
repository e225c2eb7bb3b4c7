"""The kinds of lines that random programs are made of, each with its share; `write(seed, engine)` chooses."""

from __future__ import annotations

from typing import Any

from tests.engine.programs import programs
from tests.engine.programs.program_steps import computing, copies, indexing, making, storages, views
from tests.engine.programs.program_steps.lines import some_tensor
from tests.engine.programs.program_steps.making import make
from tests.engine.programs.program_writer import NAMES, Writer

STEPS = [step for room in (making, views, copies, indexing, computing, storages) for step in room.STEPS]


def write(seed: int, engine: Any, steps: int = 8) -> programs.Program:
    """A program of so many lines: one or two that make tensors, then others that use them."""
    w = Writer(seed, engine)
    says, weights = [say for _, say in STEPS], [weight for weight, _ in STEPS]
    for name in NAMES[: w.one([1, 1, 2])]:
        w.add(f"{name} = {w.fresh(w.size(), w.dtypes[0] if w.often(0.7) else w.dtype())}")
    while len(w.lines) < steps and not w.wild():
        line = w.dice.choices(says, weights)[0](w, *some_tensor(w)) if w.tensors() else make(w, "", None)
        if line is not None:
            w.add(line)
    return w.lines
