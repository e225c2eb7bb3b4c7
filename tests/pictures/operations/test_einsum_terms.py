"""The terms of a sum that einsum's picture prints are terms of that sum: the first ones in order, and the last."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tensorwidgets.live import EinsumExplorer
from tensorwidgets.pictures import Picture, show
from tests.pictures.parsed import parse

Term = tuple[tuple[int, ...], list[float], float]


def number(text: str) -> float:
    return float(text.strip("() \u00a0"))


def sum_table(picture: Picture) -> list[Term]:
    """The drawn terms: the values of the summed letters, the factors, the product."""
    (table,) = parse(picture.html()).all("table", "tw-sum")
    heads, products = (line.children[1:] for line in table.all("tr")[:2])
    terms = []
    for head, cell in zip(heads, products, strict=True):
        if head.text() != "…":
            factors, _, result = cell.text().rpartition("=")
            terms.append(
                (tuple(map(int, head.text().split(", "))), [number(f) for f in factors.split("×")], number(result))
            )
    return terms


def told_terms(picture: Picture) -> tuple[list[list[float]], bool]:
    """The factors of each term of the sentence, and whether terms are left out."""
    sentence = next(line for line in repr(picture).splitlines() if re.match(r"result(\[.*\])?: =", line))
    parts = sentence.split(": = ")[1].rpartition(" = ")[0].split(" + ")
    return [[number(f) for f in part.split("·")] for part in parts if part != "…"], "…" in parts


def true_terms(first: np.ndarray, second: np.ndarray) -> list[list[float]]:
    """The factors of each term of the sum over all axes, the last running fastest."""
    return [[float(a), float(b)] for a, b in zip(first.ravel(), second.ravel(), strict=True)]


def held(picture: Picture, first: np.ndarray, second: np.ndarray) -> None:
    """Compares what is printed with the terms of a full contraction of two arrays of one shape."""
    truth = true_terms(first, second)
    drawn = sum_table(picture)
    places = [int(np.ravel_multi_index(at, first.shape)) for at, _, _ in drawn]
    assert places == sorted(set(places)), "strictly increasing"
    assert places[0] == 0 and places[-1] == len(truth) - 1
    assert places[:-1] == list(range(len(places) - 1)), "the first ones without a gap"
    for at, factors, result in drawn:
        true = truth[int(np.ravel_multi_index(at, first.shape))]
        assert factors == pytest.approx(true, rel=1e-5)
        assert result == pytest.approx(true[0] * true[1], rel=1e-5)
    told, cut = told_terms(picture)
    assert told == [pytest.approx(t, rel=1e-5) for t in (truth[: len(told) - 1] + truth[-1:] if cut else truth)]


@pytest.mark.parametrize("start", range(0, 70, 10))
def test_the_terms_of_sums_of_every_length(start: int) -> None:
    dice = np.random.default_rng(start)
    for n in range(max(start, 2), start + 11):
        first, second = dice.standard_normal((2, n))
        held(show.einsum("i,i->", first, second, labels=["a", "b"]), first, second)
        q, k = dice.standard_normal((2, 2, 2, 3, n))
        picture = show.einsum("bhqd,bhkd->bhqk", q, k, labels=["q", "k"])
        assert "\nresult[1, 1, 1, 2]: = " in repr(picture)
        held(picture, q[1, 1, 1], k[1, 1, 2])


def test_the_terms_of_a_sum_over_two_letters() -> None:
    dice = np.random.default_rng(7)
    for size in ((2, 2), (3, 5), (5, 3), (1, 40), (40, 1), (7, 9), (2, 30)):
        first, second = dice.standard_normal((2, *size))
        held(show.einsum("ij,ij->", first, second, labels=["a", "b"]), first, second)


def test_attention_scores_sum_each_index_once() -> None:
    for size in ((3, 3, 8, 8), (2, 2, 3, 64), (8, 12, 64, 64)):
        q = np.ones(size, np.float32) * np.arange(size[-1], dtype=np.float32)
        picture = show.einsum("bhqd,bhkd->bhqk", q, q, labels=["q", "k"])
        row = q[0, 0, 0]
        if np.prod(size) <= 4096:
            held(picture, row, row)
        else:
            sentence = next(line for line in repr(picture).splitlines() if re.match(r"result(\[.*\])?: =", line))
            assert sentence.endswith("= 0·0 + 1·1 + 2·2 + … + 63·63")


@pytest.mark.parametrize("done", [1, 2, 4, 5, 6, 7, 20, 33, 39])
def test_a_sum_on_its_way_ends_with_the_term_that_was_added_last(done: int) -> None:
    a, b = np.random.default_rng(1).standard_normal((2, 40))
    explorer: Any = EinsumExplorer("i,i->", a, b, labels=["a", "b"])
    explorer.term = done
    drawn = sum_table(explorer.picture) if done > 1 else []
    assert not drawn or drawn[-1][0] == (done - 1,)
    for (at,), factors, _ in drawn:
        assert factors == pytest.approx([a[at], b[at]], rel=1e-5)
    assert explorer.value == pytest.approx(float(a[:done] @ b[:done]))


def test_a_product_is_never_cut() -> None:
    a = np.array([1.1798512, 123456.789, -1e-7, 0.5])
    b = np.array([-0.8817623, -98765.4321, 3.25e12, 2.0])
    for dtype in (np.float64, np.complex128):
        picture = show.einsum("i,i->", a.astype(dtype), b.astype(dtype), labels=["a", "b"])
        (table,) = parse(picture.html()).all("table", "tw-sum")
        for cell in table.all("td"):
            style = cell.attributes["style"]
            assert "nowrap" not in style and "hidden" not in style
            assert "…" not in cell.text() or cell.text() == "…"
    text = repr(show.einsum("i,i->", a, b, labels=["a", "b"]))
    assert "1.17985 × (-0.881762) = -1.04035" in text


def test_a_whole_number_is_told_whole() -> None:
    a, b = np.array([123456789, 2]), np.array([3, 5])
    text = repr(show.einsum("i,i->", a, b, labels=["a", "b"]))
    assert "123456789 × 3 = 370370367" in text and "= 370370377" in text
