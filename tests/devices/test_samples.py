"""PyTorch's samples with every tensor on a simulated GPU: the CPU's answers, and few ops through the host."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.devices.through_host import is_always, listed
from tests.devices.on_device import asked
from tests.parts import Part, in_parts

MOST = 20
"""How many ops go through the host; the number only shrinks."""


@pytest.fixture
def large_gpu() -> Iterator[None]:
    """One that remembers what was allocated, and not by which calls: below pytest each is thirty calls deep."""
    with tw.cuda.simulate(memory="256 MiB"):
        tw.cuda.memory._record_memory_history(context=None)
        yield


@pytest.mark.usefixtures("large_gpu")
@in_parts(6)
def test_every_sample_has_the_cpus_answer_on_a_gpu(part: Part) -> None:
    wrong, hosted, ops, count = [], set(), set(), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for sample, fault, host in asked(set(), part):
            count += 1
            ops.add(sample["op"])
            hosted |= set(host)
            if fault:
                wrong.append(f"{sample['op']} {sample['variant']} {sample['dtype']}: {fault}")
    assert count > part.least(1700, 3500)
    assert wrong == []
    assert {name for name in hosted if not is_always(name)} == set()
    assert len(listed()) <= MOST
    assert len(hosted) <= 0.05 * len(ops)
