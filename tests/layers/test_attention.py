"""Attention as one op: when PyTorch computes it so, and that it gives what its products and its softmax give."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.backends.numpy.layers import attention

FUSED, PARTS = "ScaledDotProductFlashAttentionForCpuBackward0", "UnsafeViewBackward0"
S = (2, 3, 5, 4)
NODES: list[tuple[tuple, dict[str, Any], str]] = [
    ((S, S, S), {}, FUSED),
    ((S, (2, 3, 7, 4), (2, 3, 7, 4)), {"is_causal": True}, FUSED),
    ((S, S, S), {"mask": (5, 5)}, FUSED),
    ((S, S, S), {"mask": (2, 1, 5, 5), "is_causal": True}, FUSED),
    ((S, S, S), {"scale": -0.3}, FUSED),
    (((2, 4, 5, 4), (2, 2, 7, 4), (2, 2, 7, 4)), {"enable_gqa": True}, FUSED),
    ((S, S, S), {"mask": (3, 5, 5)}, PARTS),
    ((S, S, S), {"dropout_p": 0.5}, PARTS),
    ((S, S, (2, 3, 5, 6)), {}, PARTS),
    ((S, (1, 3, 7, 4), (1, 3, 7, 4)), {}, PARTS),
    ((S[1:], S[1:], S[1:]), {}, PARTS),
]
"""Sizes, what else is given, and the node that PyTorch 2.13 records."""
REFUSED = [
    ((S[1:], S[1:], S[1:]), {}, "Accept only 4 dims inputs shape of {B, H, T, K}"),
    ((S, S, S), {"dropout_p": 0.5}, "Currently do not support dropout > 0"),
    ((S, S, (2, 3, 5, 6)), {}, "Q/K/V should have the same head size"),
    ((S, S, S), {"attn_mask": (5,)}, "Attention mask dim in {2, 4}"),
]


def node_of(torch: Any, sizes: tuple, more: dict[str, Any]) -> str:
    """The name of the node that a call records."""
    given = dict(more)
    mask = torch.ones(given.pop("mask")) if "mask" in given else None
    operands = [torch.ones(size, requires_grad=True) for size in sizes]
    result = torch.nn.functional.scaled_dot_product_attention(*operands, mask, **given)
    return type(result.grad_fn).__name__


@pytest.mark.parametrize(("sizes", "more", "node"), NODES)
def test_the_node_is_pytorchs(sizes: tuple, more: dict[str, Any], node: str) -> None:
    assert node_of(tw, sizes, more) == node


@pytest.mark.torch
@pytest.mark.parametrize(("sizes", "more", "node"), NODES)
def test_it_is_pytorchs_still(sizes: tuple, more: dict[str, Any], node: str) -> None:
    import torch

    assert node_of(torch, sizes, more) == node


@pytest.mark.parametrize("scores", [1, 40, 1 << 16], ids="rows heads all".split())
@pytest.mark.parametrize("how", ["plain", "causal", "masked", "both", "shared heads"])
def test_it_gives_what_its_parts_give(how: str, scores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is cut into pieces. A head by itself, of three dimensions, is computed by products and a softmax."""
    monkeypatch.setattr(attention, "SCORES", scores)
    tw.manual_seed(3)
    kept = 2 if how == "shared heads" else 4
    q, k, v = [tw.randn(2, n, s, 3, dtype=tw.float64, requires_grad=True) for n, s in ((4, 5), (kept, 6), (kept, 6))]
    mask = tw.rand(5, 6) > 0.3 if how in ("masked", "both") else None
    if mask is not None:
        mask[2] = False  # a query that sees nothing gets zeros
    causal = how in ("causal", "both")
    sdpa = tw.nn.functional.scaled_dot_product_attention
    whole = sdpa(q, k, v, mask, is_causal=causal, enable_gqa=kept == 2)
    hidden = tw.ones(5, 6).tril() > 0 if causal else tw.ones(5, 6) > 0
    seen = hidden if mask is None else hidden & mask
    heads = [sdpa(q[:, h], k[:, h * kept // 4], v[:, h * kept // 4], seen) for h in range(4)]
    parts = tw.stack(heads, 1)
    assert type(whole.grad_fn).__name__ == FUSED and tw.allclose(whole, parts, atol=1e-12)
    grad = tw.randn(whole.shape, dtype=tw.float64)
    of_whole, of_parts = (tw.autograd.grad(y, (q, k, v), grad) for y in (whole, parts))
    assert all(tw.allclose(a, b, atol=1e-12) for a, b in zip(of_whole, of_parts, strict=True))


@pytest.mark.parametrize(("sizes", "more", "said"), REFUSED)
def test_the_op_itself_refuses_as_pytorchs(sizes: tuple, more: dict[str, Any], said: str) -> None:
    given = {name: tw.ones(value) if isinstance(value, tuple) else value for name, value in more.items()}
    with pytest.raises(RuntimeError) as error:
        tw._scaled_dot_product_flash_attention_for_cpu(*map(tw.ones, sizes), **given)
    assert str(error.value).split("\n")[0] == f"scaled_dot_product_attention_flash_attention: {said}"


def test_a_second_order_is_refused_as_in_pytorch() -> None:
    q = tw.ones(S, requires_grad=True)
    (first,) = tw.autograd.grad(tw.nn.functional.scaled_dot_product_attention(q, q, q).sum(), q, create_graph=True)
    with pytest.raises(RuntimeError, match="flash_attention_for_cpu_backward is not implemented"):
        tw.autograd.grad(first.sum(), q)
