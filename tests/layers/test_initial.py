"""A seed gives the same model as on PyTorch, to the bit."""

from __future__ import annotations

import json

import pytest

import tensorwidgets as tw
from tests.layers.initial import FROZEN, LAYERS, SEEDS, checksum


@pytest.mark.parametrize("layer", LAYERS)
def test_initial_weights_are_pytorchs(layer: str) -> None:
    wanted = json.loads(FROZEN.read_text())[layer]
    assert len(wanted) == len(SEEDS)
    assert [checksum(tw, layer, seed) for seed in SEEDS] == wanted


@pytest.mark.torch
def test_the_checksums_are_pytorchs_still() -> None:
    import torch

    from tests.layers.initial import checksums

    assert checksums(torch) == json.loads(FROZEN.read_text())
