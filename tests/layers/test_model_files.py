"""Models cross to PyTorch and back in files, tied weights and optimizers included, and their training goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

import tensorwidgets as tw
from tests.layers.across import FROZEN, gone_on, model_of, optimizer_of, trained


def test_training_that_pytorch_began_goes_on_here() -> None:
    wanted = tw.load(FROZEN)["losses"]
    model, _, losses = gone_on(tw, FROZEN, len(wanted))
    assert losses == pytest.approx(wanted, rel=1e-12)
    assert model.head.weight is model.table.weight and len(list(model.parameters())) == 3


def test_weights_that_are_tied_stay_one_storage_in_a_file(tmp_path: Path) -> None:
    state = model_of(tw).state_dict()
    tw.save(state, tmp_path / "model.pt")
    loaded = tw.load(tmp_path / "model.pt")
    assert loaded._metadata == state._metadata
    assert loaded["head.weight"].data_ptr() == loaded["table.weight"].data_ptr()


def test_a_state_goes_through_safetensors(tmp_path: Path) -> None:
    state = {name: t.clone() for name, t in model_of(tw).state_dict().items()}
    tw.save_safetensors(tmp_path / "model.safetensors", state)
    loaded = tw.load_safetensors(tmp_path / "model.safetensors")
    assert model_of(tw).load_state_dict(loaded) == ([], [])
    assert all(tw.equal(loaded[name], t) for name, t in state.items())


@pytest.mark.torch
def test_training_goes_on_across_the_border_in_both_directions(tmp_path: Path) -> None:
    import torch

    model = model_of(torch)
    wanted = trained(torch, model, optimizer_of(torch, model), 6)
    for first, second in ((torch, tw), (tw, torch)):
        model = model_of(first)
        optimizer = optimizer_of(first, model)
        losses = trained(first, model, optimizer, 3)
        path = tmp_path / f"{first.__name__}.pt"
        first.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
        assert losses + gone_on(second, path, 3)[2] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.torch
def test_safetensors_of_either_library_fit_the_other(tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    path, state = tmp_path / "theirs.safetensors", model_of(torch).state_dict()
    save_file({name: t.clone() for name, t in state.items()}, path)
    assert model_of(tw).load_state_dict(tw.load_safetensors(path)) == ([], [])
    path = tmp_path / "ours.safetensors"
    tw.save_safetensors(path, {name: t.clone() for name, t in model_of(tw).state_dict().items()})
    assert all(torch.equal(state[name], t) for name, t in load_file(path).items())
