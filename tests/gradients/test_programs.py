"""Random programs of gradients, views, writes, modes and hooks show the same as PyTorch."""

from __future__ import annotations

import json

import pytest

import tensorwidgets as tw
from tests.gradients import programs

OPEN = {"views": 0, "calls": 11, "nodes": 5}
"""How many frozen programs still differ: most of them in nodes of second derivatives of recurrent layers, in versions,
in what counts as a view, and in noise."""

OPEN_IN_A_THOUSAND = {"views": 6, "calls": 40, "nodes": 50}
"""How many of a thousand fresh programs may differ, many of them in a last digit or in the sign of a zero."""


@pytest.mark.parametrize("kind", ["views", "calls", "nodes"])
def test_the_frozen_programs(kind: str) -> None:
    kept = programs.frozen(kind)
    assert len(kept) == programs.COUNT_FROZEN
    wrong = []
    for each in kept:
        ours = json.loads(json.dumps(programs.limited(each["program"], tw, each["each"])))
        found = programs.first_difference(ours, each["seen"])
        if found:
            wrong.append("\n".join([*each["program"][: found[0] + 1], *found[1][:4]]))
    assert len(wrong) <= OPEN[kind], f"{len(wrong)} programs differ\n" + "\n\n".join(wrong[:3])


def test_a_difference_is_found_and_its_program_made_small() -> None:
    program = ["a = torch.ones(2)", "b = a * 3", "c = torch.zeros(3)", "b.add_(1)"]

    class Other:
        """The engine, with one answer of its own."""

        Tensor, autograd = tw.Tensor, tw.autograd
        set_grad_enabled = staticmethod(tw.set_grad_enabled)
        ones = staticmethod(lambda *size: tw.ones(*size) + 1)
        zeros = staticmethod(tw.zeros)

    assert programs.compared(program, tw, tw, True) is None
    small, differing = programs.told(program, tw, Other, True)
    assert small == ["a = torch.ones(2)"]
    assert any("tensor([1., 1.])" in line and "tensor([2., 2.])" in line for line in differing)


@pytest.mark.torch
@pytest.mark.parametrize("kind, part", [("views", 0), ("views", 1), ("calls", 0), ("nodes", 0)])
def test_fresh_programs(kind: str, part: int) -> None:
    # PyTorch crashes in one program of a few thousand, so the programs run in child processes.
    seed = str(1_000_000 + 1000 * part)
    chosen = programs.arguments(["--kind", kind, "--count", "1000", "--seed", seed, "--processes", "1"])
    found = [(fault, text) for fault, text, _ in programs.outcomes(chosen) if fault]
    shown = "\n\n".join(text for _, text in found if text)
    assert len(found) <= OPEN_IN_A_THOUSAND[kind], f"{len(found)} programs differ\n{shown}"


@pytest.mark.torch
@pytest.mark.parametrize("kind", ["views", "calls", "nodes"])
def test_the_frozen_programs_are_pytorchs_still(kind: str) -> None:
    import torch

    for each in programs.frozen(kind)[::8]:
        seen = json.loads(json.dumps(programs.run(each["program"], torch, each["each"])))
        assert programs.first_difference(seen, each["seen"]) is None, "\n".join(each["program"])
