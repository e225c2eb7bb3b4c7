"""The steps of an expression: which are views, which copy, from where, and why one is refused."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.expression import steps_of
from tests.parts import thorough_but
from tests.pictures.parsed import cells, keys, parse

CALLS = [
    ".T", "[::-1]", "[1:]", "[:, ::2]", ".reshape(-1)", ".reshape(2, -1)", ".copy()", "[[0, 1]]", "[None]", ".ravel()",
    ".swapaxes(0, -1)", "[..., 0]", ".flatten()", "[::2]", ".squeeze()",
]  # fmt: skip


def test_an_expression_is_taken_apart_in_order() -> None:
    def codes(source: str, **names: Any) -> list[str]:
        return [step.code for step in steps_of(source, names)]

    x = np.arange(6).reshape(2, 3)
    assert codes("x.T[1:].reshape(-1)", x=x) == ["x", ".T", "[1:]", ".reshape(-1)"]
    assert codes("np.swapaxes(x, 0, 1)[0]", np=np, x=x) == ["x", "np.swapaxes(…, 0, 1)", "[0]"]
    assert codes("(x * 2).T", x=x) == ["x", "… * 2", ".T"]
    assert codes("np.zeros((2, 3)).T", np=np) == ["np.zeros((2, 3))", ".T"]
    assert codes("x + x.T", x=x[:1]) == ["x", "… + x.T"]
    assert [s.source for s in steps_of("(x * 2).T[x.T > 2]", {"x": x})][-2:] == ["(x * 2).T", "(x * 2).T[x.T > 2]"]


def test_each_step_is_taken_once_and_nothing_after_a_failure() -> None:
    x = tw.zeros(3)
    taken = steps_of("x.add_(1).view(7).add_(1)", {"x": x})
    assert x.tolist() == [1, 1, 1]
    assert [type(s.error).__name__ for s in taken] == ["NoneType", "NoneType", "RuntimeError"]


def test_nothing_but_tensor_arithmetic_is_taken() -> None:
    for source in ("x.__class__", "x.tofile('a')", "__import__('os').getcwd()", "9**9**9", "[v for v in x]"):
        with pytest.raises(ValueError, match="cannot be read|at most"):
            steps_of(source, {"x": np.zeros(3)})


@pytest.mark.parametrize("seed", thorough_but(range(4), range(12)))
def test_verdicts_and_sources_against_numpy(seed: int) -> None:
    """View or copy is what `np.shares_memory` says; a copied cell names where its value lay."""
    dice = random.Random(seed)
    copies = 0
    for _ in range(25):
        x = np.arange(24).reshape(dice.choice([(4, 6), (2, 3, 4), (24,), (6, 4)]))
        expression = "x" + "".join(dice.choice(CALLS) for _ in range(dice.randint(1, 3)))
        stages: list[np.ndarray] = []
        try:
            for step in steps_of(expression, {"x": x}):
                if step.error is None and isinstance(step.value, np.ndarray):
                    stages.append(step.value)
        except ValueError:
            continue
        page = parse(show.steps(expression, x=x).html())
        tables = page.all("table", "tw-view")
        assert len(tables) == len(stages)
        letters = [{letter for td in cells(t) for letter, _ in keys(td)} for t in tables]
        for stage, before, own, old in zip(stages[1:], stages, letters[1:], letters, strict=False):
            shared = np.shares_memory(stage, before)
            assert (own <= old) == shared or stage.size == 0
            if not shared and stage.size:
                copies += 1
        # Every value is its own offset in A, however often it was copied.
        first = parse(show.steps(expression, x=x).html()).all("table", "tw-view")[-1]
        sources = [[n for letter, n in keys(td) if letter == "A"] for td in cells(first)]
        if letters and len(letters[-1]) <= 2 and "A" in letters[-1]:
            assert sources == [[int(v)] for v in stages[-1].ravel()]
    assert copies >= 5


def test_a_copy_says_which_dimensions_do_not_merge() -> None:
    x = tw.arange(10.0, 22.0).reshape(3, 4)
    text = repr(show.steps("x.t()[1:].reshape(-1)"))
    assert text.splitlines()[0] == "x.t()[1:].reshape(-1): where does it copy? (three views, one copy of 36 bytes)"
    assert (
        "Dimensions 0 and 1 would have to become one: that needs stride 3 * 4 = 12 in dimension 0, which has 1." in text
    )
    assert "1 (+4) 5 (+4) 9 (-7) 2 (+4) 6 …" in text
    assert "A1  A5  A9  A2  A6  A10  A3  A7  A11  9 reads, 9 writes" in text
    assert x.numel() == 12


def test_a_refusal_is_drawn_with_its_ways_out() -> None:
    x = tw.arange(12.0).reshape(3, 4)
    picture = show.steps("x.t().view(-1)", x=x)
    text = " ".join(repr(picture).split())
    assert "why is it refused? (two views, then RuntimeError)" in text
    assert "that needs stride" in text
    assert "Ways out: x.reshape(12), x.contiguous().view(12)." in text
    assert "refused ✕" in picture.html()


def test_a_refusal_at_the_first_step_and_a_value_at_the_last() -> None:
    assert "NameError" in repr(show.steps("nowhere.t()"))
    assert "= 66, no array" in repr(show.steps("x.sum()", x=np.arange(12)))
    with pytest.raises(ValueError, match="one expression"):
        show.steps("x = 3")


@pytest.mark.parametrize("make", [np.array, tw.tensor])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_values_that_are_no_whole_numbers_are_new(make: Any) -> None:
    """Each step is done again on offsets, to see where a copy is from; what comes of them need be no number."""
    x = make([float("nan"), float("inf")])
    assert "one view, one new" in repr(show.steps("x / 0", x=x))


@pytest.mark.torch
def test_the_steps_of_a_real_tensor() -> None:
    import torch

    x = torch.arange(10.0, 22.0).reshape(3, 4)
    text = repr(show.steps("x.t()[1:].reshape(-1)", x=x))
    assert "A1  A5  A9  A2  A6  A10  A3  A7  A11  9 reads, 9 writes" in text
    assert "Dimensions 0 and 1 would have to become one" in repr(show.steps("x.t().view(-1)", x=x))
