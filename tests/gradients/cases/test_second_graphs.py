"""The graphs behind gradients that can be differentiated again are those that PyTorch records."""

from __future__ import annotations

import pytest

import tensorwidgets as tw
from tests.gradients.cases.second_graphs import calls, graphs

CALLS = calls()


@pytest.mark.parametrize("call", CALLS)
def test_gradients_have_the_nodes_of_pytorch(call: str) -> None:
    assert CALLS[call]
    assert graphs(tw, call) == CALLS[call]


@pytest.mark.torch
def test_pytorch_records_them_still() -> None:
    import torch

    for call, expected in CALLS.items():
        assert graphs(torch, call) == expected, call


def test_a_group_norm_is_differentiated_by_way_of_its_mean_and_deviation() -> None:
    input = tw.tensor([[[1.0, 4.0], [2.0, -3.0]]], dtype=tw.float64, requires_grad=True)
    assert tw.autograd.gradcheck(lambda x: tw.nn.functional.group_norm(x, 1), input)
    assert tw.autograd.gradgradcheck(lambda x: tw.nn.functional.group_norm(x, 1), input)


@pytest.mark.parametrize("loss", ["mse_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy"])
def test_second_derivatives_of_losses_are_their_differences(loss: str) -> None:
    given = tw.tensor([0.25, 0.625, 0.875], dtype=tw.float64, requires_grad=True)
    target = tw.tensor([0.5, 0.125, 0.75], dtype=tw.float64, requires_grad=True)
    for reduction in ("mean", "sum", "none"):
        assert tw.autograd.gradgradcheck(
            lambda a, b, how=reduction: getattr(tw.nn.functional, loss)(a, b, reduction=how), (given, target)
        )


@pytest.mark.parametrize("name", ["glu", "silu", "mish"])
def test_second_derivatives_of_gates_are_their_differences(name: str) -> None:
    given = tw.tensor([0.25, -0.625, 0.875, -1.5], dtype=tw.float64, requires_grad=True)
    assert tw.autograd.gradgradcheck(getattr(tw.nn.functional, name), given)


def test_quantiles_and_ranks_have_the_versions_of_pytorch() -> None:
    x, places = tw.arange(6.0).reshape(2, 3), tw.tensor([0.25, 0.5])
    for of in (tw.quantile, tw.nanquantile):
        assert [of(x, q, 0)._version for q in (0.5, places)] == [2, 4]
        assert [of(x, q, 0, interpolation="lower")._version for q in (0.5, places)] == [1, 3]
    assert tw.linalg.matrix_rank(x)._version == 1


def test_masked_scatter_writes_what_it_has_before_it_refuses() -> None:
    for x in (tw.zeros(2, 3), tw.zeros(3, 2).T):
        with pytest.raises(RuntimeError, match="Number of elements of source < number of ones in mask"):
            x.masked_scatter_(tw.ones(2, 3, dtype=tw.bool), tw.tensor([5.0, 6.0, 7.0, 8.0]))
        assert x.tolist() == [[5.0, 6.0, 7.0], [8.0, 0.0, 0.0]]
        assert x._version == 0
