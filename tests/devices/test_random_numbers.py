"""Random numbers on a simulated GPU: who seeds its stream, and who puts it back."""

from __future__ import annotations

import pytest

import tensorwidgets as torch
from tensorwidgets.engine.tensor import generator
from tensorwidgets.utils.checkpoint import checkpoint


@pytest.mark.usefixtures("gpus")
@pytest.mark.parametrize("use_reentrant", [True, False])
@pytest.mark.parametrize("device", ["cuda", "cuda:1"])
def test_a_checkpoint_draws_the_same_numbers_again(use_reentrant: bool, device: str) -> None:
    x = torch.ones(1000, device=device, requires_grad=True)
    torch.manual_seed(4)
    y = checkpoint(torch.nn.functional.dropout, x, use_reentrant=use_reentrant)
    y.sum().backward()
    after = torch.rand(3, device=device)
    assert x.grad is not None and torch.equal(x.grad, y.detach()) and 400 < int((y == 0).sum()) < 600
    torch.manual_seed(4)
    torch.nn.functional.dropout(x)
    assert torch.equal(after, torch.rand(3, device=device))


@pytest.mark.usefixtures("gpus")
def test_a_fork_puts_back_the_streams_of_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "_warned_of_many", False)

    def drawn() -> list[float]:
        return [float(torch.rand(1, device=d)) for d in ("cpu", "cuda:0", "cuda:1")]

    torch.manual_seed(1)
    with pytest.warns(UserWarning, match="^CUDA reports that you have 2 available devices, and you have used fork_rng"):
        with torch.random.fork_rng():
            first = drawn()
    with torch.random.fork_rng():  # said once
        assert drawn() == first
    with torch.random.fork_rng([1]):
        assert drawn() == first
    cpu, other, same = drawn()
    assert (cpu, same) == (first[0], first[2]) and other != first[1]
    torch.manual_seed(1)
    with torch.random.fork_rng(enabled=False):
        assert drawn() == first
    assert drawn() != first


@pytest.mark.usefixtures("gpu")
def test_a_seed_of_the_system_is_the_gpus_too() -> None:
    assert torch.seed() == torch.initial_seed() == torch.cuda.initial_seed()
