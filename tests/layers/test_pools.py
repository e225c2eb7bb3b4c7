"""Pools beside a search of each window in Python, and the memory that a margin loss takes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tensorwidgets as tw
from tests.engine.peak_memory import peak

KINDS = {
    "plain": lambda draws: draws.normal(size=(2, 14, 15)),
    "zeros": lambda draws: draws.choice([0.0, -0.0], (2, 14, 15)),
    "ties": lambda draws: draws.integers(-2, 3, (2, 14, 15)).astype(float),
    "nan": lambda draws: np.where(draws.random((2, 14, 15)) < 0.1, np.nan, draws.normal(size=(2, 14, 15))),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("kernel", "stride", "padding"), [(2, 2, 0), (3, 1, 1), (12, 1, 2)])
@pytest.mark.parametrize("dtype", [tw.float32, tw.float64, tw.float16, tw.bfloat16])
def test_the_first_largest_element_of_each_window(
    kind: str, kernel: int, stride: int, padding: int, dtype: tw.dtype
) -> None:
    """The first of equal ones, with its sign if it is a zero; the last NaN wins over all others."""
    x = tw.tensor(KINDS[kind](np.random.default_rng(kernel))).to(dtype)
    values, places = tw.nn.functional.max_pool2d(x, kernel, stride, padding, return_indices=True)
    plane = x.double().tolist()
    for channel, row, column in np.ndindex(*places.shape):
        best = None
        for i in range(max(row * stride - padding, 0), min(row * stride - padding + kernel, 14)):
            for j in range(max(column * stride - padding, 0), min(column * stride - padding + kernel, 15)):
                number = plane[channel][i][j]
                if best is None or math.isnan(number) or number > best[0]:
                    best = number, i * 15 + j
        assert best is not None
        found = values[channel, row, column].item(), places[channel, row, column].item()
        assert str(found) == str(best)


def test_a_margin_loss_takes_no_memory_for_classes_that_are_not_named() -> None:
    x, target = tw.rand(20, 500), tw.full((20, 500), -1)
    target[:, 0] = 3
    assert peak(lambda: tw.nn.functional.multilabel_margin_loss(x, target)) < 40 * x.numel() * 4


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [tw.float32, tw.float16])
def test_a_pool_of_sequences_has_the_same_values_with_places_and_without(kind: str, dtype: tw.dtype) -> None:
    x = tw.tensor(KINDS[kind](np.random.default_rng(1))).to(dtype)
    alone = tw.nn.functional.max_pool1d(x, 3, 2, 1, ceil_mode=True)
    values, _ = tw.nn.functional.max_pool1d(x, 3, 2, 1, ceil_mode=True, return_indices=True)
    assert str(alone.tolist()) == str(values.tolist())
