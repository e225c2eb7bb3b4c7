"""A training as a picture: the numbers are those of the log, the curves lie where they say, the sentence is true."""

from __future__ import annotations

import io
import math
import re
from base64 import b64decode
from typing import Any

import numpy as np
import pytest
from PIL import Image

import tensorwidgets as tw
from tensorwidgets.live import TrainingLog
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.models.runs import Series, run_of
from tensorwidgets.pictures.drawing import tokens
from tensorwidgets.pictures.drawing.curves import LEVELS, Curves
from tensorwidgets.pictures.parts.scale import Scale, tick_text
from tests.pictures.drawing.eyes import contrast
from tests.pictures.parsed import parse

LOSS = [2.0, 1.5, 1.0, 0.75, 0.5, 0.6]


def falling(n: int = 400, rate: float = 0.02, noise: float = 0.05) -> TrainingLog:
    log = TrainingLog("SGD")
    stream = np.random.default_rng(3)
    for k in range(n):
        log(loss=2 * math.exp(-rate * k) + 0.1 + noise * stream.random(), lr=0.1 * (1 - k / n))
    return log


@pytest.mark.parametrize(
    "source",
    [{"loss": LOSS}, {"loss": tuple(LOSS)}, {"loss": np.array(LOSS)}, {"loss": tw.tensor(LOSS, dtype=tw.float64)},
     [{"loss": v} for v in LOSS], [{"loss": tw.tensor(v, dtype=tw.float64)} for v in LOSS]],
)  # fmt: skip
def test_what_can_be_drawn(source: Any) -> None:
    (series,) = run_of(source, "run").series
    assert series.name == "loss" and series.values.tolist() == LOSS and series.steps.tolist() == [1, 2, 3, 4, 5, 6]
    assert "loss: 2 → 0.6 in 6 steps, lowest 0.5 at step 5" in repr(show.training(source, labels=["run"]))


@pytest.mark.parametrize("source", [3, "loss", [[1, 2]], {"loss": 3}, {"loss": ["a"]}, None])
def test_what_cannot(source: Any) -> None:
    with pytest.raises(TypeError, match=r"log|series|training"):
        show.training(source, labels=["run"])


def story(*runs: Any, labels: list[str] | None = None) -> str:
    return repr(show.training(*runs, labels=labels or ["a", "b"][: len(runs)])).partition("\n\n")[2]


def test_what_the_sentence_says() -> None:
    assert "has no numbers yet" in repr(show.training({}, labels=["run"]))
    assert story({"loss": [2.0, 1.0, math.nan, 3.0]}).startswith("loss: is nan at step 3; before that it was 1")
    lost = story({"loss": [2.0, 1.0, math.nan, math.inf]})
    assert lost.startswith("loss: is nan from step 3 on; before that it was 1\nNothing is learned from then on")
    assert "level at the end" in story(falling())
    assert "still getting better" in story(falling(rate=0.004))
    assert "getting worse" in story({"loss": [1.0 + 0.01 * k for k in range(100)]})
    assert "highest 0.9 at step 2" in story({"acc": [0.1, 0.9, 0.5]})
    overfit = {"loss": [1 / (k + 1) for k in range(20)], "val_loss": [abs(k - 8) / 20 + 0.3 for k in range(20)]}
    assert "val_loss was lowest at step 9 and has risen since" in story(overfit)
    two = story({"loss": [2.0, 1.0]}, {"loss": [2.0, 0.5]})
    assert "b ends best: 0.5, and a 1" in two
    assert "Both end at 0.5 (means" in story({"loss": [2.0, 0.5]}, {"loss": [3.0, 0.5]})
    three = story({"loss": [0.5]}, {"loss": [1.0]}, {"loss": [0.5]}, labels=["a", "b", "c"])
    assert "a and c end best: 0.5, and b 1 (means" in three


