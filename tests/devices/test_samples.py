"""PyTorch's samples with every tensor on a simulated GPU: the CPU's answers, and few ops through the host."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import tensorwidgets as tw
from tests.devices.on_device import asked

ALLOWED = frozenset((Path(__file__).parent / "through_host.txt").read_text(encoding="utf-8").split())
"""The ops that go through the host for some of their samples. The list only shrinks."""


@pytest.fixture
def large_gpu() -> Iterator[None]:
    with tw.cuda.simulate(memory="256 MiB"):
        yield


@pytest.mark.usefixtures("large_gpu")
def test_every_sample_has_the_cpus_answer_on_a_gpu() -> None:
    wrong, hosted, ops, count = [], set(), set(), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample, fault, host in asked(set()):
            count += 1
            ops.add(sample["op"])
            hosted |= set(host)
            if fault:
                wrong.append(f"{sample['op']} {sample['variant']} {sample['dtype']}: {fault}")
    assert count > 5000
    assert wrong == []
    assert hosted == ALLOWED
    assert len(hosted) <= 0.1 * len(ops)
