"""What PyTorch's autograd refuses, our engine refuses in its words."""

from __future__ import annotations

import pytest

import tensorwidgets as tw
from tests.gradients.cases.refusals import answer, disagreements, read

KNOWN = """\
x = torch.ones(3)
with torch.no_grad():
    v = x[:2]
v.mul_(torch.ones(2, requires_grad=True))"""
"""The one program that is not refused: to know that a view of plain tensors was made under no_grad, each such view
would have to be marked, which plain calls would pay for."""


def test_the_refusals() -> None:
    _, refusals = read()
    assert len(refusals) > 100
    assert all(refusal.answer for refusal in refusals)
    assert KNOWN in [refusal.program for refusal in refusals]
    wrong = [text for text in disagreements(tw) if not text.startswith(KNOWN)]
    assert not wrong, f"{len(wrong)} differ\n" + "\n\n".join(wrong)


@pytest.mark.torch
def test_the_refusals_are_pytorchs_still() -> None:
    import torch

    assert [(program, answer(program, torch)) for program, _ in read()[1]] == read()[1]
