"""Calls with arguments that do not fit fail as PyTorch's do, at once, and change nothing."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.operators.sweep import Answer, Tally, asked, frozen, targets
from tests.operators.sweep_calls import written_calls


def check(answers: Iterable[tuple[str, Answer, Answer]], count: int) -> None:
    tally, unbearable = Tally(), []
    for text, theirs, ours in answers:
        if {"crash", "hang", "changed", "insides"}.intersection(tally.add(theirs, ours)):
            unbearable.append(f"{text}: {theirs.type}: {theirs.line}\n    ours: {ours}")
    assert tally.count >= count
    assert not unbearable, "\n".join(unbearable[:20])
    assert tally.outcomes >= 0.99, str(tally)
    assert tally.lines >= 0.93 * tally.refused, str(tally)


def test_wrong_arguments_are_refused_as_pytorch_refused_them() -> None:
    """In a child process with little memory and a watchdog; the answers of PyTorch are frozen."""
    rows = frozen()
    answers = asked([text for text, _ in rows], both=False)
    check(((text, theirs, ours) for (text, theirs), (_, _, ours) in zip(rows, answers, strict=True)), 7000)


@pytest.mark.torch
def test_wrong_arguments_are_refused_as_pytorch_refuses_them() -> None:
    check(asked(list(written_calls(targets(), 8000, "live"))), 7900)
