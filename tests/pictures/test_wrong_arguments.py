"""Pictures refuse arguments that they cannot draw in one sentence that names the argument."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets import show


def bowl(a: float, b: float) -> float:
    return a * a + b * b


LAZY = torch.nn.LazyLinear(2).weight
LOADER = torch.utils.data.DataLoader(torch.arange(3.0))

WRONG: dict[str, tuple[type[Exception], str]] = {
    "show(x, labels=3)": (TypeError, "labels= takes a list with one name, not 3"),
    "show(x, labels='ab')": (ValueError, "labels= takes a list with one name, not 'ab'"),
    "show(x, x, labels=['a'])": (ValueError, "labels= takes one name for each of the 2 arrays, not ['a']"),
    "show.names(x, names=3)": (TypeError, "names= takes a name for each dimension, such as"),
    "show.names(x, names='ab')": (TypeError, "names= takes a name for each dimension, such as"),
    "show.loader(LOADER, batches=0)": (ValueError, "batches= is how many batches are loaded at most, 1 or more, not 0"),
    "show.loader(LOADER, batches=-1)": (ValueError, "1 or more, not -1"),
    "show.loader(LOADER, batches='a')": (TypeError, "1 or more, not 'a'"),
    "show.loader(torch.utils.data.DataLoader([]))": (ValueError, "the loader has no batch: its dataset is empty, or"),
    "show.surface(bowl, x=3)": (TypeError, "x=3 is not a range: write x=(-2, 2)"),
    "show.surface(bowl, y=(1, 1))": (ValueError, "y=(1, 1) is not a range: write y=(-2, 2)"),
    "show.surface(bowl, steps=1.5)": (TypeError, "steps= is how many steps are taken, a whole number, not 1.5"),
    "show.surface(bowl, steps=-1)": (ValueError, "steps= is how many steps are taken, not -1"),
    "show.surface(bowl, optimizers='Adan')": (ValueError, "no optimizer is called 'Adan': choose from SGD"),
    "show.surface(bowl, lr={'Adan': 1})": (ValueError, "no optimizer is called 'Adan': choose from SGD"),
    "show.surface(bowl, lr=-1)": (ValueError, "lr= is a positive number"),
    "show.training(3)": (TypeError, "show.training draws a TrainingLog, a list of losses"),
    "show.training(['a'])": (TypeError, "a log takes numbers, and loss is a str"),
    "show.training(x)": (TypeError, "in one dimension; loss has size (2, 3)"),
    "show.training({'a': torch.ones(1).expand(10**12)})": (ValueError, "a has 1,000,000,000,000 steps, and at most"),
    "show.training(torch.ones(3, device='meta'))": (TypeError, "loss has no numbers: its device is meta"),
    "show.einsum('ij,jk')": (TypeError, "takes an operand for each group of letters: show.einsum('ij,jk', x)"),
    "show.route(x)": (TypeError, "takes the name of an op, and its arguments after it: show.route('add', x, 1)"),
    "show.list_or_tensor(hidden)": (TypeError, "hides numbers behind a mask: "),
    "show.list_or_tensor(texts)": (TypeError, " are str64, and no tensor has such elements"),
    "show.list_or_tensor(x, dtype='text')": (TypeError, "dtype= is a number type that PyTorch has, not 'text'"),
    "show.broadcast(lazy, 1)": (TypeError, "a lazy parameter has no size and no memory yet"),
    "show.names(lazy)": (TypeError, "a lazy parameter has no size and no memory yet"),
    "show.versions(lazy)": (TypeError, "a lazy parameter has no size and no memory yet"),
    "show.training([1, {'loss': 2}])": (TypeError, "show.training draws a TrainingLog, a list of losses"),
}


@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_argument_is_named(call: str) -> None:
    names: dict[str, Any] = {"show": show, "torch": torch, "x": torch.ones(2, 3), "LOADER": LOADER, "bowl": bowl}
    names |= {"hidden": np.ma.array([1, 2], mask=[0, 1]), "texts": np.array(["ab"]), "lazy": LAZY}
    kind, words = WRONG[call]
    with pytest.raises(kind, match=re.escape(words)):
        eval(call, names)


def test_one_optimizer_is_named_without_a_list() -> None:
    assert repr(show.surface(bowl, optimizers="SGD")) == repr(show.surface(bowl, optimizers=["SGD"]))


def test_an_array_of_another_byte_order_or_of_objects_is_a_list() -> None:
    swapped = show.list_or_tensor(np.array([3, 1], ">i4"), labels=["x"])
    assert repr(swapped) == repr(show.list_or_tensor([3, 1], dtype=torch.int32, labels=["x"]))
    objects = np.array([1, "a"], dtype=object)
    assert repr(show.list_or_tensor(objects, labels=["x"])) == repr(show.list_or_tensor([1, "a"], labels=["x"]))


def test_a_list_of_losses_is_a_training() -> None:
    losses = [torch.tensor(3.0), 2, 0.5]
    assert repr(show.training(losses)) == repr(show.training({"loss": [3.0, 2.0, 0.5]}, labels=["losses"]))
    assert (
        repr(show.training(torch.tensor([3.0, 2.0]))).splitlines()[-1] == "loss: 3 → 2 in 2 steps, lowest 2 at step 2"
    )
