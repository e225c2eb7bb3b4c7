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


@pytest.mark.parametrize("name", ["kaiming_uniform_", "kaiming_normal_"])
def test_a_warning_points_at_the_call(name: str) -> None:
    with pytest.warns(UserWarning, match="zero-element") as caught:
        getattr(tw.nn.init, name)(tw.empty(0, 3))
    assert [warning.filename for warning in caught] == [__file__]


def test_a_warning_of_the_way_back_points_at_the_call() -> None:
    layer = tw.nn.Linear(2, 2)
    layer.register_full_backward_hook(lambda *_: None)
    with pytest.warns(UserWarning, match="Full backward hook") as caught:
        layer(tw.ones(1, 2)).sum().backward()
    assert [warning.filename for warning in caught] == [__file__]
