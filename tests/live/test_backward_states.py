"""BackwardExplorer in many states: forwards, back, to the next sum, and what is asked before it is shown."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.live import BackwardExplorer
from tests.live.walking import control, explained, press, walk
from tests.pictures.operations.graph_programs import PROGRAMS


def explorer(name: str, **more: Any) -> BackwardExplorer:
    result, _ = PROGRAMS[name](tw)
    return BackwardExplorer(result, labels=["y"], gradient=tw.ones(tuple(result.shape)), **more)


def test_forwards_and_back() -> None:
    w = explorer("shared")
    assert w.status == "All 5 steps are done." and control(w, "step")["shown"] == "all done"
    press(w, "start")
    assert w.step == 0 and w.status == "Step 1 of 5, y: 1 arrives."
    for k in range(1, 6):
        press(w, "after")
        assert w.step == k and f"Step {k + 1} of 5" in w.status or k == 5
    press(w, "after")
    assert w.step == 5
    press(w, "before")
    assert w.step == 4 and "is added to .grad" in w.status


def test_to_the_next_sum() -> None:
    w = explorer("layer", step=0)
    meets = []
    for _ in range(3):
        press(w, "meet")
        meets.append(w.step)
        assert "gradients meet" in w.status
    assert meets == sorted(set(meets[:2])) + [meets[0]]
    assert "meet" not in [c["name"] for c in explorer("chain").controls]


def test_each_step_asks_for_what_it_shows() -> None:
    w = explorer("shared", predict=True)
    assert w.step == 0 and w.question == "Which gradient arrives at y in step 1?"
    for _ in range(5):
        asked = w.question
        assert asked and w.right is None
        w.answer = "1" if "Which" in asked else "7"
        assert w.right is ("Which" in asked)
        w.answer = w._quiz()[1]  # type: ignore[index]
        assert w.right is True and w.status.startswith("Right. ")
        press(w, "after")
    assert w.question == "" and w.status == "All 5 steps are done."


def test_the_graph_may_go_first() -> None:
    x = tw.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    w = BackwardExplorer(y)
    y.backward()
    w.step = 0
    assert "backward starts with 1" in w.html and x.grad is not None


@pytest.mark.parametrize("name", PROGRAMS)
def test_walks(name: str) -> None:
    w = explorer(name)
    walk(w, random.Random(name).randrange(99), 12, lambda: None, odd=0.2)
    explained(w)
