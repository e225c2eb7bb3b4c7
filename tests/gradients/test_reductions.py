"""Reductions, orders and transforms: which form of a function has which node, and what a node keeps."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwidgets as torch
from tests.gradients.graphs import graph

NODES = """
x.sum() Sum 0 | x.sum(0) Sum 1 | x.sum(dim=None) Sum 1 | x.sum(()) Sum 1 | x.mean() Mean 0 | x.mean(None) Mean 1
x.prod() Prod 0 | x.prod(0) Prod 1 | x.max() Max 1 | x.max(0)[0] Max 0 | x.max(x) Maximum 0 | x.median() Median 0
x.median(0)[0] Median 1 | x.sort()[0] Sort 0 | torch.sort(x, stable=True)[0] Sort 1 | x.msort() Sort 0
x.var(False) Var 0 | torch.std_mean(x, 0)[1] StdMean 0 | x.quantile(0.5) Squeeze 4 | x.norm() LinalgVectorNorm 0
x.clone().cumsum_(0) Cumsum 0 | x.unique(dim=0) UniqueDim 0 | torch.fft.fft(x) FftR2C 0 | torch.fft.fft2(x) FftC2C 0
torch.fft.irfft(x) FftC2R 0 | torch.fft.ifft(x) Conj 0 | torch.trapezoid(x) Mul 1 | x.diff(n=2) Sub 0
x.softmax(0) Softmax 0 | x.renorm(2, 0, 0.1) Renorm 0 | x.nanmean() Div 0
"""
"""Calls with the node that PyTorch records for them, and its number."""


def tracked() -> torch.Tensor:
    return torch.tensor([[0.5, 2.0, 1.0], [4.0, 3.0, 0.25]], dtype=torch.float64, requires_grad=True)


def test_each_form_has_its_node() -> None:
    calls = [line.strip().rsplit(" ", 2) for line in NODES.strip().replace("\n", "|").split("|")]
    found = {call: eval(call, {"torch": torch, "x": tracked()}).grad_fn.name() for call, _, _ in calls}
    assert found == {call: f"{name}Backward{number}" for call, name, number in calls}


def test_indices_are_saved_and_not_the_input() -> None:
    node = tracked().max(1)[0].grad_fn
    assert node._saved_indices.tolist() == [1, 0]
    assert tuple(node._saved_self_sym_sizes) == (2, 3)
    with pytest.raises(AttributeError, match="has no attribute '_saved_self'"):
        node._saved_self  # noqa: B018


def test_a_product_with_zeros() -> None:
    x = torch.tensor([2.0, 0.0, 3.0], dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(x.prod(), x, create_graph=True)
    assert first.tolist() == [0.0, 6.0, 0.0]
    assert torch.autograd.grad(first[1], x)[0].tolist() == [3.0, 0.0, 2.0]
    assert torch.autograd.grad(x.cumprod(0).sum(), x)[0].tolist() == [1.0, 8.0, 0.0]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        ("torch.unique(x)", NotImplementedError, "the derivative for '_unique2' is not implemented."),
        ("torch.unique_consecutive(x)", NotImplementedError, "the derivative for 'unique_consecutive' is not"),
        ("torch.histogram(x, 3)[0]", RuntimeError, "derivative for aten::histogram is not implemented"),
        ("torch.histogramdd(x, 3)[0]", RuntimeError, "derivative for aten::_histogramdd_from_bin_cts is not"),
    ],
)
def test_what_has_no_derivative_is_refused_on_the_way_back(call: str, error: type[Exception], message: str) -> None:
    result = eval(call, {"torch": torch, "x": tracked()})
    assert result.requires_grad
    with pytest.raises(error) as refused:
        result.sum().backward()
    assert str(refused.value).startswith(message)


def test_a_spectrum_of_complex_numbers_is_no_real_transform() -> None:
    with pytest.raises(RuntimeError, match="rfft expects a real input tensor"):
        torch.fft.rfft(tracked().to(torch.complex128))


def test_short_time_transforms_are_recorded_as_their_parts() -> None:
    signal = torch.arange(8, dtype=torch.float64).requires_grad_()
    window = torch.ones(4, dtype=torch.float64)
    spectrum = torch.stft(signal, 4, window=window, return_complex=True)
    assert [line.split()[1] for line in graph(spectrum)] == [
        "SqueezeBackward4", "TransposeBackward1", "FftR2CBackward0", "MulBackward0", "AsStridedBackward0",
        "UnsqueezeBackward0", "ViewBackward0", "ReflectionPad1DBackward0", "ViewBackward0",
        "torch::autograd::AccumulateGrad",
    ]  # fmt: skip
    torch.istft(spectrum, 4, window=window).sum().backward()
    np.testing.assert_allclose(signal.grad.numpy(), np.ones(8), atol=1e-12)


def test_logarithms_of_large_complex_sums_do_not_overflow() -> None:
    x = torch.tensor([1e4 + 1j, -6.0 + 0.5j, 1e4 + 1j], dtype=torch.complex128)
    found = torch.logcumsumexp(x, 0)
    np.testing.assert_allclose(found.numpy(), [1e4 + 1j, 1e4 + 1j, 1e4 + np.log(2) + 1j])
    np.testing.assert_allclose(torch.logcumsumexp(-x.abs() + 0j, 0).numpy()[0], -abs(1e4 + 1j))
