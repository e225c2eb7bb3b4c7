"""PyTorch's own samples of its documented operators, asked of our engine."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tensorwidgets as tw
from tests.operators.ask import AS_THE_DATABASE_ASKS, RANDOM, UNTOLD, function
from tests.operators.documented import NAMES, is_documented
from tests.operators.report import frozen, live
from tests.operators.samples import load
from tests.parts import Part, in_parts

HERE = Path(__file__).parent


@cache
def exceptions() -> dict[tuple[str, str, str], str]:
    """Samples that may differ: operator, variant and dtype, each with its reason."""
    rows = [line.split("\t") for line in (HERE / "exceptions.tsv").read_text().splitlines()[1:]]
    return {(op, variant, dtype): reason for op, variant, dtype, reason in rows}


def faults(samples: Iterable[tuple[dict[str, Any], str]]) -> tuple[list[str], Counter[tuple[str, str, str]]]:
    """What disagrees without an excuse, and how often each excuse was needed."""
    wrong, excused = [], Counter[tuple[str, str, str]]()
    for sample, fault in samples:
        if not fault:
            continue
        for dtype in (sample["dtype"], "*"):
            key = (sample["op"], sample["variant"], dtype)
            if key in exceptions():
                excused[key] += 1
                break
        else:
            wrong.append(f"{sample['op']} {sample['variant']} {sample['dtype']}: {fault}")
    return wrong, excused


@in_parts(6)
def test_the_frozen_samples(part: Part) -> None:
    samples, _ = load(tw)
    assert len(samples) > 5000
    wrong, _ = faults(frozen(set(), part))
    assert not wrong, f"{len(wrong)} disagree\n" + "\n".join(wrong[:20])


def test_exceptions_are_few_and_each_has_a_reason() -> None:
    assert len(exceptions()) < 10
    for key, reason in exceptions().items():
        assert len(reason) > 20, key
        assert function(key[0]) is not None, key


def test_every_documented_operator_is_there() -> None:
    assert [name for listed in NAMES.values() for name in listed if is_documented(name) and not _is_there(name)] == []


def _is_there(name: str) -> bool:
    return function(name) is not None or hasattr(tw.Tensor, name.removeprefix("Tensor.")) or hasattr(tw, name)


@pytest.mark.torch
@pytest.mark.parametrize("part", range(4))
def test_every_sample(part: int) -> None:
    from tests.operators.freeze import entries

    names = sorted({op.name for op in entries()})[part::4]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrong, _ = faults(live(set(names)))
    assert not wrong, f"{len(wrong)} disagree\n" + "\n".join(wrong[:20])


@pytest.mark.torch
def test_the_frozen_samples_are_pytorchs_still() -> None:
    import torch

    samples, unpacker = load(torch)
    drifted = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample in samples[::7]:
            input, args, named = unpacker.unpack(sample["given"])
            op = getattr(torch, sample["op"], None)
            theirs = unpacker.unpack(sample["answer"])
            if (
                not callable(op)
                or sample["variant"]
                or (sample["op"], "") in AS_THE_DATABASE_ASKS
                or not isinstance(theirs, torch.Tensor)
                or not theirs.is_floating_point()
            ):
                continue
            answer = op(input, *args, **named)
            if not torch.allclose(answer, theirs, rtol=1e-4, atol=1e-5, equal_nan=True):
                drifted.append(sample["op"])
    assert not set(drifted) - RANDOM - UNTOLD
