"""einsum gives PyTorch's elements, dtype and strides, however its operands lie in memory."""

from __future__ import annotations

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.ops.linalg.einsum import saving_path
from tests.engine.products.einsum_cases import answer, case, frozen


def test_einsum_lies_in_memory_as_pytorchs_did() -> None:
    rows = frozen()
    assert len(rows) == 300
    for number, row in enumerate(rows):
        assert answer(tw, number) == row, (number, case(number))


def test_another_order_is_taken_only_where_it_saves_much() -> None:
    product = tw.einsum("ab,bc,cd->ad", tw.ones(300, 200), tw.ones(200, 300), tw.ones(300, 1))
    assert bool((product == 60_000).all())
    assert saving_path([(300, 1, 200, 1), (1, 1, 200, 300), (1, 1, 1, 300)], 2, False) == [(1, 2), (0, 1)]
    assert saving_path([(30, 1, 20, 1), (1, 1, 20, 30), (1, 1, 1, 30)], 2, False) is None
    assert saving_path([(30, 1, 20, 1), (1, 1, 20, 30), (1, 1, 1, 30)], 2, True) == [(1, 2), (0, 1)]


@pytest.mark.torch
def test_einsum_lies_in_memory_as_pytorchs_does() -> None:
    import torch

    for number in range(300, 2300):
        assert answer(tw, number) == answer(torch, number), (number, case(number))
