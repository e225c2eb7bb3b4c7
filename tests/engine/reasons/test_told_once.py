"""Warnings of PyTorch that a call of a tensor brings: in its words, at the user's line, as often as there."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.engine.errors import warnings as told

FREEDOM = "degrees of freedom is <= 0. Correction should be strictly less than the reduction factor"
EACH_TIME: list[tuple[str, list[str]]] = [
    ("t.tensor([1.0]).std()", ["std(): " + FREEDOM]),
    ("t.zeros(1, 3).var(0)", ["var(): " + FREEDOM]),
    ("t.zeros(0, 3).var(0, unbiased=False)", ["var(): " + FREEDOM]),
    ("t.zeros(2, 3).std(0, correction=2.5)", ["std(): " + FREEDOM]),
    ("t.std_mean(t.tensor([1.0]))", ["std_mean(): " + FREEDOM]),
    ("t.var(t.tensor([1j]))", ["var(): " + FREEDOM] * 2),
    ("t.zeros(2, 3).std(0, correction=1.5)", []),
    ("t.zeros(1, 3).var(0, correction=0)", []),
    ("t.zeros(2).masked_scatter_(t.tensor([1, 0]).byte(), t.ones(2))", ["masked_scatter_ received a mask with dtype"]),
    ("t.zeros(3).random_(0, 2**25)", ["to - 1 is out of bounds [-(2^24), 2^24]."]),
    ("t.zeros(3).random_(-(2**25), 2**25)", ["from is out of bounds", "to - 1 is out of bounds"]),
]
"""Calls, and how their warnings begin."""

ONCE: list[tuple[str, str]] = [
    ("t.meshgrid(t.arange(2), t.arange(2))", "torch.meshgrid: in an upcoming release, it will be required to pass"),
    ("t.meshgrid(t.ones(2, requires_grad=True), t.ones(2))", "torch.meshgrid: in an upcoming release, it will be"),
    ("float(t.tensor(1.0, requires_grad=True))", "Converting a tensor with requires_grad=True to a scalar"),
    ("t.tensor([t.tensor(1.0, requires_grad=True)])", "Converting a tensor with requires_grad=True to a scalar"),
    ("t.ones(2, 3).scatter_(1, t.tensor([[0]]), t.ones(1, 1), reduce='add')", "The reduce argument of torch.scatter"),
    ("t.ones(3).index_reduce(0, t.tensor([0]), t.ones(1), 'prod')", "index_reduce() is in beta and the API may change"),
    ("t.set_default_tensor_type(t.FloatTensor)", "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1"),
    ("t.ones(2).add(1, t.ones(2))", "This overload of add is deprecated:\n\tadd(Number alpha, Tensor other)\nConsider"),
    ("t.sub(t.ones(2), 1, t.ones(2))", "This overload of sub is deprecated:\n\tsub(Tensor input, Number alpha, Tensor"),
    (
        "t.ones((), requires_grad=True).exp().backward(create_graph=True)",
        "Using backward() with create_graph=True will",
    ),
    ("t.asarray(t.ones(2, requires_grad=True))", "torch.asarray: unspecified requires_grad now defaults to obj"),
    ("t.qr(t.eye(2))", "torch.qr is deprecated in favor of torch.linalg.qr and will be removed"),
    ("t.lu(t.eye(2))", "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and"),
    ("t.cholesky(t.eye(2))", "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed"),
    ("t.triangular_solve(t.ones(2, 1), t.eye(2))", "torch.triangular_solve is deprecated in favor of torch.linalg"),
    ("t.stft(t.ones(8), 4, window=t.ones(4), return_complex=False)", "stft with return_complex=False is deprecated"),
    ("t.stft(t.ones(8), 4, return_complex=True)", "A window was not provided. A rectangular window will be applied,"),
    ("t.istft(t.ones(3, 9) + 0j, 4)", "A window was not provided. A rectangular window will be applied.Please provide"),
]

SILENT = [
    "t.autograd.grad((x := t.ones((), requires_grad=True)).exp(), x, create_graph=True)",
    "t.tensor(1.0, requires_grad=True).item()",
    "int(t.tensor(1.0, requires_grad=True))",
    "t.meshgrid(t.arange(2), t.arange(2), indexing='ij')",
    "t.cartesian_prod(t.arange(2), t.ones(2).long())",
    "t.cartesian_prod(t.ones(2, requires_grad=True), t.ones(2))",
    "t.combinations(t.ones(3)), t.combinations(t.ones(3, requires_grad=True), 2, True)",
    "t.ones(2, 3).scatter_(1, t.tensor([[0]]), 2.0, reduce='add')",
]


def heard(torch: Any, call: str) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            eval(call, {"t": torch})
        except RuntimeError:
            pass
    return [str(each.message) for each in caught]


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been told yet."""
    monkeypatch.setattr(told, "_shown", set())


def begin(messages: list[str], starts: list[str]) -> bool:
    return len(messages) == len(starts) and all(m.startswith(s) for m, s in zip(messages, starts, strict=True))


@pytest.mark.parametrize(("call", "starts"), EACH_TIME)
def test_it_is_told_each_time(call: str, starts: list[str]) -> None:
    assert begin(heard(tw, call), starts)
    assert begin(heard(tw, call), starts)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(("call", "start"), ONCE)
def test_it_is_told_once(call: str, start: str) -> None:
    assert begin(heard(tw, call), [start])
    assert heard(tw, call) == []


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("call", SILENT)
def test_nothing_is_told(call: str) -> None:
    assert heard(tw, call) == []


@pytest.mark.usefixtures("fresh")
def test_a_number_read_without_a_graph_is_not_worth_a_warning() -> None:
    with tw.no_grad():
        assert heard(tw, "float(t.tensor(1.0, requires_grad=True))") == []


def test_it_points_at_the_users_line() -> None:
    with pytest.warns(UserWarning, match="degrees of freedom") as caught:
        tw.tensor([1.0]).std()
    assert caught[0].filename == __file__


@pytest.mark.torch
def test_pytorch_tells_the_same() -> None:
    import torch

    def same(call: str, starts: list[str]) -> None:
        ours: Callable[[str], str] = lambda m: m.partition(" (Triggered")[0]  # noqa: E731
        found = [ours(m) for m in heard(torch, call)]
        assert begin(found, starts), (call, found)

    torch.set_warn_always(True)
    try:
        for call, starts in EACH_TIME:
            same(call, starts)
        for call, start in ONCE:
            same(call, [start])
        for call in SILENT:
            same(call, [])
    finally:
        torch.set_warn_always(False)
