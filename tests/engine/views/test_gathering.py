"""Elements by place, by mask and in order: held to PyTorch's answers where its own samples do not reach."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.backends.numpy.unstable_sort_order import (
    heaped_positions,
    kth_position,
    selected_positions,
    sorted_positions,
)
from tensorwidgets.engine.tensor.write_checks import check_no_partial_overlap
from tests.engine.frozen_answers import answered_otherwise
from tests.engine.peak_memory import peak
from tests.engine.views.freeze_gathering import REFERENCE, answer
from tests.engine.views.gathering_cases import CALLS


def test_frozen_answers_of_pytorch() -> None:
    assert answered_otherwise(tw, REFERENCE, CALLS, answer) == []


@pytest.mark.torch
def test_frozen_answers_are_still_those_of_pytorch() -> None:
    import torch

    assert answered_otherwise(torch, REFERENCE, CALLS, answer) == []


@pytest.mark.torch
@pytest.mark.parametrize("length", [5, 17, 40, 700, 3000])
@pytest.mark.parametrize("values", [2, 7, 60])
def test_ties_come_in_the_order_of_pytorch(length: int, values: int) -> None:
    import torch

    numbers = np.random.default_rng(length + values).integers(0, values, length)
    theirs, ours = torch.tensor(numbers), tw.tensor(numbers)
    for descending in (False, True):
        expected = torch.sort(theirs, descending=descending).indices.tolist()
        assert tw.sort(ours, descending=descending).indices.tolist() == expected
    for k in {1, 2, length // 70 + 1, length // 3, length}:
        for largest in (False, True):
            for in_order in (False, True):
                expected = torch.topk(theirs, k, largest=largest, sorted=in_order).indices.tolist()
                assert tw.topk(ours, k, largest=largest, sorted=in_order).indices.tolist() == expected
        assert tw.kthvalue(ours, k).indices.item() == torch.kthvalue(theirs, k).indices.item()


def test_ties_are_a_way_to_sort() -> None:
    """Whatever the order of equal elements, each place comes once and the ranks go up."""
    for seed in range(30):
        ranks = np.random.default_rng(seed).integers(0, 9, 50 + 7 * seed)
        places = sorted_positions(ranks)
        assert sorted(places) == list(range(len(ranks)))
        assert (np.diff(ranks[places]) >= 0).all()
        for k in (1, 5, len(ranks)):
            assert ranks[selected_positions(ranks, k, True)].tolist() == np.sort(ranks)[:k].tolist()
            assert ranks[heaped_positions(-ranks, k)].tolist() == np.sort(ranks)[:k].tolist()
            assert ranks[kth_position(ranks, k - 1)] == np.sort(ranks)[k - 1]


def test_long_rows_are_put_in_order_as_well() -> None:
    numbers = np.random.default_rng(3).normal(size=40_000).astype(np.float32)
    values, indices = tw.topk(tw.tensor(numbers), 5)
    assert values.tolist() == np.sort(numbers)[::-1][:5].tolist()
    assert numbers[indices.numpy()].tolist() == values.tolist()
    assert tw.kthvalue(tw.tensor(numbers), 100).values.item() == np.sort(numbers)[99]


def test_in_place_forms_make_nothing_of_the_size_of_the_tensor() -> None:
    x = tw.ones(600, 1000)
    mask = x > 2
    y, rows, few = tw.empty(600, 1000), tw.arange(600), tw.tensor([[3], [5]])
    for work in (
        lambda: x.masked_fill_(mask, 1.0),
        lambda: x.tril_(),
        lambda: x.index_fill_(0, tw.tensor([1]), 2.0),
        lambda: x.index_add_(0, tw.tensor([1]), tw.ones(1, 1000)),
        lambda: x.scatter_(1, few, 4.0),
        lambda: x.scatter_add_(1, few, tw.ones(2, 1)),
        lambda: x.fill_diagonal_(3.0),
        lambda: tw.where(mask, x, x, out=y),
        lambda: tw.index_select(x, 0, rows, out=y),
    ):
        work()  # what is imported at the first call does not count
        assert peak(work) < x.numel() * 4 // 10


def test_results_share_no_memory_with_the_input() -> None:
    x = tw.arange(6.0).reshape(2, 3)
    for copy in (x.flip(0), x.roll(0, 0), x.repeat(1, 1), x.rot90(0), x.tril(2), x.narrow_copy(0, 0, 2), x.diag()):
        copy.zero_()
    assert x.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


def test_views_among_them_share_it() -> None:
    x = tw.arange(3.0)
    tw.atleast_2d(x)[0, 0] = 7
    assert x[0].item() == 7
    grid, _ = tw.meshgrid(x, x, indexing="ij")
    assert grid.stride() == (1, 0)
    assert grid.data_ptr() == x.data_ptr()


def test_both_ends_of_rows_are_copied_at_once() -> None:
    """They lie apart, which NumPy finds out; a copy of one element after the other is for those that do not."""
    x = tw.arange(24.0).reshape(2, 12)
    assert not check_no_partial_overlap(x[:, :3], x[:, 9:])
    assert check_no_partial_overlap(x[:, 1:], x[:, :-1])
    x[:, :3].copy_(x[:, 9:])
    assert x[1].tolist() == [21.0, 22.0, 23.0, *range(15, 24)]
