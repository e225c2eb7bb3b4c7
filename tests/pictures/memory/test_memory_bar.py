"""The teeth of a bar lie where the elements lie: by brute force on small arrays, by arithmetic on large ones."""

from __future__ import annotations

import random
import tracemalloc
from hashlib import sha256
from itertools import islice
from math import prod
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.combs import MOST, combs_of, distinct, levels_of, runs, teeth
from tensorwidgets.pictures.parts.memory_bar import DRAWN
from tests.pictures.arrays.generated import numpy_view
from tests.pictures.parsed import Element, parse

ITEM = 4


def strided(dice: random.Random, most: int) -> tuple[tuple[int, ...], tuple[int, ...], int, int]:
    """Sizes, strides and first byte of a view, and the storage's bytes: overlapping or with gaps, either way."""
    dims = dice.randint(1, 4)
    size = tuple(dice.randint(1, max(1, round(most ** (dice.random() * 1.6 / dims)))) for _ in range(dims))
    while prod(size) > most:
        size = tuple(-(-n // 2) for n in size)
    stride, run = [], 1
    for n in reversed(size):
        step = dice.choice([run, run, run, run + dice.randint(1, 5), max(1, run // 2), 0, 1])
        stride.append(ITEM * step * dice.choice([1, 1, 1, -1]))
        run = max(run, step * n)
    order = dice.sample(range(dims), dims)
    size, steps = tuple(size[::-1][d] for d in order), tuple(stride[d] for d in order)
    back = -sum(min(0, (n - 1) * s) for n, s in zip(size, steps, strict=True))
    reach = sum(abs((n - 1) * s) for n, s in zip(size, steps, strict=True)) + ITEM
    first = ITEM * dice.randint(0, 5)
    return size, steps, first + back, first + reach + ITEM * dice.randint(0, 9)


def places(size: tuple[int, ...], stride: tuple[int, ...], at: int) -> np.ndarray:
    """The byte of every element, by NumPy."""
    out = np.full(size, at, np.int64)
    for d, (n, s) in enumerate(zip(size, stride, strict=True)):
        out += (np.arange(n) * s).reshape([-1 if k == d else 1 for k in range(len(size))])
    return out


@pytest.mark.parametrize("seed", range(8))
def test_teeth_against_brute_force(seed: int) -> None:
    dice = random.Random(seed)
    compared = 0
    for _ in range(60):
        size, stride, at, nbytes = strided(dice, dice.choice([20, 400, 100_000]))
        where = places(size, stride, at)
        combs = combs_of(size, stride, at, ITEM)
        assert {comb.dim for comb in combs} == {d for d, n in enumerate(size) if n > 1 and stride[d]}
        for k, comb in enumerate(combs):
            # All dimensions with longer steps at their places, all with shorter ones free: one tooth for each.
            above = [c.dim for c in combs[:k]] + [comb.dim]
            free = tuple(d for d in range(len(size)) if d not in above)
            low, high = where.min(axis=free), where.max(axis=free) + ITEM
            expected = sorted(zip(low.ravel().tolist(), high.ravel().tolist(), strict=True))
            if len(expected) > 2000:
                continue
            found = list(teeth(combs, k, 0, nbytes))
            assert sorted((t.start, t.stop) for t in found) == expected
            assert sum(t.lead for t in found) == comb.size
            start = dice.randrange(nbytes)
            stop = dice.randint(start + 1, nbytes)
            part = [(t.start, t.stop) for t in teeth(combs, k, start, stop)]
            assert sorted(part) == [(a, b) for a, b in expected if a < stop and b > start]
            compared += len(expected)
        count = distinct(combs, ITEM)
        assert count is None or count == len(np.unique(where))
        assert count is not None or any(comb.gap < 0 for comb in combs)
    assert compared > 1000


@pytest.mark.parametrize("seed", range(8))
def test_runs_are_what_is_read(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(60):
        size, stride, at, nbytes = strided(dice, 300)
        combs = combs_of(size, stride, at, ITEM)
        read = np.zeros(nbytes, bool)
        for byte in places(size, stride, at).ravel().tolist():
            read[byte : byte + ITEM] = True
        drawn = np.zeros(nbytes, bool)
        found = runs(combs, len(combs) - 1, ITEM, at, 0, nbytes, 10_000)
        for run in found:
            drawn[run.start : run.stop] = True
        assert (drawn == read).all()
        assert all(a.stop < b.start for a, b in zip(found, found[1:], strict=False))


@pytest.mark.parametrize("seed", range(4))
def test_levels_of_up_to_a_billion_elements(seed: int) -> None:
    """Each zoom begins at the view's start, and no level has more teeth than can be drawn."""
    dice = random.Random(seed)
    large = 0
    for _ in range(100):
        size, stride, at, nbytes = strided(dice, 10 ** dice.randint(2, 12))
        combs = combs_of(size, stride, at, ITEM)
        levels = levels_of(combs, nbytes, 24 * ITEM)
        large += prod(size) > 10**6
        assert (levels[0].start, levels[0].stop) == (0, nbytes) and len(levels) <= len(combs) + 1
        seen: list[int] = []
        for level in levels:
            for k in level.combs:
                comb = combs[k]
                assert comb.first < level.stop and comb.first + comb.wide > level.start
                assert level.nbytes <= MOST * abs(comb.step)
                lead = list(islice(teeth(combs[k:], 0, level.start, level.stop), 3000))
                assert len(lead) <= MOST + 1 or comb.gap < 0
                # In closed form: every tooth of the comb that meets the level, and no other.
                edges = [comb.first + i * comb.step for i in (0, 1, comb.size - 1)]
                inside = [e for e in edges if e < level.stop and e + comb.wide > level.start]
                assert len(lead) == 3000 or set(edges) & {t.start for t in lead} == set(inside)
                seen.append(k)
        assert seen == list(range(len(seen)))
    assert large > 10


def percents(box: Element, nbytes: int) -> tuple[float, float]:
    left, width = float(box.style["margin-left"].rstrip("%")), float(box.style["width"].rstrip("%"))
    return left * nbytes / 100, (left + width) * nbytes / 100


@pytest.mark.parametrize("seed", range(6))
def test_the_bar_that_is_drawn_against_the_array(seed: int) -> None:
    """On the bar of the whole storage, what is coloured is what the array reads, and each tooth is a run of it."""
    dice = random.Random(seed)
    compared = 0
    for _ in range(20):
        base = np.arange(dice.randint(25, 400), dtype=np.int32)
        shape = dice.choice([(base.size,), (5, base.size // 5)])
        view = numpy_view(dice, base[: prod(shape)].reshape(shape))
        page = parse(show(view, labels=["v"]).html())
        bar = page.all("div", "tw-bar")[0]
        nbytes = base.size * ITEM
        read = np.zeros(nbytes, bool)
        for k in view.ravel().tolist():
            read[k * ITEM : (k + 1) * ITEM] = True
        boxes = [box for box in bar.children if not {"box-sizing", "overflow"} & set(box.style)]
        if not any(box.children for box in boxes):  # stripes: gaps too small to draw
            drawn = np.zeros(nbytes, bool)
            for box in boxes:
                first, last = percents(box, nbytes)
                assert abs(first - round(first)) < 0.05 and abs(last - round(last)) < 0.05
                drawn[round(first) : round(last)] = True
            assert (drawn == read).all()
            compared += 1
    assert compared > 5


@pytest.mark.parametrize("size", [(100_000, 10_000), (10, 10, 10, 10, 10, 10, 10, 10, 10), (1_000_000_000,)])
def test_a_billion_elements_are_drawn_at_once(size: tuple[int, ...]) -> None:
    """Nothing is read but what is printed, and no picture holds more than some hundred teeth."""
    x = np.broadcast_to(np.float32(3), size)
    big = tw.empty(size, device="meta")
    tracemalloc.start()
    html = show(big, labels=["x"]).html() + show(x, labels=["x"]).html()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000 and len(html) < 150_000
    for comb in parse(html).all("div", "tw-comb"):
        assert len(comb.children) <= DRAWN + 10


CASES: dict[str, tuple[Any, list[str]]] = {
    "a head split": (
        np.arange(8 * 128 * 64).reshape(8, 128, 8, 8).transpose(0, 2, 1, 3),
        [
            "dim 0: 8 in steps of 8,192 (65,536 bytes), end to end",
            "dim 2: 128 in steps of 64 (512 bytes), end to end",
            "dim 1: 8 in steps of 8 (64 bytes), end to end",
            "dim 3: 8 in steps of 1 (8 bytes), neighbours in memory",
        ],
    ),
    "a sliding window": (
        np.lib.stride_tricks.sliding_window_view(np.arange(200), 16)[::4],
        ["dim 0: 47 in steps of 4 (32 bytes), each shares 12 elements with the next", "dim 1: 16 in steps of 1"],
    ),
    "a broadcast": (
        np.broadcast_to(np.arange(100)[:, None], (100, 64)),
        ["dim 0: 100 in steps of 1 (8 bytes), neighbours", "dim 1: 64 in steps of 0, the same place 64 times"],
    ),
    "backwards": (
        np.arange(1000).reshape(20, 50)[::-1, ::-2],
        ["dim 0: 20 in steps of −50 (400 bytes), backwards, 1 element skipped", "dim 1: 25 in steps of −2 (16 bytes)"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_text_has_a_line_for_each_dimension(name: str) -> None:
    array, lines = CASES[name]
    text = repr(show(array, labels=["x"]))
    for line in lines:
        assert line in text
    assert "storage A" in text


def test_twelve_elements_have_no_bar_and_look_as_they_did() -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    html = show(x, x.T, labels=["x", "x.T"]).html()
    assert "tw-bar" not in html
    assert sha256(html.encode()).hexdigest()[:16] == "38df6d1b96cd6d88", "look at it, and write the new digest here"


def test_seventeen_elements_have_arches_and_lanes() -> None:
    page = parse(show(np.arange(17), labels=["x"]).html())
    assert [box.text() for box in page.all("div") if box.text() == "+1"] == ["+1"] * 3
    (strip,) = page.all("table", "tw-storage")
    assert [td.text() for td in strip.all("tr")[-1].all("td")] == [str(k) for k in range(17)]


def test_views_with_one_label_and_empty_views_are_drawn() -> None:
    x = np.arange(100)
    page = parse(show(x, x, x[:0], x[50:], labels=["x", "x", "x", "x"]).html())
    assert len(page.all("table", "tw-view")) == 4 and len(page.all("table", "tw-storage")) == 2
