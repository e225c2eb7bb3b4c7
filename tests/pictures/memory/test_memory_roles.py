"""The map of memory tells parameters, gradients, the optimizer's state and saved tensors apart."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import tensorwidgets as tw
from tensorwidgets.notebook import Magics
from tensorwidgets.pictures import show
from tensorwidgets.pictures.memory.census import census
from tests.pictures.parsed import parse

# Two layers of 64 x 32 and 32 x 2 with biases: 2,146 numbers of 4 bytes.
PARAMETERS = 4 * (64 * 32 + 32 + 32 * 2 + 2)


def trained(torch: Any) -> dict[str, Any]:
    """A step of Adam, and the loss of the next."""
    net = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
    optimizer = torch.optim.Adam(net.parameters())
    x = torch.ones(100, 64)
    net(x).pow(2).mean().backward()
    optimizer.step()
    return {"net": net, "optimizer": optimizer, "x": x, "loss": net(x).pow(2).mean()}


def check(torch: Any) -> None:
    names = trained(torch)
    now = census(names, contents=False)
    nbytes: dict[str, int] = {}
    for storage in now.storages:
        (role,) = {one.role for one in now.of(storage)}
        nbytes[role] = nbytes.get(role, 0) + storage.nbytes
    assert nbytes == {
        "parameters": PARAMETERS, "gradients": PARAMETERS, "optimizer state": 2 * PARAMETERS + 4 * 4,
        "other": 4 * 100 * 64 + 4,
    }  # fmt: skip
    # The result of ReLU, which both the layer behind it and its own backward need, and that of the last layer.
    assert now.graphs.nbytes == 4 * (100 * 32 + 100 * 2)
    text = " ".join(repr(show.memory(names)).split())
    assert f"parameters {PARAMETERS:,} bytes (4 storages); gradients {PARAMETERS:,} bytes (4 storages)" in text
    assert "optimizer state 17,184 bytes (12 storages); saved for backward 13,600 bytes (by 7 nodes)" in text
    assert "optimizer.state[1]['exp_avg']" in text and "param_groups" not in text


def test_what_each_storage_is_for() -> None:
    check(tw)


@pytest.mark.torch
def test_pytorchs_models_and_optimizers() -> None:
    import torch

    check(torch)


def test_the_bar_is_to_scale() -> None:
    (bar,) = parse(show.memory(trained(tw)).html()).all(cls="tw-roles")
    widths = [float(cell.style["width"].rstrip("%")) for cell in bar.all("td")]
    assert len(widths) == 5 and abs(sum(widths) - 100) < 0.2 and abs(widths[2] - 2 * widths[0]) < 0.5


def test_without_a_model_nothing_is_said() -> None:
    assert "tw-roles" not in show.memory(x=tw.ones(3), y=tw.ones(2)).html()


def test_a_cell_says_what_is_new() -> None:
    space = trained(tw)
    del space["loss"]
    space["net"].zero_grad()
    shell = SimpleNamespace(
        user_ns=space, user_ns_hidden={}, execution_count=1, transform_cell=lambda cell: cell,
        transform_ast=lambda tree: tree,
        compile=type("C", (), {"cache": lambda *a, **k: "cell", "__call__": lambda self, *a: compile(*a)})(),
    )  # fmt: skip
    text = " ".join(repr(Magics(shell).memory("", "loss = net(x).pow(2).mean()\nloss.backward()")).split())
    assert f"gradients {PARAMETERS:,} bytes (4 storages, 4 new)" in text
    assert f"parameters {PARAMETERS:,} bytes (4 storages);" in text
