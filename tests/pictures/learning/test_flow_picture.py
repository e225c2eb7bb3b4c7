"""Sizes of gradients as a picture: the numbers are those of the gradients, and the sentence is about what matters."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.models.flows import flow_of
from tensorwidgets.pictures.learning.flow_words import verdict
from tests.pictures.parsed import parse


def deep(torch: Any, act: str = "Tanh", layers: int = 3, gain: float = 1.0) -> Any:
    """A chain of layers after a backward pass."""
    nn = torch.nn
    torch.manual_seed(0)
    chain = [part for _ in range(layers) for part in (nn.Linear(16, 16), getattr(nn, act)())]
    net = nn.Sequential(*chain, nn.Linear(16, 1))
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.mul_(gain)
    net(torch.randn(32, 16)).pow(2).mean().backward()
    return net


def dead(torch: Any) -> Any:
    net = deep(torch, "ReLU")
    net.zero_grad()
    with torch.no_grad():
        net[2].bias.fill_(-100)
    net(torch.randn(32, 16)).pow(2).mean().backward()
    return net


def half_dead(torch: Any) -> Any:
    net = deep(torch, "ReLU", 1)
    net.zero_grad()
    with torch.no_grad():
        net[0].bias[:9] = -100
    net(torch.randn(32, 16)).pow(2).mean().backward()
    return net


def odd(torch: Any) -> Any:
    net = deep(torch, "ReLU")
    net[2].weight.grad[0, 0] = float("nan")
    return net


def partly(torch: Any) -> Any:
    net = deep(torch, layers=1)
    net.append(torch.nn.Linear(1, 1))
    return net


def zeroed(torch: Any) -> Any:
    net = torch.nn.Linear(2, 2)
    net(torch.ones(3, 2)).sum().backward()
    net.zero_grad(set_to_none=False)
    return net


def embedding(torch: Any) -> Any:
    net = torch.nn.Sequential(torch.nn.Embedding(50, 8), torch.nn.Linear(8, 2))
    net(torch.arange(5)).sum().backward()
    return net


def frozen(torch: Any) -> Any:
    return torch.nn.Linear(2, 2).requires_grad_(False)


CASES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "fine": (deep, "gradients: are similar in size"),
    "vanishing": (lambda torch: deep(torch, "Sigmoid", 8), "0.weight: vanishing: its gradients are"),
    "exploding": (lambda torch: deep(torch, "Identity", 8, 4.0), "exploding: its gradients are"),
    "dead": (dead, "0.weight: is dead: its gradients are all zero"),
    "zeroed": (zeroed, "net: all of its gradients are zero, so a step changes nothing"),
    "half dead": (half_dead, "0.weight: 9 of its 16 units are dead in this batch"),
    "odd": (odd, "2.weight: 1 of 256 gradients is nan or inf"),
    "nothing yet": (lambda torch: torch.nn.Linear(2, 2), "net: has no gradients yet"),
    "frozen": (frozen, "net: is frozen: no parameter requires a gradient"),
    "empty": (lambda torch: torch.nn.ReLU(), "net: has no parameters"),
    "partly": (partly, "3.weight and 1 more took no part in the loss"),
    "embedding": (embedding, "5 of 50 rows in this batch"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_it_means(name: str) -> None:
    make, said = CASES[name]
    picture = show.flow(make(tw), labels=["net"])
    assert said in repr(picture)
    bad = name in ("vanishing", "exploding", "dead", "zeroed", "half dead", "odd")
    assert verdict(flow_of(make(tw), "net")).bad == bad
    drawn = parse(picture.html()).all(cls="tw-flow")
    assert len(drawn) == (name != "empty")


@pytest.mark.torch
@pytest.mark.parametrize("name", CASES)
def test_pytorchs_models_say_the_same(name: str) -> None:
    import torch

    make, said = CASES[name]
    assert said in repr(show.flow(make(torch), labels=["net"]))
    assert [p[:4] for p in flow_of(make(torch), "net").parameters] == [
        p[:4] for p in flow_of(make(tw), "net").parameters
    ]


def test_the_sizes_are_those_of_the_gradients() -> None:
    net = deep(tw)
    for one, (path, parameter) in zip(flow_of(net, "net").parameters, net.named_parameters(), strict=True):
        assert one.path == path and one.grad is not None and one.size == tuple(parameter.shape)
        for size, tensor in ((one.value, parameter), (one.grad, parameter.grad)):
            assert math.isclose(size.rms, float((tensor.detach().double() ** 2).mean()) ** 0.5, rel_tol=1e-12)


def test_a_tied_weight_has_one_row() -> None:
    net = tw.nn.Sequential(tw.nn.Linear(3, 3), tw.nn.Linear(3, 3))
    net[1].weight = net[0].weight
    net(tw.ones(2, 3)).sum().backward()
    assert [p.path for p in flow_of(net, "net").parameters] == ["0.weight", "0.bias", "1.bias"]


def test_of_many_parameters_those_in_the_middle_are_one_row() -> None:
    net = deep(tw, layers=40)
    for text in (repr(show.flow(net)), parse(show.flow(net).html()).text().replace("\u200b", "")):
        assert "⋮ 22 more" in text and text.index("28.bias") < text.index("⋮ 22 more") < text.index("52.weight")


def test_the_scale_leaves_the_words_their_room() -> None:
    """The names stay on one line where the page is wide: the scale has per cent of the rest."""
    for net in (deep(tw), tw.nn.ModuleDict({"a_long_name_of_a_block" * 2: deep(tw)})):
        page = parse(show.flow(net).html())
        wide = [e.style["width"] for e in page.all("th") if "%" in e.style.get("width", "")]
        longest = max(len(path) for path, _ in net.named_parameters()) + len(" (16, 16)")
        assert len(wide) == 1 and 7.8 * float(wide[0][:-1]) + 7.23 * longest + 150 < 781
