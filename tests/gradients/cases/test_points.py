"""Derivatives at special points are PyTorch's: ties, zeros, infinities, NaN, whole exponents, complex numbers."""

from __future__ import annotations

import pytest

import tensorwidgets as tw
from tests.gradients.cases.points import agree, answer, calls, disagreements, frozen


def test_the_special_points() -> None:
    kept = frozen()
    assert len(kept) > 300
    assert sum("second" in theirs for theirs in kept) > 40
    wrong = disagreements(tw, kept)
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong)


def test_a_wrong_number_a_wrong_graph_and_a_missing_gradient_are_noticed() -> None:
    theirs = next(a for a in frozen() if a.get("first", [None])[0])
    shifted = {**theirs, "first": [[v + 1e-3 if v == v and abs(v) < 10 else v for v in theirs["first"][0]]]}
    assert agree(theirs, theirs)
    assert not agree(shifted, theirs)
    assert not agree({**theirs, "graph": ["0 OtherBackward0"]}, theirs)
    assert not agree({**theirs, "first": [None]}, theirs)


@pytest.mark.torch
def test_the_special_points_are_pytorchs_still() -> None:
    import torch

    assert not [c for c, kept in zip(calls(), frozen(), strict=True) if not agree(answer(torch, *c), kept)]
