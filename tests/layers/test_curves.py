"""Training from one seed gives PyTorch's losses, step for step."""

from __future__ import annotations

import json

import pytest

import tensorwidgets as tw
from tests.layers.curves import FEW, FROZEN, MANY, MODELS, distances, losses


@pytest.mark.parametrize("name", MODELS)
def test_the_first_losses_are_pytorchs(name: str) -> None:
    wanted = json.loads(FROZEN.read_text())[name]
    assert len(wanted) == FEW
    assert losses(tw, name, FEW) == pytest.approx(wanted, abs=1e-5)


@pytest.mark.torch
def test_losses_stay_pytorchs_over_many_steps() -> None:
    assert max(distances(MANY).values()) < 1e-5
