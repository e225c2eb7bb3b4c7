"""Arguments of wrong types for layers, losses and what goes with them are refused in PyTorch's words."""

from __future__ import annotations

import pytest

from tests.layers import wrong_module_arguments
from tests.layers.wrong_arguments import answers, differences, frozen
from tests.parts import Part, in_parts

OTHERWISE = {("poisson_nll_loss", "reduction")}
"""An argument that is refused in other words: those of Python, of an operator that PyTorch meets by chance."""


def test_each_is_refused_as_in_pytorch() -> None:
    found = [(name, changed, ours) for name, changed, _, ours in differences(frozen()) if "=b'" not in changed]
    others = {(name, changed.partition("=")[0]) for name, changed, _ in found}
    assert others == OTHERWISE and "ok" not in [ours for _, _, ours in found]


@in_parts(4)
def test_modules_and_their_tools_refuse_as_in_pytorch(part: Part) -> None:
    found = list(wrong_module_arguments.differences(wrong_module_arguments.frozen(), part))
    assert not found, found[:3]


@pytest.mark.torch
def test_the_answers_are_pytorchs() -> None:
    import torch

    assert answers(torch) == frozen()


@pytest.mark.torch
def test_the_answers_about_modules_are_pytorchs() -> None:
    import torch

    assert wrong_module_arguments.answers(torch) == wrong_module_arguments.frozen()
