"""Every colour can be read, on light paper and on dark, also by eyes without one kind of cone."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from tensorwidgets.pictures import show
from tensorwidgets.pictures.drawing import tokens
from tests.pictures.drawing.eyes import CONES, contrast, distance

DARK = tokens.dark_of()


def both(*colours: str) -> list[list[str]]:
    """The colours on light paper and on dark."""
    return [list(colours), [DARK[c] for c in colours]]


@pytest.mark.parametrize(
    ("ink", "papers", "wanted"),
    [
        (tokens.INK, [tokens.PAPER, tokens.WASH], 4.5),
        (tokens.MUTED, [tokens.PAPER, tokens.WASH, *tokens.TINT.values()], 4.5),
        (tokens.INK, [*tokens.ramps()[0], *tokens.ramps()[2], *tokens.MID.values(), *tokens.TINT.values()], 4.5),
        (tokens.CLASH, [tokens.PAPER, tokens.CLASH_TINT, tokens.WASH], 4.5),
        (tokens.PAPER, [tokens.INK], 4.5),
        (tokens.EDGE, [tokens.PAPER], 3.0),
        (tokens.HOT, tokens.ramps()[0], 3.0),
    ],
)
def test_text_and_lines_stand_out(ink: str, papers: list[str], wanted: float) -> None:
    for colours in both(ink, *papers):
        assert min(contrast(colours[0], paper) for paper in colours[1:]) >= wanted


@pytest.mark.parametrize("name", tokens.LINE)
def test_a_hue_is_readable_on_paper_wash_and_its_tint(name: str) -> None:
    for colours in both(tokens.LINE[name], tokens.PAPER, tokens.WASH, tokens.TINT[name]):
        assert min(contrast(colours[0], paper) for paper in colours[1:]) >= 4.5


def test_the_focus_ring_stands_out() -> None:
    waker = (Path(tokens.__file__).parent / "waker.js").read_text(encoding="utf-8")
    light, dark = re.findall(r"--f:(#\w{6})", waker)
    assert contrast(light, tokens.PAPER) >= 3 and contrast(dark, DARK[tokens.PAPER]) >= 3


def test_each_light_colour_has_one_dark_partner() -> None:
    place_light, _, value_light, _ = tokens.ramps()
    named = 9 + 3 * len(tokens.LINE)
    assert len(DARK) == named + len(place_light) + len(value_light)
    assert list(DARK)[:4] == [tokens.LINE[hue] for hue in tokens.HUES]
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for pair in DARK.items() for colour in pair)


def test_places_are_even_steps() -> None:
    for ramp in tokens.ramps()[:2]:
        twelve = [ramp[round(k / 11 * (tokens.PLACES - 1))] for k in range(12)]
        steps = [distance(a, b) for a, b in zip(twelve, twelve[1:], strict=False)]
        assert min(steps) > 0.02 and max(steps) < 0.045


@pytest.mark.parametrize("eyes", ["", *CONES])
def test_four_axes_differ_for_all_eyes(eyes: str) -> None:
    """0.02 is about the least that is seen side by side; each axis has a line pattern besides."""
    for axes in both(*(tokens.axis_colour(k) for k in range(4))):
        assert min(distance(a, b, eyes) for a, b in combinations(axes, 2)) > 0.03
    assert len({tokens.line(k) for k in range(4)}) == 4


def test_a_picture_uses_no_other_colours() -> None:
    import numpy as np

    x = np.arange(24).reshape(2, 3, 4)
    pictures = [show(x, x.transpose(2, 0, 1), x[:, :1], labels=list("abc")), show(np.ones((90, 90)), labels=["a"])]
    used = {colour for p in pictures for colour in re.findall(r"#[0-9a-fA-F]{6}\b", p.html())}
    assert used <= set(DARK) and tokens.PAPER in used
