"""Of several faults of a call, that one is refused which PyTorch refuses, in its words."""

from __future__ import annotations

import pytest

import tensorwidgets as tw
from tests.engine.calls.freeze_refusals import CALLS, differences, frozen, refusal


def test_each_call_is_refused_for_what_pytorch_finds_first() -> None:
    assert list(frozen()) == CALLS and "ok" not in frozen().values()
    found = differences(tw)
    assert not found, found[:3]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("T.matmul(z(5), z(2, 4, 3).mT)", "Dimension -1 of the first has size 5"),
        ("F.conv2d(z(1, 2, 3), z(1, 2, 3), padding='x')", ""),
        ("T.gradient(z(3, 3), spacing=[z(3), z(2)], dim=(0, 1))", "spacing of as many places"),
        ("F.leaky_relu(z(2), 1e300)", "holds numbers up to"),
        ("z(3, g=True).bitwise_and_(1)", "its value is where the gradient is taken"),
    ],
)
def test_our_reason_is_told_below_pytorchs_words(call: str, words: str) -> None:
    def z(*size: int, g: bool = False) -> tw.Tensor:
        return tw.zeros(size, requires_grad=g)

    with pytest.raises((RuntimeError, ValueError)) as caught:
        eval(call, {"T": tw, "F": tw.nn.functional, "z": z})
    assert words in "\n".join(getattr(caught.value, "__notes__", ())) and caught.value.reason.rule  # type: ignore[attr-defined]


@pytest.mark.torch
def test_the_refusals_are_pytorchs() -> None:
    import torch

    drifted = [(call, wanted) for call, wanted in frozen().items() if refusal(torch, call) != wanted]
    assert not drifted, drifted[:3]
