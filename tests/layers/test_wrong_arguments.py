"""Arguments of wrong types for layers, losses and what goes with them are refused in PyTorch's words."""

from __future__ import annotations

import pytest

from tests.layers import wrong_module_arguments
from tests.layers.wrong_arguments import answers, differences, frozen

OTHERWISE = {
    ("gaussian_nll_loss", "eps"), ("hardshrink", "lambd"), ("interpolate", "scale_factor"), ("normalize", "eps"),
    ("poisson_nll_loss", "reduction"), ("softplus", "beta"), ("softplus", "threshold"), ("softshrink", "lambd"),
}  # fmt: skip
"""Arguments that are refused in other words, most of them those of Python where PyTorch's are Python's as well."""
COMPUTED = {("softplus", "beta=1j"), ("softplus", "threshold=1j")}
"""A complex number beside real ones, which PyTorch refuses."""


def test_each_is_refused_as_in_pytorch() -> None:
    found = [(name, changed, ours) for name, changed, _, ours in differences(frozen()) if "=b'" not in changed]
    others = {(name, changed.partition("=")[0]) for name, changed, _ in found}
    assert others <= OTHERWISE and len(found) < 20
    assert {(name, changed) for name, changed, ours in found if ours == "ok"} <= COMPUTED


def test_modules_and_their_tools_refuse_as_in_pytorch() -> None:
    found = list(wrong_module_arguments.differences(wrong_module_arguments.frozen()))
    assert [changed for changed, _, _ in found] == ["nn.Embedding 4 -> 0"]
    assert all("Error: " in theirs and "Error: " in ours for _, theirs, ours in found)


@pytest.mark.torch
def test_the_answers_are_pytorchs() -> None:
    import torch

    assert answers(torch) == frozen()


@pytest.mark.torch
def test_the_answers_about_modules_are_pytorchs() -> None:
    import torch

    assert wrong_module_arguments.answers(torch) == wrong_module_arguments.frozen()
