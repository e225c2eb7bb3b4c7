"""Gradients, gradients of gradients and graphs of PyTorch's own samples."""

from __future__ import annotations

import warnings
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tensorwidgets as tw
from tests.gradients.operators.answers import ask, differences
from tests.gradients.operators.calling import called
from tests.gradients.operators.freeze import frozen
from tests.operators.ask import function
from tests.parts import Part, in_parts

HERE = Path(__file__).parent


MOST = 24
"""How many samples of an operator in one dtype are asked live; `python -m tests.gradients.operators.live` asks all."""


@cache
def exceptions() -> dict[tuple[str, str, str], str]:
    """Samples that may differ: operator, dtype and what differs, each with its reason."""
    rows = [line.split("\t") for line in (HERE / "exceptions.tsv").read_text().splitlines()[1:]]
    return {(op, dtype, what): reason for op, dtype, what, reason in rows}


@in_parts(6)
def test_the_frozen_samples(part: Part) -> None:
    count, wrong = 0, list[str]()
    for sample, blob, theirs in part.of(frozen(), lambda row: (row[0].op, row[0].variant, row[0].dtype)):
        call = called(sample.op, sample.variant)
        ours = ask(tw, call, sample, blob, 2 if "opened" in theirs else 1, graphs=True)
        found = differences(ours, theirs, 2 if "opened" in theirs else 1)
        count += 1
        for what, text in found.items():
            if not any((sample.op, dtype, what) in exceptions() for dtype in (sample.dtype, "*")):
                wrong.append(f"{sample.op} {sample.variant} {sample.dtype} {what}: {text}")
    assert count > part.least(800, 1100)
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:30])


def test_exceptions_are_few_and_each_has_a_reason() -> None:
    assert len(exceptions()) < 10
    for (op, _, what), reason in exceptions().items():
        assert function(op) is not None
        assert what in ("call", "first", "opened", "second", "names", "graphs")
        assert len(reason) > 20, op


def test_a_wrong_gradient_is_found() -> None:
    right = {
        "names": ["MulBackward0"],
        "first": [np.ones(3), None],
        "opened": [np.ones(3), None],
        "second": [np.ones(2)],
    }
    assert differences(right, right, 2) == {}
    for part, other in (
        ("names", ["AddBackward0"]),
        ("first", [np.ones(3) * (1 + 1e-4), None]),
        ("first", [np.ones(3), np.zeros(3)]),
        ("first", [np.ones(3, "f4"), None]),
        ("opened", [np.ones((3, 1)), None]),
        ("second", [np.array([1, np.nan])]),
        ("first", "RuntimeError: no"),
    ):
        assert part in differences({**right, part: other}, right, 2)


@pytest.mark.torch
@pytest.mark.parametrize("part", range(4))
def test_every_sample(part: int) -> None:
    from tests.gradients.operators.live import Asked, entries, rows

    names = sorted({op.name for op in entries()})[part::4]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(rows(set(names), False, False, Asked(order=2, graphs=True, most=MOST), 1))
    count, wrong = sum(row.samples for row in found), Counter[str]()
    for row in found:
        for what, times in row.wrong.items():
            if not any((row.op, dtype, what) in exceptions() for dtype in (row.dtype, "*")):
                wrong[what] += times
    shown = "\n".join(f"{row.title}: {dict(row.wrong)} {row.shown[0]}" for row in found if row.wrong)
    assert count > 1000
    assert not +wrong, shown


@pytest.mark.torch
def test_the_frozen_samples_are_pytorchs_still() -> None:
    import torch

    from tests.gradients.operators.live import entries

    ops = {(op.name, op.variant_test_name): op for op in entries()}
    drifted = []
    for sample, blob, then in list(frozen())[::5]:
        op = ops[sample.op, sample.variant]
        now = ask(torch, op.op, sample, blob, 2 if op.supports_gradgrad else 1, graphs=True)
        found = differences(now, then, 2 if op.supports_gradgrad else 1)
        drifted += [f"{sample.op} {part}: {text}" for part, text in found.items()]
    assert not drifted, "\n".join(drifted)
