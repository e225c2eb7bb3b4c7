"""Modules compute what PyTorch's compute: outputs, gradients and buffers, in training and in evaluation."""

from __future__ import annotations

import pytest


@pytest.mark.torch
def test_modules_agree_with_pytorchs_database() -> None:
    from tests.layers.live_modules import outcomes

    found = [*outcomes(set())]
    assert len(found) > 80
    assert {each.name: each.wrong[:2] for each in found if each.wrong} == {}


@pytest.mark.torch
def test_modules_refuse_what_pytorchs_refuse() -> None:
    from tests.layers.live_modules import refusals

    count, wrong = refusals()
    assert count > 80 and wrong == []
