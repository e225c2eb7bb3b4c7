"""What PyTorch's autograd refuses, our engine refuses in its words."""

from __future__ import annotations

import pytest

import tensorwidgets as tw
from tests.gradients.refusals import answer, disagreements, read

OPEN = 10
"""How many still differ. The number only shrinks, and goes when it is 0."""


def test_the_refusals() -> None:
    _, refusals = read()
    assert len(refusals) > 100
    assert all(refusal.answer for refusal in refusals)
    wrong = disagreements(tw)
    assert len(wrong) <= OPEN, f"{len(wrong)} differ\n" + "\n\n".join(wrong)


@pytest.mark.torch
def test_the_refusals_are_pytorchs_still() -> None:
    import torch

    assert [(program, answer(program, torch)) for program, _ in read()[1]] == read()[1]
