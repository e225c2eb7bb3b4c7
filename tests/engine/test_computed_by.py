"""What `route` says of each row's kernel is what the row is heard to call, in samples of PyTorch and calls by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.dispatch.computed_by import computed_by
from tensorwidgets.engine.dispatch.registry import OPS

ROOT = Path(__file__).parents[2]
WITHOUT_A_RULE = 38
"""Rows that have no rule and are not composite, at most. Lower it when rows are given one; never raise it."""


@cache
def heard() -> dict[str, dict[str, Any]]:
    """What each row was heard to do, in a process whose engine was imported with listeners."""
    command = [sys.executable, "-m", "tests.engine.observe_rows", "--json"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    answer: dict[str, dict[str, Any]] = json.loads(run.stdout)
    return answer


def test_every_row_is_described_and_was_called() -> None:
    assert {name for name in OPS if computed_by(OPS[name]).how == "user"} == set()
    refused = [name for name in OPS if not heard()[name]["calls"]]
    assert refused == [name for name in OPS if computed_by(OPS[name]).how == "refused"]
    assert refused == ["chalf", "cuda", "indices_copy"]
    for name in refused:
        with pytest.raises((TypeError, AssertionError, RuntimeError)):
            OPS[name].function(tw.ones(2))


def test_no_row_names_what_it_does_not_call() -> None:
    wrong = []
    for name, op in OPS.items():
        _, functions, rows = computed_by(op)
        silent = {*functions} - {*heard()[name]["functions"]} | {*rows} - {*heard()[name]["rows"]}
        if silent:
            wrong.append(f"{name} is not heard to call {', '.join(sorted(silent))}")
    assert wrong == []


def test_only_what_computes_nothing_itself_is_called_composite() -> None:
    composite = [name for name in OPS if computed_by(OPS[name]).how == "composite"]
    assert len(composite) > 70
    assert {name: heard()[name]["computing"] for name in composite if heard()[name]["computing"]} == {}
    assert [name for name in composite if not computed_by(OPS[name]).rows] == []


def test_what_computes_says_so() -> None:
    """A row without functions calls none that changes numbers."""
    silent = [name for name in OPS if computed_by(OPS[name]).how == "none"]
    assert {name: heard()[name]["computing"] for name in silent if heard()[name]["computing"]} == {}
    plain_views = [name for name in OPS if computed_by(OPS[name])[:2] == ("view", ())]
    assert {name: heard()[name]["computing"] for name in plain_views if heard()[name]["computing"]} == {}


def test_the_table_is_what_the_script_writes() -> None:
    assert {n: (*computed_by(op),) for n, op in OPS.items()} == {
        n: (h["described"][0], tuple(h["described"][1]), tuple(h["described"][2])) for n, h in heard().items()
    }


def test_rows_without_a_rule_become_fewer() -> None:
    missing = [name for name, op in OPS.items() if op.rule is None and computed_by(op).how != "composite"]
    assert len(missing) <= WITHOUT_A_RULE, f"{len(missing)} rows have no rule: {', '.join(missing)}"


def test_the_route_names_library_and_file() -> None:
    x = tw.ones(2, 2)
    said = {name: tw.route(name, x).stations[-1][1] for name in ("add", "mm", "linalg.svd", "sort", "tensordot", "t")}
    assert said == {
        "add": "numpy.add",
        "mm": "numpy.matmul (BLAS), in ops/linalg/products.py",
        "linalg.svd": "numpy.linalg.svd (LAPACK), in ops/linalg/svd.py",
        "sort": "numpy.argsort, numpy.take_along_axis, in ops/ordering/sorting.py",
        "tensordot": "made of: mm, permute, reshape",
        "t": "none: a view is new numbers for size, stride and offset over the same storage",
    }
