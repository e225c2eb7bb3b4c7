"""Texts given to `why`, `show.steps` and live text boxes: what would do harm is refused, and what is honest stays.

The texts stand in two tables, `hostile.txt` and `honest.txt`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.expressions import names as allowed
from tensorwidgets.engine.expressions import walk
from tensorwidgets.engine.expressions.budget import Budget
from tensorwidgets.engine.expressions.costs import cost_of, has_rule
from tensorwidgets.engine.expressions.objects import own_ops
from tests.parts import Part, two_parts

HERE = Path(__file__).parent
HOSTILE = [line for line in (HERE / "hostile.txt").read_text().splitlines() if not line.startswith("#")]
HONEST = (HERE / "honest.txt").read_text().splitlines()


@pytest.fixture(scope="module", params=two_parts(4), ids=str)
def part(request: pytest.FixtureRequest) -> Part:
    chosen: Part = request.param
    return chosen


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory, part: Part) -> list[dict[str, Any]]:
    """What came of each hostile text, in one process that may grow by a gigabyte."""
    folder = tmp_path_factory.mktemp("texts")
    command = [sys.executable, "-m", "tests.texts.run_texts", str(folder)]
    done = subprocess.run(
        command, input="\n".join(part.of(HOSTILE)), capture_output=True, text=True, cwd=HERE.parents[1], timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert not list(folder.iterdir())
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_hostile_text_is_answered(outcomes: list[dict[str, Any]], part: Part) -> None:
    assert len(HOSTILE) >= 400
    assert [row["text"] for row in outcomes] == part.of(HOSTILE)


def test_no_hostile_text_runs_anything(outcomes: list[dict[str, Any]]) -> None:
    assert [row for row in outcomes if row["touched"]] == []


def test_no_hostile_text_takes_a_gigabyte(outcomes: list[dict[str, Any]]) -> None:
    """Nor hours, as most do without a bound: a text that takes a minute ends the process, and the fixture fails."""
    assert [row for row in outcomes if "unable to allocate" in str(row["told"]).lower()] == []


def test_each_refusal_is_a_sentence_of_ours(outcomes: list[dict[str, Any]]) -> None:
    for row in outcomes:
        for told in row["told"]:
            assert not told.startswith("raw"), row
            assert "\n" not in told and len(told) < 500, row


def test_most_hostile_texts_are_refused_before_a_step_is_taken(outcomes: list[dict[str, Any]]) -> None:
    refused = [row for row in outcomes if row["told"][0].startswith("expression.")]
    assert len(refused) > 0.95 * len(outcomes)


@pytest.mark.parametrize(
    ("text", "rule", "said"),
    [
        ("t.mvlgamma(10**8)", "growth", "need, to compute with, 600000012 elements"),
        ("tw.ones(1).expand(6 * 10**7).sort()", "growth", "sort would make 120000000 elements"),
        ("np.diag_indices(3, 10**9)", "objects", "diag_indices would make 1000000000 objects"),
        ("tw.einsum('i,j,k,l->', *[tw.ones(3000)] * 4)", "growth", "162000000000004 elements"),
        ("np.convolve(np.ones(10**6), np.ones(10**6))", "work", "1000000000000 steps"),
        ("np.diff(x, 10**9)", "work", "diff would take about"),
        ("tw.combinations(tw.ones(10), 10**9)", "growth", "combinations would make a number of"),
        ("tw.cdist(tw.ones(3000, 1000), tw.ones(3000, 1000), p=3.0)", "work", "360000000000"),
        ("np.linalg.svd(np.zeros((4000, 4000)))", "growth", "80000000 elements"),
        ("np.zeros_like(x, shape=10**9)", "growth", "1000000000 elements"),
        ("np.repeat(a=x, repeats=10**9)", "growth", "12000000000 elements"),
        ("-t.expand(10**9, 2, 3)", "growth", "neg would make 6000000000 elements"),
        ("np.may_share_memory(x, x, max_work=-1)", "uncounted", "max_work"),
    ],
)
def test_a_cost_is_named_with_its_number_and_a_way_out(text: str, rule: str, said: str) -> None:
    given = {"x": np.arange(12.0).reshape(3, 4), "t": tw.arange(6.0).reshape(2, 3), "np": np, "tw": tw}
    with pytest.raises(ValueError, match="expression|would|known") as caught:
        walk(text, given)
    reason = caught.value.reason  # type: ignore[attr-defined]
    assert reason.rule == f"expression.{rule}"
    assert said in str(caught.value)
    assert reason.because and reason.instead


def made(spelled: str) -> Any:
    """A value as the table of honest texts spells it: `tw float32 2,3`, or a number."""
    if not spelled.startswith(("tw ", "np ")):
        return float(spelled) if "." in spelled or "e" in spelled else int(spelled)
    kind, dtype, sizes = spelled.split(" ")
    size = [int(n) for n in sizes.split(",") if n]
    if kind == "np":
        return np.ones(size, dtype)
    return tw.ones(size, dtype=getattr(tw, dtype))


def test_honest_texts_stay_allowed() -> None:
    assert len(HONEST) >= 150
    refused = []
    for line in HONEST:
        text, *told = line.split(" ; ")
        given = {name: made(value) for name, _, value in (one.partition("=") for one in told)}
        try:
            walk(text, {"np": np, "torch": tw, "tw": tw, **given})
        except Exception as error:
            refused.append((text, str(error)))
    assert refused == []


VIEWS_OF_ANY_SIZE = """
t.expand(10**12, 2, 3)[0]
t.expand(10**12, 2, 3)[0] + 1
t.expand(10**12, 2, 3).reshape(10**6, 10**6, 2, 3)[0, 0]
t.expand(10**12, 2, 3).view(10**6, 10**6, 6)[0, 0].sum()
t.expand(10**12, 2, 3).permute(2, 0, 1)[:, 7].t()
t.expand(10**12, 2, 3).narrow(0, 0, 2).contiguous()
t.expand(10**12, 2, 3).stride()
t.expand(10**12, 2, 3).shape[0]
t.expand(10**12, 2, 3)[None, ..., ::2].shape
t.expand(10**12, 2, 3).unsqueeze(0).squeeze().is_contiguous()
t.expand(10**12, 2, 3).expand_as(t.expand(10**12, 2, 3)).size()
np.broadcast_to(x, (10**9, 3, 4))[0].T + x.T
np.broadcast_to(x, (10**9, 3, 4)).T.shape
tw.empty(10**6, 10**6, device='meta').t() + 1
""".strip().split("\n")


@pytest.mark.parametrize("text", VIEWS_OF_ANY_SIZE)
def test_views_never_count_as_growth(text: str) -> None:
    given = {"x": np.arange(12.0).reshape(3, 4), "t": tw.arange(6.0).reshape(2, 3), "np": np, "tw": tw}
    stages = walk(text, given)
    assert stages[-1].error is None and stages[-1].text == text


def test_one_budget_holds_for_all_steps_together() -> None:
    many = " + ".join(["tw.zeros(2**22)"] * 30)
    with pytest.raises(ValueError, match="the steps before"):
        walk(many, {"tw": tw})


def test_what_is_spent_may_grow_with_what_was_given() -> None:
    given = np.zeros(2**26, np.uint8)  # no page of it is touched before it is read
    with pytest.raises(ValueError, match="elements"):
        walk("(np.zeros(2**26, 'u1') + 1)[0]", {"np": np})
    assert walk("(x + 1)[0]", {"x": given})[-1].value == 1


@pytest.mark.parametrize("name", ["add", "exp", "pow", "sum", "sort", "unique", "softmax", "std", "cumsum", "clone"])
def test_an_ordinary_step_on_a_large_array_that_was_given_is_not_refused(name: str) -> None:
    budget, x = Budget(), tw.zeros(2**26, dtype=tw.uint8)  # counted, and not computed with
    budget.give(x)
    assert budget.charge(name, (x,), {}) is None


def test_every_name_that_may_be_called_has_a_cost() -> None:
    names = allowed.FUNCTIONS | allowed.METHODS | allowed.LINALG | own_ops("method") | own_ops("function")
    assert sorted(name for name in names if not has_rule(name)) == []


@pytest.mark.parametrize("number", [10**9, -(2**200)])
def test_a_cost_is_found_at_once_whatever_the_numbers(number: int) -> None:
    x = np.ones((3, 3))
    for name in sorted(allowed.FUNCTIONS | allowed.METHODS | own_ops("function")):
        for args in ((x, number), (number,), ((number,) * 60,), (x, x, number), (x, [number] * 60), ([x] * 60, number)):
            try:
                cost = cost_of(name, args, {})
            except Exception as error:
                assert type(error).__name__ == "Uncounted", (name, args, error)
                continue
            assert all(0 <= part < 1 << 260 for part in cost), (name, args)
