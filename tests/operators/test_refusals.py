"""PyTorch's own samples of wrong input, refused by our engine as PyTorch refuses them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.operators.refusals import Refusal, asked_of_pytorch, frozen, ours

_RESIZED_FIRST = (
    "out= is resized there before it is asked whether it lies on what is read; ours asks first, and finds them apart"
)
OTHER_TYPE = {"cat": _RESIZED_FIRST, "gather": _RESIZED_FIRST}
"""Operators of which one sample may be refused by another exception type, or not at all, each with its reason."""


def agreement(asked: Iterable[tuple[Refusal, bytes]]) -> tuple[int, float, list[str]]:
    """How many wrong inputs there are, the share whose first lines agree, and whose types do not."""
    count = lines = 0
    other_types = []
    for wrong, blob in asked:
        found = ours(wrong, blob)
        if found is None:
            continue
        count += 1
        lines += found == (wrong.type, wrong.line)
        if found[0] != wrong.type:
            other_types.append(f"{wrong.op}: {wrong.type}: {wrong.line}\n    ours: {found[0]}: {found[1]}")
    return count, lines / count, other_types


def check(asked: Iterable[tuple[Refusal, bytes]]) -> None:
    count, lines, other_types = agreement(asked)
    assert count > 400
    unexcused = [told for told in other_types if told.partition(":")[0] not in OTHER_TYPE]
    assert not unexcused, "\n".join(unexcused)
    assert len(other_types) <= len(OTHER_TYPE), "\n".join(other_types)
    assert lines >= 0.97


def test_the_frozen_wrong_inputs_are_refused_as_pytorch_refuses_them() -> None:
    check(frozen())


@pytest.fixture(scope="module")
def asked_now() -> list[tuple[Refusal, bytes]]:
    """Every wrong input that PyTorch refuses, asked once for the tests of this file."""
    return list(asked_of_pytorch())


@pytest.mark.torch
def test_every_wrong_input_is_refused_as_pytorch_refuses_it(asked_now: list[tuple[Refusal, bytes]]) -> None:
    check(asked_now)


@pytest.mark.torch
def test_the_frozen_refusals_are_pytorchs_still(asked_now: list[tuple[Refusal, bytes]]) -> None:
    now = {(asked.op, asked.variant, asked.type, asked.line) for asked, _ in asked_now}
    then = {(asked.op, asked.variant, asked.type, asked.line) for asked, _ in frozen()}
    assert then == now
