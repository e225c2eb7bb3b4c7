"""Few floats are added, multiplied and normalized to the bit as in PyTorch; shares of softmax nearly always."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tests.engine.numbers import norm_cases, ordered_cases

KINDS = pytest.mark.parametrize("kind", [ordered_cases, norm_cases], ids=["sums", "norms"])


@KINDS
def test_results_have_the_bits_of_pytorchs(kind: Any) -> None:
    frozen = [line.split("\t") for line in kind.FROZEN.read_text(encoding="utf-8").splitlines()]
    ours = [[case.label, kind.bits(tw, case)] for case in kind.cases(0, len(frozen))]
    wrong = [label for (label, one), (_, other) in zip(ours, frozen, strict=True) if one != other]
    assert [label for label, _ in ours] == [label for label, _ in frozen]
    assert len(frozen) >= 300 and not wrong, (len(wrong), wrong[:5])


@pytest.mark.torch
@KINDS
def test_results_have_the_bits_of_pytorchs_here(kind: Any) -> None:
    torch = importlib.import_module("torch")
    alike = _alike
    if kind is norm_cases and torch.backends.cpu.get_cpu_capability() != "AVX2":
        alike = _close  # on other processors PyTorch's kernels may round otherwise
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        wrong = [case.label for case in kind.cases(1, 2000) if not alike(kind, torch, case)]
    finally:
        torch.set_num_threads(threads)
    assert not wrong, (len(wrong), wrong[:5])


def _alike(kind: Any, torch: Any, case: Any) -> bool:
    return bool(kind.bits(tw, case) == kind.bits(torch, case))


def _close(kind: Any, torch: Any, case: Any) -> bool:
    return np.allclose(
        kind.numbers(tw, case), kind.numbers(torch, case), rtol=1e-3, atol=1e-2
    )  # a row of two near numbers is far off


@pytest.mark.torch
@pytest.mark.parametrize("size", [(64, 2), (64, 3), (32, 7), (7, 33), (20,), (2, 3, 40)])
def test_shares_nearly_always_have_the_bits_of_pytorchs(size: tuple[int, ...]) -> None:
    torch = importlib.import_module("torch")
    if size[-1] >= 8 and torch.backends.cpu.get_cpu_capability() != "AVX512":
        size = (*size[:-1], 7)  # longer rows are added in an order of the processor's
    draw = np.random.default_rng(0)
    for name, dim in ((name, dim) for name in ("softmax", "log_softmax") for dim in range(-1, len(size))):
        differ = asked = 0
        for _ in range(40):
            x = (draw.standard_normal(size) * 3).astype("f4")
            theirs, ours = (getattr(m.from_numpy(x), name)(dim).numpy() for m in (torch, tw))
            differ, asked = differ + int((theirs != ours).sum()), asked + x.size
            assert np.abs(theirs - ours).max() < 1e-5
        assert differ / asked < 0.2, (name, dim, differ, asked)
