"""Random programs of views, indexing and in-place writes show the same as PyTorch after every line."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

import tensorwidgets as tw
from tests.engine.programs import programs
from tests.engine.programs.freeze_programs import REFERENCE


def as_data(seen: Any) -> Any:
    """What was seen as JSON tells it."""
    return json.loads(json.dumps(seen))


def test_the_frozen_programs() -> None:
    kept = json.loads(gzip.decompress(REFERENCE.read_bytes()))
    assert len(kept) >= 100
    wrong = []
    tw.set_warn_always(True)
    try:
        for each in kept:
            ours = as_data(programs.run(each["program"], tw))
            found = programs.first_difference(ours, each["seen"])
            if found:
                wrong.append("\n".join([*each["program"][: found[0] + 1], *found[1]]))
    finally:
        tw.set_warn_always(False)
    assert not wrong, f"{len(wrong)} programs differ\n" + "\n\n".join(wrong[:3])


@pytest.mark.torch
@pytest.mark.parametrize("part", range(4))
def test_fresh_programs(part: int) -> None:
    import torch

    from tests.engine.programs.program_steps import write

    wrong = []
    torch.set_warn_always(True)
    tw.set_warn_always(True)
    try:
        for seed in range(100_000 + part, 103_000, 4):
            program = write(seed, torch)
            if any("pickle" in line for line in program):
                continue  # PyTorch's plain pickle parts what was shared; ours keeps it (docs/differences.md)
            found = programs.first_difference(programs.run(program, tw), programs.run(program, torch), words=False)
            if found:
                wrong.append(f"{seed}\n" + "\n".join([*program[: found[0] + 1], *found[1]]))
    finally:
        torch.set_warn_always(False)
        tw.set_warn_always(False)
    # One in a thousand may differ: NaN bits and sums that machines round in their own way.
    assert len(wrong) <= 1, f"{len(wrong)} programs differ\n" + "\n\n".join(wrong[:3])