def test_a_straight_line_in_powers_of_ten_is_still_falling() -> None:
    assert "still getting better" in story({"loss": [10.0 ** (3 - 0.1 * k) for k in range(200)]})


def test_a_chart_for_each_sort_of_number() -> None:
    run = {"lr": [0.1] * 4, "acc": [0.1, 0.2, 0.3, 0.4], "loss": [4.0, 3.0, 2.0, 1.0], "val_loss": [4.0, 3.0, 2.0]}
    page = parse(show.training(run, labels=["run"]).html())
    assert len(page.all(cls="tw-chart")) == 3
    images = [e.attributes["alt"] for e in page.all("img")]
    assert images.count("solid line:") == 3
    assert [words for words in images if words and not words.endswith("line:")] == [
        "loss over the steps: loss from 4 to 1, val_loss from 4 to 2",
        "accuracy over the steps: acc from 0.1 to 0.4",
        "learning rate over the steps: lr from 0.1 to 0.1",
    ]
    cells = [e for e in page.all("td", cls="i-bin23") if e.attributes["title"]]
    assert [c.attributes["title"] for c in cells] == [
        "step 4 | loss 1",
        "step 4 | acc 0.4",
        "step 4 | lr 0.1",
    ]


def pixels(image: Curves) -> np.ndarray:
    return image.index > LEVELS // 2


def test_a_curve_lies_where_its_numbers_are() -> None:
    image = Curves(100, 50)
    xs = np.linspace(0, 100, 30)
    image.curve(xs, 25 + 15 * np.sin(xs / 9), tokens.CURVE["blue"])
    rows, columns = np.nonzero(pixels(image))
    wanted = np.interp(columns / 2, xs, 25 + 15 * np.sin(xs / 9))
    assert np.abs(rows / 2 - wanted).max() < 3
    assert set(columns.tolist()) == set(range(200))


def test_a_curve_has_gaps_where_there_is_no_number() -> None:
    image = Curves(100, 50)
    image.curve(np.array([0.0, 40.0, 60.0, 100.0]), np.array([10.0, math.nan, 30.0, 30.0]), tokens.CURVE["green"])
    columns = np.nonzero(pixels(image))[1]
    assert columns.min() < 4 and not ((columns > 12) & (columns < 114)).any() and columns.max() > 195


def test_an_image_is_transparent_and_the_same_each_time() -> None:
    image = Curves(40, 20)
    image.stroke([(5, 5), (35, 15)], tokens.CURVE["orange"])
    data = b64decode(image.png())
    assert b"tRNS" in data and image.png() == image.png()
    on = np.argwhere(pixels(image)) / 2
    assert np.abs(on[:, 0] - (5 + (on[:, 1] - 5) / 3)).max() < 2 and len(on) > 200


@pytest.mark.parametrize("name", tokens.CURVE)
def test_a_curve_stands_out_on_light_and_dark_paper(name: str) -> None:
    assert min(contrast(tokens.CURVE[name], paper) for paper in (tokens.PAPER, tokens.dark_of()[tokens.PAPER])) > 4.3


def test_scales_hold_their_numbers() -> None:
    stream = np.random.default_rng(0)
    for _ in range(200):
        values = stream.normal(size=5) * 10.0 ** stream.integers(-6, 6) + stream.choice([0, 3])
        for log in (None, False, True):
            scale = Scale.over(values.tolist(), log)
            at = scale.at(values)
            assert ((at >= 0) & (at <= 1) | (values <= 0) & scale.log).all()
            ticks = scale.ticks(5)
            assert 1 <= len(ticks) <= 6 and all(-1e-6 <= float(scale.at(t)) <= 1 + 1e-6 for t in ticks)
            assert all(
                math.isclose(float(tick_text(t).replace(",", "")), t, rel_tol=1e-3, abs_tol=1e-12) for t in ticks
            )


