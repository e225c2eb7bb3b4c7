"""TrainingLog and TrainingExplorer: what is kept, when it is drawn, and what is saved."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.live import TrainingExplorer, TrainingLog
from tensorwidgets.live import training_log as module
from tests.live.walking import control, explained, press, walk


def logged(n: int = 300, name: str = "SGD") -> TrainingLog:
    log = TrainingLog(name)
    for k in range(n):
        log(loss=2 / (k + 1), lr=0.1)
    return log


def test_a_number_that_comes_again_begins_a_step() -> None:
    log = TrainingLog()
    log(loss=3)
    log(lr=0.1)
    log(loss=2.0, lr=0.1)
    log(val_loss=2.5)
    log(loss=1.0)
    assert {name: (steps.tolist(), values.tolist()) for name, steps, values in log.series()} == {
        "loss": ([1, 2, 3], [3, 2, 1]),
        "lr": ([1, 2], [0.1, 0.1]),
        "val_loss": ([2], [2.5]),
    }
    log(step=10, loss=0.5)
    assert len(log) == 10 and log["loss"] == [3, 2, 1, 0.5]
    with pytest.raises(ValueError, match="step 4 comes after step 10"):
        log(step=4, loss=1.0)


def test_no_graph_is_kept() -> None:
    w = tw.ones(3, requires_grad=True)
    loss = (w * 2).sum()
    node = weakref.ref(loss.grad_fn)
    log = TrainingLog()
    log(loss=loss, part=loss.reshape(1))
    del loss
    gc.collect()
    assert node() is None and log["loss"] == [6.0] and type(log["part"][0]) is float


@pytest.mark.torch
def test_losses_of_pytorch() -> None:
    import torch

    log = TrainingLog()
    w = torch.ones(3, requires_grad=True)
    for _ in log.track(range(3)):
        loss = (w * w).sum()
        loss.backward()
        log(loss=loss, half=loss.to(torch.bfloat16))
    assert log["loss"] == [3.0] * 3 and log["half"] == [3.0] * 3


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [(tw.ones(3), ValueError, r"loss.mean\(\)"), (tw.ones(0), ValueError, "no elements"), ("a", TypeError, "str"),
     (None, TypeError, "is None")],
)  # fmt: skip
def test_what_is_no_number(value: Any, error: type[Exception], words: str) -> None:
    log = logged(2)
    with pytest.raises(error, match=words):
        log(loss=value, lr=1.0)
    assert log["loss"] == [2.0, 1.0] and log.step == 2


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_drawing_takes_less_than_a_fortieth_of_the_time() -> None:
    log, clock = TrainingLog(), Clock()
    log.clock = clock
    drawn: list[bool] = []

    def viewer(last: bool) -> None:
        clock.now += 0.05
        drawn.append(last)

    log.watch(viewer)
    for _ in log.track(range(2000)):
        clock.now += 0.01
        log(loss=1.0)
    assert drawn[-1] is True and drawn.count(True) == 1
    assert 5 <= len(drawn) and 0.05 * (len(drawn) - 1) < (2000 * 0.01) / module.SHARE + 0.05


def test_a_log_without_views_does_not_look_at_the_clock() -> None:
    log = TrainingLog()
    log.clock = None  # type: ignore[assignment]
    for k in range(5):
        log(loss=k)
    assert log["loss"] == [0, 1, 2, 3, 4]


def test_it_grows_with_the_log() -> None:
    log = TrainingLog("Adam")
    w = TrainingExplorer(log)
    assert "no numbers yet" in w.status and w.controls == []
    log.clock = Clock()
    seen = []
    for k in log.track(range(60)):
        log(loss=1 / (k + 1))
        log.clock.now += 1  # type: ignore[attr-defined]
        seen.append(w.html)
    assert len(set(seen)) > 10 and "60 steps" in w.html and "step 20 of 60" in "".join(seen)
    w.close()
    log(loss=0.0)
    log.draw()
    assert "lowest 0.017 at step 60" in w.status


def test_a_loop_that_breaks_or_raises_is_drawn_to_its_end() -> None:
    for stop in (StopIteration, ValueError):
        log = TrainingLog()
        w = TrainingExplorer(log)
        with pytest.raises((ValueError, RuntimeError)):
            for k in log.track(range(100)):
                log(loss=1 / (k + 1))
                if k == 41:
                    raise ValueError if stop is ValueError else RuntimeError
        gc.collect()
        assert "42 steps" in w.html


class Bar:
    """What the log does to a bar of tqdm."""

    made: list[Bar] = []
    disable, last_print_n, miniters = False, 0, 2

    def __init__(self, **options: Any):
        self.options, self.n, self.words, self.closed = options, 0, "", False
        Bar.made.append(self)

    def update(self) -> None:
        self.n += 1

    def set_postfix_str(self, words: str, refresh: bool) -> None:
        self.words = words

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Bar]]:
    Bar.made = []
    monkeypatch.setattr("tqdm.std.tqdm", Bar)
    yield Bar.made


def test_progress_is_a_bar_of_tqdm(bars: list[Bar]) -> None:
    log = TrainingLog("SGD")
    for _ in log.track(range(2)):
        for k in log.track([1.0, 0.5, 0.25]):
            log(loss=k)
    outer, inner, again = bars
    assert (outer.options["total"], inner.options["total"], outer.n, inner.n, again.n) == (2, 3, 2, 3, 3)
    assert outer.options["leave"] and not inner.options["leave"] and outer.words == "loss 0.25"
    assert all(bar.closed and bar.options["disable"] is None for bar in bars)
    assert len(log) == 6


def test_without_tqdm_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.std", None)
    log = TrainingLog()
    assert list(log.track(range(3))) == [0, 1, 2]


@pytest.mark.parametrize("answering", [True, False])
def test_in_a_notebook_the_bar_is_text(answering: bool, bars: list[Bar], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "kernel_of_notebook", object)
    monkeypatch.setattr(module, "answers", lambda: answering)
    assert list(TrainingLog().track(range(3))) == [0, 1, 2]
    assert [(bar.options["ncols"], bar.options["disable"]) for bar in bars] == [(80, False)] * answering


def test_what_is_saved_is_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The output that was shown before the loop is replaced by the last state."""
    shown: list[tuple[str, str, str]] = []

    def display(data: dict[str, Any], *, metadata: Any, raw: bool, display_id: str) -> None:
        shown.append(("first", display_id, data["text/plain"]))

    def update(data: dict[str, Any], *, metadata: Any, raw: bool, display_id: str) -> None:
        shown.append(("again", display_id, data["text/plain"]))

    monkeypatch.setattr("IPython.display.display", display)
    monkeypatch.setattr("IPython.display.update_display", update)
    log = TrainingLog("SGD")
    w = log.live()
    w._ipython_display_()
    for k in log.track(range(40)):
        log(loss=1 / (k + 1))
    assert [kind for kind, _, _ in shown] == ["first", "again"] and shown[0][1] == shown[1][1]
    assert "no numbers yet" in shown[0][2] and "in 40 steps, lowest 0.025" in shown[1][2]


