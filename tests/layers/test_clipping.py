"""The norm of many gradients: small ones of one size share the calls, and are added up as if each were alone."""

from __future__ import annotations

import pytest

import tensorwidgets as tw
from tensorwidgets.nn.utils import clip_grad


@pytest.mark.parametrize("order", [1.0, 2.0, 3.0, float("inf")])
@pytest.mark.parametrize("dtype", [tw.float32, tw.float64, tw.float16])
def test_a_shared_call_gives_the_norm_that_each_has_alone(
    order: float, dtype: tw.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    tw.manual_seed(0)
    sizes = [(7, 5), (33,), (130, 7), (), (7, 5)] * 20 + [(17, 31), (20_000,), (0,)] * (order < 3)
    grads = [tw.randn(size).to(dtype) for size in sizes] + [tw.randn(5, 7).t().to(dtype)]
    together = clip_grad.get_total_norm(grads, order)
    monkeypatch.setattr(clip_grad, "SEVERAL", len(grads))
    assert together.equal(clip_grad.get_total_norm(grads, order))


def test_many_small_gradients_take_few_calls() -> None:
    grads = [tw.ones(3, n) for n in (2, 4)] * 50
    with tw.recording() as calls:
        total = clip_grad.get_total_norm(grads)
    assert total.item() == 30
    assert len(list(calls)) < 20