def test_means_are_those_of_numpy() -> None:
    values = np.random.default_rng(1).normal(size=50)
    smooth = Series("x", np.arange(50.0), values).smooth(7)
    assert np.allclose(smooth[3:-3], np.convolve(values, np.ones(7) / 7, "valid"))
    values[20] = math.nan
    smooth = Series("x", np.arange(50.0), values).smooth(7)
    assert math.isnan(smooth[20]) and math.isclose(smooth[21], np.nanmean(values[18:25]))


def test_a_mean_of_small_numbers_forgets_the_large_ones_before() -> None:
    values = 10.0 ** -np.arange(0.0, 60.0, 0.5)
    smooth = Series("loss", np.arange(120.0), values).smooth(4)
    assert np.allclose(smooth[2:-1], np.convolve(values, np.ones(4) / 4, "valid"), rtol=1e-12)
    html = show.training({"loss": (10.0 ** np.linspace(30, -30, 400)).tolist()}).html()
    (dot,) = [e for e in parse(html).all("img") if not e.attributes["alt"]]
    assert dot.style["left"] == "100%", "the lowest mean is the last"


@pytest.mark.parametrize("width", [1, 2, 3, 7, 50, 1000])
def test_means_and_lowest_are_those_of_each_window(width: int) -> None:
    values = np.random.default_rng(2).normal(size=41)
    series = Series("x", np.arange(41.0), values)
    windows = [values[max(k - width // 2, 0) : k + (width + 1) // 2] for k in range(41)]
    assert np.allclose(series.smooth(width), [w.mean() for w in windows])
    assert series.lowest(width).tolist() == [w.min() for w in windows]


def test_every_curve_looks_different_and_what_is_left_out_is_said() -> None:
    runs = [{"loss": [2.0, 1.0], "val_loss": [2.0, 1.5]} for _ in range(6)]
    picture = show.training(*runs, labels=list("abcdef"))
    curves = next(block for block in picture.blocks if hasattr(block, "curves")).curves
    assert [curve.name for curve in curves] == [*[f"{run} loss" for run in "abcdef"], "a val_loss", "b val_loss"]
    assert len({(curve.colour, curve.line) for curve in curves}) == 8
    assert "Not drawn: c val_loss, d val_loss, e val_loss, f val_loss." in repr(picture)


def test_steps_beside_the_axis_reach_its_end() -> None:
    html = show.training({"loss": [1 / (k + 1) for k in range(2000)]}).html()
    assert all(f">{step}<" in html for step in ("500", "1,000", "1,500", "2,000"))


def test_an_axis_has_two_numbers_at_least() -> None:
    for low in np.linspace(0.05, 0.9, 40):
        for high in np.linspace(low * 1.05, 1.3, 20):
            assert len(Scale.over([low, high], log=False).ticks(3)) >= 2


def test_of_two_equal_curves_both_are_seen() -> None:
    """The dashes lie on the line without gaps, and the axis ends with the last step."""
    logs = []
    for name in ("one", "two"):
        logs.append(TrainingLog(name))
        for k in range(50):
            logs[-1](loss=1 / (k + 1))
    html = show.training(*logs).html()
    (picture,) = [e for e in parse(html).all("img") if e.attributes["alt"].startswith("loss over")]
    seen = Image.open(io.BytesIO(b64decode(picture.attributes["src"].partition(",")[2]))).convert("RGBA")
    found = {name: 0 for name in ("blue", "orange")}
    for count, (*rgb, opacity) in seen.getcolors(1 << 20):
        for name in found:
            found[name] += count * (opacity > 200 and "#{:02x}{:02x}{:02x}".format(*rgb) == tokens.CURVE[name])
    assert min(found.values()) > 500
    assert re.search(r"right:0;top:2px[^>]*>50<", html)


def test_a_number_without_neighbours_is_seen() -> None:
    for x in (0.0, 20.0, 40.0):
        image = Curves(40, 20)
        image.curve(np.array([x]), np.array([0.0]), "#0072b2")
        assert 60 < np.count_nonzero(image.index) < 140
