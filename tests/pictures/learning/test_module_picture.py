"""A model as a picture: what it keeps is counted once, sizes are those of a call, and nothing of it is changed."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets import nn
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.models.modules import walked
from tensorwidgets.pictures.arrays.models.sizes_through import sizes_through
from tests.pictures.parsed import parse


def tied(torch: Any) -> Any:
    """A model with tied weights, a frozen layer, a buffer, dropout, and a layer that is called twice."""

    class Tied(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.embed = torch.nn.Embedding(50, 8)
            self.mix = torch.nn.Linear(8, 8)
            self.norm = torch.nn.BatchNorm1d(4)
            self.drop = torch.nn.Dropout(0.5)
            self.head = torch.nn.Linear(8, 50, bias=False)
            self.head.weight = self.embed.weight
            self.mix.requires_grad_(False)
            self.calls = 0

        def forward(self, ids: Any) -> Any:
            self.calls += 1
            x = self.mix(self.mix(self.embed(ids)))
            random.random(), np.random.rand()
            return self.head(self.drop(self.norm(x)))

    return Tied()


def ids(torch: Any) -> Any:
    return torch.arange(12).reshape(3, 4)


def check_facts(torch: Any) -> None:
    model, modules = walked(tied(torch), "net", "show.module")
    assert [layer.path for layer in model.layers] == ["", "embed", "mix", "norm", "drop", "head"]
    assert sum(kept.numel for kept in model.kept("trains")) == 50 * 8 + 8
    assert sum(kept.numel for kept in model.kept("frozen")) == 8 * 8 + 8
    assert [kept.name for kept in model.kept("buffer")] == ["running_mean", "running_var", "num_batches_tracked"]
    assert model.layers[-1].kept[0].same_as == "embed.weight"
    walk = sizes_through(model, modules, [ids(torch)])
    assert walk.refused is None and walk.arrives == "(3, 4)"
    sizes = {model.layers[k].path: passed[:3] for k, passed in walk.passed.items()}
    assert sizes == {
        "": ("(3, 4)", "(3, 4, 50)", 1),
        "embed": ("(3, 4)", "(3, 4, 8)", 1),
        "mix": ("(3, 4, 8)", "(3, 4, 8)", 2),
        "norm": ("(3, 4, 8)", "(3, 4, 8)", 1),
        "drop": ("(3, 4, 8)", "(3, 4, 8)", 1),
        "head": ("(3, 4, 8)", "(3, 4, 50)", 1),
    }


def check_left_alone(torch: Any) -> None:
    net = tied(torch)
    torch.manual_seed(7)
    random.seed(7)
    np.random.seed(7)
    state = {name: (value, value.clone(), value._version) for name, value in net.state_dict(keep_vars=True).items()}
    streams = torch.get_rng_state(), random.getstate(), np.random.get_state()[1].tolist()
    picture = show.module(net, ids(torch), labels=["net"])
    assert "(3, 4) → (3, 4, 50)" in repr(picture)
    for name, value in net.state_dict(keep_vars=True).items():
        before, numbers, version = state[name]
        assert value is before and bool((value == numbers).all()) and value._version == version
    assert bool((torch.get_rng_state() == streams[0]).all())
    assert (random.getstate(), np.random.get_state()[1].tolist()) == streams[1:]
    assert net.calls == 0 and net.training and not net.embed._forward_hooks and net.embed.weight.grad is None


def test_what_is_kept_and_what_goes_through() -> None:
    check_facts(tw)


def test_a_model_is_left_alone() -> None:
    check_left_alone(tw)


@pytest.mark.torch
def test_pytorchs_models_are_drawn_like_ours() -> None:
    import torch

    check_facts(torch)
    check_left_alone(torch)
    assert repr(show.module(tied(torch), ids(torch), labels=["net"])) == repr(
        show.module(tied(tw), ids(tw), labels=["net"])
    )


def test_tied_and_frozen_weights_are_said_once() -> None:
    picture = show.module(tied(tw), labels=["net"])
    text = repr(picture)
    assert "weight (50, 8) = embed.weight" in text and text.count("= embed.weight") == 1
    assert "head.weight: is embed.weight: one tensor under two names, counted once" in text
    assert text.count(" frozen") >= 3 and "480 parameters" in text and "not called" not in text
    page = parse(picture.html())
    marked = {c for e in page.all(cls="tw-module") for cell in e.all("th") for c in cell.classes if "i-tensor" in c}
    both = [cell for e in page.all(cls="tw-module") for cell in e.all("th") if "i-tensor0" in cell.classes]
    assert len(both) == 2 and len(marked) == 8


def test_where_a_call_fails() -> None:
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(6, 2), nn.ReLU())
    text = repr(show.module(net, (5, 4), labels=["net"]))
    assert "(5, 8) → ✗ refused" in text
    assert "2, Linear: gets (5, 8) and raises RuntimeError: mat1 and mat2 shapes cannot be multiplied" in text
    assert not net[2]._forward_hooks and not net[2]._forward_pre_hooks


def test_layers_that_are_alike_are_folded() -> None:
    deep = nn.Sequential(*[nn.Sequential(nn.Linear(4, 4), nn.Tanh()) for _ in range(40)])
    text = repr(show.module(deep, (2, 4), labels=["deep"]))
    assert "39 more Sequential, all alike" in text and "1–39" in text and len(text.splitlines()) < 14
    many = nn.Sequential(*[nn.Linear(n, n + 1) for n in range(1, 200)])
    assert "more layers below" in repr(show.module(many, labels=["many"]))


def test_the_same_layer_twice_is_counted_once() -> None:
    one = nn.Linear(4, 4)
    text = repr(show.module(nn.Sequential(one, nn.ReLU(), one), (2, 4), labels=["net"]))
    assert "20 parameters" in text and "the same layer as 0" in text and "2 times" in text


def test_an_embedding_gets_whole_numbers() -> None:
    text = repr(show.module(nn.Sequential(nn.Embedding(10, 3), nn.LSTM(3, 2)), (4, 5), labels=["net"]))
    assert "(4, 5) → (4, 5, 3)" in text and "(4, 5, 3) → (4, 5, 2)" in text and "refused" not in text
    assert repr(show.module(nn.LSTM(3, 2))).startswith("An LSTM (")


@pytest.mark.parametrize("thing", [tw.ones(2), nn.Linear, 3, None])
def test_what_is_no_module(thing: Any) -> None:
    with pytest.raises(TypeError, match=r"show\.module draws a module such as torch\.nn\.Linear"):
        show.module(thing)


def test_a_model_without_anything() -> None:
    assert "nothing to train" in repr(show.module(nn.Sequential(), labels=["net"]))
    assert re.search(r"ReLU: keeps|has no parameters", repr(show.module(nn.ReLU(), (2,), labels=["net"])))


def test_a_lazy_model_does_not_say_that_there_is_nothing_to_train() -> None:
    text = repr(show.module(nn.Sequential(nn.LazyLinear(3), nn.LazyBatchNorm1d()), labels=["net"]))
    assert "net, Sequential: has 4 parameters whose sizes are not known yet" in text and "nothing to train" not in text
    text = repr(show.module(nn.Sequential(nn.Linear(2, 3), nn.LazyLinear(1))))
    assert "trained 36 bytes (9 in 2 tensors, and 2 without a size yet)" in text


def test_the_bars_are_of_the_parameters() -> None:
    class Counts(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Linear(2, 2, bias=False)
            self.register_buffer("many", tw.zeros(1000))

    page = parse(show.module(Counts()).html())
    bars = [e for e in page.all(cls="tw-module")[0].all("div") if e.style.get("height") == "4px"]
    assert [bar.style["width"] for bar in bars] == ["100%"]
