"""SurfaceExplorer: the learning rate and the start in hand, what is refused, and what is asked."""

from __future__ import annotations

from typing import Any

import pytest

from tensorwidgets.live import SurfaceExplorer
from tensorwidgets.pictures import show
from tests.live.walking import control, explained, press, walk
from tests.parts import thorough_but
from tests.pictures.learning.test_surface_picture import bowl, with_data

NAN = float("nan")


def explorer(**more: Any) -> SurfaceExplorer:
    return SurfaceExplorer(bowl, **{"lr": 0.04, "start": (-1.5, 1.0), **more})


def test_the_learning_rate_in_hand() -> None:
    w = explorer(optimizers=("SGD",))
    assert control(w, "lr")["shown"] == "0.04" and "is lowest" in w.status
    press(w, "lr", -10)
    assert w.lr == 0.1 and w.status == "SGD diverges from a -1.5, b 1 with lr 0.1" and "✗ diverges" in w.html
    press(w, "lr", -20)
    assert w.lr == 0.01 and "is lowest" in w.status


def test_a_click_begins_elsewhere() -> None:
    w = explorer()
    cells = [c for c in w.html.split('title="') if " | loss " in c]
    name = cells[40].partition(" | ")[0]
    press(w, "cell", name)
    assert w.start != (-1.5, 1.0) and w.pinned == name and w._base.ground.called(w.start) == name
    before = w.start
    press(w, "cell", "")
    press(w, "cell", "no such place")
    assert w.start == before and "No cell of this picture" in w.status or w.start == before
    press(w, "start", "0.5, -1")
    assert "The ring is the start: a 0.5, b -1" in w.html
    assert w.twin().html().count("tw-surface") == 1 and "The ring is the start: a 0.5, b -1" in repr(w.twin())


def test_which_are_drawn() -> None:
    w = explorer()
    press(w, "Adam")
    press(w, "Nesterov")
    assert w.optimizers == ("SGD", "momentum", "Nesterov") and not control(w, "Adam")["pressed"]
    for name in w.optimizers:
        press(w, name)
    assert w.optimizers == () and w.status == "bowl is 22.25 at the start"
    press(w, "SGD")
    press(w, "steps", 10)
    assert w.steps == 10 and "10 steps" in w.html


@pytest.mark.parametrize("lr", thorough_but(["x", 0, NAN], ["x", -1, 0, None, NAN, float("inf"), [1]]))
def test_what_is_no_rate(lr: Any) -> None:
    w = explorer()
    w.lr = lr
    assert w.reason is not None and w.status.startswith("Refused: a learning rate is a positive number")
    w.lr = 0.1
    assert w.reason is None


@pytest.mark.parametrize(("lr", "start"), [(1e9, (1.0, 1.0)), (0.1, (1e10, 1.0)), (0.1, (1e200, 1.0))])
def test_what_is_far_is_no_mistake(lr: float, start: tuple[float, float]) -> None:
    w = explorer()
    w.lr, w.start = lr, start
    assert w.reason is None and w.lr == lr and w.start == start
    explained(w)


def test_what_is_no_place() -> None:
    w = explorer()
    press(w, "start", "here")
    assert control(w, "start")["wrong"] and w.reason is not None and "a place is two numbers" in w.html


def test_it_asks_which_is_lowest() -> None:
    w = explorer(predict=True, optimizers=("SGD", "Adam"))
    assert w.question.startswith("Which optimizer is lowest after 60 steps")
    assert "tw-ends" not in w.html
    w.answer = "SGD"
    assert w.right is True and "tw-ends" in w.html


def test_the_ground_is_painted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    w = SurfaceExplorer(with_data, lr=0.5)
    calls = []
    monkeypatch.setattr(type(w._base.land), "grid", lambda *a: calls.append(a))
    image = w._base.ground.image("")
    w.lr = 0.1
    assert not calls and w._base.ground.image("") is image and image in w.html


def test_walks() -> None:
    w = explorer(steps=20)
    walk(w, 3, 20, lambda: None, odd=0.3)
    explained(w)


def test_from_a_picture() -> None:
    w = show.surface(bowl, lr=0.02).live(predict=False)
    assert isinstance(w, SurfaceExplorer) and w.lr == 0.02 and "The loss <b" in w.html
