"""Labels of ctc_loss that are no classes are refused, where PyTorch reads outside its memory."""

from __future__ import annotations

import pytest

import tensorwidgets as torch

F = torch.nn.functional
SCORES = torch.zeros(5, 1, 3).log_softmax(2)


@pytest.mark.parametrize("labels", [[[1, 3]], [[-1, 1]], [1, 7]])
@pytest.mark.parametrize("zero_infinity", [False, True])
def test_a_label_has_to_be_a_class(labels: list, zero_infinity: bool) -> None:
    wrong = next(label for label in torch.tensor(labels).flatten().tolist() if not 0 <= label < 3)
    with pytest.raises(IndexError, match=f"^Target {wrong} is out of bounds"):
        F.ctc_loss(SCORES, torch.tensor(labels), [5], [2], zero_infinity=zero_infinity)


def test_what_pads_a_row_may_be_anything() -> None:
    padded = torch.tensor([[1, 2, -1], [1, 99, 99]])
    scores = SCORES.repeat(1, 2, 1)
    losses = F.ctc_loss(scores, padded, [5, 5], [2, 1], reduction="none")
    assert losses.equal(F.ctc_loss(scores, padded.clamp(0, 2), [5, 5], [2, 1], reduction="none"))
