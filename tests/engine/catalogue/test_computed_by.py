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

ROOT = Path(__file__).parents[3]
BY_DATA = {"tensor", "new_tensor", "as_tensor", "asarray", "from_numpy", "frombuffer", "from_dlpack"}
"""Rows whose results are what lists, arrays and buffers of other libraries make them."""
BY_VALUES = {
    "nonzero": "x.nonzero()", "argwhere": "x.argwhere()", "masked_select": "x.masked_select(x > 0)",
    "unique": "x.unique(dim=0)", "unique_consecutive": "x.unique_consecutive()", "equal": "x.equal(x)",
    "bincount": "x.long().bincount()",
    "_pack_padded_sequence": "pack_padded_sequence(x[:, None], x.long(), False)",
}  # fmt: skip
"""Rows whose results have as many elements as their arguments say by their values, each with a call."""


@cache
def heard() -> dict[str, dict[str, Any]]:
    """What each row was heard to do, in a process whose engine was imported with listeners."""
    command = [sys.executable, "-m", "tests.engine.catalogue.observe_rows", "--json"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    answer: dict[str, dict[str, Any]] = json.loads(run.stdout)
    return answer


def test_every_row_is_described() -> None:
    assert {name for name in OPS if computed_by(OPS[name]).how == "user"} == set()
    composite = [name for name in OPS if computed_by(OPS[name]).how == "composite"]
    assert len(composite) > 70 and [name for name in composite if not computed_by(OPS[name]).rows] == []


@pytest.mark.thorough
def test_every_row_was_called() -> None:
    refused = [name for name in OPS if not heard()[name]["calls"]]
    assert refused == [name for name in OPS if computed_by(OPS[name]).how == "refused"]
    assert refused == ["chalf", "cuda", "indices_copy"]
    for name in refused:
        with pytest.raises((TypeError, AssertionError, RuntimeError)):
            OPS[name].function(tw.ones(2))


@pytest.mark.thorough
def test_no_row_names_what_it_does_not_call() -> None:
    wrong = []
    for name, op in OPS.items():
        _, functions, rows = computed_by(op)
        silent = {*functions} - {*heard()[name]["functions"]} | {*rows} - {*heard()[name]["rows"]}
        if silent:
            wrong.append(f"{name} is not heard to call {', '.join(sorted(silent))}")
    assert wrong == []


@pytest.mark.thorough
def test_only_what_computes_nothing_itself_is_called_composite() -> None:
    composite = [name for name in OPS if computed_by(OPS[name]).how == "composite"]
    assert {name: heard()[name]["computing"] for name in composite if heard()[name]["computing"]} == {}


@pytest.mark.thorough
def test_what_computes_says_so() -> None:
    """A row without functions calls none that changes numbers."""
    silent = [name for name in OPS if computed_by(OPS[name]).how == "none"]
    assert {name: heard()[name]["computing"] for name in silent if heard()[name]["computing"]} == {}
    plain_views = [name for name in OPS if computed_by(OPS[name])[:2] == ("view", ())]
    assert {name: heard()[name]["computing"] for name in plain_views if heard()[name]["computing"]} == {}


@pytest.mark.thorough
def test_the_table_is_what_the_script_writes() -> None:
    assert {n: (*computed_by(op),) for n, op in OPS.items()} == {
        n: (h["described"][0], tuple(h["described"][1]), tuple(h["described"][2])) for n, h in heard().items()
    }


def test_a_row_without_a_rule_is_composite() -> None:
    """A row with a quick way computes the most frequent calls at once, and leaves the others to its parts."""
    tw.ones(1, requires_grad=True)  # with the first such tensor, rows get their quick ways
    undecided = [op for op in OPS.values() if op.rule is None and not op.decided_by and op.quick is None]
    assert [op.name for op in undecided if computed_by(op).how not in ("composite", "refused")] == []


def test_what_is_not_decided_by_a_rule_alone_says_so() -> None:
    assert {name for name, op in OPS.items() if op.decided_by == "data"} == BY_DATA
    assert {name for name, op in OPS.items() if op.decided_by == "values"} == BY_VALUES.keys()


@pytest.mark.parametrize("name", BY_VALUES)
def test_a_result_that_values_decide_is_refused_on_meta_as_route_says(name: str) -> None:
    meta = tw.ones(3, device="meta")
    with pytest.raises(NotImplementedError, match="Meta|register_meta") as error:
        eval(BY_VALUES[name], {"x": meta, "pack_padded_sequence": OPS["_pack_padded_sequence"].function})
    assert error.value.reason.rule == "meta.values"  # type: ignore[attr-defined]
    last = tw.route(name, meta).stations[-1]
    assert last == ("meta", "the result depends on the numbers, which a meta tensor does not have: the call is refused")


def test_the_route_names_library_and_file() -> None:
    x = tw.ones(2, 2)
    said = {name: tw.route(name, x).stations[-1][1] for name in ("add", "mm", "linalg.svd", "sort", "tensordot", "t")}
    assert said == {
        "add": "numpy.add",
        "mm": "numpy.matmul (BLAS), in ops/linalg/products.py",
        "linalg.svd": "numpy.linalg.svd (LAPACK), in ops/linalg/svd.py",
        "sort": "numpy.argsort, numpy.take_along_axis, in ops/ordering/sorting.py",
        "tensordot": "made of: permute, reshape, mm, mul, squeeze, sum",
        "t": "none: a view is new numbers for size, stride and offset over the same storage",
    }
    kept_from_warning = tw.route("grid_sampler_2d", x, x, 0, 0, False).stations[-1][1]
    assert kept_from_warning.endswith(", in ops/nn/resampling/grids.py")
