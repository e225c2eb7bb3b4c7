"""Empty tensors, overlapping views, signs of zeros: PyTorch's answers where ops are rarely asked."""

from __future__ import annotations

import gzip
import json

import pytest

import tensorwidgets as tw
from tests.engine.corner_cases import CALLS
from tests.engine.freeze_corners import REFERENCE, answer


def test_frozen_answers_of_pytorch() -> None:
    answers = json.loads(gzip.decompress(REFERENCE.read_bytes()))["answers"]
    assert list(answers) == CALLS
    wrong = [(call, answers[call], answer(tw, call)) for call in CALLS if answer(tw, call) != answers[call]]
    assert not wrong, wrong[:3]


def test_rows_that_overlap_are_multiplied_twice() -> None:
    x = tw.ones(4)
    x.unfold(0, 2, 1).mul_(2)
    assert x.tolist() == [2, 4, 4, 2]


@pytest.mark.torch
def test_frozen_answers_are_still_those_of_pytorch() -> None:
    import torch

    answers = json.loads(gzip.decompress(REFERENCE.read_bytes()))["answers"]
    drifted = [call for call in CALLS if answer(torch, call) != answers[call]]
    assert not drifted, drifted[:3]
