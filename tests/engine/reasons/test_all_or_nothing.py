"""A call that fails leaves everything as it was, and a number out of all measure is refused at once."""

from __future__ import annotations

import pytest

import tensorwidgets as torch


def seen(t: torch.Tensor) -> tuple:
    """All that can be seen of a tensor."""
    return t.tolist(), t.size(), t.stride(), t.storage_offset(), t.dtype, t.untyped_storage().nbytes(), t._version


FAILING = {
    "resize_, no format": "x.resize_(2, 2, memory_format=5)",
    "resize_, a format of other sizes": "x.resize_(2, 2, memory_format=torch.channels_last)",
    "resize_, a format that keeps": "x.resize_(2, 2, memory_format=torch.preserve_format)",
    "resize_as_, no format": "x.resize_as_(torch.ones(2, 2), memory_format=5)",
    "resize_as_, a format of other sizes": "x.resize_as_(torch.ones(2, 2), memory_format=torch.channels_last)",
    "set_, no storage": "x.set_(5)",
    "set_, an offset that is none": "x.set_(torch.ones(3).untyped_storage(), 2j)",
    "set_, an offset below 0": "x.set_(torch.ones(3).untyped_storage(), -1, (2,))",
    "sum, keepdim": "torch.nansum(torch.ones(3), 0, keepdim=1, out=x)",
    "quantile of nothing": "torch.quantile(torch.ones(2, 0, 3), 0.5, out=x)",
    "norm, keepdim": "torch.linalg.norm(torch.ones(3), keepdim={1}, out=x)",
    "cummin, one place for two": "torch.cummin(torch.eye(2), 1, out=[x])",
    "cholesky_ex, the second of another dtype": "torch.linalg.cholesky_ex(torch.eye(3), out=(x, torch.empty(0)))",
    "geqrf, the second of another dtype": "torch.geqrf(torch.eye(3), out=(x, torch.empty(0, dtype=torch.int64)))",
    "max, the second on top of itself": "torch.max(torch.eye(3), 1, out=(x, torch.zeros(1).long().expand(3)))",
    "bernoulli, no probability": "torch.bernoulli(torch.tensor([[0.5, 4.0]]), out=x)",
    "bernoulli, whole numbers": "torch.bernoulli(torch.tensor([[0, 1]]), out=x)",
    "add_, three": "x.add_(x, x, x)",
    "clamp_max_": "x.clamp_max_([])",
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:An output with one or more elements")
@pytest.mark.parametrize("name", FAILING)
@pytest.mark.parametrize("made", ["torch.arange(6.)", "torch.arange(6.)[1:4]", "torch.empty(0)", "torch.ones(3)"])
def test_a_call_that_fails_changes_nothing(name: str, made: str) -> None:
    x = eval(made, {"torch": torch})
    base = x if x._base is None else x._base
    other = base[:2]
    before = [seen(t) for t in (x, base, other)]
    with pytest.raises((TypeError, RuntimeError, IndexError)):
        eval(FAILING[name], {"torch": torch, "x": x})
    assert [seen(t) for t in (x, base, other)] == before
    base.fill_(7)  # and they still share what they shared
    assert all(number == 7 for number in (*x.tolist(), *other.tolist()))


@pytest.mark.parametrize(
    "call", ["torch.zeros(2, out=x, requires_grad=True)", "torch.full((3,), 0, out=x, requires_grad=True)"]
)
def test_a_target_that_cannot_require_gradients_keeps_its_elements(call: str) -> None:
    x = torch.ones(2, dtype=torch.bool)
    with pytest.raises(RuntimeError, match="floating point"):
        eval(call, {"torch": torch, "x": x})
    assert x.tolist() == [True, True]


REFUSED_AT_ONCE = {
    "torch.ones(1).mvlgamma(p=2**31)": (RuntimeError, "can't allocate memory: you tried to allocate 8589934592 bytes"),
    "torch.ones(1).mvlgamma(p=2**62)": (RuntimeError, "Storage size calculation overflowed with sizes="),
    "torch.ones(1).mvlgamma(p=10**30)": (ValueError, "Overflow when unpacking long long"),
    "torch.special.legendre_polynomial_p(torch.tensor(0.5), 2**31)": (RuntimeError, "takes as many steps"),
    "torch.special.laguerre_polynomial_l(torch.tensor(0.5), 2**31)": (RuntimeError, "takes as many steps"),
    "torch.tril_indices(2**20, 2**20)": (RuntimeError, "can't allocate memory: you tried to allocate"),
    "torch.triu_indices(2**40, 2**20, -(2**40))": (RuntimeError, "Storage size calculation overflowed|allocate"),
    "torch.empty(0).chunk(2**31)": (RuntimeError, "bad_alloc"),
    "torch.empty(0).chunk(2**63 - 1)": (RuntimeError, "cannot create std::vector larger than max_size"),
    "torch.ones(1).tensor_split(2**31)": (RuntimeError, "bad_alloc"),
    "torch.ones(1).tensor_split(10**30)": (ValueError, "Overflow when unpacking long long"),
}


@pytest.mark.parametrize("call", REFUSED_AT_ONCE)
def test_a_number_out_of_all_measure_is_refused_at_once(call: str) -> None:
    kind, told = REFUSED_AT_ONCE[call]
    with pytest.raises(kind, match=told):
        eval(call, {"torch": torch})


def test_a_polynomial_that_is_no_number_any_more_stays_so() -> None:
    assert torch.special.chebyshev_polynomial_t(torch.tensor(3.0), 2**31).isnan()


@pytest.mark.parametrize(
    "p, wanted", [(300, -52546.291691170525), (301, -52974.35240884949), (1000, -889577.1121942737)]
)
def test_gamma_functions_of_many_variables_are_summed_by_logarithms(p: int, wanted: float) -> None:
    """The numbers are PyTorch's, of 0.75 in float64."""
    found = torch.tensor([0.75], dtype=torch.float64).mvlgamma(p).item()
    assert found == pytest.approx(wanted, rel=1e-14)
