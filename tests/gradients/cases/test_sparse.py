"""Gradients of sparse tensors, and sparse gradients, are PyTorch's: layouts, flags, numbers, graphs and refusals."""

from __future__ import annotations

import json

import pytest

import tensorwidgets as tw
from tests.gradients.cases.sparse import agree, answer, disagreements, frozen, lines


def test_the_programs() -> None:
    kept = frozen()
    assert len(kept) == len(lines()) > 280
    assert sum("error" in way for theirs in kept for way in theirs.values()) > 100
    wrong = disagreements(tw, kept)
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong)


def test_a_wrong_layout_flag_number_and_graph_are_noticed() -> None:
    theirs = frozen()[lines().index("S + T")]
    gradient = theirs["alike"]["S"]
    assert agree(theirs, json.loads(json.dumps(theirs)))
    for name, wrong in (("layout", "torch.strided"), ("coalesced", False), ("values", [0.0] * 4)):
        assert not agree({**theirs, "alike": {**theirs["alike"], "S": {**gradient, name: wrong}}}, theirs)
    assert not agree({**theirs, "result": {**theirs["result"], "graph": []}}, theirs)


def test_each_leaf_keeps_a_gradient_of_its_own() -> None:
    i, v = tw.tensor([[0, 1], [1, 0]]), tw.tensor([1.0, 2.0])
    a, b = (tw.sparse_coo_tensor(i, v, (2, 2)).coalesce().requires_grad_() for _ in range(2))
    ((a + b).to_dense() * 3).sum().backward()
    assert a.grad is not None and b.grad is not None
    a.grad._values().zero_()
    assert b.grad._values().tolist() == [3, 3]


def test_a_number_cut_off_by_the_range_of_its_channel_has_no_gradient() -> None:
    x = tw.tensor([[1.0, -1.0], [40.0, 3.0]], requires_grad=True)
    scale, zero_point = tw.tensor([0.1, 0.5]), tw.tensor([0, 4], dtype=tw.int32)
    y = tw.fake_quantize_per_channel_affine(x, scale, zero_point, 1, 0, 255)
    assert y.grad_fn.name() == "FakeQuantizePerChannelAffineCachemaskBackward0"
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [[1, 1], [0, 1]]


@pytest.mark.parametrize(("name", "block"), [("to_sparse_bsr", (2, 2)), ("to_sparse_bsc", (1, 2))])
def test_a_gradient_of_blocks_has_the_blocks_of_its_tensor(name: str, block: tuple[int, int]) -> None:
    x = tw.arange(1.0, 17.0).view(4, 4)
    blocks = getattr(x, name)(block).requires_grad_()
    (gradient,) = tw.autograd.grad(blocks.to_sparse(), blocks, x.to_sparse())
    assert gradient.layout is blocks.layout and gradient.values().shape == blocks.values().shape
    assert gradient.to_dense().tolist() == x.tolist()


def test_gather_with_one_index_has_a_sparse_gradient() -> None:
    x = tw.arange(4.0, requires_grad=True)
    x.gather(0, tw.tensor(2), sparse_grad=True).backward()
    assert x.grad is not None and x.grad.to_dense().tolist() == [0, 0, 1, 0]


@pytest.mark.torch
def test_the_programs_are_pytorchs_still() -> None:
    import torch

    assert not [line for line, kept in zip(lines(), frozen(), strict=True) if not agree(answer(torch, line), kept)]
