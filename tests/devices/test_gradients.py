"""A call with tensors that require a gradient has the CPU's result, gradients, and gradients of these on a GPU."""

from __future__ import annotations

import ast
import gc
import re
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.derivatives import beside, declaring
from tensorwidgets.engine.derivatives.declaring import FORMULAS, PARTS, TABLE
from tests.devices.gradients_on_device import DRAWN, calls, chosen, fault, leaves_on, noted, outcome, same, weight
from tests.gradients.operators.test_samples import exceptions
from tests.parts import Part, in_parts

ELSEWHERE = re.compile("^_|_backward$|_part$|^type$|sparse|^to_dense$|^coalesce$|^values")
"""Rows that only other rows call, and those of sparse tensors, which are in main memory."""


@pytest.fixture
def large_gpu() -> Iterator[None]:
    """One that remembers what was allocated, and not by which calls."""
    with tw.cuda.simulate(memory="256 MiB"):
        tw.cuda.memory._record_memory_history(context=None)
        yield
        leaves_on.cache_clear()
        weight.cache_clear()
        gc.collect()


def to_second_order(items: Iterable[Any], part: Part) -> list[tuple[Any, bool]]:
    """What the plain run asks: everything, and some to the second order. The others are asked so by the rest."""
    every = list(items)
    chosen = part.of(range(len(every)))
    return [(every[k], k in chosen) for k in (chosen if part.rest else range(len(every)))]


@pytest.mark.usefixtures("large_gpu")
@in_parts(15)
def test_every_derivative_is_asked_on_a_gpu_and_is_the_cpus(part: Part) -> None:
    wrong, samples, count = [], 0, 0
    with warnings.catch_warnings(), noted() as names:
        warnings.simplefilter("ignore")
        for (sample, blob, theirs, order), twice in to_second_order(chosen(), part):
            samples += 1
            told = fault(sample, blob, theirs, order if twice else 1)
            if told and not any((sample.op, dtype, "call") in exceptions() for dtype in (sample.dtype, "*")):
                wrong.append(f"{sample.op} {sample.variant} {sample.dtype}: {told}")
        for call, twice in to_second_order(calls(), part):
            count += 1
            there = outcome(call, "cuda", 1 + twice)
            if not same(outcome(call, "cpu", 1 + twice), there, bool(DRAWN.search(call)), 1e-4):
                wrong.append(f"{call}: {there}")
    assert wrong == []
    assert samples > part.least(580, 460) and count > part.least(630, 500)
    declared = {name for name, rows in TABLE.items() if any(row.says in (FORMULAS, PARTS) for row in rows)}
    assert part.rest or {name for name in declared - names if not ELSEWHERE.search(name)} == set()


MAKERS = frozenset("zeros ones empty full eye arange range linspace logspace tensor rand randn".split())
"""Functions that make a tensor on the default device if they are not told another one."""


def test_what_a_formula_makes_has_a_device() -> None:
    told = []
    for path in {*Path(declaring.__file__).parent.rglob("*.py")} - {Path(beside.__file__)}:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            made = node.func if isinstance(node, ast.Call) else None
            if isinstance(made, ast.Attribute) and made.attr in MAKERS and isinstance(made.value, ast.Name):
                if made.value.id == "torch" and "device" not in [word.arg for word in node.keywords]:
                    told.append(f"{path.name}:{node.lineno} torch.{made.attr}")
    assert told == []


@pytest.mark.usefixtures("large_gpu")
def test_copies_and_views_of_a_promise_keep_it_as_on_the_cpu() -> None:
    for device in ("cpu", "cuda"):
        x = tw.tensor([1 + 2j, 3 - 1j, 1j], device=device)
        y = x.conj()
        assert [t.is_conj() for t in (y.detach(), y[1:], y.clone())] == [True, True, False], device
        y[1:].fill_(5 + 5j)
        assert x.tolist() == [1 + 2j, 5 - 5j, 5 - 5j], device
