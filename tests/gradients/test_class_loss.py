"""cross_entropy of many numbers keeps exponentials in place of logarithms: nobody must notice."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets.engine.autograd.shortcuts.calls_of_losses import KeptLogarithms
from tensorwidgets.nn.functional import cross_entropy

SIZES = ((256, 512), (9, 5000), (3000, 100), (5, 1000))
NUMBERS = ((1.0, 0.0), (3.0, 100.0), (30.0, 0.0), (5.0, -70.0))


def _given(size: tuple[int, int], scale: float = 1.0, shift: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
    random = np.random.default_rng(size[0])
    x = (random.standard_normal(size) * scale + shift).astype("f4")
    return torch.tensor(x, requires_grad=True), torch.tensor(random.integers(0, size[1], size[0]))


def _in_double(x: torch.Tensor, classes: torch.Tensor) -> tuple[float, np.ndarray, np.ndarray]:
    """The loss, its gradient, and the logarithms of the shares."""
    numbers = x.detach().numpy().astype("f8")
    numbers -= numbers.max(1, keepdims=True)
    logarithms = numbers - np.log(np.exp(numbers).sum(1, keepdims=True))
    rows = np.arange(len(numbers))
    slope = np.exp(logarithms)
    slope[rows, classes.numpy()] -= 1
    return -logarithms[rows, classes.numpy()].mean(), slope / len(numbers), logarithms


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("scale", "shift"), NUMBERS)
def test_loss_gradient_and_logarithms_are_those_of_float64(size: tuple[int, int], scale: float, shift: float) -> None:
    x, classes = _given(size, scale, shift)
    wanted, slope, logarithms = _in_double(x, classes)
    loss = cross_entropy(x, classes)
    assert loss.item() == pytest.approx(wanted, rel=1e-6)
    for look in (False, True):  # at the logarithms, after which these are what is kept
        if look:
            np.testing.assert_allclose(loss.grad_fn._saved_self.detach().numpy(), logarithms, rtol=1e-6, atol=2e-6)
        x.grad = None
        loss.backward(retain_graph=True)
        np.testing.assert_allclose(x.grad.numpy(), slope, rtol=1e-4, atol=1e-6 / size[0])
    x.grad = None
    loss.backward()
    np.testing.assert_allclose(x.grad.numpy(), slope, rtol=1e-4, atol=1e-6 / size[0])


def test_what_the_nodes_keep_is_one_tensor_and_has_its_node() -> None:
    x, classes = _given((64, 300))
    loss = cross_entropy(x * 1, classes)
    node = loss.grad_fn
    assert type(node.values[0]) is KeptLogarithms
    before = node.next_functions[0][0]
    kept = node._saved_self
    assert kept.grad_fn is before and (before.name(), before._saved_dim) == ("LogSoftmaxBackward0", 1)
    assert before._saved_result.data_ptr() == kept.data_ptr()
    assert torch.equal(kept.detach().exp().sum(1).round(decimals=5), torch.ones(64))
    loss.backward()
    with pytest.raises(RuntimeError, match="second time"):
        _ = node._saved_self


def test_another_gradient_of_the_logarithms_is_added() -> None:
    x, classes = _given((64, 300))
    loss = cross_entropy(x, classes)
    with torch.enable_grad():
        more = loss.grad_fn._saved_self.exp().square().sum()
    (loss + more).backward()
    twin = x.detach().double().requires_grad_()
    shares = torch.log_softmax(twin, 1)
    (torch.nn.functional.nll_loss(shares, classes) + shares.exp().square().sum()).backward()
    assert torch.allclose(x.grad.double(), twin.grad, atol=1e-6)


def test_second_order_and_hooks_use_the_logarithms() -> None:
    x, classes = _given((64, 300))
    (slope,) = torch.autograd.grad(cross_entropy(x, classes), x, create_graph=True)
    slope.square().sum().backward()
    twin = x.detach().double().requires_grad_()
    (slope,) = torch.autograd.grad(cross_entropy(twin, classes), twin, create_graph=True)
    slope.square().sum().backward()
    assert torch.allclose(x.grad.double(), twin.grad, atol=1e-8)
    packed: list[tuple[int, ...]] = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: packed.append(tuple(t.shape)) or t, lambda t: t):
        loss = cross_entropy(x, classes)
    assert (64, 300) in packed and type(loss.grad_fn.values[0]) is not KeptLogarithms


@pytest.mark.parametrize("number", [float("inf"), float("nan"), -1e30, 1e30])
def test_numbers_far_apart_are_computed_row_by_row(number: float) -> None:
    x, classes = _given((64, 300))
    with torch.no_grad():
        x[3, 5] = number
    loss = cross_entropy(x, classes)
    assert type(loss.grad_fn.values[0]) is not KeptLogarithms
    loss.backward()
    assert torch.isfinite(x.grad[4]).all()
