"""Calls with arguments that do not fit fail as PyTorch's do, at once, and change nothing."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.operators.sweep import Answer, Tally, asked, frozen, targets
from tests.operators.sweep_calls import split, written_calls
from tests.parts import Part, in_parts


def check(answers: Iterable[tuple[str, Answer, Answer]], count: int) -> None:
    tally, unbearable = Tally(), []
    for text, theirs, ours in answers:
        if {"crash", "hang", "changed", "insides"}.intersection(tally.add(theirs, ours)):
            unbearable.append(f"{text}: {theirs.type}: {theirs.line}\n    ours: {ours}")
    assert tally.count >= count
    assert not unbearable, "\n".join(unbearable[:20])
    assert tally.outcomes >= 0.99, str(tally)
    assert tally.lines >= 0.93 * tally.refused, str(tally)


@in_parts(5)
def test_wrong_arguments_are_refused_as_pytorch_refused_them(part: Part) -> None:
    """In a child process with little memory and a watchdog; the answers of PyTorch are frozen."""
    rows = part.of(frozen(), lambda row: split(row[0])[0])
    answers = asked([text for text, _ in rows], both=False)
    check(
        ((text, theirs, ours) for (text, theirs), (_, _, ours) in zip(rows, answers, strict=True)),
        part.least(2400, 5300),
    )


@pytest.mark.torch
def test_wrong_arguments_are_refused_as_pytorch_refuses_them() -> None:
    check(asked(list(written_calls(targets(), 8000, "live"))), 7900)
