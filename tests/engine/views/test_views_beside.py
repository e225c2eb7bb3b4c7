"""A write through a view finds the other views of the base, and usually without the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest

import tensorwidgets as torch
from tensorwidgets.engine.tensor.moving.views_beside import views_beside

MADE: dict[str, Callable] = {
    "one slice": lambda x: (x[1:],),
    "the whole": lambda x: (x.view(-1),),
    "two slices": lambda x: (x[1:], x[:1]),
    "by strides, and a view of a view": lambda x: (x.as_strided((1,), (1,)), x.view(2, -1), x[1:][1:]),
    "beside an alias": lambda x: (x[2:], x.detach()[1:], x[:1]),
    "beside an array": lambda x: (x[2:], x.numpy(), x[:1]),
    "pieces": lambda x: x.chunk(2),
    "twice the same": lambda x: (x.view(4, -1), x.real, x.real),
}


@pytest.mark.parametrize("length", [4, 100_000])
@pytest.mark.parametrize("name", MADE)
def test_all_views_are_found(name: str, length: int) -> None:
    x = torch.zeros(length)
    views = MADE[name](x)
    assert {id(v) for v in views_beside(x, x)} == {id(v) for v in views if getattr(v, "_base", None) is x}
    wanted = {id(v) for v in views[1:] if isinstance(v, torch.Tensor) and v._base is x}
    assert {id(v) for v in views_beside(x, views[0])} == wanted


def test_a_write_through_the_only_view_asks_nobody(monkeypatch: Any) -> None:
    def ask(*things: Any) -> list:
        raise AssertionError("asked")

    monkeypatch.setattr(gc, "get_referrers", ask)
    monkeypatch.setattr(gc, "get_objects", lambda generation: ask())
    w = torch.ones(1, requires_grad=True)
    for write in (
        lambda x: x.mul_(w),
        lambda x: x.add_(w),
        lambda x: x.copy_(w),
        lambda x: x[1:].mul_(w),
        lambda x: x.__setitem__(0, w[0]),
        lambda x: x.t().copy_(w),
    ):
        x = torch.zeros(3)
        write(x)
        assert x.requires_grad


def test_a_write_to_new_data_of_a_parameter_looks_at_new_objects_only(monkeypatch: Any) -> None:
    monkeypatch.setattr(gc, "get_referrers", None)
    w = torch.ones(1, requires_grad=True)
    parameter = torch.nn.Parameter(torch.zeros(3))
    parameter.data.add_(w)
    assert parameter.tolist() == [1.0] * 3
    alias = parameter.data
    view = alias[1:]
    alias.add_(w)
    assert alias.requires_grad and view.requires_grad and not parameter.data.requires_grad


@pytest.mark.parametrize("generation", [0, 1, 2])
def test_views_of_an_alias_are_found_at_any_age(generation: int) -> None:
    w = torch.ones(1, requires_grad=True)
    alias = torch.nn.Parameter(torch.zeros(3)).data
    old = alias[1:]
    gc.collect(generation)
    new = alias[:1]
    alias.add_(w)
    assert old.requires_grad and new.requires_grad


def test_views_that_were_there_belong_to_the_graph() -> None:
    w = torch.ones(1, requires_grad=True)
    x = torch.zeros(3)
    first, second = x[:2], x[1:]
    first.add_(w)
    assert second.requires_grad
    second.sum().backward()
    assert w.grad.tolist() == [1.0]


def test_growing_and_sharing_the_only_tensor_asks_nobody(monkeypatch: Any) -> None:
    def ask(*things: Any) -> list:
        raise AssertionError("asked")

    monkeypatch.setattr(gc, "get_referrers", ask)
    monkeypatch.setattr(gc, "get_objects", lambda generation=None: ask())
    assert torch.empty(0).resize_(3).size() == (3,)
    assert torch.ones(3).share_memory_().is_shared()


def test_a_module_that_is_converted_looks_for_graphs_once(monkeypatch: Any) -> None:
    searched = []
    model = torch.nn.Sequential(*[torch.nn.Linear(2, 2) for _ in range(5)])
    kept = model[3](torch.ones(2)).sum()
    objects = gc.get_objects
    monkeypatch.setattr(gc, "get_objects", lambda generation=None: searched.append(generation) or objects(generation))
    monkeypatch.setattr(gc, "get_referrers", None)
    model.double()
    assert len(searched) == 1 and all(p.dtype is torch.float64 for p in model.parameters())
    kept.backward()  # the gradient has the dtype that the weight had then
    model.float()
    assert len(searched) == 1 and model[3].weight.dtype is torch.float32  # no call was recorded since
    kept = model[3](torch.ones(2)).sum()
    model.double()
    assert len(searched) == 2


def test_an_alias_grows_with_its_tensor() -> None:
    source = torch.ones(2)
    parameter = torch.nn.Parameter(source, requires_grad=False)
    alias = source.detach()
    parameter.resize_(100)[:] = 7
    assert alias.tolist() == source.tolist() == [7.0, 7.0]


def test_a_tensor_that_is_not_built_yet_is_no_view() -> None:
    half = object.__new__(torch.Tensor)
    x = torch.zeros(4)
    first, second = x[:2], x[2:]
    assert [v is second for v in views_beside(x, first)] == [True]
    second.mul_(torch.ones(2, requires_grad=True))
    assert first.requires_grad and not hasattr(half, "_base")
