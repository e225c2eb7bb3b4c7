"""What `torch.autograd.graph` keeps alive, and what it lacks."""

from __future__ import annotations

import gc
import weakref

import pytest

import tensorwidgets as tw


def test_an_edge_keeps_the_graph_and_not_the_tensor() -> None:
    x = tw.ones(2, requires_grad=True)
    y = x.exp()
    edge, alive = tw.autograd.graph.get_gradient_edge(y), weakref.ref(y)
    z = (y * 2).sum()
    del y
    gc.collect()
    assert alive() is None
    assert tw.autograd.grad(z, edge)[0].tolist() == [2, 2]


def test_a_hook_on_several_gradients_forgets_a_pass_that_ends_early() -> None:
    a, b = tw.ones(1, requires_grad=True), tw.ones(1, requires_grad=True)
    seen: list[list] = []

    def stop(grad: tw.Tensor) -> None:
        raise KeyError("stop")

    handle = b.register_hook(stop)
    tw.autograd.graph.register_multi_grad_hook((a, b), seen.append)
    with pytest.raises(KeyError):
        (a * b).sum().backward()
    handle.remove()
    (a * b).sum().backward()
    assert len(seen) == 1 and all(g is not None for g in seen[0])


def test_two_leaves_get_gradients_in_memory_of_their_own() -> None:
    """Also where one gradient is passed on to both, as an addition does."""

    def hooked(a: tw.Tensor, b: tw.Tensor) -> tw.Tensor:
        y = a + b
        y.register_hook(lambda grad: grad * 2)
        return y

    for sums in (lambda a, b: a + b, lambda a, b: a.view(3) + b, lambda a, b: a - -b, hooked):
        a, b = tw.ones(3, requires_grad=True), tw.ones(3, requires_grad=True)
        (sums(a, b) * tw.arange(3.0)).sum().backward()
        assert a.grad is not None and b.grad is not None
        a.grad.zero_()
        assert b.grad.count_nonzero() == 2


def test_what_is_for_later_is_said_by_name() -> None:
    with pytest.raises(NotImplementedError) as caught:
        tw.autograd.forward_ad.dual_level()
    assert str(caught.value) == "torch.autograd.forward_ad.dual_level is for later"
    assert tw.autograd.forward_ad.unpack_dual(tw.ones(1)).tangent is None