def test_controls() -> None:
    w = TrainingExplorer(logged(), logged(200, "Adam"))
    assert control(w, "smooth")["shown"] == "6" and "mean over 6 numbers" in w.html
    assert control(w, "chosen")["label"] == "automatic" and control(w, "scale")["value"] == "automatic"
    press(w, "smooth", 4)
    assert w.smooth == 20 and "mean over 20 numbers" in w.html
    press(w, "chosen")
    assert w.smooth is None
    press(w, "scale", "powers of ten")
    assert ">0.1<" in w.html and ">0.01<" in w.html
    press(w, "until", 50)
    assert "in 50 steps" in w.status and "50 steps" in repr(w.twin())
    press(w, "all")
    assert w.until is None and "in 300 steps" in w.status and "SGD ends best" in w.html


def test_walks() -> None:
    w = TrainingExplorer(logged(60))
    walk(w, 7, 30, lambda: None, odd=0.2)
    explained(w)


def test_from_a_picture() -> None:
    from tensorwidgets.pictures import show

    log = logged(30)
    w = show.training(log).live(smooth=5)
    assert isinstance(w, TrainingExplorer) and "SGD" in w.html and w.smooth == 5


def test_a_mean_is_over_no_more_numbers_than_there_are() -> None:
    w = TrainingExplorer(logged(48))
    assert control(w, "smooth")["shown"] == "1" and control(w, "smooth")["most"] == 4  # 1, 2, 5, 10 and 20
    w.smooth = 1000
    assert control(w, "smooth")["shown"] == "48" and "mean over 48 numbers" in w.html
